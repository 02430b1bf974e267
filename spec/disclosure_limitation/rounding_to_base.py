"""Rounding to a base b: which whole values a published multiple may stand for, and how likely each is.

``nearest`` publishes a nearest multiple, halves either way. ``random`` and ``controlled`` publish a multiple
as it is and any other value x = q·b + r, 0 < r < b, as q·b or (q + 1)·b; at random the upper one has
probability r/b, so that the mean is x (Fellegi 1975); controlled rounding chooses them so that sums hold.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from establish.spec.disclosure_limitation.linear_bounds import LinearTable
from establish.spec.disclosure_limitation.whole_tables import whole_tables
from establish.spec.parameters import ParameterError

RULES = ("nearest", "random", "controlled")


def _require_base(base: int | Fraction) -> None:
    if base < 2 or base % 1:
        raise ParameterError(f"base = {base} is not allowed: it is a whole number above 1")


def room(base: int | Fraction, rule: str) -> Fraction:
    """How far from a published multiple a value may be: b/2 for ``nearest``, else b − 1, for whole values.

    Raises ParameterError for another rule, for base ≤ 0 with ``nearest``, or else for one that is not a whole
    number above 1.
    """
    if rule not in RULES:
        raise ParameterError(f"rule = {rule} is not one of {', '.join(RULES)}")
    if rule == "nearest":
        if base <= 0:
            raise ParameterError(f"base = {base} is not allowed: it is greater than 0")
        return Fraction(base) / 2
    _require_base(base)
    return Fraction(base - 1)


def upward(rest: Any, base: Any) -> Any:
    """r/b: how likely random rounding is to go up from r above a multiple, in any arithmetic."""
    return rest / base


def random_rounding(value: int, base: int) -> dict[int, Fraction]:
    """The law of what is published for a whole value. Raises ParameterError for base < 2."""
    _require_base(base)
    rest = value % base
    low = value - rest
    up: Fraction = upward(Fraction(rest), base)
    return {low: 1 - up, low + base: up} if rest else {value: Fraction(1)}


def likelihood(published: int, value: int, base: int) -> Fraction:
    """P(published | value) at random: max(0, 1 − |value − published|/b) for a multiple that is published.

    Raises ParameterError for base < 2.
    """
    _require_base(base)
    if published % base:
        return Fraction(0)
    return max(Fraction(0), 1 - Fraction(abs(value - published), base))


def table_likelihood(published: Sequence[int | None], values: Sequence[int], base: int) -> Fraction:
    """The same of cells that are rounded independently; None for one that is not published."""
    product = Fraction(1)
    for shown, value in zip(published, values, strict=True):
        product *= 1 if shown is None else likelihood(shown, value, base)
    return product


def posterior(
    table: LinearTable, published: Sequence[int | None], base: int, most: int
) -> list[Mapping[int, Fraction]] | None:
    """For each cell the share of the likelihood that its values have, over all whole tables.

    table: its sums, and bounds for every cell. A value's share is the likelihood of all tables with it,
    divided by that of all tables: the posterior law of an attacker to whom all tables were equally likely.
    None when more than ``most`` tables fit. Raises ParameterError when none does, or a cell has no bound.
    """
    weights: list[dict[int, Fraction]] = [{} for _ in published]
    total = Fraction(0)
    for seen, values in enumerate(whole_tables(table), start=1):
        if seen > most:
            return None
        weight = table_likelihood(published, values, base)
        total += weight
        for cell, value in enumerate(values):
            weights[cell][value] = weights[cell].get(value, Fraction(0)) + weight
    if not total:
        raise ParameterError("no whole table rounds to the published one")
    return [{value: weight / total for value, weight in sorted(cell.items()) if weight} for cell in weights]
