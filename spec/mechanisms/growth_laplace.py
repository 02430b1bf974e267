"""Growth-Laplace: φ⁻¹(φ(n) + W) with W ~ Laplace(1/ε) and the growth scale φ; ours.

φ changes by at most 1 between neighbors, and by exactly 1 for the largest growth, so the privacy loss is ε at
every size. From 1/α workers on it is Log-Laplace without a shift.
"""

from __future__ import annotations

from fractions import Fraction

from establish.spec import growth_scale
from establish.spec.arithmetic import MP, Number, World
from establish.spec.distributions.laplace import Laplace
from establish.spec.mechanisms.on_growth_scale import OnGrowthScaleMechanism
from establish.spec.parameters import Rational, positive


class GrowthLaplaceMechanism(OnGrowthScaleMechanism):
    """φ⁻¹(φ(n) + W) for α, ε > 0; privacy loss exactly ε. Raises ParameterError elsewhere."""

    def __init__(self, alpha: Rational, epsilon: Rational) -> None:
        self.alpha = positive("alpha", alpha)
        self.epsilon = positive("epsilon", epsilon)

    def noisy(self, center: Number, c: World = MP) -> Laplace:
        """The law of φ(out) where φ(n) is ``center``."""
        return Laplace(center, 1 / c.number(self.epsilon), c)


def _integral(start: Fraction, end: Fraction, alpha: Fraction, rate: Number) -> Number:
    """∫ e^(rate·φ(t)) dt from start to end, 0 ≤ start, joint by joint; rate ≠ −ln(1+α)."""
    total, at = MP.number(0), start
    power = rate / MP.log(1 + MP.number(alpha)) + 1
    while at < end:
        j = growth_scale.joints(at, alpha)[0]
        stop = min(end, 1 / alpha - j + 1) if j else end
        low, high = (MP.power(MP.number(alpha * (t + j)), power) for t in (at, stop))
        total += MP.exp(-rate * j) * (high - low) / (power * MP.number(alpha))
        at = stop
    return total


def mean_errors(count: Fraction, alpha: Fraction, epsilon: Fraction) -> tuple[Number, Number]:
    """E(out − n)⁺ and E(n − out)⁺ where negative outputs become 0, to 50 digits; the first is infinite for
    ε ≤ ln(1+α).

    P(out > t) = ½·e^(−ε(φ(t)−φ(n))) for t ≥ n, and P(out < t) = ½·e^(ε(φ(t)−φ(n))) below, integrated over t.
    """
    center, ε = growth_scale.scale(count, alpha, MP), MP.number(epsilon)
    below = MP.exp(-ε * center) * _integral(Fraction(0), count, alpha, ε) / 2
    power = ε / MP.log(1 + MP.number(alpha)) - 1
    if power <= 0:
        return MP.mp.inf, below
    middle = max(count, 1 / alpha)
    beyond = MP.power(MP.number(alpha * middle), -power) / (power * MP.number(alpha))
    above = MP.exp(ε * center) * (_integral(count, middle, alpha, -ε) + beyond) / 2
    return above, below
