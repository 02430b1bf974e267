"""Tables as workbooks (.xlsx), for those who read them in a spreadsheet.

A text stands in a cell as text, whatever it begins with, so that "044" keeps its zero and nothing is run. The
same rows give the same bytes: no time of writing is in the file.
"""

import math
import re
import tempfile
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from establish.spec.parameters import ParameterError

About = Sequence[tuple[str, str]]
"""What the second sheet says: lines of a title and a text."""

MOST_ROWS = 1_048_576
"""Rows of a sheet, the names of the columns among them: a limit of the format."""

MOST_COLUMNS = 16_384
"""Columns of a sheet, at most."""

LONGEST = 32_767
"""Units of UTF-16 in a cell, at most."""

EXACT = 2**53
"""A cell's number is binary with 53 bits: a whole number beyond this may not be the one that was meant."""

_WRITTEN = datetime(2000, 1, 1)
_NEVER = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff]|^<r>.*</r>$", re.DOTALL)


def write_workbook(path: Path, names: Sequence[str], rows: Iterable[Sequence[object]], about: About) -> None:
    """A workbook of two sheets: "table" with one line of names and the rows, and "about".

    rows: text, whole numbers, floats, or None for an empty cell. Raises ParameterError, which names the
    column and no value, for what a cell cannot hold, and OSError.
    """
    import xlsxwriter  # of an extra: the other forms are written without it

    if len(names) > MOST_COLUMNS:
        raise ParameterError(f"a sheet holds at most {MOST_COLUMNS} columns: write CSV or Parquet")
    for name in names:
        _require_text(name, "the name of a column")
    with tempfile.TemporaryDirectory(prefix="establish-") as folder:
        book = xlsxwriter.Workbook(str(path), {"constant_memory": True, "tmpdir": folder})
        book.set_properties({"created": _WRITTEN})
        table = book.add_worksheet("table")
        _fill(table, names, rows)
        sheet = book.add_worksheet("about")
        for line, (title, text) in enumerate(about):
            sheet.write_string(line, 0, title)
            sheet.write_string(line, 1, text[:LONGEST])
        try:
            book.close()
        except xlsxwriter.exceptions.FileCreateError as error:
            raise OSError(*error.args[0].args) from None


def _fill(sheet: Any, names: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    put_text, put_number = sheet.write_string, sheet.write_number
    for place, name in enumerate(names):
        put_text(0, place, name)
    for line, row in enumerate(rows, start=1):
        if line == MOST_ROWS:
            raise ParameterError(
                f"a sheet holds at most {MOST_ROWS - 1} rows below the names: write CSV or Parquet"
            )
        for place, value in enumerate(row):
            where = f"column {names[place]}"
            if isinstance(value, str):
                _require_text(value, where)
                put_text(line, place, value)
            elif isinstance(value, int | float):
                if not (abs(value) <= EXACT if isinstance(value, int) else math.isfinite(value)):
                    raise ParameterError(
                        f"{where} has a number that a cell cannot hold: write CSV or Parquet"
                    )
                put_number(line, place, value)


def _require_text(text: str, where: str) -> None:
    """Raise ParameterError for text that a cell cannot hold, or that the library takes for markup."""
    if len(text.encode("utf-16-le")) > 2 * LONGEST or _NEVER.search(text):
        raise ParameterError(
            f"{where} has a text that a cell cannot hold (control characters, markup, or more than "
            f"{LONGEST} characters): write CSV or Parquet"
        )
