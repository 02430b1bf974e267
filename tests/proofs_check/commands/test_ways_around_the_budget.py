"""Each way around the budget that was found, tried again: it is refused, noticed, or said aloud."""

import errno
import os
import shutil
from pathlib import Path

import pytest

from establish.impl.budget.ledger import entries_of
from establish.impl.tables import publishing
from establish.impl.tables.drafts import PREFIX
from tests.proofs_check.commands.cells import LOG_LAPLACE
from tests.proofs_check.files import edit, read_json

TABLE = "place,sector,code,wages,jobs\nNorth,x,01,918273,40\nSouth,y,02,302819,50\nWest,y,03,5,60\n"
NAMED = ("--drop", "wages", "--drop", "code")
SECRETS = ("918273", "302819")


@pytest.fixture
def cells(tmp_path: Path) -> Path:
    path = tmp_path / "cells.csv"
    path.write_text(TABLE, encoding="utf-8")
    return path


@pytest.fixture
def release(run, cells):
    """Releases the cells into a folder: status, and what was told."""

    def released(out: str, *options: object) -> tuple[int, str]:
        path = cells.parent / out
        path.parent.mkdir(exist_ok=True)
        named = () if {"--keep", "--public", "--drop-others"} & set(options) else NAMED
        status, printed, err = run("release", "counts", cells, *LOG_LAPLACE, *named, "--out", path, *options)
        assert not any(secret in printed + err for secret in SECRETS)
        return status, printed + err

    return released


# Files


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--head", "cells.csv.head"), "--head = {} keeps the head beside the data"),
        (("--ledger", "cells.csv.head"), "--ledger = {} keeps the head beside the data"),
        (("--head", "cells.csv.ledger"), "--head = {} is the ledger"),
        (("--ledger", "both", "--head", "both"), "--head = {} is the ledger"),
    ],
)
def test_no_file_is_ledger_and_head_or_both_places_of_the_head(release, cells, options, says):
    named = [cells.with_name(word) if not word.startswith("--") else word for word in options]
    status, told = release("o/o.csv", *named)
    assert (status, says.format(named[-1]) in told) == (2, True)
    assert sorted(path.name for path in cells.parent.iterdir()) == ["cells.csv", "o"]


# Conditions


@pytest.mark.parametrize(
    "condition",
    [
        "CAST(wages AS INT) > 5000",
        "\"wages\" <> '5'",
        "EXISTS (SELECT 1 FROM cells c WHERE c.wages = '5' AND c.place = cells.place)",
        "(SELECT max(COLUMNS('w.*')) FROM cells) > '5'",
        "code = '01'",
    ],
)
def test_a_condition_on_a_column_that_is_left_out_is_refused(release, cells, condition):
    status, told = release("o.csv", "--where", condition)
    assert status == 2
    assert not (cells.parent / "o.csv").exists()
    assert not (cells.parent / "cells.csv.ledger").exists()
    if "COLUMNS" not in condition:
        assert "is confidential: which rows appear would reveal it" in told


def test_a_condition_may_read_what_is_kept_and_what_is_named_as_public(release, rows_of, cells):
    assert release("a.csv", "--where", "sector = 'y'")[0] == 0
    chosen = ("--drop", "wages", "--where", "code <> '01'")
    assert release("b.csv", *chosen, "--keep", "code")[0] == 0
    assert release("c.csv", *chosen, "--public", "code")[0] == 0
    assert [row["place"] for row in rows_of(cells.parent / "c.csv")] == ["South", "West"]
    assert "code" not in rows_of(cells.parent / "c.csv")[0]
    record = read_json(cells.parent / "c.csv.json")
    assert record["public_columns"] == ["code"]
    assert "is what is protected" in release("d.csv", "--public", "jobs")[1]


