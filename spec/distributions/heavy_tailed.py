"""The law with density proportional to 1/(1+|z|^γ), γ > 1 (Haney et al. 2017, Lemma 8.6).

For γ ≤ 1 the function has infinite integral and there is no such law. Algorithm 2 uses γ = 4.
"""

from dataclasses import dataclass
from fractions import Fraction

from establish.spec.arithmetic import MP, Number, World
from establish.spec.parameters import ParameterError

GAMMA = 4
"""The exponent γ of Algorithm 2, the least integer at which the noise has a variance."""


def normalizer(gamma: Number, c: World) -> Number:
    """1/∫ dz/(1+|z|^γ) = γ·sin(π/γ)/(2π), for γ > 1; √2/π at γ = 4."""
    return c.number(gamma) * c.sin(c.pi / gamma) / (2 * c.pi)


def log_kernel(z: Number, gamma: Number, c: World) -> Number:
    """−ln(1+|z|^γ): ln of the density without its normalizer."""
    return -c.log(1 + c.power(c.absolute(z), gamma))


def slide_loss(z: Number, step: Number, gamma: Number, c: World) -> Number:
    """ln h(z) − ln h(z + Δ): what an output z loses when the law is slid by Δ."""
    return log_kernel(z, gamma, c) - log_kernel(z + step, gamma, c)


def dilation_loss(z: Number, log_factor: Number, gamma: Number, c: World) -> Number:
    """ln h(z) − ln(e^λ·h(e^λ·z)): what an output z loses when the law is dilated by e^λ."""
    moved = log_kernel(c.exp(log_factor) * z, gamma, c)
    return log_kernel(z, gamma, c) - (log_factor + moved)


def log_density(z: Number, gamma: Number, c: World) -> Number:
    """ln of the density at z, for γ > 1."""
    return c.log(normalizer(gamma, c)) + log_kernel(z, gamma, c)


def cdf(z: Number, gamma: Number, c: World) -> Number:
    """P(Z ≤ z) = ½ + ½·sign(z)·I_u(1/γ, 1−1/γ) with u = |z|^γ/(1+|z|^γ), for γ > 1.

    Substitute u in ∫ dz/(1+z^γ): it becomes (1/γ)·∫ u^(1/γ−1)·(1−u)^(−1/γ) du.
    """
    power = c.power(c.absolute(z), gamma)
    share = c.beta_share(power / (1 + power), 1 / c.number(gamma), 1 - 1 / c.number(gamma))
    return (1 + c.sign(z) * share) / 2


def absolute_moment(k: int, gamma: Number, c: World) -> Number:
    """E|Z|^k = sin(π/γ)/sin((k+1)π/γ), finite exactly when k + 1 < γ."""
    return c.sin(c.pi / gamma) / c.sin((k + 1) * c.pi / gamma)


def sliding_constant(gamma: Number, c: World) -> Number:
    """sup_z |d/dz ln(1+|z|^γ)| = (γ−1)^(1−1/γ), attained at |z|^γ = γ−1, for γ > 1.

    The least s with h(z) ≤ e^(s|Δ|)·h(z+Δ) for all z and Δ; 3^(3/4) at γ = 4.
    """
    gamma = c.number(gamma)
    return c.exp((1 - 1 / gamma) * c.log(gamma - 1))


def dilation_constant(gamma: Number, c: World) -> Number:
    """The least d with h(z) ≤ e^(d|λ|)·e^λ·h(e^λ·z) for all z and λ: max(1, γ−1), for γ > 1."""
    return c.maximum(c.number(1), c.number(gamma) - 1)


@dataclass(frozen=True)
class HeavyTailed:
    """center + scale·Z in the world c, with Z as above. Support: the real line, no atoms.

    Raises ParameterError for a rational γ ≤ 1.
    """

    center: Number
    scale: Number
    gamma: Number = 4
    c: World = MP

    def __post_init__(self) -> None:
        if isinstance(self.gamma, (int, Fraction)) and self.gamma <= 1:
            raise ParameterError(
                f"gamma = {self.gamma} is not allowed: 1/(1+|z|^γ) is a density only for γ > 1"
            )

    def _standard(self, x: Number) -> Number:
        return (self.c.number(x) - self.center) / self.scale

    def log_density(self, x: Number) -> Number:
        return log_density(self._standard(x), self.gamma, self.c) - self.c.log(self.scale)

    def cdf(self, x: Number) -> Number:
        return cdf(self._standard(x), self.gamma, self.c)
