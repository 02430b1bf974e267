"""Every column is the count, kept or dropped before anything is spent; what could be either is asked for."""

import re
from pathlib import Path

import pytest

from establish.impl.production import SWITCH
from establish.impl.tables.column_roles import Asked, are_labels, carries_number, settled
from establish.spec.parameters import ParameterError

LAW = ("--alpha", "1/10", "--epsilon", "2", "--count", "jobs")
CODES = "naics,fips,jobs\n01,01001,12\n11,06037,34\n"

NUMBERS = [
    *("1840 jobs", "(D) 1840", "0x730", "1.84k", "1e3", "31-33", "044", "2016-01-01", "Level 2", "n=5"),
    *("１８４０", "١٨٤٠", "½", "①", "Ⅻ", "x²", "一千八百", "one thousand eight hundred and forty", "Twelve"),
    *("twenty-five",),
]
LABELS = ["Mill", "(D)", "-", "Alder Mills", "Retail trade", "Two Rivers", "land and sea", "and", "Ten Eyck"]


@pytest.mark.parametrize("text", NUMBERS)
def test_a_text_that_carries_a_number_is_no_label(text):
    assert carries_number(text)
    assert not are_labels(["Mill", text])


@pytest.mark.parametrize("text", LABELS)
def test_a_text_without_one_is(text):
    assert not carries_number(text)
    assert are_labels([text, ""])


def test_a_column_without_texts_is_not_one_of_labels():
    assert not are_labels([])
    assert not are_labels(["", ""])


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "codes.csv"
    path.write_text(CODES)
    return path


def test_codes_are_asked_for_before_the_budget_is_spent_and_then_kept(
    source, tmp_path, refusal, succeeds, rows_of
):
    call = ("release", "counts", source, *LAW, "--cap", "2", "--out", tmp_path / "o.csv")
    told = refusal(*call)
    assert "columns naics and fips could be labels or confidential numbers; no budget is spent" in told
    for options in ("--keep naics --keep fips", "--drop naics --drop fips", "--drop-others"):
        assert options in told
    (typed,) = re.findall(r"publish them with ((?:--keep \w+ ?)+)", told)
    assert "kept: naics, fips" in succeeds(*call, *typed.split())  # the one release that the cap allows
    assert [(r["naics"], r["fips"]) for r in rows_of(tmp_path / "o.csv")] == [
        ("01", "01001"),
        ("11", "06037"),
    ]


@pytest.mark.parametrize("text", ["1840 jobs", "(D) 1840", "0x730", "1.84k"])
def test_a_column_of_texts_with_the_count_is_not_published_unasked(source, tmp_path, refusal, text):
    source.write_text(f"place,about,jobs\nNorth,{text},1840\nSouth,none,7\n")
    told = refusal("release", "counts", source, *LAW, "--out", tmp_path / "o.csv")
    assert "column about could be a label or a confidential number" in told
    assert "1840" not in told


def test_dates_and_numbers_of_parquet_are_asked_for(tmp_path, refusal):
    import duckdb

    source = tmp_path / "cells.parquet"
    with duckdb.connect() as db:
        query = "SELECT 'P' AS place, 5 AS jobs, DATE '2016-01-01' AS day, [1] AS months, true AS yes"
        db.execute(f"COPY ({query}) TO '{source}' (FORMAT parquet)")
    told = refusal("release", "counts", source, *LAW, "--out", tmp_path / "o.csv")
    assert "columns day, months and yes could be labels" in told


def test_a_name_with_spaces_is_told_as_it_is_typed(source, tmp_path, refusal):
    source.write_text("place,FIPS code,jobs\nNorth,01001,5\n")
    told = refusal("release", "counts", source, *LAW, "--out", tmp_path / "o.csv")
    assert "publish it with --keep 'FIPS code', leave it out with --drop 'FIPS code'" in told


def test_a_name_that_is_a_number_is_told_by_its_place():
    with pytest.raises(ParameterError, match=r"column \(column 2\) could be a label") as refused:
        settled(["jobs", "918273"], lambda _: False, Asked("jobs"), strict=False)
    assert "918273" not in str(refused.value)
    assert "--keep COLUMN" in str(refused.value)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--drop", "naics", "--keep", "naics"), "--drop = naics is named by --keep, too: leave one out"),
        (("--drop", "jobs"), "--drop = jobs is what is protected"),
        (("--drop", "sic"), "--drop = sic is not a column; the columns are naics, fips, jobs"),
        (("--drop", "naics"), "column fips could be a label or a confidential number"),
    ],
)
def test_what_cannot_be_meant_is_refused(source, tmp_path, refusal, options, says):
    assert says in refusal("release", "counts", source, *LAW, *options, "--out", tmp_path / "o.csv")


def test_in_production_labels_are_named_too(monkeypatch, source, tmp_path, refusal, succeeds, rows_of):
    succeeds("keys", "new", tmp_path / "agency.key")
    source.write_text("place,size,jobs\nNorth,small,5\nSouth,large,900\n")  # a text may follow the count
    call = ("release", "counts", source, *LAW, "--out", tmp_path / "o.csv", "--sign", tmp_path / "agency.key")
    monkeypatch.setenv(SWITCH, "1")
    told = refusal(*call)
    assert "columns place and size are not named, and in production every column must be" in told
    assert "column size is not named" in refusal(*call, "--keep", "place")
    succeeds(*call, "--keep", "place", "--drop-others")
    assert list(rows_of(tmp_path / "o.csv")[0]) == ["place", "jobs"]
