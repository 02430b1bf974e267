"""Job tables that are no dataset of the model, with values outside their domain, or with two jobs of one."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import Any

from establish.impl.tabulate.domain import Domain
from establish.impl.tabulate.engine import Engine, embedded
from establish.impl.tabulate.tables import TableFiles
from establish.impl.tabulate.tabulate import Tabulator
from establish.proofs_check.certification.small_plans import IDENTIFIERS, write_table
from establish.proofs_check.certification.subject import refused
from establish.proofs_check.engine.methods import exhaustive
from establish.proofs_check.engine.verdicts import Evidence

Columns = dict[str, list[Any]]
Data = dict[str, Columns]
"""The columns of the three tables."""

LISTED = {"place": ("a", "b"), "sex": ("F", "M")}


def _sound() -> Data:
    """Three workers at two of three workplaces."""
    return {
        "jobs": {"worker": [1, 2, 3], "workplace": [11, 11, 12]},
        "workplaces": {"workplace": [11, 12, 13], "place": ["a", "b", "b"]},
        "workers": {"worker": [1, 2, 3], "sex": ["F", "F", "M"]},
    }


Change = tuple[str, str, int, Any]
"""Table, column, row, and what stands there; a row that there is not is added."""

BROKEN: tuple[tuple[str, tuple[Change, ...]], ...] = (
    ("a job without a worker", (("jobs", "worker", 1, None),)),
    ("a job without a workplace", (("jobs", "workplace", 1, None),)),
    ("a workplace without a name", (("workplaces", "workplace", 2, None),)),
    ("a worker without a name", (("workers", "worker", 2, None),)),
    ("a workplace twice", (("workplaces", "workplace", 2, 11),)),
    ("a worker twice", (("workers", "worker", 3, 1), ("workers", "sex", 3, "F"))),
    ("an unknown workplace", (("jobs", "workplace", 0, 14),)),
    ("an unknown worker", (("jobs", "worker", 0, 4),)),
    ("a worker without a job", (("workers", "worker", 3, 4), ("workers", "sex", 3, "F"))),
    ("two jobs", (("jobs", "worker", 3, 1), ("jobs", "workplace", 3, 12))),
    ("no place", (("workplaces", "place", 2, None),)),
    ("another place", (("workplaces", "place", 2, "c"),)),
    ("no sex", (("workers", "sex", 1, None),)),
    ("another sex", (("workers", "sex", 1, "X"),)),
)


def _changed(changes: Sequence[Change], known: Callable[[int], Any]) -> Data:
    data = _sound()
    for table, column, row, value in changes:
        own = data[table][column]
        own[row : row + 1] = [value]
    for columns in data.values():
        for name in columns.keys() & {"worker", "workplace"}:
            columns[name] = [None if n is None else known(n) for n in columns[name]]
    return data


def _counts(folder: Path, engine: Engine, data: Mapping[str, Columns], two_jobs: str) -> list[int]:
    """The counts by place and sex, place first; the place of values is the domain's."""
    whole = all(isinstance(one, int | None) for one in data["jobs"]["worker"])
    ending = ".parquet" if whole else ".csv"
    for name, columns in data.items():
        write_table(folder / f"{name}{ending}", columns)
    jobs, workplaces, workers = (folder / f"{name}{ending}" for name in ("jobs", "workplaces", "workers"))
    tabulator = Tabulator(TableFiles(jobs, workplaces, workers), engine, two_jobs)
    found = tabulator.tabulate(["place", "sex"], Domain(LISTED))
    spread = tabulator.spread(["place", "sex"], Domain(LISTED))
    tabulator.require_inside(spread)
    return list(found.count.tolist())


Case = tuple[Callable[[], object], object]
"""What is done, and what comes out."""


def _cases(folder: Path, engine: Engine) -> Iterator[Case]:
    for kind, two_jobs in (*product(IDENTIFIERS, ("refuse",)), ("free", "first")):
        of, known = partial(_counts, folder, engine, two_jobs=two_jobs), IDENTIFIERS[kind]
        yield partial(of, _changed((), known)), [2, 0, 0, 1]
        for name, changes in BROKEN:
            data = _changed(changes, known)
            if name == "two jobs" and two_jobs == "first":
                yield partial(of, data), [2, 0, 0, 1]
            else:
                yield partial(refused, partial(of, data)), True
    data = _changed((), IDENTIFIERS["whole"])
    yield partial(refused, partial(_counts, folder, engine, data, "second")), True
    yield from ((partial(refused, partial(_opened, *own)), not good) for own, good in ENGINES)


ENGINES = (
    ((None, "1GB"), True),
    ((1, "400MB"), True),
    ((0, "1GB"), False),
    ((1025, "1GB"), False),
    ((1, "-1GB"), False),
    ((1, "much"), False),
)
"""Threads and memory, and whether an engine takes them."""


def _opened(threads: int | None, memory: str) -> None:
    with embedded(threads, memory):
        pass


@cache
def refused_data() -> Evidence:
    """Evidence that tables are counted when they are a dataset of the model, and refused otherwise."""
    with tempfile.TemporaryDirectory() as name, embedded(threads=1, memory="200MB") as engine:
        return exhaustive.for_all(
            _cases(Path(name), engine),
            lambda case: case[0]() == case[1],
            "tables are refused that are no dataset of the model, or have values outside their domains",
            f"three jobs, {len(BROKEN)} ways to break the tables, identifiers of {len(IDENTIFIERS)} forms, "
            "with and without a choice among the jobs of a worker",
        )
