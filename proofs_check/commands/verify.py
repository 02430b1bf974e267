"""``establish verify``: what a release claims, by which code, and whether that still holds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from establish.proofs_check.api import verify as api
from establish.proofs_check.commands.options import Force

HELP = """Tell what a release claims, which code made it, what that rests on, and whether it holds.

\b
Examples:
  establish verify noisy.csv.json
  establish verify noisy.csv.json --json
  establish verify published/release.json --plan plan.toml --ledger project.ledger
  establish verify published/release.json --key agency.key.pub
  establish verify published/release.json --key agency.key.pub --ledger project.ledger --head heads
  establish verify published/release.json --report verified.html

\b
SIDECAR is the .json file beside a released table, or release.json of a plan. The command checks that the
tables are those that were written, that the certified code which made them is the code installed here,
that the record says of every mechanism what follows from its parameters, and that every claim on which it
rests comes out true now. With --plan it checks that the plan costs what the record says, with --ledger
that the release was recorded there, with --key who signed it, with --head who signed the end of the ledger
and that the ledger has it. It says what it did not check as well: nobody can verify from the outside that
this code was really run.
It ends with 0 when everything holds, with 1 when something does not, with 2 for misuse.
"""


def verify(
    sidecar: Annotated[Path, typer.Argument(metavar="SIDECAR", help="The .json file.")],
    plan: Annotated[Path | None, typer.Option(metavar="FILE", help="The plan that was released.")] = None,
    ledger: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The ledger that it was recorded in.")
    ] = None,
    key: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The public key of who signed the record.")
    ] = None,
    head: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A place that remembers the ledger's end, as --head of a release."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON.")] = False,
    page: Annotated[
        Path | None, typer.Option("--report", metavar="FILE.html", help="Write the findings as a page.")
    ] = None,
    force: Force = False,
) -> None:
    if page is not None:
        api.prepare_page(page, force)
    found = api.verify(sidecar, plan=plan, ledger=ledger, key=key, head=head)
    if as_json:
        print(json.dumps(found.to_json(), ensure_ascii=False, indent=1))
    else:
        print(found)
    if page is not None:
        found.report(page, force=force)
    if not found.holds:
        raise typer.Exit(1)
