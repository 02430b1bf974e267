"""The tables of the laws, computed with Arb when a law is first used.

With D the density of η, dU/dz = −2D(z), so z(s) = Q(C(1+s)) solves dz/ds = −C·rate(z), rate = 1/(2D): its
Taylor coefficients are those of the inverse function of s(z) = −∫ dz/(C·rate(z)) from Q(C) on. Q(C) itself
comes from the next piece's polynomial and one Newton step on the distribution function. None of this needs
to be trusted: what is certified are the floats that come out, and they are compared with those.

The slopes bound U·|Q'(U)| = U·rate(z), U = P(|η| > z), by ρ0 + ρ1·z:
- Laplace: U·rate = e^(−z)·e^z = 1.
- Gaussian: it is Mills' ratio M(z) = Φ(−z)/φ(z), M(0) = √(π/2) = 1.25331...; M' = zM − 1 < 0, as M < 1/z.
- 1/(1+z⁴): it is (1+z⁴)·T(z), T(z) = ∫ dt/(1+t⁴) from z on, T(0) = κ = π/(2√2) = 1.11072.... The function
  (κ + z/3)/(1+z⁴) − T(z) is 0 at z = 0 and in the limit, with derivative 4(1/3 − κz³)/(1+z⁴)²: it rises,
  then falls, so it is ≥ 0, and U·rate ≤ κ + z/3.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache

import flint
import numpy as np

from establish.impl.arrays import Floats
from establish.impl.sampling.certified import require_certified
from establish.impl.sampling.quantile_table import OCTAVES, QuantileTable
from establish.spec.arithmetic import ARB, Number, World, enclosing
from establish.spec.distributions import gaussian as gaussian_law
from establish.spec.distributions import heavy_tailed as heavy_tailed_law

Rate = Callable[[Number, World], Number]
"""1/(2D(z)) for the density D and z ≥ 0, continued analytically below 0."""

DEGREE = 5
"""Of the polynomials."""


def laplace_rate(z: Number, c: World) -> Number:
    """e^z."""
    return c.exp(z)


def gaussian_rate(z: Number, c: World) -> Number:
    """√(π/2)·e^(z²/2)."""
    return c.exp(z * z / 2) * c.sqrt(c.pi / 2)


def heavy_tailed_rate(z: Number, c: World) -> Number:
    """π/(2√2)·(1 + z⁴)."""
    return (1 + z * z * z * z) * (c.pi / c.sqrt(c.number(8)))


def _taylor(start: Number, middle: Number, rate: Rate) -> list[Number]:
    """The coefficients of z, z(0) = start and dz/ds = −middle·rate(z), up to s^DEGREE."""
    z = flint.arb_series([start, 1], DEGREE + 1)
    inverse = (1 / (rate(z, ARB) * -middle)).integral().reversion()
    return [start, *(inverse[k] for k in range(1, DEGREE + 1))]


def middles(piece_bits: int) -> Iterator[Fraction]:
    """The middles C of the pieces, from the one above U = 1 downwards."""
    parts = 1 << piece_bits
    yield 1 + Fraction(1, 2 * parts)
    for octave in range(1, OCTAVES + 1):
        for j in range(parts - 1, -1, -1):
            yield (1 + Fraction(2 * j + 1, 2 * parts)) / 2**octave


def _columns(piece_bits: int, rate: Rate, cdf: Callable[[Number], Number]) -> tuple[Floats, ...]:
    """c_0, ..., c_d by piece, from the lowest piece upwards."""
    rows = []
    with enclosing(128):
        at = flint.arb(1)
        z = _taylor(flint.arb(0), at, rate)
        for middle in map(ARB.number, middles(piece_bits)):
            guess, step = flint.arb(0), middle / at - 1
            for coefficient in reversed(z):
                guess = (guess * step + coefficient).mid()
            guess = (guess + (2 * (1 - cdf(guess)) - middle) * rate(guess, ARB)).mid()
            at, z = middle, _taylor(guess, middle, rate)
            rows.append([float(coefficient) for coefficient in z])
    return tuple(np.array(column[::-1]) for column in zip(*rows, strict=True))


def _certified(table: QuantileTable) -> QuantileTable:
    require_certified(table.name, table.coefficients)
    return table


@cache
def laplace() -> QuantileTable:
    """Q(U) = −ln U: −ln C by piece, and −ln(1 + s) with the same coefficients on all.

    The middles C of :func:`middles` are (1 + (2j + 1)/2^(bits + 1))/2^n.
    """
    bits, error = 7, (8e-16, 3.5e-16)
    with enclosing(128):
        two, parts = ARB.log(flint.arb(2)), 1 << bits
        first, *octave = (-ARB.log(1 + flint.arb((2 * j + 1, -bits - 1))) for j in (0, *range(parts)[::-1]))
        logs = [float(first), *(float(n * two + own) for n in range(1, OCTAVES + 1) for own in octave)]
    columns = (np.array(logs[::-1]), *((-1) ** k / k for k in range(1, DEGREE + 1)))
    return _certified(QuantileTable("Laplace", bits, columns, error, slope=(1.0, 0.0)))


@cache
def gaussian() -> QuantileTable:
    """Q of |N(0, 1)|."""
    bits, error = 6, (1.7e-14, 0.0)
    columns = _columns(bits, gaussian_rate, lambda z: gaussian_law.cdf(z, ARB))
    return _certified(QuantileTable("Gaussian", bits, columns, error, slope=(1.2534, 0.0)))


@cache
def heavy_tailed() -> QuantileTable:
    """Q for the density (√2/π)/(1 + z⁴)."""
    bits, error = 6, (9e-15, 2.8e-14)
    columns = _columns(bits, heavy_tailed_rate, lambda z: heavy_tailed_law.cdf(z, 4, ARB))
    slope = (1.1108, 0.33333334)
    return _certified(QuantileTable("heavy-tailed", bits, columns, error, slope))