def test_a_filter_of_a_plan_reads_attributes_of_the_public_domain_only(refusal, project):
    plan = project("jobs")
    text = plan.read_text("utf-8").replace('where = { sex = "CS02" }', 'where = { wages = "5" }')
    plan.write_text(text, "utf-8")
    told = refusal("release", "plan", plan, "--out", plan.parent / "out")
    assert "wages is not an attribute of [domain]" in told


# Releases that nobody adds up


def test_a_table_that_is_released_twice_adds_up(release):
    assert "entry 1 of" in release("a.csv")[1]
    status, told = release("b.csv")
    assert status == 0
    assert "spent (ε = 4) of data set cells.csv under weak-er-ee" in told
    assert "No cap is set." in told


@pytest.mark.usefixtures("as_recorded")
def test_a_release_without_a_ledger_is_said_loudly(release, run, cells):
    status, told = release("a.csv", "--without-ledger")
    assert status == 0
    assert "CAUTION: ledger: NONE: no ledger records this release" in told
    assert not (cells.parent / "cells.csv.ledger").exists()
    status, printed, _ = run("verify", cells.parent / "a.csv.json")
    assert status == 1
    assert "FAILED: the record names an entry of a ledger: NONE" in printed
    for other in ("--ledger", "--head"):
        told = release("b.csv", "--without-ledger", other, cells.parent / "x")[1]
        assert f"{other} is given together with --without-ledger" in told


def test_a_plan_and_a_table_of_the_same_data_share_the_budget(run, project, tmp_path):
    plan = project("persons")
    edit(plan, 'ledger = "project.ledger"\n', "")
    options = ("--mechanism", "histogram-percentiles", "--epsilon", 2, "--earnings", "earnings")
    call = ("release", "earnings", tmp_path / "persons.csv", *options, "--cell", "college")
    assert run("release", "plan", plan, "--out", tmp_path / "out")[0] == 0
    status, _, err = run(*call, "--out", tmp_path / "o.csv")
    assert status == 2
    assert "does not compose" in err or "but the cap is" in err


def test_two_plans_on_one_data_set_share_its_budget(run, project, tmp_path):
    plan = project("jobs")
    assert run("release", "plan", plan, "--out", tmp_path / "one")[0] == 0
    other = tmp_path / "other.toml"
    text = plan.read_text("utf-8").replace('title = "Jobs"', 'title = "Another"')
    other.write_text(text, "utf-8")
    status, _, err = run("release", "plan", other, "--out", tmp_path / "two")
    assert (status, "but the cap is" in err) == (2, True)
    for changed, says in (
        (text.replace("project.ledger", "fresh.ledger"), "lacks entry 1 ("),
        (text.replace("[data]", '[data]\ndataset = "fresh"'), "is data set jobs.parquet according to"),
    ):
        other.write_text(changed, "utf-8")
        status, _, err = run("release", "plan", other, "--out", tmp_path / "two")
        assert (status, says in err) == (2, True), err
    assert not (tmp_path / "two").exists()


def test_a_plan_on_a_copy_is_told_too(run, project, tmp_path):
    plan = project("persons")
    assert run("release", "plan", plan, "--out", tmp_path / "one")[0] == 0
    shutil.copy(tmp_path / "persons.csv", tmp_path / "people.csv")
    text = plan.read_text("utf-8").replace("persons.csv", "people.csv").replace("project.ledger", "p.ledger")
    (tmp_path / "other.toml").write_text(text, "utf-8")
    status, printed, _ = run("release", "plan", tmp_path / "other.toml", "--out", tmp_path / "two")
    assert status == 0
    assert "people.csv has the rows of data set persons.csv" in printed


def test_a_link_to_the_data_does_not_open_a_fresh_budget(run, refusal, project, tmp_path):
    plan = project("jobs")
    assert run("release", "plan", plan, "--out", tmp_path / "one")[0] == 0
    (tmp_path / "linked").mkdir()
    for name in ("jobs", "workers", "workplaces"):
        (tmp_path / "linked" / f"{name}.parquet").symlink_to(tmp_path / f"{name}.parquet")
    other = shutil.copy(plan, tmp_path / "linked")
    assert "lacks entry 1 (" in refusal("release", "plan", other, "--out", tmp_path / "two")


