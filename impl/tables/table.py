"""One input table in a database in memory: its rows are numbered, its columns are read by name."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from establish.impl.arrays import Floats, Integers
from establish.impl.tables.files import ROW, copy, database, is_whole, load, quoted
from establish.impl.tables.frames import Frame
from establish.impl.tables.rows_digest import digest_of_file, digest_of_rows
from establish.impl.tables.texts import Texts
from establish.impl.tables.workbooks import About
from establish.spec.parameters import ParameterError

if TYPE_CHECKING:
    import duckdb

NO_COLUMNS: Mapping[str, Integers] = MappingProxyType({})


class Table:
    """One input, a file or a table in memory, loaded into a database; its rows are numbered from 1."""

    def __init__(self, source: Path | Frame) -> None:
        with ExitStack() as stack:
            self._db = stack.enter_context(database())
            load_source(self._db, source, "input")
            described = self._db.execute("DESCRIBE input").fetchall()
            self._types = {str(name): str(kind) for name, kind, *_ in described if name != ROW}
            self._open = stack.pop_all()
        self._source = source
        ((size,),) = self._db.execute("SELECT count(*) FROM input").fetchall()
        self._look("input", np.arange(1, size + 1))

    def _look(self, relation: str, rows: Integers) -> None:
        self._relation, self._rows = relation, rows
        self.said = Texts(self._db, relation, self._types, rows)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    @property
    def columns(self) -> list[str]:
        """The column names, in order."""
        return list(self._types)

    def digest(self) -> str:
        """As :func:`establish.impl.tables.rows_digest.digest_of_file`; the file is not read again."""
        if isinstance(self._source, Frame):
            return digest_of_rows(self._db, "input", self.columns)
        return digest_of_file(self._source, lambda: digest_of_rows(self._db, "input", self.columns))

    def row_numbers(self) -> Integers:
        """The numbers of the rows that are looked at: 1, 2, … of all, until some are chosen."""
        return self._rows

    def choose(self, rows: Integers) -> None:
        """From now on look at these rows only, whose numbers ascend; they are written, and no others."""
        self._db.register("numbers", {ROW: rows})
        self._db.execute(
            f"CREATE OR REPLACE TABLE chosen AS SELECT input.* FROM input JOIN numbers USING ({ROW}) "
            f"ORDER BY {ROW}"
        )
        self._look("chosen", rows)

    def numbers(self, column: str, what: str = "counts") -> Floats:
        """The numbers that ``column`` holds; NaN where it holds none.

        Raises ParameterError that says what is expected when its type can hold no number.
        """
        import duckdb

        refused = ParameterError(f"column {column} holds {self._types[column]}, not {what}")
        if self._types[column] == "BOOLEAN":  # which the database would read as 1 and 0
            raise refused
        own = quoted(column)
        read = own if is_whole(self._types[column]) else f"TRY_CAST({own} AS DOUBLE)"
        try:
            values = self._column(f"SELECT {read} FROM {self._relation}")
        except duckdb.Error:
            raise refused from None
        floats: Floats = values.astype(np.float64, copy=False)
        return np.ma.filled(floats, np.nan) if hasattr(floats, "mask") else floats  # where some are absent

    @contextmanager
    def without(self, columns: Sequence[str], name: str) -> Iterator[duckdb.DuckDBPyConnection]:
        """A database of its own that holds the other columns, as the table ``name``, and nothing else."""
        import duckdb

        with tempfile.TemporaryDirectory(prefix="establish-") as folder:
            place = Path(folder) / "others.duckdb"
            literal = str(place).replace("'", "''")
            self._db.execute(f"ATTACH '{literal}' AS others")
            left_out = f" EXCLUDE ({', '.join(map(quoted, columns))})" if columns else ""
            self._db.execute(f"CREATE TABLE others.{quoted(name)} AS SELECT *{left_out} FROM input")
            self._db.execute("DETACH others")
            with duckdb.connect(place, read_only=True, config={"temp_directory": folder}) as connection:
                yield connection

    def write(
        self,
        path: Path,
        ending: str,
        columns: Sequence[str],
        replaced: str,
        values: Integers,
        more: Mapping[str, Integers] = NO_COLUMNS,
        about: About = (),
    ) -> None:
        """Write ``columns`` to ``path`` as ``ending`` says, in the input's order.

        ``values`` stand in place of the column ``replaced``, and ``more`` columns after all. about: what
        a workbook says beside the table. Raises as :func:`copy` does.
        """
        names = {shown: f"{ROW}_{place}" for place, shown in enumerate([replaced, *more])}
        numbers = dict(zip(names.values(), [values, *more.values()], strict=True))
        fields = [
            f"{names[column]} AS {quoted(column)}" if column == replaced else self._kept(column, ending)
            for column in columns
        ]
        fields += [f"{names[shown]} AS {quoted(shown)}" for shown in more]
        query = f"SELECT {', '.join(fields)} FROM {self.said.beside(numbers)}"
        copy(self._db, query, path, ending, about)

    def _kept(self, column: str, ending: str) -> str:
        name = quoted(column)
        if self._types[column] == "VARCHAR" and ending != ".parquet":
            return f"NULLIF({name}, '') AS {quoted(column)}"  # an empty field, not a quoted one
        return name

    def _column(self, query: str) -> NDArray[np.generic]:
        (values,) = self._db.execute(query).fetchnumpy().values()
        return values


def load_source(
    connection: duckdb.DuckDBPyConnection, source: Path | Frame, name: str, argument: str = "INPUT"
) -> None:
    """Make the table ``name`` from a file or a table in memory, rows numbered. Raises as :func:`load`."""
    if isinstance(source, Frame):
        source.load(connection, name)
    else:
        load(connection, source, name, argument)
