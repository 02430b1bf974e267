"""Identities between closed forms, decided by sympy."""

from __future__ import annotations

import sympy

from establish.proofs_check.verdicts import Evidence, Grade

PROBES = (sympy.Rational(1, 7), sympy.Rational(3, 11), sympy.Rational(2, 5))
"""Values at which an identity that does not simplify to 0 is tried for a refutation."""


def identity(left: sympy.Expr, right: sympy.Expr, says: str) -> Evidence:
    """Evidence that two expressions are equal for all values of their symbols (as sympy assumes them).

    Proved when the difference simplifies to exactly 0. Refuted when, at one of a few rational points,
    it is at least 10^-20 in absolute value at 50 evaluated digits. Undecided otherwise.
    """
    left, right = sympy.sympify(left), sympy.sympify(right)
    shown = f"{says}: {left} = {right}"
    difference = sympy.simplify(left - right)
    if difference == 0:
        return Evidence(shown, True, Grade.PROOF, "symbolic")
    symbols = sorted(difference.free_symbols, key=str)
    for shift in range(len(PROBES)):
        point = {s: PROBES[(i + shift) % len(PROBES)] for i, s in enumerate(symbols)}
        value = sympy.N(difference.subs(point), 50)
        if value.is_number and value.is_finite and abs(value) > sympy.Rational(1, 10**20):
            where = ", ".join(f"{s} = {v}" for s, v in point.items()) or "the constants"
            witness = f"{where}: they differ by {sympy.N(value, 15)}"
            return Evidence(shown, False, Grade.PROOF, "symbolic", witness)
    return Evidence(shown, None, Grade.PROOF, "symbolic")
