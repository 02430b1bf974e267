"""A law whose density is e^(−length of the shortest path) from its flat part: moves to neighbors are arcs.

A neighbor moves z to (z − d)/m, or m·z + d back, 0 ≤ d ≤ 1 ≤ m ≤ 1 + α·d, and noise of one law is private at
ε where −ln of its density rises by at most ε − ln m on the way there and by ε + ln m on the way back. From
the flat part, from −r1 to r2, the farthest places at the least cost are reached in whole steps:
    below, k steps cost k·ε − ln p and reach the distance y with p·y = r1 + Σ_(i<k) min((1+α)^i, p),
    above, k steps cost k·ε + ln q and reach z = q·r2 + Σ_(i<k) min((1+α)^i, q),
for p and q from 1 to (1+α)^k. So on step k below the density is e^(−k·ε)·p for the largest p that reaches y,
and above e^(−k·ε)/q for the least q that reaches z: hyperbolas between the powers of 1+α. After so many of
such fine steps those of :mod:`establish.spec.distributions.spreading_staircase` follow.
"""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import floor
from typing import Any

from establish.spec.arithmetic import Number, World, precision
from establish.spec.distributions.quantile import at_most
from establish.spec.distributions.spreading_staircase import Side
from establish.spec.distributions.two_sided import TwoSided


def hyperbola(z: Number, size: Number, pole: Number) -> Number:
    """The density on a section over e^(−k·ε), at the distance z."""
    return size / (z - pole)


def total(power: Number, alpha: Number) -> Number:
    """Σ_(i≤j) (1+α)^i, for power = (1+α)^j."""
    return (power * (1 + alpha) - 1) / alpha


def end_below(size: Number, pole: Number, power: Number) -> Number:
    """Where p falls to ``power`` on a section below."""
    return pole + size / power


def end_above(size: Number, pole: Number, power: Number, alpha: Number) -> Number:
    """Where q grows to (1+α)·power on a section above."""
    return power * (1 + alpha) * size + pole


@dataclass(frozen=True)
class Section:
    """Distances z from ``start`` to ``end`` on fine step k, where the density is e^(−k·ε)·size/(z − pole), or
    e^(−k·ε)·size where there is no pole.
    """

    start: Fraction
    end: Fraction
    step: int
    size: Fraction
    pole: Fraction | None = None

    def factor(self, z: Fraction) -> Fraction:
        """The density over e^(−k·ε)."""
        return self.size if self.pole is None else hyperbola(z, self.size, self.pole)

    def mass(self, z: Fraction, c: World) -> Number:
        """∫ of the same from z to the end."""
        if self.pole is None:
            return c.number(self.size * (self.end - z))
        return c.number(self.size) * c.log(c.number((self.end - self.pole) / (z - self.pole)))

    def first_moment(self, c: World) -> Number:
        """∫ z·factor over the section."""
        if self.pole is None:
            return c.number(self.size * (self.end**2 - self.start**2) / 2)
        straight = c.number(self.size * (self.end - self.start))
        return straight + c.number(self.pole) * self.mass(self.start, c)

    def distance(self, mass: Number, c: World) -> Number:
        """From which on there is that mass, in units of e^(−k·ε)."""
        share = mass / c.number(self.size)
        if self.pole is None:
            return c.number(self.end) - share
        return c.number(self.pole) + c.number(self.end - self.pole) * c.exp(-share)


def sums(alpha: Fraction, count: int) -> list[tuple[Fraction, Fraction]]:
    """((1+α)^j, Σ_(i≤j) (1+α)^i) for j from 0 to count − 1."""
    powers = [(1 + alpha) ** j for j in range(count)]
    return [(power, total(power, alpha)) for power in powers]


def sections_below(alpha: Fraction, start: Fraction, fine: int, turn: int) -> Iterator[Section]:
    """Of fine steps below, from r1 = ``start``: step k ends at r1 + k, and no p exceeds (1+α)^(turn+1)."""
    parts = sums(alpha, min(fine, turn + 1))
    for k in range(1, fine + 1):
        place = start + k - 1
        if k <= len(parts):
            power = parts[k - 1][0] * (1 + alpha)
            end = end_below(start + parts[k - 1][1], Fraction(0), power)
            if end > place:
                yield Section(place, end, k, power)
                place = end
        for j in reversed(range(min(k, len(parts)))):
            power, reached = parts[j]
            size, pole = start + reached, Fraction(k - 1 - j)
            end = end_below(size, pole, power)
            if end > place:
                yield Section(place, end, k, size, pole)
                place = end


