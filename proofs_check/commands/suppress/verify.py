"""``establish suppress verify``: a certificate checked against the table, without a solver."""

import csv
import json
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from establish.proofs_check.commands.suppress.options import Tables
from establish.proofs_check.engine.misuse import Misuse

HELP = """Check a certificate against the table: recompute every sum, without a solver.

\b
Example:
  establish suppress verify out.certificate cells.csv

\b
The checker is one file, impl/suppression/verify.py, which needs only Python's standard library; if you doubt
the audit, read it. The command prints how the table was read and who the attacker is. Check that this is what
you mean.

\b
Exit status: 0 everything is proved; 1 something is not; 2 usage error.
"""

UNREADABLE = (
    ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError, EOFError, OSError,
    csv.Error, zlib.error,
)  # fmt: skip
"""What the checker meets in a file that nobody wrote as a certificate or a table."""


def suppress_verify(
    certificate: Annotated[
        Path, typer.Argument(metavar="FILE", help="The certificate that suppress audit wrote.")
    ],
    tables: Tables,
) -> None:
    from establish.impl.suppression.verify import Refused, verify
    from establish.proofs_check.api.progress import progress_bar
    from establish.proofs_check.commands.terminal import output

    for path in (certificate, *tables):
        if not path.is_file():
            raise Misuse(f"{path} is not a file")
    console = output()
    try:
        with progress_bar() as bar:
            bar.add_task("checking", total=None)
            head, done = verify(certificate, tables, _rows)
    except Refused as refused:
        console.print(f"refused: {refused}")
        raise typer.Exit(1) from None
    except UNREADABLE:
        console.print("refused: the file is not a certificate of this table")
        raise typer.Exit(1) from None
    console.print(f"layout: {json.dumps(head['layout'], ensure_ascii=False)}", soft_wrap=True)
    console.print(f"attacker: {json.dumps(head['attacker'], ensure_ascii=False)}", soft_wrap=True)
    attained = sum(done.proved.values())
    console.print(f"{len(done.proved)} ends of {len(done.x)} cells certified, {attained} of them attained")


def _rows(path: Path) -> Iterable[dict[str, object]]:
    """Parquet has no reader in the standard library; its rows are read as the audit reads them."""
    from establish.impl.suppression.cells import table_rows
    from establish.impl.suppression.verify import csv_rows

    return table_rows(path)[1] if path.suffix.lower() == ".parquet" else csv_rows(path)
