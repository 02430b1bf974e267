# The public names for editors and type checkers; ``__init__.py`` loads each when it is first used.
from establish.impl.mechanisms import Laplace as Laplace
from establish.impl.mechanisms import LogLaplace as LogLaplace
from establish.impl.mechanisms import SmoothGamma as SmoothGamma
from establish.impl.mechanisms import SmoothLaplace as SmoothLaplace
from establish.impl.mechanisms import mechanism as mechanism
from establish.impl.mechanisms.truncated_laplace import TruncatedLaplace as TruncatedLaplace
from establish.impl.microdata.probably_no_clipping import ProbablyNoClipping as ProbablyNoClipping
from establish.impl.microdata.psi_mechanism import PsiMechanism as PsiMechanism
from establish.proofs_check.audit import audit as audit
from establish.proofs_check.audit import custom as custom
from establish.proofs_check.audit import dp as dp
from establish.proofs_check.audit import edge as edge
from establish.proofs_check.audit import gedp as gedp
from establish.proofs_check.audit import node as node
from establish.proofs_check.audit import strong_er_ee as strong_er_ee
from establish.proofs_check.audit import weak_er_ee as weak_er_ee
from establish.proofs_check.audit.testing import assert_private as assert_private
from establish.proofs_check.engine.checking import check as check
from establish.proofs_check.engine.methods import enclosure as enclosure
from establish.proofs_check.engine.methods import exact as exact
from establish.proofs_check.engine.methods import exhaustive as exhaustive
from establish.proofs_check.engine.methods import solver as solver
from establish.proofs_check.engine.methods import statistical as statistical
from establish.proofs_check.engine.methods import symbolic as symbolic
from establish.proofs_check.engine.register import claim as claim
from establish.proofs_check.engine.register import repeats as repeats
from establish.proofs_check.engine.statements.cases import Every as Every
from establish.proofs_check.engine.statements.comparison import AtMost as AtMost
from establish.proofs_check.engine.statements.comparison import Below as Below
from establish.proofs_check.engine.statements.comparison import Compares as Compares
from establish.proofs_check.engine.statements.comparison import Equal as Equal
from establish.proofs_check.engine.statements.domain import given as given
from establish.proofs_check.engine.statements.moments import Moment as Moment
from establish.proofs_check.engine.statements.printed import Printed as Printed
from establish.proofs_check.engine.statements.privacy import Private as Private
from establish.proofs_check.engine.statements.variables import Integer as Integer
from establish.proofs_check.engine.statements.variables import Rational as Rational
from establish.proofs_check.engine.statements.variables import Real as Real
from establish.proofs_check.engine.verdicts import Evidence as Evidence
from establish.proofs_check.engine.verdicts import Grade as Grade
from establish.proofs_check.engine.verdicts import Outcome as Outcome
from establish.proofs_check.engine.verdicts import Verdict as Verdict
from establish.proofs_check.engine.verdicts import aside as aside
from establish.proofs_check.engine.verdicts import fails as fails
from establish.proofs_check.engine.verdicts import holds as holds
from establish.proofs_check.engine.verdicts import holds_loosely as holds_loosely
from establish.proofs_check.engine.verdicts import ill_posed as ill_posed
from establish.proofs_check.engine.verdicts import misprint as misprint
from establish.proofs_check.engine.verdicts import not_checkable as not_checkable
from establish.spec.parameters import ParameterError as ParameterError
from establish.spec.relations.universes import ShapeUniverse as ShapeUniverse
from establish.spec.relations.universes import SizeUniverse as SizeUniverse
from establish.spec.universe import Universe as Universe

__version__: str
__all__: list[str]
_HOMES: dict[str, str]
