"""Edge neighbors by substitution: one job replaced by another, their number unchanged."""

from __future__ import annotations

from collections.abc import Iterator

from establish.spec import strategies as st
from establish.spec.relations.relation import NeighborRelation
from establish.spec.tables import Tables
from establish.spec.universe import Universe


class JobSubstitution(NeighborRelation[Tables]):
    """The tables have equally many jobs, and all but one of them in common, worker values included.

    This is the reading of "tables that differ in one record" in which the number of records is public.
    Haney et al. 2017, Section 6, add or remove a job instead (:class:`Edge`).
    """

    def __init__(self, universe: Universe) -> None:
        self.universe = universe

    def related(self, d: Tables, d2: Tables) -> bool:
        mine, other = frozenset(d.worker_full()), frozenset(d2.worker_full())
        return d.workplaces == d2.workplaces and len(mine - other) == len(other - mine) == 1

    def neighbors(self, d: Tables) -> Iterator[Tables]:
        universe = self.universe
        places = range(len(d.workplaces))
        found = {
            universe.with_workforce(fewer, hiring, more)
            for leaving in places
            for remaining in universe.removals(d, leaving, 1)
            for fewer in [universe.with_workforce(d, leaving, remaining)]
            for hiring in places
            for more in universe.additions(fewer, hiring, 1)
        }
        yield from found - {d}

    def datasets(self) -> Iterator[Tables]:
        return self.universe.datasets()

    def dataset_strategy(self) -> st.SearchStrategy[Tables]:
        return self.universe.strategy()
