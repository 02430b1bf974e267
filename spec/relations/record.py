"""Record neighbors, those of differential privacy (Haney et al. 2017, Section 2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement

from establish.spec import strategies as st
from establish.spec.parameters import ParameterError
from establish.spec.relations.relation import NeighborRelation
from establish.spec.relations.universes import require_counts

Records = tuple[str, ...]
"""A table as a multiset of records, written in sorted order."""


class _OnRecords(NeighborRelation[Records]):
    """domain: the records that may occur. most: the largest number of records in the universe.

    Raises ParameterError for an empty domain, a domain with a duplicate, or most < 0.
    """

    def __init__(self, domain: Sequence[str], most: int) -> None:
        if not domain or len(set(domain)) < len(domain):
            raise ParameterError(f"domain = {domain!r} must hold different records, at least one")
        if most < 0:
            raise ParameterError(f"most = {most} is not allowed: most is at least 0")
        self.domain = tuple(sorted(domain))
        self.most = most

    def datasets(self) -> Iterator[Records]:
        for length in range(self.most + 1):
            yield from combinations_with_replacement(self.domain, length)

    def dataset_strategy(self) -> st.SearchStrategy[Records]:
        records = st.lists(st.sampled_from(self.domain), max_size=self.most)
        return records.map(lambda drawn: tuple(sorted(drawn)))


def _apart(d: Records, d2: Records) -> tuple[int, int]:
    """How many records only d has and only d2 has, with multiplicity."""
    first, second = Counter(d), Counter(d2)
    return (first - second).total(), (second - first).total()


class AddOrRemove(_OnRecords):
    """The tables differ in the presence of a single record: |D Δ D'| = 1 (above Definition 2.2)."""

    def related(self, d: Records, d2: Records) -> bool:
        return sum(_apart(d, d2)) == 1

    def neighbors(self, d: Records) -> Iterator[Records]:
        if len(d) < self.most:
            for record in self.domain:
                yield tuple(sorted((*d, record)))
        yield from {(*d[:i], *d[i + 1 :]) for i in range(len(d))}


class Substitute(_OnRecords):
    """One record has another value; the number of records is the same."""

    def related(self, d: Records, d2: Records) -> bool:
        return _apart(d, d2) == (1, 1)

    def neighbors(self, d: Records) -> Iterator[Records]:
        for old in dict.fromkeys(d):
            at = d.index(old)
            for record in self.domain:
                if record != old:
                    yield tuple(sorted((*d[:at], record, *d[at + 1 :])))


class UnitCount(NeighborRelation[int]):
    """A count of records between 0 and ``most``, which one record changes by exactly 1.

    Raises ParameterError for most < 0.
    """

    def __init__(self, most: int) -> None:
        if most < 0:
            raise ParameterError(f"most = {most} is not allowed: most is at least 0")
        self.most = most

    def related(self, d: int, d2: int) -> bool:
        require_counts((d, d2))
        return abs(d - d2) == 1

    def neighbors(self, d: int) -> Iterator[int]:
        return (count for count in (d - 1, d + 1) if 0 <= count <= self.most)

    def datasets(self) -> Iterator[int]:
        yield from range(self.most + 1)

    def dataset_strategy(self) -> st.SearchStrategy[int]:
        return st.integers(0, self.most)