def test_changed_rows_are_told_and_open_no_fresh_budget(release, cells):
    release("a.csv")
    cells.write_text(TABLE.replace("40", "41"), "utf-8")
    told = release("b.csv")[1]
    assert "note: the data have changed since the last release" in told
    assert "spent (ε = 4)" in told
    ledger = (cells.parent / "cells.csv.ledger").read_text("utf-8")
    records = [(cells.parent / f"{name}.csv.json").read_text("utf-8") for name in "ab"]
    digest = read_json(cells.parent / "cells.csv.head")["rows"]
    assert not any(digest in text for text in (ledger, *records))
    assert (cells.parent / "cells.csv.head").stat().st_mode & 0o077 == 0


# Ledgers that were tampered with


def cut(ledger: Path) -> None:
    lines = ledger.read_bytes().splitlines(keepends=True)
    ledger.write_bytes(b"".join(lines[:-1]))


def exchange(ledger: Path) -> None:
    """For one that was begun with other releases, as many."""
    shutil.copy(ledger.with_name("other.ledger"), ledger)


TAMPERED = {
    "deleted": Path.unlink,
    "emptied": lambda ledger: ledger.write_bytes(b""),
    "cut": cut,
    "exchanged": exchange,
}


@pytest.fixture
def twice(release, cells, once) -> Path:
    """The ledger after two releases, into two folders, with a second place beside them."""

    def make() -> None:
        for number in "12":
            assert release(f"out{number}/o.csv", "--head", cells.parent / "heads")[0] == 0
        kept = {p: p.read_bytes() for p in cells.parent.glob("*") if p.is_file()}
        for path in (cells.parent / "cells.csv.head", cells.parent / "heads"):
            path.unlink()
        other = cells.parent / "other.ledger"
        for number in "34":
            assert release(f"out{number}/o.csv", "--ledger", other)[0] == 0
        for path, content in kept.items():
            path.write_bytes(content)

    once("two releases beside two others", make)
    return cells.parent / "cells.csv.ledger"


@pytest.mark.few(6)
@pytest.mark.parametrize("how", TAMPERED)
@pytest.mark.parametrize("knows", ["beside the data", "second place", "output folder"])
def test_a_ledger_that_was_tampered_with_is_noticed_by_the_next_release(release, twice, how, knows):
    folder = twice.parent
    TAMPERED[how](twice)
    options, out = (), "new/o.csv"
    if knows != "beside the data":
        (folder / "cells.csv.head").unlink()
    if knows == "second place":
        options = ("--head", folder / "heads")
    if knows == "output folder":
        out = "out2/new.csv"
    before = twice.read_bytes() if twice.exists() else None
    status, told = release(out, *options)
    assert status == 2
    assert "LEDGER = " in told
    assert "lacks entry 2 (" in told
    assert "the ledger was deleted, cut, rolled back or exchanged; restore it from a copy" in told
    assert not (folder / out).exists()
    assert (twice.read_bytes() if twice.exists() else None) == before


def test_a_ledger_that_was_restored_is_used_again(release, twice):
    copy = twice.read_bytes()
    twice.unlink()
    assert release("new/o.csv")[0] == 2
    twice.write_bytes(copy)
    assert "spent (ε = 6)" in release("new/o.csv")[1]


def test_a_ledger_is_one_data_sets(release, run, cells):
    release("a.csv")
    other = cells.with_name("other.csv")
    other.write_text(TABLE, "utf-8")
    out = cells.parent / "b.csv"
    options = (*NAMED, "--ledger", f"{cells}.ledger", "--out", out)
    status, _, err = run("release", "counts", other, *LOG_LAPLACE, *options)
    assert status == 2
    assert "belongs to data set cells.csv, but this release is of other.csv" in err
    status, _, _ = run("release", "counts", other, *LOG_LAPLACE, *options, "--dataset", "cells.csv")
    assert status == 0


