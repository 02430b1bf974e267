"""What a second reader found on comparing a claim's object with the printed sentence, before any verdict.

A line holds as long as what was read is what is checked: it carries a digest of the text. That is the text of
the claim's objects or, where a kernel accepted theorems that cover its sentence, theirs, as the kernel prints
them.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from establish.proofs_check.engine.formal_evidence import formal_of
from establish.proofs_check.engine.register import Claim
from establish.proofs_check.engine.tables import rows_of
from establish.proofs_check.engine.verdicts import Outcome

COLUMNS = ("id", "fingerprint", "digest", "reading")

KINDS = ("same", "narrower", "other", "none", "not printed")
"""same: the object is the sentence. narrower: it says less. other: it is the converse, a stronger sentence, a
corrected mechanism, or restates itself. none: the claim has neither object nor theorem. not printed: no
sentence of the source says it.
"""

NOT_CHECKABLE = "not checkable"
"""In place of one of KINDS: public data decide nothing of the claim, and so no object can be its sentence."""

NOT_READ = "not read"
STALE = "not read since the object changed"

EXTENTS = {
    "same": "the printed sentence",
    "narrower": "part of it",
    "other": "another statement",
    "not printed": "another statement",
    "none": "no object",
    NOT_READ: "not compared",
    STALE: "not compared",
    NOT_CHECKABLE: "not checkable",
}
"""What is checked of a printed sentence, by what its second reader found."""


class ReadingError(Exception):
    """A table of readings is none."""


@dataclass(frozen=True)
class Reading:
    """One line. fingerprint: that of the sentence, empty where none is printed. how: in what it differs."""

    id: str
    fingerprint: str
    digest: str
    kind: str
    how: str

    def told(self, *texts: Sequence[str]) -> str:
        """The reading in a line, or that it is of none of these texts: the object has changed since."""
        if self.digest not in map(digest, texts):
            return STALE
        return f"{self.kind}: {self.how}" if self.how else self.kind


def digest(texts: Sequence[str]) -> str:
    """Sixteen hexadecimal digits of the texts of a claim's objects."""
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]


@cache
def parse(text: str, source: str) -> Mapping[str, Reading]:
    """The table in ``text``. Raises ReadingError, with the row, for what cannot be."""
    found: dict[str, Reading] = {}
    start, place = f"{source}: the table of readings must start with", f"{source}, row {{}} of its readings:"
    for at, (id, fingerprint, read, reading) in rows_of(text, COLUMNS, ReadingError, start, place):
        kind, _, how = reading.partition(": ")
        if kind not in KINDS:
            raise ReadingError(f"{at} {reading!r} is not one of {', '.join(KINDS)}")
        if id in found:
            raise ReadingError(f"{at} {id} stands twice")
        if (kind == "same") == bool(how):
            raise ReadingError(f"{at} {kind} {'says nothing of how' if not how else 'needs no how'}")
        if (kind == "not printed") == bool(fingerprint):
            raise ReadingError(f"{at} {kind} {'with' if fingerprint else 'without'} a sentence")
        found[id] = Reading(id, fingerprint, read, kind, how)
    return found


def of_source(source: str) -> Mapping[str, Reading]:
    """The readings of a source; none where nobody has read it."""
    file = files("establish.proofs_check").joinpath("papers", source, "readings.csv")
    return parse(file.read_text("utf-8"), source) if file.is_file() else {}


def read_in(claim: Claim) -> Sequence[str]:
    """What is compared with the sentence of a claim: its objects, or the theorems about it that a kernel
    accepted where it has none.
    """
    return claim.quantified or theorems(claim)


def theorems(claim: Claim) -> Sequence[str]:
    """What a kernel accepted about a claim, where that covers its sentence or the claim has no object."""
    entry = formal_of(claim)
    whole = entry and ("sentence" in entry.covers or not claim.quantified)
    return [theorem.statement for theorem in entry.theorems] if entry and whole else []


def told(claim: Claim) -> str:
    """What a second reader said of a claim."""
    reading = of_source(claim.source).get(claim.id)
    return reading.told(read_in(claim), *filter(None, [theorems(claim)])) if reading else NOT_READ


def compared(claim: Claim, verdict: str) -> str:
    """One of KINDS, NOT_READ, STALE or, by its verdict, NOT_CHECKABLE for a printed claim; empty where its
    source has no readings at all.
    """
    table = of_source(claim.source) if claim.origin == "printed" else {}
    if table and verdict == Outcome.NOT_CHECKABLE:
        return NOT_CHECKABLE
    reading = table.get(claim.id)
    if not reading:
        return NOT_READ if table else ""
    return STALE if told(claim) == STALE else reading.kind
