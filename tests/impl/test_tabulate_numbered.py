"""Text identifiers count as numbers only where no two of them could become one."""

import re
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from establish.impl.tabulate import Engine, TableFiles, Tabulator
from establish.impl.tabulate.numbered import numbered
from establish.impl.tabulate.tables import OpenTables
from establish.spec.parameters import ParameterError

FIRST = [f"É{n:05d}" for n in range(1000)]
"""So many alike that the rest is taken to be like them."""

TEXTS = ["É", "É1", "É01", "É001", "É1000", "É" + "9" * 18, "É" + "9" * 19, "É" + "0" * 30]
TEXTS += ["1", "01", "F1", "é1", "E1", "ÉÉ1", " É1", "É-1", "É+1", "É 1", "É1 ", "É1\t", "É1\x00"]
TEXTS += ["É1e3", "É1E3", "É1e+3", "É1_000", "É1,000", "É1.0", "É1.", "É0x1", "É١", "É１", "É1É", "x"]


def tables_of(folder: Path, listed: list[str], held: list[str]) -> TableFiles:
    """One job at each of the workplaces ``held``; the rows of workplaces have no numbers, as in CSV."""
    files = TableFiles(folder / "jobs.parquet", folder / "workplaces.parquet")
    pq.write_table(pa.table({"worker": range(len(held)), "workplace": held}), files.jobs)
    pq.write_table(
        pa.table(
            {
                "workplace": listed,
                "own": [str(n) for n in range(len(listed))],
                "file_index": [0] * len(listed),
            }
        ),
        files.workplaces,
    )
    return files


def assert_spelled(engine: Engine, folder: Path) -> None:
    texts = FIRST + TEXTS
    tables = numbered(OpenTables.open(tables_of(folder, texts, texts), engine), "workplace", engine)
    # As texts: on its way out of Spark a column of numbers with missing ones becomes one of floats.
    asked = f"SELECT own, CAST(workplace AS STRING) AS number FROM {tables.workplaces}"
    own, numbers = engine.columns(tables.workplaces.of(asked)).values()
    found = dict(zip(map(int, own), numbers.tolist(), strict=True))
    for place, text in enumerate(texts):
        # 1 and 18 digits are always less than 2^63, 1 and 19 digits never.
        spelled = re.fullmatch("É([0-9]{0,18})", text)
        assert found[place] == ("1" + spelled[1] if spelled else None), text


def test_a_number_stands_for_the_text_that_it_spells(engine, tmp_path):
    assert_spelled(engine, tmp_path)


def test_a_number_stands_for_the_same_text_on_spark(on_spark, tmp_path):
    assert_spelled(on_spark, tmp_path)


def test_texts_of_several_prefixes_stay_texts(engine, tmp_path):
    tables = OpenTables.open(tables_of(tmp_path, ["A1", "B1"], ["A1", "B1"]), engine)
    assert numbered(tables, "workplace", engine) is tables


@pytest.mark.few(6)
@pytest.mark.parametrize("text", TEXTS)
def test_a_text_unlike_the_first_is_a_workplace_of_its_own(engine, tmp_path, text):
    files = tables_of(tmp_path, [*FIRST, text], [text, *FIRST, *FIRST])
    cells = Tabulator(files, engine).tabulate(["own"])
    counts = dict(zip(cells.labels("own"), cells.count, strict=True))
    assert counts.pop("1000") == 1
    assert set(counts.values()) == {2}


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("listed", "held"),
    [("É1", "É01"), ("É1", "F1"), ("É1", "1"), ("É1000", "É1e3"), ("É1e3", "É1000"), ("É1", "É1 ")],
)
def test_a_workplace_that_another_text_lists_is_unknown(engine, tmp_path, listed, held):
    with pytest.raises(ParameterError, match="jobs has a workplace that workplaces does not list"):
        Tabulator(tables_of(tmp_path, [*FIRST, listed], [*FIRST, held]), engine)


@pytest.mark.parametrize("alike", [FIRST, [text[1:] for text in FIRST]])
def test_an_empty_text_is_missing(engine, tmp_path, alike):
    with pytest.raises(ParameterError, match="column workplace of jobs has a missing value"):
        Tabulator(tables_of(tmp_path, alike, [*alike, ""]), engine)


def test_the_first_job_is_at_the_workplace_that_is_first_as_a_text(engine, tmp_path):
    files = tables_of(tmp_path, ["E9", "E10"], [])
    pq.write_table(pa.table({"worker": ["W1"] * 2, "workplace": ["E9", "E10"]}), files.jobs)
    cells = Tabulator(files, engine, "first").tabulate(["own"])
    assert dict(zip(cells.labels("own"), cells.count, strict=True)) == {"0": 0, "1": 1}
