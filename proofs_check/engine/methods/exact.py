"""Exact comparison of rationals: the last word on every counterexample."""

import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from establish.proofs_check.engine.methods.as_written import compared, sides
from establish.proofs_check.engine.statements.experiments import OfExperiment
from establish.proofs_check.engine.statements.statement import Statement, StatementError, Truth, require
from establish.proofs_check.engine.verdicts import Evidence, Grade, Made

RELATIONS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
    ">=": operator.ge,
    ">": operator.gt,
}
"""The comparisons that a statement about two numbers may use."""


def compare(left: int | Fraction, relation: str, right: int | Fraction, says: str) -> Evidence:
    """Evidence that ``left relation right`` for two rationals.

    Raises TypeError for a float, ValueError for a relation that is none of RELATIONS.
    """
    if relation not in RELATIONS:
        raise ValueError(f"relation = {relation!r} is not one of {', '.join(RELATIONS)}")
    written = sides(0, 2)
    for value in (left, right):
        if not isinstance(value, (int, Fraction)):
            raise TypeError(
                f"{value!r} is a {type(value).__name__}, not an exact rational: pass an int or a Fraction"
            )
    arithmetic = f"{left} {relation} {right}"
    true = RELATIONS[relation](left, right)
    witness = "" if true else arithmetic
    shown = f"{says}: {compared(left, relation, right, written)}"
    return Evidence(shown, true, Grade.PROOF, "exact arithmetic", witness)


def refuted(statement: Statement, **point: Any) -> Evidence:
    """Evidence that a statement is false at a point of its domain, where it evaluates itself.

    The point is given in plain rationals, as text, integers or Fractions, or as a ``case``; Arb decides
    where rationals cannot. Raises StatementError for a point outside the domain, or one that is not given
    in full.
    """
    _require_evaluated(statement)
    values = {name: _rational(name, value) for name, value in point.items()}
    truth = statement.at(values)
    return Evidence(
        f"{statement.text} is false at {truth.shown}",
        {True: False, False: True, None: None}[truth.value],
        Grade.PROOF if truth.exact else Grade.ENCLOSURE,
        _method(statement, truth),
        "" if truth.value is False else truth.shown,
        decides=statement.text,
        identity=statement.identity,
        refutes=True,
        made=Made(statement, given=values),
    )


def _require_evaluated(statement: Statement) -> None:
    """Raises TypeError for what is no statement, or one whose intervals somebody may have typed."""
    require(statement, Statement, "AtMost, Every or another kind of statement")
    if isinstance(statement, OfExperiment):
        raise TypeError(
            f"statement = {statement.text} is about recorded numbers: give these to statistical.measured or "
            "statistical.refuted"
        )


def _method(statement: Statement, truth: Truth) -> str:
    """How a point was decided, and by what the statement was shown to have a value there."""
    return " + ".join(["exact arithmetic" if truth.exact else "enclosure", *statement.made_with])


def _rational(name: str, value: Any) -> Any:
    if name == "case" or not isinstance(value, str):
        return value
    try:
        return Fraction(value)
    except (ValueError, ZeroDivisionError):
        raise StatementError(f"{name} = {value!r} is not a rational number: write it as 1/2 or 0.5") from None


def decided(statement: Statement) -> Evidence:
    """Evidence for a statement without variables: its only point decides it."""
    _require_evaluated(statement)
    truth = statement.at({})
    return Evidence(
        f"{statement.text}: {truth.shown}",
        truth.value,
        Grade.PROOF if truth.exact else Grade.ENCLOSURE,
        _method(statement, truth),
        "" if truth.value else truth.shown,
        decides=statement.text,
        identity=statement.identity,
        made=Made(statement),
    )
