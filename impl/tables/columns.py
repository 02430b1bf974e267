"""Columns in memory to a file: CSV, Parquet or a workbook."""

from collections.abc import Callable, Mapping
from pathlib import Path

import duckdb
import numpy as np
from numpy.typing import NDArray

from establish.impl.tables.files import copy, database, quoted
from establish.impl.tables.workbooks import About
from establish.spec.parameters import ParameterError

Column = NDArray[np.generic]
Table = Mapping[str, Column]
"""Columns of one length, by name."""


def table_writer(table: Table, ending: str, about: About = ()) -> Callable[[Path], None]:
    """What writes ``table`` to a path, as ``ending`` says: .csv, .csv.gz, .parquet or .xlsx.

    about: what a workbook says beside it. A NaN, and a None among texts, is written as an empty field. It
    raises ParameterError when the file cannot be written.
    """
    columns = {f"c{place}": column for place, column in enumerate(table.values())}
    fields = ", ".join(
        f"{_without_nan(name, column)} AS {quoted(shown)}"
        for (name, column), shown in zip(columns.items(), table, strict=True)
    )

    def write(path: Path) -> None:
        try:
            with database() as db:
                db.register("released", columns)
                copy(db, f"SELECT {fields} FROM released", path, ending, about)
        except duckdb.Error:
            raise ParameterError(f"{path.name} cannot be written: is there room?") from None

    return write


def _without_nan(name: str, column: Column) -> str:
    return f"NULLIF({name}, 'NaN'::DOUBLE)" if column.dtype.kind == "f" else name
