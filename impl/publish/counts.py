"""Release a table of counts with noise in place of the counts, and its record beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from establish.impl.budget.books import Books, books_of
from establish.impl.budget.ledger import Receipt
from establish.impl.certificate import granted
from establish.impl.counts import largest_within, whole_counts
from establish.impl.mechanisms import Mechanism
from establish.impl.production import in_production, require_production
from establish.impl.publish.entered import definition_of_counts, publish_entered, spending_of_table
from establish.impl.publish.margins import LEVEL, margins
from establish.impl.publish.sidecar import ROUNDED, about, certificates, describe, seeding, signs, versions
from establish.impl.sampling.bits import Bits
from establish.impl.signing import Signer
from establish.impl.tables.files import Table
from establish.impl.tables.formulas import warnings
from establish.impl.tables.names import shown_names
from establish.impl.tables.outputs import noise_source, require_apart, require_writable, written
from establish.impl.tables.row_filter import rows_where
from establish.spec.composition import Loss
from establish.spec.parameters import ParameterError

NO_VERDICTS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class Release:
    """A written release: the noisy table, its sidecar, and the record that the sidecar holds.

    receipt: None for a release without a ledger. told: for whoever releases, and nobody else.
    """

    table: Path
    sidecar: Path
    rows: int
    left_out: tuple[str, ...]
    record: Mapping[str, object]
    books: Books
    receipt: Receipt | None
    told: Sequence[str]


@dataclass(frozen=True)
class _Columns:
    """Which columns of a table are kept, which are left out, and which a condition may not read."""

    kept: list[str]
    left_out: tuple[str, ...]
    hidden: list[str]


def _columns(
    table: Table, count: str, largest: str | None, keep: Sequence[str], public: Sequence[str]
) -> _Columns:
    """Raises ParameterError for a column that is not there, or confidential and named as public."""
    _require_columns(table.columns, count, largest, keep, public)
    confidential = [count] if largest is None else [count, largest]
    kept = [
        column
        for column in table.columns
        if column == count or column in keep or (column not in confidential and table.is_label(column))
    ]
    left_out = tuple(c for c in table.columns if c not in kept and c not in confidential)
    return _Columns(kept, left_out, [*confidential, *(c for c in left_out if c not in public)])


def _rows(source: Path, table: Table, where: str | None, hidden: list[str]) -> NDArray[np.int64]:
    """The rows that satisfy the condition. Raises ParameterError where there are none."""
    rows = table.row_numbers() if where is None else rows_where(source, where, hidden)
    if rows.size == 0:
        raise ParameterError(
            f"INPUT = {source} has no rows{'' if where is None else ' that satisfy --where'}"
        )
    return rows


def one_establishment_each(
    source: Path,
    establishments: str,
    *,
    count: str,
    largest: str | None = None,
    where: str | None = None,
    keep: Sequence[str] = (),
    public: Sequence[str] = (),
) -> bool:
    """Whether no row holds more than one establishment, by the public column ``establishments``.

    The other arguments are those of :func:`release_table`, and ParameterError is raised as there.
    """
    with Table(source) as table:
        if establishments not in table.columns or establishments in (count, largest):
            raise ParameterError(
                f"--establishments = {establishments} is not a public column; the columns are "
                f"{', '.join(c for c in table.columns if c not in (count, largest))}"
            )
        columns = _columns(table, count, largest, keep, [*public, establishments])
        rows = _rows(source, table, where, columns.hidden)
        numbers = table.numbers(establishments, rows)
        return bool(np.all(whole_counts(f"column {establishments}", numbers, rows) <= 1))


def release_table(
    source: Path,
    out: Path,
    mechanism: Mechanism,
    *,
    count: str,
    largest: str | None = None,
    where: str | None = None,
    keep: Sequence[str] = (),
    public: Sequence[str] = (),
    seed: int | None = None,
    force: bool = False,
    books: Books | None = None,
    cap: Loss | None = None,
    sign: Signer | None = None,
    interval: bool = False,
    verdicts: Mapping[str, str] = NO_VERDICTS,
    why: Sequence[str] = (),
) -> Release:
    """Write ``out`` with noisy values in the column ``count``, and ``<out>.json`` beside it.

    source: CSV, gzipped CSV or Parquet; one row per cell, cells disjoint. count: the column of true
    counts. largest: the column of each cell's largest establishment; without it the count bounds
    it. where: an SQL condition on public columns, see
    :func:`establish.impl.tables.row_filter.rows_where`. keep: columns to keep besides the labels (text in
    which no value could be a number). public: columns that are left out, and that ``where`` may read all the
    same. seed: for reproducible tests; without it the noise comes from the operating system's entropy. books:
    where the release is entered; by default in the ledger beside ``source``. cap: what all releases of the
    data set may lose; the ledger keeps the first that is named. interval: whether two columns are added, with
    the ends of an interval for the true count. verdicts: recorded verdict by claim id, for the record. why:
    why this mechanism and calibration, where a rule chose them.

    Neither file ever holds a true count. Both appear, or none. Raises ParameterError, and writes
    nothing, when an argument or the input does not allow the release.
    """
    ending, sidecar = require_writable(source, out, force)
    books = books or books_of([source])
    require_apart(out, sidecar, books.files)
    strict = in_production()
    if strict:
        signed, paths = sign is not None, (source, out, *books.files)
        require_production(seed=seed, ledger=books.ledger, signed=signed, paths=paths)
        books.require_signed()
    bits = noise_source(seed)
    books, told = books.ready()
    with Table(source) as table:
        columns = _columns(table, count, largest, keep, public)
        kept = columns.kept
        rows = _rows(source, table, where, columns.hidden)
        labels = {column: table.labels_in(column, rows) if column != count else () for column in kept}
        risky = warnings(labels, refuse=strict)
        asked = {
            "count_column": count,
            "largest_column": largest or "not given: the count itself is the upper bound",
            "where": where,
            "kept_columns": kept,
            "left_out_columns": list(columns.left_out),
            "public_columns": list(public),
        }
        given = mechanism.parameters
        entry = spending_of_table(
            books,
            out,
            definition_of_counts(granted(mechanism.name), given),
            given,
            asked,
            seeded=seed is not None,
        )
        books.require_left(entry, cap, out.parent)
        noisy = _noisy(table, mechanism, count, largest, rows, bits)
        names = (f"{count}_low", f"{count}_high") if interval else ()
        ends = dict(zip(names, margins(mechanism, noisy), strict=True)) if interval else {}
        for name in ends:
            if name.lower() in (column.lower() for column in kept):
                raise ParameterError(f"column {name} would be written twice: rename it")
        record = {
            "rows": int(rows.size),
            **asked,
            **describe(mechanism, verdicts),
            **certificates([mechanism.name]),
            "seed": seeding(seed),
            "notes": [ROUNDED, signs([mechanism]), *risky, *why],
            "production": strict,
            "intervals": {"columns": list(ends), "level": LEVEL} if interval else None,
            "versions": versions(),
        }
        says = about(sidecar.name, record)
        write = written(out, lambda path: table.write(path, ending, kept, count, rows, noisy, ends, says))
        done = publish_entered(books, entry, cap, {out: write}, sidecar, record, replace=force, sign=sign)
    return Release(
        out, sidecar, int(rows.size), columns.left_out, done.record, books, done.receipt, [*told, *risky]
    )


def _require_columns(
    columns: Sequence[str], count: str, largest: str | None, keep: Sequence[str], public: Sequence[str]
) -> None:
    named = [("--count", count), *(("--keep", column) for column in keep)]
    named += [("--public", column) for column in public]
    if largest is not None:
        named.append(("--largest", largest))
    for option, column in named:
        if column not in columns:
            raise ParameterError(
                f"{option} = {column} is not a column; the columns are {shown_names(columns)}"
            )
    if count == largest:
        raise ParameterError(f"--largest = {largest} is the count column: leave --largest out")
    for column in keep:
        if column in (count, largest):
            raise ParameterError(f"--keep = {column} is confidential and cannot be kept")
    for column in public:
        if column in (count, largest):
            raise ParameterError(f"--public = {column} is what is protected: it is not public")


def _noisy(
    table: Table, mechanism: Mechanism, count: str, largest: str | None, rows: NDArray[np.int64], bits: Bits
) -> NDArray[np.int64]:
    counts = whole_counts(f"column {count}", table.numbers(count, rows), rows)
    bound = None
    if largest is not None:
        numbers = table.numbers(largest, rows)
        bound = largest_within(f"column {largest}", numbers, counts, rows)
    return mechanism.release(counts, bits, bound)
