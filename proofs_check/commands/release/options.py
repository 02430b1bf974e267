"""The options that every release takes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

OutFile = Annotated[
    Path, typer.Option("--out", metavar="FILE", help="The released table: .csv, .csv.gz, .parquet or .xlsx.")
]
OutFolder = Annotated[
    Path, typer.Option("--out", metavar="FOLDER", help="The folder of the released tables.")
]
Epsilon = Annotated[str, typer.Option("--epsilon", help="ε > 0, exact: 2, 0.5 or 1/2.")]
Seed = Annotated[
    int | None, typer.Option("--seed", help="Reproducible noise, for tests only: it is not secret.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the record that is written.")]
Ledger = Annotated[
    Path | None,
    typer.Option("--ledger", metavar="FILE", help="The ledger of the data set; default: beside it."),
]
Head = Annotated[
    Path | None,
    typer.Option("--head", metavar="FILE", help="A second place that remembers the ledger's end."),
]
Dataset = Annotated[
    str | None,
    typer.Option(
        "--dataset", metavar="NAME", help="The data set whose budget is spent; default: the name of INPUT."
    ),
]
Cap = Annotated[
    str | None,
    typer.Option(
        "--cap", metavar="ε", help="What all releases of the data set may cost; it is kept from then on."
    ),
]
CapDelta = Annotated[str | None, typer.Option("--cap-delta", metavar="δ", help="The cap's δ.")]
WithoutLedger = Annotated[
    bool, typer.Option("--without-ledger", help="Do not add the release to a budget; the record says so.")
]
Resume = Annotated[
    bool,
    typer.Option("--resume", help="Complete the release that was interrupted, with the noise it had drawn."),
]
Sign = Annotated[
    Path | None,
    typer.Option("--sign", metavar="KEY", help="Sign the record with a key of establish keys new."),
]
