"""A statement as an instance of a more general one."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import sympy

from establish.proofs_check.engine.methods.symbolic import symbol_of, vanishes
from establish.proofs_check.engine.rules.rule import RuleError, derived, rule
from establish.proofs_check.engine.statements import Comparison, Condition, Formula, Variable
from establish.proofs_check.engine.verdicts import Evidence
from establish.proofs_check.terms.reify import TERMS
from establish.proofs_check.terms.trees import lift
from establish.spec.arithmetic import SYM


def _composed(formula: Formula, inner: list[Formula]) -> Formula:
    return lambda c, *x: formula(c, *(g(c, *x) for g in inner))


def within(statement: Comparison, general: Comparison, inner: list[Formula]) -> list[Comparison]:
    """That the values lie in the domain of the general statement, bound by bound.

    Raises RuleError for a value that is not seen to be of the kind of its variable, whole or rational.
    """
    _require_kinds(statement, general, inner)
    owed: list[Comparison] = []

    def need(left: Formula, relation: str, right: Formula) -> None:
        owed.append(replace(statement, left=left, relation=relation, right=right))

    for place, variable in enumerate(general.domain.variables):
        value = inner[place]
        if _is_variable(value, variable, statement):
            continue
        for bound, words in (
            (variable.low, ">" if variable.low_open else ">="),
            (variable.high, "<" if variable.high_open else "<="),
        ):
            if bound is not None:
                limit = _composed(bound, inner[:place]) if callable(bound) else _constant(bound)
                need(value, words, limit)
    for condition in general.domain.conditions:
        need(_composed(condition.left, inner), condition.relation, _composed(condition.right, inner))
    return owed


def _require_kinds(statement: Comparison, general: Comparison, inner: list[Formula]) -> None:
    """Sympy tells from the kinds of the variables whether a value is whole, or rational."""
    symbols = [
        sympy.Symbol(v.name, rational=True) if v.field == "ℚ" else symbol_of(v)
        for v in statement.domain.variables
    ]
    for variable, value in zip(general.domain.variables, inner, strict=True):
        if variable.field == "ℝ":
            continue
        written = SYM.number(value(SYM, *symbols))
        if not (written.is_integer if variable.field == "ℤ" else written.is_rational):
            raise RuleError(f"{variable.name} lies in {variable.field}, and {written} is not seen to")


def _is_variable(value: Formula, variable: Variable, statement: Comparison) -> bool:
    """Whether the value is a variable of the statement itself, which has the very same fixed bounds."""
    for place, own in enumerate(statement.domain.variables):
        fixed = not callable(own.low) and not callable(own.high)
        same = replace(own, name=variable.name) == variable
        if fixed and same and _same(value, lambda c, *x, at=place: x[at], statement.domain.terms):
            return True
    return False


def _constant(bound: Any) -> Formula:
    return lambda c, *x: c.number(bound)


def obligations(
    statement: Comparison, general: Comparison, values: Mapping[str, Formula]
) -> tuple[Comparison, ...]:
    """What `substitute` owes: the general statement, and that the values lie in its domain."""
    names = general.domain.names
    if set(values) != set(names):
        raise RuleError(f"substitute: give a value to each of {', '.join(names)}")
    if general.relation != statement.relation:
        raise RuleError("substitute: both statements must have the same relation")
    return (general, *within(statement, general, [values[name] for name in names]))


@rule
def substitute(
    statement: Comparison, general: Comparison, values: Mapping[str, Formula], *evidence: Evidence
) -> Evidence:
    """A statement for all x in a domain holds at values g(y) that lie in the domain. Both sides of the
    statement must be those of the general one at x = g(y): the same tree, or equal as sympy simplifies them.
    Integer and rational variables of the general statement must get values of their kind.
    """
    owed = obligations(statement, general, values)
    inner = [values[name] for name in general.domain.names]
    terms = [symbol_of(v) for v in statement.domain.variables]
    for own, theirs in ((statement.left, general.left), (statement.right, general.right)):
        moved = _composed(theirs, inner)
        if _same(own, moved, statement.domain.terms):
            continue
        if not vanishes(SYM.number(own(SYM, *terms)) - SYM.number(moved(SYM, *terms))):
            raise RuleError(f"substitute: the sides differ after substitution: {statement.text}")
    return derived(
        statement, owed, evidence, "substitute", given={name: values[name] for name in general.domain.names}
    )


def _same(first: Formula, second: Formula, variables: Sequence[Any]) -> bool:
    """Whether two formulas are one tree over these variables: a text would take a name for a formula."""
    try:
        return lift(first(TERMS, *variables)) is lift(second(TERMS, *variables))
    except Exception:  # one of them branches, so that no single run of it gives a tree
        return False


__all__ = ["Condition", "obligations", "substitute"]
