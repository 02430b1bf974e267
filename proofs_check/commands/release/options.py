"""The options that every release takes."""

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
OptionalEpsilon = Annotated[str | None, typer.Option("--epsilon", help="ε > 0, exact: 2, 0.5 or 1/2.")]
Seed = Annotated[
    int | None, typer.Option("--seed", help="For tests only: reproducible noise, which protects nothing.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the record.")]
Ledger = Annotated[
    Path | None,
    typer.Option(
        "--ledger", metavar="FILE", help="The spending ledger of the data set; default: beside the data."
    ),
]
Head = Annotated[
    Path | None,
    typer.Option("--head", metavar="FILE", help="A second file that keeps the ledger's last entry."),
]
Dataset = Annotated[
    str | None,
    typer.Option(
        "--dataset", metavar="NAME", help="The data set whose budget this spends; default: the name of INPUT."
    ),
]
Cap = Annotated[
    str | None,
    typer.Option("--cap", metavar="ε", help="The most that all releases of the data set may cost; set once."),
]
CapDelta = Annotated[str | None, typer.Option("--cap-delta", metavar="δ", help="The cap's δ.")]
WithoutLedger = Annotated[
    bool, typer.Option("--without-ledger", help="Do not record the spending; the record says so.")
]
Resume = Annotated[
    bool, typer.Option("--resume", help="Complete an interrupted release with the noise already drawn.")
]
Sign = Annotated[
    Path | None,
    typer.Option(
        "--sign", metavar="KEY", help="Sign the record with this private key (see establish keys new)."
    ),
]
