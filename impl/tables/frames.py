"""Tables in memory: of pandas, polars, pyarrow or DuckDB, read and given back by the Arrow interface."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from establish.impl.tables.files import ROW, is_ours
from establish.spec.parameters import ParameterError

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

KINDS = ("pandas", "polars", "duckdb")
"""The libraries whose tables are given back as such; every other kind gets one of pyarrow."""

_INDEX = re.compile(r"__index_level_\d+__")
"""The columns in which pandas passes on an index that has no name: they hold no data."""


@dataclass(frozen=True)
class Frame:
    """A table in memory. content: its columns as the Arrow interface gives them. kind: see KINDS.

    It prints as the kind of its table, never as what it holds.
    """

    content: pa.Table = field(repr=False)
    kind: str

    def __str__(self) -> str:
        return f"the {self.kind} table"

    @property
    def name(self) -> str:
        """What an error calls it."""
        return str(self)

    def load(self, connection: duckdb.DuckDBPyConnection, name: str) -> None:
        """Make the table ``name`` of the database, rows numbered by ROW. Raises ParameterError."""
        import duckdb

        try:
            connection.register("frame", self.content)
            connection.execute(f"CREATE TABLE {name} AS SELECT row_number() OVER () AS {ROW}, * FROM frame")
            connection.unregister("frame")
        except duckdb.Error:  # what it says may quote confidential values
            raise ParameterError(f"{self} has a column of a type that the database does not read") from None


def is_frame(table: object) -> bool:
    """Whether it offers the Arrow interface."""
    return hasattr(table, "__arrow_c_stream__")


def frame_of(argument: str, table: object) -> Frame:
    """The table as it is now. Raises ParameterError for what is none, and for names that are not distinct.

    argument: its name, for the error. DuckDB does not tell capitals from small letters in names of columns.
    """
    if not is_frame(table):
        raise ParameterError(
            f"{argument} = {type(table).__name__} is not a table: give a path, or a table with the Arrow "
            "interface (pandas, polars, pyarrow, a DuckDB relation)"
        )
    import pyarrow as pa

    try:
        content = pa.RecordBatchReader.from_stream(table).read_all()
    except (pa.ArrowException, TypeError, ValueError):  # what they say may quote confidential values
        raise ParameterError(
            f"{argument} = {type(table).__name__} does not become an Arrow table: columns must have names "
            "that are texts, and values of one type each"
        ) from None
    if any(_is_of_its_library(column) for column in content.schema):
        raise ParameterError(
            f"{argument} = {type(table).__name__} has a column of a type that only its library reads, "
            "such as periods: make it one of texts"
        )
    content = content.drop_columns([name for name in content.column_names if _INDEX.fullmatch(name)])
    names = [name.casefold() for name in content.column_names]
    for place, name in enumerate(names):
        if not name or name in names[:place] or is_ours(name):
            raise ParameterError(
                f"{argument} = {type(table).__name__}: column {place + 1} has no name of its own: rename it "
                "(capitals and small letters are the same)"
            )
    return Frame(content, kind_of(table))


def _is_of_its_library(column: pa.Field) -> bool:
    """Whether what Arrow passes on is no value but a code for it: of periods it is numbers, 50 for 2020."""
    own = (column.metadata or {}).get(b"ARROW:extension:name", b"").decode()
    name = str(getattr(column.type, "extension_name", own))
    return bool(name) and not name.startswith("arrow.")


def kind_of(table: object) -> str:
    """The library that the table is of, one of KINDS, or pyarrow."""
    roots = [base.__module__.partition(".")[0].lstrip("_") for base in type(table).__mro__]
    return next((kind for kind in KINDS if kind in roots), "pyarrow")


def given_back(content: pa.Table, kind: str) -> Any:
    """The table in that kind, of a library that was loaded by whoever gave one of it."""
    if kind == "pandas":
        return content.to_pandas()
    if kind == "polars":
        return sys.modules["polars"].from_arrow(content)
    if kind == "duckdb":
        import duckdb

        return duckdb.from_arrow(content)
    return content
