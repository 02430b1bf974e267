"""Tables in and out of files, through an embedded DuckDB: CSV, gzipped CSV and Parquet; out to workbooks.

Every CSV column is read as text, so that "044" keeps its zero and an empty field stays an empty
text. What the reader says about a bad file is not passed on, because it may quote confidential
lines.
"""

from __future__ import annotations

import csv
import glob
import gzip
import os
import re
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from establish.impl.tables.dialects import why_unreadable
from establish.impl.tables.workbooks import About, write_workbook
from establish.spec.parameters import ParameterError

if TYPE_CHECKING:
    import duckdb

ROW = "establish_row_number"
"""The column that numbers the rows of an input from 1. What is put beside an input has names that begin so,
and no column of an input has."""

AS_IN_FILE = "hive_partitioning = false"
"""An option of DuckDB's readers: else a folder called sector=11 makes 11 of every value of that column."""

_READ_CSV = (
    "read_csv(?, all_varchar = true, header = true, delim = ',', quote = '\"', escape = '\"', "
    f"comment = '', skip = 0, nullstr = '\x01', {AS_IN_FILE})"
)
_READERS = {".csv": _READ_CSV, ".csv.gz": _READ_CSV, ".parquet": f"read_parquet(?, {AS_IN_FILE})"}
_WRITERS = {
    ".csv": "FORMAT csv, HEADER",
    ".csv.gz": "FORMAT csv, HEADER, COMPRESSION gzip",
    ".parquet": "FORMAT parquet",
}
WORKBOOK = ".xlsx"
"""The ending of a workbook, a form in which tables are released and not read."""

_NUMBERS = re.compile(r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|DOUBLE|FLOAT")
_AT_ONCE = 10_000


def place_of(path: Path) -> Path:
    """The absolute path without links; a link that leads back to itself stays as it is."""
    return Path(os.path.realpath(path))


def format_of(argument: str, path: Path, *, released: bool = False) -> str:
    """``.csv``, ``.csv.gz`` or ``.parquet``. Raises ParameterError for another ending.

    released: whether the file is a released table, which may be a workbook.
    """
    endings = [*_READERS, *([WORKBOOK] if released else [])]
    for ending in endings:
        if path.name.lower().endswith(ending):
            return ending
    raise ParameterError(f"{argument} = {path} has an unknown extension: it must end in {', '.join(endings)}")


def writer(ending: str) -> str:
    """The options of COPY for a file with this ending; a workbook is not copied."""
    return _WRITERS[ending]


def copy(
    connection: duckdb.DuckDBPyConnection, query: str, path: Path, ending: str, about: About = ()
) -> None:
    """Write what ``query`` finds to ``path`` as ``ending`` says; a workbook says ``about`` as well.

    In a workbook dates, truth values and decimals stand as text, as CSV has them. Raises OSError,
    duckdb.Error, or ParameterError for what a workbook cannot hold.
    """
    if ending != WORKBOOK:
        connection.execute(f"COPY ({query}) TO ? ({writer(ending)})", [str(path)])
        return
    kinds = connection.execute(f"DESCRIBE {query}").fetchall()
    names = [str(name) for name, *_ in kinds]
    fields = ", ".join(
        quoted(name) if _NUMBERS.fullmatch(str(kind)) else f"CAST({quoted(name)} AS VARCHAR)"
        for name, kind, *_ in kinds
    )
    found = connection.execute(f"SELECT {fields} FROM ({query})")
    batches = iter(lambda: found.fetchmany(_AT_ONCE), [])
    write_workbook(path, names, (row for batch in batches for row in batch), about)


def quoted(column: str) -> str:
    """``column`` as an SQL identifier."""
    return '"' + column.replace('"', '""') + '"'


def is_whole(kind: str) -> bool:
    """Whether that is the SQL type of whole numbers of at most 64 bits."""
    return kind.removeprefix("U") in ("TINYINT", "SMALLINT", "INTEGER", "BIGINT")


@contextmanager
def database() -> Iterator[duckdb.DuckDBPyConnection]:
    """An empty database in memory.

    What exceeds the memory is confidential: it goes to a folder of its own in the system's temporary one
    that only this user can read and that is removed, not to the working directory.
    """
    import duckdb  # of an extra: the mechanisms run without it

    with (
        tempfile.TemporaryDirectory(prefix="establish-") as folder,
        duckdb.connect(config={"temp_directory": folder}) as connection,
    ):
        yield connection


def load(connection: duckdb.DuckDBPyConnection, path: Path, name: str, argument: str = "INPUT") -> None:
    """Make the table ``name`` from the file, rows numbered by ROW.

    Raises ParameterError when there is no such file or it cannot be read as its ending says.
    """
    import duckdb

    reader = reader_of(argument, path)
    try:
        connection.execute(f"CREATE TABLE {name} AS SELECT row_number() OVER () AS {ROW}, * FROM {reader}")
    except duckdb.Error:
        raise _unreadable(argument, path) from None
    (_, *columns) = connection.execute(f"DESCRIBE {name}").fetchall()
    for number, (column, *_) in enumerate(columns, start=1):
        if is_ours(str(column)):
            raise ParameterError(
                f"{argument} = {path}: column {number} has a name that begins with {ROW}, which is reserved: "
                "rename it"
            )


def is_ours(column: str) -> bool:
    """Whether a column of this name could be taken for one that is put beside an input."""
    return column.casefold().startswith(ROW)


def reader_of(argument: str, path: Path) -> str:
    """What reads the file in SQL, as its ending says. Raises ParameterError when there is no such file."""
    reader = _READERS[format_of(argument, path)]
    if not path.is_file():
        raise ParameterError(f"{argument} = {path} is not a file")
    require_names(argument, path)
    return reader.replace("?", "'" + glob.escape(str(path)).replace("'", "''") + "'", 1)


def _unreadable(argument: str, path: Path) -> ParameterError:
    parquet = path.name.lower().endswith(".parquet")
    what = "Parquet" if parquet else "comma-separated UTF-8 text"
    why = "" if parquet else why_unreadable(path)
    return ParameterError(
        f"{argument} = {path} cannot be read as {what} with one header line and rows of equal length"
        f"{f': {why}' if why else ''}"
    )


def require_names(argument: str, path: Path) -> None:
    """Raise ParameterError where the columns of a CSV file have not each a name of their own.

    Engines would make names up. They do not tell capitals from small letters. A file without a header
    line may hold confidential values in its place, so that columns are told by their number.
    """
    if format_of(argument, path) == ".parquet":
        return
    if why := why_unreadable(path):
        raise ParameterError(f"{argument} = {path} cannot be read: {why}")
    names = [name.casefold() for name in _header(argument, path)]
    if not names:
        raise ParameterError(f"{argument} = {path} is empty: its first line must name the columns")
    for number, name in enumerate(names, start=1):
        if not name:
            raise ParameterError(f"{argument} = {path}: column {number} has no name in the first line")
        if name in names[: number - 1]:
            raise ParameterError(
                f"{argument} = {path}: columns {names.index(name) + 1} and {number} have the same name "
                "in the first line: rename one"
            )


def _header(argument: str, path: Path) -> list[str]:
    """The fields of the first line of a CSV file, gzipped or not; none where there is nothing."""
    opened = gzip.open if path.name.lower().endswith(".gz") else open
    try:
        with opened(path, "rt", encoding="utf-8-sig", newline="") as file:
            return next(csv.reader(file), [])
    except (OSError, EOFError, zlib.error, UnicodeError, csv.Error):
        raise _unreadable(argument, path) from None
