"""``establish verify``: what a release claims, by which code, and whether that still holds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from establish.proofs_check.certification.verify import Finding, verify_release
from establish.proofs_check.misuse import Misuse

HELP = """Tell what a release claims, which code made it, what that rests on, and whether it holds.

\b
Examples:
  establish verify noisy.csv.json
  establish verify noisy.csv.json --json

\b
SIDECAR is the .json file beside a released table. Verified here: that the table is the one that was
written, that the certified code that made it is the code installed here, and that every claim it rests
on comes out true, settled now. Nobody can verify from the outside that this code was really run.
Ends with 0 when everything holds, with 1 when something does not, with 2 for misuse.
"""


def verify(
    sidecar: Annotated[Path, typer.Argument(metavar="SIDECAR", help="The .json file.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON.")] = False,
) -> None:
    record = _read(sidecar)
    findings = verify_release(record, sidecar.parent)
    if as_json:
        print(json.dumps([finding.to_json() for finding in findings], ensure_ascii=False, indent=1))
    else:
        _tell(record, findings)
    if not all(finding.holds for finding in findings):
        raise typer.Exit(1)


def _read(sidecar: Path) -> dict[str, object]:
    try:
        record = json.loads(sidecar.read_text("utf-8"))
    except OSError as error:
        raise Misuse(f"{sidecar} cannot be read: {error.strerror}") from None
    except ValueError:
        raise Misuse(f"{sidecar} is not JSON: name the .json file beside the table") from None
    if not isinstance(record, dict) or "mechanism" not in record:
        raise Misuse(f"{sidecar} is not the record of a release")
    return record


def _tell(record: dict[str, object], findings: list[Finding]) -> None:
    print(f"{record.get('table')}: released by {record['mechanism']}")
    satisfied = record.get("satisfies")
    for guarantee in satisfied if isinstance(satisfied, list) else ():
        print(f"claimed: {guarantee['definition']}, for {guarantee['applies_to']}")
    for finding in findings:
        print(f"{'holds' if finding.holds else 'FAILS'}: {finding.says}")
