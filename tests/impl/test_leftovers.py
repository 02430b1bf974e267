"""What killed releases leave is paid for and can be completed, or it is removed by whoever comes next."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from establish.impl.budget import books
from establish.impl.budget.ledger import entries_of
from establish.impl.tables import publishing
from establish.impl.tables.drafts import PREFIX, abandoned, home_of, locked_folder

LAW = ("--mechanism", "laplace", "--epsilon", "1", "--count", "jobs")


@pytest.fixture
def release(run, tmp_path: Path):
    """Releases a table beside its ledger into the folder ``out``: status, and what was told."""
    (tmp_path / "out").mkdir()
    (tmp_path / "cells.csv").write_text("place,jobs\nNorth,40\nSouth,50\n")

    def released(name: str, *options: object) -> tuple[int, str]:
        call = ("release", "counts", tmp_path / "cells.csv", *LAW, "--out", tmp_path / "out" / name)
        status, printed, err = run(*call, *options)
        return status, printed + err

    return released


def left(folder: Path) -> list[Path]:
    return sorted(folder.glob(f"{PREFIX}*"))


@pytest.fixture
def killed(release, tmp_path, monkeypatch):
    """Lets a release end as by SIGKILL, before its entry or after it: its folder of drafts."""

    def dies(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    def end(name: str, *options: object, paid: bool = False) -> Path:
        known = left(tmp_path)
        with monkeypatch.context() as patch:
            patch.setattr(publishing, "rename", dies) if paid else patch.setattr(books, "spend", dies)
            patch.setattr(shutil, "rmtree", lambda *_, **__: None)  # nobody tidies up after SIGKILL
            assert release(name, *options)[0] == 130
        (drafts,) = set(left(tmp_path)) - set(known)
        assert (drafts / name).is_file()
        return drafts

    return end


def test_drafts_wait_beside_the_ledger_and_not_where_tables_are_published(killed, tmp_path):
    killed("a.csv")
    assert list((tmp_path / "out").iterdir()) == []


def test_the_next_release_removes_what_nobody_paid_for_and_names_what_waits(release, killed):
    unpaid, paid = killed("a.csv"), killed("b.csv", paid=True)
    status, told = release("c.csv")
    assert status == 0
    assert f"note: {unpaid} holds drafts of a release that was killed before its entry in the ledger" in told
    assert "and was removed" in told
    assert f"note: {paid} holds a release that is in the ledger and was interrupted" in told
    assert (unpaid.exists(), paid.exists()) == (False, True)
    drawn = (paid / "b.csv").read_bytes()
    assert release("b.csv", "--resume")[0] == 0
    assert (paid.parent / "out" / "b.csv").read_bytes() == drawn


def test_what_was_replaced_is_not_called_lost(release):
    assert release("a.csv")[0] == release("a.csv", "--force")[0] == 0
    assert "has no interrupted release" in release("a.csv", "--resume")[1]


def test_resume_removes_what_nobody_paid_for_of_any_release(release, killed):
    unpaid, paid = killed("a.csv"), killed("b.csv", paid=True)
    status, told = release("b.csv", "--resume")
    assert (status, unpaid.exists(), paid.exists()) == (0, False, False)
    assert f"note: {unpaid} holds drafts" in told
    unpaid = killed("a.csv")
    status, told = release("a.csv", "--resume")
    assert (status, unpaid.exists()) == (2, False)
    assert f"removed drafts of unpaid releases: {unpaid}" in told


def test_budget_names_what_nobody_paid_for_and_touches_nothing(release, killed, run, tmp_path):
    release("a.csv")
    unpaid = killed("b.csv")
    ledger = tmp_path / "cells.csv.ledger"
    _, printed, _ = run("budget", "--ledger", ledger)
    assert f"{unpaid} holds drafts of a release that was killed before its entry in the ledger" in printed
    assert "must not be published: the next release removes it" in printed
    _, printed, _ = run("budget", "--ledger", ledger, "--json")
    assert json.loads(printed)["unpaid_drafts"] == [str(unpaid)]
    assert unpaid.exists()


def test_drafts_of_another_ledger_are_named_and_left(release, killed, tmp_path):
    """They may be paid for there, under the same name of a data set and the same number of an entry."""
    other = killed("a.csv", "--ledger", tmp_path / "other.ledger", paid=True)
    (tmp_path / "cells.csv.head").unlink()
    status, told = release("b.csv")
    assert (status, other.exists()) == (0, True)
    assert f"note: {other} holds drafts of another ledger" in told


def test_drafts_of_a_release_without_a_ledger_are_removed(release, tmp_path, monkeypatch):
    def dies(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(publishing, "rename", dies)
        patch.setattr(shutil, "rmtree", lambda *_, **__: None)
        assert release("a.csv", "--without-ledger")[0] == 130
    (drafts,) = left(tmp_path / "out")
    assert "was removed" in release("b.csv")[1]
    assert not drafts.exists()


def test_drafts_of_a_release_that_runs_are_left_alone(release, tmp_path):
    with locked_folder(tmp_path, "") as running, abandoned(running) as ended:
        assert not ended
        assert release("a.csv")[0] == 0
        assert running.exists()
    with abandoned(running) as ended:
        assert ended


def test_what_is_paid_for_between_two_looks_is_not_removed(release, killed, monkeypatch):
    """The ledger is read while the folder is locked, so that its maker can no longer make an entry."""
    from establish.impl.publish import leftovers

    paid = killed("a.csv", paid=True)
    seen = []

    def reading(ledger: Path):
        with abandoned(paid) as free:
            seen.append(free)
        return entries_of(ledger)

    monkeypatch.setattr(leftovers, "entries_of", reading)
    assert release("b.csv")[0] == 0
    assert seen == [False]
    assert paid.exists()


def test_a_link_in_the_place_of_drafts_is_not_followed(release, tmp_path):
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious" / "file").touch()
    (tmp_path / f"{PREFIX}x").symlink_to("precious")
    assert release("a.csv")[0] == 0
    assert (tmp_path / "precious" / "file").exists()


def test_outputs_wait_where_they_are_published_if_they_could_not_be_moved_there(tmp_path, monkeypatch):
    for name in ("out", "secret"):
        (tmp_path / name).mkdir()
    out, secret = tmp_path / "out", tmp_path / "secret"
    assert home_of(out, secret) == secret
    assert home_of(out, tmp_path / "none") == out

    def other_device(*_: object) -> None:
        raise OSError(18, "Invalid cross-device link")

    monkeypatch.setattr(os, "replace", other_device)
    assert home_of(out, secret) == out
    assert list(out.iterdir()) == list(secret.iterdir()) == []


@pytest.mark.small_campaign
def test_no_kill_leaves_tables_that_nobody_paid_for(tmp_path):
    script = Path(__file__).with_name("crash_release.py")
    command = [sys.executable, str(script), "25", str(tmp_path), "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=500)
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert seen["kills"] == 25
    assert seen["published"] > 25
    assert seen["removed"] > 0, "no process was killed while its drafts waited"
