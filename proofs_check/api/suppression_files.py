"""What ``establish suppress`` writes: intervals, with formulas or likelihoods, for this user's eyes only."""

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from establish.impl.suppression.cells import Cells
from establish.impl.suppression.confidential import private_file
from establish.impl.suppression.formulas import Formulas
from establish.impl.suppression.layout import Layout
from establish.impl.suppression.likelihood import Law
from establish.impl.suppression.presolve import LOWER, UPPER
from establish.impl.suppression.sums import Problem
from establish.impl.suppression.verdicts import EXACT, SHORT, UNDECIDED, Interval, record


def owned(layout: Layout, cells: Cells, found: Sequence[Interval]) -> list[int]:
    """The places of cells of one establishment that the outsider does not know."""
    sizes = [entry.extra.get(layout.count) for entry in cells.values()]
    return [one.place for one in found if sizes[one.place] == 1 and not one.exact]


def _judged(one: Interval, word: str, seen: Mapping[int, str]) -> dict[str, str]:
    """The verdict, and that of the best informed owner where owners were asked for."""
    return {"verdict": word, **({"owner": seen[one.place]} if one.place in seen else {})}


def write_intervals(
    path: Path,
    asked: Problem,
    layout: Layout,
    found: Sequence[Interval],
    words: Sequence[str],
    attacker: str,
    seen: Mapping[int, str],
) -> None:
    """The list of intervals, with verdicts."""
    write_rows("--json", path, interval_rows(asked, layout, found, words, attacker, seen))


def interval_rows(
    asked: Problem,
    layout: Layout,
    found: Sequence[Interval],
    words: Sequence[str],
    attacker: str,
    seen: Mapping[int, str],
) -> Iterator[dict[str, Any]]:
    """One entry for each interval, with its verdict."""
    for one, word in zip(found, words, strict=True):
        yield {**record(asked, layout.by, one, attacker), **_judged(one, word, seen)}


def write_explained(
    path: Path,
    asked: Problem,
    layout: Layout,
    found: Sequence[Interval],
    words: Sequence[str],
    formulas: Formulas,
    attacker: str,
    seen: Mapping[int, str],
) -> None:
    """The same with the sums that give each end."""
    at = {place: k for k, place in enumerate(asked.unknown)}
    write_rows(
        "--explain",
        path,
        (
            {
                **record(asked, layout.by, one, attacker),
                **_judged(one, word, seen),
                "lower_by": formulas.of(asked, at[one.place], LOWER),
                "upper_by": formulas.of(asked, at[one.place], UPPER),
            }
            for one, word in zip(found, words, strict=True)
        ),
    )


def write_likelihood(
    path: Path, asked: Problem, layout: Layout, laws: Mapping[int, Law], attacker: str
) -> None:
    """How likely each value of a rounded cell is, where that was computed."""
    write_rows(
        "--likelihood",
        path,
        (
            {
                "cell": dict(zip(layout.by, asked.cells[place], strict=True)),
                "likelihood": {str(value): str(share) for value, share in law.items()},
                "attacker": attacker,
            }
            for place, law in laws.items()
        ),
    )


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
