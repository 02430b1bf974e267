"""``establish verify``: what a release claims, by which code, and whether that still holds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

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


def _read(sidecar: Path) -> dict[str, Any]:
    try:
        record = json.loads(sidecar.read_text("utf-8"))
    except OSError as error:
        raise Misuse(f"{sidecar} cannot be read: {error.strerror}") from None
    except ValueError:
        raise Misuse(f"{sidecar} is not JSON: name the .json file beside the table") from None
    if not isinstance(record, dict) or not {"mechanism", "answers"} & record.keys():
        raise Misuse(f"{sidecar} is not the record of a release")
    return record


def _claimed(record: dict[str, Any]) -> Iterator[str]:
    """What the record says that the release satisfies, a sentence for each use of a mechanism."""
    if "loss" in record:
        loss = ", ".join(f"{symbol} = {value}" for symbol, value in record["loss"].items())
        yield f"{record.get('definition')} with {loss} for the whole plan"
    for use in record.get("answers", [record]):
        for guarantee in use.get("satisfies", ()):
            where = f"{use['query']}, " if "query" in use else ""
            yield f"{where}{use['mechanism']}: {guarantee['definition']}, for {guarantee['applies_to']}"


def _tell(record: dict[str, Any], findings: list[Finding]) -> None:
    for claim in dict.fromkeys(_claimed(record)):
        print(f"claimed: {claim}")
    for finding in findings:
        print(f"{'holds' if finding.holds else 'FAILS'}: {finding.says}")
