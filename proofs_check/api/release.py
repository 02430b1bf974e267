"""Release tables with noise in place of what is confidential: counts, and percentiles of earnings."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import isinf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from establish.impl.cards import names_under, of_counts
from establish.proofs_check.api.asked import require_one_of, require_there
from establish.proofs_check.api.python import (
    FilePath,
    Names,
    name_of,
    names_of,
    number_of,
    optional_number,
    optional_path,
    path_of,
)
from establish.spec.parameters import ParameterError, Rational, positive

if TYPE_CHECKING:
    from establish.impl.budget.books import Books
    from establish.impl.mechanisms import Mechanism
    from establish.impl.publish.counts import Release
    from establish.impl.signing import Signer
    from establish.impl.tables.frames import Frame
    from establish.proofs_check.api.released import Released

COUNTS = tuple(of_counts())
"""The mechanisms for counts, without loading them."""

EARNINGS = names_under("record-dp")
"""The mechanisms for percentiles of earnings, without loading them."""

PERCENTILES = "bins-or-gaps"
"""The mechanism for percentiles of earnings, unless another is named."""


def release_counts(
    table: Any,
    *,
    count: str,
    epsilon: Rational | None = None,
    alpha: Rational | None = None,
    delta: Rational | None = None,
    rho: Rational | None = None,
    mechanism: str | None = None,
    largest: str | None = None,
    establishments: str | None = None,
    calibration: str | None = None,
    where: str | None = None,
    keep: Names = (),
    drop: Names = (),
    drop_others: bool = False,
    public: Names = (),
    disjoint: bool = False,
    margins: bool = False,
    dataset: str | None = None,
    ledger: FilePath | None = None,
    head: FilePath | None = None,
    cap: Rational | None = None,
    cap_delta: Rational | None = None,
    without_ledger: bool = False,
    sign: FilePath | None = None,
    seed: int | None = None,
    out: FilePath | None = None,
    force: bool = False,
) -> Released:
    """Counts with formally private noise in place of the true ones, as ``establish release counts``.

    table: one row per cell; an establishment may be in one row only. A path (CSV, gzipped CSV, Parquet), or a
    table with the Arrow interface (pandas, polars, pyarrow, a DuckDB relation), which needs ``dataset`` and
    ``ledger``. count: the column of true counts. epsilon > 0, alpha > 0, 0 < delta < 1: exact, as 2, "1/10"
    or 0.1. rho > 0: in place of epsilon, for a mechanism that takes it. mechanism: its name; by default the
    one with the least expected error. largest: the column of each cell's largest establishment.
    establishments: a public column of their number in each cell. calibration: "tight", the default, or
    "published". where: an SQL condition on public columns. keep, drop, public: columns; every column with
    digits must be named. disjoint: no row is a total of others. margins: adds an interval for each true
    count, level 19/20. cap, cap_delta: what all releases of the data set may cost; with rho it is a ρ.
    head: a second place that remembers the ledger's end. sign: a private key. seed: for tests only. out: a
    file (.csv, .csv.gz, .parquet, .xlsx), the record beside it; without it the release stays in memory.

    Raises ParameterError, and spends nothing, when an argument, the table or the ledger does not allow the
    release; CertificateError when the mechanism's code is not the code that was checked.
    """
    if mechanism is not None:
        require_one_of("mechanism", mechanism, COUNTS)
    epsilon, alpha, delta, rho = (
        optional_number("ε", epsilon),
        optional_number("α", alpha),
        optional_number("δ", delta),
        optional_number("ρ", rho),
    )
    if rho is not None and mechanism is None:
        raise ParameterError(f"ρ = {rho} is given without a mechanism: name one, as discrete-gaussian")
    if rho is None and epsilon is None:
        raise ParameterError("ε is missing: give it, or ρ and a mechanism that takes it")
    source = source_of(table)
    if epsilon is not None:
        positive("ε", epsilon)
    books = books_for(source, dataset, ledger, head, without_ledger)

    from establish.impl.certificate import granted
    from establish.impl.guarantee import policy_of
    from establish.impl.mechanisms import mechanism as built
    from establish.impl.mechanisms.defaults import settled
    from establish.impl.mechanisms.least_error import errors
    from establish.impl.mechanisms.on_counts import OnCounts
    from establish.impl.publish.cells import opened
    from establish.impl.publish.counts import release_cells
    from establish.impl.publish.entered import cap_of_table
    from establish.impl.publish.ready import ready_for
    from establish.impl.tables.column_roles import Asked
    from establish.proofs_check.api.released import Released

    policy = None if rho is None or mechanism is None else policy_of(granted(mechanism))
    limit = cap_of_table(
        books, optional_number("--cap", cap), optional_number("--cap-delta", cap_delta), policy
    )
    key = signer_of(sign)
    kept, left_out, known = names_of("--keep", keep), names_of("--drop", drop), names_of("--public", public)
    asked = Asked(
        name_of("--count", count),
        largest,
        kept,
        left_out,
        known,
        establishments,
        drop_others,
        where,
        disjoint,
    )

    def chosen(one: bool) -> tuple[Mechanism, Sequence[str]]:
        of_largest = largest is not None
        taken = settled(
            mechanism, calibration, alpha=alpha, epsilon=epsilon, delta=delta, largest=of_largest, one=one
        )
        given = delta if mechanism or taken.name == "smooth-laplace" else None
        own = taken.calibration
        made = built(taken.name, epsilon=epsilon, alpha=alpha, delta=given, rho=rho, calibration=own)
        if mechanism is None and isinstance(made, OnCounts) and isinf(max(errors(made))):
            raise ParameterError(
                f"α = {alpha} is too large for ε = {epsilon}: no mechanism has a finite expected error for "
                "cells of every size, and no budget is spent; write α = 1/10 for 10%, or name a mechanism"
            )
        return made, taken.why

    with place_for(out, "counts.parquet") as place:
        ready = ready_for(source, place, seed=seed, force=force, books=books, sign=key)
        law, why = chosen(one=False)
        with opened(source, asked, strict=ready.strict) as cells:
            if cells.one_establishment_each():
                law, why = chosen(one=True)
            written = release_cells(
                ready, cells, law, cap=limit, interval=margins, verdicts=recorded_verdicts(), why=why
            )
        unused = [f"note: {law.name} does not use α"] * (alpha is not None and "alpha" not in law.parameters)
        notes = [*why, *unused, *_columns_told(written), f"note: {law.rounding}"]
        noisy = [count, f"{count}_low", f"{count}_high"]
        return Released(written, law, _kind(source), _held(out, written), noisy, notes)


def _columns_told(written: Release) -> list[str]:
    kept = [f"kept: {', '.join(written.kept)}"] if written.kept else []
    dropped = [f"dropped: {', '.join(written.dropped)}"] if written.dropped else []
    return [*kept, *dropped]


def release_earnings(
    table: Any,
    *,
    earnings: str,
    cell: Names,
    epsilon: Rational,
    mechanism: str = PERCENTILES,
    cells: Any = None,
    person: str | None = None,
    percentiles: str | Sequence[Rational] = (25, 50, 75),
    bins: str | None = None,
    post_process: str | None = None,
    dataset: str | None = None,
    ledger: FilePath | None = None,
    head: FilePath | None = None,
    cap: Rational | None = None,
    cap_delta: Rational | None = None,
    without_ledger: bool = False,
    sign: FilePath | None = None,
    seed: int | None = None,
    out: FilePath | None = None,
    force: bool = False,
) -> Released:
    """Protected percentiles of individual earnings by cell, as ``establish release earnings``.

    table: one row per person; a path, or a table with the Arrow interface. earnings: the column of dollars.
    cell: the columns that form the cells. cells: a table that lists all cells, so that absent ones are
    released as well. person: the column of identifiers, to refuse a person with two rows. percentiles: as
    (25, 50, 75) or "25,50,75". bins: "log-normal" (the default), "even", or end points as
    "10000,25000,60000". post_process: "none", "clamp" or "isotonic", for histogram-percentiles. The others,
    and what is raised: see :func:`release_counts`.
    """
    require_one_of("mechanism", mechanism, EARNINGS)
    epsilon = number_of("ε", epsilon)
    source = source_of(table)
    positive("ε", epsilon)
    books = books_for(source, dataset, ledger, head, without_ledger)

    from establish.impl.earnings.bins import percentages
    from establish.impl.earnings.mechanisms import earnings_mechanism
    from establish.impl.publish import earnings as publish
    from establish.impl.publish.entered import cap_of_table
    from establish.proofs_check.api.released import Released

    shares = percentiles.split(",") if isinstance(percentiles, str) else percentiles
    law = earnings_mechanism(
        mechanism,
        epsilon,
        percentages([number_of("percentiles", share) for share in shares]),
        bins=bins,
        post_process=post_process,
        cells_given=cells is not None,
    )
    domain = None if cells is None else source_table("--cells", cells)
    with place_for(out, "earnings.parquet") as place:
        written = publish.release_earnings(
            source,
            place,
            law,
            earnings=name_of("--earnings", earnings),
            cells=names_of("--cell", cell),
            domain=domain,
            person=person,
            seed=seed,
            force=force,
            books=books,
            cap=cap_of_table(books, optional_number("--cap", cap), optional_number("--cap-delta", cap_delta)),
            sign=signer_of(sign),
            verdicts=recorded_verdicts(),
        )
        noisy = ["count", *law.labels]
        return Released(written, law, _kind(source), _held(out, written), noisy, [f"note: {publish.EXACT}"])


def source_of(table: Any) -> Path | Frame:
    """The input of a release: a file that is there, or a table in memory as it is now."""
    source = source_table("INPUT", table)
    if isinstance(source, Path):
        require_there("INPUT", source)
    return source


def source_table(argument: str, table: Any) -> Path | Frame:
    """A path, or a table in memory as it is now. Raises ParameterError for what is neither."""
    if isinstance(table, str | Path):
        return path_of(argument, table)
    from establish.impl.tables.frames import frame_of

    return frame_of(argument, table)


def books_for(
    source: Path | Frame,
    dataset: str | None,
    ledger: FilePath | None,
    head: FilePath | None,
    without_ledger: bool,
) -> Books:
    """Where a release of one table is entered. Raises ParameterError."""
    from establish.impl.budget.books import books_of
    from establish.impl.publish.ready import books_of_frame

    own, second = optional_path("--ledger", ledger), optional_path("--head", head)
    if isinstance(source, Path):
        return books_of([source], dataset=dataset, ledger=own, second=second, without=without_ledger)
    return books_of_frame(source, dataset=dataset, ledger=own, second=second, without=without_ledger)


@contextmanager
def place_for(out: FilePath | None, name: str) -> Iterator[Path]:
    """Where a release is written: ``out``, or a folder that only this user can read, gone at the end."""
    if out is not None:
        yield path_of("--out", out)
        return
    with tempfile.TemporaryDirectory(prefix="establish-released-") as folder:
        yield Path(folder).resolve() / name


def _held(out: FilePath | None, written: Release) -> Mapping[str, bytes]:
    from establish.proofs_check.api.released import files_of

    return files_of(written) if out is None else {}


def _kind(source: Path | Frame) -> str:
    return "pyarrow" if isinstance(source, Path) else source.kind


def signer_of(key: FilePath | None) -> Signer | None:
    """The private key in a file. Raises ParameterError."""
    if key is None:
        return None
    from establish.impl.signing import signer

    return signer(path_of("--sign", key))


def recorded_verdicts() -> Mapping[str, str]:
    """The recorded verdict of every claim, for the record of a release."""
    from establish.proofs_check.engine import ledger

    return {claim: entry.verdict for claim, entry in ledger.recorded().items()}
