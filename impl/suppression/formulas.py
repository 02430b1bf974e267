"""The formula behind each end: published sums with their factors, as anybody can add them up."""

from collections.abc import Mapping

from establish.impl.suppression.search import Exact
from establish.impl.suppression.short_formulas import Shortening
from establish.impl.suppression.sums import Problem
from establish.spec.disclosure_limitation.linear_bounds import Vector


class Formulas:
    """A sink that keeps the dual vector of every end."""

    def __init__(self) -> None:
        self.duals: dict[tuple[int, int], Vector] = {}

    def table(self, changes: Mapping[int, Exact]) -> None:
        """Tables are not kept."""

    def end(self, place: int, side: int, bound: Exact, dual: Vector, inner: Exact) -> None:
        self.duals[place, side] = dual

    def direction(self, changes: Mapping[int, Exact]) -> None:
        """Nor are directions."""

    def unbounded(self, place: int, side: int) -> None:
        """There is no formula."""

    def shorten(self, place: int, side: int, shortening: Shortening) -> None:
        """Take the shortest formula that is found for an end."""
        if (place, side) in self.duals:
            dual = shortening.shorter(place, side, self.duals[place, side])
            self.duals[place, side] = dual

    def of(self, problem: Problem, place: int, side: int) -> list[tuple[str, str]]:
        """Each sum with its factor; empty where the attacker's own bound is the end, or there is none."""
        dual = self.duals.get((place, side), {})
        return [(str(factor), problem.sum_named(row)) for row, factor in dual.items()]
