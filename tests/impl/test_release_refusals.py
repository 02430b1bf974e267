"""``establish release counts`` on bad input: one clear line, status 2, nothing written or revealed."""

import gzip
import os
from collections.abc import Callable
from pathlib import Path

import duckdb
import numpy as np
import pytest

from establish import Laplace, ParameterError
from establish.impl.publish.counts import release_table
from establish.impl.tables import row_filter
from establish.impl.tables.table import Table

TABLE = "place,sector,jobs,largest\nNorth,x,918273,645537\nSouth,y,302819,302819\n"
GOOD = {"--mechanism": "log-laplace", "--alpha": "1/10", "--epsilon": "2", "--count": "jobs"}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "cells.csv"
    path.write_text(TABLE, encoding="utf-8")
    return path


@pytest.fixture
def refused(refusal: Callable[..., str]) -> Callable[..., str]:
    """The line that the command says to a table and options other than the good ones."""

    def told(source: Path, out: Path, *flags: str, **changed: object) -> str:
        options = GOOD | {f"--{name}": value for name, value in changed.items()}
        given = [item for option in options.items() if option[1] is not None for item in option]
        if "largest" not in given and source.is_file() and b"jobs,largest" in source.read_bytes():
            given += ["--drop", "largest"]
        message = refusal("release", "counts", source, *given, *flags, "--out", out)
        for secret in ("918273", "645537", "302819", "7731"):
            assert secret not in message.replace(str(source.parent), "")
        return message

    return told


@pytest.mark.few(12)
@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"alpha": "0"}, "α = 0 is not allowed: α must be greater than 0"),
        ({"alpha": "nan"}, "α = nan is not a finite rational"),
        ({"alpha": None}, "α is missing: log-laplace needs it"),
        ({"epsilon": "1/0"}, "ε = 1/0 is not a finite rational"),
        ({"mechanism": None, "delta": "banana"}, "δ = banana is not a finite rational"),
        ({"mechanism": None, "delta": "1"}, "δ = 1 is not allowed: δ must lie strictly between"),
        ({"delta": "1/10"}, "δ = 1/10 is not used by log-laplace"),
        ({"mechanism": "smooth-laplace"}, "δ is missing"),
        ({"mechanism": "smooth-laplace", "delta": "1"}, "strictly between 0 and 1"),
        (
            {"mechanism": "smooth-gamma", "epsilon": "1/5", "calibration": "published"},
            "smooth-gamma needs 1 + α < e^(ε/5), but 1 + α = 1.1 and e^(ε/5) = 1.0408",
        ),
        ({"mechanism": "gaussian"}, "mechanism = gaussian is not known: use one of growth-laplace"),
        ({"calibration": "loose"}, "use published or tight"),
        ({"establishments": "place"}, "column place"),
        ({"establishments": "jobs"}, "--establishments = jobs is not a public column"),
        ({"establishments": "firms"}, "--establishments = firms is not a public column"),
        ({"count": "job"}, "--count = job is not a column; the columns are place, sector, jobs"),
        ({"largest": "top"}, "--largest = top is not a column"),
        ({"keep": "top"}, "--keep = top is not a column"),
        ({"largest": "jobs"}, "--largest = jobs is the count column"),
        ({"keep": "jobs"}, "--keep = jobs is confidential"),
        ({"largest": "largest", "keep": "largest"}, "--keep = largest is confidential"),
        ({"seed": "-1"}, "seed = -1 is not allowed"),
        ({"where": "place = 'East'"}, "has no rows that satisfy --where"),
        ({"where": "jobs > '5'"}, "--where names jobs, which is confidential"),
        ({"where": "jobs::INTEGER > 500000"}, "--where names jobs, which is confidential"),
        ({"where": "JOBS::INTEGER > 500000"}, "--where names jobs, which is confidential"),
        ({"where": "largest::INTEGER > 500000", "largest": "largest"}, "--where names largest"),
        ({"where": "(SELECT max(jobs) FROM cells) > '5'"}, "--where names jobs"),
        ({"where": "place = 'North'; DROP TABLE cells"}, "without ';'"),
        ({"where": "true) UNION ALL (SELECT 1"}, "is not a condition on the input's columns"),
        ({"where": "region = 'North'"}, "is not a condition on the input's columns: Binder Error"),
        ({"where": "place::INTEGER > 5"}, "--where cannot be evaluated on some row"),
        ({"where": "(SELECT count(*) FROM counts) > 0"}, "Table with name counts does not exist"),
        ({"where": "(SELECT count(*) FROM input) > 0"}, "Table with name input does not exist"),
    ],
)
def test_a_bad_option_is_refused(changed, message, source, tmp_path, refused):
    assert message in refused(source, tmp_path / "o.csv", **changed)


