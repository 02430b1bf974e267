"""Where tables are counted: the options ``--engine`` and ``--master``, for every command that has them."""

from typing import Annotated

import typer

EngineName = Annotated[
    str | None,
    typer.Option("--engine", metavar="duckdb|spark", help="Where tables are counted; default: duckdb."),
]
Master = Annotated[
    str | None,
    typer.Option(
        "--master",
        metavar="URL",
        help="With spark: local[N], spark://HOST:PORT, or sc://HOST for Spark Connect.",
    ),
]
