"""Privacy with δ > 0 of noise whose scale changes between neighbors: two tails hold all that exceeds
the level.
"""

from dataclasses import replace
from typing import Any

from establish.proofs_check.engine.rules.privacy import over_reals
from establish.proofs_check.engine.rules.rule import RuleError, derived, rule
from establish.proofs_check.engine.rules.smooth import (
    cell_law_of,
    is_location_scale,
    losses,
    neighboring_laws,
)
from establish.proofs_check.engine.statements import Comparison, Domain, Formula, Real, Satisfies
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.arithmetic import World


def _between(statement: Satisfies, c: World, v: Any) -> tuple[Any, Any]:
    """The laws with center 0 and scale 1, and with center d and scale m."""
    count = len(statement.domain.variables)
    law = cell_law_of(statement)(c, v[:count], 0, 0)
    d, m = v[count], v[count + 1]
    return tuple(
        replace(law, center=center, scale=scale) for center, scale in ((c.number(0), c.number(1)), (d, m))
    )


def tails(
    statement: Satisfies, slide: Formula, stretch: Formula, low: Formula, high: Formula
) -> tuple[Comparison, ...]:
    """What `smooth_tails` owes beside `neighboring_laws` and the other order of the two datasets.

    low, high: formulas of a world, the parameters, d and m.
    """
    count = len(statement.domain.variables)
    delta = statement.delta
    if delta is None:
        raise RuleError(f"smooth_tails: needs δ > 0: {statement.text}")
    moved = Real("d", least=0, most=slide)
    scaled = Real("m", above=1, most=lambda c, *v: stretch(c, *v[:count]))

    def loss(c: World, *v: Any) -> Any:
        first, second = _between(statement, c, v)
        return second.log_density(v[-1]) - first.log_density(v[-1])

    def same_scale(c: World, *v: Any) -> Any:
        return loss(c, *v[:-1], c.number(1), v[-1])

    def level(c: World, *v: Any) -> Any:
        return statement.level(c, *v[:count])

    def excess(c: World, *v: Any) -> Any:
        first, second = _between(statement, c, v)
        upper, lower = high(c, *v), low(c, *v)
        return (
            second.above(upper)
            + second.below(lower)
            - c.exp(level(c, *v)) * (first.above(upper) + first.below(lower))
        )

    def domain(*more: Any) -> Domain:
        return over_reals(statement.domain, moved, *more)

    pair = domain(scaled)
    return (
        Comparison(domain(Real("o")), same_scale, "<=", level),
        Comparison(domain(scaled, Real("o", least=low, most=high)), loss, "<=", level),
        Comparison(domain(scaled, Real("o", least=high)), level, "<=", loss),
        Comparison(domain(scaled, Real("o", most=low)), level, "<=", loss),
        Comparison(pair, low, "<=", 0),
        Comparison(pair, lambda c, *v: v[count], "<=", high),
        Comparison(pair, excess, "<=", lambda c, *v: delta(c, *v[:count])),
    )


@rule
def smooth_tails(
    statement: Satisfies, slide: Formula, stretch: Formula, low: Formula, high: Formula, *evidence: Evidence
) -> Evidence:
    """As for `smooth`, in units of the smaller dataset's scale its law P has center 0 and scale 1, and
    that Q of the larger one center d and scale m, with 0 ≤ d ≤ slide and 1 ≤ m ≤ stretch. Where ln p −
    ln q is at most the level at every output, P exceeds e^level·Q on no event; and so for Q against P
    where m = 1. Where m > 1, ln q − ln p is at most the level between ``low`` and ``high`` and at least
    the level beyond: so Q(S) − e^level·P(S) is largest for S the two tails (Neyman and Pearson), where
    it is at most δ. A law tells its mass above a point that is not below its center, and below a point
    that is not above it: low ≤ 0 ≤ d ≤ high.
    """
    if not is_location_scale(statement):
        raise RuleError(f"smooth_tails: no law center + scale·Z in: {statement.text}")
    owed = (
        *neighboring_laws(statement, slide, stretch),
        losses(statement, slide, stretch)[0],
        *tails(statement, slide, stretch, low, high),
    )
    return derived(statement, owed, evidence, "smooth_tails")
