"""A law that is flat around its center, and falls on both sides of the flat part as each side says."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

from establish.spec.arithmetic import MP, Number, World
from establish.spec.distributions.quantile import at_most, require_share
from establish.spec.growth_scale import ends, united


class OneSide(Protocol):
    """What lies on one side of 0: part of the flat, and where the density falls; in units of its height.

    All distances are from 0. Masses and moments are enclosed, or known to the working precision.
    """

    @property
    def flat(self) -> Any:
        """Where the flat part ends, ≥ 0."""

    def mass(self) -> Number:
        """All that lies beyond the flat part."""

    def first_moment(self) -> Number:
        """∫ z over the side's part of the flat and all beyond."""

    def losses(self, x: Fraction) -> Iterable[Number]:
        """ln of the density at the distance x, or all that it may be where rounding leaves it open."""

    def tail(self, x: Fraction) -> Number:
        """The mass beyond the distance x ≥ r."""

    def distance(self, mass: Number) -> Number:
        """Beyond which that mass lies."""

    def breaks(self, count: int) -> list[Number]:
        """Distances between which the density has one formula: ``count`` ends of steps, and all others."""


@dataclass(frozen=True)
class TwoSided:
    """center + scale·Z in the world c, Z flat from −r1 to r2 for rational r1, r2 ≥ 0. No atoms."""

    center: Number
    scale: Number
    alpha: Fraction
    epsilon: Fraction
    down: Fraction
    up: Fraction
    c: World = MP

    @property
    def sides(self) -> tuple[OneSide, OneSide]:
        """Below and above."""
        raise NotImplementedError

    @property
    def height(self) -> Number:
        """The density of Z on the flat."""
        below, above = self.sides
        return 1 / (self.c.number(self.down + self.up) + below.mass() + above.mass())

    def mean_absolute(self) -> Number:
        """E|Z|, for ε > 3·ln(1+α)."""
        below, above = self.sides
        return self.height * (below.first_moment() + above.first_moment())

    def mean(self) -> Number:
        """E Z, for ε > 3·ln(1+α)."""
        below, above = self.sides
        return self.height * (above.first_moment() - below.first_moment())

    def breaks(self, count: int) -> list[Number]:
        """Between which the density has one formula: ``count`` ends of steps on each side, and all others."""
        below, above = (side.breaks(count) for side in self.sides)
        return [self.center + self.scale * z for z in (*(-z for z in reversed(below)), *above)]

    def _standard(self, x: Number) -> tuple[Fraction, ...]:
        return ends((self.c.number(x) - self.center) / self.scale)

    def log_density(self, x: Number) -> Number:
        """The density never rises away from 0, so that of a ball lies between those at its ends and at 0."""
        c, (low, high) = self.c, self._standard(x)
        inside = (Fraction(0),) if low < 0 < high else ()
        below, above = self.sides
        losses = united(
            loss for w in (low, *inside, high) for loss in (above if w > 0 else below).losses(abs(w))
        )
        return c.log(self.height) + losses - c.log(self.scale)

    def cdf(self, x: Number) -> Number:
        """P(X ≤ x); of a ball, the ball between the values at its ends."""
        low, high = (self._cdf(end) for end in self._standard(x))
        return low if self.c is MP else low.union(high)

    def _cdf(self, w: Fraction) -> Number:
        below, above = self.sides
        if -self.down <= w <= self.up:
            return self.height * (below.mass() + self.c.number(w + self.down))
        return 1 - self.height * above.tail(w) if w > 0 else self.height * below.tail(-w)

    def quantile(self, p: Number) -> Number:
        """Raises ParameterError unless 0 < p < 1 certainly, and ArithmeticError for a ball across a break."""
        require_share(p)
        below, above = self.sides
        share, height = self.c.number(p), self.height
        if at_most(share / height, below.mass()):
            z = -below.distance(share / height)
        elif at_most((1 - share) / height, above.mass()):
            z = above.distance((1 - share) / height)
        else:
            z = share / height - below.mass() - self.c.number(self.down)
        return self.center + self.scale * z
