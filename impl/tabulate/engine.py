"""Where a plan runs: DuckDB inside this process, or PySpark. Both run the same SQL.

An engine may quote confidential values in what it says about an error, so only the kind of the
error is passed on.
"""

from __future__ import annotations

import glob
import os
import re
import secrets
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from establish.impl.arrays import Integers
from establish.impl.tables.files import AS_IN_FILE, format_of, require_names
from establish.spec.parameters import ParameterError

Arrow = Any
"""An Arrow table."""

Answer = Mapping[str, NDArray[Any]]
"""Columns by name; absent texts are None."""

T = TypeVar("T")

Columns = Mapping[str, Sequence[str] | Sequence[int] | Integers]
"""Columns of one length in memory."""

Kinds = Mapping[str, str]
"""By column, the type of its values, in DuckDB's words."""

TEXT, WHOLE = "VARCHAR", "BIGINT"
"""The types of texts, and of the whole numbers that a plan computes with."""

_INNER: Kinds = MappingProxyType({})

DEFAULT_MEMORY = "4GB"
"""What DuckDB may hold before it writes intermediate results to its temporary folder."""

MOST_THREADS = 1024
"""DuckDB starts every thread that it is told of."""

ROW = "establish_row"
"""The column that numbers the rows of what DuckDB reads from Parquet; no column of the user's."""

_OF_FILE = "TRY_CAST(file_row_number AS INTEGER)"
"""The number of a row in its file; none in a file of 2^31 rows and more, whose texts then stay texts."""

_OF_FOLDER = "CAST(file_index AS BIGINT) * 1099511627776 + file_row_number"
"""Another one for each row of several files, where none has 2^40 rows."""

_OF_ROWS = {"file_index", "file_row_number"}
"""DuckDB's numbers: where a file has such a column itself, its rows get no numbers."""

_MEMORY = re.compile(r"[1-9][0-9]{0,5}(\.[0-9]{1,3})? *[KMGT]i?B", re.IGNORECASE)
"""An amount; DuckDB takes a negative one for all there is."""

_DUCKDB_CSV = (
    "all_varchar = true, header = true, delim = ',', quote = '\"', escape = '\"', comment = '', skip = 0, "
    f"{AS_IN_FILE}"
)
_SPARK_CSV = {
    "header": True,
    "inferSchema": False,
    "sep": ",",
    "quote": '"',
    "escape": '"',
    "mode": "FAILFAST",
}
_OF_SPARK = {"string": TEXT, "int": "INTEGER"}
"""Types that Spark calls otherwise."""


@dataclass(frozen=True)
class Relation:
    """A plan that has not run: a SELECT in the SQL that both engines read; as text it is a subquery.

    kinds: of its columns; of those that a plan makes for itself it need not tell.
    """

    sql: str
    kinds: Kinds
    engine: Engine = field(repr=False)

    def __str__(self) -> str:
        return f"({self.sql})"

    @property
    def columns(self) -> list[str]:
        """Their names, in order."""
        return list(self.kinds)

    def is_text(self, column: str) -> bool:
        """Whether the column is one of texts."""
        return self.kinds[column] == TEXT

    def named(self, column: str) -> str:
        """A column of the user in SQL."""
        mark = self.engine.mark
        return f"{mark}{column.replace(mark, 2 * mark)}{mark}"

    def of(self, sql: str, kinds: Kinds = _INNER) -> Relation:
        """Another plan on the same engine."""
        return replace(self, sql=sql, kinds=kinds)

    def changed(self, made: Kinds, kinds: Kinds) -> Relation:
        """The same columns, some of them made anew. made: by column, in SQL. kinds: what they are then."""
        fields = (f"{made.get(c, self.named(c))} AS {self.named(c)}" for c in self.columns)
        return self.of(f"SELECT {', '.join(fields)} FROM {self}", {**self.kinds, **kinds})


