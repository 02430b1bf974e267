"""Multiplicative noise: what a ratio, a share, a known value and a repeated publication reveal."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise, product

from establish import AtMost, Equal, Every, Real, Verdict, aside, claim, exact, exhaustive, holds, solver
from establish.spec.disclosure_limitation.multiplicative_noise import MultiplicativeNoise, noisy
from establish.spec.mechanisms.noise_infusion import FactorRange

FACTOR = Real("f", above=0)

RATIO = Equal(
    FACTOR, Real("x", least=0), Real("y", above=0),
    left=lambda c, f, x, y: noisy(f, x) / noisy(f, y),
    right=lambda c, f, x, y: x / y,
)  # fmt: skip
"""Of two values with one factor: wages per job, or growth from one year to the next."""

SHARE = Equal(
    FACTOR, Real("x", least=0), Real("rest", above=0),
    left=lambda c, f, x, rest: noisy(f, x) / (noisy(f, x) + noisy(f, rest)),
    right=lambda c, f, x, rest: x / (x + rest),
)  # fmt: skip
"""Of a part in the whole of one establishment."""

KNOWN = Equal(
    FACTOR, Real("x", least=0), Real("y", above=0),
    left=lambda c, f, x, y: noisy(f, x) / (noisy(f, y) / y),
    right=lambda c, f, x, y: x,
)  # fmt: skip
"""Who knows y has the factor, and with it every other value."""

LOW = AtMost(
    Real("high", above=0), Real("f", above=0, most=lambda c, high: high), Real("x", least=0),
    left=lambda c, high, f, x: noisy(f, x) / high,
    right=lambda c, high, f, x: x,
)  # fmt: skip
"""Each publication bounds the value from below by the largest factor."""

HIGH = AtMost(
    Real("low", above=0), Real("f", least=lambda c, low: low), Real("x", least=0),
    left=lambda c, low, f, x: x,
    right=lambda c, low, f, x: noisy(f, x) / low,
)  # fmt: skip
"""And from above by the smallest."""

CELLS = 200
"""Places at which the law of the factors is read, between 0 and 2; the ends of the ranges are among them."""

Ranges = tuple[str, str]


def _ranges() -> Iterator[Ranges]:
    yield from (("1/20", "1/10"), ("1/4", "1/2"), ("1/100", "9/10"))


def _is_uniform(ends: Ranges) -> bool:
    """Between two places the law has the length of the factors there; so do its moments, cell by cell."""
    factors = FactorRange(*ends)
    noise, width = MultiplicativeNoise(factors), 2 * (factors.t - factors.s)
    places = [Fraction(2 * k, CELLS) for k in range(CELLS + 1)]
    square = Fraction(0)
    for low, high in pairwise(places):
        inside = (low + high) / 2 in factors
        share = (high - low) / width if inside else 0
        if factors.uniform_cdf(high) - factors.uniform_cdf(low) != share:
            return False
        if noise.cdf(7 * high, 7) != factors.uniform_cdf(high):
            return False
        square += ((high - 1) ** 3 - (low - 1) ** 3) / (3 * width) if inside else 0
    ends_at = factors.uniform_cdf(0) == 0 and factors.uniform_cdf(2) == 1
    return ends_at and noise.factor_variance() == square


Published = tuple[Fraction, Fraction]


def _published() -> Iterator[Published]:
    places = tuple(map(Fraction, ("0", "1/3", "1/2", "2/3", "1", "7")))
    yield from product(places, places)


def _is_the_farthest(published: Published) -> bool:
    """Each is up to 1/2 off and at least 0; where the second may be 0 there is no bound above."""
    one, two = published
    low, high = MultiplicativeNoise(FactorRange("1/20", "1/10"), rounding=True).ratio(one, two)
    half, none = Fraction(1, 2), Fraction(0)
    if low * (two + half) != max(one - half, none):
        return False
    return high is None if two <= half else high is not None and high * (two - half) == one + half


FARTHEST = Every("two published values", _published, _is_the_farthest)


@claim(
    "establish/noise-ratio-rounded",
    where="Multiplicative noise: one factor for all values of an establishment",
    says="With rounding, the ratio of two values lies between the ratios of what may have been rounded to "
    "what is published; it has no bound above where the second may be 0.",
    states=FARTHEST,
)
def rounding_leaves_a_range_of_ratios() -> Verdict:
    """At the farthest ends of both, exactly."""
    return holds(exhaustive.each(FARTHEST, "36 pairs of published values"))


UNIFORM = Every("range of factors", _ranges, _is_uniform)


@claim(
    "establish/noise-factors-are-uniform",
    where="Multiplicative noise: the law of factors that is assumed",
    says="Uniform factors, and what is published of one establishment, lie between two places with the "
    "probability that is the share of the allowed factors there; their variance is that of this law.",
    states=UNIFORM,
)
def factors_are_uniform() -> Verdict:
    """Place by place at multiples of 1/100, exactly."""
    return holds(exhaustive.each(UNIFORM, "three ranges of factors, 200 cells between 0 and 2"))


@claim(
    "establish/noise-ratio-exact",
    where="Multiplicative noise: one factor for all values of an establishment",
    says="The ratio of two published values with one factor, the share of a part, and every value once one "
    "is known, are exactly the true ones.",
    states=(RATIO, SHARE, KNOWN),
)
def a_common_factor_cancels() -> Verdict:
    """(f·x)/(f·y) = x/y, and f = (f·y)/y."""
    return holds(solver.proves(RATIO), solver.proves(SHARE), solver.proves(KNOWN))


@claim(
    "establish/noise-repeated",
    where="Multiplicative noise: the same value published again with a new factor",
    says="A value lies in what the intervals of all its publications share, published/high to published/low "
    "for each range of factors; publications at opposite ends of the factors leave a single value.",
    states=(LOW, HIGH),
)
def publications_share_what_they_leave_open() -> Verdict:
    """f ≤ high gives f·x/high ≤ x, and f ≥ low gives x ≤ f·x/low. For factors 5 to 10% from 1, 22 leaves
    [20, 20.95] and [23.2, 24.4], and 18 leaves [16.4, 17.1] and [18.9, 20]: both leave 20 alone.
    """
    noise = MultiplicativeNoise(FactorRange("1/20", "1/10"))
    found = noise.repeated([22, 18])
    return holds(
        solver.proves(LOW),
        solver.proves(HIGH),
        aside(exact.compare(len(found), "==", 1, "intervals that 22 and 18 leave")),
        aside(exact.compare(found[0][0], "==", 20, "its lower end")),
        aside(exact.compare(found[0][1], "==", 20, "its upper end")),
    )
