"""Tables of one record per person, grouped into cells by some of their columns."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from establish.impl.arrays import Integers
from establish.impl.tables.files import ROW, quoted
from establish.impl.tables.frames import Frame
from establish.impl.tables.table import Table, load_source
from establish.impl.tables.texts import shown
from establish.spec.parameters import ParameterError

CELL = "establish_cell_number"
"""The column that numbers the cells from 0."""


TIMES = "establish_cell_times"
"""How often a cell occurs; like CELL a name that no column that forms cells may have."""


class RecordTable(Table):
    """One input of records, and the cells that they lie in, ordered by their labels."""

    def group(self, columns: Sequence[str], domain: Path | Frame | None = None) -> Integers:
        """The cell of every row, from 0, in the order of the rows.

        columns: what forms the cells. domain: a table of the same columns that lists every cell once;
        without it the cells are those that occur. Labels compare as text, and an absent label as an
        empty one. Raises ParameterError for a column that the domain lacks, a cell that it lists
        twice, or a row whose cell it does not list; rows are named by number.
        """
        for column in columns:
            if column.lower() in (CELL, TIMES):
                raise ParameterError(f"column {column} has a name that is reserved: rename it")
        label = [_text(quoted(column)) for column in columns]
        names = ", ".join(f"{text} AS {quoted(c)}" for text, c in zip(label, columns, strict=True))
        chosen = "input"
        if domain is not None:
            chosen = "domain"
            self._db.execute("DROP TABLE IF EXISTS domain")
            load_source(self._db, domain, chosen, argument="--cells")
            listed = {str(name) for name, *_ in self._db.execute("DESCRIBE domain").fetchall()}
            for column in columns:
                if column not in listed:
                    raise ParameterError(f"--cells = {domain} has no column {column}")
        order = ", ".join(quoted(column) for column in columns)
        self._db.execute(
            f"CREATE OR REPLACE TABLE cells AS SELECT row_number() OVER (ORDER BY {order}) - 1 AS {CELL}, "
            f"{order}, {TIMES} FROM (SELECT {names}, count(*) AS {TIMES} FROM {chosen} GROUP BY ALL)"
        )
        if domain is not None and self._any(f"SELECT {TIMES} FROM cells WHERE {TIMES} > 1"):
            raise ParameterError(f"--cells = {domain} lists a cell twice")
        same = " AND ".join(
            f"{_text(f'input.{quoted(column)}')} = cells.{quoted(column)}" for column in columns
        )
        found = self._db.execute(
            f"SELECT input.{ROW}, cells.{CELL} FROM input LEFT JOIN cells ON {same}"
        ).fetchnumpy()
        rows, numbers = found[ROW], np.ma.asarray(found[CELL])
        outside = rows[np.ma.getmaskarray(numbers)]
        if outside.size:
            raise ParameterError(f"row {outside.min()} lies in a cell that --cells = {domain} does not list")
        placed = np.empty(rows.size, dtype=np.int64)
        placed[rows - 1] = numbers.data
        return placed

    @property
    def number_of_cells(self) -> int:
        """How many cells :meth:`group` found."""
        return int(self._any("SELECT count(*) FROM cells")[0])

    def labels(self, columns: Sequence[str]) -> dict[str, NDArray[np.object_]]:
        """The labels of the cells that :meth:`group` found, in their order; None for an empty one."""
        shown = ", ".join(f"NULLIF({quoted(c)}, '') AS {quoted(c)}" for c in columns)
        rows = self._db.execute(f"SELECT {shown} FROM cells ORDER BY {CELL}").fetchall()
        return {
            column: np.array([row[place] for row in rows], dtype=object)
            for place, column in enumerate(columns)
        }

    def require_records_of_each(self, person: str, most: int = 1) -> None:
        """Raise ParameterError unless ``person`` identifies every row, and none more than ``most``.

        Spaces and characters that do not show make no difference.
        """
        text = shown(_text(quoted(person)))
        missing = self._any(f"SELECT {ROW} FROM input WHERE {text} = '' ORDER BY {ROW} LIMIT 1")
        if missing:
            raise ParameterError(f"column {person} has no identifier in row {missing[0]}")
        several = self.said.repeated({person: text}, most + 1) and self._any(
            f"SELECT min({ROW}), max({ROW}) FROM input GROUP BY {text} HAVING count(*) > {most} "
            f"ORDER BY 1 LIMIT 1"
        )
        if several:
            allowed = "once" if most == 1 else f"{most} times"
            raise ParameterError(
                f"column {person} names one person in rows {several[0]} and {several[1]}, more often than "
                f"{allowed}: with k records a person loses kε, not ε (leave --person out to protect single "
                "records, or state records_per_person in a plan)"
            )

    def _any(self, query: str) -> tuple[int, ...]:
        """The first row of the answer, empty when there is none."""
        found: list[tuple[int, ...]] = self._db.execute(query).fetchall()
        return found[0] if found else ()


def _text(column: str) -> str:
    """A column as text in SQL, an absent value as an empty one."""
    return f"coalesce(CAST({column} AS VARCHAR), '')"
