"""The cells of a table of counts, from a file or memory, read once: columns settled, rows disjoint."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from establish.impl.arrays import Floats, Integers
from establish.impl.counts import largest_within, whole_counts
from establish.impl.tables.column_roles import Asked, Columns, are_labels, settled
from establish.impl.tables.frames import Frame
from establish.impl.tables.overlaps import require_no_total, require_unlike, sums
from establish.impl.tables.row_filter import rows_where
from establish.impl.tables.table import Table
from establish.spec.parameters import ParameterError


@dataclass(frozen=True)
class Cells:
    """An opened table and what is released of it."""

    table: Table = field(repr=False)
    asked: Asked
    columns: Columns
    rows: Integers = field(repr=False)

    def one_establishment_each(self) -> bool:
        """Whether no cell has more than one establishment, by the public column that tells how many.

        False where no such column is named. Raises ParameterError where it holds other than whole numbers.
        """
        column = self.asked.establishments
        if column is None:
            return False
        numbers = self.table.numbers(column)
        return bool(np.all(whole_counts(f"column {column}", numbers, self.rows) <= 1))

    def counts(self) -> Floats:
        """The true counts. Raises ParameterError for a row that holds none."""
        column = self.asked.count
        return whole_counts(f"column {column}", self.table.numbers(column), self.rows)

    def sums(self, counts: Floats) -> list[str]:
        """What to tell whoever releases of rows that could be totals by their counts."""
        return [] if self.asked.disjoint else sums(self.table, self.columns.kept, counts)

    def largest(self, counts: Floats) -> Floats | None:
        """The largest establishment of each cell, where they are given. Raises ParameterError."""
        column = self.asked.largest
        if column is None:
            return None
        return largest_within(f"column {column}", self.table.numbers(column), counts, self.rows)


@contextmanager
def opened(source: Path | Frame, asked: Asked, *, strict: bool = False) -> Iterator[Cells]:
    """The cells in ``source``: a table in memory, CSV, gzipped CSV or Parquet, which is read once.

    asked: its condition is one in SQL on public columns, see
    :func:`establish.impl.tables.row_filter.rows_where`. strict: whether every column must be named, as in
    production. Raises ParameterError for columns that are not settled, no rows, two rows with the same
    labels, and a total beside its parts unless they are said to be disjoint.
    """
    with Table(source) as table:
        rows = table.row_numbers()
        if rows.size == 0:
            raise ParameterError(f"INPUT = {source} has no rows")
        columns = settled(table.columns, lambda c: _of_labels(table, c), asked, strict=strict)
        if asked.where is not None:
            rows = rows_where(table, asked.where, columns.hidden)
        if rows.size == 0:
            raise ParameterError(f"INPUT = {source} has no rows that satisfy --where")
        if asked.where is not None:
            table.choose(rows)
        require_unlike(table, columns.kept)
        if not asked.disjoint:
            require_no_total(table, columns.kept, asked.where)
        yield Cells(table, asked, columns, rows)


def _of_labels(table: Table, column: str) -> bool:
    """Whether a column is one of labels for sure; a digit anywhere is seen first."""
    return table.said.all_are(column, "[^0-9]*") and are_labels(table.said.distinct(column))