class Engine(ABC):
    """What runs plans."""

    name: str
    mark: str
    """What stands around names in its SQL."""
    session: Any = None
    """Of Spark, whose executors can write what they count; None where this process counts, with DuckDB."""

    def read(self, argument: str, path: Path) -> Relation:
        """A CSV or Parquet file, or a folder of Parquet files, as a table; CSV columns are text.

        On DuckDB the column ROW numbers the rows of Parquet files, from 0 in each file: every reading gives a
        row the same number. Raises ParameterError that names ``argument`` when there is none or it cannot be
        read.
        """
        if path.is_dir():
            _require_alike(argument, path)
            ending, pattern = ".parquet", f"{self._escaped(str(path.absolute()))}/*.parquet"
        elif path.is_file():
            ending, pattern = format_of(argument, path), self._escaped(str(path.absolute()))
            require_names(argument, path)
        else:
            raise ParameterError(f"{argument} = {path} is not a file")
        try:
            table = self._opened(pattern, parquet=ending == ".parquet")
            names = {name.lower() for name in table.columns}
            if ending == ".parquet" and not names & {ROW, *_OF_ROWS}:
                table = self._with_rows(table, pattern, _OF_FOLDER if path.is_dir() else _OF_FILE)
        except Exception as error:  # of any engine; see the module's docstring
            raise ParameterError(
                f"{argument} = {path} cannot be read as {ending} ({type(error).__name__})"
            ) from None
        if ROW in names:
            raise ParameterError(f"{argument} = {path}: the column name {ROW} is reserved: rename it")
        return table

    def columns(self, plan: Relation) -> Answer:
        """The plan's rows. Raises ParameterError when the engine cannot finish."""
        return self._finished(self._columns, plan)

    def row(self, plan: Relation) -> tuple[Any, ...]:
        """The only row of a plan. Raises ParameterError when the engine cannot finish."""
        return self._finished(self._row, plan)

    def by_part(
        self, plan: Relation, key: str, function: Callable[[Arrow], Arrow], schema: str
    ) -> list[dict[str, Any]]:
        """What ``function`` makes of the plan's rows with each value of ``key``, on executors.

        schema: of what it returns, in Spark's words. Raises ParameterError when the engine cannot finish,
        NotImplementedError where it has no executors.
        """
        raise NotImplementedError

    @abstractmethod
    def literal(self, text: str) -> str:
        """A text in SQL."""

    @abstractmethod
    def held(self, columns: Columns, kinds: Kinds) -> Relation:
        """A table of columns in memory. kinds: TEXT or WHOLE, of each."""

    @abstractmethod
    def _escaped(self, path: str) -> str:
        """A path as a pattern that matches nothing else."""

    @abstractmethod
    def _opened(self, pattern: str, *, parquet: bool) -> Relation:
        """What the files of that pattern hold."""

    def _with_rows(self, table: Relation, pattern: str, row: str) -> Relation:
        """The table with the column ROW, where the engine numbers rows."""
        return table

    @abstractmethod
    def _columns(self, sql: str) -> Answer: ...

    @abstractmethod
    def _row(self, sql: str) -> tuple[Any, ...]: ...

    def _finished(self, run: Callable[[str], T], plan: Relation) -> T:
        try:
            return run(plan.sql)
        except Exception as error:  # of any engine; see the module's docstring
            raise ParameterError(
                f"{self.name} could not finish ({type(error).__name__}): is every table readable, "
                "and are there enough memory and room for temporary files?"
            ) from None


def _require_alike(argument: str, folder: Path) -> None:
    """Raise ParameterError unless the folder holds Parquet files of the same columns, and nothing else.

    An engine leaves out what lies deeper or is called otherwise, and takes the types of the first file for
    all: 2.6 would be 3. What Spark and others put beside, with names that begin with a dot or _, is no part.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    first: dict[str, str] = {}
    for file in sorted(folder.iterdir()):
        hidden, parquet = file.name.startswith((".", "_")), file.name.endswith(".parquet")
        if file.is_dir() or hidden == parquet:
            raise ParameterError(
                f"{argument} = {folder} holds {file.name}, which is not read: a folder of tables holds "
                ".parquet files only, whose names do not begin with a dot or _"
            )
        if not parquet:
            continue
        try:
            columns = {field.name: str(_plain(field.type)) for field in pq.read_schema(file)}
        except (pa.ArrowException, OSError):
            raise ParameterError(f"{argument} = {file} cannot be read as .parquet") from None
        first = first or columns
        if columns != first:
            raise ParameterError(
                f"{argument} = {folder}: {file.name} has other columns or types than the files before it: "
                "write all with the same"
            )
    if not first:
        raise ParameterError(f"{argument} = {folder} is a folder without .parquet files")


def _plain(kind: Any) -> Any:
    """The type of the values, be they written as codes or not."""
    import pyarrow as pa

    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _new() -> str:
    """A name that nobody has."""
    return f"establish_{secrets.token_hex(8)}"


class DuckDB(Engine):
    """Inside this process."""

    name, mark = "duckdb", '"'

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def kept(self, plan: Relation) -> Relation:
        """The plan's rows, held until the engine ends. Raises ParameterError when it cannot finish."""
        name = _new()
        self._finished(self._connection.execute, plan.of(f"CREATE TEMP TABLE {name} AS {plan.sql}"))
        return plan.of(f"SELECT * FROM {name}", plan.kinds)

    def literal(self, text: str) -> str:
        return "'" + text.replace("'", "''") + "'"

    def held(self, columns: Columns, kinds: Kinds) -> Relation:
        name = _new()
        kept = {TEXT: np.object_, WHOLE: np.int64}
        self._connection.register(name, {c: np.array(columns[c], kept[kind]) for c, kind in kinds.items()})
        return Relation(f"SELECT * FROM {name}", kinds, self)

    def _escaped(self, path: str) -> str:
        return glob.escape(path)

    def _opened(self, pattern: str, *, parquet: bool) -> Relation:
        if parquet:
            return self._described(f"SELECT * FROM {self._parquet(pattern)}")
        return self._described(f"SELECT * FROM read_csv({self.literal(pattern)}, {_DUCKDB_CSV})")

    def _with_rows(self, table: Relation, pattern: str, row: str) -> Relation:
        return self._described(f"SELECT *, {row} AS {ROW} FROM {self._parquet(pattern)}")

    def _parquet(self, pattern: str) -> str:
        return f"read_parquet({self.literal(pattern)}, {AS_IN_FILE})"

    def _described(self, sql: str) -> Relation:
        described = self._connection.execute(f"DESCRIBE {sql}").fetchall()
        return Relation(sql, {str(name): str(kind) for name, kind, *_ in described}, self)

    def _columns(self, sql: str) -> Answer:
        found = self._connection.execute(sql).fetchnumpy()
        return {name: _told(column) for name, column in found.items()}

    def _row(self, sql: str) -> tuple[Any, ...]:
        ((*found,),) = self._connection.execute(sql).fetchall()
        return tuple(found)


