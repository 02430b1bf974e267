"""``establish verify``: what a release claims, by which code, and whether that still holds."""

import json
from pathlib import Path
from typing import Annotated

import typer

from establish.proofs_check.api import verify as api
from establish.proofs_check.commands.options import Force

HELP = """Verify a release: its tables, its code, and the claims that prove its privacy.

\b
Examples:
  establish verify noisy.csv.json
  establish verify noisy.csv.json --json
  establish verify published/release.json --plan plan.toml --ledger project.ledger
  establish verify published/release.json --key agency.key.pub
  establish verify published/release.json --key agency.key.pub --ledger project.ledger --head heads
  establish verify published/release.json --report verified.html

\b
RECORD is the .json file beside a released table, or release.json of a plan. The command checks
that the tables are unchanged, that the certified code that made them is installed here, that the record
states of each mechanism what follows from its parameters, and that every claim behind the release is true
now. --plan also checks the plan's cost, --ledger that the ledger has the release, --key who signed the
record, and --head who signed the ledger's last entry, and that the ledger has it. The command also lists what
it did not check: nobody can verify from the outside that this code was really run.

\b
Exit status: 0 every check passed; 1 some failed; 2 usage error.
"""


def verify(
    sidecar: Annotated[Path, typer.Argument(metavar="RECORD", help="The .json file of a release.")],
    plan: Annotated[Path | None, typer.Option(metavar="FILE", help="The plan that was released.")] = None,
    ledger: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The spending ledger that recorded the release.")
    ] = None,
    key: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The public key of the record's signer.")
    ] = None,
    head: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="The file that keeps the ledger's last entry (--head of the release)."
        ),
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
