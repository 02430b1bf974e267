"""A short note on one refuted statement that its authors can read and run again: facts of the record only.

No number and no formula is written here: each comes from the claim, its verdict or its evidence.
"""

from __future__ import annotations

import re
import shlex
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from establish.proofs_check.engine.meanings import GRADES
from establish.proofs_check.engine.verdicts import Outcome
from establish.proofs_check.outputs.claims import Noted
from establish.proofs_check.report.citations import SOURCES, name_of
from establish.proofs_check.report.gather import Sheet

FOUND = {
    Outcome.FAILS: "As it is printed, the sentence does not hold at the example below.",
    Outcome.ILL_POSED: "As it is printed, the sentence leaves something out: without the condition below it "
    "is undefined or does not hold somewhere, and with the condition it is true.",
    Outcome.MISPRINT: "We believe that another reading is meant, and that the text itself shows which.",
}
"""What each verdict found, in one sentence."""

INVITATION = (
    "We may have misread the text, or overlooked a convention that it states elsewhere. If the sentence "
    "means something else than our paraphrase, or if the example does not meet its hypotheses, please tell "
    "us: the verdict will be corrected."
)

READINGS = {
    Outcome.HOLDS: "it is true",
    Outcome.HOLDS_LOOSELY: "it is true, and the value that we compute is tight",
    Outcome.FAILS: "it does not hold either",
    Outcome.ILL_POSED: "it needs a further condition",
}
"""How the reading of a misprint comes out."""

_READING = re.compile(r"read: (?P<reading>.*?) \((?P<outcome>[a-z_]+)\)(?P<rest>.*)", re.DOTALL)
_REFUTED = re.compile(r".* is false at (?P<shown>.*)", re.DOTALL)
LONGEST = 400
"""Signs of the text of an object; a longer one is left to `establish show`."""


@dataclass(frozen=True)
class Part:
    """A heading and what stands below it; ``code`` is kept as it is."""

    title: str
    lines: tuple[str, ...]
    code: bool = False


