"""The rounding error of Horner's rule, enclosed in Arb."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import flint

from establish.proofs_check.engine.verdicts import Evidence, Grade
from establish.spec.arithmetic import ARB, Number

PRECISION = 160
"""Working bits: P(|Z| > z) is read as 2(1 − F(z)) and is as small as 2^−34."""

U = Fraction(1, 2**53)
"""u of the standard model."""

TINY = Fraction(1, 2**1000)
"""More than what subnormal results can lose in one evaluation."""


def enclosed(says: str, good: object, where: str = "") -> Evidence:
    """Evidence by balls, which show nothing where they do not show that it is good."""
    return Evidence(says, True if good else None, Grade.ENCLOSURE, "enclosure", where)


def horner_error(coefficients: Sequence[float], off: Sequence[Number], reach: Number, slip: Number) -> Number:
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
