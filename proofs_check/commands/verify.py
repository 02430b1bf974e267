"""``establish verify``: what a release claims, by which code, and whether that still holds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from establish.proofs_check.api.asked import require_free, require_there
from establish.proofs_check.commands.options import Force
from establish.proofs_check.engine.misuse import Misuse

if TYPE_CHECKING:
    from establish.proofs_check.certification.finding import Finding

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
        from establish.proofs_check.report import one_file

        one_file.prepare(page)
        require_free({"--report": page}, force)
    content = _read(sidecar)

    from establish.impl.signing import public_key

    public = None if key is None else public_key(key)

    from establish.impl.budget.plan import read_plan
    from establish.proofs_check.certification.finding import Finding
    from establish.proofs_check.certification.record import NoRecord, read_record
    from establish.proofs_check.certification.verify import (
        not_checked,
        verify_head,
        verify_ledger,
        verify_plan,
        verify_release,
        verify_signature,
        verify_signer,
    )

    for option, file in (("--ledger", ledger), ("--head", head)):
        if file is not None:
            require_there(option, file)
    known = None if plan is None else read_plan(plan)
    try:
        record = read_record(content)
    except NoRecord as reason:
        claims, findings = [], [Finding(str(reason), False)]
    else:
        claims = list(dict.fromkeys(record.claimed()))
        findings = verify_release(record, sidecar.parent)
        if known is not None:
            findings += verify_plan(record, known)
        if ledger is not None:
            findings += verify_ledger(record, ledger)
        if head is not None:
            findings += verify_head(record, head, public, ledger)
        findings += [verify_signature(sidecar, public), verify_signer(record, sidecar, public)]
        findings += not_checked(record, plan=plan is not None, ledger=ledger is not None)
    if as_json:
        print(json.dumps([finding.to_json() for finding in findings], ensure_ascii=False, indent=1))
    else:
        for claim in claims:
            print(f"claimed: {_visible(claim)}")
        for finding in findings:
            print(f"{_WORDS[finding.holds]}: {_visible(finding.says)}")
    if page is not None:
        one_file.write(
            page,
            "release.html",
            {
                "name": sidecar.name,
                "headline": _headline(findings),
                "claims": list(map(_visible, claims)),
                "groups": [
                    (title, [_visible(each.says) for each in findings if each.holds is holds])
                    for holds, title in _TITLES.items()
                ],
            },
        )
    if any(finding.holds is False for finding in findings):
        raise typer.Exit(1)


_TITLES = {False: "What fails", True: "What holds", None: "What was not checked"}
"""The headings of the page, what matters most first."""


def _headline(findings: list[Finding]) -> str:
    """The findings in one sentence."""
    number = {holds: sum(each.holds is holds for each in findings) for holds in _TITLES}
    failed = f"{number[False]} of what was checked fail" if number[False] else "No check failed"
    return f"{failed}: {number[True]} hold, {number[None]} could not be checked here."


_WORDS = {True: "holds", False: "FAILS", None: "not checked"}


def _visible(text: str) -> str:
    """``text`` of somebody else's record, with what moves the cursor or starts a line written out."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object of JSON. ValueError for a key that stands there twice: a reader would see one of them."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError
    return found


def _read(sidecar: Path) -> dict[str, object]:
    try:
        content = json.loads(sidecar.read_text("utf-8"), object_pairs_hook=_once)
    except OSError as error:
        raise Misuse(f"{sidecar} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise Misuse(f"{sidecar} is not JSON: name the .json file beside the table") from None
    if not isinstance(content, dict) or not {"mechanism", "answers"} & content.keys():
        raise Misuse(f"{sidecar} is not the record of a release")
    return content
