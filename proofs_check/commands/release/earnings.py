"""``establish release earnings``: protected percentiles of individual earnings, by cell."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

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

NAMES = ("histogram-percentiles", "chosen-by-size", "equal-gaps", "bins-or-gaps")
"""What ``--mechanism`` accepts, without loading the mechanisms for the help."""

HELP = """Release protected percentiles of individual earnings, by cell.

\b
Examples:
  establish release earnings people.csv --epsilon 1 --earnings earnings \\
      --cell college --cell year --out percentiles.csv
  establish release earnings people.csv --mechanism histogram-percentiles --epsilon 1 \\
      --earnings earnings --cell college --cell year --out percentiles.csv

\b
One row of INPUT is one person, and one row of --out is one cell. Unless another mechanism is named,
bins-or-gaps picks few bins or equal gaps for each cell by ε and its noisy total; a column tells which.
"""


def release_earnings(
    source: Annotated[Path, typer.Argument(metavar="INPUT", help="A table with one row per person.")],
    out: OutFile,
    epsilon: Epsilon,
    earnings: Annotated[
        str, typer.Option("--earnings", metavar="COLUMN", help="A person's earnings in dollars.")
    ],
    cell: Annotated[
        list[str], typer.Option("--cell", metavar="COLUMN", help="A column that forms the cells; repeatable.")
    ],
    mechanism_name: Annotated[
        str, typer.Option("--mechanism", metavar="NAME", help=f"One of {', '.join(NAMES)}.")
    ] = "bins-or-gaps",
    cells: Annotated[
        Path | None, typer.Option(metavar="FILE", help="All cells, so that absent ones are released as well.")
    ] = None,
    person: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="Refuse INPUT when a person has two rows.")
    ] = None,
    percentiles: Annotated[
        str, typer.Option(metavar="LIST", help="The percentiles to release.")
    ] = "25,50,75",
    bins: Annotated[
        str | None, typer.Option(help="log-normal (the default), even, or end points as 10000,25000,60000.")
    ] = None,
    post_process: Annotated[
        str | None,
        typer.Option(
            "--post-process",
            metavar="NAME",
            help="What histogram-percentiles does to protected counts: none, clamp or isotonic.",
        ),
    ] = None,
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
    require_one_of("mechanism", mechanism_name, NAMES)
    require_there("INPUT", source)
    positive("ε", epsilon)

    from establish.impl.budget.books import books_of

    books = books_of([source], dataset=dataset, ledger=ledger, second=head, without=without_ledger)
    if resume:
        from establish.proofs_check.commands.release.resume import complete

        complete(books, out.with_name(f"{out.name}.json"), force)
        return

    from establish.impl.earnings.bins import percentages
    from establish.impl.earnings.mechanisms import earnings_mechanism
    from establish.impl.publish import earnings as publish
    from establish.impl.publish.entered import cap_of_table
    from establish.impl.signing import signer
    from establish.proofs_check.commands.release.told import tell, verdicts

    law = earnings_mechanism(
        mechanism_name,
        epsilon,
        percentages(percentiles.split(",")),
        bins=bins,
        post_process=post_process,
        cells_given=cells is not None,
    )
    released = publish.release_earnings(
        source,
        out,
        law,
        earnings=earnings,
        cells=cell,
        domain=cells,
        person=person,
        seed=seed,
        force=force,
        books=books,
        cap=cap_of_table(books, cap, cap_delta),
        sign=None if sign is None else signer(sign),
        verdicts=verdicts(),
    )
    tell(released, law, as_json, "cells", [f"note: {publish.EXACT}"])
