"""`establish synthesize` says what it built, or in one line why it did not."""

import json
from pathlib import Path

import pytest

CELLS = """area_fips,own_code,industry_code,agglvl_code,year,qtr,disclosure_code,qtrly_estabs_count,\
month1_emplvl,month2_emplvl,month3_emplvl,total_qtrly_wages
44001,5,236118,78,2016,1,,3,80,90,100,90000
44001,1,491110,78,2016,1,,2,7,7,7,50
44003,5,236118,78,2016,1,N,4,0,0,0,0
"""


@pytest.fixture
def cells(tmp_path: Path) -> Path:
    path = tmp_path / "cells.csv"
    path.write_text(CELLS, encoding="utf-8")
    return path


def test_the_summary_names_cells_totals_and_files(run, cells, tmp_path):
    out = tmp_path / "out.parquet"
    status, text, err = run("synthesize", cells, "--out", out, "--seed", 1)
    assert (status, err) == (0, "")
    assert "1 disclosed cells, 0 of them without establishments; 1 suppressed cells left out" in text
    assert "3 establishments, 100 jobs in month 3, 90000 dollars of wages\n" in text
    assert f"written: {out}" in text
    assert f"written: {out}.json" in text


def test_json_prints_the_record_that_is_written(run, cells, tmp_path):
    out = tmp_path / "out.csv"
    options = ("--seed", 1, "--copies", 3, "--own", "1", "--own", "5", "--json")
    status, text, _ = run("synthesize", cells, "--out", out, *options)
    assert status == 0
    record = json.loads(text)
    assert record == json.loads(out.with_name("out.csv.json").read_text("utf-8"))
    assert (record["rows"], record["ownership"]) == (15, ["1", "5"])


def test_the_summary_says_how_many_copies_there_are(run, cells, tmp_path):
    _, text, _ = run("synthesize", cells, "--out", tmp_path / "o.csv", "--seed", 1, "--copies", 2)
    assert "90000 dollars of wages, in each of 2 copies" in text


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--out", "out.csv"), "--seed"),
        (("--out", "out.txt", "--seed", "1"), "unknown extension"),
        (("--out", "nowhere/out.csv", "--seed", "1"), "does not exist"),
        (("--out", "out.csv", "--seed", "1", "--dominant", "2"), "dominant = 2 is not allowed"),
        (("--out", "out.csv", "--seed", "1", "--own", "3"), "no disclosed county"),
    ],
)
def test_what_cannot_be_done_ends_with_2(refusal, cells, tmp_path, monkeypatch, options, message):
    monkeypatch.chdir(tmp_path)
    assert message in refusal("synthesize", cells, *options)
    assert [path.name for path in tmp_path.iterdir()] == ["cells.csv"]


def test_a_file_that_is_not_there_is_named(refusal, tmp_path):
    assert "none.csv is not a file" in refusal(
        "synthesize", tmp_path / "none.csv", "--out", tmp_path / "o.csv", "--seed", 1
    )
