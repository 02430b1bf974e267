"""``establish recheck``: exported proofs, step by step, by a program that asks nobody else."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from establish.proofs_check.commands.jsonfile import JsonFile, json_only, prepare
from establish.proofs_check.engine.misuse import Misuse
from establish.proofs_check.outputs.claims import Rechecked

if TYPE_CHECKING:
    from establish.proofs_check.recheck.checking import Report

HELP = """Check exported proofs with a small program that imports nothing from the engine.

\b
Examples:
  establish export 'haney2017/lemma-9.2*' --out proofs
  establish recheck proofs
  establish recheck proofs --json -

\b
A claim is rechecked when every step is shown again, with fractions, Arb balls and polynomials; how many lines
of code do that is told beside it. It is believed
when some step rests on the word of a method or rule, which is named; no solver runs again. A file is refused
when it is not a proof, when a step does not follow, or when it decides other statements than those of the
claim that it names.

\b
Exit status: 0 no file is refused; 1 some are; 2 usage error.
"""


def recheck(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="What establish export wrote.")],
    json_file: JsonFile = "",
    record: Annotated[
        bool,
        typer.Option(
            "--record",
            help="For maintainers: keep what comes out as second opinions, in the checkout in the current "
            "folder.",
        ),
    ] = False,
) -> None:
    prepare(json_file)
    if not folder.is_dir():
        raise Misuse(f"{folder} is not a folder: give one that establish export wrote")
    files = sorted(folder.rglob("*.json"))
    if not files:
        raise Misuse(f"{folder} holds no exported proof")

    from establish.proofs_check.api.progress import progress_bar
    from establish.proofs_check.export.compared import compared
    from establish.proofs_check.export.lines import lines_to_read
    from establish.proofs_check.recheck.checking import recheck as checked

    reports: list[Report] = []
    lines: dict[str, int] = {}
    with progress_bar(counted=True) as bar:
        task = bar.add_task("checking proofs again", total=len(files))
        for file in files:
            report = compared(checked(file))
            reports.append(report)
            lines[report.claim] = 0 if report.refused else lines_to_read(json.loads(file.read_text("utf-8")))
            bar.advance(task)
    if not json_only(json_file, [_row(report, lines[report.claim]) for report in reports]):
        _print(reports, lines)
    if record:
        _record(reports)
    if any(report.refused for report in reports):
        raise typer.Exit(1)


def _record(reports: Sequence[Report]) -> None:
    """Keeps what came out of proofs of claims that are known here, beside what is kept of other statements
    that they state.
    """
    from establish.proofs_check.engine import opinions
    from establish.proofs_check.engine.ledger import of_checkout
    from establish.proofs_check.engine.register import claims, imported

    stated = (imported(claim).stated.printed for claim in claims().values())
    asked = {opinions.question_of([each.identity for each in some]) for some in stated}
    file = of_checkout(Path.cwd()).parent / "engine" / opinions.NAME
    kept = opinions.parse(file.read_text("utf-8")) if file.is_file() else {}
    new = {
        opinions.question_of(report.decides): ", ".join(report.believed) or opinions.RECHECKED
        for report in reports
        if not report.refused
    }
    known = {question: opinion for question, opinion in (kept | new).items() if question in asked}
    file.write_text(opinions.write(known), "utf-8")


def _row(report: Report, lines: int) -> Rechecked:
    return {
        "id": report.claim,
        "result": _result(report),
        "believed": list(report.believed),
        "refused": report.refused,
        "steps": report.steps,
        "rechecked_steps": report.again,
        "lines_to_read": lines,
    }


def _result(report: Report) -> Literal["rechecked", "believed", "refused"]:
    return "refused" if report.refused else "believed" if report.believed else "rechecked"


def _print(reports: Sequence[Report], lines: Mapping[str, int]) -> None:
    from establish.proofs_check.engine.register import claims

    for report in reports:
        why = report.refused or ", ".join(report.believed)
        unknown = (
            "" if report.refused or report.claim in claims() else " (no claim of this name is known here)"
        )
        read = "" if why else f", {lines[report.claim]} lines of code to read"
        print(f"{report.claim}: {_result(report)}{f': {why}' if why else ''}{read}{unknown}")
    counts = Counter(map(_result, reports))
    steps, again = (sum(getattr(r, name) for r in reports) for name in ("steps", "again"))
    told = ", ".join(f"{counts[word]} {word}" for word in ("rechecked", "believed", "refused"))
    print(f"{len(reports)} claims: {told}; {again} of {steps} steps rechecked")
