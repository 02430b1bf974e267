"""The cells that a release of job tables protects, against the specification's own count."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from functools import cache
from itertools import combinations_with_replacement
from pathlib import Path

from establish.proofs_check.engine.methods import exhaustive
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.cells import MarginalQuery
from establish.spec.tables import Attributes, Tables, Worker, Workplace

MODULES = (
    *("establish.impl.publish.jobs", "establish.impl.publish.plan.release_plan"),
    *("establish.impl.publish.counts.release_table", "establish.spec.cells"),
)
"""What is compared: what a release of job tables or of one table runs, the accountant too, and cells."""

SEXES, PLACES = ("F", "M"), ("a", "b")
WORKPLACES = (Workplace("e", ("a",)), Workplace("f", ("a",)))
"""Two in place a, and none in place b, which the domain lists."""

Counted = Mapping[Attributes, tuple[int, int, int]]
"""Cell → its count, its largest establishment, how many establishments have a job in it."""


def _employed(chosen: tuple[tuple[str, str] | None, ...]) -> Tables:
    """Workers at these workplaces and of these sexes; None is not employed."""
    at = [place for place in chosen if place is not None]
    workers = tuple(Worker(str(number), (sex,)) for number, (_, sex) in enumerate(at))
    jobs = tuple((str(number), workplace) for number, (workplace, _) in enumerate(at))
    return Tables(WORKPLACES, workers, jobs)


def _specified(tables: Tables, query: MarginalQuery) -> Counted:
    cells = {name: query.cell(tables, name) for name in query.cells()}
    return {
        name: (cell.count, cell.largest, sum(size > 0 for size in cell.sizes)) for name, cell in cells.items()
    }


def _women_of_small_workplaces(tables: Tables) -> Tables:
    """The women at workplaces of fewer than two workers."""
    kept = {
        worker
        for place in tables.workplaces
        for worker in tables.workforce(place.id)
        if len(tables.workforce(place.id)) < 2 and worker.attributes == ("F",)
    }
    ids = {worker.id for worker in kept}
    return Tables(tables.workplaces, tuple(kept), tuple(job for job in tables.jobs if job[0] in ids))


def _write(tables: Tables, folder: str) -> list[Path]:
    """The tables of jobs, workplaces and workers as CSV files."""
    rows: dict[str, list[tuple[str, ...]]] = {
        "jobs": [("worker", "workplace"), *tables.jobs],
        "workplaces": [("workplace", "place"), *((w.id, *w.attributes) for w in tables.workplaces)],
        "workers": [("worker", "sex"), *((w.id, *w.attributes) for w in tables.workers)],
    }
    paths = []
    for name, own in rows.items():
        paths.append(Path(folder, f"{name}.csv"))
        paths[-1].write_text("".join(f"{','.join(row)}\n" for row in own), encoding="utf-8")
    return paths


@cache
def tabulated() -> Evidence:
    """Evidence that tabulated cells are those that the specification counts, with their largest."""
    from establish.impl.tabulate import (  # its engines take a second to load
        Domain,
        TableFiles,
        Tabulation,
        Tabulator,
        embedded,
    )

    by, domain = ["sex", "place"], Domain({"sex": SEXES, "place": PLACES})
    every = MarginalQuery({0: SEXES}, {0: PLACES})
    women = MarginalQuery({0: ("F",)}, {0: PLACES})

    def found(cells: Tabulation) -> Counted:
        numbers = zip(cells.count, cells.largest, cells.establishments, strict=True)
        names = zip(*(cells.labels(attribute) for attribute in by), strict=True)
        return {
            name: (int(count), int(largest), int(establishments))
            for name, (count, largest, establishments) in zip(names, numbers, strict=True)
        }

    with tempfile.TemporaryDirectory() as folder, embedded(threads=1, memory="200MB") as engine:

        def agrees(tables: Tables) -> bool:
            tabulator = Tabulator(TableFiles(*_write(tables, folder)), engine)
            few = tabulator.tabulate(by, domain, where={"sex": ("F",)}, below=2)
            return found(few) == _specified(_women_of_small_workplaces(tables), women) and found(
                tabulator.tabulate(by, domain)
            ) == _specified(tables, every)

        places = (None, ("e", "F"), ("e", "M"), ("f", "F"))
        return exhaustive.for_all(
            [_employed(chosen) for chosen in combinations_with_replacement(places, 3)],
            agrees,
            "tabulated counts, largest and numbers of establishments are those of the specification",
            "up to three workers at two workplaces, of which one has women only: all of them, and the women "
            "where fewer than two work",
        )
