"""The cells of published tables, out of CSV and Parquet files, or memory."""

import csv
import gzip
import math
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from establish.impl.suppression.layout import DASH, FORCED, PUBLISHED, SUPPRESSED, Cell, Layout
from establish.impl.tables.dialects import comma_in_number, why_unreadable
from establish.impl.tables.frames import Frame
from establish.impl.tables.names import shown_names
from establish.spec.parameters import ParameterError, exact

Number = int | Fraction
_WHOLE = re.compile(r"[+-]?\d+")
LARGEST_FLOAT = 2**53
"""From it on a binary float no longer names one whole number."""


@dataclass(slots=True)
class Entry:
    """One cell: its published value, None where it is suppressed, and what else the table says.

    left: whether a suppressed cell still holds a value other than 0, which is not kept. status: as given.
    """

    value: Number | None
    extra: dict[str, Number] = field(default_factory=dict)
    left: bool = False
    status: str = ""


Cells = dict[Cell, Entry]


def read_cells(paths: Sequence[Path | Frame], layout: Layout) -> Cells:
    """The cells of all tables, in order; a label column that one lacks is at its total there.

    Raises ParameterError that names the cell: for a cell that is given twice or, in two files, with
    different numbers; for a number that is not one; for an unknown status; for a published cell without
    a value. A cell with neither status nor value is suppressed.
    """
    cells: Cells = {}
    for path in paths:
        columns, rows = table_rows(path)
        _require_columns(path, columns, layout, only=len(paths) == 1)
        own: set[Cell] = set()
        for number, row in enumerate(rows, start=1):
            cell = tuple(_label(row, number, name, layout, columns) for name in layout.by)
            entry = _entry(row, cell, layout)
            if cell in own:
                raise ParameterError(f"{path.name}: the cell {layout.named(cell)} is given twice")
            own.add(cell)
            known = cells.setdefault(cell, entry)
            if known is not entry:
                _link(known, entry, layout.named(cell))
    if not cells:
        raise ParameterError("the table has no cell")
    return cells


def _link(known: Entry, entry: Entry, named: str) -> None:
    """The same cell in a second table: its value is published if it is in one of them.

    Of two statuses the stricter one stays: suppressed, then forced.
    """
    if known.value is not None and entry.value is not None and known.value != entry.value:
        raise ParameterError(f"the cell {named} has different values in two tables")
    for name in known.extra.keys() & entry.extra.keys():
        if known.extra[name] != entry.extra[name]:
            raise ParameterError(f"the cell {named} has a different {name} in two tables")
    known.value = entry.value if known.value is None else known.value
    known.extra |= entry.extra
    known.left |= entry.left
    known.status = max(
        known.status, entry.status, key=lambda text: (text in SUPPRESSED, text == FORCED, text != "")
    )


def table_rows(path: Path | Frame) -> tuple[list[str], Iterator[dict[str, object]]]:
    """The columns and the rows of a table. Raises ParameterError when it cannot be read."""
    if isinstance(path, Frame):
        return path.content.column_names, iter(path.content.to_pylist())
    name = path.name.lower()
    if not path.is_file():
        raise ParameterError(f"TABLE = {path} is not a file")
    try:
        if name.endswith(".parquet"):
            table = pq.read_table(path)
            return table.column_names, iter(table.to_pylist())
        if name.endswith((".csv", ".csv.gz")):
            opened = gzip.open if name.endswith(".gz") else open
            with opened(path, "rt", encoding="utf-8-sig", newline="") as file:
                header, *lines = csv.reader(file, strict=True)
            return header, _by_name(path, header, lines)
    except (pa.ArrowInvalid, csv.Error, ValueError, EOFError, OSError, zlib.error):
        require_dialect(path)
        raise ParameterError(f"TABLE = {path} cannot be read as its ending says") from None
    raise ParameterError(f"TABLE = {path} must end in .csv, .csv.gz or .parquet")


