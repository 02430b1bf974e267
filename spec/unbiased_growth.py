"""An increasing scale g of outputs with E g(φ(n) + W) = n for every whole n ≥ 0; ours.

φ is the growth scale, W has the staircase law with flat part [−r1, r2], steps of width 1 and q = e^(−ε). For
a function F let g(y) = ((1+q²)·F(y) − q·F(y+1) − q·F(y−1))/(1−q)². On points a unit apart the law of W is two
geometric sequences, which telescope: E g(y + W) = E F(y + V), where V has a density in proportion to 1 on
[−r1, r2], and q more on [r2 − 1, 1 − r1].

Counts up to N = ⌈1/α⌉ lie a unit apart on the growth scale, and from N on φ(n) = ln(αn)/L, L = ln(1+α). So
F(y) = y + N − φ(N) − E V serves the counts below N, and F(y) = e^(L·y)/(α·E e^(L·V)) those above. The places
that V leads to from φ(N), and from no other count, are an interval; on two halves of it F is a line, so high
in the middle that N is served, too.
"""

from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, floor
from typing import NamedTuple

import flint

from establish.spec import growth_scale
from establish.spec.arithmetic import ARB, MP, Number, World
from establish.spec.growth_scale import ends, united

GRID = 2**40
"""The ends of pieces are multiples of 1/GRID."""

ROUNDS = 60
"""At most so many steps of Newton's method."""


class Piece(NamedTuple):
    """A + B·y + C·e^(L·y)."""

    constant: Number
    slope: Number
    power: Number

    def value(self, y: Number, growth: Number, c: World) -> Number:
        """At y, L = ``growth``."""
        return self.constant + self.slope * y + self.power * c.exp(growth * y)


def telescoped(at: Number, after: Number, before: Number, q: Number) -> Number:
    """g where F is ``at``, and ``after`` and ``before`` one unit above and below."""
    return ((1 + q * q) * at - q * after - q * before) / (1 - q) ** 2


def mass(down: Number, up: Number, q: Number) -> Number:
    """That of V, before it is made a probability."""
    return down + up + q * (2 - down - up)


def mean(down: Number, up: Number, q: Number) -> Number:
    """E V."""
    flat = up * up - down * down
    wide = (1 - down) * (1 - down) - (1 - up) * (1 - up)
    return (flat + q * wide) / (2 * mass(down, up, q))


def mean_power(down: Number, up: Number, q: Number, growth: Number, c: World) -> Number:
    """E e^(L·V) for L = ``growth``."""
    flat = c.exp(growth * up) - c.exp(-growth * down)
    wide = c.exp(growth * (1 - down)) - c.exp(-growth * (1 - up))
    return (flat + q * wide) / (growth * mass(down, up, q))


def geometric(q: Number, count: int) -> Number:
    """Σ q^k over 0 ≤ k < count, q ≠ 1."""
    return (1 - q**count) / (1 - q)


def numbered(q: Number, count: int) -> Number:
    """Σ k·q^k over 0 ≤ k < count, q ≠ 1."""
    return (geometric(q, count) - 1 - (count - 1) * q**count) / (1 - q)


def own_places(alpha: Fraction, down: Fraction, up: Fraction) -> tuple[Fraction, Fraction]:
    """Where V leads from φ(N) and from no other count: both ends, rounded inwards; they cross if nowhere."""
    last = ceil(1 / alpha)
    below, above = (growth_scale.scale(Fraction(n), alpha, MP) for n in (last - 1, last + 1))
    low = below + MP.number(max(up, 1 - down))
    high = above - MP.number(max(down, 1 - up))
    return Fraction(ceil(low * GRID), GRID), Fraction(floor(high * GRID), GRID)


