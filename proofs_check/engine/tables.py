"""Tables of the project's own files: fields with commas between them, under a header that is known."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence


def rows_of(
    text: str, columns: Sequence[str], error: type[Exception], header: str, row: str, first: int = 2
) -> Iterator[tuple[str, list[str]]]:
    """(how a message on it begins, its fields) for each row; first: the number of the first one.

    Raises ``error`` for another header, with the words of ``header`` before the columns, and for a row of
    more or fewer fields, with those of ``row``, in which {} is its number.
    """
    rows = csv.reader(io.StringIO(text))
    if tuple(next(rows, ())) != tuple(columns):
        raise error(f"{header} {','.join(columns)}")
    for number, fields in enumerate(rows, first):
        at = row.format(number)
        if len(fields) != len(columns):
            raise error(f"{at} {len(fields)} fields, not {len(columns)}")
        yield at, fields


def text_of(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """The text from which `rows_of` reads these rows."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([columns, *rows])
    return out.getvalue()
