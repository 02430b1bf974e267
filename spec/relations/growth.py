"""How much one establishment may grow in a step (Haney et al. 2017, Definitions 7.1, 7.3)."""

from fractions import Fraction
from math import floor
from typing import Any, NamedTuple

from establish.spec.arithmetic import EXACT, World
from establish.spec.parameters import nonnegative

Number = Any
"""int, Fraction, a value of a world, or a real-valued z3 term."""


class GrowthConditions(NamedTuple):
    """The three inequalities of the growth bound: ``not_less`` and (``by_share`` or ``by_one``)."""

    not_less: Any
    by_share: Any
    by_one: Any


def growth_conditions(x: Number, y: Number, alpha: Number) -> GrowthConditions:
    """The inequalities behind x ≤ y ≤ max((1 + α)x, x + 1).

    Plain operators only, so that a solver reads the same text:
    ``z3.And(c.not_less, z3.Or(c.by_share, c.by_one))``.
    """
    return GrowthConditions(not_less=x <= y, by_share=y <= (1 + alpha) * x, by_one=y <= x + 1)


def may_grow(x: int | Fraction, y: int | Fraction, alpha: int | Fraction) -> bool:
    """Whether x ≤ y ≤ max((1 + α)x, x + 1), for exact numbers x, y ≥ 0 and α ≥ 0."""
    conditions = growth_conditions(x, y, alpha)
    return bool(conditions.not_less and (conditions.by_share or conditions.by_one))


def largest_growth(x: int, alpha: Fraction) -> int:
    """max(⌊αx⌋, 1): the most workers by which an establishment of x workers may grow in one step.

    Raises ParameterError for x < 0.
    """
    return max(floor(largest_growth_real(x, alpha)), 1)


def growth_bound(x: Number, alpha: Number, c: World) -> Number:
    """max(αx, 1) in the world c: the growth bound S of an establishment with x ≥ 0 workers."""
    return c.maximum(c.number(alpha) * c.number(x), c.number(1))


def largest_after(x: Number, alpha: Number, c: World) -> Number:
    """max((1 + α)x, x + 1) in the world c: the most workers after a step, from x ≥ 0."""
    return c.maximum((1 + c.number(alpha)) * x, x + 1)


def largest_growth_real(x: int | Fraction, alpha: Fraction) -> Fraction:
    """max(αx, 1): the same bound when sizes are real numbers. Raises ParameterError for x < 0."""
    return Fraction(growth_bound(nonnegative("x", x), alpha, EXACT))