def _told(column: NDArray[Any]) -> NDArray[Any]:
    """The column with None where it has no value."""
    absent, found = np.ma.getmaskarray(column), np.ma.getdata(column)
    if absent.any():
        found = found.astype(object)
        found[absent] = None
    return found


class Spark(Engine):
    """Where a session has its executors."""

    name, mark = "pyspark", "`"

    def __init__(self, session: Any) -> None:
        self.session = session

    def by_part(
        self, plan: Relation, key: str, function: Callable[[Arrow], Arrow], schema: str
    ) -> list[dict[str, Any]]:
        def on_executor(rows: Arrow) -> Arrow:
            return function(rows)

        def run(sql: str) -> list[dict[str, Any]]:
            groups = self.session.sql(sql).groupBy(key)
            rows: list[dict[str, Any]] = groups.applyInArrow(on_executor, schema).toArrow().to_pylist()
            return rows

        return self._finished(run, plan)

    def literal(self, text: str) -> str:
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"

    def held(self, columns: Columns, kinds: Kinds) -> Relation:
        import pyarrow as pa

        of_arrow = {TEXT: pa.string(), WHOLE: pa.int64()}
        table = pa.table({name: pa.array(columns[name], of_arrow[kind]) for name, kind in kinds.items()})
        return self._view(self.session.createDataFrame(table))

    def _escaped(self, path: str) -> str:
        return re.sub(r"([][{}*?\\])", r"\\\1", path)

    def _opened(self, pattern: str, *, parquet: bool) -> Relation:
        read = self.session.read
        return self._view(read.parquet(pattern) if parquet else read.csv(pattern, **_SPARK_CSV))

    def _view(self, frame: Any) -> Relation:
        name = _new()
        frame.createOrReplaceTempView(name)
        kinds = {column: _OF_SPARK.get(kind, kind.upper()) for column, kind in frame.dtypes}
        return Relation(f"SELECT * FROM {name}", kinds, self)

    def _columns(self, sql: str) -> Answer:
        found = self.session.sql(sql).toArrow()
        return {name: found[name].to_numpy() for name in found.column_names}

    def _row(self, sql: str) -> tuple[Any, ...]:
        return tuple(self.session.sql(sql).first())


@contextmanager
def embedded(
    threads: int | None = None, memory: str = DEFAULT_MEMORY, folder: Path | None = None
) -> Iterator[DuckDB]:
    """DuckDB, inside this process.

    threads: at most that many; all cores by default. memory: as "400MB" or "4GB". folder: where
    intermediate, confidential results go that exceed the memory; a folder of their own that only
    this user can read is made there (by default in the system's temporary folder) and removed.

    Raises ParameterError for threads outside 1 to MOST_THREADS, an unreadable memory, or a folder that
    cannot be used.
    """
    if threads is not None and not 1 <= threads <= MOST_THREADS:
        raise ParameterError(f"threads = {threads} is not allowed: from 1 to {MOST_THREADS}")
    if not _MEMORY.fullmatch(memory):
        raise ParameterError(f"memory = {memory} is not an amount: write it as 400MB or 4GB")
    try:
        room = tempfile.TemporaryDirectory(prefix="establish-", dir=folder)
    except OSError as error:
        raise ParameterError(f"temporary folder cannot be made: {error.strerror}") from None
    import duckdb  # of an extra: told when it is needed

    settings: dict[str, Any] = {
        "threads": threads or os.cpu_count() or 1,
        "memory_limit": memory,
        "preserve_insertion_order": False,
    }
    with room as temporary, duckdb.connect(config=settings | {"temp_directory": temporary}) as connection:
        connection.execute("SET enable_progress_bar = false")
        yield DuckDB(connection)


def spark(session: Any) -> Engine:
    """An existing ``pyspark.sql.SparkSession``, local or of a cluster; it is left open.

    A field of a CSV file may hold no line break there.
    """
    return Spark(session)
