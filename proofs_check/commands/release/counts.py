"""``establish release counts``: a table of counts with formally private noise in their place."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from establish.proofs_check.api.asked import require_one_of, require_there
from establish.proofs_check.commands.options import Force
from establish.proofs_check.commands.release.options import (
    AsJson,
    Cap,
    CapDelta,
    Dataset,
    Epsilon,
    Head,
    Ledger,
    OutFile,
    Resume,
    Seed,
    Sign,
    WithoutLedger,
)
from establish.spec.parameters import positive

if TYPE_CHECKING:
    from establish.impl.mechanisms import Mechanism
    from establish.impl.publish.counts import Release

NAMES = (
    "growth-laplace",
    "growth-staircase",
    "growth-staircase-unbiased",
    "log-laplace",
    "smooth-gamma",
    "smooth-laplace",
    "smooth-lomax",
    "smooth-path",
    "smooth-staircase",
    "smooth-staircase-unbiased",
    "whole-staircase",
    "laplace",
)
"""What ``--mechanism`` accepts, without loading the mechanisms for the help."""

HELP = """Release counts with formally private noise in place of the true ones.

\b
Examples:
  establish release counts cells.csv --alpha 1/10 --epsilon 2 --count jobs --out noisy.csv
  establish release counts cells.csv --mechanism log-laplace --alpha 1/10 --epsilon 2 \\
      --count jobs --keep naics --keep fips --drop wages --out noisy.csv
  establish release counts cells.parquet --mechanism smooth-laplace --alpha 0.1 --epsilon 2 \\
      --delta 1/1000 --count jobs --largest largest --where "sector <> 'Total'" \\
      --out noisy.parquet

\b
INPUT and --out are CSV, gzipped CSV or Parquet, by their ending, and --out may be an Excel workbook
(.xlsx); one row is one cell, and an establishment may be in one row only. Beside --out, a .json
file says what was done, what it satisfies and what that rests on. No true count is ever written or printed.

\b
Every column is settled before anything is spent. Texts without a number are labels and are kept. A column
with digits, such as FIPS or NAICS codes, dates or wages, must be named: --keep publishes it, --drop leaves
it out. With --drop-others, and in production, nothing is kept that is not named. Two rows with the same
labels, and a total beside its parts, are refused.
"""


def release_counts(
    source: Annotated[Path, typer.Argument(metavar="INPUT", help="A table of true counts.")],
    out: OutFile,
    epsilon: Epsilon,
    count: Annotated[str, typer.Option("--count", metavar="COLUMN", help="The column of true counts.")],
    mechanism_name: Annotated[
        str | None,
        typer.Option(
            "--mechanism",
            metavar="NAME",
            help=f"One of {', '.join(NAMES)}; without it the one with the least expected error.",
        ),
    ] = None,
    alpha: Annotated[str | None, typer.Option(help="α > 0, exact; laplace does not use it.")] = None,
    delta: Annotated[str | None, typer.Option(help="0 < δ < 1, for smooth-laplace.")] = None,
    largest: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="The column of each cell's largest establishment; without it the count is used.",
        ),
    ] = None,
    establishments: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN", help="A public column with the number of establishments in each cell."
        ),
    ] = None,
    calibration: Annotated[
        str | None,
        typer.Option(help="published: as printed; tight, the default: the least noise that is proved."),
    ] = None,
    where: Annotated[
        str | None,
        typer.Option(metavar="SQL", help="Release only these rows; it can read public columns only."),
    ] = None,
    keep: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN", help="Publish this column: its digits are labels; repeatable."),
    ] = None,
    drop: Annotated[
        list[str] | None, typer.Option(metavar="COLUMN", help="Leave this column out; repeatable.")
    ] = None,
    drop_others: Annotated[
        bool, typer.Option("--drop-others", help="Leave out every column that no option names.")
    ] = False,
    public: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN", help="Everybody may know this column, so that --where may read it; repeatable."
        ),
    ] = None,
    disjoint: Annotated[
        bool, typer.Option("--disjoint", help="No row is a total of others, whatever its label says.")
    ] = False,
    with_margins: Annotated[
        bool,
        typer.Option(
            "--margins", help="Add an interval for each true count (laplace, log-laplace), level 19/20."
        ),
    ] = False,
    dataset: Dataset = None,
    ledger: Ledger = None,
    head: Head = None,
    cap: Cap = None,
    cap_delta: CapDelta = None,
    without_ledger: WithoutLedger = False,
    sign: Sign = None,
    seed: Seed = None,
    force: Force = False,
    resume: Resume = False,
    as_json: AsJson = False,
) -> None:
    if mechanism_name is not None:
        require_one_of("mechanism", mechanism_name, NAMES)
    require_there("INPUT", source)
    positive("ε", epsilon)

    from establish.impl.budget.books import books_of
    from establish.impl.mechanisms import mechanism
    from establish.impl.mechanisms.defaults import settled

    books = books_of([source], dataset=dataset, ledger=ledger, second=head, without=without_ledger)
    if resume:
        from establish.proofs_check.commands.release.resume import complete

        complete(books, out.with_name(f"{out.name}.json"), force)
        return

    from establish.impl.publish.cells import opened
    from establish.impl.publish.counts import release_cells
    from establish.impl.publish.entered import cap_of_table
    from establish.impl.publish.ready import ready_for
    from establish.impl.signing import signer
    from establish.impl.tables.column_roles import Asked
    from establish.proofs_check.commands.release.told import tell, verdicts

    limit, key = cap_of_table(books, cap, cap_delta), None if sign is None else signer(sign)
    asked = Asked(count, largest, keep or (), drop or (), public or (), establishments, drop_others)
    ready = ready_for(source, out, seed=seed, force=force, books=books, sign=key)

    def chosen(one: bool) -> tuple[Mechanism, Sequence[str]]:
        taken = settled(
            mechanism_name,
            calibration,
            alpha=alpha,
            epsilon=epsilon,
            delta=delta,
            largest=largest is not None,
            one=one,
        )
        given = delta if mechanism_name or taken.name == "smooth-laplace" else None
        own = taken.calibration
        return mechanism(taken.name, epsilon=epsilon, alpha=alpha, delta=given, calibration=own), taken.why

    law, why = chosen(one=False)
    with opened(source, asked, where=where, disjoint=disjoint, strict=ready.strict) as cells:
        if cells.one_establishment_each():
            law, why = chosen(one=True)
        released = release_cells(
            ready, cells, law, cap=limit, interval=with_margins, verdicts=verdicts(), why=why
        )
    alpha_unused = alpha is not None and "alpha" not in law.parameters
    tell(released, law, as_json, "rows", [*why, *_notes(released, law, alpha_unused)])


def _notes(released: Release, law: Mechanism, alpha_unused: bool) -> list[str]:
    from establish.impl.publish.sidecar import ROUNDED

    notes = []
    if alpha_unused:
        notes.append(f"note: {law.name} does not use α")
    notes += [f"kept: {', '.join(released.kept)}"] if released.kept else []
    notes += [f"dropped: {', '.join(released.dropped)}"] if released.dropped else []
    return [*notes, f"note: {ROUNDED}"]
