"""The command ``establish``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.metadata import version
from typing import Annotated

import duckdb
import typer

from establish.impl.certificate import CertificateError
from establish.proofs_check.commands import (
    audit,
    budget,
    certify,
    check,
    formal,
    imply,
    release,
    show,
    synthesize,
    synthesize_jobs,
    table1,
    tabulate,
    verify,
)
from establish.proofs_check.commands import list as listing
from establish.proofs_check.engine.ledger import LedgerError
from establish.proofs_check.engine.misuse import Misuse
from establish.spec.parameters import ParameterError

app = typer.Typer(
    help="Settle what is printed about the confidentiality of establishment statistics, and release "
    "tables by it.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    add_completion=False,
)
app.command("check", help=check.HELP)(check.check)
app.command("list", help=listing.HELP)(listing.list_claims)
app.command("show", help=show.HELP)(show.show)
app.command("release", help=release.HELP)(release.release)
app.command("budget", help=budget.HELP)(budget.budget)
app.command("synthesize", help=synthesize.HELP)(synthesize.synthesize)
app.command("tabulate", help=tabulate.HELP)(tabulate.tabulate)
app.command("synthesize-jobs", help=synthesize_jobs.HELP)(synthesize_jobs.synthesize_jobs)
app.command("formal", help=formal.HELP)(formal.formal)
app.command("imply", help=imply.HELP)(imply.imply)
app.command("audit", help=audit.HELP)(audit.audit)
app.command("certify", help=certify.HELP)(certify.certify)
app.command("verify", help=verify.HELP)(verify.verify)
app.command("table1", help=table1.HELP)(table1.table1)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"establish {version('establish')}")
        raise typer.Exit


@app.callback()
def _options(
    show_version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and end."
        ),
    ] = False,
) -> None: ...


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; ``arguments`` default to those of the process.

    Ends by SystemExit: 0 for success, 1 for a difference, 2 for misuse, said in one line on stderr.
    """
    try:
        app(arguments, prog_name="establish")
    except (Misuse, ParameterError, LedgerError, CertificateError) as error:
        print(f"establish: error: {error}", file=sys.stderr)
        raise SystemExit(2) from None
    except duckdb.Error as error:  # its message may quote confidential values
        kind = type(error).__name__
        print(f"establish: error: the database could not finish ({kind})", file=sys.stderr)
        raise SystemExit(2) from None
    except OSError as error:  # of a file that nothing else could be said about
        name = "" if error.filename is None else f": {str(error.filename)[:200]}"
        print(f"establish: error: {error.strerror}{name}", file=sys.stderr)
        raise SystemExit(2) from None
