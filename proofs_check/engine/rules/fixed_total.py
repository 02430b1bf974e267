"""Sums over shares with a fixed total, by one tangent; and induction over a whole number."""

from dataclasses import replace
from typing import Any

from establish.proofs_check.engine.rules.rule import RuleError, derived, rule
from establish.proofs_check.engine.statements import Comparison, Domain, Formula, LeastWhenEqual
from establish.proofs_check.engine.verdicts import Evidence


def tangent_of(statement: LeastWhenEqual, slope: Formula) -> Comparison:
    """What `by_tangent` owes, with a = 1/M: term(a) + slope·(p − a) ≤ term(p) for every share p.

    slope: a formula of a world, the parameters and M.
    """
    if statement.times != 1:
        raise RuleError(f"by_tangent: the least value is the one at equal shares: {statement.text}")
    term, count = statement.term, len(statement.domain.variables)

    def tangent(c: Any, *v: Any) -> Any:
        parameters, number, share = v[:count], v[count], v[count + 1]
        return term(c, *parameters, 1 / number) + slope(c, *parameters, number) * (share - 1 / number)

    return Comparison(
        Domain(statement.shares), tangent, "<=", lambda c, *v: term(c, *v[:count], v[count + 1])
    )


@rule
def by_tangent(statement: LeastWhenEqual, slope: Formula, *evidence: Evidence) -> Evidence:
    """Add up term(a) + slope·(p_j − a) ≤ term(p_j) over the M shares, a = 1/M: the shares have the sum 1 =
    M·a, so that the linear parts cancel, and the sum is at least M·term(a). M is read as a real number, which
    shows more.
    """
    return derived(statement, [tangent_of(statement, slope)], evidence, "by_tangent")


def base_and_step(
    statement: Comparison, name: str, factor: Formula
) -> tuple[Comparison, Comparison, Comparison]:
    """What `by_induction` owes over the integer variable ``name``, g being the gap of right over left: the
    statement at its least value; factor ≥ 0; and factor·g(n) ≤ g(n + 1).
    """
    place = statement.domain.names.index(name)
    variable = statement.domain.variables[place]
    if statement.relation != "<=" or statement.domain.conditions:
        raise RuleError(f"by_induction: needs ≤ without side conditions: {statement.text}")
    if variable.field != "ℤ" or not isinstance(variable.low, int) or variable.low_open:
        raise RuleError(f"by_induction: {name} must be an integer with a whole least value")
    if variable.high is not None or any(
        callable(b) for v in statement.domain.variables for b in (v.low, v.high)
    ):
        raise RuleError(f"by_induction: {name} must be unbounded, and all bounds constant")
    low = variable.low

    def at(formula: Formula, value: Any) -> Formula:
        return lambda c, *v: formula(c, *v[:place], value(v), *v[place:])

    rest = Domain((*statement.domain.variables[:place], *statement.domain.variables[place + 1 :]))
    base = Comparison(rest, at(statement.left, lambda v: low), "<=", at(statement.right, lambda v: low))
    every = statement.domain
    allowed = Comparison(every, 0, "<=", factor)

    def gap(c: Any, *v: Any) -> Any:
        return statement.right(c, *v) - statement.left(c, *v)

    def following(c: Any, *v: Any) -> Any:
        return gap(c, *v[:place], v[place] + 1, *v[place + 1 :])

    step = replace(statement, left=lambda c, *v: factor(c, *v) * gap(c, *v), right=following)
    return base, allowed, step


@rule
def by_induction(statement: Comparison, name: str, factor: Formula, *evidence: Evidence) -> Evidence:
    """Let g(n) be right − left. It is at least 0 at the least n; and if it is at n, g(n + 1) ≥ factor·g(n)
    ≥ 0. So it is at every n.
    """
    return derived(statement, base_and_step(statement, name, factor), evidence, "by_induction")
