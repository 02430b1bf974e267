"""Whole numbers that are far apart are counted by the rows that list them, and refused as others are."""

import random
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from establish.impl.tabulate import Domain, Engine, Rows, TableFiles, Tabulator
from establish.impl.tabulate.checks import far_apart
from establish.impl.tabulate.tables import WORKER, OpenTables
from establish.spec.parameters import ParameterError

DOMAIN = Domain({"sex": ("F", "M"), "place": ("a", "b", "c")})
SIZE = 2000
NUMBERS = random.Random(1).sample(range(-(10**17), 10**17, 10**14), SIZE)
"""Of no order, and far apart."""

Ids = list[int] | list[int | None]


def write(path: Path, columns: dict[str, list]) -> None:
    pq.write_table(pa.table(columns), path)


def tables_of(folder: Path, held: Ids, listed: Ids) -> TableFiles:
    """Jobs of ``held`` and workers ``listed``; the sex of a worker is told by its identifier."""
    files = TableFiles(*(folder / f"{n}.parquet" for n in ("jobs", "workplaces", "workers")))
    places = [f"{n:x}-place" for n in range(30)]
    write(files.jobs, {"worker": held, "workplace": [places[n * n % 30] for n in range(len(held))]})
    write(files.workplaces, {"workplace": places, "place": list("abc") * 10})
    write(files.workers, {"worker": listed, "sex": [sex_of(id) for id in listed]})
    return files


def sex_of(id: object) -> str:
    return "FM"[sum(str(id).encode()) % 2]


def reference(files: TableFiles) -> dict[tuple[str, str], int]:
    """The cells by dictionaries, without a database."""
    sexes = {row["worker"]: row["sex"] for row in pq.read_table(files.workers).to_pylist()}
    places = {row["workplace"]: row["place"] for row in pq.read_table(files.workplaces).to_pylist()}
    jobs = pq.read_table(files.jobs).to_pylist()
    found = Counter((sexes[job["worker"]], places[job["workplace"]]) for job in jobs)
    return {(sex, place): found[sex, place] for sex in "FM" for place in "abc"}


def counted(files: TableFiles, engine: Engine, two_jobs: str = "refuse") -> dict:
    cells = Tabulator(files, engine, two_jobs).tabulate(["sex", "place"], DOMAIN)
    names = zip(cells.labels("sex"), cells.labels("place"), strict=True)
    return dict(zip(names, cells.count.tolist(), strict=True))


def changed(place: int, id: int | None) -> Ids:
    return [*NUMBERS[:place], id, *NUMBERS[place + 1 :]]


@pytest.mark.few(2)
@pytest.mark.parametrize(("step", "far"), [(1, False), (31, False), (33, True), (10**12, True)])
def test_numbers_count_the_same_however_far_apart(engine, tmp_path, step, far):
    ids = [(n - SIZE // 2) * step for n in range(SIZE)]
    files = tables_of(tmp_path, ids, random.Random(2).sample(ids, SIZE))
    assert far_apart(OpenTables.open(files, engine), WORKER, engine) is far
    assert Tabulator(files, engine).rows == Rows(SIZE, 30, SIZE)
    assert counted(files, engine) == reference(files)


@pytest.mark.small_campaign
def test_one_row_breaks_the_model(engine, tmp_path):
    place = SIZE - 1
    twice, none, new = changed(place, NUMBERS[3]), changed(place, None), 123_456
    cases = [
        (changed(place, new), NUMBERS, "a worker that workers does not list"),
        (twice, NUMBERS, "a worker without a job"),
        (NUMBERS, twice, "lists a worker twice"),
        (twice, twice, "lists a worker twice"),
        (none, NUMBERS, "column worker of jobs has a missing value"),
        (NUMBERS, none, "column worker of workers has a missing value"),
        (none, none, "has a missing value"),
        ([*NUMBERS, new], NUMBERS, "a worker that workers does not list"),
        ([*NUMBERS, NUMBERS[place]], NUMBERS, "a worker has two jobs"),
        (NUMBERS[:-1], NUMBERS, "a worker without a job"),
    ]
    for held, listed, message in cases:
        with pytest.raises(ParameterError, match=message):
            Tabulator(tables_of(tmp_path, held, listed), engine)


def test_workers_may_have_several_jobs(engine, tmp_path):
    once = tables_of(tmp_path, NUMBERS, NUMBERS)
    assert counted(once, engine, "first") == reference(once)
    several = tables_of(tmp_path, [*NUMBERS, *NUMBERS[:500]], NUMBERS)
    jobs = pq.read_table(several.jobs).to_pylist()
    first: dict[int, str] = {}
    for job in jobs:
        first[job["worker"]] = min(job["workplace"], first.get(job["worker"], job["workplace"]))
    found = counted(several, engine, "first")
    write(several.jobs, {"worker": list(first), "workplace": list(first.values())})
    assert found == reference(several)
