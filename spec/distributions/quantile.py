"""Quantiles of a continuous law whose distribution function has no closed inverse."""

from collections.abc import Callable
from fractions import Fraction
from typing import Protocol

import flint
import mpmath

from establish.spec.arithmetic import ARB, DIGITS, MP, Number, World, enclosing
from establish.spec.parameters import ParameterError, probability


class HasCdf(Protocol):
    def cdf(self, x: Number) -> Number: ...


def require_share(p: Number) -> None:
    """Raise ParameterError unless 0 < p < 1 certainly: a formula may have values elsewhere as well."""
    if not 0 < p < 1:
        raise ParameterError(f"p = {p} is not allowed: p must lie strictly between 0 and 1")


def at_most(one: Number, other: Number) -> bool:
    """Whether one number is at most another. Raises ArithmeticError where balls leave that open."""
    if one <= other:
        return True
    if one > other:
        return False
    raise ArithmeticError(f"it is open whether {one} is at most {other}")


def quantile(law: HasCdf, p: Fraction) -> Number:
    """The x with P(X ≤ x) = p to 50 digits, for a law read in MP; 0 < p < 1.

    Bisection between a bracket found by doubling. Raises ParameterError for p outside (0, 1).
    """
    target = MP.number(probability("p", p))
    low, high = MP.number(-1), MP.number(1)
    while law.cdf(low) > target:
        low *= 2
    while law.cdf(high) < target:
        high *= 2
    tolerance = MP.number(10) ** -DIGITS
    while high - low > tolerance * max(1, abs(low)):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if law.cdf(middle) < target else (low, middle)
    return (low + high) / 2


def quantile_ball(law_in: Callable[[World], HasCdf], p: Fraction, digits: int = 40) -> flint.arb:
    """A ball of radius 10^−digits (relative to max(1, |x|)) that certainly contains the quantile.

    The 50-digit value is only a guess; what certifies the ball is F(low) < p < F(high) in Arb.
    Raises ArithmeticError when the enclosure is too wide to decide that.
    """
    guess = quantile(law_in(MP), p)
    with enclosing():
        law, target = law_in(ARB), ARB.number(p)
        center = flint.arb(mpmath.nstr(guess, DIGITS))
        radius = flint.arb(10) ** -digits * ARB.maximum(flint.arb(1), abs(center))
        low, high = center - radius, center + radius
        if not (law.cdf(low) < target < law.cdf(high)):
            raise ArithmeticError(f"the quantile at p = {p} is not certified to {digits} digits")
        return low.union(high)
