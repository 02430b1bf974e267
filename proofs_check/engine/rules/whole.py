"""What is true of whole numbers because none lies between 0 and 1."""

from dataclasses import replace

import sympy

from establish.proofs_check.engine.methods.symbolic import symbol_of
from establish.proofs_check.engine.rules.rule import RuleError, derived, rule
from establish.proofs_check.engine.statements import Comparison, Formula
from establish.proofs_check.engine.statements.domain import Condition, number_or
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.arithmetic import SYM


def at_whole_numbers(statement: Comparison, value: Formula) -> tuple[Comparison, Comparison]:
    """What `whole_number` owes: the statement where the value is at most 0, and where it is at least 1."""

    def part(relation: str, end: int) -> Comparison:
        condition = Condition(value, relation, number_or(end))
        conditions = (*statement.domain.conditions, condition)
        return replace(statement, domain=replace(statement.domain, conditions=conditions))

    return part("<=", 0), part(">=", 1)


@rule
def whole_number(statement: Comparison, value: Formula, *evidence: Evidence) -> Evidence:
    """A sum of whole variables with whole factors is a whole number, so it is at most 0 or at least 1:
    the statement follows from both cases. The value must be such a sum, of the integer variables of the
    statement only.
    """
    variables = statement.domain.variables
    symbols = [symbol_of(v) for v in variables]
    written = sympy.expand(SYM.number(value(SYM, *symbols)))
    whole = [symbol for symbol, v in zip(symbols, variables, strict=True) if v.field == "ℤ"]
    if written.free_symbols - set(whole) or not written.is_polynomial(*whole):
        raise RuleError(f"whole_number: {written} is not a sum of integer variables: {statement.text}")
    if any(not factor.is_Integer for factor in sympy.Poly(written, *whole).coeffs()):
        raise RuleError(f"whole_number: {written} has factors that are not whole: {statement.text}")
    return derived(statement, at_whole_numbers(statement, value), evidence, "whole_number")
