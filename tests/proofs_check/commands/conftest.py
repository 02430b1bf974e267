"""Tables of cells that tests of commands write and audit, and keys that they sign with."""

import csv
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.proofs_check.commands.cells import HEADER, intervals


@pytest.fixture
def table(tmp_path: Path) -> Callable[..., Path]:
    def write(rows: Sequence[Sequence[str]], header: Sequence[str] = HEADER, name: str = "cells.csv") -> Path:
        path = tmp_path / name
        with path.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([header, *rows])
        return path

    return write


@pytest.fixture
def audited(table, run, tmp_path: Path):
    """Audits a table of suppressed cells: the status, the intervals and what was printed."""

    def found(rows, header, *options):
        out = ("--json", tmp_path / "out.json", "--force")
        status, printed, err = run("suppress", "audit", table(rows, header), *options, *out)
        assert status in (0, 1), err
        return status, intervals(tmp_path / "out.json"), printed

    return found


@pytest.fixture
def key(tmp_path: Path, succeeds) -> Path:
    path = tmp_path / "agency.key"
    assert "fingerprint: ed25519:" in succeeds("keys", "new", path)
    return path
