"""One person more or less in one of several groups (Schmutte 2020, "added or removed any legal value")."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement, product

from establish.spec import strategies as st
from establish.spec.parameters import ParameterError
from establish.spec.regression.local import Grid
from establish.spec.regression.local import neighbors as group_neighbors
from establish.spec.regression.mose import Groups
from establish.spec.relations.relation import NeighborRelation


class AddOrRemovePerson(NeighborRelation[Groups]):
    """The groups differ in one legal point, present in one of the two datasets only.

    grid: the legal points. groups: their number, ≥ 1. most: the largest size of a group, ≥ 0.
    Raises ParameterError otherwise.
    """

    def __init__(self, grid: Grid, groups: int, most: int) -> None:
        if groups < 1 or most < 0:
            raise ParameterError(f"groups = {groups}, most = {most}: at least 1 and 0 are needed")
        self.grid, self.groups, self.most = grid, groups, most

    def related(self, d: Groups, d2: Groups) -> bool:
        if len(d) != len(d2):
            return False
        apart = 0
        for points, others in zip(d, d2, strict=True):
            first, second = Counter(points), Counter(others)
            apart += (first - second).total() + (second - first).total()
        return apart == 1

    def neighbors(self, d: Groups) -> Iterator[Groups]:
        for g, points in enumerate(d):
            for changed in group_neighbors(points, self.grid):
                if len(changed) <= self.most:
                    yield (*d[:g], changed, *d[g + 1 :])

    def datasets(self) -> Iterator[Groups]:
        legal = tuple(self.grid.points())
        group = [
            points for size in range(self.most + 1) for points in combinations_with_replacement(legal, size)
        ]
        yield from product(group, repeat=self.groups)

    def dataset_strategy(self) -> st.SearchStrategy[Groups]:
        points = st.lists(st.sampled_from(tuple(self.grid.points())), max_size=self.most)
        group = points.map(lambda drawn: tuple(sorted(drawn)))
        return st.tuples(*[group for _ in range(self.groups)])
