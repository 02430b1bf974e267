"""Cells, options and files that tests of commands share."""

import hashlib
from pathlib import Path

from tests.proofs_check.files import read_json

LOG_LAPLACE = ("--mechanism", "log-laplace", "--alpha", "1/10", "--epsilon", "2", "--count", "jobs")

HEADER = ("region", "industry", "jobs", "status")
BY = ("--by", "region,industry", "--total", "region=All", "--total", "industry=All")
READ = (*BY, "--value", "jobs", "--status", "status")

SQUARE = [
    ("All", "All", "100", ""), ("All", "A", "40", ""), ("All", "B", "60", ""),
    ("N", "All", "50", "s"), ("S", "All", "50", "z"),
    ("N", "A", "777", "u"), ("N", "B", "", "m"), ("S", "A", "0", "N"), ("S", "B", "", "m"),
]  # fmt: skip
"""North and South by A and B, all four inner cells hidden."""


def of_one_column(name: str, value: str = "v", status: str = "s", total: str = "All") -> tuple[str, ...]:
    """How a table with one column of labels is read."""
    return ("--by", name, "--total", f"{name}={total}", "--value", value, "--status", status)


def intervals(path: Path) -> dict[tuple[str, ...], tuple[str | None, str | None]]:
    return {tuple(one["cell"].values()): (one["lower"], one["upper"]) for one in read_json(path)}


def ends(path: Path) -> dict[str, tuple[str | None, str | None]]:
    """The intervals of a table with one column of labels."""
    return {label: ends for (label,), ends in intervals(path).items()}


def sealed(lines: list[str]) -> str:
    body = "".join(line + "\n" for line in lines)
    return body + hashlib.sha256(body.encode()).hexdigest() + "\n"
