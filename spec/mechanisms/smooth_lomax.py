"""Smooth Lomax: n + S·Z, Z with density ∝ (1 + |z|/θ)^(−p), S = max(α·x, 1); ours.

x is the largest establishment count of the cell. A neighbor moves the center by d·S and multiplies the scale
by m, 0 ≤ d ≤ 1 ≤ m ≤ 1 + α. The loss is extreme where one of the two outputs is its center, and at
infinity: ε bounds it exactly when (p−1)·ln(1+α) ≤ ε, p·ln(1 + 1/θ) ≤ ε and
ln(1+α) + p·ln(1 + 1/((1+α)θ)) ≤ ε.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from establish.spec.arithmetic import MP, Number, World
from establish.spec.distributions.lomax import Lomax, mean_absolute, mean_square
from establish.spec.domains import Defined, Domain
from establish.spec.parameters import nonnegative
from establish.spec.relations.growth import growth_bound


def power(alpha: Number, epsilon: Number, c: World) -> Number:
    """p = 1 + ε/ln(1+α), at which far outputs lose ε."""
    return 1 + c.number(epsilon) / c.log(1 + c.number(alpha))


def slide_width(power: Number, epsilon: Number, c: World) -> Number:
    """The least θ with p·ln(1 + 1/θ) ≤ ε: what a slide by one scale costs at its own center."""
    return 1 / (c.exp(epsilon / power) - 1)


def stretch_width(power: Number, growth: Number, epsilon: Number, c: World) -> Number:
    """The least θ with ln g + p·ln(1 + 1/(gθ)) ≤ ε, for ε > ln g: a slide by one scale and a stretch by g."""
    return 1 / (growth * (c.exp((epsilon - c.log(growth)) / power) - 1))


def width(alpha: Number, epsilon: Number, c: World) -> Number:
    """θ, the larger of the two, at g = 1 + α."""
    p, growth = power(alpha, epsilon, c), 1 + c.number(alpha)
    level = c.number(epsilon)
    return c.maximum(slide_width(p, level, c), stretch_width(p, growth, level, c))


class SmoothLomaxMechanism(Defined):
    """n + S·Z in its domain; privacy loss exactly ε. Raises ParameterError elsewhere."""

    domain = Domain("ln(1 + α) < ε")

    def output(self, sizes: Sequence[int | Fraction], c: World = MP) -> Lomax:
        """The law of the release for one cell; ``sizes`` are the counts of its establishments."""
        return self.cell_law(sum(sizes), nonnegative("x", max(sizes, default=0)), c)

    def cell_law(self, count: Number, largest: Number, c: World = MP) -> Lomax:
        """The same by the count and the largest establishment count x ≥ 0 of the cell."""
        return Lomax(
            c.number(count),
            growth_bound(largest, self.alpha, c),
            power(self.alpha, self.epsilon, c),
            width(self.alpha, self.epsilon, c),
            c,
        )

    def mean_absolute_error(self, largest: Number, c: World = MP) -> Number:
        """E|out − n| = S·θ/(p−2); finite, as p > 2."""
        law = self.cell_law(0, largest, c)
        return law.scale * mean_absolute(law.power, law.width)

    def mean_squared_error(self, largest: Number, c: World = MP) -> Number:
        """E(out − n)² = 2S²θ²/((p−2)(p−3)), for ε > 2·ln(1+α); infinite otherwise."""
        law = self.cell_law(0, largest, c)
        return law.scale * law.scale * mean_square(law.power, law.width)
