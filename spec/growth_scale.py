"""The growth scale φ of counts, on which every step to a neighbor is at most 1; ours.

φ(x) = max over whole j ≥ 0 of ln(α·(x+j))/ln(1+α) − j. It is attained at the least j with x + j ≥ 1/α: from
1/α workers on φ is the logarithm of the count to the base 1+α, and below it every worker is one step. φ is
continuous, increases, and φ(max((1+α)x, x+1)) = φ(x) + 1 for every x ≥ 0.
"""

from collections.abc import Iterable
from fractions import Fraction
from math import ceil

import flint

from establish.spec.arithmetic import MP, Number, World


def piece(x: Number, j: Number, alpha: Number, c: World) -> Number:
    """ln(α·(x+j))/ln(1+α) − j, for x + j > 0."""
    alpha = c.number(alpha)
    return c.log(alpha * (x + j)) / c.log(1 + alpha) - j


def inverse_piece(y: Number, j: Number, alpha: Number, c: World) -> Number:
    """(1+α)^(y+j)/α − j, where piece j is y."""
    alpha = c.number(alpha)
    return c.exp((y + j) * c.log(1 + alpha)) / alpha - j


def ends(x: Number) -> tuple[Fraction, Fraction]:
    """Exact numbers below and above a value: twice the number itself, or the ends of a ball."""
    if isinstance(x, flint.arb):
        low, high = (end.man_exp() for end in (x.lower(), x.upper()))
        return _dyadic(*map(int, low)), _dyadic(*map(int, high))
    if isinstance(x, MP.mp.mpf):
        sign, man, exponent, _ = x._mpf_
        value = _dyadic(-int(man) if sign else int(man), exponent)
        return value, value
    value = x if type(x) is Fraction else Fraction(x)
    return value, value


def united(found: Iterable[Number]) -> Number:
    """The ball around balls; of other numbers, the first."""
    first, *others = found
    for one in others:
        first = first.union(one) if isinstance(first, flint.arb) else first
    return first


def _dyadic(man: int, exponent: int) -> Fraction:
    """man·2^exponent."""
    return Fraction(man << exponent) if exponent >= 0 else Fraction(man, 1 << -exponent)


def joints(x: Number, alpha: Fraction) -> range:
    """The j at which φ(x) may be attained: one, or those of a ball."""
    low, high = ends(x)
    first, last = (max(0, ceil(1 / alpha - end)) for end in (high, low))
    return range(first, last + 1)


def scale(x: Number, alpha: Fraction, c: World) -> Number:
    """φ(x) for a real x that is exact, high-precision or a ball."""
    pieces = [piece(c.number(x), c.number(j), alpha, c) for j in joints(x, alpha)]
    largest = pieces[0]
    for one in pieces[1:]:
        largest = c.maximum(largest, one)
    return largest


def inverse(y: Number, alpha: Fraction, c: World) -> Number:
    """φ⁻¹(y), the least of the inverse pieces over whole j ≥ 0: that with j the least whole number ≥ −y."""
    low, high = ends(y)
    places = range(max(0, ceil(-high)), max(0, ceil(-low)) + 1)
    pieces = [inverse_piece(c.number(y), c.number(j), alpha, c) for j in places]
    least = pieces[0]
    for one in pieces[1:]:
        least = -c.maximum(-least, -one)
    return least


def piece_log_slope(x: Number, j: Number, alpha: Number, c: World) -> Number:
    """−ln((x+j)·ln(1+α)): ln of the slope of piece j, for x + j > 0."""
    return -c.log((x + j) * c.log(1 + c.number(alpha)))


def log_slope(x: Number, alpha: Fraction, c: World) -> Number:
    """ln φ'(x); at a joint, where the slope jumps, that on its right; for a ball around one, on its left."""
    return piece_log_slope(c.number(x), c.number(joints(x, alpha)[-1]), alpha, c)
