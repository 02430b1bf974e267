"""``establish release counts``: a table of counts with formally private noise in their place."""

from pathlib import Path
from typing import Annotated

import typer

from establish.proofs_check.api import release as api
from establish.proofs_check.commands.options import Force
from establish.proofs_check.commands.release import options
from establish.proofs_check.commands.release.one_table import release_one_table

HELP = """Release a table of counts, with formally private noise in each count.

\b
Examples:
  establish release counts cells.csv --alpha 1/10 --epsilon 2 --count jobs --out noisy.csv
  establish release counts cells.csv --mechanism log-laplace --alpha 1/10 --epsilon 2 \\
      --count jobs --keep naics --keep fips --drop wages --out noisy.csv
  establish release counts cells.csv --mechanism discrete-gaussian --rho 1/200 --cap 1/10 \\
      --count jobs --keep naics --drop-others --out noisy.csv
  establish release counts cells.parquet --mechanism smooth-laplace --alpha 0.1 --epsilon 2 \\
      --delta 1/1000 --count jobs --largest largest --where "sector <> 'Total'" \\
      --out noisy.parquet

\b
INPUT and --out are CSV, gzipped CSV or Parquet files, by extension; --out may also be an Excel workbook
(.xlsx). Each row is one cell, and an establishment may be in one row only. The command writes a record beside
--out (a .json file), which states what was done, which privacy definition the release satisfies, and which
claims prove it. No true count is ever written or printed.

\b
You decide about every column before any budget is spent. Text columns without digits are labels and are
kept. A column with digits, such as FIPS or NAICS codes, dates or wages, must be named: --keep publishes it,
--drop leaves it out. With --drop-others, and in production, only columns that you name are kept. The command
refuses two rows with the same labels, and a total beside its parts.
"""


def release_counts(
    source: Annotated[Path, typer.Argument(metavar="INPUT", help="A table of true counts.")],
    out: options.OutFile,
    count: Annotated[str, typer.Option("--count", metavar="COLUMN", help="The column of true counts.")],
    epsilon: options.OptionalEpsilon = None,
    mechanism: Annotated[
        str | None,
        typer.Option(
            "--mechanism",
            metavar="NAME",
            help=f"One of {', '.join(api.COUNTS)}; default: the one with the smallest expected error.",
        ),
    ] = None,
    alpha: Annotated[str | None, typer.Option(help="α > 0, exact; not used by laplace.")] = None,
    delta: Annotated[str | None, typer.Option(help="0 < δ < 1, for smooth-laplace.")] = None,
    rho: Annotated[
        str | None,
        typer.Option(
            help="ρ > 0, exact, in place of ε: the budget of discrete-gaussian and transformations."
        ),
    ] = None,
    largest: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="The column with the size of each cell's largest establishment; default: the count.",
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
        typer.Option(
            help="tight (the default): the least noise that is proved private; published: as printed."
        ),
    ] = None,
    where: Annotated[
        str | None,
        typer.Option(
            metavar="SQL", help="Release only these rows; the condition may use public columns only."
        ),
    ] = None,
    keep: Annotated[
        list[str] | None, typer.Option(metavar="COLUMN", help="Publish this column as labels; repeatable.")
    ] = None,
    drop: Annotated[
        list[str] | None, typer.Option(metavar="COLUMN", help="Leave this column out; repeatable.")
    ] = None,
    drop_others: Annotated[
        bool, typer.Option("--drop-others", help="Leave out every column that you do not name.")
    ] = False,
    public: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN", help="This column is public, so --where may use it; repeatable."),
    ] = None,
    disjoint: Annotated[
        bool,
        typer.Option(
            "--disjoint", help="Confirm that no row is a total of other rows, whatever its label says."
        ),
    ] = False,
    margins: Annotated[
        bool,
        typer.Option(
            "--margins", help="Add a 95% interval for each true count (not for noise of confidential scale)."
        ),
    ] = False,
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
    release_one_table(dict(locals()), api.release_counts, "rows")
