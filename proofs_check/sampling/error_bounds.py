"""The error bounds of the samplers' kernels, piece by piece in Arb.

The derivations stand beside the code: :mod:`establish.impl.sampling.quantile_table`, ``exponential`` and
``tables``. Here every number of them is enclosed, for the very floats that the samplers use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import factorial

import flint
import sympy

from establish.impl.sampling import exponential, laws, tables
from establish.impl.sampling.location_scale import LocationScale
from establish.impl.sampling.quantile_table import QuantileTable
from establish.proofs_check.methods import symbolic
from establish.proofs_check.verdicts import Evidence, Grade
from establish.spec.arithmetic import ARB, SYM, Number, World, enclosing
from establish.spec.distributions import gaussian, heavy_tailed, laplace
from establish.spec.earnings import normal

PRECISION = 160
"""Working bits: P(|Z| > z) is read as 2(1 − F(z)) and is as small as 2^−34."""

U = Fraction(1, 2**53)
"""u of the standard model."""

TINY = Fraction(1, 2**1000)
"""More than what subnormal results can lose in one evaluation."""


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
        lambda z: normal.cdf(z, ARB),
    ),
    Ideal(
        tables.heavy_tailed,
        tables.heavy_tailed_rate,
        lambda z, c: heavy_tailed.log_density(z, 4, c),
        lambda z: heavy_tailed.cdf(z, 4, ARB),
    ),
)


def horner_error(
    coefficients: Sequence[float],
    off: Sequence[Number],
    reach: Number,
    slip: Number,
) -> Number:
    """A bound of |v_0 − P(s)| for all |s| ≤ reach, by the recurrence of ``quantile_table``.

    off: bounds of |c_k − q_k|; slip: of |ŝ − s|. All are Arb numbers; so is the result.
    """
    u, tiny = ARB.number(U), ARB.number(TINY)
    error, largest = off[-1], abs(flint.arb(coefficients[-1]))
    for c, ε in zip(reversed(coefficients[:-1]), reversed(off[:-1]), strict=True):
        product = reach * error + largest * (slip + u * (reach + slip))
        largest = (abs(flint.arb(c)) + largest * (reach + slip) * (1 + u)) * (1 + u) + tiny
        error = (product + u * largest + ε + tiny).upper()
        largest = largest.upper()
    return error


def rows(table: QuantileTable) -> Iterator[tuple[Fraction, list[float]]]:
    """(C, [c_0, ..., c_d]) for every piece, in the order of the table."""
    middles = list(tables.middles(table.piece_bits))[::-1]
    for j, middle in enumerate(middles):
        yield (
            middle,
            [c if isinstance(c, float) else float(c[j]) for c in table.coefficients],
        )


def _above(ideal: Ideal, z: Number, u: Number) -> bool:
    """Whether Q(u) < z certainly: P(|Z| > z) < u, continued below z = 0."""
    if z < 0 and ideal.table is tables.laplace:
        return bool((-z).exp() < u)
    return bool(2 * (1 - ideal.cdf(z)) < u)


def _below(ideal: Ideal, z: Number, u: Number) -> bool:
    """Whether Q(u) > z certainly."""
    if z < 0 and ideal.table is tables.laplace:
        return bool((-z).exp() > u)
    return bool(2 * (1 - ideal.cdf(z)) > u)


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
        _below(ideal, first - near, c)
        and _above(ideal, first + near, c)
        and _below(ideal, low, c * (1 + half))
        and _above(ideal, high, c * (1 - half))
    )
    if not inside:
        return flint.arb.nan()
    degree = len(row) - 1
    true = tables.taylor((first - near).union(first + near), c, ideal.rate, degree)
    remainder = tables.taylor(low.union(high), c, ideal.rate, degree + 1)[-1]
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
                where = f"U = {middle}"
                return Evidence(says, None, Grade.ENCLOSURE, "enclosure", where)
    return Evidence(says, True, Grade.ENCLOSURE, "enclosure")


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
        starts = [
            (ideal.rate(flint.arb(0), ARB), *map(flint.arb, ideal.table().slope))
            for ideal in IDEALS
        ]
        third = flint.arb(IDEALS[-1].table().slope[1]) > ARB.number(Fraction(1, 3))
        covered = third and all(rate <= rho0 for rate, rho0, _ in starts)
    values = Evidence(
        "the slopes (ρ0, ρ1) are at least the values at z = 0, and 1/3",
        True if covered else None,
        Grade.ENCLOSURE,
        "enclosure",
    )
    return [gauss, heavy, values]


def exponential_bound() -> Evidence:
    """Evidence that the relative error of ``exponential`` is at most its ERROR for |x| ≤ LARGEST.

    |k| ≤ LARGEST·64/ln 2 + 1 < 2^16 and STEP_HIGH is an integer below 2^37 over 2^42, so k·STEP_HIGH has at
    most 53 bits; k is within 1/2 + 2^−30 of x·64/ln 2, as the product is off by |x|·64/ln 2·2.1u < 2^−35.
    """
    with enclosing(PRECISION):
        u, step = ARB.number(U), ARB.log(flint.arb(2)) / 64
        high, low = flint.arb(exponential.STEP_HIGH), flint.arb(exponential.STEP_LOW)
        most = flint.arb(exponential.LARGEST) / step + 1
        whole = Fraction(exponential.STEP_HIGH) * 2**42
        exact = most < 2**16 and whole.denominator == 1 and whole < 2**37
        reach = step * ARB.number(Fraction(1, 2) + Fraction(1, 2**30))
        lower = most * abs(low)
        slip = u * (2 * reach + 3 * lower) * (1 + u) + most * abs(step - high - low)
        fractions = [ARB.number(Fraction(1, factorial(k))) for k in range(exponential.DEGREE + 2)]
        off = [
            abs(flint.arb(c) - q) for c, q in zip(exponential.COEFFICIENTS, fractions, strict=False)
        ]
        error = horner_error(exponential.COEFFICIENTS, off, reach, slip)
        error += reach ** (exponential.DEGREE + 1) * fractions[-1] * ARB.exp(reach)
        table = max(
            (abs(flint.arb(power) / ARB.exp(j * step) - 1).upper())
            for j, power in enumerate(exponential.POWERS.tolist())
        )
        relative = (1 + error * ARB.exp(reach)) * (1 + u) * (1 + table) - 1
        good = exact and relative < flint.arb(exponential.ERROR)
        says = f"e^x is computed to {relative.str(3, radius=False)} relative for |x| ≤ 700"
    return Evidence(says, True if good else None, Grade.ENCLOSURE, "enclosure")


EPSILONS = tuple(map(Fraction, ("1/1000000", "1/100", "1/10", "1/2", "1", "2", "10", "1000")))
"""The ε at which the shifted table of the two-sided geometric law is verified."""


def geometric_bound(epsilon: Fraction) -> Evidence:
    """Evidence for the error bound of −ln U + δ on every piece, with the float c_0 that is used.

    The coefficients of −ln(C(1+s)) are −ln C and (−1)^k/k, and the remainder is at most
    h^(d+1)/((d+1)(1−h)^(d+1)).
    """
    sampler = laws.two_sided_geometric_sampler(epsilon, 1)
    assert isinstance(sampler, LocationScale)
    table = sampler.table
    says = f"the table of −ln U + δ keeps its bound at ε = {epsilon}"
    with enclosing(PRECISION):
        half, ratio = ARB.number(Fraction(1, 2 << table.piece_bits)), ARB.exp(ARB.number(-epsilon))
        shift = ARB.log(2 / (1 + ratio)) - ARB.number(epsilon) / 2
        e0, e1 = map(flint.arb, table.error)
        for middle, row in rows(table):
            value = shift - ARB.log(ARB.number(middle))
            true = [value, *(ARB.number(Fraction((-1) ** k, k)) for k in range(1, len(row)))]
            off = [abs(flint.arb(c) - q).upper() for c, q in zip(row, true, strict=True)]
            error = horner_error(row, off, half, half * ARB.number(U))
            error += (half / (1 - half)) ** len(row) / len(row)
            if not error < e0 + e1 * (value - 2 * half):
                return Evidence(says, None, Grade.ENCLOSURE, "enclosure", f"U = {middle}")
    return Evidence(says, True, Grade.ENCLOSURE, "enclosure")


def certify_bounds() -> list[Evidence]:
    """Evidence for every number on which the acceptance of a draw rests, for all laws."""
    found = []
    for ideal in IDEALS:
        table = ideal.table()
        e0, e1 = table.error
        says = f"the {table.name} quantile is computed to {e0:.3g} + {e1:.3g}·z for U ≥ 2^−34"
        found.append(table_bound(ideal, table, says))
        found.append(rate_is_inverse_density(ideal, table.name))
    found += slopes()
    found.append(exponential_bound())
    found += [geometric_bound(epsilon) for epsilon in EPSILONS]
    return found
