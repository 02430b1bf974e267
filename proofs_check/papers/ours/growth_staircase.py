"""Growth-Staircase: the exact privacy loss of staircase noise on the growth scale, and its error."""

from __future__ import annotations

from establish.proofs_check.engine.methods import solver
from establish.proofs_check.engine.register import claim
from establish.proofs_check.engine.rules import on_growth_staircase, staircase_steps
from establish.proofs_check.engine.statements import Satisfies
from establish.proofs_check.engine.verdicts import Evidence, Verdict, holds
from establish.proofs_check.papers.ours.both_neighbors import GROWTH_BELOW_EPSILON, private
from establish.proofs_check.papers.ours.growth_laplace import PLACE, step_evidence
from establish.spec.mechanisms.growth_staircase import GrowthStaircaseMechanism

PRIVATE = private("Growth-Staircase", GrowthStaircaseMechanism, GROWTH_BELOW_EPSILON)


def _private_evidence(statement: Satisfies) -> Evidence:
    return on_growth_staircase(
        statement, *step_evidence(statement), *map(solver.proves, staircase_steps(statement))
    )


@claim(
    "establish/growth-staircase",
    where=PLACE,
    says="φ⁻¹(φ(n) + W) with a staircase law W, its steps of width 1 and lower by e^(−ε), is (α, ε)-ER-EE "
    "private for establishment attributes, and weakly so with worker attributes, whatever the ends of its "
    "flat part.",
    states=PRIVATE,
    origin="ours",
)
def growth_staircase_is_private() -> Verdict:
    """φ moves by at most 1 between neighbors (establish/growth-laplace), and a slide by at most 1 crosses at
    most one step of the staircase, in either direction.
    """
    return holds(
        *map(_private_evidence, PRIVATE),
        value="total privacy loss ε",
        condition="ε > ln(1+α), where the least error is finite",
    )
