"""Uncertainty intervals (Webb et al. 2025, Definition 5.2, with ψ(y) where ψ(x) is printed).

The interval around y ends at ψ⁻¹(max(ψ(0), ψ(y) − γ)) and ψ⁻¹(ψ(y) + γ). For ψ = √(x+a) the ends are
y + γ² ± 2γ√(y+a), so they are rational where √(y+a) is.
"""

import math
import sys
from fractions import Fraction

from establish.spec.arithmetic import MP, Number, World
from establish.spec.neighbor_functions.functions import NeighborFunction
from establish.spec.parameters import ParameterError, Rational, nonnegative


def clipped(psi: NeighborFunction, y: Rational, gamma: Rational) -> bool:
    """Whether ψ(y) − γ < ψ(0), so that the interval starts at 0. Decided exactly.

    Raises ParameterError for y or γ below 0.
    """
    if not psi.real_at_zero:
        return False
    value, distance = nonnegative("y", y), nonnegative("gamma", gamma)
    return distance > 0 and (value == 0 or psi.close(0, value, distance))


def uncertainty_interval(
    psi: NeighborFunction, y: Rational, gamma: Rational, c: World = MP
) -> tuple[Number, Number]:
    """[L, U] around y in the world ``c``; in EXACT only where ψ and ψ⁻¹ are rational.

    y ≥ 0, γ ≥ 0. Where ψ(0) = −∞, 0 is alone in its interval. Raises ParameterError for a y or γ below
    0, TypeError in EXACT where an end is irrational.
    """
    value, distance = nonnegative("y", y), nonnegative("gamma", gamma)
    if value == 0 and not psi.real_at_zero:
        return c.number(0), c.number(0)
    middle = psi.at_zero(c) if value == 0 else psi.value(value, c)
    upper = psi.inverse(middle + c.number(distance), c)
    if value == 0 or clipped(psi, value, distance):
        return c.number(0), upper
    return psi.inverse(middle - c.number(distance), c), upper


def farthest_floats(psi: NeighborFunction, x: float, gamma: Rational) -> tuple[float, float]:
    """The least and the largest float that are close to the float x ≥ 0, or a few floats within.

    A float is the binary rational that it is. Raises as :func:`uncertainty_interval`.
    """
    value = Fraction(x)
    ends = []
    for end in uncertainty_interval(psi, value, gamma):
        y = min(float(end), sys.float_info.max)
        while not psi.close(value, Fraction(y), gamma):
            y = math.nextafter(y, x)
        ends.append(y)
    return ends[0], ends[1]


def rational_root_interval(y: Rational, gamma: Rational, a: Rational = 0) -> tuple[Fraction, Fraction]:
    """The interval for ψ = √(x+a) where √(y+a) and √a are rational. Raises ParameterError otherwise."""
    value, distance, shift = nonnegative("y", y), nonnegative("gamma", gamma), nonnegative("a", a)
    here, start = _square_root(value + shift), _square_root(shift)
    low = max(start, here - distance)
    return low**2 - shift, (here + distance) ** 2 - shift


def _square_root(value: Fraction) -> Fraction:
    root = Fraction(math.isqrt(value.numerator), math.isqrt(value.denominator))
    if root**2 != value:
        raise ParameterError(f"√({value}) is irrational: use uncertainty_interval in MP, ARB or SYM")
    return root


def length(psi: NeighborFunction, y: Rational, gamma: Rational, c: World = MP) -> Number:
    """|I(y)| = U − L. Raises as :func:`uncertainty_interval`."""
    low, high = uncertainty_interval(psi, y, gamma, c)
    return high - low


def root_length(r: Number, gamma: Number, c: World) -> Number:
    """The length around y = r² for ψ = √: (r + γ)² − max(0, r − γ)², for r ≥ 0 and γ ≥ 0."""
    return c.power(r + gamma, 2) - c.power(c.maximum(c.number(0), r - gamma), 2)


def relative_length(psi: NeighborFunction, y: Rational, gamma: Rational, c: World = MP) -> Number:
    """|I(y)|/y for y > 0 (Theorem 5.3, statement 4). Raises ParameterError at y = 0."""
    if nonnegative("y", y) == 0:
        raise ParameterError("y = 0 is not allowed: the length relative to y divides by it")
    return length(psi, y, gamma, c) / c.number(nonnegative("y", y))
