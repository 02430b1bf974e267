"""``establish release counts``: a table of counts with formally private noise in their place."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from establish.proofs_check.api import release as api
from establish.proofs_check.api.asked import require_there
from establish.proofs_check.api.release import books_for
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
from establish.proofs_check.commands.release.resume import complete, record_of
from establish.proofs_check.commands.release.told import tell

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
            help=f"One of {', '.join(api.COUNTS)}; without it the one with the least expected error.",
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
    if resume:
        require_there("INPUT", source)
        complete(books_for(source, dataset, ledger, head, without_ledger), record_of(out), force)
        return
    released = api.release_counts(
        source,
        out=out,
        epsilon=epsilon,
        count=count,
        mechanism=mechanism_name,
        alpha=alpha,
        delta=delta,
        largest=largest,
        establishments=establishments,
        calibration=calibration,
        where=where,
        keep=keep or (),
        drop=drop or (),
        drop_others=drop_others,
        public=public or (),
        disjoint=disjoint,
        margins=with_margins,
        dataset=dataset,
        ledger=ledger,
        head=head,
        cap=cap,
        cap_delta=cap_delta,
        without_ledger=without_ledger,
        sign=sign,
        seed=seed,
        force=force,
    )
    tell(released, as_json, "rows")
