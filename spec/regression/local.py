"""How far one person can move a prediction: local sensitivity (Schmutte 2020, "local sensitivity").

Ranks and outcomes are legal values of a finite grid in [0, 1] × [0, 1]. A removal that leaves a group
without a prediction counts as an infinite change: no finite noise hides whether there is a prediction.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from establish.spec.parameters import ParameterError
from establish.spec.regression.ols import Moments, Number, Point, Points, line, moments, predict


@dataclass(frozen=True)
class Grid:
    """The legal ranks and outcomes, each a rising sequence of different rationals in [0, 1].

    Raises ParameterError for an empty sequence, or one that does not rise or leaves [0, 1].
    """

    ranks: tuple[Fraction, ...]
    outcomes: tuple[Fraction, ...]

    def __post_init__(self) -> None:
        for name in ("ranks", "outcomes"):
            values = getattr(self, name)
            rising = all(a < b for a, b in pairwise(values))
            if not values or not rising or not 0 <= values[0] <= values[-1] <= 1:
                shown = ", ".join(map(str, values))
                raise ParameterError(f"{name} = ({shown}) must rise within [0, 1], without repeats")

    def points(self) -> Iterator[Point]:
        """Every legal point, in sorted order."""
        return ((rank, outcome) for rank in self.ranks for outcome in self.outcomes)


def even_grid(rank_steps: int, outcome_steps: int = 1) -> Grid:
    """Ranks and outcomes at the multiples of 1/steps in [0, 1], for steps ≥ 1."""
    if min(rank_steps, outcome_steps) < 1:
        raise ParameterError(f"steps = ({rank_steps}, {outcome_steps}) must be at least 1")
    ranks, outcomes = (
        tuple(Fraction(k, steps) for k in range(steps + 1)) for steps in (rank_steps, outcome_steps)
    )
    return Grid(ranks, outcomes)


def weight(of: Moments, first: Number, second: Number) -> Number:
    """h(a, b) = 1/n + (a − x̄)(b − x̄)/Σ(x − x̄)², what a unit of outcome at rank a adds at rank b.

    h(a, a) is the leverage of a point at rank a. The spread must not be 0.
    """
    top = of.rank_squared - (first + second) * of.rank + of.count * first * second
    return top / of.spread


def change_by_adding(of: Moments, rank: Number, x: Number, y: Number) -> Number:
    """The change of the prediction at ``rank`` when (x, y) is added: h(rank, x)·e/(1 + h(x, x)).

    e is the residual of the new point from the old line.
    """
    residual = y - line(of).at(x)
    return weight(of, rank, x) * residual / (1 + weight(of, x, x))


def change_by_removing(of: Moments, rank: Number, x: Number, y: Number) -> Number:
    """The change when the point (x, y) of the group is removed: −h(rank, x)·e/(1 − h(x, x)).

    e is its residual. Its leverage must not be 1, which it is when the other ranks are all equal.
    """
    residual = y - line(of).at(x)
    return -weight(of, rank, x) * residual / (1 - weight(of, x, x))


def neighbors(points: Points, grid: Grid) -> Iterator[Points]:
    """The groups with one legal point added, or one of their own points removed."""
    for point in grid.points():
        yield tuple(sorted((*points, point)))
    for i in range(len(points)):
        if i == 0 or points[i] != points[i - 1]:
            yield (*points[:i], *points[i + 1 :])


def local_sensitivity(points: Points, rank: Fraction, grid: Grid) -> Fraction | float:
    """The largest |q(D') − q(D)| over the neighbors D', by closed forms: O(grid ranks + points) operations.

    The change by an added point is linear in its outcome, so the largest is at the least or the
    greatest legal outcome. math.inf when some neighbor has no prediction. Raises ParameterError when the
    group has none.
    """
    if predict(points, rank) is None:
        raise ParameterError(f"points = {len(points)} without two different ranks: no regression")
    total, largest = moments(points), Fraction(0)
    for x in grid.ranks:
        for y in (grid.outcomes[0], grid.outcomes[-1]):
            largest = max(largest, abs(Fraction(change_by_adding(total, rank, x, y))))
    for x, y in points:
        if weight(total, x, x) == 1:
            return math.inf
        largest = max(largest, abs(Fraction(change_by_removing(total, rank, x, y))))
    return largest
