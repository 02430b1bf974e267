"""The options that commands on suppression share."""

from pathlib import Path
from typing import Annotated

import typer

Tables = Annotated[
    list[Path], typer.Argument(metavar="TABLE...", help="Cells: .csv, .csv.gz, .parquet or .jj.")
]
By = Annotated[str, typer.Option(metavar="COLUMN,...", help="The label columns.")]
Total = Annotated[list[str] | None, typer.Option(metavar="COLUMN=LABEL", help="The label of the total.")]
Hierarchy = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COLUMN=FILE",
        help="A .hrc file, a .csv file (@,label or label,parent), a code system (naics, qcew, cbp, fips), "
        "prefix or flat.",
    ),
]
Codes = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COLUMN=FILE",
        help="The complete list of codes of a year: one per line, or a .csv file with a column named code.",
    ),
]
Column = Annotated[str, typer.Option(metavar="COLUMN")]


Rules = Annotated[
    list[str] | None, typer.Option("--rule", metavar="p:P|pq:P,Q|nk:N,K", help="Needs --contributions.")
]
Contributions = Annotated[
    str, typer.Option(metavar="COLUMN,...", help="The columns of the largest contributions, largest first.")
]
