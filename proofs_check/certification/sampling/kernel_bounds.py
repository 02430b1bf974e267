"""The error of e^x, and of the shifted table of the two-sided geometric law."""

from __future__ import annotations

from fractions import Fraction
from math import factorial

import flint

from establish.impl.sampling import exponential, laws
from establish.proofs_check.certification.sampling.horner import PRECISION, U, enclosed, horner_error
from establish.proofs_check.certification.sampling.table_bounds import rows
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.arithmetic import ARB, enclosing


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
        off = [abs(flint.arb(c) - q) for c, q in zip(exponential.COEFFICIENTS, fractions, strict=False)]
        error = horner_error(exponential.COEFFICIENTS, off, reach, slip)
        error += reach ** (exponential.DEGREE + 1) * fractions[-1] * ARB.exp(reach)
        table = max(
            (abs(flint.arb(power) / ARB.exp(j * step) - 1).upper())
            for j, power in enumerate(exponential.POWERS.tolist())
        )
        relative = (1 + error * ARB.exp(reach)) * (1 + u) * (1 + table) - 1
        good = exact and relative < flint.arb(exponential.ERROR)
        says = f"e^x is computed to {relative.str(3, radius=False)} relative for |x| ≤ 700"
    return enclosed(says, good)


EPSILONS = tuple(map(Fraction, ("1/1000000", "1/100", "1/10", "1/2", "1", "2", "10", "1000")))
"""The ε at which the shifted table of the two-sided geometric law is verified."""


def geometric_bound(epsilon: Fraction) -> Evidence:
    """Evidence for the error bound of −ln U + δ on every piece, with the float c_0 that is used.

    The coefficients of −ln(C(1+s)) are −ln C and (−1)^k/k, and the remainder is at most
    h^(d+1)/((d+1)(1−h)^(d+1)).
    """
    table = laws.two_sided_geometric_sampler(epsilon, 1).table
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
                return enclosed(says, False, f"U = {middle}")
    return enclosed(says, True)
