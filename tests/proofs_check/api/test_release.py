"""Releases from Python: what the commands do, with tables in memory, and in the kind that came in."""

import inspect
import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import establish
from establish import ParameterError
from establish.impl.tables.frames import frame_of
from establish.proofs_check.commands.release import app

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")

CELLS = {
    "place": ["Alder", "Alder", "Brack", "Brack"],
    "sector": ["Retail", "Health", "Retail", "Health"],
    "jobs": [1840, 912, 58, 137],
}
PEOPLE = {"college": ["a"] * 40 + ["b"] * 40, "pay": [20_000 + 500 * n for n in range(80)]}
KINDS: Mapping[str, Callable[[dict[str, list[Any]]], Any]] = {
    "pandas": pandas.DataFrame,
    "polars": polars.DataFrame,
    "pyarrow": pa.table,
    "duckdb": lambda columns: duckdb.from_arrow(pa.table(columns)),
}
COUNTS = {"count": "jobs", "alpha": "1/10", "epsilon": 2}
WHERE = {"tables", "time", "title", "dataset", "ledger", "head", "output", "release"}
"""What a record says of the file and the ledger."""

NAMED = {"dataset": "cells", "ledger": "cells.ledger"}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ESTABLISH_UNCERTIFIED", "1")  # what is stale is told by another test


def columns(table: Any) -> dict[str, list[Any]]:
    return pa.RecordBatchReader.from_stream(table).read_all().to_pydict()  # type: ignore[no-any-return]


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_in_memory_is_released_as_its_file_is_and_given_back_in_its_kind(kind, succeeds):
    table = KINDS[kind](CELLS)
    found = establish.release_counts(table, **COUNTS, **NAMED, seed=5)
    pandas.DataFrame(CELLS).to_csv("cells.csv", index=False)
    options = ("--count", "jobs", "--alpha", "1/10", "--epsilon", "2", "--seed", "5")
    succeeds("release", "counts", "cells.csv", *options, "--out", "noisy.csv")
    written = json.loads(Path("noisy.csv.json").read_text("utf-8"))
    assert type(found.table) is type(table)
    assert len(found.table) == 4
    assert columns(found.table) == pandas.read_csv("noisy.csv").to_dict("list")
    said = json.loads(json.dumps(found.record))
    assert {name for name in written | said if written.get(name) != said.get(name)} <= WHERE


@pytest.mark.parametrize("kind", KINDS)
def test_percentiles_of_people_in_memory_are_those_of_their_file(kind):
    asked = {"earnings": "pay", "cell": "college", "epsilon": 1, "seed": 3}
    found = establish.release_earnings(KINDS[kind](PEOPLE), **asked, dataset="p", ledger="p.ledger")
    pandas.DataFrame(PEOPLE).to_parquet("people.parquet")
    other = establish.release_earnings("people.parquet", **asked, out="out.csv", percentiles="25,50,75")
    assert columns(found.table) == columns(other.table)
    assert list(columns(found.table)) == ["college", "count", "p25", "p50", "p75", "class", "status"]


def test_all_releases_of_a_name_add_up_in_its_ledger_whatever_kind_of_table_comes():
    for number, make in enumerate(KINDS.values(), start=1):
        found = establish.release_counts(make(CELLS), **COUNTS, **NAMED, cap=8)
        assert found.written.receipt is not None
        assert found.written.receipt.number == number
    with pytest.raises(ParameterError, match="too much"):
        establish.release_counts(KINDS["polars"](CELLS), **COUNTS, **NAMED)
    assert len(Path("cells.ledger").read_text("utf-8").splitlines()) == 5  # what it is, and four entries


def test_a_ledger_that_was_lost_is_noticed_though_the_table_is_in_memory():
    establish.release_counts(KINDS["pandas"](CELLS), **COUNTS, **NAMED)
    Path("cells.ledger").unlink()
    with pytest.raises(ParameterError, match=r"cells\.ledger"):
        establish.release_counts(KINDS["pandas"](CELLS), **COUNTS, **NAMED)


