"""Whole syntheses of small files: columns, order, seeds, both files or none."""

import json
from fractions import Fraction
from pathlib import Path

import duckdb
import numpy as np
import pytest

from establish.impl.synthetic import synthesize as module
from establish.impl.synthetic.synthesize import synthesize
from establish.spec.parameters import ParameterError

HEADER = (
    "area_fips,own_code,industry_code,agglvl_code,year,qtr,disclosure_code,"
    "qtrly_estabs_count,month1_emplvl,month2_emplvl,month3_emplvl,total_qtrly_wages"
)
LINES = (
    "44001,5,236118,78,2016,1,,3,80,90,100,90000",
    "44001,5,811111,78,2016,1,,5,1,0,2,700",
    "44003,5,325620,78,2016,1,,1,4,4,4,12000",
    "44003,5,325621,78,2016,1,-,0,0,0,0,0",
)

COLUMNS = [
    *("primary_key", "copy", "year", "qtr", "state", "cnty", "own", "supersector", "sector", "naics3"),
    *("naics4", "naics5", "naics", "m1emp", "m2emp", "m3emp", "wage"),
]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "cells.csv"
    path.write_text("\n".join((HEADER, *LINES)) + "\n", encoding="utf-8")
    return path


def test_a_table_has_one_row_per_establishment_with_the_columns_of_the_paper(source, tmp_path, rows_of):
    rows = rows_of(synthesize(source, tmp_path / "out.csv", seed=1).table)
    assert list(rows[0]) == COLUMNS
    assert [row["primary_key"] for row in rows] == [str(n) for n in range(1, 10)]
    described = [
        [row[c] for c in ("state", "cnty", "own", "supersector", "sector", "naics3")] for row in rows
    ]
    assert described[0] == ["44", "44001", "5", "1012", "23", "236"]
    assert described[8] == ["44", "44003", "5", "1013", "31-33", "325"]
    assert [rows[8][c] for c in ("naics4", "naics5", "naics", "m2emp", "wage")] == (
        ["3256", "32562", "325620", "4", "12000"]
    )


def test_every_copy_keeps_the_totals_and_is_drawn_anew(source, tmp_path, rows_of):
    rows = rows_of(synthesize(source, tmp_path / "out.csv", seed=2, copies=4, dominant="1/2").table)
    assert len(rows) == 36
    firsts = set()
    for copy in "1234":
        for naics, totals in (("236118", (80, 90, 100, 90000)), ("811111", (1, 0, 2, 700))):
            cell = [r for r in rows if r["copy"] == copy and r["naics"] == naics]
            columns = [[int(r[c]) for r in cell] for c in ("m1emp", "m2emp", "m3emp", "wage")]
            assert tuple(map(sum, columns)) == totals
            assert min(map(min, columns)) >= 0
            firsts.add(tuple(columns[3]))
    assert len(firsts) == 8


def test_batches_do_not_change_the_totals_or_the_order(source, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "BATCH", 20)
    told: list[int] = []
    made = synthesize(source, tmp_path / "out.parquet", seed=3, copies=5, drawn=told.append)
    assert told == [2, 4, 5]
    found = duckdb.sql(f"SELECT primary_key, copy, naics, m1emp FROM '{made.table}'").fetchall()
    assert [row[0] for row in found] == list(range(1, 46))
    assert [row[1] for row in found] == [copy for copy in range(1, 6) for _ in range(9)]
    assert [row[2] for row in found] == (["236118"] * 3 + ["811111"] * 5 + ["325620"]) * 5
    assert sum(row[3] for row in found) == 5 * 85


def test_rows_are_in_order_when_there_are_fewer_rows_than_labels_would_need(tmp_path, rows_of):
    lines = [f"{44001 + 2 * n},5,236118,78,2016,1,,1,{n},{n},{n},{n}" for n in range(3000)]
    path = tmp_path / "cells.csv"
    path.write_text("\n".join((HEADER, *lines)) + "\n", encoding="utf-8")
    made = synthesize(path, tmp_path / "out.csv", seed=4)
    found = [(int(row["primary_key"]), int(row["m1emp"])) for row in rows_of(made.table)]
    assert found == [(n + 1, n) for n in range(3000)]


@pytest.mark.small_campaign
def test_many_rows_are_in_order(tmp_path):
    path = tmp_path / "cells.csv"
    lines = [f"4400{n},5,236118,78,2016,1,,500000,7,7,7,7" for n in (1, 3, 5)]
    path.write_text("\n".join((HEADER, *lines)) + "\n", encoding="utf-8")
    made = synthesize(path, tmp_path / "out.parquet", seed=4)
    keys = duckdb.sql(f"SELECT primary_key FROM '{made.table}'").fetchnumpy()["primary_key"]
    assert np.array_equal(keys, np.arange(1, 1_500_001))


@pytest.mark.few(1)
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_the_same_seed_gives_the_same_table_and_another_seed_another(source, tmp_path, ending):
    def table(name: str, seed: int) -> list[tuple[object, ...]]:
        made = synthesize(source, tmp_path / f"{name}.{ending}", seed=seed)
        return duckdb.sql(f"SELECT * FROM '{made.table}'").fetchall()

    assert table("a", 5) == table("b", 5)
    assert table("c", 6) != table("a2", 5)


def test_the_record_says_what_was_done(source, tmp_path):
    made = synthesize(source, tmp_path / "out.csv", seed=7, copies=2, dominant=Fraction(3, 4))
    record = json.loads(made.sidecar.read_text("utf-8"))
    assert record["cells"] == 4
    assert record["cells without establishments"] == 1
    assert record["rows"] == 18
    assert record["establishments per copy"] == 9
    assert record["jobs in month 3 per copy"] == 106
    assert record["wages per copy"] == 102700
    assert (record["dominant"], record["copies"], record["seed"]) == ("3/4", 2, 7)
    assert "Beta(cR, R)" in record["law"]
    assert "Beta" not in str(synthesize(source, tmp_path / "plain.csv", seed=7).record["law"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seed": -1}, "seed must be"),
        ({"seed": 1, "copies": 0}, "copies = 0 is not allowed"),
        ({"seed": 1, "copies": 10**8}, "900000000 establishments are more than"),
        ({"seed": 1, "dominant": 1}, "dominant = 1 is not allowed"),
        ({"seed": 1, "dominant": "0"}, "dominant = 0 is not allowed"),
        ({"seed": 1, "dominant": "half"}, "dominant = half is not"),
        ({"seed": 1, "ownership": ("9",)}, "own_code 9"),
    ],
)
def test_an_argument_outside_its_domain_is_refused_and_nothing_is_written(source, tmp_path, options, message):
    out = tmp_path / "out.csv"
    with pytest.raises(ParameterError, match=message):
        synthesize(source, out, **options)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cells.csv"]


def test_an_existing_table_is_kept_unless_forced(source, tmp_path):
    out = tmp_path / "out.csv"
    synthesize(source, out, seed=8)
    before = out.read_bytes()
    with pytest.raises(ParameterError, match="exists"):
        synthesize(source, out, seed=9)
    assert out.read_bytes() == before
    synthesize(source, out, seed=9, force=True)
    assert out.read_bytes() != before
    with pytest.raises(ParameterError, match="is the input"):
        synthesize(source, source, seed=9, force=True)
