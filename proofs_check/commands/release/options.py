"""The options that every release takes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

OutFile = Annotated[
    Path,
    typer.Option("--out", metavar="FILE", help="The released table: .csv, .csv.gz or .parquet."),
]
OutFolder = Annotated[
    Path, typer.Option("--out", metavar="FOLDER", help="The folder of the released tables.")
]
Epsilon = Annotated[str, typer.Option("--epsilon", help="ε > 0, exact: 2, 0.5 or 1/2.")]
Seed = Annotated[
    int | None,
    typer.Option("--seed", help="Reproducible noise, for tests only: it is not secret."),
]
Force = Annotated[bool, typer.Option("--force", help="Replace an existing output.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the record that is written.")]
