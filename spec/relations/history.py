"""Neighbors in one person's whole history: all rows of that person, over cells, years and employers.

Foote et al. 2019 state their neighbors by row (Definition 2.2) and protect individuals (Section 3.2), who may
have rows in several cells; the UMETRICS reports add or remove "a single employee and their entire employment
history" (Schmutte 2020, Privacy requirements).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations_with_replacement, product

from establish.spec import strategies as st
from establish.spec.parameters import ParameterError
from establish.spec.relations.relation import NeighborRelation

Record = tuple[str | int, ...]
"""What one row says besides the person: cell, year, earnings and the like."""

History = tuple[Record, ...]
"""The records of one person, a multiset in sorted order."""

Rows = tuple[tuple[str, Record], ...]
"""A table of rows (person, record), a multiset in sorted order."""


def histories_up_to(records: Iterable[Record], longest: int) -> tuple[History, ...]:
    """Every history of 1 to ``longest`` of the records, repetitions allowed."""
    known = sorted(set(records))
    return tuple(
        history
        for length in range(1, longest + 1)
        for history in combinations_with_replacement(known, length)
    )


def history_of(d: Rows, person: str) -> History:
    """The records of one person; () for a person without rows."""
    return tuple(record for name, record in d if name == person)


def differing_persons(d: Rows, d2: Rows) -> frozenset[str]:
    """Who has other rows in one table than in the other, with multiplicity."""
    first, second = Counter(d), Counter(d2)
    return frozenset(person for person, _ in (first - second) + (second - first))


class _OnHistories(NeighborRelation[Rows]):
    """persons: who may have rows. histories: the histories that a person may have.

    Raises ParameterError for no person, one named twice, or an empty, unsorted or repeated history.
    """

    def __init__(self, persons: Sequence[str], histories: Iterable[History]) -> None:
        self.persons = tuple(sorted(persons))
        if not persons or len(set(persons)) < len(persons):
            raise ParameterError(f"persons = {persons!r} must be different, at least one")
        self.histories = tuple(histories)
        for history in self.histories:
            if not history or list(history) != sorted(history):
                raise ParameterError(f"histories = … {history} … must be sorted and not empty")
        if not self.histories or len(set(self.histories)) < len(self.histories):
            raise ParameterError("histories must be different, at least one")

    def with_history(self, d: Rows, person: str, history: History) -> Rows:
        """d with all rows of ``person`` replaced by those of ``history``."""
        others = [row for row in d if row[0] != person]
        return tuple(sorted([*others, *((person, record) for record in history)]))

    def datasets(self) -> Iterator[Rows]:
        for chosen in product(((), *self.histories), repeat=len(self.persons)):
            yield self._table(chosen)

    def dataset_strategy(self) -> st.SearchStrategy[Rows]:
        one = st.sampled_from(((), *self.histories))
        return st.tuples(*[one for _ in self.persons]).map(self._table)

    def _table(self, chosen: Sequence[History]) -> Rows:
        pairs = zip(self.persons, chosen, strict=True)
        return tuple(sorted((person, record) for person, own in pairs for record in own))


class PresenceOfHistory(_OnHistories):
    """All rows of one person are in one of the tables only, whatever their number."""

    def related(self, d: Rows, d2: Rows) -> bool:
        differing = differing_persons(d, d2)
        return len(differing) == 1 and not all(
            history_of(table, person) for person in differing for table in (d, d2)
        )

    def neighbors(self, d: Rows) -> Iterator[Rows]:
        for person in self.persons:
            present = bool(history_of(d, person))
            for history in [()] if present else self.histories:
                yield self.with_history(d, person, history)


class ChangeOfHistory(_OnHistories):
    """One person, with rows in both tables, has another history; all others have the same."""

    def related(self, d: Rows, d2: Rows) -> bool:
        differing = differing_persons(d, d2)
        return len(differing) == 1 and all(
            history_of(table, person) for person in differing for table in (d, d2)
        )

    def neighbors(self, d: Rows) -> Iterator[Rows]:
        for person in self.persons:
            own = history_of(d, person)
            if own:
                for history in self.histories:
                    if history != own:
                        yield self.with_history(d, person, history)
