"""Privacy of a staircase law whose scale changes between neighbors: every move crosses few steps."""

from fractions import Fraction
from typing import Any

from establish.proofs_check.engine.rules.privacy import over_reals
from establish.proofs_check.engine.rules.rule import RuleError, derived, rule
from establish.proofs_check.engine.rules.smooth import neighboring_laws, stretch_by_slide
from establish.proofs_check.engine.statements import Comparison, Domain, Formula, Real, Satisfies, Variable
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.arithmetic import MP, World
from establish.spec.distributions.spreading_staircase import (
    Side,
    SpreadingStaircase,
    slide_down,
    spread_down,
    spread_up,
)
from establish.spec.parameters import ParameterError
from establish.spec.relations.growth import growth_bound

SAMPLED = 40
"""Steps of either side that are held against their formulas at a sample of the parameters."""


def _one(c: World, *_: Any) -> Any:
    return c.number(1)


def laws_of_neighbors(statement: Satisfies) -> tuple[Comparison, ...]:
    """In units of the smaller one's scale the larger one's law is d + m·Z, 0 ≤ d ≤ 1 ≤ m ≤ 1 + α·d."""
    alpha = statement.alpha
    if alpha is None:
        raise RuleError(f"smooth_staircase: needs α: {statement.text}")

    def share(c: World, *v: Any) -> Any:
        return c.number(alpha(*v))

    def stretch(c: World, *v: Any) -> Any:
        return 1 + share(c, *v)

    return (*neighboring_laws(statement, _one, stretch), stretch_by_slide(statement, share))


def _moved(c: World, alpha: Any, d: Any, m: Any, w: Any) -> Any:
    return m * w + d


def moves() -> tuple[Comparison, ...]:
    """Where an output w of Z goes: up, never down and to (1+α)·w + 1 at most; down, by 1 upwards at most, and
    downwards to (1+α)·w + 1 at most.
    """

    def domain(w: Variable) -> Domain:
        return Domain(
            (
                Real("α", above=0),
                Real("d", least=0, most=1),
                Real("m", least=1, most=lambda c, alpha, d: 1 + alpha * d),
                w,
            )
        )

    def grown(c: World, alpha: Any, d: Any, m: Any, w: Any) -> Any:
        return (1 + alpha) * w + 1

    def lower(c: World, alpha: Any, d: Any, m: Any, w: Any) -> Any:
        return -c.maximum(-w, -grown(c, alpha, d, m, w))

    up, down = domain(Real("w", least=0)), domain(Real("w", most=0))
    return (
        Comparison(up, lambda c, alpha, d, m, w: w, "<=", _moved),
        Comparison(up, _moved, "<=", grown),
        Comparison(down, _moved, "<=", lambda c, alpha, d, m, w: w + 1),
        Comparison(down, lower, "<=", _moved),
    )


def spreads() -> tuple[Comparison, ...]:
    """That b_(k+1) ≥ (1+α)·b_k + 1, and c_(k+1) ≥ c_k + 1 and (1+α)·c_k − 1, for breaks below that are as
    those above, that slide up to 2/α, and that spread from there on; the power that stands for (1+α)^k is any
    number ≥ 1.
    """

    def domain(start: Variable) -> Domain:
        return Domain((Real("α", above=0), Real("power", least=1), start))

    def place(of: Any, more: int) -> Formula:
        return lambda c, alpha, power, start: of(start, (1 + alpha) ** more * power, alpha)

    def after(of: Formula, sign: int) -> Formula:
        return lambda c, alpha, *v: (1 + alpha) * of(c, alpha, *v) + sign

    up, far = place(spread_up, 0), place(spread_down, 0)
    above = domain(Real("b", least=0))
    beyond = domain(Real("c", least=lambda c, alpha, power: 2 / alpha))
    near = Domain((Real("α", above=0), Real("c", least=0, most=lambda c, alpha: 2 / alpha)))

    def slid(c: World, alpha: Any, start: Any) -> Any:
        return slide_down(start, 1)

    return (
        Comparison(above, after(up, 1), "<=", place(spread_up, 1)),
        Comparison(above, after(up, -1), "<=", place(spread_up, 1)),
        Comparison(above, lambda c, *v: up(c, *v) + 1, "<=", place(spread_up, 1)),
        Comparison(beyond, after(far, -1), "<=", place(spread_down, 1)),
        Comparison(beyond, lambda c, *v: far(c, *v) + 1, "<=", place(spread_down, 1)),
        Comparison(near, lambda c, alpha, start: (1 + alpha) * start - 1, "<=", slid),
        Comparison(near, lambda c, alpha, start: start + 1, "<=", slid),
    )