def test_a_table_in_memory_and_its_file_share_the_head_beside_the_file():
    table = pandas.DataFrame(CELLS)
    table.to_csv("cells.csv", index=False)
    establish.release_counts("cells.csv", **COUNTS, out="noisy.csv")
    found = establish.release_counts(table, **COUNTS, dataset="cells.csv", ledger="cells.csv.ledger")
    assert found.written.receipt is not None
    assert found.written.receipt.number == 2
    assert found.written.told == []  # the rows are those of the release before


def test_the_same_rows_under_another_name_are_told():
    establish.release_counts(KINDS["pandas"](CELLS), **COUNTS, **NAMED)
    found = establish.release_counts(KINDS["polars"](CELLS), **COUNTS, dataset="b", ledger="b.ledger")
    assert any("has the rows of data set cells" in line for line in found.written.told)


@pytest.mark.small_campaign
def test_a_saved_release_is_verified_and_not_written_over(tmp_path, as_recorded, succeeds):
    found = establish.release_counts(KINDS["polars"](CELLS), **COUNTS, **NAMED)
    paths = found.save(tmp_path)
    assert [path.name for path in paths] == ["counts.parquet", "counts.parquet.json"]
    assert "counts.parquet" in succeeds("verify", "counts.parquet.json", "--ledger", "cells.ledger")
    with pytest.raises(ParameterError, match="exists: choose another or use force=True"):
        found.save(tmp_path)
    assert found.save(tmp_path, force=True) == paths
    assert [path.parent.name for path in found.save(tmp_path / "new")] == ["new", "new"]
    with pytest.raises(ParameterError, match="is not a folder"):
        found.save(paths[0])
    assert repr(found.record).startswith("Record of counts.parquet from cells: 4 rows by ")


def test_a_release_in_memory_leaves_no_file_but_the_ledger_and_its_head(tmp_path, monkeypatch):
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    establish.release_counts(KINDS["pandas"](CELLS), **COUNTS, **NAMED)
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["cells.head", "cells.ledger", "temporary"]


def test_a_release_prints_in_a_few_lines_and_no_true_count(shows):
    found = establish.release_counts(KINDS["pandas"](CELLS), **COUNTS, **NAMED)
    assert 1 <= len(repr(found).splitlines()) <= 5
    assert "satisfies: strong (α, ε)-ER-EE privacy" in repr(found)
    assert "satisfies: strong" in found._repr_html_()
    assert "&lt;" not in found._repr_html_()
    frame = frame_of("table", KINDS["pandas"](CELLS))
    assert not shows(f"{frame} {frame!r} {found!r}", 1840)


