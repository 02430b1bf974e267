"""The discrete Gaussian N_ℤ(m, s): P(X = k) ∝ e^{−(k − m)²/(2s)} on the integers (Canonne, Kamath and Steinke
2020, where s is called σ²).

m is any real, s > 0; the variance is not s, but at most s where m is an integer.
"""

from dataclasses import dataclass
from math import floor
from typing import Any

from establish.spec.arithmetic import MP, Number, World, precision
from establish.spec.distributions.on_integers import OnIntegers, total


def log_weight(k: Any, center: Number, square: Number, c: World) -> Number:
    """−(k − m)²/(2s)."""
    gap = c.number(k) - c.number(center)
    return -gap * gap / (2 * c.number(square))


def dual_total(square: Number, c: World) -> Number:
    """√(2πs)·Σ e^{−2π²·s·j²}, which Poisson's summation formula says is Σ e^{−k²/(2s)}, for s > 0."""
    s = c.number(square)
    return c.sqrt(2 * c.pi * s) * total(lambda j: -2 * c.pi * c.pi * s * (j * j), c)


def log_acceptance(k: Any, square: Number, scale: Number, c: World) -> Number:
    """−(|k| − s/t)²/(2s), ln of the probability by which a draw k of the discrete Laplace law with e^{−|k|/t}
    is kept, so that what is kept has the law around 0 (Canonne, Kamath and Steinke 2020).
    """
    s = c.number(square)
    gap = c.absolute(c.number(k)) - s / c.number(scale)
    return -gap * gap / (2 * s)


def tail(start: int, square: Number, c: World) -> Number:
    """Σ e^{−k²/(2s)} over k ≥ start, for a whole start ≥ 0: in ARB a ball that holds it.

    A weight is the one before times a ratio, which falls: all from k on add at most w(k)/(1 − ratio) to it.
    """
    s, found = c.number(square), c.number(0)
    weight, ratio = (c.exp(-c.number(k) / (2 * s)) for k in (start * start, 2 * start + 1))
    first, falls = weight, c.exp(-1 / s)
    smallest = c.number(2 ** precision()[0 if c is MP else 1])
    while True:
        left_out = weight / (1 - ratio)
        if left_out * smallest < first:
            return found if c is MP else found + left_out * (1 + c.number(0).__class__(0, 1)) / 2
        found, weight, ratio = found + weight, weight * ratio, ratio * falls


@dataclass(frozen=True)
class DiscreteGaussian(OnIntegers):
    """N_ℤ(center, square); both are numbers of the world ``c``, or exact."""

    center: Number
    square: Number
    c: World = MP

    def log_weight(self, k: Any) -> Number:
        return log_weight(k, self.center, self.square, self.c)

    def cdf(self, x: Any) -> Number:
        """P(X ≤ x), for a whole center: by the tail on the side of x, so that no digit of it is lost."""
        c, k = self.c, floor(x) - int(self.center)
        every = 1 + 2 * tail(1, self.square, c)
        return tail(-k, self.square, c) / every if k < 0 else 1 - tail(k + 1, self.square, c) / every

    def variance(self) -> Number:
        """E (X − E X)²."""
        c, center = self.c, self.c.number(self.center)
        size = c.power(1 + c.absolute(center), 2)
        gap = self.mean(lambda k: c.number(k) - center, 1, size)
        return self.mean(lambda k: c.power(c.number(k) - center, 2), 2, size) - gap * gap
