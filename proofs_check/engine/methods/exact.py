"""Exact comparison of rationals: the last word on every counterexample."""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from establish.proofs_check.engine.verdicts import Evidence, Grade

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
    """Evidence that ``left relation right`` for two rationals. Raises TypeError for a float."""
    for value in (left, right):
        if not isinstance(value, (int, Fraction)):
            raise TypeError(
                f"{value!r} is a {type(value).__name__}, not an exact rational: pass an int or a Fraction"
            )
    arithmetic = f"{left} {relation} {right}"
    true = RELATIONS[relation](left, right)
    witness = "" if true else arithmetic
    return Evidence(f"{says}: {arithmetic}", true, Grade.PROOF, "exact arithmetic", witness)
