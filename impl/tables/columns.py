"""Columns in memory to a file: CSV, Parquet or a workbook."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
from numpy.typing import NDArray

from establish.impl.tables.files import copy, database, quoted
from establish.impl.tables.workbooks import About
from establish.spec.parameters import ParameterError


@dataclass(frozen=True)
class Coded:
    """A long column of labels: ``values``, and for each row the position of its own."""

    values: tuple[str, ...]
    codes: NDArray[np.int32]

    @property
    def labels(self) -> NDArray[np.object_]:
        """The label of each row."""
        return np.array(self.values, dtype=object)[self.codes]


Column = NDArray[np.generic] | Coded
Table = Mapping[str, Column]
"""Columns of one length, by name."""


def table_writer(table: Table, ending: str, about: About = ()) -> Callable[[Path], None]:
    """What writes ``table`` to a path, as ``ending`` says: .csv, .csv.gz, .parquet or .xlsx.

    about: what a workbook says beside it. A NaN, and a None among texts, is written as an empty field. It
    raises ParameterError when the file cannot be written, or OSError.
    """
    if ending == ".parquet" and any(isinstance(column, Coded) for column in table.values()):
        return partial(_write_coded, table)
    spelled = (column.labels if isinstance(column, Coded) else column for column in table.values())
    columns = {f"c{place}": column for place, column in enumerate(spelled)}
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


def _write_coded(table: Table, path: Path) -> None:
    """Parquet in which labels stay codes, several times as fast; readers see texts all the same."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    def spelled(column: Column) -> Any:
        if isinstance(column, Coded):
            texts = [text.encode() for text in column.values]
            ends = np.cumsum([0, *map(len, texts)], dtype=np.int32)
            parts = [None, pa.py_buffer(ends), pa.py_buffer(b"".join(texts))]
            labels = pa.Array.from_buffers(pa.string(), len(texts), parts)
            return pa.DictionaryArray.from_arrays(spelled(column.codes), labels)
        if column.dtype.kind != "i":
            return pa.array(column, from_pandas=True)  # NaN is missing
        kind = pa.int32() if column.itemsize == 4 else pa.int64()  # pa.array would load all of pandas
        return pa.Array.from_buffers(kind, column.size, [None, pa.py_buffer(np.ascontiguousarray(column))])

    columns = {name: spelled(column) for name, column in table.items()}
    pq.write_table(pa.table(columns), path, store_schema=False)


def _without_nan(name: str, column: NDArray[np.generic]) -> str:
    return f"NULLIF({name}, 'NaN'::DOUBLE)" if column.dtype.kind == "f" else name
