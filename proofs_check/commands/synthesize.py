"""``establish synthesize``: synthetic establishments from published county × industry cells."""

from pathlib import Path
from typing import Annotated

import typer

from establish.proofs_check.api.asked import require_there
from establish.proofs_check.commands.options import Force

HELP = """Generate synthetic establishment microdata that add up to published QCEW cells.

\b
Examples:
  establish synthesize 2016.q1.csv.gz --out establishments.parquet --seed 1
  establish synthesize 2016.q1.csv.gz --out establishments.parquet --dominant 1/2 --copies 100 --seed 1

\b
INPUT is a by-area file of the Quarterly Census of Employment and Wages: CSV, gzipped CSV or Parquet. The
command uses its disclosed county by NAICS-6 cells (agglvl_code 78) of private ownership. Each row of --out is
one establishment: county, industry, jobs in three months, wages of the quarter, all whole numbers. Each cell
is divided by Algorithm 7 of Webb et al. 2025, with its gaps closed. A .json file beside --out records how.

\b
Exit status: 0 done; 2 usage error.
"""


def synthesize(
    source: Annotated[Path, typer.Argument(metavar="INPUT", help="The published cells.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="The table to write.")],
    seed: Annotated[int, typer.Option(help="A whole number >= 0; the same seed, the same table.")],
    dominant: Annotated[
        str | None,
        typer.Option(
            metavar="SHARE",
            help="Give one establishment of every cell this share of each total on average, 0 to 1.",
        ),
    ] = None,
    copies: Annotated[int, typer.Option(help="Draw every cell this often, numbered in the column copy.")] = 1,
    own: Annotated[
        list[str] | None,
        typer.Option(metavar="CODE", help="An ownership code; 5 (private) by default; repeatable."),
    ] = None,
    force: Force = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the record that is written beside --out.")
    ] = False,
) -> None:
    require_there("INPUT", source)

    from establish.impl.synthetic import synthesize as synthetic
    from establish.proofs_check.api.progress import progress_bar

    with progress_bar() as bar:
        task = bar.add_task("drawing establishments", total=copies)

        def drawn(done: int) -> None:
            writing = "writing the table" if done == copies else "drawing establishments"
            bar.update(task, completed=done, description=writing)

        made = synthetic.synthesize(
            source,
            out,
            seed=seed,
            dominant=dominant,
            copies=copies,
            ownership=own or ("5",),
            force=force,
            drawn=drawn,
        )
    if as_json:
        print(made.sidecar.read_text("utf-8"), end="")
        return
    record = made.record
    print(
        f"{record['cells']} disclosed cells, {record['cells without establishments']} of them without "
        f"establishments; {record['suppressed cells left out']} suppressed cells left out"
    )
    each = "" if copies == 1 else f", in each of {copies} copies"
    print(
        f"{record['establishments per copy']} establishments, {record['jobs in month 3 per copy']} jobs in "
        f"month 3, {record['wages per copy']} dollars of wages{each}"
    )
    print(f"written: {made.table}")
    print(f"written: {made.sidecar}")
