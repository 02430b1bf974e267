"""The Laplace law: density e^(−|x−center|/scale) / (2·scale) (Haney et al. 2017, Definition 2.4)."""

from dataclasses import dataclass
from math import factorial

from establish.spec.arithmetic import MP, Number, World
from establish.spec.distributions.quantile import require_share


def log_density(x: Number, center: Number, scale: Number, c: World) -> Number:
    """ln of the density at x; scale > 0."""
    return -c.absolute(x - center) / scale - c.log(2 * scale)


def cdf(x: Number, center: Number, scale: Number, c: World) -> Number:
    """P(X ≤ x), without a case split so that balls may straddle the center.

    In the lower tail 1 + sign(z) is 0, and no digit of ½·e^z is lost.
    """
    z = (x - center) / scale
    return (1 + c.sign(z) - c.sign(z) * c.exp(-c.absolute(z))) / 2


def quantile(p: Number, center: Number, scale: Number, c: World) -> Number:
    """The x with P(X ≤ x) = p, for 0 < p < 1."""
    tail = -c.maximum(-p, p - 1)
    return center - scale * c.sign(2 * p - 1) * c.log(2 * tail)


def absolute_moment(k: int, scale: Number) -> Number:
    """E|X − center|^k = k!·scale^k; the k-th central moment too when k is even, and 0 when k is odd."""
    return factorial(k) * scale**k


def exponential_moment(k: Number, scale: Number) -> Number:
    """E e^(k(X − center)) = 1/(1 − (k·scale)²), valid for |k|·scale < 1 and infinite otherwise.

    Source: the moment generating function used in the proofs of Lemma 8.2 and Theorem 8.3.
    """
    return 1 / (1 - (k * scale) ** 2)


def dilation_excess(stretch: Number, epsilon: Number, c: World) -> Number:
    """sup over events of P(Z∈S) − e^ε·P(Z∈e^λ·S) for Z ~ Laplace(1), with λ = stretch > 0.

    The loss (e^λ−1)·|z| − λ exceeds ε beyond z₁ = (ε+λ)/(e^λ−1); there e^ε·P(|Z| > e^λ·z₁) is
    e^−λ·P(|Z| > z₁), so the excess is e^(−z₁)·(1 − e^−λ).
    """
    end = (epsilon + stretch) / (c.exp(stretch) - 1)
    return c.exp(-end) * (1 - c.exp(-stretch))


@dataclass(frozen=True)
class Laplace:
    """A Laplace law in the world c; center real, scale > 0. Support: the real line, no atoms."""

    center: Number
    scale: Number
    c: World = MP

    def log_density(self, x: Number) -> Number:
        return log_density(self.c.number(x), self.center, self.scale, self.c)

    def cdf(self, x: Number) -> Number:
        return cdf(self.c.number(x), self.center, self.scale, self.c)

    def above(self, x: Number) -> Number:
        """P(X > x) for x of at least the center."""
        return self.c.exp(-(self.c.number(x) - self.center) / self.scale) / 2

    def below(self, x: Number) -> Number:
        """P(X < x) for x of at most the center."""
        return self.c.exp((self.c.number(x) - self.center) / self.scale) / 2

    def quantile(self, p: Number) -> Number:
        """Raises ParameterError unless 0 < p < 1 certainly."""
        require_share(p)
        return quantile(self.c.number(p), self.center, self.scale, self.c)
