"""One claim, its verdict and why: the reviewer's page."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

from establish.proofs_check.api.python import FilePath, optional_path
from establish.proofs_check.api.told import Told
from establish.proofs_check.engine.misuse import Misuse

if TYPE_CHECKING:
    from establish.proofs_check.engine.records import Record
    from establish.proofs_check.engine.references import References
    from establish.proofs_check.engine.register import Claim
    from establish.proofs_check.engine.runner import Result
    from establish.proofs_check.engine.selection import Selection


def pages(
    id: str, place: str | None = None, *, file: FilePath | None = None, full: bool = True
) -> list[Page]:
    """The page of a claim by its id, or those of every claim at a place of a source.

    file: your own file with the claim. full: also what is not on the first screen will be read. Raises Misuse
    for an id or a place that there is not.
    """
    if place is not None and file is not None:
        raise Misuse("--file is for an id, not for a place: establish list FILE names the ids")

    from establish.proofs_check.engine.cache import Cache, folder
    from establish.proofs_check.engine.runner import run
    from establish.proofs_check.engine.selection import alone, at_place, find

    own = optional_path("--file", file)
    if place is not None:
        found, selection = at_place(id, place)
    else:
        claim, selection = find(id, own) if full or own else alone(id)
        found = [claim]
    results = {result.claim.id: result for result in run(found, cache=Cache(folder()))}
    return [Page(results[claim.id], selection, own) for claim in found]


def show(id: str, *, file: FilePath | None = None) -> Page:
    """One claim with its verdict, evidence, derivation and counterexample, as ``establish show`` prints it.

    id: as "haney2017/lemma-9.2". file: your own file with the claim. The claim is settled where it changed.
    ``print(show(...))`` prints the first screen and ``print(show(...).full)`` everything; ``.record`` is how
    it came out. Raises Misuse for an unknown id.
    """
    (page,) = pages(id, file=file, full=False)
    return page


class Page(Told):
    """Everything about one claim that was settled."""

    def __init__(self, result: Result, selection: Selection, file: Path | None = None) -> None:
        self.result, self.file = result, file
        self.claim: Claim = result.claim
        self.selection = selection
        self.is_own = result.claim.id in selection.own

    @cached_property
    def around(self) -> References:
        """What the claim reads and rests on, and what rests on it."""
        return self.selection.around(self.claim.id)

    def to_json(self) -> dict[str, Any]:
        """The record of ``establish check --json``, with its derivation and pieces."""
        from establish.proofs_check.engine.references import in_files

        return {
            **self.result.record.to_json(),
            **in_files(self.claim, self.around),
            "derivation": self.claim.derivation,
            "pieces": self.result.settlement.to_json()["verdict"]["evidence"],
        }

    @property
    def record(self) -> Record:
        """The claim and how it came out."""
        return self.result.record

    def sections(self, *, full: bool = False) -> Iterator[tuple[str, str]]:
        """Titles and texts, as ``establish show`` prints them; none is empty.

        full: also the object, the pieces of evidence, what was tried, and where everything is written.
        """
        parts = [*self._first(), *(self._rest() if full else ()), *self._last(full)]
        yield from ((title, text) for title, text in parts if text)

    def lines(self) -> Iterator[str]:
        """The first screen without its styles."""
        return _lines(self.sections())

    @property
    def full(self) -> str:
        """Everything, as ``establish show --full`` prints it."""
        return "\n".join(_lines(self.sections(full=True)))

    def __repr__(self) -> str:
        return repr(self.record)

    def _first(self) -> Iterator[tuple[str, str]]:
        """What answers a referee: the sentence, whether it is true, how sure that is, and why."""
        from establish.proofs_check.engine import opinions
        from establish.proofs_check.engine.meanings import CONDITIONS, GRADES, VERDICTS
        from establish.proofs_check.engine.trust import theorems_behind
        from establish.proofs_check.engine.verdicts import Grade

        claim, record = self.claim, self.result.record
        yield claim.id, claim.location
        yield "Statement", claim.statement
        yield "Scope", record.scope
        yield "Verdict", f"{record.verdict}: the statement {VERDICTS[record.verdict]}"
        yield "Evidence", f"{record.evidence}: {GRADES[record.evidence]}" if record.evidence else ""
        yield "Second opinion", opinions.told(claim) if record.evidence == Grade.PROOF else ""
        yield "Joined by prose", record.prose
        yield f"Value{_graded(record.value_evidence)}", record.value
        yield "Refuted at", "\n".join(dict.fromkeys(self._points()))
        yield "Counterexample (as the author words it)", record.counterexample
        condition = CONDITIONS.get(record.verdict, f"Condition{_graded(record.condition_evidence)}")
        yield condition, record.condition
        yield "Compared with the source by a second reader", self._read()
        yield "Derivation", claim.derivation
        yield "Rests on", "\n".join(self.selection.rests_on(claim.id))
        yield (
            "Trusts",
            "\n".join([*textwrap.wrap(", ".join(record.trusts), 100), *theorems_behind(record.trusts)]),
        )

    def _rest(self) -> Iterator[tuple[str, str]]:
        """What one reads who doubts: the object, each piece of evidence, the searches, files and lines."""
        from establish.proofs_check.engine.verdicts import Grade

        claim, record = self.claim, self.result.record
        trusts = record.trusts if record.evidence == Grade.PROOF else ()
        yield "As it is checked", "\n".join(dict.fromkeys(record.quantified))
        yield "Repeats", f"{claim.same_as}  {claim.checked_at}" if claim.same_as else ""
        yield "Pieces of evidence", "\n".join(self._evidence())
        yield "Kernel", "\n".join(_accepted(claim, trusts))
        yield "Adversary", "\n".join(dict.fromkeys(map(_searched, record.adversary)))
        yield "Written at", claim.place
        yield "Reads", "\n".join(map(str, self.around.reads))
        yield "Mentions", "\n".join(self._mentioned())
        yield "Used by", "\n".join(self.around.used_by)
        yield "Took", f"{record.seconds:.2f} s{' (cached)' if self.result.cached else ''}"

    def _last(self, full: bool) -> Iterator[tuple[str, str]]:
        from establish.proofs_check.engine import ledger

        if not self.is_own:
            yield "Ledger", ledger.compare(self.record, ledger.recorded()) or "as recorded"
        id = quote(self.claim.id)
        own = quote(str(self.file)) if self.file and self.is_own else ""
        slow = "--thorough " if own and self.claim.thorough else ""
        yield "Check again", f"establish check --fresh {slow}{own or id}"
        if not full:
            yield "More", f"establish show {id}{own and f' --file {own}'} --full"

    def _read(self) -> str:
        """What a second reader found on comparing the object with the printed sentence."""
        from establish.proofs_check.engine.readings import told

        claim = self.claim
        return "" if self.is_own or claim.source == "establish" else told(claim)

    def _mentioned(self) -> Iterator[str]:
        """What the derivation names and no machine uses: its reader may follow it."""
        from establish.proofs_check.engine.references import mentioned

        known = {**self.selection.sources.claims, **self.selection.claims}
        for id in mentioned(self.claim.derivation, known):
            if id != self.claim.id and id not in self.around.rests_on:
                yield id

    def _points(self) -> Iterator[str]:
        """Where a method evaluated an object of the claim and found it false."""
        for piece in self.result.settlement.verdict.evidence:
            if piece.refutes and piece.established and piece.decides in self.result.record.quantified:
                yield piece.says.removeprefix(f"{piece.decides} is false at ")

    def _evidence(self) -> Iterator[str]:
        for number, piece in enumerate(self.result.settlement.verdict.evidence, start=1):
            yield f"{number}. {piece.says}"
            if not piece.decides:
                yield "   worded by the author: no statement was given to a method as a whole"
            elif piece.decides not in piece.says:
                yield f"   {'refutes' if piece.refutes else 'decides'}: {piece.decides}"
            by = "" if piece.method == piece.grade else f" by {piece.method}"
            yield f"   {piece.grade}{by}"
            if piece.scope:
                yield f"   scope: {piece.scope}"
            if piece.witness:
                yield f"   witness: {piece.witness}"


def _lines(sections: Iterator[tuple[str, str]]) -> Iterator[str]:
    for title, text in sections:
        yield title
        yield from (f"  {line}".rstrip() for line in text.splitlines())


def _accepted(claim: Claim, trusts: Sequence[str] = ()) -> Iterator[str]:
    """The theorems that a proof assistant accepted about the claim, and what a second reader tried; else what
    blocks one, where ``trusts`` are the parties behind its proof.
    """
    from establish.proofs_check.engine.formal_evidence import blocked_by, formal_of, why_not_formal

    if lost := why_not_formal(claim):
        yield lost
    if entry := formal_of(claim):
        yield entry.says
        for theorem in entry.theorems:
            yield f"{theorem.name}: {' '.join(theorem.statement.split())}"
            yield f"  assumes {len(theorem.assumptions)} axioms of the assistant's libraries"
        yield f"second reader: {entry.tried}"
        yield from [f"left to other evidence: {entry.rest}"] if entry.rest else []
    elif not lost and (line := blocked_by(claim, trusts)):
        yield line


def _graded(grade: str) -> str:
    return f" (evidence: {grade})" if grade else ""


def _searched(search: Mapping[str, Any]) -> str:
    """What was searched against one object, and which mutants the same search refutes."""
    from establish.proofs_check.engine.statements.statement import PLAIN

    effort = " (thorough)" if search["effort"] > PLAIN else ""
    lines = [search["statement"], f"  tried{effort}: {search['tried']}"]
    if search["refuted"]:
        lines.append(f"  refuted: {search['refuted']}")
    lines += [f"  refutes the mutant: {mutant}" for mutant in search["found"]]
    return "\n".join([*lines, *(f"  misses the mutant: {mutant}" for mutant in search["missed"])])
