"""Inequalities by calculus: the sign of a slope, and the value at one end."""

from dataclasses import replace
from typing import Any

import sympy

from establish.proofs_check.engine.methods.symbolic import symbol_of
from establish.proofs_check.engine.rules.rule import RuleError, derived, rule
from establish.proofs_check.engine.shared import shared
from establish.proofs_check.engine.statements import Comparison, Domain, Formula
from establish.proofs_check.engine.verdicts import Evidence
from establish.proofs_check.terms.trees import parts
from establish.spec.arithmetic import SYM, World

JUMPS = {"sign", "floor", "where", "undefined", "computed"}
"""Nodes of a tree that may jump."""

FUNCTIONS = {
    sympy.exp: "exp",
    sympy.log: "log",
    sympy.sin: "sin",
    sympy.erf: "erf",
    sympy.Abs: "absolute",
    sympy.sign: "sign",
}
"""The functions of sympy that an expression read back into a world may contain."""


def formula_of(expression: sympy.Expr, symbols: list[sympy.Symbol]) -> Formula:
    """A sympy expression as a formula over the worlds. Raises RuleError for a function without one."""

    def read(e: Any, c: World, values: dict[Any, Any]) -> Any:
        if e in values:
            return values[e]
        if e.is_Rational:
            return c.number(sympy_fraction(e))
        if e is sympy.pi:
            return c.pi
        if e is sympy.E:
            return c.exp(c.number(1))
        inner = [read(a, c, values) for a in e.args]
        if e.is_Add:
            return sum(inner[1:], inner[0])
        if e.is_Mul:
            product = inner[0]
            for factor in inner[1:]:
                product = product * factor
            return product
        if e.is_Pow:
            base, exponent = e.args
            if exponent.is_Integer:
                return c.power(inner[0], int(exponent))
            if exponent == sympy.Rational(1, 2):
                return c.sqrt(inner[0])
            if exponent.is_Rational and base.is_positive:
                return c.power(inner[0], sympy_fraction(exponent))
            if base.is_positive or (base.is_nonnegative and exponent.is_positive):
                return c.power(inner[0], inner[1])
            return _unreadable(e)
        if e.func in FUNCTIONS:
            return getattr(c, FUNCTIONS[e.func])(*inner)
        return _unreadable(e)

    return lambda c, *x: read(expression, c, dict(zip(symbols, x, strict=True)))


def sympy_fraction(number: sympy.Rational) -> Any:
    from fractions import Fraction

    return Fraction(int(number.p), int(number.q))


def _unreadable(expression: Any) -> Any:
    raise RuleError(f"{expression} cannot be read back into a formula")


@shared
def _slope(expression: sympy.Expr, symbol: sympy.Symbol) -> sympy.Expr:
    return sympy.simplify(sympy.diff(expression, symbol))


def slope_obligations(statement: Comparison, name: str) -> tuple[Comparison, Comparison]:
    """What `slope_and_end` owes: the statement at the low end of a variable, and its slope inside."""
    variables = statement.domain.variables
    place = statement.domain.names.index(name)
    variable = variables[place]
    if statement.relation not in ("<", "<=") or statement.domain.conditions:
        raise RuleError("slope_and_end: needs < or ≤ without side conditions")
    if variable.low is None or variable.field != "ℝ":
        raise RuleError(f"slope_and_end: {name} must be real with a low end")
    nodes = {part.op for part in parts([statement.left.term, statement.right.term])}
    if jumps := nodes & JUMPS:
        raise RuleError(
            f"slope_and_end: a formula with {', '.join(sorted(jumps))} may jump: split it into cases"
        )
    if any(callable(b) for v in variables[place + 1 :] for b in (v.low, v.high)):
        raise RuleError(f"slope_and_end: put {name} last: later bounds depend on the ones before")
    symbols = [symbol_of(v) for v in variables]
    gap = statement.right(SYM, *symbols) - statement.left(SYM, *symbols)
    if any(symbols[place] in bend.free_symbols for bend in gap.atoms(sympy.Abs)):
        raise RuleError(f"slope_and_end: an absolute value has no slope at 0: split it into cases: {gap}")
    rise = formula_of(_slope(gap, symbols[place]), symbols)
    inner = replace(variable, low_open=True, high_open=True)
    open_ = Domain((*variables[:place], inner, *variables[place + 1 :]))
    slope = Comparison(open_, lambda c, *x: c.number(0), "<=", rise)
    low = variable.low

    def end(formula: Formula) -> Formula:
        def at_end(c: World, *others: Any) -> Any:
            before = others[:place]
            value = low(c, *before) if callable(low) else c.number(low)
            return formula(c, *before, value, *others[place:])

        return at_end

    rest = Domain((*variables[:place], *variables[place + 1 :]))
    start = Comparison(rest, end(statement.left), statement.relation, end(statement.right))
    return start, slope


@rule
def slope_and_end(statement: Comparison, name: str, *evidence: Evidence) -> Evidence:
    """If right − left is continuous in a variable on its whole interval and has a derivative of at least 0
    between the ends, it is least at the low end: so the statement follows from its case at that end. The
    derivative is taken by sympy from the statement's own formulas. They are continuous where they are
    defined, as none of them jumps, and that they are defined is owed. With an open end the case at the end
    may be shown for ≤ only, so that a strict statement owes it strictly all the same.
    """
    return derived(statement, slope_obligations(statement, name), evidence, "slope_and_end")
