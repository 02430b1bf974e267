"""Establishment microdata as they enter a release: checked, without ever showing a confidential value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from establish.impl.arrays import Floats, Integers
from establish.impl.counts import whole_counts
from establish.impl.microdata.group_by import Codes, Groups, base_of, groups, level_of
from establish.impl.tables.files import ROW, database, load, quoted
from establish.impl.tables.texts import shown
from establish.spec.parameters import ParameterError

if TYPE_CHECKING:
    import duckdb

LARGEST_TOTAL = 2**45 - 1
"""A measure's total above this (3.5e13) is refused: float sums are exact, and a noisy one fits on a grid of
2^−6 with its 2^52 steps."""


@dataclass(frozen=True)
class Establishments:
    """Public attributes as codes, confidential measures as whole numbers, one establishment a row.

    identifiers: distinct, public. Raises ParameterError without establishments, or for arrays of
    different lengths; see :func:`measure` for what a measure must be.
    """

    id_name: str
    identifiers: NDArray[np.generic]
    attributes: Mapping[str, Codes]
    measures: Mapping[str, Integers]

    def __post_init__(self) -> None:
        if not len(self):
            raise ParameterError("there are no establishments: at least one is needed")
        columns = [*(a.codes for a in self.attributes.values()), *self.measures.values()]
        if any(column.shape != (len(self),) for column in columns):
            raise ParameterError("every attribute and measure must have one value an establishment")

    def __len__(self) -> int:
        return self.identifiers.size

    def placed(self, places: Integers) -> Establishments:
        """The same, establishment e at ``places[e]``."""
        order = np.empty_like(places)
        order[places] = np.arange(len(self))
        return Establishments(
            self.id_name,
            self.identifiers[order],
            {name: Codes(a.codes[order], a.labels) for name, a in self.attributes.items()},
            {name: values[order] for name, values in self.measures.items()},
        )

    def is_identity(self, by: Sequence[str]) -> bool:
        """Whether ``by`` forms groups of one establishment each: it is the identifier."""
        return tuple(by) == (self.id_name,)

    def groups(self, by: Sequence[str]) -> Groups:
        """The groups by some levels; by the identifier each establishment is a group.

        Raises ParameterError for a level of an attribute that there is not, or one named twice.
        """
        if self.is_identity(by):
            return Groups(np.arange(len(self)), len(self), (self.identifiers,))
        if len(set(by)) < len(by):
            raise ParameterError(f"by = {', '.join(by)} names a level twice")
        for level in by:
            if base_of(level) not in self.attributes:
                raise ParameterError(
                    f"by = {level} is not an attribute: use {', '.join(self.attributes)}, levels of "
                    f"them as naics[:5], or {self.id_name} alone for every establishment"
                )
        levels = [level_of(self.attributes[base_of(level)], level) for level in by]
        return groups(levels, len(self))


def measure(name: str, values: ArrayLike) -> Integers:
    """``values`` as confidential whole numbers from 0 whose total is below 2^45.

    Raises ParameterError that names the measure and a row: negative, fractional, missing (NaN), or
    too large; never a value. A float sum of numbers ≥ 0 is below 2^45 only when the true one is, since
    rounding keeps the order and 2^45 is a float: so the check of the total is exact.
    """
    counts = whole_counts(name, values)
    if not counts.sum() <= LARGEST_TOTAL:
        raise ParameterError(f"the total of {name} must be below 2^45: use a larger unit")
    return counts.astype(np.int64)


def read(
    source: Path, *, identifier: str, attributes: Sequence[str], measures: Sequence[str]
) -> Establishments:
    """Establishments from CSV, gzipped CSV or Parquet, one a row, in the order of their identifiers.

    The order of the rows in the file may be that of a confidential measure, so it is not kept.

    Raises ParameterError for a file that cannot be read, a column that it has not or that is named
    twice, an identifier or attribute that is missing in some row, an identifier in two rows, no
    row at all, or a measure as :func:`measure` says.
    """
    named = [identifier, *attributes, *measures]
    for column in named:
        if named.count(column) > 1:
            raise ParameterError(f"column {column} is named twice: each has one role")
    with database() as db:
        load(db, source, "input")
        columns = {str(name) for name, *_ in db.execute("DESCRIBE input").fetchall()} - {ROW}
        for column in named:
            if column not in columns:
                raise ParameterError(f"column {column} is not in {source.name}")
        identifiers = _identifiers(db, identifier)
        places = _array(db, f"row_number() OVER (ORDER BY {quoted(identifier)})")
        codes = {name: _codes(db, place, name) for place, name in enumerate(attributes)}
        values = {name: measure(f"column {name}", _numbers(db, name)) for name in measures}
        return Establishments(identifier, identifiers, codes, values).placed(places.astype(np.int64) - 1)


def _text(column: str) -> str:
    return f"coalesce(CAST({quoted(column)} AS VARCHAR), '')"


def _require_no_gap(db: duckdb.DuckDBPyConnection, column: str) -> None:
    gap = db.execute(f"SELECT min({ROW}) FROM input WHERE {_text(column)} = ''").fetchall()[0][0]
    if gap is not None:
        raise ParameterError(f"column {column} is missing in row {gap}")


def _identifiers(db: duckdb.DuckDBPyConnection, column: str) -> NDArray[np.generic]:
    _require_no_gap(db, column)
    twice = db.execute(
        f"SELECT min({ROW}), max({ROW}) FROM input GROUP BY {shown(_text(column))} HAVING count(*) > 1 "
        f"ORDER BY 1 LIMIT 1"
    ).fetchall()
    if twice:
        rows = f"rows {twice[0][0]} and {twice[0][1]}"
        raise ParameterError(f"column {column} names one establishment in {rows}: give each one row")
    return _array(db, quoted(column))


def _codes(db: duckdb.DuckDBPyConnection, place: int, column: str) -> Codes:
    _require_no_gap(db, column)
    kind = f"attribute_{place}"
    db.execute(f"CREATE TYPE {kind} AS ENUM (SELECT DISTINCT {_text(column)} FROM input ORDER BY 1)")
    (labels,) = db.execute(f"SELECT enum_range(NULL::{kind})").fetchall()[0]
    codes = _array(db, f"enum_code({_text(column)}::{kind})")
    return Codes(codes.astype(np.int32), np.array(labels, dtype=object))


def _numbers(db: duckdb.DuckDBPyConnection, column: str) -> Floats:
    """The numbers of a column, NaN where it holds none."""
    import duckdb  # of an extra: the mechanisms run without it

    try:
        values = _array(db, f"TRY_CAST({quoted(column)} AS DOUBLE)")
    except duckdb.Error:
        raise ParameterError(f"column {column} does not hold numbers") from None
    return np.ma.filled(values.astype(np.float64), np.nan)


def _array(db: duckdb.DuckDBPyConnection, expression: str) -> NDArray[np.generic]:
    (values,) = db.execute(f"SELECT {expression} FROM input ORDER BY {ROW}").fetchnumpy().values()
    return values
