"""The growth scale φ of whole numbers, on which no step to a neighbor is longer than 1; ours.

From n workers a cell may grow to g(n) = n + max(1, ⌊αn⌋): that is so many gaps between whole numbers, and the
gap after m has the length 1/max(1, ⌊αm⌋), so that all of them together are no longer than 1. Up to 2/α every
gap is a whole step. From M on, the least whole number that is at least `takeover`, lengths are those of
ln(1 + 1/m)/ln(1+α), which are longer there. Between whole numbers φ is linear, or that logarithm; below 0 it
is x.
"""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import pairwise
from math import ceil, floor

from establish.spec.arithmetic import ARB, MP, Number, World, enclosing
from establish.spec.growth_scale import ends

HALF = Fraction(1, 2)


def gap(shares: Number) -> Number:
    """How long each of the gaps is to which one may grow from n, ``shares`` = max(1, ⌊αn⌋) in number."""
    return 1 / shares


def takeover_from(alpha: Number, c: World) -> Number:
    """(1+L)/(α−L), L = ln(1+α): for m from here on, 1/(αm − 1) ≤ ln(1 + 1/m)/L."""
    alpha = c.number(alpha)
    return (1 + c.log(1 + alpha)) / (alpha - c.log(1 + alpha))


def takeover(alpha: Number, c: World) -> Number:
    """(1+α)·(1+L)/(α−L): what can grow beyond this number is at least `takeover_from`."""
    return (1 + c.number(alpha)) * takeover_from(alpha, c)


def late_length(ratio: Number, alpha: Number, c: World) -> Number:
    """ln(y/x)/ln(1+α): how long the scale is from x to y beyond M, ``ratio`` = y/x."""
    return c.log(ratio) / c.log(1 + c.number(alpha))


@dataclass(frozen=True)
class WholeScale:
    """φ for α > 0.

    starts, lengths, places: of blocks of whole numbers whose gaps have one length, the first number, that
    length, and φ there; last: M, which is the last start.
    """

    alpha: Fraction
    starts: tuple[int, ...]
    lengths: tuple[Fraction, ...]
    places: tuple[Fraction, ...]

    @property
    def last(self) -> int:
        return self.starts[-1]

    def exact(self, x: Fraction) -> Fraction:
        """φ(x) for x ≤ M."""
        if x <= 0:
            return x
        k = min(bisect_right(self.starts, x), len(self.starts) - 1) - 1
        return self.places[k] + (x - self.starts[k]) * self.lengths[k]

    def at(self, x: Fraction, c: World) -> Number:
        """φ(x), exact up to M."""
        if x <= self.last:
            return self.exact(x)
        return c.number(self.places[-1]) + late_length(c.number(x / self.last), self.alpha, c)

    def numbers_below(self, t: Fraction) -> int:
        """How many whole o ≥ 0 have φ(o + 1/2) < t."""
        if t > self.places[-1]:
            growth = MP.log(1 + MP.number(self.alpha))
            x = self.last * MP.exp(growth * MP.number(t - self.places[-1]))
            return int(MP.mp.ceil(x - MP.number(HALF)))
        k = max(0, bisect_left(self.places, t) - 1)
        return max(0, ceil(self.starts[k] + (t - self.places[k]) / self.lengths[k] - HALF))

    def total(self, o: int, c: World) -> Number:
        """φ(1/2) + φ(3/2) + … + φ(o − 1/2)."""
        k = min(bisect_right(self.starts, o), len(self.starts)) - 1
        more = o - self.starts[k]
        before = c.number(self._totals[k] + more * self.places[k])
        if k < len(self.lengths):
            return before + c.number(self.lengths[k] * more * more / 2)
        logarithms = c.log_gamma(c.number(o + HALF)) - c.log_gamma(c.number(self.last + HALF))
        return before + (logarithms - more * c.log(self.last)) / c.log(1 + c.number(self.alpha))

    @cached_property
    def _totals(self) -> list[Fraction]:
        """`total` at the starts of blocks."""
        totals = [Fraction(0)]
        blocks = zip(pairwise(self.starts), self.places, self.lengths, strict=False)
        for (start, end), place, length in blocks:
            more = end - start
            totals.append(totals[-1] + more * place + length * more * more / 2)
        return totals


@lru_cache(maxsize=64)
def whole_scale(alpha: Fraction) -> WholeScale:
    """φ for α > 0, in about 2/α blocks."""
    with enclosing():
        last = ceil(ends(takeover(alpha, ARB))[1])
    starts, lengths, places = [0], [], [Fraction(0)]
    while starts[-1] < last:
        shares = max(1, floor(alpha * starts[-1]))
        after = min(ceil((shares + 1) / alpha), last)
        lengths.append(Fraction(gap(Fraction(shares))))
        places.append(places[-1] + (after - starts[-1]) * lengths[-1])
        starts.append(after)
    return WholeScale(alpha, tuple(starts), tuple(lengths), tuple(places))
