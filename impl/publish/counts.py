"""Release a table of counts with noise in place of the counts, and its record beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from establish.impl.counts import largest_within, whole_counts
from establish.impl.mechanisms import Mechanism
from establish.impl.publish.sidecar import ROUNDED, certificates, describe, seeding, versions
from establish.impl.sampling.bits import Bits
from establish.impl.tables.files import Table
from establish.impl.tables.outputs import noise_source, require_writable, write_both
from establish.impl.tables.row_filter import rows_where
from establish.spec.parameters import ParameterError

NO_VERDICTS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class Release:
    """A written release: the noisy table, its sidecar, and the record that the sidecar holds."""

    table: Path
    sidecar: Path
    rows: int
    left_out: tuple[str, ...]
    record: Mapping[str, object]


def release_table(
    source: Path,
    out: Path,
    mechanism: Mechanism,
    *,
    count: str,
    largest: str | None = None,
    where: str | None = None,
    keep: Sequence[str] = (),
    seed: int | None = None,
    force: bool = False,
    verdicts: Mapping[str, str] = NO_VERDICTS,
    why: str = "",
) -> Release:
    """Write ``out`` with noisy values in the column ``count``, and ``<out>.json`` beside it.

    source: CSV, gzipped CSV or Parquet; one row per cell, cells disjoint. count: the column of true
    counts. largest: the column of each cell's largest establishment; without it the count bounds
    it. where: an SQL condition on the other columns, see
    :func:`establish.impl.tables.row_filter.rows_where`. keep: columns to keep besides the labels (text in
    which no value could be a number). seed: for reproducible tests; without it the noise comes from
    the operating system's entropy. verdicts: recorded verdict by claim id, for the record. why: why this
    mechanism, where a rule chose it.

    Neither file ever holds a true count. Both appear, or none. Raises ParameterError, and writes
    nothing, when an argument or the input does not allow the release.
    """
    ending, sidecar = require_writable(source, out, force)
    bits = noise_source(seed)
    with Table(source) as table:
        _require_columns(table.columns, count, largest, keep)
        confidential = [count] if largest is None else [count, largest]
        rows = table.row_numbers() if where is None else rows_where(source, where, confidential)
        if rows.size == 0:
            raise ParameterError(
                f"INPUT = {source} has no rows{'' if where is None else ' that satisfy --where'}"
            )
        noisy = _noisy(table, mechanism, count, largest, rows, bits)
        kept = [
            column
            for column in table.columns
            if column == count
            or column in keep
            or (column not in confidential and table.is_label(column))
        ]
        left_out = tuple(c for c in table.columns if c not in kept and c not in confidential)
        record = {
            "rows": int(rows.size),
            "count_column": count,
            "largest_column": largest or "not given: the count itself is the upper bound",
            "where": where,
            "kept_columns": kept,
            "left_out_columns": list(left_out),
            **describe(mechanism, verdicts),
            **certificates([mechanism.name]),
            "seed": seeding(seed),
            "notes": [
                ROUNDED,
                "Noisy values are whole numbers and may be negative.",
                *([why] if why else []),
            ],
            "versions": versions(),
        }
        write_both(
            out,
            sidecar,
            record,
            lambda path: table.write(path, ending, kept, count, rows, noisy),
            replace=force,
        )
    return Release(out, sidecar, int(rows.size), left_out, record)


def _require_columns(
    columns: Sequence[str], count: str, largest: str | None, keep: Sequence[str]
) -> None:
    named = [("--count", count), *(("--keep", column) for column in keep)]
    if largest is not None:
        named.append(("--largest", largest))
    for option, column in named:
        if column not in columns:
            raise ParameterError(
                f"{option} = {column} is not a column; the columns are {', '.join(columns)}"
            )
    if count == largest:
        raise ParameterError(f"--largest = {largest} is the count column: leave --largest out")
    for column in keep:
        if column in (count, largest):
            raise ParameterError(f"--keep = {column} is confidential and cannot be kept")


def _noisy(
    table: Table,
    mechanism: Mechanism,
    count: str,
    largest: str | None,
    rows: NDArray[np.int64],
    bits: Bits,
) -> NDArray[np.int64]:
    counts = whole_counts(f"column {count}", table.numbers(count, rows), rows)
    bound = None
    if largest is not None:
        numbers = table.numbers(largest, rows)
        bound = largest_within(f"column {largest}", numbers, counts, rows)
    return mechanism.release(counts, bits, bound)
