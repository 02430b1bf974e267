"""Privacy of a law whose density is e^(−length of the shortest path), where moves to neighbors are arcs."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import islice, pairwise
from typing import Any

from establish.proofs_check.engine.rules.privacy import over_reals
from establish.proofs_check.engine.rules.rule import RuleError, derived, rule
from establish.proofs_check.engine.rules.smooth_steps import (
    crossings,
    is_near,
    laws_of_neighbors,
    moves,
    slide_and_spread,
    spread_as_above,
    spreads,
)
from establish.proofs_check.engine.statements import (
    Comparison,
    Domain,
    Formula,
    Real,
    Satisfies,
    Side,
    Variable,
)
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.arithmetic import MP, World
from establish.spec.distributions.shortest_path import Section, ShortestPath
from establish.spec.parameters import ParameterError
from establish.spec.relations.growth import growth_bound

SAMPLED = 16
"""Parameters at which the law is held against its formulas."""


def _least(c: World, one: Any, other: Any) -> Any:
    return -c.maximum(-one, -other)


def arcs() -> tuple[Comparison, ...]:
    """How far one move more reaches: for X a power of 1+α, p and q from 1, and m the stretch of the move,
    min(X, p) ≤ min(X, p·m), p ≤ min(X, p·m) where p ≤ X, m·min(X, q) ≤ min((1+α)·X, q·m), 1 ≤ q·m, and m·y −
    d ≤ y + 1 for y ≤ 2/α. And where α·j ≥ 1 − 1/P: r + (P−1)/α ≤ P·(r + j).
    """
    alpha, power = Real("α", above=0), Real("X", least=1)
    stretch = Real("m", least=1, most=lambda c, alpha: 1 + alpha)

    def term(p: Variable, left: Side, right: Formula) -> Comparison:
        return Comparison(Domain((alpha, stretch, power, p)), left, "<=", right)

    cost = Real("p", least=1)
    return (
        term(cost, lambda c, alpha, m, x, p: _least(c, x, p), lambda c, alpha, m, x, p: _least(c, x, p * m)),
        term(
            Real("p", least=1, most=lambda c, alpha, m, x: x),
            lambda c, alpha, m, x, p: p,
            lambda c, alpha, m, x, p: _least(c, x, p * m),
        ),
        term(
            cost,
            lambda c, alpha, m, x, q: m * _least(c, x, q),
            lambda c, alpha, m, x, q: _least(c, (1 + alpha) * x, q * m),
        ),
        term(cost, 1, lambda c, alpha, m, x, q: q * m),
        Comparison(
            Domain(
                (
                    alpha,
                    Real("d", least=0, most=1),
                    Real("m", least=1, most=lambda c, alpha, d: 1 + alpha * d),
                    Real("y", least=0, most=lambda c, alpha, d, m: 2 / alpha),
                )
            ),
            lambda c, alpha, d, m, y: m * y - d,
            "<=",
            lambda c, alpha, d, m, y: y + 1,
        ),
        Comparison(
            Domain(
                (
                    alpha,
                    Real("P", least=1),
                    Real("j", least=lambda c, alpha, p: (1 - 1 / p) / alpha),
                    Real("r", least=0),
                )
            ),
            lambda c, alpha, p, j, r: r + (p - 1) / alpha,
            "<=",
            lambda c, alpha, p, j, r: p * (r + j),
        ),
    )


def variations(statement: Satisfies) -> tuple[Comparison, ...]:
    """That what the density varies on one fine step is no loss: below it is v ≤ ε − ln(1+α), and v ≤ level −
    ln m for m ≤ 1+α; above it is u ≤ ε, and u ≤ level + ln m.
    """
    alpha = statement.alpha
    if alpha is None or statement.delta is not None:
        raise RuleError(f"smooth_path: needs α, and δ = 0: {statement.text}")
    count = len(statement.domain.variables)

    def drop(c: World, *v: Any) -> Any:
        return statement.mechanism(*v[:count]).up_drop(c)

    def growth(c: World, *v: Any) -> Any:
        return c.log(1 + c.number(alpha(*v[:count])))

    def level(c: World, *v: Any) -> Any:
        return statement.level(c, *v[:count])

    stretch = Real("m", least=1, most=lambda c, *v: 1 + c.number(alpha(*v[:count])))
    below = Real("v", least=0, most=lambda c, *v: drop(c, *v) - growth(c, *v))
    return (
        Comparison(
            over_reals(statement.domain, stretch, below),
            lambda c, *v: v[count + 1],
            "<=",
            lambda c, *v: level(c, *v) - c.log(v[count]),
        ),
        Comparison(
            over_reals(statement.domain, stretch, Real("u", least=0, most=drop)),
            lambda c, *v: v[count + 1],
            "<=",
            lambda c, *v: level(c, *v) + c.log(v[count]),
        ),
    )


def _is_path(statement: Satisfies) -> bool:
    """Whether the law at a sample is n + S·Z with the steps of the formulas, some of them fine."""
    fine = 0
    for point in islice(_defined(statement), SAMPLED):
        made, alpha = statement.mechanism(*point), statement.alpha(*point)  # type: ignore[misc]
        law = made.cell_law(7, 5, MP)
        if not (
            isinstance(law, ShortestPath)
            and law.center == 7
            and law.scale == growth_bound(5, alpha, MP)
            and law.alpha == alpha
            and is_near(MP.number(law.epsilon), made.up_drop(MP))
            and min(law.down, law.up) >= 0
            and _may_be_fine(law)
            and _has_sections(law)
            and _goes_on(law)
        ):
            return False
        fine = max(fine, law.fine)
    if not fine:
        raise RuleError(f"smooth_path: no fine step at the sampled parameters of: {statement.text}")
    return True


def _defined(statement: Satisfies) -> Iterator[tuple[Fraction, ...]]:
    """Simple points at which the mechanism can be made."""
    for point in statement.domain.simple_points(80):
        try:
            statement.mechanism(*point)
        except ParameterError:
            continue
        yield point


def _may_be_fine(law: ShortestPath) -> bool:
    """What the argument needs of α, ε, r1, the number of fine steps and the turn."""
    growth, epsilon = MP.log(1 + MP.number(law.alpha)), MP.number(law.epsilon)
    return law.fine == 0 or bool(
        law.alpha * law.turn >= 1 - (1 + law.alpha) ** (-law.turn - 1)
        and (law.turn + 2) * growth <= epsilon
        and law.fine * growth <= epsilon
        and law.down + law.fine <= 2 / law.alpha
    )


def _has_sections(law: ShortestPath) -> bool:
    """Whether sections adjoin, and on each, at three places, the density is that of the cheapest path."""
    growth: Fraction = 1 + law.alpha
    below, above = law.sides
    breaks = [law.up]
    for _ in range(law.fine):
        breaks.append(growth * breaks[-1] + 1)

    def total(k: int, p: Fraction) -> Fraction:
        terms: list[Fraction] = [min(growth**i, p) for i in range(k)]
        return sum(terms, Fraction(0))

    def is_below(section: Section, y: Fraction) -> bool:
        p, k = section.factor(y), section.step
        reached = law.down + total(k, p)
        largest = p * y == reached or (p == growth**k and p * y <= reached)
        return largest and 1 <= p <= growth**k and law.down + k - 1 <= y <= law.down + k

    def is_above(section: Section, z: Fraction) -> bool:
        q, k = 1 / section.factor(z), section.step
        reached = q * law.up + total(k, q)
        least = z == reached or (q == 1 and z <= reached)
        return least and 1 <= q <= growth**k and breaks[k - 1] <= z <= breaks[k]

    return (
        (below.flat, above.flat) == (law.down, law.up)
        and _adjoin(below.sections, law.down, law.down + law.fine)
        and _adjoin(above.sections, law.up, breaks[-1])
        and all(is_below(s, y) for s in below.sections for y in _places(s))
        and all(is_above(s, z) for s in above.sections for z in _places(s))
    )


def _adjoin(sections: Sequence[Section], start: Fraction, end: Fraction) -> bool:
    places = [start, *(s.end for s in sections)]
    starts = [*(s.start for s in sections), end]
    return places == starts and all(a < b for a, b in pairwise(places))


def _places(section: Section) -> tuple[Fraction, ...]:
    return section.start, (section.start + section.end) / 2, section.end


def _goes_on(law: ShortestPath) -> bool:
    """Whether the far steps follow, lower than all fine ones by what one step costs at least."""
    below, above = law.sides
    growth, decay = MP.number(1 + law.alpha), MP.exp(-MP.number(law.epsilon))
    last = decay**law.fine
    return (
        all(is_near(side.decay, decay) for side in law.sides)
        and (below.far.flat, above.far.flat)
        == (law.down + law.fine, above.sections[-1].end if above.sections else law.up)
        and is_near(below.far.ratio, growth * decay)
        and is_near(above.far.ratio, decay)
        and is_near(below.weight, last * growth ** min(law.fine, law.turn))
        and is_near(above.weight, last)
        and slide_and_spread(below.far, law.alpha)
        and spread_as_above(above.far, law.alpha)
    )


@rule
def smooth_path(statement: Satisfies, *evidence: Evidence) -> Evidence:
    """The law is n + S·Z, and in units of the smaller dataset's S the larger one's is d + m·Z with 0 ≤ d
    ≤ 1 ≤ m ≤ 1 + α·d. With ψ = −ln of Z's density over that of the flat, the loss at w, which lies at m·w + d
    for the smaller, is ln m + ψ(w) − ψ(m·w + d). So it is between −level and level where ψ(m·w + d) ≤
    ψ(w) + level + ln m (there) and ψ(w) ≤ ψ(m·w + d) + level − ln m (back).

    Let L = ln(1+α), N the number of fine steps, j the turn: (j+2)·L ≤ ε, N·L ≤ ε, r1 + N ≤ 2/α where N > 0.
    Below, step k ends at r1 + k; on it ψ = k·ε − ln p for the largest p ≤ (1+α)^k with p·y ≤ D(k, p) = r1 +
    Σ_(i<k) min((1+α)^i, p). Above, step k ends at b_k = (1+α)·b_(k−1) + 1 from b_0 = r2; on it ψ = k·ε + ln q
    for the least q ≥ 1 with z ≤ B(k, q) = q·r2 + Σ_(i<k) min((1+α)^i, q). Far steps have ψ = (N+n)·ε −
    (min(N, j) + n)·L below and (N+n)·ε above; for N = 0 they are all, and this is Smooth Staircase.

    On step k below p ≤ (1+α)^(j+1): else, with P = (1+α)^(j+1), at y ≥ r1 + k − 1 the terms up to j sum up to
    (P−1)/α and the others to at most (k−1−j)·p, so that p·(r1 + j) ≤ r1 + (P−1)/α ≤ P·(r1 + j). So ψ varies
    by at most (j+1)·L ≤ ε − L on a fine step below; and it does not fall from a step to the next, as (j+1)·L
    ≤ ε. Above it rises, by at most N·L ≤ ε on a step, and from k·ε + ln q to (k+1)·ε at least.

    Back, outwards below, y goes to y' = (y + d)/m ≤ y + 1, one step more at most. If that is a fine step,
    p·m·y' ≤ p·y + p ≤ D(k, p) + p ≤ D(k+1, p·m), so that ψ(y') ≤ ψ(y) + ε − ln m. If it is the first far
    step, p·m is at most (1+α)^(min(N, j)+1) for the same reasons, as y' > r1 + N. From the flat and from
    above 0 the same holds with p = 1, k = 0. On the same step ψ varies by at most ε − L, and elsewhere it
    is smaller; far steps cost ε − L each. Back above, inwards, ψ falls.

    There, above, z goes to m·z + d ≤ (1+α)·z + 1, one step more at most, and m·B(k, q) + 1 ≤ B(k+1, q·m): so
    ψ rises by ε + ln m at most, or on the same step by u ≤ ε. From below 0 it arrives at 1 at most, which
    costs ε at most. There, below, y goes to m·y − d ≤ y + 1 up to 2/α: one fine step more at most, where
    p·(y + 1) ≤ D(k+1, p), so that ψ rises by ε at most, and no more to the first far step, as p ≤
    (1+α)^(min(N, j)+1); and far steps reach as in `smooth_staircase`.
    """
    if not _is_path(statement):
        raise RuleError(f"smooth_path: no such law in: {statement.text}")
    owed = (
        *laws_of_neighbors(statement),
        *moves(),
        *spreads(),
        *arcs(),
        *crossings(statement),
        *variations(statement),
    )
    sampled = f"the law is held against its formulas at {SAMPLED} parameters, not at all"
    return derived(statement, owed, evidence, "smooth_path", sampled)
