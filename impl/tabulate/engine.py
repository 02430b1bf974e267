"""Where a plan runs: DuckDB inside this process, or PySpark. Both run the same Ibis expressions.

An engine may quote confidential values in what it says about an error, so only the kind of the
error is passed on.
"""

import glob
import os
import re
import secrets
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ibis

from establish.impl.tables.files import format_of, require_names
from establish.spec.parameters import ParameterError

Expression = Any
"""An Ibis table or column expression: a plan that has not run."""

Answer = Any
"""An Arrow table."""

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

_DUCKDB_CSV = {
    "all_varchar": True,
    "header": True,
    "delim": ",",
    "quote": '"',
    "escape": '"',
    "comment": "",
    "skip": 0,
}
_SPARK_CSV = {
    "header": True,
    "inferSchema": False,
    "sep": ",",
    "quote": '"',
    "escape": '"',
    "mode": "FAILFAST",
}


@dataclass(frozen=True)
class Engine:
    """A connected Ibis backend."""

    name: str
    backend: Any
    csv: Mapping[str, object]
    escaped: Callable[[str], str]
    """A path as a pattern that matches nothing else."""
    session: Any = None
    """Of Spark, whose executors can write what they count; None where this process counts, with DuckDB."""

    def read(self, argument: str, path: Path) -> Expression:
        """A CSV or Parquet file, or a folder of Parquet files, as a table; CSV columns are text.

        On DuckDB the column ROW numbers the rows of Parquet files, from 0 in each file: every reading gives a
        row the same number. Raises ParameterError that names ``argument`` when there is none or it cannot be
        read.
        """
        if path.is_dir():
            if not any(path.glob("*.parquet")):
                raise ParameterError(f"{argument} = {path} is a folder without .parquet files")
            ending, pattern = ".parquet", f"{self.escaped(str(path.absolute()))}/*.parquet"
        elif path.is_file():
            ending, pattern = format_of(argument, path), self.escaped(str(path.absolute()))
        else:
            raise ParameterError(f"{argument} = {path} is not a file")
        if path.is_file():
            require_names(argument, path)
        try:
            if ending == ".parquet":
                table = self.backend.read_parquet(pattern)
            else:
                table = self.backend.read_csv(pattern, **self.csv)
            names = {name.lower() for name in table.columns}
            if ending == ".parquet" and self.session is None and not names & {ROW, *_OF_ROWS}:
                table = self._with_rows(pattern, _OF_FOLDER if path.is_dir() else _OF_FILE)
        except Exception as error:  # of any backend; see the module's docstring
            raise ParameterError(
                f"{argument} = {path} cannot be read as {ending} ({type(error).__name__})"
            ) from None
        if ROW in names:
            raise ParameterError(f"{argument} = {path}: column {ROW} has a name of ours: rename it")
        return table

    def run(self, plan: Expression) -> Answer:
        """The plan's rows. Raises ParameterError when the engine cannot finish."""
        try:
            return plan.to_pyarrow()
        except Exception as error:  # of any backend; see the module's docstring
            raise self._unfinished(error) from None

    def kept(self, plan: Expression) -> Expression:
        """The plan's rows, held until the engine ends. Raises ParameterError when it cannot finish."""
        try:
            return self.backend.create_table(f"kept_{secrets.token_hex(8)}", plan, temp=True)
        except Exception as error:  # of any backend; see the module's docstring
            raise self._unfinished(error) from None

    def by_part(
        self, plan: Expression, key: str, function: Callable[[Answer], Answer], schema: str
    ) -> list[dict[str, Any]]:
        """What ``function`` makes of the plan's rows with each value of ``key``, on executors.

        schema: of what it returns, in Spark's words. Raises ParameterError when the engine cannot finish.
        """

        def on_executor(rows: Answer) -> Answer:
            return function(rows)

        view = f"establish_{secrets.token_hex(8)}"
        try:
            self.backend.create_view(view, plan)
            groups = self.session.table(view).groupBy(key)
            answer = groups.applyInArrow(on_executor, schema).toArrow()
            self.session.catalog.dropTempView(view)
        except Exception as error:  # of any backend; see the module's docstring
            raise self._unfinished(error) from None
        rows: list[dict[str, Any]] = answer.to_pylist()
        return rows

    def _with_rows(self, pattern: str, row: str) -> Expression:
        view, quoted = f"numbered_{secrets.token_hex(8)}", pattern.replace("'", "''")
        self.backend.raw_sql(
            f"CREATE TEMP VIEW {view} AS SELECT *, {row} AS {ROW} FROM read_parquet('{quoted}')"
        )
        return self.backend.table(view)

    def _unfinished(self, error: Exception) -> ParameterError:
        return ParameterError(
            f"{self.name} could not finish ({type(error).__name__}): is every table readable, "
            "and are there enough memory and room for temporary files?"
        )


@contextmanager
def embedded(
    threads: int | None = None, memory: str = DEFAULT_MEMORY, folder: Path | None = None
) -> Iterator[Engine]:
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
    with room as temporary:
        backend = ibis.duckdb.connect(
            threads=threads or os.cpu_count() or 1,
            memory_limit=memory,
            temp_directory=temporary,
            preserve_insertion_order=False,
        )
        backend.raw_sql("SET enable_progress_bar = false")
        try:
            yield Engine("duckdb", backend, csv=_DUCKDB_CSV, escaped=glob.escape)
        finally:
            backend.disconnect()


def spark(session: Any) -> Engine:
    """An existing ``pyspark.sql.SparkSession``, local or of a cluster; it is left open.

    A field of a CSV file may hold no line break there.
    """
    backend = ibis.pyspark.connect(session)
    return Engine("pyspark", backend, csv=_SPARK_CSV, escaped=_escaped_for_hadoop, session=session)


def _escaped_for_hadoop(path: str) -> str:
    return re.sub(r"([][{}*?\\])", r"\\\1", path)