def test_the_index_of_a_filtered_pandas_table_is_no_column():
    table = pandas.DataFrame(CELLS)
    found = establish.release_counts(table[table.jobs != 912], **COUNTS, **NAMED)
    assert list(found.table.columns) == ["place", "sector", "jobs"]


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"dataset": None}, "dataset is missing: the pandas table is in memory and has no name"),
        (
            {"ledger": None},
            "ledger is missing: the pandas table is in memory, so there is no ledger beside it",
        ),
        ({"count": "job"}, "count = job is not a column; the columns are place, sector, jobs"),
        ({"count": 5}, "count = 5 is not a name: give a text"),
        ({"count": "place"}, "column jobs could be a label or a confidential number; no budget is spent: "),
        ({"count": "place"}, "publish it with keep='jobs', leave it out with drop='jobs', or leave out "),
        ({"keep": ["naics"]}, "keep = naics is not a column; the columns are place, sector, jobs"),
        ({"keep": [1]}, "keep = 1 is not a name: give a text, or a list of texts"),
        ({"keep": "jobs"}, "keep = jobs is confidential and cannot be kept"),
        ({"epsilon": 0}, "epsilon = 0 is not allowed: ε must be greater than 0"),
        ({"epsilon": "two"}, "epsilon = two is not a finite rational: write it as 1/10 or 0.1"),
        ({"epsilon": None}, "epsilon is missing: give it, or ρ and a mechanism that takes it"),
        ({"alpha": None}, "alpha is missing: it is needed to choose a mechanism"),
        ({"alpha": float("nan")}, "alpha = nan is not a finite rational"),
        (
            {"alpha": 10},
            "alpha = 10 is too large for ε = 2: no mechanism has a finite expected error for cells",
        ),
        ({"mechanism": "gauss"}, "mechanism = gauss is not known: use one of discrete-gaussian, "),
        ({"calibration": "loose"}, "calibration = loose"),
        ({"cap": 1}, "would then cost (ε = 2), but the cap is (ε = 1): ε = 1 too much"),
        ({"cap_delta": "1/10"}, "cap_delta is given without cap: give both, or none"),
        ({"without_ledger": True}, "ledger is given together with without_ledger=True: leave one out"),
        ({"out": "noisy.txt"}, "out = noisy.txt has an unknown extension: it must end in .csv, "),
        ({"out": 7}, "out = 7 is not a path"),
        ({"sign": "none.key"}, "sign = none.key cannot be read"),
        ({"seed": -1}, "seed = -1"),
    ],
)
def test_bad_input_is_refused_by_the_name_of_its_argument_and_nothing_is_spent(changed, says, tmp_path):
    asked = {**COUNTS, **NAMED, **changed}
    with pytest.raises(ParameterError) as refused:
        establish.release_counts(KINDS["pandas"](CELLS), **asked)
    assert says in str(refused.value)
    assert "--" not in str(refused.value)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("table", "says"),
    [
        (5, "table = int is not a table: give a path, or a table with the Arrow interface (pandas, polars, "),
        (CELLS, "table = dict is not a table"),
        (None, "table = NoneType is not a table"),
        ("none.csv", "table = none.csv is not a file"),
        (polars.DataFrame(CELLS).lazy(), "table = LazyFrame is not a table"),
        (pa.table({"a": [1], "A": [2]}), "column 2 has no name of its own: rename it"),
        (pa.table({"": [1]}), "column 1 has no name of its own: rename it"),
        (
            pandas.DataFrame({"year": pandas.period_range("1840", periods=2, freq="Y"), "jobs": [1, 2]}),
            "has a column of a type that only its library reads, such as periods: make it one of texts",
        ),
        (pa.table({"jobs": [True]}), "column jobs holds BOOLEAN, not counts"),
        (pandas.DataFrame({"jobs": [1840, "x"]}), "table = DataFrame does not become an Arrow table"),
        (pandas.DataFrame({"jobs": []}), "table = the pandas table has no rows"),
        (pandas.DataFrame({"place": ["a"], "jobs": [-1840]}), "column jobs must be"),
        (pandas.DataFrame({"place": ["a"], "jobs": [None]}, dtype=object), "column jobs"),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else type(value).__name__,
)
def test_what_is_no_table_is_refused_without_quoting_what_it_holds(table, says, tmp_path):
    with pytest.raises(ParameterError) as refused:
        establish.release_counts(table, **COUNTS, **NAMED)
    assert says in str(refused.value)
    assert "1840" not in str(refused.value)
    assert os.listdir(tmp_path) == []


def test_in_production_a_table_in_memory_is_held_to_the_same_rules(monkeypatch, succeeds):
    monkeypatch.delenv("ESTABLISH_UNCERTIFIED")
    monkeypatch.setenv("ESTABLISH_PRODUCTION", "1")
    table = KINDS["polars"](CELLS)
    with pytest.raises(ParameterError, match="sign is missing: in production every record is signed"):
        establish.release_counts(table, **COUNTS, **NAMED)
    with pytest.raises(ParameterError, match="seed = 1 is not allowed in production"):
        establish.release_counts(table, **COUNTS, **NAMED, seed=1)
    succeeds("keys", "new", "agency.key")
    with pytest.raises(ParameterError, match="column"):  # nothing is kept that is not named
        establish.release_counts(table, **COUNTS, **NAMED, sign="agency.key")


@pytest.mark.parametrize("name", ["counts", "earnings"])
def test_the_function_takes_what_the_command_takes(name):
    (command,) = [one for one in app.registered_commands if one.name == name]
    options = set(inspect.signature(command.callback).parameters)
    taken = set(inspect.signature(getattr(establish, f"release_{name}")).parameters)
    assert taken - {"table"} == options - {"source", "as_json", "resume"}
