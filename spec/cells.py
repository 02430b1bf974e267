"""Marginal queries and the cells that they release (Haney et al. 2017, Definition 2.1)."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from establish.spec.parameters import ParameterError
from establish.spec.tables import Attributes, Tables, Worker, WorkerFull, Workplace


@dataclass(frozen=True)
class Cell:
    """One count query, seen by establishment.

    sizes: for each establishment that meets the workplace conditions, how many of its workers meet
    the worker conditions. Raises ParameterError for a negative size.
    """

    sizes: tuple[int, ...]

    def __post_init__(self) -> None:
        for size in self.sizes:
            if size < 0:
                raise ParameterError(f"size = {size} is not allowed: a size is at least 0")

    @property
    def count(self) -> int:
        """The answer to the query."""
        return sum(self.sizes)

    @property
    def largest(self) -> int:
        """x_v of Lemma 8.5: the largest share of one establishment, 0 without establishments."""
        return max(self.sizes, default=0)


@dataclass(frozen=True)
class MarginalQuery:
    """Counts of WorkerFull records by chosen worker and workplace attributes.

    worker_domains, workplace_domains: for each attribute position that is tabulated, the values
    that it may take. A cell is named by the worker values, then the workplace values, in the order
    in which the positions are given. No position at all gives one cell, (), the number of workers.
    """

    worker_domains: dict[int, tuple[str, ...]]
    workplace_domains: dict[int, tuple[str, ...]]

    def cells(self) -> Iterator[Attributes]:
        """The names of all cells, empty ones included."""
        yield from product(*self.worker_domains.values(), *self.workplace_domains.values())

    def counts(self, tables: Tables) -> dict[Attributes, int]:
        """The full vector of counts, one entry per cell.

        Raises ParameterError when a record has a value outside the domain of its attribute.
        """
        counts = dict.fromkeys(self.cells(), 0)
        for record in tables.worker_full():
            name = self._name(record)
            if name not in counts:
                raise ParameterError(f"worker {record.worker.id!r} has values {name}, which are in no cell")
            counts[name] += 1
        return counts

    def cell(self, tables: Tables, name: Attributes) -> Cell:
        """The cell called ``name``. Raises ParameterError when there is no such cell."""
        if name not in set(self.cells()):
            raise ParameterError(f"cell = {name} is not a cell of this query")
        of_worker = name[: len(self.worker_domains)]
        of_workplace = name[len(self.worker_domains) :]
        return Cell(
            tuple(
                sum(self._worker_values(w) == of_worker for w in tables.workforce(workplace.id))
                for workplace in tables.workplaces
                if self._workplace_values(workplace) == of_workplace
            )
        )

    def _name(self, record: WorkerFull) -> Attributes:
        return self._worker_values(record.worker) + self._workplace_values(record.workplace)

    def _worker_values(self, worker: Worker) -> Attributes:
        return _pick(worker, self.worker_domains)

    def _workplace_values(self, workplace: Workplace) -> Attributes:
        return _pick(workplace, self.workplace_domains)


def _pick(record: Worker | Workplace, positions: dict[int, tuple[str, ...]]) -> Attributes:
    for position in positions:
        if not 0 <= position < len(record.attributes):
            raise ParameterError(f"attribute {position} does not exist in record {record.id!r}")
    return tuple(record.attributes[position] for position in positions)
