"""The two-sided Lomax law: density (p−1)/(2θ)·(1 + |z|/θ)^(−p), p > 1.

|Z| has the Lomax law, a Pareto law that begins at 0: P(|Z| > z) = (1 + z/θ)^(1−p), so ln(1 + |Z|/θ) has the
exponential law with rate p − 1. Nothing here is claimed to be new as a law. Noise with such tails for smooth
sensitivity is in the literature: Student's t (Bun and Steinke 2019, Average-Case Averages), and PolyPlace
(Hladík and Tětek 2025, Smooth Sensitivity Revisited: Towards Optimality), whose limit is the Laplace law as
this one's is, and whose parameters S/γ and ε/γ, for a smooth sensitivity that changes by e^γ, are of the kind
of S·θ and p here, γ = ln(1+α). Of that paper no more than the summary was at hand, so that the two may be one
family; ours are the constants that are exact for these neighbors.
"""

from dataclasses import dataclass

from establish.spec.arithmetic import MP, Number, World
from establish.spec.distributions.quantile import require_share


def log_size(z: Number, width: Number, c: World) -> Number:
    """ln(1 + |z|/θ), of which the density falls by e^(−p) in each unit."""
    return c.log(1 + c.absolute(z) / width)


def log_kernel(z: Number, power: Number, width: Number, c: World) -> Number:
    """−p·ln(1 + |z|/θ): ln of the density without its normalizer."""
    return -power * log_size(z, width, c)


def log_density(z: Number, power: Number, width: Number, c: World) -> Number:
    """ln of the density at z, for p > 1 and θ > 0."""
    return c.log((power - 1) / (2 * width)) + log_kernel(z, power, width, c)


def cdf(z: Number, power: Number, width: Number, c: World) -> Number:
    """P(Z ≤ z), without a case split so that balls may straddle 0."""
    tail = c.exp((1 - power) * log_size(z, width, c))
    return (1 + c.sign(z) - c.sign(z) * tail) / 2


def quantile(p: Number, power: Number, width: Number, c: World) -> Number:
    """The z with P(Z ≤ z) = p, for 0 < p < 1."""
    tail = -c.maximum(-p, p - 1)
    return c.sign(2 * p - 1) * width * (c.exp(c.log(2 * tail) / (1 - power)) - 1)


def mean_absolute(power: Number, width: Number) -> Number:
    """E|Z| = θ/(p−2), for p > 2; infinite for p ≤ 2."""
    return width / (power - 2)


def mean_square(power: Number, width: Number) -> Number:
    """E Z² = 2θ²/((p−2)(p−3)), for p > 3; infinite for p ≤ 3."""
    return 2 * width * width / ((power - 2) * (power - 3))


@dataclass(frozen=True)
class Lomax:
    """center + scale·Z in the world c, with Z as above. Support: the real line, no atoms."""

    center: Number
    scale: Number
    power: Number
    width: Number
    c: World = MP

    def _standard(self, x: Number) -> Number:
        return (self.c.number(x) - self.center) / self.scale

    def log_density(self, x: Number) -> Number:
        return log_density(self._standard(x), self.power, self.width, self.c) - self.c.log(self.scale)

    def cdf(self, x: Number) -> Number:
        return cdf(self._standard(x), self.power, self.width, self.c)

    def quantile(self, p: Number) -> Number:
        """Raises ParameterError unless 0 < p < 1 certainly."""
        require_share(p)
        z = quantile(self.c.number(p), self.power, self.width, self.c)
        return self.center + self.scale * z