@pytest.mark.parametrize("content", ["", "{}", "[]", "[" * 99999, '{"heads of ledgers": 1}'])
def test_a_damaged_head_is_said_and_not_taken_for_none(release, cells, content):
    release("a.csv")
    (cells.parent / "cells.csv.head").write_text(content)
    status, told = release("b.csv")
    assert (status, "is damaged: it is not a file of heads" in told) == (2, True)


@pytest.fixture
def unwritable(monkeypatch):
    """Makes a folder one in which no file can be made, also for whoever has every right."""

    def no_more_files_in(folder: Path) -> None:
        real = os.open

        def opened(path, flags, *rest, **named):
            making = flags & os.O_CREAT or flags & os.O_TMPFILE == os.O_TMPFILE
            if making and folder in (Path(str(path)), Path(str(path)).parent):
                raise OSError(errno.EACCES, os.strerror(errno.EACCES))
            return real(path, flags, *rest, **named)

        monkeypatch.setattr(os, "open", opened)

    return no_more_files_in


def test_a_folder_of_data_that_cannot_be_written_needs_a_second_place(release, cells, unwritable):
    for name in "lop":
        (cells.parent / name).mkdir()
    unwritable(cells.parent)
    ledger, elsewhere = cells.parent / "l" / "ledger", cells.parent / "l" / "heads"
    status, told = release("o/a.csv", "--ledger", ledger)
    assert status == 2
    assert "nobody would notice if the ledger were lost: name a second place with --head" in told
    assert release("o/a.csv", "--ledger", ledger, "--head", elsewhere)[0] == 0
    assert not (cells.parent / "cells.csv.head").exists()
    ledger.unlink()
    status, told = release("p/a.csv", "--ledger", ledger, "--head", elsewhere)
    assert (status, "lacks entry 1" in told) == (2, True)


def test_a_pipe_is_neither_a_head_nor_the_record_of_a_release(release, cells):
    os.mkfifo(cells.parent / "pipe")
    status, told = release("a.csv", "--head", cells.parent / "pipe")
    assert (status, "is damaged: it is not a file of heads" in told) == (2, True)
    os.mkfifo(cells.parent / "other.json")
    assert "entry 1 of" in release("a.csv")[1]


@pytest.mark.parametrize("place", ["/proc/x", "/proc/none/x"])
def test_a_second_place_that_only_looks_as_if_it_could_be_written_spends_nothing(release, cells, place):
    status, told = release("a.csv", "--head", place)
    assert (status, f"--head = {place} cannot be written" in told) == (2, True)
    assert [path.name for path in cells.parent.iterdir()] == ["cells.csv"]


def test_a_second_place_without_room_spends_nothing(release, cells, monkeypatch):
    real, second = os.fsync, cells.parent / "elsewhere" / "heads"
    second.parent.mkdir()

    def fsync(file):
        if os.readlink(f"/proc/self/fd/{file}").startswith(str(second.parent)):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(file)

    monkeypatch.setattr(os, "fsync", fsync)
    status, told = release("a.csv", "--head", second)
    assert (status, f"HEAD = {second} cannot be written: No space left" in told) == (2, True)
    assert entries_of(cells.parent / "cells.csv.ledger") == []
    assert not list(second.parent.iterdir())
    monkeypatch.setattr(os, "fsync", real)
    assert "entry 1 of" in release("a.csv", "--head", second)[1]


# Crashes