@dataclass(frozen=True)
class Note:
    """The note on one claim, in parts."""

    sheet: Sheet

    @property
    def id(self) -> str:
        return self.sheet.id

    @property
    def title(self) -> str:
        return f"{self.sheet.record.location} of {name_of(self.sheet.record.source)}"

    @property
    def reference(self) -> str:
        source = self.sheet.record.source
        return SOURCES[source].reference if source in SOURCES else source

    def parts(self) -> Iterator[Part]:
        """The parts in the order of reading; what the record does not give is left out."""
        record = self.sheet.record
        yield Part("What the text says, in our words", (record.statement,))
        yield Part("What we found", (FOUND[Outcome(record.verdict)], *self._repeated()))
        if example := tuple(self._example()):
            yield Part("The smallest example that we know", example)
        yield from self._true_instead()
        yield Part("How strong the evidence is", tuple(self._strength()))
        yield Part("To run it again", self.commands, code=True)
        yield Part("If we are wrong", (INVITATION,))

    @property
    def commands(self) -> tuple[str, ...]:
        """What a reader types, in a clone of the project."""
        return "pip install .", f"establish show {shlex.quote(self.id)}"

    def _repeated(self) -> Iterator[str]:
        if self.sheet.claim.same_as:
            yield f"It is the same statement as {self.sheet.claim.same_as}."

    def _example(self) -> Iterator[str]:
        if not self.sheet.ran:
            yield "The check is slow and did not run for this note; the command below prints the example."
        elif self.sheet.record.counterexample:
            yield self.sheet.record.counterexample
        for said in self.evaluated():
            yield f"The statement, evaluated there: {said}"

    def evaluated(self) -> list[str]:
        """What the claim's own objects say at the points that refute them."""
        pieces = (piece for piece in self.sheet.pieces if piece.refutes and not piece.aside)
        found = (_REFUTED.fullmatch(piece.says) for piece in pieces)
        shown = dict.fromkeys(at["shown"] for at in found if at)
        return [text for text in shown if len(text) <= LONGEST]

    def _true_instead(self) -> Iterator[Part]:
        record = self.sheet.record
        condition, scopes = self._condition()
        if at := _READING.fullmatch(condition):
            more = at["rest"].strip("; ")
            verdict = f"Our verdict on this reading: {READINGS[Outcome(at['outcome'])]}."
            lines = [at["reading"], verdict, *([more] if more else [])]
            yield Part("The reading that we believe is meant", tuple(lines))
        elif condition:
            title = "The condition under which it is true"
            if record.verdict == Outcome.FAILS:
                title = "Where the sentence is true, or what is true instead"
            yield Part(title, (condition,))
        if record.value:
            yield Part("The value that we compute", (record.value,))
        if scopes:
            yield Part("What the evidence looked at", tuple(scopes))

    def _condition(self) -> tuple[str, list[str]]:
        """The condition as the verdict gives it, and the scopes of the evidence that stand behind it."""
        pieces = (piece for piece in self.sheet.pieces if not piece.aside)
        scopes = list(dict.fromkeys(piece.scope for piece in pieces if piece.scope))
        behind = "; ".join(scopes)
        condition = self.sheet.record.condition
        if behind and condition.endswith(behind):
            return condition.removesuffix(behind).removesuffix("; "), scopes
        return condition, []

    def _strength(self) -> Iterator[str]:
        record = self.sheet.record
        for name, grade in (
            ("The verdict", record.evidence),
            ("The value", record.value_evidence),
            ("The condition", record.condition_evidence),
        ):
            if grade:
                yield f"{name}: {grade} ({GRADES[grade]})."
        if not self.sheet.ran:
            yield "This is what the ledger records; the check did not run for this note."

    def to_json(self) -> Noted:
        """The note as plain text by field; parts as a list of titles and lines."""
        record = self.sheet.record
        return {
            "id": self.id,
            "source": record.source,
            "location": record.location,
            "reference": self.reference,
            "verdict": record.verdict,
            "evidence": record.evidence,
            "ran": self.sheet.ran,
            "parts": [{"title": part.title, "lines": list(part.lines)} for part in self.parts()],
        }

    def markdown(self) -> str:
        blocks = [f"# {_plain(self.title)}", _plain(f"{self.reference}."), f"Claim `{self.id}`."]
        for part in self.parts():
            blocks.append(f"## {part.title}")
            if part.code:
                blocks.append("\n".join(["```console", *part.lines, "```"]))
            else:
                blocks += map(_plain, part.lines)
        return "\n\n".join(blocks) + "\n"

    def text(self, width: int = 88) -> str:
        """The same for a terminal."""
        blocks = [f"{self.title} ({self.id})", *textwrap.wrap(self.reference, width)]
        for part in self.parts():
            blocks += ["", part.title]
            for line in part.lines:
                blocks += [f"  {line}"] if part.code else _indented(line, width)
        return "\n".join(blocks) + "\n"


def _indented(line: str, width: int) -> list[str]:
    return textwrap.wrap(
        line,
        width,
        initial_indent="  ",
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _plain(text: str) -> str:
    """A text whose signs Markdown does not read as markup."""
    return re.sub(r"([\\`*_\[\]<>|#~])", r"\\\1", text)


def listed(notes: Sequence[Note]) -> str:
    """The page that leads to the notes of a folder, in Markdown."""
    lines = [
        "# Notes for authors",
        "",
        f"{len(notes)} statements that are not true as they are printed, one note each. Every note is made "
        "from the record of its claim: what the text says in our words, what we found, the smallest example, "
        "under which condition the sentence is true, and how to run it again. Corrections are welcome.",
        "",
        "| place | what the text says, in our words | what we found | evidence | note |",
        "| --- | --- | --- | --- | --- |",
    ]
    for note in notes:
        record = note.sheet.record
        cells = map(_plain, (note.title, record.statement, record.verdict, record.evidence))
        lines.append(f"| {' | '.join(cells)} | [{_plain(note.id)}]({file_of(note.id)}) |")
    return "\n".join(lines) + "\n"


def file_of(id: str) -> str:
    """The file of the note on a claim: ``haney2017~lemma-9.2.md``."""
    return re.sub(r"[^\w.-]", "~", id, flags=re.ASCII) + ".md"
