"""A finite universe of ER-EE tables: who may work where, with which attributes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product

from establish.spec import strategies as st
from establish.spec.parameters import ParameterError
from establish.spec.tables import Attributes, Tables, Worker, Workplace, refuse_duplicates

Workforce = frozenset[Worker]
"""The workers of one establishment."""

Place = tuple[str, Attributes] | None
"""Where a potential worker is and with which attributes; None when not employed."""


@dataclass(frozen=True)
class Universe:
    """Every dataset over given workplaces, potential workers and worker attributes.

    Each potential worker is absent, or works at one workplace with one value of ``domain``. The
    workplaces and their attributes are public and the same in every dataset.

    Raises ParameterError for a duplicate workplace id, worker id or value of the domain.
    """

    workplaces: tuple[Workplace, ...]
    worker_ids: tuple[str, ...]
    domain: tuple[Attributes, ...] = field(default=((),))

    def __post_init__(self) -> None:
        object.__setattr__(self, "workplaces", tuple(sorted(self.workplaces)))
        refuse_duplicates("workplace", (w.id for w in self.workplaces))
        refuse_duplicates("worker", self.worker_ids)
        if len(set(self.domain)) < len(self.domain):
            raise ParameterError(f"domain = {self.domain} holds a value twice")

    @property
    def size(self) -> int:
        """The number of datasets: (1 + workplaces × values) to the power of potential workers."""
        places = 1 + len(self.workplaces) * len(self.domain)
        return int(places ** len(self.worker_ids))

    @property
    def _places(self) -> tuple[Place, ...]:
        return None, *product((w.id for w in self.workplaces), self.domain)

    def _tables(self, places: Sequence[Place]) -> Tables:
        employed = [(id, at) for id, at in zip(self.worker_ids, places, strict=True) if at]
        workers = tuple(Worker(id, attributes) for id, (_, attributes) in employed)
        jobs = tuple((id, workplace) for id, (workplace, _) in employed)
        return Tables(self.workplaces, workers, jobs)

    def datasets(self) -> Iterator[Tables]:
        """Every dataset of the universe, each once, the empty one first."""
        for places in product(self._places, repeat=len(self.worker_ids)):
            yield self._tables(places)

    def strategy(self) -> st.SearchStrategy[Tables]:
        """Datasets of the universe for Hypothesis; shrinks towards the empty one."""
        place = st.sampled_from(self._places)
        return st.tuples(*[place for _ in self.worker_ids]).map(self._tables)

    # What the neighbor relations need to know about one establishment; see relations/relation.py.

    def workforces(self, d: Tables) -> tuple[Workforce, ...]:
        return tuple(d.workforce(w.id) for w in d.workplaces)

    def comparable(self, d: Tables, d2: Tables) -> bool:
        return d.workplaces == d2.workplaces

    def with_workforce(self, d: Tables, e: int, workforce: Workforce) -> Tables:
        kept = [r for r in d.worker_full() if r.workplace != d.workplaces[e]]
        workers = (*(r.worker for r in kept), *workforce)
        jobs = [(r.worker.id, r.workplace.id) for r in kept]
        jobs += [(w.id, d.workplaces[e].id) for w in workforce]
        return Tables(d.workplaces, workers, tuple(jobs))

    def _hired(self, ids: Sequence[str], count: int) -> Iterator[Workforce]:
        for chosen in combinations(ids, count):
            for values in product(self.domain, repeat=count):
                yield frozenset(map(Worker, chosen, values))

    def possible(self, d: Tables, e: int) -> Iterator[Workforce]:
        elsewhere = {id for id, workplace in d.jobs if workplace != d.workplaces[e].id}
        free = [id for id in self.worker_ids if id not in elsewhere]
        for count in range(len(free) + 1):
            yield from self._hired(free, count)

    def additions(self, d: Tables, e: int, count: int) -> Iterator[Workforce]:
        employed = {w.id for w in d.workers}
        present = d.workforce(d.workplaces[e].id)
        for hired in self._hired([id for id in self.worker_ids if id not in employed], count):
            yield present | hired

    def removals(self, d: Tables, e: int, count: int) -> Iterator[Workforce]:
        present = d.workforce(d.workplaces[e].id)
        for leaving in combinations(sorted(present), count):
            yield present.difference(leaving)

    def includes(self, large: Workforce, small: Workforce) -> bool:
        return small <= large

    def headcount(self, workforce: Workforce) -> int:
        return len(workforce)

    def shape(self, workforce: Workforce) -> tuple[int, ...]:
        counts = Counter(w.attributes for w in workforce)
        unknown = sorted(set(counts).difference(self.domain))
        if unknown:
            raise ParameterError(f"worker attributes {unknown[0]} are not in the domain")
        return tuple(counts[value] for value in self.domain)
