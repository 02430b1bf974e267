"""The two-sided geometric law on the integers: mass (1−ρ)/(1+ρ)·ρ^|k−center|, 0 < ρ < 1.

It is the law of the difference of two independent geometric variables with success probability 1 − ρ
(Foote et al. 2019, Definition 2.5, where ρ = e^(−ε)); all of it is rational when ρ is.
"""

from dataclasses import dataclass
from typing import Any

from establish.spec.arithmetic import MP, Number, World
from establish.spec.distributions.on_integers import OnIntegers
from establish.spec.distributions.quantile import require_share


def mass(k: int, ratio: Number, c: World) -> Number:
    """P(K = k) around center 0."""
    ratio = c.number(ratio)
    return (1 - ratio) / (1 + ratio) * c.power(ratio, abs(k))


def cdf(k: int, ratio: Number, c: World) -> Number:
    """P(K ≤ k) around center 0: ρ^(−k)/(1+ρ) for k < 0, and 1 − ρ^(k+1)/(1+ρ) for k ≥ 0."""
    ratio = c.number(ratio)
    if k < 0:
        return c.power(ratio, -k) / (1 + ratio)
    return 1 - c.power(ratio, k + 1) / (1 + ratio)


def ratio_of(scale: Number, c: World) -> Number:
    """e^{−1/t}, the ratio of the discrete Laplace law with scale t > 0: P(K = k) ∝ e^{−|k|/t}."""
    return c.exp(-1 / c.number(scale))


def weights_total(ratio: Number) -> Number:
    """Σ ρ^|k| = (1 + ρ)/(1 − ρ)."""
    return (1 + ratio) / (1 - ratio)


def mean_absolute(ratio: Number) -> Number:
    """E|K| = 2ρ/(1 − ρ²)."""
    return 2 * ratio / (1 - ratio**2)


def variance(ratio: Number) -> Number:
    """E K² = 2ρ/(1 − ρ)²."""
    return 2 * ratio / (1 - ratio) ** 2


@dataclass(frozen=True)
class Geometric(OnIntegers):
    """center + K in the world c. Support: the integers, every one an atom."""

    center: int
    ratio: Number
    c: World = MP

    def log_weight(self, k: Any) -> Number:
        """|k − center|·ln ρ, without the constant."""
        return self.c.absolute(self.c.number(k) - self.center) * self.c.log(self.c.number(self.ratio))

    def mass(self, k: int) -> Number:
        return mass(k - self.center, self.ratio, self.c)

    def cdf(self, k: int) -> Number:
        return cdf(k - self.center, self.ratio, self.c)

    def quantile(self, p: Number) -> int:
        """The least k with P(K ≤ k) ≥ p. Raises ParameterError unless 0 < p < 1."""
        require_share(p)
        k = self.center
        while self.cdf(k) < p:
            k += 1
        while self.cdf(k - 1) >= p:
            k -= 1
        return k
