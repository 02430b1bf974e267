"""What every neighbor relation offers, and the frame of those that concern one establishment."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator
from typing import Generic, Protocol, TypeVar

from establish.spec import strategies as st

D = TypeVar("D", bound=Hashable)
"""A dataset."""
W = TypeVar("W")
"""A workforce of one establishment."""


class NeighborRelation(ABC, Generic[D]):
    """A symmetric and irreflexive relation on datasets, enumerated in a finite universe."""

    @abstractmethod
    def related(self, d: D, d2: D) -> bool:
        """Whether d and d2 are neighbors; they need not lie in the universe."""

    @abstractmethod
    def neighbors(self, d: D) -> Iterator[D]:
        """Every neighbor of d inside the universe, each once."""

    @abstractmethod
    def datasets(self) -> Iterator[D]:
        """Every dataset of the universe, each once."""

    @abstractmethod
    def dataset_strategy(self) -> st.SearchStrategy[D]:
        """Datasets of the universe for Hypothesis."""

    def strategy(self) -> st.SearchStrategy[tuple[D, D]]:
        """Related pairs of the universe for Hypothesis, in either order."""

        def with_neighbor(d: D) -> st.SearchStrategy[tuple[D, D]]:
            around = list(self.neighbors(d))
            return st.tuples(st.just(d), st.sampled_from(around)) if around else st.nothing()

        return self.dataset_strategy().flatmap(with_neighbor)

    def distance(self, d: D, d2: D) -> int | float:
        """Length of the shortest chain of neighbors inside the universe, math.inf if none."""
        for steps, sphere in enumerate(self.spheres(d)):
            if d2 in sphere:
                return steps
        return math.inf

    def spheres(self, d: D) -> Iterator[frozenset[D]]:
        """The datasets at distance exactly 0, 1, 2, … from d, until no new one is reached."""
        seen = {d}
        sphere = frozenset(seen)
        while sphere:
            yield sphere
            sphere = frozenset(y for x in sphere for y in self.neighbors(x)) - seen
            seen |= sphere


class EstablishmentUniverse(Protocol[D, W]):
    """Datasets that consist of one workforce per establishment.

    The relations are written once over these operations, and so read the same on sizes, on counts
    by worker attribute, and on full tables.
    """

    def datasets(self) -> Iterator[D]:
        """Every dataset, each once."""

    def strategy(self) -> st.SearchStrategy[D]:
        """Datasets for Hypothesis."""

    def workforces(self, d: D) -> tuple[W, ...]:
        """The workforce of each establishment, in a fixed order."""

    def comparable(self, d: D, d2: D) -> bool:
        """Whether the two have the same establishments with the same public attributes."""

    def with_workforce(self, d: D, e: int, workforce: W) -> D:
        """d with the workforce of establishment number e replaced."""

    def possible(self, d: D, e: int) -> Iterator[W]:
        """Every workforce that establishment e may have in the universe, all others unchanged."""

    def additions(self, d: D, e: int, count: int) -> Iterator[W]:
        """Every workforce of the universe that is e's with exactly ``count`` more workers."""

    def removals(self, d: D, e: int, count: int) -> Iterator[W]:
        """Every workforce that is e's with exactly ``count`` workers fewer."""

    def includes(self, large: W, small: W) -> bool:
        """Whether ``small`` is part of ``large``: E ⊆ E'."""

    def headcount(self, workforce: W) -> int:
        """The number of workers."""

    def shape(self, workforce: W) -> tuple[int, ...]:
        """The number of workers by value of the worker attributes."""


class OneEstablishmentRelation(NeighborRelation[D], Generic[D, W]):
    """Datasets that differ in the workforce of exactly one establishment, as ``close`` allows."""

    def __init__(self, universe: EstablishmentUniverse[D, W]) -> None:
        self.universe = universe

    @abstractmethod
    def close(self, small: W, large: W) -> bool:
        """Whether ``small`` may become ``large`` in a step; neighbors are pairs in either order."""

    @abstractmethod
    def replacements(self, d: D, e: int) -> Iterator[W]:
        """The workforces, other than its own, that establishment e has in a neighbor of d."""

    def related(self, d: D, d2: D) -> bool:
        if not self.universe.comparable(d, d2):
            return False
        pairs = zip(self.universe.workforces(d), self.universe.workforces(d2), strict=True)
        changed = [(before, after) for before, after in pairs if before != after]
        if len(changed) != 1:
            return False
        before, after = changed[0]
        return self.close(before, after) or self.close(after, before)

    def neighbors(self, d: D) -> Iterator[D]:
        for e in range(len(self.universe.workforces(d))):
            for workforce in self.replacements(d, e):
                yield self.universe.with_workforce(d, e, workforce)

    def datasets(self) -> Iterator[D]:
        return self.universe.datasets()

    def dataset_strategy(self) -> st.SearchStrategy[D]:
        return self.universe.strategy()
