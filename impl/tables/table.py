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

from establish.impl.tables.files import ROW, copy, database, is_whole, load, quoted
from establish.impl.tables.frames import Frame
from establish.impl.tables.rows_digest import digest_of_file, digest_of_rows
from establish.impl.tables.workbooks import About
from establish.spec.parameters import ParameterError

if TYPE_CHECKING:
    import duckdb

TOP = f"{ROW}_top"
"""A name that no column of an input has."""

_AS_IT_IS = "[!-~]+( [!-~]+)*"
"""Most texts: nothing is left out of them."""

NO_COLUMNS: Mapping[str, NDArray[np.int64]] = MappingProxyType({})


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
        self._labels: dict[str, tuple[NDArray[np.int64] | None, list[str]]] = {}
        """By column, for which rows its labels were asked last, and what they are."""

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

    def row_numbers(self) -> NDArray[np.int64]:
        """1, 2, … for every row."""
        return self._column(f"SELECT {ROW} FROM input ORDER BY {ROW}").astype(np.int64)

    def numbers(self, column: str, rows: NDArray[np.int64], what: str = "counts") -> NDArray[np.float64]:
        """The numbers that ``column`` holds in ``rows``; NaN where it holds none.

        Raises ParameterError that says what is expected when its type can hold no number.
        """
        import duckdb

        cell = f"TRY_CAST({quoted(column)} AS DOUBLE)"
        try:
            values = self._column(f"SELECT {cell} FROM input ORDER BY {ROW}")
        except duckdb.Error:
            raise ParameterError(f"column {column} holds {self._types[column]}, not {what}") from None
        return np.ma.filled(values.astype(np.float64), np.nan)[rows - 1]

    def labels_in(self, column: str, rows: NDArray[np.int64] | None = None) -> list[str]:
        """The distinct texts that ``column`` holds in ``rows``, by default in all; none where it has none."""
        if self._types[column] != "VARCHAR" and not self._types[column].startswith("ENUM"):
            return []
        asked, known = self._labels.get(column, (None, None))
        if known is not None and asked is rows:
            return known
        chosen = "" if rows is None else self._chosen(rows)
        found = self._db.execute(
            f"SELECT DISTINCT CAST({quoted(column)} AS VARCHAR) FROM input {chosen}"
        ).fetchall()
        labels = [text for (text,) in found if text is not None]
        self._labels[column] = rows, labels
        return labels

    def alike(self, columns: Sequence[str], rows: NDArray[np.int64]) -> tuple[int, int] | None:
        """Two of ``rows`` in which all ``columns`` say the same; None where there are none.

        Capitals, spaces and characters that do not show make no difference.
        """
        same = ", ".join(self._plain(column) for column in columns)
        groups = f"FROM input {self._chosen(rows)} {f'GROUP BY {same}' if same else ''} HAVING count(*) > 1"
        if not self._is_there(groups):
            return None
        found: list[tuple[int, int]] = self._db.execute(
            f"SELECT min({ROW}), min({ROW}, 2)[2] {groups} ORDER BY 1 LIMIT 1"
        ).fetchall()
        return found[0]

    def sum_of_others(
        self, columns: Sequence[str], rows: NDArray[np.int64], values: NDArray[np.float64]
    ) -> int | None:
        """The first of ``rows`` whose value, above 0, is the sum of those that say the same in ``columns``.

        These are two others or more. None where there is no such row. It is the largest of its group.
        """
        self._db.register("valued", {ROW: rows, "n": values.astype(np.int64)})
        both = f"FROM input JOIN valued USING ({ROW})"
        own = [f"input.{quoted(column)}" for column in columns]
        by = f"GROUP BY {', '.join(own)}" if columns else ""
        fields = ", ".join([f"max(valued.n) AS {TOP}", *own])
        same = [f"input.{quoted(column)} IS NOT DISTINCT FROM sums.{quoted(column)}" for column in columns]
        found: list[tuple[int | None]] = self._db.execute(
            f"WITH sums AS (SELECT {fields} {both} {by} HAVING count(*) > 2 AND max(valued.n) > 0 AND "
            f"2 * max(valued.n) = sum(valued.n)) SELECT min({ROW}) {both} JOIN sums ON "
            f"{' AND '.join([f'valued.n = sums.{TOP}', *same])}"
        ).fetchall()
        return found[0][0]

    def _is_there(self, groups: str) -> bool:
        """Whether there is one of these groups: that takes far less than to find the first."""
        return bool(self._db.execute(f"SELECT 1 {groups} LIMIT 1").fetchall())

    def _chosen(self, rows: NDArray[np.int64]) -> str:
        """What joins the input with ``rows`` in a query."""
        self._db.register("chosen", {ROW: rows})
        return f"JOIN chosen USING ({ROW})"

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
        rows: NDArray[np.int64],
        values: NDArray[np.int64],
        more: Mapping[str, NDArray[np.int64]] = NO_COLUMNS,
        about: About = (),
    ) -> None:
        """Write ``columns`` of ``rows`` to ``path`` as ``ending`` says, in the input's order.

        ``values`` stand in place of the column ``replaced``, and ``more`` columns after all. about: what
        a workbook says beside the table. Raises as :func:`copy` does.
        """
        added = {f"added{place}": column for place, column in enumerate(more.values())}
        self._db.register("noise", {ROW: rows, "noisy": values, **added})
        fields = ", ".join(
            f"noise.noisy AS {quoted(column)}" if column == replaced else self._kept(column, ending)
            for column in columns
        )
        for name, shown in zip(added, more, strict=True):
            fields += f", noise.{name} AS {quoted(shown)}"
        query = f"SELECT {fields} FROM input JOIN noise USING ({ROW}) ORDER BY {ROW}"
        copy(self._db, query, path, ending, about)

    def _plain(self, column: str) -> str:
        """A column in SQL without what a reader would not see. Whole numbers have nothing of that."""
        return quoted(column) if is_whole(self._types[column]) else _plain(quoted(column))

    def _kept(self, column: str, ending: str) -> str:
        name = f"input.{quoted(column)}"
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


def _plain(column: str) -> str:
    """A column as text in SQL, without what a reader would not see: capitals, more than one space, marks."""
    text = f"coalesce(CAST({column} AS VARCHAR), '')"
    shown = f"regexp_replace({text}, '\\p{{Cf}}', '', 'g')"
    spaced = f"nfc_normalize(trim(regexp_replace({shown}, '[\\s\\p{{Z}}]+', ' ', 'g')))"
    return f"lower(CASE WHEN regexp_full_match({text}, '{_AS_IT_IS}') THEN {text} ELSE {spaced} END)"
