"""The law of (n + γ)·e^η − γ with η ~ Laplace(λ), on (−γ, ∞) (Haney et al. 2017, Algorithm 1)."""

from dataclasses import dataclass

from establish.spec.arithmetic import MP, Number, World
from establish.spec.distributions import laplace
from establish.spec.distributions.quantile import require_share


def _log_ratio(x: Number, count: Number, shift: Number, c: World) -> Number:
    """η as a function of the output x: ln((x + γ)/(n + γ))."""
    return c.log((x + shift) / (count + shift))


def log_density(x: Number, count: Number, shift: Number, scale: Number, c: World) -> Number:
    """ln of the density at x > −shift: the Laplace density at η, times the Jacobian 1/(x + γ)."""
    eta = _log_ratio(x, count, shift, c)
    return laplace.log_density(eta, c.number(0), scale, c) - c.log(x + shift)


def cdf(x: Number, count: Number, shift: Number, scale: Number, c: World) -> Number:
    """P(X ≤ x) for x > −shift."""
    return laplace.cdf(_log_ratio(x, count, shift, c), c.number(0), scale, c)


def quantile(p: Number, count: Number, shift: Number, scale: Number, c: World) -> Number:
    """The x with P(X ≤ x) = p, for 0 < p < 1."""
    return (count + shift) * c.exp(laplace.quantile(p, c.number(0), scale, c)) - shift


def bias(count: Number, shift: Number, scale: Number) -> Number:
    """E X − n = (n + γ)·λ²/(1 − λ²), for λ < 1; E X = +∞ for λ ≥ 1 (Lemma 8.2)."""
    return (count + shift) * (laplace.exponential_moment(1, scale) - 1)


def mean_squared_error(count: Number, shift: Number, scale: Number) -> Number:
    """E (X − n)², for λ < 1/2; infinite for λ ≥ 1/2 (proof of Theorem 8.3)."""
    second, first = laplace.exponential_moment(2, scale), laplace.exponential_moment(1, scale)
    return (count + shift) ** 2 * (second - 2 * first + 1)


def mean_absolute_error(count: Number, shift: Number, scale: Number) -> Number:
    """E |X − n| = (n + γ)·λ/(1 − λ²), for λ < 1; infinite for λ ≥ 1.

    E|e^η − 1| = ½(1/(1−λ) − 1) + ½(1 − 1/(1+λ)), the two halves of the Laplace law.
    """
    return (count + shift) * scale / (1 - scale**2)


@dataclass(frozen=True)
class LogLaplace:
    """The law in the world c; count > −shift, scale λ > 0. Support (−shift, ∞), no atoms."""

    count: Number
    shift: Number
    scale: Number
    c: World = MP

    @property
    def low(self) -> Number:
        """−shift: outputs lie above it."""
        return -self.shift

    def log_density(self, x: Number) -> Number:
        return log_density(self.c.number(x), self.count, self.shift, self.scale, self.c)

    def cdf(self, x: Number) -> Number:
        return cdf(self.c.number(x), self.count, self.shift, self.scale, self.c)

    def quantile(self, p: Number) -> Number:
        """Raises ParameterError unless 0 < p < 1 certainly."""
        require_share(p)
        return quantile(self.c.number(p), self.count, self.shift, self.scale, self.c)
