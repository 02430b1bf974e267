"""Identities between closed forms, decided by sympy."""

from __future__ import annotations

import sympy
from sympy.core.evalf import PrecisionExhausted
from sympy.polys.fields import FracField
from sympy.polys.orderings import lex
from sympy.polys.polyerrors import BasePolynomialError

from establish.proofs_check.engine.methods.as_written import compared, sides
from establish.proofs_check.engine.verdicts import Evidence, Grade

PROBES = tuple(map(sympy.Rational, ("1/7", "3/11", "2/5", "-1/7", "-3/11", "2", "3", "-2", "-3")))
"""Values at which an identity that does not simplify to 0 is tried for a refutation."""


def _allowed(symbol: sympy.Symbol) -> list[sympy.Rational]:
    """The probes that satisfy what sympy assumes of the symbol: an integer is not tried at 1/7."""
    facts = symbol.assumptions0.items()
    return [v for v in PROBES if all(getattr(v, f"is_{fact}") == truth for fact, truth in facts)]


def _same_rational_function(left: sympy.Expr, right: sympy.Expr) -> bool:
    """Whether both lie in the field ℚ(symbols) and are equal there, by its arithmetic; False if not known.

    Where it applies it is many times faster than to simplify.
    """
    symbols = sorted(left.free_symbols | right.free_symbols, key=str)
    rational = all(
        side.is_rational_function(*symbols) and not side.has(sympy.Float) for side in (left, right)
    )
    if not symbols or not rational:
        return False
    rationals = FracField(symbols, sympy.QQ, lex)
    try:
        return bool(rationals.from_expr(left) == rationals.from_expr(right))
    except (ValueError, ZeroDivisionError, BasePolynomialError):  # as with π for a coefficient
        return False


def identity(left: sympy.Expr, right: sympy.Expr, says: str) -> Evidence:
    """Evidence that two expressions are equal wherever both are defined.

    The symbols take all values that sympy assumes of them. Proved when both are one rational function
    with rational coefficients, or the difference simplifies to exactly 0. Refuted when, at one of a few rational points, it is certainly more than 10^-20 in
    absolute value, all of 50 evaluated digits being accurate. Undecided otherwise.
    """
    written = sides(0, 1)
    left, right = sympy.sympify(left), sympy.sympify(right)
    shown = f"{says}: {compared(left, '=', right, written)}"
    if _same_rational_function(left, right):
        return Evidence(shown, True, Grade.PROOF, "symbolic")
    difference = sympy.simplify(left - right)
    if difference == 0:
        return Evidence(shown, True, Grade.PROOF, "symbolic")
    probes = {s: _allowed(s) for s in sorted(difference.free_symbols, key=str)}
    for shift in range(len(PROBES) if all(probes.values()) else 0):
        point = {s: v[(i + shift) % len(v)] for i, (s, v) in enumerate(probes.items())}
        try:
            value = sympy.N(difference.subs(point), 50, strict=True)
        except PrecisionExhausted:  # the terms cancel: their difference may well be 0
            continue
        if value.is_number and value.is_finite and abs(value) > sympy.Rational(1, 10**20):
            where = ", ".join(f"{s} = {v}" for s, v in point.items()) or "the constants"
            witness = f"{where}: they differ by {sympy.N(value, 15)}"
            return Evidence(shown, False, Grade.PROOF, "symbolic", witness)
    return Evidence(shown, None, Grade.PROOF, "symbolic")