@dataclass(frozen=True)
class UnbiasedScale:
    """g in the world c, for rational α, ε, r1 + r2 < 2, where own_places do not cross."""

    alpha: Fraction
    epsilon: Fraction
    down: Fraction
    up: Fraction
    c: World = MP

    @cached_property
    def _growth(self) -> Number:
        return self.c.log(1 + self.c.number(self.alpha))

    @cached_property
    def _q(self) -> Number:
        return self.c.exp(-self.c.number(self.epsilon))

    @cached_property
    def knots(self) -> tuple[Fraction, Fraction, Fraction]:
        """Where the lines of F begin, meet and end."""
        low, high = own_places(self.alpha, self.down, self.up)
        return low, (low + high) / 2, high

    @cached_property
    def smooth(self) -> tuple[Piece, ...]:
        """F: below, on both lines, above."""
        c, q = self.c, self._q
        down, up, zero, one = (c.number(x) for x in (self.down, self.up, Fraction(0), Fraction(1)))
        last = ceil(1 / self.alpha)
        center = growth_scale.scale(Fraction(last), self.alpha, c)
        below = Piece(last - center - mean(down, up, q), one, zero)
        scaled = mean_power(down, up, q, self._growth, c) * c.number(self.alpha)
        above = Piece(zero, zero, 1 / scaled)
        k0, k1, k2 = map(c.number, self.knots)
        first, end = self._value(below, k0), self._value(above, k2)
        rest = (first + end) * (k2 - k0) / 4 * (1 + q)
        for weight, low, high in ((one, -down, up), (q, up - 1, 1 - down)):
            rest += weight * self._area(below, center + low, k0)
            rest += weight * self._area(above, k2, center + high)
        middle = 2 * (last * mass(down, up, q) - rest) / ((1 + q) * (k2 - k0))
        lines = ((k0, k1, first, middle), (k1, k2, middle, end))
        return (below, *(_line(*line) for line in lines), above)

    def _value(self, piece: Piece, y: Number) -> Number:
        return piece.value(y, self._growth, self.c)

    def _area(self, piece: Piece, start: Number, end: Number) -> Number:
        """∫ of a piece from start to end."""
        c, growth = self.c, self._growth
        line = piece.constant * (end - start) + piece.slope * (end * end - start * start) / 2
        return line + piece.power * (c.exp(growth * end) - c.exp(growth * start)) / growth

    @cached_property
    def breaks(self) -> tuple[Fraction, ...]:
        """The places between the pieces of g."""
        return tuple(sorted({knot + shift for knot in self.knots for shift in (-1, 0, 1)}))

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """Those of g, upwards, one more than breaks."""
        inside = [(a + b) / 2 for a, b in zip(self.breaks, self.breaks[1:], strict=False)]
        return tuple(self._around(y) for y in (self.breaks[0] - 1, *inside, self.breaks[-1] + 1))

    def _around(self, y: Fraction) -> Piece:
        """g near y."""
        at, after, before = (
            self.smooth[sum(knot < y + shift for knot in self.knots)] for shift in (0, 1, -1)
        )
        rise = 1 + self.c.number(self.alpha)
        moved = (
            (at.constant, after.constant + after.slope, before.constant - before.slope),
            (at.slope, after.slope, before.slope),
            (at.power, after.power * rise, before.power / rise),
        )
        return Piece(*(telescoped(*three, self._q) for three in moved))

    def _places(self, low: Fraction, high: Fraction) -> range:
        """The pieces between two places."""
        return range(bisect_left(self.breaks, low), bisect_left(self.breaks, high) + 1)

    def value(self, y: Number) -> Number:
        """g(y); of a ball, the ball between the values at its ends, as g increases."""
        found = [
            self._value(self.pieces[self._places(end, end)[0]], self.c.number(end))
            for end in dict.fromkeys(ends(y))
        ]
        return united(found)

    def area(self, start: Number, end: Number) -> Number:
        """∫ g from start to end, for start ≤ end."""
        total, borders = 0 * start, [self.c.number(place) for place in self.breaks]
        for k, piece in enumerate(self.pieces):
            low = self.c.maximum(start, borders[k - 1]) if k else start
            high = -self.c.maximum(-end, -borders[k]) if k < len(borders) else end
            total += self._area(piece, low, self.c.maximum(low, high))
        return total

    def slope(self, y: Number) -> Number:
        """g'(y); of a ball, a ball around the slopes between its ends."""
        low, high = ends(y)
        inside = [end for end in self.breaks if low < end < high]
        places = [low, *inside, high]
        return united(
            [
                self.pieces[k].slope
                + self.pieces[k].power * self._growth * self.c.exp(self._growth * self.c.number(at))
                for at in dict.fromkeys(places)
                for k in {*self._places(at, at), *self._places(low, high)}
            ]
        )

    def increases(self) -> bool:
        """Whether g certainly increases: on each piece its slope is least at an end."""
        growth, last = self._growth, len(self.pieces) - 1
        for k, piece in enumerate(self.pieces):
            at = [self.breaks[i] for i in (k - 1, k) if 0 <= i < last]
            slopes = [piece.slope + piece.power * growth * self.c.exp(growth * self.c.number(y)) for y in at]
            if not all(slope > 0 for slope in slopes):
                return False
        return True

    def position(self, x: Number) -> Number:
        """The y with g(y) = x; of a ball, between those of its ends."""
        places = dict.fromkeys(ends(x))
        for end in places:
            if end not in self._solutions:
                self._solutions[end] = self._solved(end)
        return united([self._solutions[end] for end in places])

    @cached_property
    def _solutions(self) -> dict[Fraction, Number]:
        """The positions that were asked for."""
        return {}

    @cached_property
    def _levels(self) -> tuple[Number, ...]:
        """g at the breaks."""
        return tuple(self._value(self.pieces[k], self.c.number(end)) for k, end in enumerate(self.breaks))

    def log_slope(self, x: Number) -> Number:
        """ln of the slope of the inverse at x."""
        return -self.c.log(self.slope(self.position(x)))

    def _solved(self, x: Fraction) -> Number:
        """By Newton's method in the middle, and in Arb widened until both sides of the ball enclose x."""
        c, target = self.c, self.c.number(x)
        k = sum(bool(level < target) for level in self._levels)
        piece, y = self.pieces[k], c.number(self.breaks[min(k, len(self.breaks) - 1)])
        if k == len(self.breaks):
            y = _middle(c.log(target / piece.power) / self._growth, c)
        for _ in range(ROUNDS):
            slope = piece.slope + piece.power * self._growth * c.exp(self._growth * y)
            step = _middle((self._value(piece, y) - target) / slope, c)
            y = _middle(y - step, c)
            if abs(step) <= abs(y) * 2**-20 * _small(c) + _small(c):
                break
        return y if c is not ARB else self._enclosed(y, target)

    def _enclosed(self, y: flint.arb, target: flint.arb) -> flint.arb:
        radius = (abs(y) + 1) * _small(self.c)
        while True:
            low, high = _middle(y - radius, self.c), _middle(y + radius, self.c)
            if self.value(low) < target < self.value(high):
                return low.union(high)
            radius = radius * 16


def _line(left: Number, right: Number, start: Number, end: Number) -> Piece:
    slope = (end - start) / (right - left)
    return Piece(start - slope * left, slope, 0 * slope)


def _middle(y: Number, c: World) -> Number:
    return y.mid() if c is ARB else y


def _small(c: World) -> Number:
    """A little more than what the precision of the world tells apart near 1."""
    if c is ARB:
        return flint.arb(2) ** (20 - flint.ctx.prec)
    return MP.mp.eps * 2**20
