"""The standard normal distribution function and its quantiles, in the worlds that have them."""

from __future__ import annotations

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
