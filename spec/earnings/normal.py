"""The standard normal distribution function and its quantiles, in the worlds that have them."""

from __future__ import annotations

from fractions import Fraction

import flint
import sympy

from establish.spec.arithmetic import MP, SYM, Number, World
from establish.spec.parameters import probability


def cdf(z: Number, c: World) -> Number:
    """Φ(z) = (1 + erf(z/√2))/2. Raises TypeError in EXACT, which has no square root."""
    x = c.number(z) / c.sqrt(c.number(2))
    if c is SYM:
        return (1 + sympy.erf(x)) / 2
    return (1 + (x.erf() if isinstance(x, flint.arb) else MP.mp.erf(x))) / 2


def quantile(p: Fraction, c: World) -> Number:
    """The z with Φ(z) = p: √2·erf⁻¹(2p − 1).

    p: a rational strictly between 0 and 1; ParameterError otherwise. TypeError in EXACT.
    """
    root = c.sqrt(c.number(2))
    x = c.number(2 * probability("p", p) - 1)
    if c is SYM:
        return root * sympy.erfinv(x)
    return root * (x.erfinv() if isinstance(x, flint.arb) else MP.mp.erfinv(x))