def test_a_condition_cannot_read_files(source, tmp_path, refused):
    condition = f"place IN (SELECT place FROM read_csv('{source}') WHERE sector = 'x')"
    assert "it cannot read files" in refused(source, tmp_path / "o.csv", where=condition)


def test_a_condition_cannot_see_the_variables_of_the_program(source, monkeypatch):
    # DuckDB can query numpy arrays by the name of a variable that is in scope where it is called.
    monkeypatch.setattr(row_filter, "secrets", {"jobs": np.arange(3)}, raising=False)
    with Table(source) as table, pytest.raises(ParameterError, match="Table with name secrets"):
        row_filter.rows_where(table, "(SELECT count(*) FROM secrets) = 3", ["jobs"])


def test_a_value_that_breaks_the_condition_is_not_quoted(source, tmp_path, refused):
    source.write_text("place,wages,jobs\nNorth,7731x,5\n", encoding="utf-8")
    told = refused(source, tmp_path / "o.csv", where="wages::INTEGER > 5", keep="wages")
    assert "cannot be evaluated" in told


@pytest.mark.few(3)
@pytest.mark.parametrize("bad", ["-7731", "7731.5", "", "n/a", "NaN", "inf", "7731jobs", "1e300"])
def test_a_bad_count_is_named_by_its_row_in_the_file(bad, source, tmp_path, refused):
    source.write_text(TABLE + f"West,y,{bad},0\n", encoding="utf-8")
    out = tmp_path / "o.csv"
    assert "column jobs must be a whole number from 0" in refused(source, out)
    # Row 3 of the file is the second row of the selection, and still called row 3.
    assert "in row 3 (" in refused(source, out, where="sector = 'y'")


@pytest.mark.parametrize("bad", ["7731", "-1", "", "0"])
def test_a_largest_above_its_count_is_named_by_its_row(bad, source, tmp_path, refused):
    source.write_text(TABLE + f"West,y,7730,{bad}\n", encoding="utf-8")
    message = refused(source, tmp_path / "o.csv", largest="largest")
    assert "column largest must" in message
    assert "row 3" in message


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", b"place,jobs\n", "has no rows"),
        ("a.csv", b"", "a.csv is empty: its first line must name the columns"),
        ("a.csv", b"\xef\xbb\xbf", "a.csv is empty: its first line must name the columns"),
        ("a.csv", b"\n\n", "a.csv is empty: its first line must name the columns"),
        ("a.csv.gz", gzip.compress(b"", mtime=0), "a.csv.gz is empty: its first line must name the columns"),
        ("a.csv", b"place,jobs,place\nNorth,918273,x\n", "columns 1 and 3 have the same name"),
        ("a.csv", b"Jobs,place,jobs\n918273,N,1\n", "columns 1 and 3 have the same name"),
        ("a.csv.gz", gzip.compress(b"a,jobs,jobs\nA,918273,2\n", mtime=0), "columns 2 and 3 have the same"),
        ("a.csv", b"North,918273,918273\n", "a.csv: columns 2 and 3 have the same name"),
        ("a.csv", b",place,jobs\n1,North,918273\n", "column 1 has no name in the first line"),
        ("a.csv", b"place,jobs\nNorth,918273\nSouth\n", "cannot be read as comma-separated"),
        ("a.csv", b"place,jobs\nN\xff\xfe,918273\n", "cannot be read: a.csv is not UTF-8 text (line 2)"),
        ("a.csv", b"place,jobs\nA,918273\n# a note\nB,2\n", "cannot be read as comma-separated"),
        ("a.csv.gz", b"place,jobs\nNorth,918273\n", "a.csv.gz is not compressed by gzip, as its name says"),
        ("a.parquet", b"place,jobs\nNorth,918273\n", "cannot be read as Parquet"),
        ("a.txt", b"place,jobs\nNorth,918273\n", "unknown extension: it must end in .csv"),
        ("a.csv", None, "is not a file"),
    ],
)
def test_an_input_that_is_no_table_is_refused(name, content, message, tmp_path, refused):
    source = tmp_path / name
    if content is not None:
        source.write_bytes(content)
    assert message in refused(source, tmp_path / "o.csv")


def test_a_file_that_is_a_link_to_itself_is_no_file(source, tmp_path, refused):
    (tmp_path / "a.csv").symlink_to(tmp_path / "b.csv")
    (tmp_path / "b.csv").symlink_to(tmp_path / "a.csv")
    assert "a.csv is not a file" in refused(tmp_path / "a.csv", tmp_path / "o.csv")
    assert "b.csv exists: choose another" in refused(source, tmp_path / "b.csv")


