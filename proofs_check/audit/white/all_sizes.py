"""A certificate for all datasets, where the law moves in proportion to a count and is the same otherwise.

Either all pairs of neighbors are one pair, moved, and what is settled of the first is settled of all; or
densities are compared at every output and every count at once, as for the statements of papers.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from establish.proofs_check.audit.question.definitions import AuditDefinition
from establish.proofs_check.audit.question.level import Approximate
from establish.proofs_check.audit.white.formula import CountLaw, agrees, law_of_count
from establish.proofs_check.audit.white.laws import NotComparableError
from establish.proofs_check.engine.methods import solver
from establish.proofs_check.engine.rules import densities, pointwise
from establish.proofs_check.engine.statements import Satisfies
from establish.proofs_check.engine.statements.domain import Domain
from establish.spec.arithmetic import ARB, MP, World
from establish.spec.distributions.geometric import Geometric
from establish.spec.distributions.laplace import Laplace
from establish.spec.distributions.log_laplace import LogLaplace
from establish.spec.relations.edge import Edge
from establish.spec.relations.record import UnitCount
from establish.spec.relations.strong import Strong
from establish.spec.relations.universes import SizeUniverse
from establish.spec.relations.weak import Weak

GROWING = {Strong: "strong", Weak: "weak"}
"""The relations in which a size may grow by more than one, by the name that a statement gives them."""

LATER = 1_000
"""Formula and law are compared at every count up to this, and on the datasets that were tried."""


@dataclass(frozen=True)
class _Released:
    """The law of a cell, as statements ask for it."""

    law: CountLaw

    def output(self, sizes: Any, c: World = MP) -> Any:
        return self.law.at(sum(sizes), c)


def settle_all(
    law: Callable[[Any, World], Any], definition: AuditDefinition, tried: list[Any], own: Any = None
) -> tuple[str, str]:
    """For which datasets the definition is certified, and why, in words, after it was on ``tried`` datasets.

    own: the user's function, where ``law`` calls it for us. Raises NotComparableError, with the reason, where
    it is not shown for all. Call inside :func:`enclosing`.
    """
    relation = _relation(definition)
    establishments = not isinstance(relation, UnitCount)
    read = law_of_count(own or law, establishments)
    counts = [(n,) if establishments else n for n in range(LATER)]
    if not agrees(law, read, [*counts, *tried]):
        raise NotComparableError("read as a formula it is another law")
    _require_law(read)
    words = "for all sizes of any number of establishments" if establishments else "for all counts"
    if not read.slope:
        return words, "the law is the same on every dataset"
    if isinstance(relation, Edge | UnitCount):
        _require_whole(read)
        return words, (
            "the law moves in proportion to the count, so that every two neighbors are the first two, moved "
            "by the same number: what is enclosed for these is so for all"
        )
    name = GROWING.get(type(relation))
    if name is None:
        raise NotComparableError("a count may change by any number")
    _compared(read, definition, name)
    return words, "at every output and for all counts ln p − ln q is at most ε, by the solver"


def _relation(definition: AuditDefinition) -> Any:
    parameters = definition.parameters
    if definition.within is None or parameters.keys() & {"psi", "records"} or parameters.get("attributes"):
        raise NotComparableError("only counts and sizes are read as formulas")
    return definition.within(SizeUniverse(1, 0) if parameters else 0)


def _require_law(read: CountLaw) -> None:
    """Raise NotComparableError unless the numbers are those of a law at every count of at least 0."""
    first = read.at(0, ARB)
    if isinstance(first, Geometric):
        return  # its ratio is the same at every count, and was read on those that were tried
    inside = not isinstance(first, LogLaplace) or (read.slope >= 0 and first.count + first.shift > 0)
    if not (first.scale > 0 and inside):
        raise NotComparableError("it is not shown that this is a law at every count")


def _require_whole(read: CountLaw) -> None:
    """Raise NotComparableError for a law that does not move in one piece."""
    if read.kind is LogLaplace:
        raise NotComparableError("the logarithm of a count does not move by the same number each time")
    whole = read.slope.denominator == read.start.denominator == 1
    if read.kind is Geometric and not whole:
        raise NotComparableError("its center is not a whole number")


def _compared(read: CountLaw, definition: AuditDefinition, name: str) -> None:
    """Raise NotComparableError unless the solver shows that all densities keep the level."""
    level = definition.level
    if not isinstance(level, Approximate) or level.delta or read.kind not in (Laplace, LogLaplace):
        raise NotComparableError("densities are compared for Laplace and Log-Laplace laws without δ only")
    alpha = definition.parameters["alpha"]
    statement = Satisfies(
        "M",
        Domain(()),
        lambda: _Released(read),
        name,
        "establishment",
        lambda c: c.number(level.epsilon),
        lambda: alpha,
    )

    def grown(c: Any, x: Any, y: Any, rest: Any, o: Any) -> None:
        made = read.at(x + rest, c)
        if isinstance(made, LogLaplace):
            c.log((1 + alpha) * (made.count + made.shift))

    shown = [solver.proves(owed, grown) for owed in densities(statement)]
    if not all(one.established for one in shown) or pointwise(statement, *shown).established is not True:
        raise NotComparableError("the solver does not decide it for all counts")
