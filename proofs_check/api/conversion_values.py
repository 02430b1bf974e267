"""Values of formulas as exact intervals: enclosed in Arb, with as many bits as fifteen digits need."""

from collections.abc import Callable
from decimal import ROUND_CEILING, ROUND_FLOOR
from fractions import Fraction
from math import log, log1p, sqrt
from typing import Any

from establish.proofs_check.limits.digits import decimal
from establish.spec.arithmetic import ARB, EXACT, Number, World, enclosing
from establish.spec.growth_scale import ends as ends_of

DIGITS = 15
MOST_BITS = 1 << 14
TINY = Fraction(1, 10**300)
"""What is less is told as between 0 and this."""

LEAST_EXCESS = 1e-6
"""How far above 1 the orders begin that are searched."""

Formula = Callable[[World], Number]
Ends = tuple[Fraction, Fraction]
"""At least the first and at most the second."""


def ends(formula: Formula) -> Ends:
    """Around the value, at least 0, of a formula: itself where it is rational, or DIGITS digits, outward."""
    try:
        value = Fraction(formula(EXACT))
        return value, value
    except TypeError:
        ball = _enclosed(formula, _is_narrow)
    if ball == 0:  # exactly
        return Fraction(0), Fraction(0)
    if _is_tiny(ball):
        return Fraction(0), TINY
    low, high = ends_of(ball)
    return _outward(max(low, Fraction(0)), high)


def first_below(falling: Callable[[Number, World], Number], target: Fraction, scale: Fraction) -> Ends:
    """Around the least x ≥ 0 at which a function that falls from x = 0 on is at most ``target``.

    scale: any number above 0, at which the search begins. Each step is decided in Arb.
    """

    def is_above(x: Fraction) -> bool:
        gap = _enclosed(lambda c: falling(c.number(x), c) - c.number(target), _has_a_sign)
        return bool(gap > 0)

    low, high = Fraction(0), scale
    if not is_above(low):
        return low, low
    while is_above(high):
        low, high = high, 2 * high
    while (high - low) * 10 ** (DIGITS + 1) > high:
        middle = (low + high) / 2
        low, high = (middle, high) if is_above(middle) else (low, middle)
    return _outward(low, high)


def order_for_delta(level: Fraction, rho: Fraction) -> Fraction:
    """An order near that at which a·ρ gives the least δ at ``level``, as δ is log-convex in the order.

    Where ln δ has the slope (2a − 1)ρ − level + ln(1 − 1/a) = 0; any order above 1 is valid.
    """
    at, slope = float(level), float(rho)
    return _order(lambda more: (2 * more + 1) * slope - at + log(more) - log1p(more), (at + 1) / slope + 1)


def order_for_epsilon(target: Fraction, rho: Fraction) -> Fraction:
    """An order near that at which a·ρ gives the least ε at δ = ``target``: ρ(a − 1)² = −ln target − ln a."""
    nats, slope = log(target.denominator) - log(target.numerator), float(rho)
    return _order(lambda more: slope * more * more - nats + log1p(more), sqrt(nats / slope) + 1)


def _order(rising: Callable[[float], float], most: float) -> Fraction:
    """1 + the root of a rising function between 0 and ``most``, to nine digits."""
    low, high = LEAST_EXCESS, most
    while (middle := (low + high) / 2) not in (low, high) and high - low > 1e-10 * high:
        low, high = (middle, high) if rising(middle) < 0 else (low, middle)
    return 1 + Fraction(f"{high:.8e}")


def _is_narrow(ball: Any) -> bool:
    return bool(ball.rel_accuracy_bits() > 4 * DIGITS) or _is_tiny(ball)


def _is_tiny(ball: Any) -> bool:
    return bool(ball < ARB.number(TINY))


def _has_a_sign(ball: Any) -> bool:
    return bool(ball > 0) or bool(ball < 0)


def _enclosed(formula: Formula, enough: Callable[[Any], bool]) -> Any:
    """A ball around the value, of the first precision that is enough; ArithmeticError beyond MOST_BITS."""
    bits = 256
    while bits <= MOST_BITS:
        with enclosing(bits):
            ball = formula(ARB)
            if ball.is_finite() and enough(ball):
                return ball
        bits *= 2
    raise ArithmeticError(f"{MOST_BITS} bits are not enough to enclose this value")


def _outward(low: Fraction, high: Fraction) -> Ends:
    return Fraction(decimal(low, DIGITS, ROUND_FLOOR)), Fraction(decimal(high, DIGITS, ROUND_CEILING))
