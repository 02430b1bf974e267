"""A table that is a folder of parts is released, completed, verified and removed as a file is."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from establish.impl.budget.books import books_of_plan
from establish.impl.budget.ledger import entries_of
from establish.impl.budget.plan import Plan
from establish.impl.publish.plan import RECORD, Answered, release_plan
from establish.impl.publish.resumed import resume
from establish.impl.sampling.bits import Bits
from establish.impl.tables import publishing
from establish.impl.tables.superseded import named_in, remove
from establish.proofs_check.certification.verify import _table
from establish.spec.parameters import ParameterError

PLAN = """
title = "T"
[budget]
definition = "edge-dp"
cap = { epsilon = 3 }
[data]
jobs = "jobs.parquet"
workers = "workers.parquet"
workplaces = "workplaces.parquet"
[domain.establishment]
place = ["=a", "b"]
[[query]]
name = "q"
by = ["place"]
mechanism = "laplace"
epsilon = 1
"""


class Parts:
    """Two parts of one byte each."""

    labels: Mapping[str, Sequence[str]] = {"place": ("=a()", "b")}

    def write(self, path: Path) -> None:
        path.mkdir()
        for name in ("part-000000.parquet", "part-000001.parquet"):
            (path / name).write_text(name[10])


class Answerer:
    names = ("q",)
    reads: Sequence[Path] = ()

    def answer(self, bits: Bits, verdicts: Mapping[str, str], advance: Callable[[str], None]) -> Answered:
        return Answered([Parts()], [], {"notes": []})


@pytest.fixture
def plan(plan_of, tmp_path: Path) -> Plan:
    for name in ("jobs", "workers", "workplaces"):
        (tmp_path / f"{name}.parquet").write_text(name)
    return plan_of(PLAN)


def test_the_record_has_the_digest_of_the_folder_which_a_changed_part_fails(plan, tmp_path):
    done = release_plan(plan, Answerer(), tmp_path / "out", verdicts={})
    (table,) = done.tables
    record = json.loads(done.record.read_text("utf-8"))
    digest = record["tables"]["q.parquet"]
    assert _table(tmp_path / "out", "q.parquet", digest).holds is True
    assert any("would run as a formula" in note for note in record["notes"])
    (table / "part-000001.parquet").write_text("2")
    assert _table(tmp_path / "out", "q.parquet", digest).holds is False
    assert remove(named_in(done.record), ()).left == (table,)
    (table / "part-000001.parquet").write_text("1")
    assert remove(named_in(done.record), ()).removed == (table,)
    assert not table.exists()


def test_a_folder_replaces_nothing_and_costs_nothing_then(plan, tmp_path):
    release_plan(plan, Answerer(), tmp_path / "out", verdicts={})
    with pytest.raises(ParameterError, match=r"q\.parquet exists"):
        release_plan(plan, Answerer(), tmp_path / "out", verdicts={}, force=True)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "q.parquet").write_text("a file")
    with pytest.raises(ParameterError, match="a folder of parts replaces nothing"):
        release_plan(plan, Answerer(), tmp_path / "other", verdicts={}, force=True)
    assert len(entries_of(plan.ledger)) == 1


def test_an_interrupted_release_is_completed_with_the_parts_that_were_drawn(plan, tmp_path, monkeypatch):
    out = tmp_path / "out"

    def fails(drafts: Mapping[Path, Path]) -> None:
        raise OSError(5, "the network is gone")

    with monkeypatch.context() as broken:
        broken.setattr(publishing, "rename", fails)
        with pytest.raises(ParameterError, match="its budget is spent: run it again with --resume"):
            release_plan(plan, Answerer(), out, verdicts={})
    assert not (out / "q.parquet").exists()
    (draft,) = out.glob(".establish-drafts-*/q.parquet")
    books = books_of_plan(plan)
    kept = (draft / "part-000001.parquet").read_text()
    (draft / "part-000001.parquet").write_text("2")
    with pytest.raises(ParameterError, match=r"the draft of q.parquet is damaged or gone"):
        resume(books, out / RECORD)
    (draft / "part-000001.parquet").write_text(kept)
    resume(books, out / RECORD)
    assert sorted(path.read_text() for path in (out / "q.parquet").iterdir()) == ["0", "1"]
    assert [path.name for path in out.iterdir() if path.name.startswith(".")] == []
