"""Released tables as workbooks, read by a second library."""

import hashlib
import json
import zipfile
from pathlib import Path

import duckdb
import numpy as np
import openpyxl
import pytest

from establish.impl.tables import workbooks
from establish.impl.tables.columns import table_writer
from establish.impl.tables.files import copy
from establish.impl.tables.formulas import is_formula
from establish.impl.tables.workbooks import write_workbook
from establish.spec.parameters import ParameterError

LAW = ("--mechanism", "laplace", "--epsilon", "1", "--count", "jobs", "--seed", "1")
ODD = ["=1+1", "@SUM(1)", "044", " x", "_x0041_", "a\nb", "<r>x", "é𝄞", "1e5", "TRUE"]
"""Labels that a careless workbook would change or run."""


def cells_of(path: Path, sheet: str = "table") -> list[list[object]]:
    return [list(row) for row in openpyxl.load_workbook(path)[sheet].iter_rows(values_only=True)]


def written(path: Path, column: list[object]) -> Path:
    write_workbook(path, ["x"], ([value] for value in column), [])
    return path


def test_a_workbook_holds_the_numbers_of_the_csv_and_names_its_record(tmp_path, succeeds):
    source = tmp_path / "cells.csv"
    source.write_text("place,code,jobs\nNorth,044,60\n=Mill,045,2000\n,046,0\n")
    for name in ("o.csv", "o.xlsx"):
        succeeds("release", "counts", source, *LAW, "--keep", "code", "--out", tmp_path / name)
    with duckdb.connect() as db:
        path = str(tmp_path / "o.csv")
        rows = db.execute("FROM read_csv(?, all_varchar = true)", [path]).fetchall()
    shown = cells_of(tmp_path / "o.xlsx")
    assert shown[0] == ["place", "code", "jobs"]
    assert shown[1:] == [[place, code, int(jobs)] for place, code, jobs in rows]
    record = json.loads((tmp_path / "o.xlsx.json").read_text("utf-8"))
    about = cells_of(tmp_path / "o.xlsx", "about")
    assert about[:2] == [["record", "o.xlsx.json"], ["check it with", "establish verify o.xlsx.json"]]
    assert [text for title, text in about if title == "note"] == record["notes"]
    assert any("formula" in note for note in record["notes"])
    digest = hashlib.sha256((tmp_path / "o.xlsx").read_bytes()).hexdigest()
    assert record["tables"] == {"o.xlsx": digest}
    assert (tmp_path / "o.xlsx").stat().st_mode == (tmp_path / "o.csv").stat().st_mode


def test_the_same_seed_gives_the_same_bytes(tmp_path, succeeds):
    source = tmp_path / "cells.csv"
    source.write_text("place,jobs\nNorth,60\n")
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        succeeds("release", "counts", source, *LAW, "--out", tmp_path / folder / "o.xlsx")
    first, second = (tmp_path / folder / "o.xlsx" for folder in ("a", "b"))
    assert first.read_bytes() == second.read_bytes()
    with zipfile.ZipFile(first) as parts:
        assert {part.date_time[:3] for part in parts.infolist()} == {(1980, 1, 31)}
        assert b"2000-01-01T00:00:00Z" in parts.read("docProps/core.xml")


@pytest.mark.parametrize("label", ODD)
def test_every_label_is_text_and_comes_back_as_it_was(tmp_path, label):
    path = written(tmp_path / "t.xlsx", [label])
    cell = openpyxl.load_workbook(path)["table"]["A2"]
    assert cell.data_type != "f"
    assert "<f>" not in zipfile.ZipFile(path).read("xl/worksheets/sheet1.xml").decode()
    assert str(cell.value).replace("_x005F_", "_").removeprefix("'") == label


def test_some_of_these_labels_are_formulas_elsewhere():
    assert [label for label in ODD if is_formula(label)] == ["=1+1", "@SUM(1)"]


@pytest.mark.parametrize(
    "value",
    [
        *("\x00", "a\x1bb", "<r><t>x</t></r>", "a" * 32_768, "𝄞" * 16_384, "\uffff"),
        *(2**53 + 2, -(2**60), float("inf"), float("nan")),
    ],
)
def test_what_a_cell_cannot_hold_is_refused_without_naming_it(tmp_path, value):
    with pytest.raises(ParameterError, match=r"^column x has a .* that a cell cannot hold") as refused:
        written(tmp_path / "t.xlsx", [value])
    assert str(value)[:5] not in str(refused.value)


def test_what_a_cell_just_holds_is_written(tmp_path):
    values = ["a" * 32_767, 2**53, -(2**53), 0.1, 1e300, None]
    assert [row[0] for row in cells_of(written(tmp_path / "t.xlsx", values))[1:]] == values[:5]


def test_a_sheet_has_an_end(tmp_path, monkeypatch):
    monkeypatch.setattr(workbooks, "MOST_ROWS", 4)
    assert len(cells_of(written(tmp_path / "t.xlsx", [1, 2, 3]))) == 4
    with pytest.raises(ParameterError, match="at most 3 rows"):
        written(tmp_path / "u.xlsx", [1, 2, 3, 4])


def test_dates_decimals_and_truth_values_stand_as_text_and_numbers_as_numbers(tmp_path):
    query = "SELECT DATE '2020-01-02' d, 1.10::DECIMAL(4,2) m, true b, 7::TINYINT i, 0.5::DOUBLE f"
    with duckdb.connect() as db:
        copy(db, query, tmp_path / "t.xlsx", ".xlsx")
    assert cells_of(tmp_path / "t.xlsx")[1] == ["2020-01-02", "1.10", "true", 7, 0.5]


def test_a_missing_number_is_an_empty_cell(tmp_path):
    table = {"x": np.array([0.5, np.nan]), "y": np.array([1, 2])}
    table_writer(table, ".xlsx")(tmp_path / "t.xlsx")
    assert cells_of(tmp_path / "t.xlsx") == [["x", "y"], [0.5, 1], [None, 2]]


def test_a_workbook_is_not_read(tmp_path, refusal):
    path = written(tmp_path / "cells.xlsx", [1])
    line = refusal("release", "counts", path, *LAW, "--out", tmp_path / "o.csv")
    assert "must end in .csv, .csv.gz, .parquet" in line
