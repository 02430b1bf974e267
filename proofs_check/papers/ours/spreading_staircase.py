"""The law whose steps spread with the count: its distribution function, and its flat part."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, pairwise

from establish import Every, Verdict, claim, exhaustive, holds
from establish.spec.arithmetic import MP, Number, World
from establish.spec.distributions.spreading_staircase import SpreadingStaircase
from establish.spec.mechanisms.smooth_staircase import GRID, flat_part

PLACES = tuple(map(Fraction, ("-40", "-9/2", "-1", "-1/3", "0", "1/5", "3/4", "7/2", "60")))
"""On both sides of the flat part, which is from −1/4 to 2/5, and on it."""

Between = tuple[bool, Fraction, Fraction]


def _law(even: bool, c: World) -> SpreadingStaircase:
    ends = Fraction(1, 4), Fraction(2, 5)
    zero, one = (c.number(n) for n in (0, 1))
    return SpreadingStaircase(zero, one, Fraction(1, 10), Fraction(3, 2), *ends, c, even)


def _between() -> Iterator[Between]:
    for even in (False, True):
        yield from ((even, low, high) for low, high in combinations(PLACES, 2))


def _is_added_up(case: Between) -> bool:
    """The density is the same between breaks, so that its integral is a sum; to 40 digits."""
    even, low, high = case
    law = _law(even, MP)
    start, end = MP.number(low), MP.number(high)
    cuts = [start, *(x for x in law.breaks(200) if start < x < end), end]
    whole = sum(((b - a) * MP.exp(law.log_density((a + b) / 2)) for a, b in pairwise(cuts)), MP.number(0))
    return bool(abs(whole - (law.cdf(end) - law.cdf(start))) < MP.number(10) ** -40)


ADDED_UP = Every("even or not, and two places", _between, _is_added_up)


@claim(
    "establish/spreading-staircase-adds-up",
    where="The law of the Smooth Staircase",
    says="Its distribution function rises by the integral of its density.",
    states=ADDED_UP,
)
def spreading_staircase_adds_up() -> Verdict:
    """Step by step between pairs of nine places, for steps that spread evenly and as they must."""
    return holds(exhaustive.each(ADDED_UP, "36 pairs of places, two laws"))


Flat = tuple[Fraction, Fraction, bool]


def _flats() -> Iterator[Flat]:
    for alpha, epsilon in (("1/10", "1"), ("1/10", "4"), ("1/2", "2"), ("1/100", "1/4")):
        yield from ((Fraction(alpha), Fraction(epsilon), even) for even in (False, True))


def _is_best(case: Flat) -> bool:
    """No place two steps of the grid away has a smaller E|Z|: what is best is rounded to the grid."""
    alpha, epsilon, even = case
    down, up = flat_part(alpha, epsilon, even)

    def error(low: Fraction, high: Fraction) -> Number:
        zero, one = MP.number(0), MP.number(1)
        return SpreadingStaircase(zero, one, alpha, epsilon, low, high, even=even).mean_absolute()

    least, step = error(down, up), Fraction(2, GRID)
    moved = ((down + step, up), (down - step, up), (down, up + step), (down, up - step))
    return all(bool(error(*ends) >= least) for ends in moved if min(ends) >= 0)


BEST = Every("α, ε, even or not", _flats, _is_best)


@claim(
    "establish/spreading-staircase-flat-part-is-best",
    where="The law of the Smooth Staircase",
    says="The flat part that is chosen has a smaller mean error than those that end two steps of the grid "
    "before or after it, on either side.",
    states=BEST,
)
def flat_part_is_best() -> Verdict:
    """Eight cases, at 50 digits."""
    return holds(exhaustive.each(BEST, "four pairs of α and ε, steps that spread evenly or not"))
