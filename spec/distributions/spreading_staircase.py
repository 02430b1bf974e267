"""A staircase law whose steps spread, so that a slide by at most 1 and a stretch by at most 1+α cross few.

It is flat from −r1 to r2. Upwards the breaks are b_0 = r2 and b_k = (1+α)·b_(k−1) + 1, and every step is
lower than the one before by e^(−ε). Downwards they are c_0 = r1 and c_k = max(c_(k−1) + 1, (1+α)·c_(k−1) −
1), and every step is lower by (1+α)·e^(−ε). Of the two the first holds up to c = 2/α, the second from there.
The even law has the breaks of above and the lower drops of below on both sides.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, floor

import flint

from establish.spec.arithmetic import Number, World
from establish.spec.distributions.quantile import at_most
from establish.spec.distributions.two_sided import TwoSided
from establish.spec.growth_scale import ends, united


def spread_up(start: Number, power: Number, alpha: Number) -> Number:
    """The break b_k upwards from b_0 = ``start``, for power = (1+α)^k."""
    return power * (start + 1 / alpha) - 1 / alpha


def spread_down(start: Number, power: Number, alpha: Number) -> Number:
    """The break c_(K+k) downwards from c_K = ``start`` ≥ 2/α, for power = (1+α)^k."""
    return power * (start - 1 / alpha) + 1 / alpha


def slide_down(start: Number, steps: Number) -> Number:
    """The break c_k downwards from c_0 = ``start``, as long as c_(k−1) ≤ 2/α."""
    return start + steps


def up_drop(alpha: Number, epsilon: Number, c: World) -> Number:
    """ln of what a step upwards is lower than the one before: ε."""
    return c.number(epsilon)


def down_drop(alpha: Number, epsilon: Number, c: World) -> Number:
    """The same downwards: ε − ln(1+α)."""
    return c.number(epsilon) - c.log(1 + c.number(alpha))


@dataclass(frozen=True)
class Side:
    """One side in the world c, in units of the flat's height: r, the drop and the growth of steps.

    slides: how many steps have width 1 before they spread; ``shift`` is what must be added to a break so that
    it grows by the factor 1+α from one to the next: 1/α upwards, −1/α downwards. ratio: e^(−drop).
    """

    flat: Number
    ratio: Number
    growth: Number
    shift: Number
    slides: int
    c: World

    @cached_property
    def _spread(self) -> Number:
        """The last break before steps spread, shifted."""
        return self.c.number(self.flat + self.slides) + self.shift

    @cached_property
    def _logarithms(self) -> tuple[Number, Number]:
        """Of the growth and the ratio."""
        return self.c.log(self.growth), self.c.log(self.ratio)

    def place(self, k: int) -> Number:
        """The outer break of step k; of the flat for k = 0."""
        if k <= self.slides:
            return self.c.number(self.flat + k)
        return self._spread * self.growth ** (k - self.slides) - self.shift

    def breaks(self, count: int) -> list[Number]:
        return [self.place(k) for k in range(count)]

    def mass(self) -> Number:
        return self.beyond(0)

    def beyond(self, k: int) -> Number:
        """The mass beyond step k: a geometric series, and before it slides."""
        after = max(k, self.slides)
        width = self._spread * self.growth ** (after - self.slides) * (self.growth - 1)
        mass = self.ratio ** (after + 1) * width / (1 - self.ratio * self.growth)
        if k < self.slides:
            slid = 1 - self.ratio ** (self.slides - k)
            mass += self.ratio ** (k + 1) * slid / (1 - self.ratio)
        return mass

    def first_moment(self) -> Number:
        """∫ z over the side's half of the flat and all its steps; finite for ratio·growth² < 1."""
        q, g, r, k = self.ratio, self.growth, self.c.number(self.flat), self.slides
        last = q**k
        each = (1 - (k + 1) * last + k * last * q) / (1 - q)
        slid = q / (1 - q) * ((2 * r - 1) / 2 * (1 - last) + each)
        size = self._spread
        squares = size * size * (g * g - 1) * q / (1 - q * g * g) / 2
        spread = last * (squares - self.shift * size * (g - 1) * q / (1 - q * g))
        return r * r / 2 + slid + spread

    def steps(self, x: Fraction) -> Iterable[int]:
        """The step at the distance x, or, where rounding leaves it open, those that it may be on."""
        c = self.c
        if x <= self.flat:
            return (0,)
        if x <= self.flat + self.slides:
            return (ceil(x - self.flat),)
        over = c.log((c.number(x) + self.shift) / self._spread) / self._logarithms[0]
        first, last = (max(0, ceil(end)) for end in ends(over))
        return range(self.slides + first, self.slides + last + 1)

    def losses(self, x: Fraction) -> list[Number]:
        """ln of the density at the distance x, where it is open on every step that x may be on."""
        return [k * self._logarithms[1] for k in self.steps(x)]

    def distance(self, mass: Number) -> Number:
        """Beyond which that mass lies, on a step."""
        k = 1
        while not at_most(self.beyond(k), mass):
            k += 1
        return self.place(k) - (mass - self.beyond(k)) / self.ratio**k

    def tail(self, x: Fraction) -> Number:
        """The mass beyond the distance x ≥ r: of convex pieces the largest, whichever step is in doubt."""
        found = [self.beyond(k) + self.ratio**k * (self.place(k) - self.c.number(x)) for k in self.steps(x)]
        return united(found) if isinstance(found[0], flint.arb) else max(found)


def sides(
    alpha: Fraction, epsilon: Fraction, down: Fraction, up: Fraction, even: bool, c: World
) -> tuple[Side, Side]:
    """The side below and the side above, for rational α, ε, r1, r2 with ε > 2·ln(1+α)."""
    growth, shift = c.number(1 + alpha), c.number(1 / alpha)
    slow, fast = (c.exp(-drop(alpha, epsilon, c)) for drop in (down_drop, up_drop))
    if even:
        return Side(down, slow, growth, shift, 0, c), Side(up, slow, growth, shift, 0, c)
    slides = max(0, floor(2 / alpha - down) + 1)
    return Side(down, slow, growth, -shift, slides, c), Side(up, fast, growth, shift, 0, c)


@dataclass(frozen=True)
class SpreadingStaircase(TwoSided):
    """center + scale·Z in the world c, for rational α > 0, ε > 2·ln(1+α), r1, r2 ≥ 0. No atoms."""

    even: bool = False

    @cached_property
    def sides(self) -> tuple[Side, Side]:
        return sides(self.alpha, self.epsilon, self.down, self.up, self.even, self.c)

    @cached_property
    def height(self) -> Number:
        return super().height