@pytest.fixture
def interrupted(release, cells, monkeypatch) -> Path:
    """A release whose process died after its entry, before any name was given: its folder of drafts."""

    def die(_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(publishing, "rename", die)
        status, told = release("a.csv")
        assert (status, "tells whether a release was spent" in told) == (130, True)
    (drafts,) = cells.parent.glob(f"{PREFIX}*")
    assert not (cells.parent / "a.csv").exists()
    return drafts


def test_an_interrupted_release_is_completed_with_the_noise_that_it_drew(release, run, cells, interrupted):
    drawn = (interrupted / "a.csv").read_bytes()
    ledger = cells.parent / "cells.csv.ledger"
    before = ledger.read_bytes()
    printed = run("budget", "--ledger", ledger)[1]
    assert (
        "entry 1: its budget is spent and its outputs are ready: run the release again with --resume"
        in printed
    )
    cells.write_text("place,jobs\n", "utf-8")  # nothing of the data is read again
    status, told = release("a.csv", "--resume")
    assert (status, "completed entry 1 of" in told) == (0, True)
    assert (cells.parent / "a.csv").read_bytes() == drawn
    assert ledger.read_bytes() == before
    assert not interrupted.exists()
    assert "published" in run("budget", "--ledger", ledger)[1]
    assert "has no interrupted release" in release("a.csv", "--resume")[1]


def test_what_was_drawn_and_lost_is_not_drawn_again(release, run, cells, interrupted):
    shutil.rmtree(interrupted)
    status, told = release("a.csv", "--resume")
    assert (status, "entry 1 of" in told, "cannot be completed" in told) == (2, True, True)
    printed = run("budget", "--ledger", cells.parent / "cells.csv.ledger")[1]
    assert "entry 1: its budget is spent, but its record was moved or deleted" in printed
    assert "spent (ε = 4)" in release("a.csv")[1]


def test_a_draft_that_was_changed_is_not_published(release, cells, interrupted):
    (interrupted / "a.csv").write_text("place,jobs\nNorth,40\n")
    status, told = release("a.csv", "--resume")
    assert (status, "the draft of a.csv is damaged or gone" in told) == (2, True)
    assert not (cells.parent / "a.csv").exists()


def test_drafts_that_nobody_paid_for_are_removed(release, cells, interrupted):
    for path in ("cells.csv.ledger", "cells.csv.head"):
        (cells.parent / path).unlink()
    assert "has no interrupted release" in release("a.csv", "--resume")[1]
    assert not interrupted.exists()
    assert not (cells.parent / "a.csv").exists()


def test_a_plan_is_completed_too(run, project, tmp_path, monkeypatch):
    plan = project("jobs")

    def die(_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(publishing, "rename", die)
        assert run("release", "plan", plan, "--out", tmp_path / "out")[0] == 130
    done = run("release", "plan", plan, "--out", tmp_path / "out", "--resume")
    assert done[0] == 0, done[2]
    names = {path.name for path in (tmp_path / "out").iterdir()}
    record = read_json(tmp_path / "out" / "release.json")
    assert names == {*record["tables"], "release.json"}


# A cap without a plan


def test_a_cap_that_one_table_names_stops_those_that_follow(release, cells):
    assert release("a.csv", "--cap", "5")[0] == 0
    assert release("b.csv")[0] == 0
    status, told = release("c.csv")
    assert (status, "more than" in told or "cap" in told) == (2, True)
    assert not (cells.parent / "c.csv").exists()


def test_a_cap_is_fixed_once(release):
    assert release("a.csv", "--cap", "5")[0] == 0
    assert release("b.csv", "--cap", "5")[0] == 0
    status, told = release("c.csv", "--cap", "50")
    assert (status, "its cap was set to (ε = 5)" in told) == (2, True)


def test_a_release_that_would_pass_its_own_cap_is_not_begun(release, cells):
    assert release("a.csv", "--cap", "1")[0] == 2
    assert not (cells.parent / "cells.csv.ledger").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--cap", "5", "--without-ledger"), "--cap needs the ledger"),
        (("--cap-delta", "1/10"), "--cap-delta is given without --cap"),
        (("--cap", "0"), "--cap"),
        (("--cap", "5", "--cap-delta", "1"), "--cap-delta"),
    ],
)
def test_a_cap_that_nobody_could_keep_is_refused(release, options, said):
    status, told = release("a.csv", *options)
    assert (status, said in told) == (2, True)
