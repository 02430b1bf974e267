"""Hashes stand for texts only where it is verified that they do."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from establish.impl.tabulate import Domain, Engine, TableFiles, Tabulator
from establish.impl.tabulate import hashed as module
from establish.impl.tabulate.hashed import hashed
from establish.impl.tabulate.tables import OpenTables
from establish.spec.parameters import ParameterError

DOMAIN = Domain({"sex": ("F", "M"), "place": ("a", "b")})
WORKERS = [f"{n * 7919:x}-{'é' * (n % 3)}" for n in range(40)]
PLACES = [f"{n:08b}-Q" for n in range(10)]


def tables_of(
    folder: Path, workers: list[str], held: list[tuple[str, str]], places: list[str]
) -> TableFiles:
    files = TableFiles(*(folder / f"{n}.parquet" for n in ("jobs", "workplaces", "workers")))
    columns = {
        files.jobs: {"worker": [w for w, _ in held], "workplace": [p for _, p in held]},
        files.workplaces: {"workplace": places, "place": ["ab"[n % 2] for n in range(len(places))]},
        files.workers: {"worker": workers, "sex": ["FM"[n % 2] for n in range(len(workers))]},
    }
    for path, values in columns.items():
        pq.write_table(pa.table(values), path)
    return files


HELD = [(worker, PLACES[n * n % 7]) for n, worker in enumerate(WORKERS)]


def counted(files: TableFiles, engine: Engine) -> dict[tuple[str, str], int]:
    cells = Tabulator(files, engine).tabulate(["sex", "place"], DOMAIN)
    names = zip(cells.labels("sex"), cells.labels("place"), strict=True)
    return dict(zip(names, cells.count.tolist(), strict=True))


def expected() -> dict[tuple[str, str], int]:
    found = {(sex, place): 0 for sex in "FM" for place in "ab"}
    for n in range(len(WORKERS)):
        found["FM"[n % 2], "ab"[n * n % 7 % 2]] += 1
    return found


def test_cells_are_the_same_with_hashes(engine: Engine, tmp_path: Path) -> None:
    files = tables_of(tmp_path, WORKERS, HELD, PLACES)
    for id in ("worker", "workplace"):
        short = hashed(OpenTables.open(files, engine), id, engine, several_jobs=False)
        assert short is not None
        assert short[0].scattered == {id}
    assert counted(files, engine) == expected()


@pytest.mark.parametrize("different", [1, 2, 5, 39])
def test_texts_decide_where_two_of_them_have_one_hash(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, different: int
) -> None:
    true = module._hash
    monkeypatch.setattr(module, "_hash", lambda text: true(text) % different)
    files = tables_of(tmp_path, WORKERS, HELD, PLACES)
    tables = OpenTables.open(files, engine)
    assert hashed(tables, "worker", engine, several_jobs=False) is None
    assert counted(files, engine) == expected()


@pytest.mark.parametrize(
    ("workers", "held", "places", "message"),
    [
        (WORKERS, [*HELD[:-1], ("x", PLACES[0])], PLACES, "a worker that workers does not list"),
        (WORKERS, HELD[:-1], PLACES, "a worker without a job"),
        (WORKERS, [*HELD, HELD[0]], PLACES, "a worker has two jobs"),
        ([*WORKERS, WORKERS[0]], HELD, PLACES, "lists a worker twice"),
        ([*WORKERS[:-1], ""], HELD, PLACES, "column worker of workers has a missing value"),
        (WORKERS, [*HELD[:-1], ("", PLACES[0])], PLACES, "column worker of jobs has a missing"),
        ([*WORKERS[:-1], ""], [*HELD[:-1], ("", PLACES[0])], PLACES, "has a missing value"),
        (WORKERS, HELD, PLACES[1:], "a workplace that workplaces does not list"),
        (WORKERS, HELD, [*PLACES, PLACES[1]], "lists a workplace twice"),
        (WORKERS, HELD, [*PLACES, ""], "column workplace of workplaces has a missing value"),
    ],
)
def test_what_breaks_the_model_is_refused_with_the_same_words(
    engine: Engine,
    tmp_path: Path,
    workers: list[str],
    held: list[tuple[str, str]],
    places: list[str],
    message: str,
) -> None:
    with pytest.raises(ParameterError, match=message):
        Tabulator(tables_of(tmp_path, workers, held, places), engine)
