"""Release a table of counts with noise in place of the counts, and its record beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from establish.impl.budget.books import Books
from establish.impl.budget.ledger import Receipt
from establish.impl.certificate import granted
from establish.impl.mechanisms import Mechanism
from establish.impl.publish.cells import Cells, opened
from establish.impl.publish.entered import definition_of_counts, publish_entered, spending_of_table
from establish.impl.publish.margins import LEVEL, margins
from establish.impl.publish.ready import Ready, ready_for
from establish.impl.publish.sidecar import about, certificates, describe, seeding, signs, versions
from establish.impl.tables.column_roles import Asked
from establish.impl.tables.formulas import warnings
from establish.impl.tables.outputs import written
from establish.impl.tables.overlaps import suspect
from establish.spec.composition import Loss
from establish.spec.parameters import ParameterError

if TYPE_CHECKING:
    from establish.impl.signing import Signer

NO_VERDICTS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class Release:
    """A written release: the noisy table, its sidecar, and the record that the sidecar holds.

    kept, dropped: columns of the input beside the noisy one. receipt: None for a release without a ledger.
    told: for whoever releases, and nobody else.
    """

    table: Path
    sidecar: Path
    rows: int
    kept: tuple[str, ...]
    dropped: tuple[str, ...]
    record: Mapping[str, object]
    books: Books
    receipt: Receipt | None
    told: Sequence[str]


def release_table(
    source: Path,
    out: Path,
    mechanism: Mechanism,
    *,
    count: str,
    largest: str | None = None,
    where: str | None = None,
    keep: Sequence[str] = (),
    drop: Sequence[str] = (),
    public: Sequence[str] = (),
    drop_others: bool = False,
    disjoint: bool = False,
    seed: int | None = None,
    force: bool = False,
    books: Books | None = None,
    cap: Loss | None = None,
    sign: Signer | None = None,
    interval: bool = False,
    verdicts: Mapping[str, str] = NO_VERDICTS,
) -> Release:
    """Write ``out`` with noisy values in the column ``count``, and ``<out>.json`` beside it.

    source: CSV, gzipped CSV or Parquet; one row per cell, cells disjoint. count: the column of true
    counts. largest: the column of each cell's largest establishment; without it the count bounds
    it. where: an SQL condition on public columns. keep, drop, public, drop_others: see
    :class:`establish.impl.tables.column_roles.Asked`; labels, texts without any number, are kept without
    being named, but not in production. disjoint: that no row is a total of others. seed: for reproducible
    tests; without it the noise comes from the operating system's entropy. books: where the release is
    entered; by default in the ledger beside ``source``. The others are those of :func:`release_cells`.

    Neither file ever holds a true count. Both appear, or none. Raises ParameterError, and writes
    nothing, when an argument or the input does not allow the release.
    """
    ready = ready_for(source, out, seed=seed, force=force, books=books, sign=sign)
    asked = Asked(count, largest, keep, drop, public, None, drop_others, where, disjoint)
    with opened(source, asked, strict=ready.strict) as cells:
        return release_cells(ready, cells, mechanism, cap=cap, interval=interval, verdicts=verdicts)


def release_cells(
    ready: Ready,
    cells: Cells,
    mechanism: Mechanism,
    *,
    cap: Loss | None = None,
    interval: bool = False,
    verdicts: Mapping[str, str] = NO_VERDICTS,
    why: Sequence[str] = (),
) -> Release:
    """Release ``cells`` as ``ready`` says.

    cap: what all releases of the data set may lose; the ledger keeps the first that is named. interval:
    whether two columns are added, with the ends of an interval for the true count. verdicts: recorded verdict
    by claim id, for the record. why: why this mechanism and calibration, where a rule chose them. Raises as
    :func:`release_table`.
    """
    out, count = ready.out, cells.asked.count
    books, told = ready.books.recognized(cells.table.digest, strict=ready.strict)
    columns, published = cells.columns, list(cells.columns.published)
    labels = {column: suspect(cells.table, column) for column in columns.kept}
    risky = warnings({**labels, count: ()}, refuse=ready.strict)
    asked = {
        "count_column": count,
        "largest_column": cells.asked.largest or "not given: the count itself is the upper bound",
        "where": cells.asked.where,
        "kept_columns": published,
        "left_out_columns": list(columns.dropped),
        "public_columns": list(cells.asked.readable),
        "disjoint": cells.asked.disjoint,
    }
    given = mechanism.parameters
    grants, seeded = granted(mechanism.name), ready.seed is not None
    definition = definition_of_counts(grants, given)
    entry = spending_of_table(books, out, definition, given, asked, seeded=seeded, grants=grants)
    books.require_left(entry, cap, out.parent)
    counts = cells.counts()
    noisy = mechanism.release(counts, ready.bits, cells.largest(counts))
    names = (f"{count}_low", f"{count}_high") if interval else ()
    ends = dict(zip(names, margins(mechanism, noisy), strict=True)) if interval else {}
    for name in ends:
        if name.lower() in (column.lower() for column in published):
            raise ParameterError(f"column {name} would be written twice: rename it")
    record = {
        "rows": int(cells.rows.size),
        **asked,
        **describe(mechanism, verdicts),
        **certificates([mechanism.name]),
        "seed": seeding(ready.seed),
        "notes": [mechanism.rounding, signs([mechanism]), *risky, *why],
        "production": ready.strict,
        "intervals": {"columns": list(ends), "level": LEVEL} if interval else None,
        "versions": versions(),
    }
    says = about(ready.sidecar.name, record)

    def write(path: Path) -> None:
        cells.table.write(path, ready.ending, published, count, noisy, ends, says)

    tables, sidecar = {out: written(out, write)}, ready.sidecar
    done = publish_entered(books, entry, cap, tables, sidecar, record, replace=ready.force, sign=ready.sign)
    told += [*cells.sums(counts), *risky, *done.told]
    rows, kept, dropped = int(cells.rows.size), columns.kept, columns.dropped
    return Release(out, sidecar, rows, kept, dropped, done.record, books, done.receipt, told)