def require_dialect(path: Path | Frame) -> None:
    """Raises ParameterError where a file is no comma-separated UTF-8 text, but for Parquet."""
    if isinstance(path, Frame) or path.name.lower().endswith(".parquet"):
        return
    why = why_unreadable(path)
    if why:
        raise ParameterError(f"TABLE: {why}")


def _by_name(path: Path, header: list[str], lines: Iterable[list[str]]) -> Iterator[dict[str, object]]:
    for number, line in enumerate(lines, start=2):
        if len(line) != len(header):
            require_dialect(path)
            raise ParameterError(
                f"{path.name}: line {number} has {len(line)} fields, the header {len(header)}"
            )
        yield dict(zip(header, line, strict=True))


def _require_columns(path: Path | Frame, columns: Sequence[str], layout: Layout, only: bool) -> None:
    if len(set(columns)) != len(columns):
        raise ParameterError(f"{path.name}: two columns have the same name")
    wanted = [layout.value, *(n for n in (layout.status, *_extra(layout)) if n and only)]
    wanted += [name for name in layout.by if only or not layout.totals.get(name)]
    for name in wanted:
        if name not in columns:
            require_dialect(path)
            raise ParameterError(f"{path.name} has no column {name}: it has {shown_names(columns)}")


def _extra(layout: Layout) -> tuple[str, ...]:
    own = (layout.count, layout.lower, layout.upper, layout.true)
    return (*own, layout.lpl, layout.upl, layout.spl, *layout.contributions, layout.cost)


def _label(row: dict[str, object], number: int, name: str, layout: Layout, columns: Sequence[str]) -> str:
    if name not in columns:
        return layout.totals[name]
    found = "" if row[name] is None else str(row[name])
    if found != found.strip():
        raise ParameterError(f"column {name}: a label has no space at its ends: not so in row {number}")
    return found


def _entry(row: dict[str, object], cell: Cell, layout: Layout) -> Entry:
    found = row.get(layout.status)
    status = "" if not layout.status or found is None else str(found).strip()
    extra = {
        name: value
        for name in _extra(layout)
        if name and (value := _number(row.get(name), name, cell, layout)) is not None
    }
    if status in SUPPRESSED or (status == DASH and layout.dash == "unknown"):
        left = layout.value != layout.true and _is_value(row[layout.value])
        return Entry(None, extra, left, status)
    if status == DASH and layout.dash:
        return Entry(0, extra, status=status)
    if status and status not in PUBLISHED:
        raise ParameterError(
            f"the cell {layout.named(cell)}: its {layout.status} is not a status (not shown, it may be "
            f"confidential): use {', '.join((*PUBLISHED, *SUPPRESSED))}, - or blank"
        )
    value = _number(row[layout.value], layout.value, cell, layout)
    if status and value is None:
        raise ParameterError(
            f"the cell {layout.named(cell)} has status {status}, published, and no {layout.value}"
        )
    return Entry(value, extra, status=status)


def _is_value(found: object) -> bool:
    """Whether a field holds a number other than 0, which stands for a suppressed value in some files."""
    text = "" if found is None else str(found).strip()
    try:
        return exact("value", text) != 0
    except ParameterError:
        return bool(comma_in_number(text))


def _number(found: object, column: str, cell: Cell, layout: Layout) -> Number | None:
    """The exact number of a field; None for an empty one."""
    if isinstance(found, int) and not isinstance(found, bool):
        return found
    text = "" if found is None else str(found).strip()
    if not text:
        return None
    if _WHOLE.fullmatch(text):
        return int(text)
    try:
        if isinstance(found, float) and not math.isfinite(found):
            raise ParameterError("not finite")
        number = exact(column, text)
    except ParameterError:
        why = comma_in_number(text)
        raise ParameterError(
            f"the cell {layout.named(cell)}: its {column} is not a finite number{why and f': {why}'}"
        ) from None
    if abs(number) >= LARGEST_FLOAT and "/" not in text:
        raise ParameterError(
            f"the cell {layout.named(cell)}: its {column} is a float beyond 2^53 - 1, which is not exact"
        )
    return number if number.denominator > 1 else number.numerator
