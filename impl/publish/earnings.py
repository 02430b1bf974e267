"""Release protected counts and percentiles of earnings by cell, and the record beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from establish.impl.arrays import Floats
from establish.impl.budget.books import Books
from establish.impl.counts import LARGEST_COUNT, require_rows
from establish.impl.earnings.described import EarningsMechanism
from establish.impl.production import require_no_link
from establish.impl.publish.counts import NO_VERDICTS, Release
from establish.impl.publish.entered import publish_entered, spending_of_table
from establish.impl.publish.ready import ready_for
from establish.impl.publish.sidecar import about, certificates, describe, seeding, versions
from establish.impl.sampling.bits import Bits
from establish.impl.tables.columns import table_writer
from establish.impl.tables.files import place_of
from establish.impl.tables.formulas import warnings
from establish.impl.tables.frames import Frame
from establish.impl.tables.names import shown_names
from establish.impl.tables.persons import RecordTable
from establish.spec.composition import DifferentialPrivacy, Loss
from establish.spec.parameters import ParameterError

if TYPE_CHECKING:
    from establish.impl.signing import Signer

EXACT = (
    "The noise is drawn exactly: whole numbers and candidates have the stated probabilities, but that noise "
    "beyond 2^52 is moved there. Percentiles of bins are read off protected counts in floating point."
)
"""Printed with every release of percentiles."""

NOTES = [
    EXACT,
    "Protected counts may be negative. Percentiles are rounded to cents; within a bin earnings are taken as "
    "uniform.",
]

UNCHECKED = "not given: how many records a person has is not checked"


def release_earnings(
    source: Path | Frame,
    out: Path,
    mechanism: EarningsMechanism,
    *,
    earnings: str,
    cells: Sequence[str],
    domain: Path | Frame | None = None,
    person: str | None = None,
    seed: int | None = None,
    force: bool = False,
    books: Books | None = None,
    cap: Loss | None = None,
    sign: Signer | None = None,
    verdicts: Mapping[str, str] = NO_VERDICTS,
) -> Release:
    """Write ``out`` with one row per cell, and ``<out>.json`` beside it.

    source: a table in memory, CSV, gzipped CSV or Parquet; one record per row. earnings: the column of
    dollars. cells: the columns that form the cells. domain: a table that lists every cell. person: the
    column of identifiers, to check that nobody has two records. seed, books, cap and verdicts: as for
    tables of counts.

    The columns of ``out`` are those of ``cells``, ``count``, one like ``p25`` per percentile, ``class`` if
    the mechanism has classes, and ``status``; a cell without percentiles has empty fields and its status
    says why. Neither file holds a true count or anybody's earnings.
    Both appear, or none. Raises ParameterError, and writes nothing, when an argument or the input does
    not allow the release.
    """
    ready = ready_for(source, out, seed=seed, force=force, books=books, sign=sign)
    books, sidecar = ready.books, ready.sidecar
    if isinstance(domain, Path) and place_of(domain) in (place_of(out), place_of(sidecar)):
        raise ParameterError(f"--out = {out} is the list of cells: choose another file")
    if domain is not None:
        require_public(domain, source, strict=ready.strict)
    asked = {
        "earnings_column": earnings,
        "cell_columns": list(cells),
        "cells": _listed(domain),
        "person_column": person or UNCHECKED,
    }
    protected, given = DifferentialPrivacy("record-dp"), mechanism.parameters
    entry = spending_of_table(books, out, protected, given, asked, seeded=seed is not None)
    books.require_left(entry, cap, out.parent)
    with RecordTable(source) as table:
        books, told = books.recognized(table.digest, strict=ready.strict)
        if table.row_numbers().size == 0 and domain is None:
            raise ParameterError(f"INPUT = {source} has no rows, and no --cells lists the cells")
        columns = protected_cells(table, mechanism, earnings, cells, person, domain, ready.bits)
    number = int(columns["count"].size)
    risky = warnings({column: columns[column] for column in cells}, refuse=ready.strict)
    record: dict[str, object] = {
        "rows": number,
        **asked,
        **describe(mechanism, verdicts),
        **certificates([mechanism.name]),
        "seed": seeding(seed),
        "notes": [*NOTES, *risky],
        "production": ready.strict,
        "versions": versions(),
    }
    tables = {out: table_writer(columns, ready.ending, about(sidecar.name, record))}
    done = publish_entered(books, entry, cap, tables, sidecar, record, replace=force, sign=sign)
    return Release(
        out, sidecar, number, tuple(cells), (), done.record, books, done.receipt, [*told, *risky, *done.told]
    )


def require_public(domain: Path | Frame, source: Path | Frame, *, strict: bool = False) -> None:
    """Raise ParameterError where the list of cells is the confidential table, which lacks empty ones.

    strict: whether links are refused, as in production.
    """
    if isinstance(domain, Path):
        if strict:
            require_no_link(domain)
        if isinstance(source, Path) and place_of(domain) == place_of(source):
            raise ParameterError(
                f"--cells = {domain} is the confidential table: name a public list of all cells, "
                "those without anybody, too"
            )


def _listed(domain: Path | Frame | None) -> str:
    """Where the cells come from, in the words of the record."""
    if domain is None:
        return "from the data"
    return f"listed in {domain.name if isinstance(domain, Path) else domain}"


def protected_cells(
    table: RecordTable,
    mechanism: EarningsMechanism,
    earnings: str,
    cells: Sequence[str],
    person: str | None,
    domain: Path | Frame | None,
    bits: Bits,
    records: int = 1,
) -> dict[str, NDArray[np.generic]]:
    """The columns of a release, one row per cell: labels, count, percentiles, status.

    records: how many a person may have, if there is a column of persons. Raises ParameterError.
    """
    written = columns_of(mechanism)
    _require_columns(table.columns, earnings, cells, person, written)
    if person is not None:
        table.require_records_of_each(person, records)
    found = table.group(cells, domain)
    released = mechanism.release(found, _amounts(table, earnings), table.number_of_cells, bits)
    cents = np.round(released.percentiles.filled(np.nan), 2)
    columns = [released.count, *cents.T]
    if released.picked is not None:
        columns.append(np.array(mechanism.classes)[released.picked].astype(object))
    columns.append(np.array(released.percentiles.status, dtype=object))
    return {**table.labels(cells), **dict(zip(written, columns, strict=True))}


def columns_of(mechanism: EarningsMechanism) -> tuple[str, ...]:
    """What a release adds to the columns of its cells."""
    return ("count", *mechanism.labels, *(("class",) if mechanism.classes else ()), "status")


def _amounts(table: RecordTable, earnings: str) -> Floats:
    rows = table.row_numbers()
    amounts = table.numbers(earnings, "earnings")
    good = (amounts >= 0) & (amounts <= LARGEST_COUNT)
    require_rows(good, rows, f"column {earnings} must be dollars from 0 to 2^53 − 1")
    return amounts


def _require_columns(
    columns: Sequence[str], earnings: str, cells: Sequence[str], person: str | None, written: Sequence[str]
) -> None:
    named = [("--earnings", earnings), *(("--cell", column) for column in cells)]
    if person is not None:
        named.append(("--person", person))
    for option, column in named:
        if column not in columns:
            raise ParameterError(
                f"{option} = {column} is not a column; the columns are {shown_names(columns)}"
            )
        if option != "--earnings" and column == earnings:
            raise ParameterError(f"{option} = {column} is the earnings column")
    if person in cells:
        raise ParameterError(f"--person = {person} forms the cells: it would be released")
    for column in cells:
        if list(cells).count(column) > 1:
            raise ParameterError(f"--cell = {column} is given twice")
        if column.lower() in written:
            raise ParameterError(f"--cell = {column} has the name of a column that is written")
