"""The normal law, its standard distribution function and its quantiles, in the worlds that have them."""

from dataclasses import dataclass
from fractions import Fraction

from establish.spec.arithmetic import Number, World
from establish.spec.parameters import probability


def cdf(z: Number, c: World) -> Number:
    """Φ(z) = (1 + erf(z/√2))/2. Raises TypeError in EXACT, which has no square root."""
    return (1 + c.erf(c.number(z) / c.sqrt(c.number(2)))) / 2


def quantile(p: Number, c: World) -> Number:
    """The z with Φ(z) = p: √2·erf⁻¹(2p − 1).

    p: a number of the world strictly between 0 and 1, or a rational there (checked, ParameterError
    otherwise). TypeError in EXACT.
    """
    share = c.number(probability("p", p)) if isinstance(p, (int, Fraction)) else p
    return c.sqrt(c.number(2)) * c.erfinv(2 * share - 1)


def log_density(x: Number, mean: Number, sd: Number, c: World) -> Number:
    """−(x − m)²/(2s²) − ln(s·√(2π)) for mean m and standard deviation s > 0."""
    z = (c.number(x) - mean) / sd
    return -z * z / 2 - c.log(sd * c.sqrt(2 * c.pi))


@dataclass(frozen=True)
class Gaussian:
    """N(mean, sd²); ``mean`` and ``sd`` are numbers of the world ``c``.

    With sd = 0 it is the point mass at ``mean``, which has no density.
    """

    mean: Number
    sd: Number
    c: World

    def log_density(self, x: Number) -> Number:
        """ln of the density at x; for sd > 0."""
        return log_density(x, self.mean, self.sd, self.c)

    def cdf(self, x: Number) -> Number:
        """Pr[X ≤ x]; for sd > 0."""
        return cdf((self.c.number(x) - self.mean) / self.sd, self.c)


def shift(first: Gaussian, second: Gaussian) -> Number:
    """The least μ for which two normal laws of one standard deviation are μ-indistinguishable.

    It is the distance of the means in standard deviations: the trade-off function of the two laws is
    that of N(0, 1) and N(μ, 1) (Dong, Roth and Su 2021). Both laws must have the same sd > 0.
    """
    c = first.c
    return c.absolute(first.mean - second.mean) / first.sd


def renyi(first: Gaussian, second: Gaussian, order: Number) -> Number:
    """D_a(P‖Q) = a·(m − m')²/(2s²) for a > 1, both laws with one sd s > 0 and in one world (van Erven and
    Harremoës 2014).
    """
    return order * concentration(first, second)


def concentration(first: Gaussian, second: Gaussian) -> Number:
    """(m − m')²/(2s²), the least ρ for which two normal laws of one sd s > 0 are ρ-zCDP (Bun and Steinke
    2016).
    """
    c = first.c
    return c.power(first.mean - second.mean, 2) / (2 * c.power(first.sd, 2))