def sections_above(alpha: Fraction, start: Fraction, fine: int) -> Iterator[Section]:
    """Of fine steps above, from r2 = ``start``: step k ends where q = (1+α)^k reaches."""
    place, parts = start, sums(alpha, fine)
    for k in range(1, fine + 1):
        if start + k > place:
            yield Section(place, start + k, k, Fraction(1))
            place = start + k
        for j in range(k):
            power, pole = parts[j]
            size = start + k - 1 - j
            end = end_above(size, pole, power, alpha)
            if end > place:
                yield Section(place, end, k, size, pole)
                place = end


@dataclass(frozen=True)
class PathSide:
    """One side in the world c, in units of the flat's height: fine steps, and those that follow.

    decay: e^(−ε). weight: what the density beyond all fine steps is in units of that of ``far``.
    """

    flat: Fraction
    sections: tuple[Section, ...]
    decay: Number
    far: Side
    weight: Number
    c: World

    @cached_property
    def masses(self) -> list[Number]:
        """Beyond the start of each section, and beyond all of them."""
        found = [self.weight * self.far.mass()]
        for section in reversed(self.sections):
            found.append(found[-1] + self._level(section) * section.mass(section.start, self.c))
        return found[::-1]

    @cached_property
    def _logarithms(self) -> tuple[Number, Number]:
        """Of the weight and the decay."""
        return self.c.log(self.weight), self.c.log(self.decay)

    def mass(self) -> Number:
        return self.masses[0]

    def first_moment(self) -> Number:
        """∫ z over the side's half of the flat and all beyond, for ε > 3·ln(1+α)."""
        c = self.c
        near = c.number(self.flat**2 / 2)
        for section in self.sections:
            near += self._level(section) * section.first_moment(c)
        end = c.number(self.far.flat)
        return near + self.weight * (self.far.first_moment() - end * end / 2)

    def losses(self, x: Fraction) -> list[Number]:
        c, place = self.c, self._place(x)
        if x <= self.flat:
            return [c.number(0)]
        if place == len(self.sections):
            return [self._logarithms[0] + loss for loss in self.far.losses(x)]
        section = self.sections[place]
        return [c.log(c.number(section.factor(x))) + section.step * self._logarithms[1]]

    def tail(self, x: Fraction) -> Number:
        """The mass beyond the distance x ≥ r."""
        place = self._place(x)
        if place == len(self.sections):
            return self.weight * self.far.tail(x)
        section = self.sections[place]
        return self.masses[place + 1] + self._level(section) * section.mass(x, self.c)

    def distance(self, mass: Number) -> Number:
        for place, section in enumerate(self.sections):
            after = self.masses[place + 1]
            if at_most(after, mass):
                return section.distance((mass - after) / self._level(section), self.c)
        return self.far.distance(mass / self.weight)

    def breaks(self, count: int) -> list[Number]:
        starts = [self.c.number(section.start) for section in self.sections]
        return starts + self.far.breaks(count)

    def _place(self, x: Fraction) -> int:
        """The section, which contains its end."""
        return bisect_left(self.sections, x, key=lambda section: section.end)

    def _level(self, section: Section) -> Number:
        return self.decay**section.step


@dataclass(frozen=True)
class ShortestPath(TwoSided):
    """center + scale·Z in the world c, for rational α > 0, ε > 2·ln(1+α), r1, r2 ≥ 0, and some fine steps.

    fine: how many. turn: j ≥ 1 with α·j ≥ 1 − (1+α)^(−j−1). Where fine > 0: (j+2)·ln(1+α) ≤ ε,
    fine·ln(1+α) ≤ ε and r1 + fine ≤ 2/α.
    """

    fine: int = 0
    turn: int = 1

    @cached_property
    def sides(self) -> tuple[PathSide, PathSide]:
        c: Any = self.c
        given = self.alpha, self.epsilon, self.down, self.up, self.fine, self.turn
        return _sides(*given, c, precision())

    @cached_property
    def height(self) -> Number:
        return super().height


@lru_cache(maxsize=64)
def _sides(
    alpha: Fraction,
    epsilon: Fraction,
    down: Fraction,
    up: Fraction,
    fine: int,
    turn: int,
    c: Any,
    bits: tuple[int, int],
) -> tuple[PathSide, PathSide]:
    """Kept for the world c and ``bits``, its `precision`: no cell has other sides."""
    growth = 1 + alpha
    decay, far = c.exp(-c.number(epsilon)), c.exp(-c.number(epsilon) * fine)
    below = tuple(sections_below(alpha, down, fine, turn))
    above = tuple(sections_above(alpha, up, fine))
    low, high = down + fine, above[-1].end if above else up
    shift, slides = c.number(1 / alpha), max(0, floor(2 / alpha - low) + 1)
    slow = Side(low, decay * c.number(growth), c.number(growth), -shift, slides, c)
    fast = Side(high, decay, c.number(growth), shift, 0, c)
    return (
        PathSide(down, below, decay, slow, far * c.number(growth ** min(fine, turn)), c),
        PathSide(up, above, decay, fast, far, c),
    )