@pytest.mark.parametrize("text", ["１/２", "1_0", "٢", " 1_0 ", "1_000.5"])
def test_a_parameter_in_other_digits_or_with_separators_is_refused(text, source, tmp_path, refused):
    message = f"ε = {text} is not a finite rational: write it as 1/10 or 0.1"
    assert message in refused(source, tmp_path / "o.csv", epsilon=text)


@pytest.mark.parametrize(
    ("seed", "told"),
    [
        ("1_0", "--seed = 1_0 is not a whole number: write it in the digits 0 to 9"),
        ("1.0", "--seed = 1.0: '1.0' is not a valid int"),
        ("１", "--seed = １ is not a whole number: write it in the digits 0 to 9"),
        ("٢", "--seed = ٢ is not a whole number: write it in the digits 0 to 9"),
        ("two", "--seed = two: "),
    ],
)
def test_a_seed_in_other_digits_or_with_separators_is_refused(seed, told, source, tmp_path, refused):
    assert told in refused(source, tmp_path / "o.csv", seed=seed)


def test_an_option_twice_and_an_empty_one_are_refused(source, refused):
    assert "--out is empty" in refused(source, "")
    assert "--epsilon is given 2 times: give it once" in refused(
        source, source.with_name("o.csv"), "--epsilon", "3"
    )


def test_an_empty_name_of_an_output_is_refused_from_python_too(source):
    with pytest.raises(ParameterError, match=r"--out = \. has an unknown extension"):
        release_table(source, Path(""), Laplace(1), count="jobs")


@pytest.mark.parametrize(
    ("out", "message"),
    [
        ("o.txt", "--out = "),
        ("o", "unknown extension"),
        ("missing/o.csv", "does not exist"),
        ("cells.csv", "is the input"),
        ("alias.csv", "is the input"),
        ("folder.csv", "is a folder"),
        ("old.csv", "exists: choose another or use --force"),
        ("beside.csv", "beside.csv.json exists"),
        ("dangling.csv", "dangling.csv exists: choose another or use --force"),
    ],
)
def test_an_output_that_cannot_be_written_is_refused(out, message, source, tmp_path, refused):
    (tmp_path / "old.csv").write_text("old", encoding="utf-8")
    (tmp_path / "beside.csv.json").write_text("old", encoding="utf-8")
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "dangling.csv").symlink_to(tmp_path / "gone.csv")
    (tmp_path / "alias.csv").symlink_to(source)
    assert message in refused(source, tmp_path / out)
    if message == "is the input":
        assert message in refused(source, tmp_path / out, "--force")


def test_a_failure_while_naming_the_files_leaves_neither_and_what_was_drawn_can_be_completed(
    source, tmp_path, run, monkeypatch
):
    replace, out = os.replace, tmp_path / "o.csv"
    call = ("release", "counts", source, *(word for pair in GOOD.items() for word in pair))
    call = (*call, "--drop", "largest")

    def full_disk(old: Path, new: Path) -> None:
        if new == Path(f"{out}.json"):  # the second of the two
            raise OSError(28, "No space left on device")
        replace(old, new)

    with monkeypatch.context() as patch:
        patch.setattr("establish.impl.tables.publishing.os.replace", full_disk)
        status, printed, err = run(*call, "--out", out)
    assert (status, printed, err.count("\n")) == (2, "", 1)
    assert "cannot be written: No space left on device; its budget is spent" in err
    assert not any(path.exists() for path in (out, Path(f"{out}.json")))
    assert run(*call, "--out", out, "--resume")[0] == 0
    assert out.exists()


def test_what_the_database_says_of_a_value_is_not_passed_on(refused, source, tmp_path, monkeypatch):
    """Where nothing of ours foresaw it: a full memory, or a fault in what it is asked."""

    def failing(*_: object) -> None:
        raise duckdb.ConversionException("Could not convert string '918273' to INT32")

    monkeypatch.setattr(Table, "row_numbers", failing)
    message = refused(source, tmp_path / "o.csv")
    assert message == "establish: error: the database could not finish (ConversionException)\n"


def test_a_header_that_holds_values_is_not_told(refusal, tmp_path):
    source = tmp_path / "cells.csv"
    source.write_text("place,naics6,North,7193582,60\nSouth,1,South,60,7\n")
    law = ("--mechanism", "laplace", "--epsilon", "1", "--count", "jobs")
    told = refusal("release", "counts", source, *law, "--out", tmp_path / "o.csv")
    assert "the columns are place, naics6, North, (column 4), (column 5)" in told
