"""``establish release earnings``: protected percentiles of individual earnings, by cell."""

from pathlib import Path
from typing import Annotated

import typer

from establish.proofs_check.api import release as api
from establish.proofs_check.commands.options import Force
from establish.proofs_check.commands.release import options
from establish.proofs_check.commands.release.one_table import release_one_table

NAMES = api.EARNINGS
"""What ``--mechanism`` accepts."""

HELP = """Release protected percentiles of individual earnings, by cell.

\b
Examples:
  establish release earnings people.csv --epsilon 1 --earnings earnings \\
      --cell college --cell year --out percentiles.csv
  establish release earnings people.csv --mechanism histogram-percentiles --epsilon 1 \\
      --earnings earnings --cell college --cell year --out percentiles.csv

\b
Each row of INPUT is one person, and each row of --out is one cell. The default mechanism is bins-or-gaps: for
each cell it chooses between few bins and equal gaps, from ε and the cell's noisy total. A column shows which
one it chose.
"""


def release_earnings(
    source: Annotated[Path, typer.Argument(metavar="INPUT", help="A table with one row per person.")],
    out: options.OutFile,
    epsilon: options.Epsilon,
    earnings: Annotated[
        str, typer.Option("--earnings", metavar="COLUMN", help="A person's earnings in dollars.")
    ],
    cell: Annotated[
        list[str],
        typer.Option("--cell", metavar="COLUMN", help="A column that defines the cells; repeatable."),
    ],
    mechanism: Annotated[
        str, typer.Option("--mechanism", metavar="NAME", help=f"One of {', '.join(NAMES)}.")
    ] = api.PERCENTILES,
    cells: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The list of all cells, so that empty ones are released too."),
    ] = None,
    person: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN", help="The column of person identifiers; a person with two rows is refused."
        ),
    ] = None,
    percentiles: Annotated[
        str, typer.Option(metavar="LIST", help="The percentiles to release.")
    ] = "25,50,75",
    bins: Annotated[
        str | None,
        typer.Option(help="log-normal (the default), even, or endpoints such as 10000,25000,60000."),
    ] = None,
    post_process: Annotated[
        str | None,
        typer.Option(
            "--post-process",
            metavar="NAME",
            help="How histogram-percentiles adjusts the noisy counts: none, clamp or isotonic.",
        ),
    ] = None,
    dataset: options.Dataset = None,
    ledger: options.Ledger = None,
    head: options.Head = None,
    cap: options.Cap = None,
    cap_delta: options.CapDelta = None,
    without_ledger: options.WithoutLedger = False,
    sign: options.Sign = None,
    seed: options.Seed = None,
    force: Force = False,
    resume: options.Resume = False,
    as_json: options.AsJson = False,
) -> None:
    release_one_table(dict(locals()), api.release_earnings, "cells")
