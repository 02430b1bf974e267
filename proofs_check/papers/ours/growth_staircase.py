"""Growth-Staircase: the exact privacy loss of staircase noise on the growth scale, and its error."""

from __future__ import annotations

from typing import NamedTuple

from establish.proofs_check.engine.methods import solver
from establish.proofs_check.engine.register import claim
from establish.proofs_check.engine.rules import on_growth_staircase, staircase_steps
from establish.proofs_check.engine.statements import Private, Rational, Satisfies, given
from establish.proofs_check.engine.verdicts import Evidence, Verdict, holds
from establish.proofs_check.papers.ours.growth_laplace import PLACE, step_evidence
from establish.spec.mechanisms.growth_staircase import GrowthStaircaseMechanism
from establish.spec.mechanisms.unguarded import unguarded


class Privacies(NamedTuple):
    """Strong privacy for counts over establishment attributes, weak privacy for all counts."""

    strong: Satisfies
    weak: Satisfies


ALLOWED = given(
    lambda c, alpha, epsilon: c.log(1 + c.number(alpha)),
    "<",
    lambda c, alpha, epsilon: c.number(epsilon),
)


def _private(neighbors: str, queries: str) -> Satisfies:
    return Private(
        Rational("α", above=0),
        Rational("ε", above=0),
        name="Growth-Staircase",
        mechanism=GrowthStaircaseMechanism,
        reading=lambda alpha, epsilon: unguarded(
            GrowthStaircaseMechanism, alpha=alpha, epsilon=epsilon
        ),
        alpha=lambda alpha, epsilon: alpha,
        neighbors=neighbors,
        queries=queries,
        level=lambda c, alpha, epsilon: c.number(epsilon),
        given=[ALLOWED],
    )


PRIVATE = Privacies(_private("strong", "establishment"), _private("weak", "worker"))


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