def crossings(statement: Satisfies) -> tuple[Comparison, ...]:
    """That each of the losses that can occur, for u and s what a step up and a step down costs and m the
    stretch, lies between −level and level: ln m, ln m − u, ln m + s, ln m − s and ln m + s − u.
    """
    alpha = statement.alpha
    if alpha is None or statement.delta is not None:
        raise RuleError(f"smooth_staircase: needs α, and δ = 0: {statement.text}")
    count = len(statement.domain.variables)
    stretch = Real("m", least=1, most=lambda c, *v: 1 + c.number(alpha(*v[:count])))
    domain = over_reals(statement.domain, stretch)

    def loss(up: int, down: int) -> Formula:
        def value(c: World, *v: Any) -> Any:
            made = statement.mechanism(*v[:count])
            return c.log(v[count]) + up * made.up_drop(c) + down * made.down_drop(c)

        return value

    def level(sign: int) -> Formula:
        return lambda c, *v: sign * statement.level(c, *v[:count])

    signs = ((0, 0), (-1, 0), (0, 1), (0, -1), (-1, 1))
    return (
        *(Comparison(domain, loss(*each), "<=", level(1)) for each in signs),
        *(Comparison(domain, level(-1), "<=", loss(*each)) for each in signs),
    )


def _is_spreading(statement: Satisfies) -> bool:
    """Whether the law at a sample is n + S·Z with the breaks of the formulas and what a step costs."""
    for point in statement.domain.simple_points(80):
        try:
            made = statement.mechanism(*point)
        except ParameterError:
            continue
        law = made.cell_law(7, 5, MP)
        alpha = statement.alpha(*point)  # type: ignore[misc]  # a relation by α
        return (
            isinstance(law, SpreadingStaircase)
            and law.center == 7
            and law.scale == growth_bound(5, alpha, MP)
            and law.alpha == alpha
            and min(law.down, law.up) >= 0
            and _has_breaks(law)
            and is_near(MP.log(law.sides[0].ratio), -made.down_drop(MP))
            and is_near(MP.log(law.sides[1].ratio), -made.up_drop(MP))
        )
    raise RuleError(f"smooth_staircase: the mechanism cannot be made in: {statement.text}")


def _has_breaks(law: SpreadingStaircase) -> bool:
    """Whether breaks are where the formulas have them, and slide below exactly as long as they may."""
    below, above = law.sides
    if (below.flat, above.flat) != (law.down, law.up):
        return False
    spreads_above = spread_as_above(above, law.alpha)
    return spreads_above and (spread_as_above if law.even else slide_and_spread)(below, law.alpha)


def spread_as_above(side: Side, alpha: Fraction) -> bool:
    """Whether the breaks of the side are those of a side above."""
    flat, share = MP.number(side.flat), MP.number(alpha)
    return side.slides == 0 and all(
        is_near(side.place(j), spread_up(flat, MP.number((1 + alpha) ** j), share)) for j in range(SAMPLED)
    )


def slide_and_spread(side: Side, alpha: Fraction) -> bool:
    """Whether they are those of a side below: they slide exactly as long as they may, then spread."""
    turn, share = side.flat + side.slides, MP.number(alpha)
    return (
        turn >= 2 / alpha
        and (side.slides == 0 or turn - 1 <= 2 / alpha)
        and all(
            is_near(
                side.place(side.slides + j), spread_down(MP.number(turn), MP.number((1 + alpha) ** j), share)
            )
            for j in range(SAMPLED)
        )
        and all(is_near(side.place(j), MP.number(slide_down(side.flat, j))) for j in range(side.slides + 1))
    )


def is_near(one: Any, other: Any) -> bool:
    return bool(abs(one - other) <= MP.number(10) ** -30 * (1 + abs(one)))


@rule
def smooth_staircase(statement: Satisfies, *evidence: Evidence) -> Evidence:
    """The law is n + S·Z, and in units of the smaller dataset's S the larger one's is d + m·Z with 0 ≤ d
    ≤ 1 ≤ m ≤ 1 + α·d. So the loss towards the larger dataset at its output w, which lies at m·w + d for
    the smaller, is ln m + ψ(w) − ψ(m·w + d), where ψ is what the steps between the flat part and a place
    cost: u each above, s each below. Above, w on step k (or on the flat, k = 0) goes up to (1+α)·b_k + 1
    ≤ b_(k+1) at most: one step more, or none. Below, on step k, it goes out to max(c_k, (1+α)·c_k − 1) ≤
    c_(k+1): one step more at most; and up by 1 at most, where c_(k−1) ≥ c_(k−2) + 1: one step less at
    most for k ≥ 2. From the first step below, and from the flat below 0, it goes up to 1 ≤ b_1 at most:
    then it may gain s there and cost u above. The five losses that occur are bounded, in both directions,
    and so is that of every event, as integrals. The breaks below slide by 1 up to 2/α and spread from
    there on, or are as those above.
    """
    if not _is_spreading(statement):
        raise RuleError(f"smooth_staircase: no such law in: {statement.text}")
    owed = (*laws_of_neighbors(statement), *moves(), *spreads(), *crossings(statement))
    sampled = f"the law is held against its formulas at one parameter and {SAMPLED} steps, not at all"
    return derived(statement, owed, evidence, "smooth_staircase", sampled)
