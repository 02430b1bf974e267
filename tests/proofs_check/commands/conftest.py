"""Tables of cells that tests of ``establish suppress`` write."""

import csv
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.proofs_check.commands.cells import HEADER


@pytest.fixture
def table(tmp_path: Path) -> Callable[..., Path]:
    def write(rows: Sequence[Sequence[str]], header: Sequence[str] = HEADER, name: str = "cells.csv") -> Path:
        path = tmp_path / name
        with path.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([header, *rows])
        return path

    return write
