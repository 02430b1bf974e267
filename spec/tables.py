"""Employer-employee (ER-EE) tables: Worker, Workplace and Job (Haney et al. 2017, Section 3.1)."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from establish.spec.parameters import ParameterError

Attributes = tuple[str, ...]
"""The attribute values of one record, by position."""


@dataclass(frozen=True, order=True)
class Worker:
    """One employed person: an identifier, and confidential attributes such as age or education."""

    id: str
    attributes: Attributes = ()


@dataclass(frozen=True, order=True)
class Workplace:
    """One establishment: an identifier, and public attributes such as place or industry."""

    id: str
    attributes: Attributes = ()


@dataclass(frozen=True)
class WorkerFull:
    """One record of the universal relation: a worker joined with the workplace of the one job."""

    worker: Worker
    workplace: Workplace

    @property
    def attributes(self) -> Attributes:
        """The worker's attributes, then the workplace's."""
        return self.worker.attributes + self.workplace.attributes


def refuse_duplicates(name: str, ids: Iterable[str]) -> None:
    """Raise ParameterError naming the first id that ``ids`` holds twice."""
    for id, times in Counter(ids).items():
        if times > 1:
            raise ParameterError(f"{name} = {id!r} is listed {times} times: each id may occur once")


@dataclass(frozen=True)
class Tables:
    """A dataset: workplaces, employed workers, and the one job of each worker.

    jobs: pairs (worker id, workplace id). A person without a job is not in the dataset; a workplace
    without workers may be. The order in which records are given carries no meaning: all three
    tuples are kept sorted, so that equal tables compare equal.

    Raises ParameterError for a duplicate id, a worker with two jobs or none, and a job whose worker
    or workplace is unknown.
    """

    workplaces: tuple[Workplace, ...]
    workers: tuple[Worker, ...]
    jobs: tuple[tuple[str, str], ...]

    def __post_init__(self) -> None:
        for field in ("workplaces", "workers", "jobs"):
            object.__setattr__(self, field, tuple(sorted(getattr(self, field))))
        refuse_duplicates("workplace", (w.id for w in self.workplaces))
        refuse_duplicates("worker", (w.id for w in self.workers))
        refuse_duplicates("worker of a job", (worker for worker, _ in self.jobs))
        workers, workplaces = {w.id for w in self.workers}, {w.id for w in self.workplaces}
        for worker, workplace in self.jobs:
            if worker not in workers:
                raise ParameterError(f"job of worker {worker!r}: no such worker in the table")
            if workplace not in workplaces:
                raise ParameterError(f"job of worker {worker!r}: no workplace {workplace!r}")
        for idle in sorted(workers - {worker for worker, _ in self.jobs}):
            raise ParameterError(f"worker {idle!r} has no job: every worker holds exactly one")

    @cached_property
    def _workforces(self) -> dict[str, frozenset[Worker]]:
        members: dict[str, set[Worker]] = {w.id: set() for w in self.workplaces}
        for record in self.worker_full():
            members[record.workplace.id].add(record.worker)
        return {id: frozenset(workers) for id, workers in members.items()}

    def worker_full(self) -> tuple[WorkerFull, ...]:
        """The join of the three tables: one record per worker, in the order of worker ids."""
        workplaces = {w.id: w for w in self.workplaces}
        place = dict(self.jobs)
        return tuple(WorkerFull(w, workplaces[place[w.id]]) for w in self.workers)

    def workforce(self, workplace: str) -> frozenset[Worker]:
        """The workers employed at ``workplace``. Raises ParameterError for an unknown id."""
        if workplace not in self._workforces:
            raise ParameterError(f"workplace = {workplace!r} is not in the table")
        return self._workforces[workplace]
