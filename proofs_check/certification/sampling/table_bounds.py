"""The error of the quantile tables, piece by piece, for the very floats that the samplers use.

The derivations stand beside the code: :mod:`establish.impl.sampling.quantile_table` and ``tables``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

import flint
import sympy

from establish.impl.sampling import tables
from establish.impl.sampling.quantile_table import QuantileTable
from establish.proofs_check.certification.sampling.horner import PRECISION, U, enclosed, horner_error
from establish.proofs_check.engine.methods import symbolic
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.arithmetic import ARB, SYM, Number, World, enclosing
from establish.spec.distributions import gaussian, heavy_tailed, laplace


@dataclass(frozen=True)
class Ideal:
    """A symmetric law of the specification, and the sampler's table of its quantiles."""

    table: Callable[[], QuantileTable]
    rate: tables.Rate
    log_density: Callable[[Number, World], Number]
    cdf: Callable[[Number], Number]


IDEALS = (
    Ideal(
        tables.laplace,
        tables.laplace_rate,
        lambda z, c: laplace.log_density(z, c.number(0), c.number(1), c),
        lambda z: laplace.cdf(z, ARB.number(0), ARB.number(1), ARB),
    ),
    Ideal(
        tables.gaussian,
        tables.gaussian_rate,
        lambda z, c: gaussian.log_density(z, c.number(0), c.number(1), c),
        lambda z: gaussian.cdf(z, ARB),
    ),
    Ideal(
        tables.heavy_tailed,
        tables.heavy_tailed_rate,
        lambda z, c: heavy_tailed.log_density(z, 4, c),
        lambda z: heavy_tailed.cdf(z, 4, ARB),
    ),
)


def rows(table: QuantileTable) -> Iterator[tuple[Fraction, list[float]]]:
    """(C, [c_0, ..., c_d]) for every piece, in the order of the table."""
    middles = list(tables.middles(table.piece_bits))[::-1]
    for j, middle in enumerate(middles):
        yield (middle, [c if isinstance(c, float) else float(c[j]) for c in table.coefficients])


def _tail(ideal: Ideal, z: Number) -> Number:
    """P(|Z| > z), continued below z = 0: less than u where Q(u) < z, and more where Q(u) > z."""
    return (-z).exp() if z < 0 and ideal.table is tables.laplace else 2 * (1 - ideal.cdf(z))


def taylor(start: Number, middle: Number, rate: tables.Rate, degree: int) -> list[Number]:
    """Balls around the coefficients of z, z(0) = start and dz/ds = −middle·rate(z), up to s^degree.

    Picard's iteration: each round fixes one more. They stay narrow where ``start`` is a wide ball.
    """
    z = flint.arb_series([start], 1)
    for order in range(1, degree + 1):
        slope = flint.arb_series(list(rate(z, ARB)), order) * -middle
        z = flint.arb_series([start, *(slope[k] / (k + 1) for k in range(order))], order + 1)
    return [z[k] for k in range(degree + 1)]


def piece_excess(ideal: Ideal, table: QuantileTable, middle: Fraction, row: list[float]) -> Number:
    """A bound of the error on one piece, minus E0 + E1·Q there: certainly < 0 when the table keeps it.

    NaN when c_0 is not the rounded Q(C), or Q leaves the interval that is tried.
    """
    c, half = ARB.number(middle), ARB.number(Fraction(1, 2 << table.piece_bits))
    first = flint.arb(row[0])
    near = abs(first) * ARB.number(2 * U)
    far = abs(flint.arb(row[1])) * half * ARB.number(Fraction(11, 10))
    low, high = first - far, first + far
    inside = (
        _tail(ideal, first - near) > c
        and _tail(ideal, first + near) < c
        and _tail(ideal, low) > c * (1 + half)
        and _tail(ideal, high) < c * (1 - half)
    )
    if not inside:
        return flint.arb.nan()
    degree = len(row) - 1
    true = taylor((first - near).union(first + near), c, ideal.rate, degree)
    remainder = taylor(low.union(high), c, ideal.rate, degree + 1)[-1]
    off = [(flint.arb(c_k) - q_k).abs_upper() for c_k, q_k in zip(row, true, strict=True)]
    error = horner_error(row, off, half, half * ARB.number(U))
    error += remainder.abs_upper() * half ** (degree + 1)
    e0, e1 = map(flint.arb, table.error)
    return error - (e0 + e1 * (low if low > 0 else flint.arb(0)))


def table_bound(ideal: Ideal, table: QuantileTable, says: str) -> Evidence:
    """Evidence that the error of the table is at most E0 + E1·Q on every piece."""
    with enclosing(PRECISION):
        for middle, row in rows(table):
            if not piece_excess(ideal, table, middle, row) < 0:
                return enclosed(says, False, f"U = {middle}")
    return enclosed(says, True)


def rate_is_inverse_density(ideal: Ideal, name: str) -> Evidence:
    """Evidence that the differential equation of the table is the law's: rate = 1/(2D) for z > 0."""
    z = sympy.Symbol("z", positive=True)
    density = sympy.exp(ideal.log_density(z, SYM))
    says = f"the {name} table solves dz/dU = −1/(2D(z)) for the density D"
    return symbolic.identity(2 * density * ideal.rate(z, SYM), sympy.Integer(1), says)


def slopes() -> list[Evidence]:
    """Evidence for the derivatives on which the bounds of U·|Q'(U)| in ``tables`` rest."""
    z = sympy.Symbol("z", positive=True)
    tail = sympy.Function("T")(z)
    mills = tail * tables.gaussian_rate(z, SYM)
    slope = mills.diff(z).subs(tail.diff(z), -1 / tables.gaussian_rate(z, SYM))
    gauss = symbolic.identity(slope, z * mills - 1, "Mills' ratio has the derivative z·M − 1")
    kappa = tables.heavy_tailed_rate(sympy.Integer(0), SYM)
    gap = ((kappa + z / 3) / (1 + z**4)).diff(z) + 1 / (1 + z**4)
    heavy = symbolic.identity(
        gap,
        4 * (sympy.Rational(1, 3) - kappa * z**3) / (1 + z**4) ** 2,
        "(κ + z/3)/(1 + z⁴) − T(z) rises, then falls",
    )
    with enclosing(PRECISION):
        starts = [(ideal.rate(flint.arb(0), ARB), *map(flint.arb, ideal.table().slope)) for ideal in IDEALS]
        third = flint.arb(IDEALS[-1].table().slope[1]) > ARB.number(Fraction(1, 3))
        covered = third and all(rate <= rho0 for rate, rho0, _ in starts)
    values = "the slopes (ρ0, ρ1) are at least the values at z = 0, and 1/3"
    return [gauss, heavy, enclosed(values, covered)]
