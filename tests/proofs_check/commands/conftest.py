"""Tables of cells that tests of ``establish suppress`` write."""

import csv
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest


@pytest.fixture
def table(tmp_path: Path) -> Callable[..., Path]:
    def write(
        rows: Sequence[Sequence[str]],
        header: Sequence[str] = ("region", "industry", "jobs", "status"),
        name: str = "cells.csv",
    ) -> Path:
        path = tmp_path / name
        with path.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([header, *rows])
        return path

    return write


@pytest.fixture
def square() -> list[tuple[str, ...]]:
    """North and South by A and B, all four inner cells hidden."""
    return [
        ("All", "All", "100", ""),
        ("All", "A", "40", ""),
        ("All", "B", "60", ""),
        ("N", "All", "50", "s"),
        ("S", "All", "50", "z"),
        ("N", "A", "777", "u"),
        ("N", "B", "", "m"),
        ("S", "A", "0", "N"),
        ("S", "B", "", "m"),
    ]
