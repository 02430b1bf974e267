"""``establish show``: one claim, its verdict and why: the reviewer's page."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any

import typer

from establish.proofs_check.commands.check import JsonFile
from establish.proofs_check.commands.jsonfile import STDOUT, prepare, write_json
from establish.proofs_check.commands.options import ids_like
from establish.proofs_check.engine.misuse import Misuse

if TYPE_CHECKING:
    from establish.proofs_check.engine.references import References
    from establish.proofs_check.engine.register import Claim
    from establish.proofs_check.engine.runner import Result
    from establish.proofs_check.engine.selection import Selection

HELP = """Show one claim: statement, place, verdict, evidence, derivation, counterexample, and where
each is written.

\b
Examples:
  establish show haney2017/lemma-8.6
  establish show haney2017 "Lemma 8.6"
  establish show my/claim --file my_paper.py
  establish show haney2017/lemma-8.6 --json -

\b
With a source and a place it shows every claim of that place. It names the file and line of the check and
of the definitions that the check reads, the claims it rests on, others that its derivation mentions, and
what rests on it. The result is read from the cache when nothing that it depends on has changed since.
"""


def show(
    id: Annotated[
        str,
        typer.Argument(
            metavar="ID", help="The id that establish list prints, or a source.", autocompletion=ids_like
        ),
    ],
    place: Annotated[
        str | None, typer.Argument(metavar="[PLACE]", help="After a source, such as 'Lemma 8.6'.")
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--file", metavar="FILE", help="Your own file with the claim.")
    ] = None,
    json_file: JsonFile = "",
) -> None:
    prepare(json_file)
    if place is not None and file is not None:
        raise Misuse("--file is for an id, not for a place: establish list FILE names the ids")

    from establish.proofs_check.engine.cache import Cache, folder
    from establish.proofs_check.engine.runner import run
    from establish.proofs_check.engine.selection import at_place, find

    if place is not None:
        found, selection = at_place(id, place)
    else:
        claim, selection = find(id, file)
        found = [claim]
    results = {result.claim.id: result for result in run(found, cache=Cache(folder()))}
    pages = [_Page(results[claim.id], selection) for claim in found]
    if json_file:
        write_json(json_file, [page.to_json() for page in pages])
    if json_file != STDOUT:
        for number, page in enumerate(pages):
            page.print(file, after_another=number > 0)


class _Page:
    """Everything about one claim that was settled."""

    def __init__(self, result: Result, selection: Selection) -> None:
        self.result = result
        self.claim: Claim = result.claim
        self.around: References = selection.around(result.claim.id)
        self.is_own = result.claim.id in selection.own
        self.known = {**selection.sources.claims, **selection.claims}

    def to_json(self) -> dict[str, Any]:
        """The record of ``establish check --json``, with its derivation and pieces."""
        from establish.proofs_check.engine.references import in_files

        return {
            **self.result.record.to_json(),
            **in_files(self.claim, self.around),
            "derivation": self.claim.derivation,
            "pieces": self.result.settlement.to_json()["verdict"]["evidence"],
        }

    def print(self, file: Path | None, after_another: bool) -> None:
        from establish.proofs_check.commands.terminal import output
        from establish.proofs_check.engine import ledger

        console = output()
        if after_another:
            console.print()
        for title, text in self._parts():
            if text:
                console.print(title, style="bold")
                console.print("\n".join(f"  {line}".rstrip() for line in text.splitlines()), soft_wrap=True)
        if not self.is_own:
            difference = ledger.compare(self.result.record, ledger.recorded())
            console.print("Ledger", style="bold")
            console.print(f"  {difference or 'as recorded'}")
        again = quote(self.claim.id)
        if file and self.is_own:
            again = f"{'--thorough ' * self.claim.thorough}{quote(str(file))}"
        console.print("Check again", style="bold")
        console.print(f"  establish check --fresh {again}")

    def _parts(self) -> Iterator[tuple[str, str]]:
        claim, record = self.claim, self.result.record
        yield claim.id, f"{claim.location}\n{claim.place}"
        yield "Statement", claim.statement
        yield "Quantified", "\n".join(dict.fromkeys(record.quantified))
        yield "Scope", record.scope
        yield "Object and sentence", self._read()
        yield "Repeats", f"{claim.same_as}  {claim.checked_at}" if claim.same_as else ""
        grade = f" (evidence: {record.evidence})" if record.evidence else ""
        age = ", read from the cache" if self.result.cached else ""
        yield "Verdict", f"{record.verdict}{grade}, {record.seconds:.2f} s{age}"
        yield "Joined by prose", record.prose
        yield f"Value{_graded(record.value_evidence)}", record.value
        yield "Counterexample", record.counterexample
        settled = record.verdict not in ("unsettled", "not_run")
        condition = f"Condition{_graded(record.condition_evidence)}"
        yield condition if settled else "Reason", record.condition
        yield "Evidence", "\n".join(self._evidence())
        yield "Kernel", "\n".join(_accepted(claim))
        yield "Adversary", "\n".join(dict.fromkeys(map(_searched, record.adversary)))
        yield "Trusts", "\n".join(textwrap.wrap(", ".join(record.trusts), 100))
        yield "Derivation", claim.derivation
        yield "Reads", "\n".join(map(str, self.around.reads))
        yield "Rests on", "\n".join(self.around.rests_on)
        yield "Mentions", "\n".join(self._mentioned())
        yield "Used by", "\n".join(self.around.used_by)

    def _read(self) -> str:
        """What a second reader found on comparing the object with the printed sentence."""
        from establish.proofs_check.engine.readings import told

        claim = self.claim
        return "" if self.is_own or claim.source == "establish" else told(claim.id, claim.quantified)

    def _mentioned(self) -> Iterator[str]:
        """What the derivation names and no machine uses: its reader may follow it."""
        from establish.proofs_check.engine.references import mentioned

        for id in mentioned(self.claim.derivation, self.known):
            if id != self.claim.id and id not in self.around.rests_on:
                yield id

    def _evidence(self) -> Iterator[str]:
        for number, piece in enumerate(self.result.settlement.verdict.evidence, start=1):
            yield f"{number}. {piece.says}"
            by = "" if piece.method == piece.grade else f" by {piece.method}"
            yield f"   {piece.grade}{by}"
            if piece.scope:
                yield f"   scope: {piece.scope}"
            if piece.witness:
                yield f"   witness: {piece.witness}"


def _accepted(claim: Claim) -> Iterator[str]:
    """The theorems that a proof assistant accepted about the claim, and what a second reader tried."""
    from establish.proofs_check.engine.records import formal_of

    if entry := formal_of(claim):
        yield entry.says
        for theorem in entry.theorems:
            yield f"{theorem.name}: {' '.join(theorem.statement.split())}"
            yield f"  rests on {len(theorem.assumptions)} axioms of the assistant's libraries"
        yield f"second reader: {entry.tried}"
        yield from [f"left to other evidence: {entry.rest}"] if entry.rest else []


def _graded(grade: str) -> str:
    return f" (evidence: {grade})" if grade else ""


def _searched(search: Mapping[str, Any]) -> str:
    """What was searched against one object, and which planted falsehoods the same search sees."""
    from establish.proofs_check.engine.statements.statement import PLAIN

    effort = " (thorough)" if search["effort"] > PLAIN else ""
    lines = [search["statement"], f"  tried{effort}: {search['tried']}"]
    if search["refuted"]:
        lines.append(f"  refuted: {search['refuted']}")
    lines += [f"  finds the planted: {planted}" for planted in search["found"]]
    return "\n".join([*lines, *(f"  does not refute the planted: {each}" for each in search["missed"])])
