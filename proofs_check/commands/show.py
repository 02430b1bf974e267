"""``establish show``: one claim, its verdict and why."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from establish.proofs_check.commands.terminal import output
from establish.proofs_check.engine import ledger
from establish.proofs_check.engine.cache import Cache, folder
from establish.proofs_check.engine.runner import Result, run
from establish.proofs_check.engine.selection import find

HELP = """Show one claim: statement, place, verdict, evidence, derivation and counterexample.

\b
Examples:
  establish show haney2017/lemma-8.6
  establish show my/claim --file my_paper.py

\b
The result is read from the cache when nothing that it depends on has changed since.
"""


def show(
    id: Annotated[str, typer.Argument(metavar="ID", help="The id that establish list prints.")],
    file: Annotated[
        Path | None, typer.Option("--file", metavar="FILE", help="Your own file with the claim.")
    ] = None,
) -> None:
    claim, selection = find(id, file)
    (result,) = run([claim], cache=Cache(folder()))
    console = output()
    for title, text in _parts(result):
        if text:
            console.print(title, style="bold")
            console.print("\n".join(f"  {line}".rstrip() for line in text.splitlines()))
    if claim.id not in selection.own:
        difference = ledger.compare(result.record, ledger.recorded())
        console.print("Ledger", style="bold")
        console.print(f"  {difference or 'as recorded'}")
    again = quote(claim.id)
    if file and claim.id in selection.own:
        again = f"{'--thorough ' * claim.thorough}{quote(str(file))}"
    console.print("Check again", style="bold")
    console.print(f"  establish check --fresh {again}")


def _parts(result: Result) -> Iterator[tuple[str, str]]:
    claim, record = result.claim, result.record
    yield claim.id, claim.location
    yield "Statement", claim.statement
    yield "Repeats", claim.same_as
    grade = f" (evidence: {record.evidence})" if record.evidence else ""
    age = ", read from the cache" if result.cached else ""
    yield "Verdict", f"{record.verdict}{grade}, {record.seconds:.2f} s{age}"
    yield "Value", record.value
    yield "Counterexample", record.counterexample
    yield "Condition" if record.verdict != "unsettled" else "Reason", record.condition
    yield "Evidence", "\n".join(_evidence(result))
    yield "Derivation", claim.derivation


def _evidence(result: Result) -> Iterator[str]:
    for number, piece in enumerate(result.settlement.verdict.evidence, start=1):
        yield f"{number}. {piece.says}"
        yield f"   {piece.grade} by {piece.method}"
        if piece.scope:
            yield f"   scope: {piece.scope}"
        if piece.witness:
            yield f"   witness: {piece.witness}"
