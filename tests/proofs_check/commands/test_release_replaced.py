"""``establish release plan --force`` where another release stands."""

import hashlib
import json
from pathlib import Path

import pytest

from tests.proofs_check.files import edit, read_json

CAP = "cap = { epsilon = 99 }"


def without_last_query(plan: Path) -> None:
    text = plan.read_text("utf-8")
    plan.write_text(text[: text.rindex("[[query]]")], "utf-8")


@pytest.fixture
def twice(run, project, once, tmp_path: Path) -> Path:
    """A released plan on jobs, without its last query, and with a cap for a second release."""

    def release() -> None:
        plan = project("jobs")
        edit(plan, "cap = { epsilon = 9 }", CAP)
        assert run("release", "plan", plan, "--out", tmp_path / "out", "--format", "csv")[0] == 0
        without_last_query(plan)

    once("release again", release)
    return tmp_path / "plan.toml"


def again(run, plan: Path, *options: object) -> str:
    out = ("--out", plan.parent / "out", "--format", "csv", "--force")
    status, printed, err = run("release", "plan", plan, *out, *options)
    assert status == 0, err
    return printed + err


@pytest.mark.few(1)
@pytest.mark.parametrize("as_json", [(), ("--json",)], ids=["text", "json"])
def test_a_smaller_release_does_not_stand_beside_tables_of_the_one_that_it_replaces(run, twice, as_json):
    out = twice.parent / "out"
    (out / "notes.csv").write_text("of somebody else")
    said = again(run, twice, *as_json)
    assert sorted(path.name for path in out.iterdir()) == [
        "notes.csv",
        "ownership.csv",
        "release.json",
        "women.csv",
    ]
    assert f"removed, from the previous release: {out / 'sexes.csv'}" in said
    record = read_json(out / "release.json")
    assert list(record["tables"]) == ["ownership.csv", "women.csv"]
    assert "from the previous release" not in again(run, twice)


def test_what_is_no_longer_the_table_that_was_written_is_left_and_named(run, twice):
    out = twice.parent / "out"
    (out / "sexes.csv").write_text("edited by hand")
    assert f"because it was edited: {out / 'sexes.csv'}" in again(run, twice)
    assert (out / "sexes.csv").read_text() == "edited by hand"


def test_no_file_that_the_plan_uses_and_none_elsewhere_is_removed(run, twice):
    """Whatever the record in the folder says: it may have been tampered with."""
    out, folder = twice.parent / "out", twice.parent
    (folder / "elsewhere.csv").write_text("x")
    digest = hashlib.sha256(b"x").hexdigest()
    (out / "link.csv").symlink_to(folder / "elsewhere.csv")
    record = read_json(out / "release.json")
    tampered = dict.fromkeys(["../elsewhere.csv", "link.csv", "", "..", "gone.csv"], digest)
    record["tables"] = {**tampered, "sexes.csv": record["tables"]["sexes.csv"]}
    (out / "release.json").write_text(json.dumps(record), "utf-8")
    again(run, twice)
    assert (folder / "elsewhere.csv").exists()
    assert (out / "link.csv").is_symlink()
    assert not (out / "sexes.csv").exists()  # what is fit to be removed is
    jobs = hashlib.sha256((folder / "jobs.parquet").read_bytes()).hexdigest()
    (folder / "release.json").write_text(json.dumps({"tables": {"jobs.parquet": jobs}}))
    assert run("release", "plan", twice, "--out", folder, "--format", "csv", "--force")[0] == 0
    assert (folder / "jobs.parquet").exists()


@pytest.mark.few(2)
@pytest.mark.parametrize("content", ["", "[]", "{}", '{"tables": 1}', '{"tables": {"a": 1}}', "[" * 9999])
def test_a_record_of_something_else_is_replaced_and_nothing_removed(run, twice, content):
    out = twice.parent / "out"
    (out / "release.json").write_text(content)
    assert "from the previous release" not in again(run, twice)
    assert (out / "sexes.csv").exists()
