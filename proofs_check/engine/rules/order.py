"""Inequalities from inequalities: through a middle term, and under an increasing function."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

from establish.proofs_check.engine.rules.rule import RuleError, derived, rule
from establish.proofs_check.engine.statements import Comparison, Formula
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.arithmetic import World

INCREASING: dict[str, Callable[[World, Any], Any]] = {
    "exp": lambda c, value: c.exp(value),
    "log": lambda c, value: c.log(value),
    "square": lambda c, value: value * value,
}
"""Functions that increase, each with how it is applied to a side. ``log`` needs both sides to be positive
and ``square`` needs them to be at least 0, which is then owed."""

ORDERS = ("<", "<=")


def _least(statement: Comparison, side: str, strict: bool) -> Comparison:
    """``0 < side`` or ``0 ≤ side`` on the domain of the statement."""
    return replace(statement, left=0, relation="<" if strict else "<=", right=getattr(statement, side))


def transformed(statement: Comparison, function: str) -> tuple[Comparison, ...]:
    """What `increasing` owes: the statement with the function applied to both sides, and signs."""
    if function not in INCREASING:
        raise RuleError(f"increasing: {function} is not one of {', '.join(INCREASING)}")
    if statement.relation not in ORDERS:
        raise RuleError(f"increasing: needs < or ≤, not {statement.text}")
    apply = INCREASING[function]

    def under(side: Formula) -> Formula:
        return lambda c, *x: apply(c, side(c, *x))

    moved = replace(statement, left=under(statement.left), right=under(statement.right))
    if function == "exp":
        return (moved,)
    strict = function == "log"
    return moved, *(_least(statement, side, strict) for side in ("left", "right"))


@rule
def increasing(statement: Comparison, function: str, *evidence: Evidence) -> Evidence:
    """exp increases on the reals, ln on the positive numbers, the square on those of at least 0: so left ≤
    right follows when it holds after the function is applied to both sides, and both lie where it increases.
    """
    return derived(statement, transformed(statement, function), evidence, "increasing")


def links(statement: Comparison, *middle: Formula) -> tuple[Comparison, ...]:
    """What `chain` owes: each step from the left side to the right side."""
    if statement.relation not in ORDERS or not middle:
        raise RuleError(f"chain: needs < or ≤ and a middle term, not {statement.text}")
    sides = [statement.left, *middle, statement.right]
    steps = [replace(statement, left=a, relation="<=", right=b) for a, b in pairwise(sides)]
    if statement.relation == "<":
        steps[-1] = replace(steps[-1], relation="<")
    return tuple(steps)


@rule
def chain(statement: Comparison, middle: tuple[Formula, ...], *evidence: Evidence) -> Evidence:
    """From a ≤ b and b ≤ c follows a ≤ c, and a < c when the last step is strict; so for several steps."""
    return derived(statement, links(statement, *middle), evidence, "chain")


def gap_of(statement: Comparison, gap: Formula) -> tuple[Comparison, Comparison]:
    """What `by_gap` owes: right − left = gap, and 0 ≤ gap (0 < gap for a strict statement)."""
    if statement.relation not in ORDERS:
        raise RuleError(f"by_gap: needs < or ≤, not {statement.text}")

    def difference(c: World, *x: Any) -> Any:
        return statement.right(c, *x) - statement.left(c, *x)

    equal = replace(statement, left=difference, relation="==", right=gap)
    return equal, replace(statement, left=0, right=gap)


@rule
def by_gap(statement: Comparison, gap: Formula, *evidence: Evidence) -> Evidence:
    """left ≤ right exactly where right − left ≥ 0, and left < right where it is above 0: the difference may
    be written otherwise.
    """
    return derived(statement, gap_of(statement, gap), evidence, "by_gap")
