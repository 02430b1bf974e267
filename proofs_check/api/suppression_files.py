"""What ``establish suppress`` writes: intervals, with formulas or likelihoods, for this user's eyes only."""

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from establish.impl.suppression.cells import Cells
from establish.impl.suppression.confidential import private_file
from establish.impl.suppression.layout import Layout
from establish.impl.suppression.verdicts import EXACT, SHORT, UNDECIDED, Interval


def owned(layout: Layout, cells: Cells, found: Sequence[Interval]) -> list[int]:
    """The places of cells of one establishment that the outsider does not know."""
    sizes = [entry.extra.get(layout.count) for entry in cells.values()]
    return [one.place for one in found if sizes[one.place] == 1 and not one.exact]


def write_rows(option: str, path: Path, rows: Iterable[Mapping[str, object]]) -> None:
    """A JSON list, for this user's eyes only. option: of the file, for errors."""
    with private_file(option, path) as file:
        before = "[\n"
        for row in rows:
            file.write(before + json.dumps(row, ensure_ascii=False))
            before = ",\n"
        file.write("[]\n" if before == "[\n" else "\n]\n")


def bad(words: Sequence[str]) -> bool:
    """Whether any cell is known exactly, or not proved to have the protection that it must have."""
    return bool({EXACT, SHORT, UNDECIDED}.intersection(words))


def write_pattern(path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> None:
    """The pattern as CSV, for this user's eyes only."""
    with private_file("--out", path) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        for row in rows:
            writer.writerow(["" if row[name] is None else row[name] for name in columns])
