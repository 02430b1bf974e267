"""Rows stand for the texts that they list only where every job finds exactly one of them."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from establish.impl.tabulate import Domain, Engine, Rows, TableFiles, Tabulator
from establish.impl.tabulate.engine import ROW
from establish.impl.tabulate.listed import all_different, listed
from establish.impl.tabulate.tables import WORKER, WORKPLACE, OpenTables
from establish.spec.parameters import ParameterError

DOMAIN = Domain({"sex": ("F", "M"), "place": ("a", "b")})
WORKERS = [f"{n * 7919:x}-{'é' * (n % 3)}" for n in range(40)]
PLACES = [f"{n:08b}-Q" for n in range(10)]


def tables_of(folder: Path, workers: list[str], held: list[tuple[str, str]], places: list[str]) -> TableFiles:
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


def expected(workers: int = len(WORKERS)) -> dict[tuple[str, str], int]:
    found = {(sex, place): 0 for sex in "FM" for place in "ab"}
    for n in range(workers):
        found["FM"[n % 2], "ab"[n * n % 7 % 2]] += 1
    return found


def short(files: TableFiles, engine: Engine, *, several_jobs: bool = False) -> OpenTables | None:
    """The tables with rows for texts; None where texts stay."""
    found = listed(OpenTables.open(files, engine), [WORKPLACE, WORKER], engine, several_jobs)
    return None if found is None else found[0]


def test_cells_are_the_same_with_rows(engine, tmp_path):
    files = tables_of(tmp_path, WORKERS, HELD, PLACES)
    tables = short(files, engine)
    assert tables is not None
    assert not tables.jobs.is_text(WORKER)
    assert not tables.jobs.is_text(WORKPLACE)
    assert Tabulator(files, engine).rows == Rows(40, 10, 40)
    assert counted(files, engine) == expected()


def test_the_rows_of_a_folder_of_files_are_told_apart(engine, tmp_path):
    """Each file numbers its rows from 0."""
    files = tables_of(tmp_path, WORKERS, HELD, PLACES)
    for path in (files.jobs, files.workplaces, files.workers):
        table, folder = pq.read_table(path), tmp_path / path.stem
        folder.mkdir()
        for n, (start, size) in enumerate(((0, 5), (5, 0), (5, 100))):
            pq.write_table(table.slice(start, size), folder / f"part-{n}.parquet")
    parts = TableFiles(*(tmp_path / name for name in ("jobs", "workplaces", "workers")))
    assert short(parts, engine) is not None
    assert counted(parts, engine) == expected()


@pytest.mark.parametrize("name", ["file_index", "FILE_ROW_NUMBER"])
def test_texts_stay_where_a_file_has_a_column_that_would_number_its_rows(engine, tmp_path, name):
    files = tables_of(tmp_path, WORKERS, HELD, PLACES)
    table = pq.read_table(files.workers)
    pq.write_table(table.append_column(name, pa.array([7] * len(WORKERS))), files.workers)
    found = short(files, engine)
    assert found is not None
    assert found.jobs.is_text(WORKER)
    assert not found.jobs.is_text(WORKPLACE)
    assert counted(files, engine) == expected()


@pytest.mark.parametrize("name", [ROW, ROW.upper()])
def test_a_column_with_the_name_of_ours_is_refused(engine, tmp_path, name):
    files = tables_of(tmp_path, WORKERS, HELD, PLACES)
    table = pq.read_table(files.workers)
    pq.write_table(table.append_column(name, pa.array(range(len(WORKERS)))), files.workers)
    with pytest.raises(ParameterError, match=f"the column name {ROW} is reserved: rename it"):
        Tabulator(files, engine)


def test_the_column_of_rows_is_no_attribute(engine, tmp_path):
    files = tables_of(tmp_path, WORKERS, HELD, PLACES)
    with pytest.raises(ParameterError, match=r"there are place, sex$"):
        Tabulator(files, engine).tabulate([ROW], DOMAIN)


def test_texts_that_spell_almost_the_same_number_are_different_identifiers(engine, tmp_path):
    alike = ["É1", "É01", "É001", "é1", "E1", "F1", "1", "01", " É1", "É1 ", "É1\t", "É1\x00", "É+1", "É1.0"]
    alike += ["É1e3", "É1000", "É1_000", "É0x1", "É١", "É１", "É" + "9" * 18, "É" + "9" * 19, "É" + "0" * 30]
    held = [(worker, PLACES[n * n % 7]) for n, worker in enumerate(alike)]
    files = tables_of(tmp_path, alike, held, PLACES)
    assert short(files, engine) is not None
    assert counted(files, engine) == expected(len(alike))


UUIDS = [f"{n:08x}-0000-4000-8000-00000000abcd" for n in range(20)]


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "other",
    [
        str.upper,
        lambda text: "{" + text + "}",
        lambda text: text.replace("-", ""),
        lambda text: text + " ",
        lambda text: text + "\x00",
    ],
)
def test_texts_that_look_like_one_uuid_are_different_identifiers(engine, tmp_path, other):
    workers = [*UUIDS, *map(other, UUIDS)]
    held = [(worker, PLACES[n * n % 7]) for n, worker in enumerate(workers)]
    files = tables_of(tmp_path, workers, held, PLACES)
    assert short(files, engine) is not None
    assert counted(files, engine) == expected()
    unknown = [(other(worker), place) for worker, place in held[:20]]
    with pytest.raises(ParameterError, match="a worker that workers does not list"):
        Tabulator(tables_of(tmp_path, UUIDS, unknown, PLACES), engine)


def test_a_worker_may_have_several_jobs_where_the_first_counts(engine, tmp_path):
    held = [(worker, PLACES[place]) for worker in WORKERS for place in (9, 4, 8)]
    files = tables_of(tmp_path, WORKERS, held, PLACES)
    cells = Tabulator(files, engine, "first").tabulate(["place"], DOMAIN)
    assert dict(zip(cells.labels("place"), cells.count, strict=True)) == {"a": 40, "b": 0}
    with pytest.raises(ParameterError, match="a worker has two jobs"):
        Tabulator(files, engine)
    unknown = tables_of(tmp_path, WORKERS, [*held, ("x", PLACES[0])], PLACES)
    with pytest.raises(ParameterError, match="a worker that workers does not list"):
        Tabulator(unknown, engine, "first")


@pytest.mark.parametrize(("held", "size"), [(HELD, 40), (HELD[:1] * 2, None), ([("", "p")], None)])
def test_texts_are_different_when_their_hashes_are(engine, tmp_path, held, size):
    tables = OpenTables.open(tables_of(tmp_path, WORKERS, held, PLACES), engine)
    assert all_different(tables.jobs, WORKER, engine) == size


@pytest.mark.few(4)
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
        (["t", "t"], [("t", PLACES[0]), ("u", PLACES[0])], PLACES, "lists a worker twice"),
        (WORKERS, HELD, [*PLACES, PLACES[9]], "lists a workplace twice"),
        (["t", "u"], [("t", PLACES[0])] * 2, PLACES, "a worker without a job"),
    ],
)
def test_what_breaks_the_model_is_refused_with_the_same_words(
    engine, tmp_path, workers, held, places, message
):
    with pytest.raises(ParameterError, match=message):
        Tabulator(tables_of(tmp_path, workers, held, places), engine)
