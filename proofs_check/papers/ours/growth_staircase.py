"""Growth-Staircase: the exact privacy loss of staircase noise on the growth scale, its error, and a variant
without bias.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from establish import Every, Evidence, Real, Verdict, claim, exact, exhaustive, holds, solver, symbolic
from establish.proofs_check.engine.rules import on_growth_staircase, staircase_steps
from establish.proofs_check.engine.statements import AtMost, Comparison, Equal, Satisfies
from establish.proofs_check.papers.ours.both_neighbors import private
from establish.proofs_check.papers.ours.growth_laplace import PLACE, step_evidence
from establish.spec import growth_scale
from establish.spec.arithmetic import ARB, Number, enclosing
from establish.spec.distributions.staircase import height
from establish.spec.mechanisms.growth_staircase import (
    GrowthStaircaseMechanism,
    UnbiasedGrowthStaircaseMechanism,
    flat_part,
    large_error,
    large_unbiased_error,
)
from establish.spec.unbiased_growth import Piece, UnbiasedScale, telescoped

PRIVATE = private("Growth-Staircase", GrowthStaircaseMechanism)


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


UNBIASED = private("unbiased Growth-Staircase", UnbiasedGrowthStaircaseMechanism)


@claim(
    "establish/growth-staircase-unbiased",
    where=PLACE,
    says="The same is true of g(φ(n) + W) with the scale g by which E out = n.",
    states=UNBIASED,
)
def unbiased_growth_staircase_is_private() -> Verdict:
    """g does not depend on the count: the output is computed from φ(n) + W."""
    return holds(
        *map(_private_evidence, UNBIASED),
        value="total privacy loss ε",
        condition="α ≤ 1 and ε > 2·ln(1+α), where g exists and increases",
    )


def _steps(first: int, second: int, third: int, value: Callable[[Number], Number]) -> Comparison:
    """What becomes of the density of W, in units of the flat's, at a place on the second of these steps, with
    the others one unit below and above.
    """
    return Equal(
        Real("q", above=0, below=1),
        left=lambda c, q: telescoped(q**second, q**third, q**first, q),
        right=lambda c, q: value(q) / (1 - q),
    )


BOTH = _steps(1, 0, 1, lambda q: 1 + q)
FLAT_ONLY = _steps(0, 0, 1, lambda q: 1)
WIDE_ONLY = _steps(1, 1, 2, lambda q: q)
OUTSIDE = Equal(
    Real("q", above=0, below=1),
    Real("p", above=0, most=1),
    left=lambda c, q, p: telescoped(p * q, p * q * q, p, q),
    right=lambda c, q, p: 0,
)
"""Within [−r1, r2] and [r2 − 1, 1 − r1]; within the first alone; within the second alone; in neither."""


def _area(piece: Piece, start: Number, end: Number, growth: Number) -> Number:
    powers = ARB.exp(growth * end) - ARB.exp(growth * start)
    squares = (end * end - start * start) / 2
    return piece.constant * (end - start) + piece.slope * squares + piece.power * powers / growth


def mean_output(scale: UnbiasedScale, count: int) -> Number:
    """E g(φ(n) + W) in balls, step by step; the steps that no break reaches are geometric series."""
    α, ε = ARB.number(scale.alpha), ARB.number(scale.epsilon)
    growth, q = ARB.log(1 + α), ARB.exp(-ε)
    center = growth_scale.scale(Fraction(count), scale.alpha, ARB)
    breaks = [ARB.number(place) for place in scale.breaks]

    def area(start: Number, end: Number) -> Number:
        total = ARB.number(0)
        for k, piece in enumerate(scale.pieces):
            low = ARB.maximum(start, breaks[k - 1]) if k else start
            high = -ARB.maximum(-end, -breaks[k]) if k < len(breaks) else end
            total += _area(piece, low, ARB.maximum(low, high), growth)
        return total

    low, high = center - ARB.number(scale.down), center + ARB.number(scale.up)
    total, weight = area(low, high), q
    beyond = ARB.number(Fraction(1, 1000))  # clearly, as an end may lie at a break
    while not (low < breaks[0] - beyond and high > breaks[-1] + beyond):
        total += weight * (area(low - 1, low) + area(high, high + 1))
        low, high, weight = low - 1, high + 1, weight * q
    below, above = scale.pieces[0], scale.pieces[-1]
    first = below.constant + below.slope * (low - 1 / ARB.number(2))
    total += weight * (first / (1 - q) - below.slope * q / (1 - q) ** 2)
    rising = above.power * ARB.exp(growth * high) * α / growth
    total += weight * rising / (1 - q * (1 + α))
    return height(scale.down, scale.up, scale.epsilon, ARB) * total


def _parameters() -> Iterator[tuple[Fraction, Fraction]]:
    for alpha, epsilon in zip(
        ("1/10", "1/10", "1/20", "1/5", "3/10", "2/5"), ("2", "1", "1", "4", "1", "2"), strict=True
    ):
        yield Fraction(alpha), Fraction(epsilon)


def _has_no_bias(case: tuple[Fraction, Fraction]) -> bool:
    """At every count to beyond 2/α, and at large ones."""
    alpha, epsilon = case
    with enclosing():
        scale = UnbiasedGrowthStaircaseMechanism(alpha, epsilon).outputs(ARB)
        for n in (*range(int(2 / alpha) + 4), 1000, 10**6):
            mean = mean_output(scale, n)
            close = ARB.number(Fraction(n + 1, 10**30))
            if not abs(mean - n) < close:
                return False
    return True


UNBIASED_MEAN = Every("parameters", _parameters, _has_no_bias)


@claim(
    "establish/growth-staircase-unbiased-mean",
    where=PLACE,
    says="The mean of g(φ(n) + W) is n for every whole n ≥ 0: telescoping turns the law of W into that of V, "
    "for which g is made, and at six parameters the mean is n at all counts up to 2/α and at large ones.",
    states=(BOTH, FLAT_ONLY, WIDE_ONLY, OUTSIDE, UNBIASED_MEAN),
)
def unbiased_growth_staircase_is_unbiased() -> Verdict:
    """g combines F at y − 1, y and y + 1. Moved to the density of W, which is q^k on step k, the same
    combination is that of V: where w is on the flat part (k = 0), both neighbors are on the first step, or
    one of them on the flat part, too; on the first step one neighbor is on the second, and the other on the
    flat part, or on the first step of the other side; beyond, they are on the steps before and after. So
    E g(y + W) = E F(y + V). F is y + N − φ(N) − E V where V leads from the counts below N, and
    e^(Ly)/(α·E e^(LV)) where it leads from those above, which gives n. From N the height of F in the middle
    does.
    """
    return holds(
        *map(symbolic.proves, (BOTH, FLAT_ONLY, WIDE_ONLY, OUTSIDE)),
        exhaustive.each(UNBIASED_MEAN, "six α and ε; counts to 2/α + 3, 1,000 and 1,000,000, in Arb"),
        value="bias 0, before rounding",
    )


ERRORS = (
    ("1/10", "2", "0.406124805"),
    ("1/10", "1", "0.919036776"),
    ("1/20", "1", "0.937509392"),
    ("1/100", "1/4", "3.97294911"),
    ("1/5", "4", "0.125995193"),
)
"""α and ε, and what E|out − n|/(αn) tends to, rounded up in nine digits."""


def _large_error(alpha: str, epsilon: str, error: str) -> Comparison:
    α, ε = Fraction(alpha), Fraction(epsilon)
    return AtMost(left=lambda c: large_unbiased_error(α, ε, *flat_part(α, ε), c), right=error)


MORE = Fraction("1.0003")
"""How many times the error of Growth-Staircase that is at most, at those α and ε."""


def _beside_the_biased(alpha: str, epsilon: str) -> Comparison:
    α, ε = Fraction(alpha), Fraction(epsilon)
    flat = flat_part(α, ε)
    return AtMost(
        left=lambda c: large_unbiased_error(α, ε, *flat, c),
        right=lambda c: c.number(MORE) * large_error(α, ε, *flat, c),
    )


UNBIASED_ERRORS = tuple(_large_error(*row) for row in ERRORS)
BESIDE_THE_BIASED = tuple(_beside_the_biased(alpha, epsilon) for alpha, epsilon, _ in ERRORS)


@claim(
    "establish/growth-staircase-unbiased-error",
    where=PLACE,
    says="As n grows, E|g(φ(n) + W) − n|/(αn) tends to no more than the numbers given at five α and ε: at "
    "most 1.0003 times those of Growth-Staircase.",
    states=(*UNBIASED_ERRORS, *BESIDE_THE_BIASED),
    tight=UNBIASED_ERRORS,
)
def error_of_unbiased_growth_staircase() -> Verdict:
    """Where F is the multiple of e^(Ly) that has no bias, so is g, and the output is n·(1+α)^W/M with M = E
    (1+α)^W. As it has no bias, its mean absolute error is twice the part above.
    """
    return holds(
        *map(exact.decided, (*UNBIASED_ERRORS, *BESIDE_THE_BIASED)),
        value="; ".join(f"{error} at α = {alpha}, ε = {epsilon}" for alpha, epsilon, error in ERRORS),
        condition="one establishment, n → ∞",
    )
