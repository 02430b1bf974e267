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


class GrowthLaplaceMechanism(OnGrowthScaleMechanism):
    """φ⁻¹(φ(n) + W) for α, ε > 0; privacy loss exactly ε. Raises ParameterError elsewhere."""

    def noisy(self, center: Number, c: World = MP) -> Laplace:
        """The law of φ(out) where φ(n) is ``center``."""
        return Laplace(center, 1 / c.number(self.epsilon), c)


def _integral(start: Fraction, end: Fraction, alpha: Fraction, rate: Number) -> Number:
    """∫ e^(rate·φ(t)) dt from start to end, 0 ≤ start ≤ end; rate ≠ −ln(1+α).

    The pieces between the first joint and the last are a geometric series: from one to the next t + j is the
    same, and φ is larger by 1.
    """
    power = rate / MP.log(1 + MP.number(alpha)) + 1

    def piece(low: Fraction, high: Fraction, j: int) -> Number:
        first, last = (MP.power(MP.number(alpha * (t + j)), power) for t in (low, high))
        return MP.exp(-rate * j) * (last - first) / (power * MP.number(alpha))

    first, last = (growth_scale.joints(t, alpha)[0] for t in (start, end))
    if first == last:
        return piece(start, end, last)
    decay = MP.exp(-rate)
    whole = piece(1 / alpha, 1 / alpha + 1, 0) * (decay ** (last + 1) - decay**first) / (1 - decay)
    return piece(start, 1 / alpha - first + 1, first) + whole + piece(1 / alpha - last, end, last)


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


def error_of_one(mechanism: GrowthLaplaceMechanism, count: Fraction) -> Number:
    """E|out − n| for n = count, where negative outputs become 0; infinite for ε ≤ ln(1+α)."""
    return sum(mean_errors(count, mechanism.alpha, mechanism.epsilon))
