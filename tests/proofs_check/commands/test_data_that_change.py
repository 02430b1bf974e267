"""A release is of the data as they were when it began, or there is none."""

from importlib import import_module

import pytest

from establish.impl.budget.ledger import entries_of
from tests.proofs_check.commands.cells import LOG_LAPLACE

TABLE = "place,jobs\nNorth,40\nSouth,50\n"
EARNINGS = ("--epsilon", 2, "--earnings", "earnings", "--cell", "college")


@pytest.mark.parametrize(
    "kind", ["counts", *(pytest.param(k, marks=pytest.mark.small_campaign) for k in ("earnings", "plan"))]
)
def test_data_that_change_while_they_are_read_are_not_released(run, project, monkeypatch, kind):
    module = import_module(f"establish.impl.publish.{kind}")
    plan = project("jobs" if kind == "plan" else "persons")
    folder = plan.parent
    (folder / "cells.csv").write_text(TABLE, "utf-8")
    data = folder / {"counts": "cells.csv", "earnings": "persons.csv", "plan": "jobs.parquet"}[kind]
    real = module.publish_entered

    def after_a_change(*given, **named):
        content = data.read_bytes()
        data.unlink()
        data.write_bytes(content)  # the same bytes may stand for other ones in between
        return real(*given, **named)

    calls = {
        "counts": ("counts", data, *LOG_LAPLACE),
        "earnings": ("earnings", data, *EARNINGS),
        "plan": ("plan", plan),
    }
    out = folder / ("out" if kind == "plan" else "out.csv")
    before = set(folder.iterdir())
    with monkeypatch.context() as changed:
        changed.setattr(module, "publish_entered", after_a_change)
        status, _, err = run("release", *calls[kind], "--out", out)
    assert (status, len(err.splitlines())) == (2, 1)
    assert f"DATA = {data} changed while it was read, and nothing is released or spent: begin" in err
    assert not out.exists()
    ledgers = [path for path in set(folder.iterdir()) - before if path.suffix == ".ledger"]
    assert not any(entries_of(ledger) for ledger in ledgers)
    status, _, err = run("release", *calls[kind], "--out", out)
    assert status == 0, err
