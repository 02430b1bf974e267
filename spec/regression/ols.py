"""Least squares on one regressor, and its prediction at a rank (Schmutte 2020, Opportunity Atlas).

A group holds pairs (rank, outcome). The prediction exists when at least two ranks differ; in every other
group, an empty one and a group of one person included, it does not, and None says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

Number = Any
"""int or Fraction; a sympy or z3 term where a formula is read by a prover."""

Point = tuple[Fraction, Fraction]
"""One person: (rank, outcome), both in [0, 1]."""

Points = tuple[Point, ...]
"""One group, a multiset written in sorted order."""


class Moments(NamedTuple):
    """Sums over the points of a group: all that least squares needs."""

    count: Number
    rank: Number
    outcome: Number
    rank_squared: Number
    product: Number

    def plus(self, rank: Number, outcome: Number, times: int = 1) -> Moments:
        """The sums with a point added ``times`` times; −1 removes it."""
        point = (1, rank, outcome, rank * rank, rank * outcome)
        return Moments(*(total + times * x for total, x in zip(self, point, strict=True)))

    @property
    def spread(self) -> Number:
        """n·Σx² − (Σx)², that is n² times the variance of the ranks; 0 when they are all equal."""
        return self.count * self.rank_squared - self.rank * self.rank


def moments(points: Sequence[Point]) -> Moments:
    """The sums of a group."""
    total = Moments(0, Fraction(0), Fraction(0), Fraction(0), Fraction(0))
    for rank, outcome in points:
        total = total.plus(rank, outcome)
    return total


class Line(NamedTuple):
    """outcome = intercept + slope·rank."""

    intercept: Number
    slope: Number

    def at(self, rank: Number) -> Number:
        """The value of the line at a rank, inside the observed ranks or not."""
        return self.intercept + self.slope * rank


def line(of: Moments) -> Line:
    """The solution of the normal equations, for a spread other than 0."""
    slope = (of.count * of.product - of.rank * of.outcome) / of.spread
    intercept = (of.rank_squared * of.outcome - of.rank * of.product) / of.spread
    return Line(intercept, slope)


def fit(points: Sequence[Point]) -> Line | None:
    """The least-squares line of a group; None when no two ranks differ."""
    total = moments(points)
    return line(total) if total.spread != 0 else None


def predict(points: Sequence[Point], rank: Fraction) -> Fraction | None:
    """θ(rank) = α̂ + β̂·rank; None when no two ranks differ. It may lie outside [0, 1]."""
    fitted = fit(points)
    return None if fitted is None else Fraction(fitted.at(rank))
