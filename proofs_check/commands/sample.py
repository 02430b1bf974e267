"""``establish sample``: the example files of the documentation."""

from pathlib import Path
from typing import Annotated

import typer

from establish.proofs_check.api.sample import sample as written
from establish.proofs_check.commands.options import Force

HELP = """Write the example files of the documentation into a folder.

\b
Examples:
  establish sample examples
  establish release counts examples/cells.csv --alpha 1/10 --epsilon 2 --count jobs \\
      --drop largest --where "ownership = 'Private'" --out private.csv
  establish suppress audit examples/suppressed.csv --by region,industry --total region=All \\
      --total industry=All --value jobs --status status

\b
The tables are synthetic and describe nobody. The files are always the same. The command prints their paths.
"""


def sample(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder; created if missing.")],
    force: Force = False,
) -> None:
    for path in written(folder, force=force):
        print(path)
