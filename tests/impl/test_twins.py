"""One data set has one budget, whatever its file is called; two of one name are told apart."""

import gzip
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from establish.impl.budget.ledger import entries_of
from establish.impl.production import SWITCH
from establish.impl.tables.rows_digest import digest_of_file, digest_of_files
from establish.impl.tables.table import Table

ROWS = "place,code,jobs\nNorth,044,40\nSouth,007,50\nWest,,60\n"
LAW = ("--mechanism", "laplace", "--epsilon", "1", "--count", "jobs", "--keep", "place", "--drop", "code")


def converted(source: Path, path: Path) -> None:
    """As another program does: codes become numbers, an absent one stays absent."""
    with duckdb.connect() as db:
        db.execute(
            f"COPY (FROM read_csv('{source}', types = {{'code': 'INT'}})) TO '{path}' (FORMAT parquet)"
        )


def moved(source: Path, path: Path) -> None:
    source.rename(path)


def reordered(source: Path, path: Path) -> None:
    path.write_text("jobs,place,code\n60,West,\n40,North,044\n50,South,007\n")


COPIES: dict[str, Callable[[Path, Path], object]] = {
    "copy.csv": shutil.copy,
    "renamed.csv": moved,
    "linked.csv": lambda source, path: os.link(source, path),
    "packed.csv.gz": lambda source, path: path.write_bytes(gzip.compress(source.read_bytes())),
    "converted.parquet": converted,
    "sorted.csv": reordered,
    "windows.csv": lambda source, path: path.write_bytes(source.read_bytes().replace(b"\n", b"\r\n")),
    "quoted.csv": lambda source, path: path.write_text(source.read_text().replace("North", '"North"')),
}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "cells.csv"
    path.write_text(ROWS)
    return path


@pytest.mark.parametrize("name", COPIES)
def test_a_copy_has_the_digest_of_its_rows(source, name):
    before, copy = digest_of_file(source), source.with_name(name)
    COPIES[name](source, copy)
    assert digest_of_file(copy) == before
    with Table(copy) as table:
        assert table.digest() == before


@pytest.mark.parametrize(
    ("old", "new"),
    [("40", "41"), ("West,,60\n", ""), ("North,044,40", "South,044,40"), ("60\n", "60\nWest,,60\n")],
)
def test_other_rows_have_another_digest(source, old, new):
    before = digest_of_file(source)
    source.write_text(ROWS.replace(old, new))
    assert digest_of_file(source) != before


def test_a_count_that_moves_to_another_cell_changes_the_digest(source):
    """Each column holds what it held."""
    before = digest_of_file(source)
    source.write_text(ROWS.replace("40", "x").replace("50", "40").replace("x", "50"))
    assert digest_of_file(source) != before


def test_what_is_no_table_has_the_digest_of_its_bytes(tmp_path):
    for name, content in (("a.csv", b"\xff"), ("a.txt", b"x"), ("b.txt", b"y")):
        (tmp_path / name).write_bytes(content)
    found = {digest_of_file(path) for path in (*tmp_path.iterdir(), tmp_path / "none")}
    assert len(found) == 4
    assert digest_of_files([tmp_path / "a.txt", tmp_path / "b.txt"]) not in found


@pytest.fixture
def release(run, source):
    """Releases the file of this name: status, and what was told."""

    def released(name: str, out: str, *options: object) -> tuple[int, str]:
        data, path = source.parent / name, source.parent / out
        path.parent.mkdir(exist_ok=True)
        status, printed, err = run("release", "counts", data, *LAW, "--out", path, *options)
        return status, printed + err

    return released


@pytest.mark.few(3)
@pytest.mark.parametrize("name", COPIES)
def test_a_copy_beside_its_original_is_told_and_can_spend_its_budget(release, source, name):
    assert release("cells.csv", "a.csv", "--cap", "2")[0] == 0
    copy = source.with_name(name)
    COPIES[name](source, copy)
    status, told = release(name, "b.csv")
    assert status == 0
    assert f"note: DATA = {copy} has the rows of data set cells.csv, by {source}.head" in told
    typed = told.split("spend that with ")[1].split(" (in a plan")[0].split()
    Path(f"{copy}.head").unlink()
    Path(f"{copy}.ledger").unlink()
    told = release(name, "c.csv", *typed)[1]
    assert "spent (ε = 2) of data set" in told
    assert told.count("(ε = 0) is left.") == 1
    status, told = release(name, "d.csv", *typed)
    assert (status, "but the cap is" in told) == (2, True)


def test_in_production_a_copy_is_refused(release, refusal, source, succeeds, monkeypatch):
    succeeds("keys", "new", source.with_name("agency.key"))
    signed = ("--sign", source.with_name("agency.key"))
    monkeypatch.setenv(SWITCH, "1")
    assert release("cells.csv", "a.csv", *signed)[0] == 0
    copy = Path(shutil.copy(source, source.with_name("copy.csv")))
    told = refusal("release", "counts", copy, *LAW, "--out", copy.with_name("b.csv"), *signed)
    assert "has the rows of data set cells.csv" in told
    assert "in production it is not released under another name" in told
    own = ("--dataset", "cells.csv", "--ledger", f"{source}.ledger")
    assert "spent (ε = 2)" in release("copy.csv", "b.csv", *signed, *own)[1]


def test_a_copy_under_the_name_of_its_original_needs_its_ledger(release, source):
    release("cells.csv", "a.csv")
    shutil.copy(source, source.with_name("copy.csv"))
    status, told = release("copy.csv", "o/b.csv", "--dataset", "cells.csv")
    assert (status, "lacks entry 1" in told, f"{source}.head" in told) == (2, True, True)


def test_other_heads_in_the_folder_do_not_matter(release, source):
    for name, content in (("git.head", "ref: x"), ("x.head", json.dumps({"heads of ledgers": 1}))):
        source.with_name(name).write_text(content)
    status, told = release("cells.csv", "a.csv")
    assert (status, "has the rows" in told) == (0, False)


def test_two_data_sets_of_one_name_are_told_with_the_option_that_tells_them_apart(release, tmp_path):
    for folder, rows in (("one", ROWS), ("two", ROWS.replace("40", "41"))):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "cells.csv").write_text(rows)
    assert release("one/cells.csv", "out/a.csv")[0] == 0
    status, told = release("two/cells.csv", "out/b.csv")
    assert status == 2
    assert (
        "the ledger was deleted, cut, rolled back or exchanged; restore it from a copy; or that is another"
        in told
    )
    assert "another data set called cells.csv, too: then name this one with --dataset NAME" in told
    assert not (tmp_path / "out" / "b.csv").exists()
    assert release("two/cells.csv", "out/b.csv", "--dataset", "second")[0] == 0
    assert [len(entries_of(tmp_path / folder / "cells.csv.ledger")) for folder in ("one", "two")] == [1, 1]


def test_a_second_data_set_of_one_name_that_has_a_ledger_already_goes_elsewhere(release, tmp_path):
    for folder, rows in (("one", ROWS), ("two", ROWS.replace("40", "41"))):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "cells.csv").write_text(rows)
        assert release(f"{folder}/cells.csv", f"{folder}/a.csv")[0] == 0
    status, told = release("two/cells.csv", "one/b.csv")
    assert (status, "release into another folder" in told) == (2, True)


def test_a_head_beside_the_data_themselves_leaves_no_other_possibility(release, source):
    release("cells.csv", "out/a.csv")
    source.with_name("cells.csv.ledger").unlink()
    status, told = release("cells.csv", "b.csv")
    assert (status, "restore it from a copy" in told, "another data set" in told) == (2, True, False)
