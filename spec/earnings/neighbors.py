"""Neighbors of the earnings of one cell, in a finite universe of integer dollars.

Definition 2.2 of Foote et al. 2019 adds or removes a row; Section 3.2 also lets an individual's earnings
change, and Section 4.2 needs lists of equal length. The two relations are different.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations_with_replacement

from establish.spec import strategies as st
from establish.spec.parameters import ParameterError
from establish.spec.relations.relation import NeighborRelation

Earnings = tuple[int, ...]
"""The earnings of the individuals of one cell, sorted."""


class _OnEarnings(NeighborRelation[Earnings]):
    """values: what an individual may earn. least, most: how many individuals a cell may have.

    Raises ParameterError unless there are at least two different values and 0 ≤ least ≤ most.
    """

    def __init__(self, values: Iterable[int], least: int, most: int) -> None:
        self.values = tuple(sorted(set(values)))
        if len(self.values) < 2:
            raise ParameterError(f"values = {self.values} must be at least two different earnings")
        if not 0 <= least <= most:
            raise ParameterError(f"least = {least}, most = {most}: 0 ≤ least ≤ most is asked for")
        self.least, self.most = least, most

    def datasets(self) -> Iterator[Earnings]:
        for size in range(self.least, self.most + 1):
            yield from combinations_with_replacement(self.values, size)

    def dataset_strategy(self) -> st.SearchStrategy[Earnings]:
        values = st.sampled_from(self.values)
        drawn = st.lists(values, min_size=self.least, max_size=self.most)
        return drawn.map(lambda earnings: tuple(sorted(earnings)))


def _apart(d: Earnings, d2: Earnings) -> tuple[int, int]:
    """How many earnings only d has and only d2 has, with multiplicity."""
    first, second = Counter(d), Counter(d2)
    return (first - second).total(), (second - first).total()


class PresenceOfOne(_OnEarnings):
    """One individual more or less (Definition 2.2, read with multiplicity)."""

    def related(self, d: Earnings, d2: Earnings) -> bool:
        return sum(_apart(d, d2)) == 1

    def neighbors(self, d: Earnings) -> Iterator[Earnings]:
        if len(d) < self.most:
            for value in self.values:
                yield tuple(sorted((*d, value)))
        if len(d) > self.least:
            yield from {(*d[:i], *d[i + 1 :]) for i in range(len(d))}


class EarningsOfOne(_OnEarnings):
    """One individual has other earnings; how many there are does not change (Section 3.2)."""

    def related(self, d: Earnings, d2: Earnings) -> bool:
        return _apart(d, d2) == (1, 1)

    def neighbors(self, d: Earnings) -> Iterator[Earnings]:
        for old in dict.fromkeys(d):
            at = d.index(old)
            rest = (*d[:at], *d[at + 1 :])
            yield from (tuple(sorted((*rest, new))) for new in self.values if new != old)
