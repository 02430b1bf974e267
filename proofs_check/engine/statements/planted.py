"""Planted neighbors of one kind: a statement in which a formula or a number is a share of what it was."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from establish.proofs_check.engine.statements.statement import Formula, Statement

SHARES = ("99/100", "9/10", "1/2")
"""Of a level that is granted, the closest first."""


def times(formula: Formula, share: Fraction) -> Formula:
    """A formula of a world and variables, times a share."""
    return lambda c, *x: formula(c, *x) * c.number(share)


def scaled(
    statement: Any, part: str, shares: tuple[str, ...] = SHARES, said: str = ""
) -> Iterator[tuple[str, Statement]]:
    """The statement with ``part``, a formula of a world or a number, times each share.

    said: what the part is called, where that is not its name.
    """
    whole = getattr(statement, part)
    for share in map(Fraction, shares):
        less = times(whole, share) if callable(whole) else whole * share
        yield f"{said or part} times {share}", replace(statement, **{part: less})
