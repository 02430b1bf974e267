"""The plan that counts: jobs by establishment, then establishments by cell."""

from __future__ import annotations

from collections.abc import Sequence

from establish.impl.tabulate.engine import Expression
from establish.impl.tabulate.tables import WORKER, WORKPLACE, OpenTables, labels


def names_of(attributes: Sequence[str], letter: str) -> list[str]:
    """What attributes are called inside a plan, where no name of a user may collide."""
    return [f"{letter}{number}" for number in range(len(attributes))]


def with_first_job(jobs: Expression) -> Expression:
    """Of each worker's jobs the one at the smallest workplace identifier."""
    return jobs.group_by(WORKER).aggregate(**{WORKPLACE: jobs[WORKPLACE].min()})


def combinations(tables: OpenTables, of_workplaces: Sequence[str]) -> Expression:
    """The combinations of public attributes that the table of workplaces has."""
    public = names_of(of_workplaces, "p")
    return tables.workplaces.select(**labels(tables.workplaces, of_workplaces, public)).distinct()


def occupied_cells(
    tables: OpenTables, of_workers: Sequence[str], of_workplaces: Sequence[str]
) -> Expression:
    """The cells that hold a job: jobs, establishments with one, and the most that one has.

    Labels are in the columns p0, p1, … (workplaces) and w0, w1, … (workers).
    """
    private, public = names_of(of_workers, "w"), names_of(of_workplaces, "p")
    records = tables.jobs
    if of_workers:
        workers = tables.workers.select(WORKER, **labels(tables.workers, of_workers, private))
        records = records.join(workers, WORKER)
    sizes = records.group_by([WORKPLACE, *private]).aggregate(size=records.count())
    workplaces = tables.workplaces.select(
        WORKPLACE, **labels(tables.workplaces, of_workplaces, public)
    )
    placed = sizes.join(workplaces, WORKPLACE)
    return placed.group_by([*public, *private]).aggregate(
        count=placed["size"].sum(),
        establishments=placed.count(),
        largest=placed["size"].max(),
    )
