"""Identities between closed forms, decided by sympy."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import sympy
from sympy.core.evalf import PrecisionExhausted
from sympy.polys.fields import FracField
from sympy.polys.orderings import lex
from sympy.polys.polyerrors import BasePolynomialError

from establish.proofs_check.engine.methods import euler
from establish.proofs_check.engine.methods.as_written import compared, sides
from establish.proofs_check.engine.methods.definedness import not_shown, where_defined
from establish.proofs_check.engine.shared import shared
from establish.proofs_check.engine.statements.comparison import MAKERS, Comparison
from establish.proofs_check.engine.statements.moments import Expectation
from establish.proofs_check.engine.statements.statement import Statement, require
from establish.proofs_check.engine.statements.variables import Variable
from establish.proofs_check.engine.verdicts import Evidence, Grade, Made
from establish.spec.arithmetic import SYM

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
    with rational coefficients, or the difference simplifies to exactly 0. Refuted when, at one of a few
    rational points, it is certainly more than 10^-20 in absolute value, all of 50 evaluated digits being
    accurate. Undecided otherwise.
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


AGREEMENTS = 40
"""At how many points of the domain Arb must agree with an identity that sympy has shown."""


def symbol_of(variable: Variable) -> sympy.Symbol:
    """The symbol of a variable, with what its bounds tell of its sign."""
    facts: dict[str, Any] = {"real": True}
    if variable.field == "ℤ":
        facts = {"integer": True}
    low, high = (None if callable(b) else b for b in (variable.low, variable.high))
    if low is not None and sympy.Rational(str(low)) >= 0:
        positive = variable.low_open or sympy.Rational(str(low)) > 0
        facts["positive" if positive else "nonnegative"] = True
    elif high is not None and sympy.Rational(str(high)) <= 0:
        negative = variable.high_open or sympy.Rational(str(high)) < 0
        facts["negative" if negative else "nonpositive"] = True
    return sympy.Symbol(variable.name, **facts)


def free_symbols_of(variables: Sequence[Variable]) -> list[sympy.Expr]:
    """The variables as expressions in symbols whose signs are all that bounds them, so that sympy knows where
    they lie: v = h/(1+u) for 0 < v < h, and v = low + u for a low end other than 0.
    """
    found: list[sympy.Expr] = []
    for v in variables:
        low, high = v.low, v.high
        if low is not None and low != 0 and high is None:
            sign = "positive" if v.low_open else "nonnegative"
            least = low(SYM, *found) if callable(low) else sympy.Rational(str(low))
            found.append(least + sympy.Symbol(f"{v.name}_above", **{sign: True}))
        elif low == 0 and v.low_open and v.high_open and high is not None and not callable(high):
            above = sympy.Symbol(f"{v.name}_below", positive=True)
            found.append(sympy.Rational(str(high)) / (1 + above))
        else:
            found.append(symbol_of(v))
    return found


def sides_of(statement: Comparison) -> tuple[sympy.Expr, sympy.Expr, list[sympy.Symbol]]:
    """Both sides of a statement in sympy, and its symbols."""
    symbols = [symbol_of(v) for v in statement.domain.variables]
    left, right = (SYM.number(f(SYM, *symbols)) for f in (statement.left, statement.right))
    return left, right, symbols


@shared
def vanishes(difference: sympy.Expr) -> bool:
    """Whether an expression is 0 as a rational function, or simplifies to 0 by one of several ways."""
    if _same_rational_function(difference, sympy.S.Zero):
        return True
    ways = (
        sympy.simplify,
        lambda e: sympy.simplify(sympy.expand_log(e, force=True)),
        lambda e: sympy.simplify(sympy.expand(sympy.powsimp(e))),
        lambda e: sympy.simplify(e.rewrite(sympy.exp)),
        lambda e: sympy.simplify(e.rewrite(sympy.erf)),
    )
    return any(way(difference) == 0 for way in ways)


def _undecided(statement: Statement) -> Evidence:
    """What a method begins with."""
    return Evidence(
        statement.text,
        None,
        Grade.PROOF,
        "symbolic",
        decides=statement.text,
        identity=statement.identity,
        made=Made(statement),
    )


def proves(statement: Comparison) -> Evidence:
    """Evidence for an identity, by sympy and then by Arb at AGREEMENTS points of its domain.

    Arb shares no code with sympy: at every point where both sides are finite balls they must agree to 300
    digits, and there must be such points. Sides that are the same text before anything is simplified show
    nothing: undecided. Raises TypeError for a statement that is no identity.
    """
    require(statement, Comparison, MAKERS)
    if statement.relation != "==":
        raise TypeError(f"symbolic shows identities only, not {statement.text}")
    left, _, right = statement.conclusion.partition(" = ")
    undecided = _undecided(statement)
    if left == right:
        return replace(undecided, witness="both sides are the same text")
    first, second, _ = sides_of(statement)
    points, against = _points_of(statement)
    if against:
        return replace(undecided, established=False, witness=against)
    if not points or not vanishes(first - second):
        return undecided
    found = replace(undecided, established=True, method=f"symbolic + Arb at {points} points")
    return where_defined(found, statement)


def _points_of(statement: Comparison) -> tuple[int, str]:
    """(at how many points of the domain Arb does not contradict the statement, where it does)."""
    agreeing = 0
    for values in statement.domain.simple_points(AGREEMENTS):
        try:
            truth = statement.at(dict(zip(statement.domain.names, values, strict=True)))
        except ArithmeticError:  # a ball there is not finite
            continue
        if truth.value is False:
            return agreeing, truth.shown
        agreeing += 1
    return agreeing, ""


def signed(statement: Comparison) -> Evidence:
    """Evidence for an inequality whose gap sympy knows the sign of, from the bounds of the variables.

    Arb must agree at AGREEMENTS points of the domain. Undecided where sympy does not know. Raises
    TypeError for a statement that is no inequality.
    """
    wanted = {"<": "is_positive", "<=": "is_nonnegative"}
    if statement.relation not in wanted:
        raise TypeError(f"signed shows < and ≤ only, not {statement.text}")
    left, right, _ = sides_of(statement)
    undecided = _undecided(statement)
    points, against = _points_of(statement)
    if against:
        return replace(undecided, established=False, witness=against)
    known = (right - left, sympy.simplify(right - left), sympy.factor(right - left))
    if not points or not any(getattr(gap, wanted[statement.relation]) for gap in known):
        return undecided
    found = replace(undecided, established=True, method=f"symbolic + Arb at {points} points")
    return where_defined(found, statement)


def _without_bars(inner: sympy.Expr, t: sympy.Symbol, upper: sympy.Expr) -> sympy.Expr:
    """|inner| for 0 < t < upper, without the bars where its slope and one end tell the sign of inner."""
    slope = sympy.simplify(sympy.diff(inner, t))
    for sign in (1, -1):
        if not (sign * slope).is_nonnegative:
            continue
        if sympy.simplify(sign * inner.subs(t, 0)).is_nonnegative:
            return sign * inner
        if upper != sympy.oo and sympy.simplify(sign * inner.subs(t, upper)).is_nonpositive:
            return -sign * inner
    return sympy.Abs(inner)


def integrates(statement: Expectation) -> Evidence:
    """Evidence for an expectation: sympy integrates the density times the function between its breaks, or
    over the whole support (`euler.integral` where that is the positive numbers), and the sum is the closed
    form; quadrature must agree. In the same way the law must have mass 1 on the support, and all formulas
    must be defined there.

    Undecided where sympy finds no integral. Raises TypeError for breaks that are not in order.
    """
    found = _integrated(statement)
    if found.established is not True:
        return found
    mass = _integrated(statement.mass)
    if mass.established is not True:
        return replace(
            found, established=None, witness=f"it is not shown that the law has mass 1: {mass.witness}"
        )
    open_ = next(filter(None, map(not_shown, statement.values_exist)), "")
    return replace(found, established=None, witness=open_) if open_ else found


@shared
def _integrated(statement: Expectation) -> Evidence:
    """Whether the integral is the closed form."""
    undecided = _undecided(statement)
    tried, against = statement.counterexample(60)
    if against:
        return replace(undecided, established=False, witness=against)
    symbols = free_symbols_of(statement.domain.variables)
    law = statement.law(SYM, *symbols)
    low = -sympy.oo if statement.low is None else SYM.number(statement.low(SYM, *symbols))
    t = sympy.Symbol("t", positive=True)

    def piece(outcome: sympy.Expr, upper: sympy.Expr) -> sympy.Expr:
        density = sympy.exp(sympy.expand_log(law.log_density(outcome), force=True))
        value = statement.outcome(SYM, symbols, outcome).replace(
            sympy.Abs, lambda inner: _without_bars(inner, t, upper)
        )
        constant, varying = sympy.simplify(density * value).as_independent(t, as_Add=False)
        terms = (varying,)
        if not any(power.base.has(t) for power in varying.atoms(sympy.Pow) if power.exp.is_negative):
            terms = sympy.Add.make_args(sympy.expand(varying))  # thirty times as fast as their sum
        return constant * sum(sympy.integrate(term, (t, 0, upper)) for term in terms)

    known = None
    if low == 0 and not statement.breaks:
        known = euler.integral(law.log_density(t), statement.outcome(SYM, symbols, t), t)
    if known is not None:
        total = sympy.gammasimp(known)
    elif statement.breaks:
        ends = [SYM.number(end(SYM, *symbols)) for end in statement.breaks]
        if not all((after - before).is_nonnegative for before, after in pairwise(ends)):
            raise TypeError(
                f"integrates: the breaks {', '.join(map(str, ends))} are not in order at all parameters: "
                "leave out those that are no kink, or bound the parameters so that they are"
            )
        total = piece(ends[-1] + t, sympy.oo) + piece(ends[0] - t, ends[0] - low)
        total += sum(piece(before + t, after - before) for before, after in pairwise(ends))
    elif low == -sympy.oo:
        total = piece(t, sympy.oo) + piece(-t, sympy.oo)
    else:
        total = piece(low + t, sympy.oo)
    closed = SYM.number(statement.closed(SYM, *symbols))
    if total.has(sympy.Integral) or not vanishes(total - closed):
        return undecided
    return replace(undecided, established=True, method=f"symbolic + {tried}")
