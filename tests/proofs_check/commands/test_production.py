"""The production switch: what it refuses, one line each, with nothing read, written or spent."""

import os
from pathlib import Path

import pytest

from establish.impl.certificate import OVERRIDE
from establish.impl.production import SWITCH, in_production
from establish.impl.tables import publishing
from establish.impl.tables.formulas import is_formula
from tests.proofs_check.commands.cells import LOG_LAPLACE

LAW = (*LOG_LAPLACE, "--keep", "place")


@pytest.fixture
def cells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(SWITCH, "1")
    monkeypatch.delenv(OVERRIDE, raising=False)
    path = tmp_path / "cells.csv"
    path.write_text("place,jobs\nNorth,40\nSouth,50\n")
    return path


def call(cells: Path, *options: object) -> tuple[object, ...]:
    return ("release", "counts", cells, *LAW, "--out", cells.with_name("o.csv"), *options)


def test_a_signed_release_in_a_ledger_is_allowed(succeeds, cells, key):
    succeeds(*call(cells, "--sign", key))
    assert '"production": true' in cells.with_name("o.csv.json").read_text("utf-8")


@pytest.mark.parametrize(
    ("said", "strict"),
    [*((word, True) for word in ("1", "true", "Yes", "ON")), *((word, False) for word in ("", "0", "No"))],
)
def test_the_switch_knows_the_usual_words(monkeypatch, said, strict):
    monkeypatch.setenv(SWITCH, said)
    assert in_production() is strict
    assert in_production(asked=True)


@pytest.mark.parametrize("said", ["2", "production", " 1", "ja"])
def test_another_word_is_refused(refusal, cells, key, monkeypatch, said):
    monkeypatch.setenv(SWITCH, said)
    told = refusal(*call(cells, "--sign", key))
    assert f"ESTABLISH_PRODUCTION = {said} is not known: use one of 1, true, yes, on, 0, " in told


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--seed", 1), "--seed = 1 is not allowed in production"),
        (("--without-ledger",), "--without-ledger is not allowed in production"),
    ],
)
def test_what_is_for_trying_out_is_refused(refusal, cells, key, options, says):
    assert says in refusal(*call(cells, "--sign", key, *options))


def test_an_unsigned_record_is_refused(refusal, cells):
    assert "--sign is missing: in production every record is signed" in refusal(*call(cells))


def test_uncertified_code_is_refused(refusal, cells, key, monkeypatch):
    monkeypatch.setenv(OVERRIDE, "1")
    assert "ESTABLISH_UNCERTIFIED=1 is not allowed in production" in refusal(*call(cells, "--sign", key))


@pytest.mark.parametrize("which", ["data", "ledger", "folder"])
def test_no_symbolic_link_is_followed(refusal, cells, key, which):
    folder, out, more = cells.parent, cells.with_name("o.csv"), ()
    (folder / "real").mkdir()
    if which == "data":
        cells = cells.with_name("link.csv")
        cells.symlink_to("cells.csv")
    elif which == "ledger":
        (folder / "l").symlink_to(folder / "real" / "ledger")
        more = ("--ledger", folder / "l")
    else:
        (folder / "linked").symlink_to(folder / "real")
        out = folder / "linked" / "o.csv"
    told = refusal("release", "counts", cells, *LAW, "--out", out, "--sign", key, *more)
    assert "leads through a symbolic link, which is not followed in production" in told


def test_no_symbolic_link_to_a_list_of_cells_is_followed(refusal, cells, key):
    cells.with_name("link.csv").symlink_to(cells.with_name("list.csv"))
    options = (
        "--epsilon",
        "1",
        "--earnings",
        "jobs",
        "--cell",
        "place",
        "--cells",
        cells.with_name("link.csv"),
    )
    told = refusal("release", "earnings", cells, *options, "--out", cells.with_name("o.csv"), "--sign", key)
    assert "link.csv leads through a symbolic link, which is not followed in production" in told


def test_a_plan_may_ask_for_production_itself(refusal, project, tmp_path):
    plan = project("jobs")
    text = plan.read_text("utf-8")
    plan.write_text(f"production = true\n{text}", "utf-8")
    told = refusal("release", "plan", plan, "--out", tmp_path / "out", "--seed", 1)
    assert "is not allowed in production" in told
    plan.write_text(f"production = 1\n{text}", "utf-8")
    assert "production = 1 must be true or false" in refusal(
        "release", "plan", plan, "--out", tmp_path / "out"
    )


@pytest.mark.parametrize("label", ["=HYPERLINK(1)", "+x", "-x", "@SUM", "\tx"])
def test_a_label_that_a_spreadsheet_runs_is_refused_and_elsewhere_told(
    run, refusal, cells, key, label, monkeypatch
):
    cells.write_text(f'place,jobs\n"{label}",40\nSouth,50\n')
    told = refusal(*call(cells, "--sign", key))
    assert "labels that a spreadsheet would run as a formula" in told
    monkeypatch.delenv(SWITCH)
    status, printed, _ = run(*call(cells))
    assert status == 0
    assert "note: column 'place' has labels that a spreadsheet would run as a formula" in printed


def test_numbers_and_signs_are_no_formulas():
    assert not any(is_formula(text) for text in ("-", "+", "-5", "+1,234.5", "31-33", "", "x=y", 5))


def test_until_they_are_published_files_are_their_owners_alone(succeeds, cells, key, monkeypatch):
    seen: list[int] = []
    rename = publishing.rename

    def look(drafts: dict[Path, Path]) -> None:
        seen.extend(path.stat().st_mode & 0o777 for path in drafts.values())
        seen.extend(path.parent.stat().st_mode & 0o777 for path in drafts.values())
        rename(drafts)

    monkeypatch.setattr(publishing, "rename", look)
    before = os.umask(0o022)
    try:
        succeeds(*call(cells, "--sign", key))
    finally:
        os.umask(before)
    assert set(seen) == {0o600, 0o700}
    assert cells.with_name("o.csv").stat().st_mode & 0o777 == 0o644
