"""A random sample of printed claims, as readers judged it who saw the sentence and the objects alone.

It is a record of its day: claims that it found wanting were mended since, and a new sample takes its place.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from establish.proofs_check.engine.readings import KINDS
from establish.proofs_check.engine.tables import rows_of

COLUMNS = ("id", "objects", "judgment", "pedantic", "words", "reason")
HEAD = "# drawn by the digits of commit "
MARKS = {"": False, "yes": True}


class SampleError(Exception):
    """A table of sampled claims is none."""


@dataclass(frozen=True)
class Sampled:
    """One claim. objects: the digest of what the reader saw. judgment: one of `readings.KINDS`.

    pedantic: whether the claim is about what no reader cares for. words: whether our words misstate the
    sentence. reason: in the reader's words.
    """

    id: str
    objects: str
    judgment: str
    pedantic: bool
    words: bool
    reason: str

    @property
    def source(self) -> str:
        return self.id.partition("/")[0]


@dataclass(frozen=True)
class Sample:
    """drawn: the first digits of the commit by whose hash it was drawn, and the day."""

    drawn: str
    claims: tuple[Sampled, ...]


@cache
def parse(text: str) -> Sample:
    """The table in ``text``. Raises SampleError, with the row, for what cannot be."""
    head, _, table = text.partition("\n")
    if not head.startswith(HEAD):
        raise SampleError(f"a sample must start with '{HEAD}…'")
    found: dict[str, Sampled] = {}
    start, place = "the table of a sample must start with", "row {} of the sample:"
    for at, row in rows_of(table, COLUMNS, SampleError, start, place, first=3):
        id, objects, judgment, pedantic, words, reason = row
        if judgment not in KINDS:
            raise SampleError(f"{at} {judgment!r} is not one of {', '.join(KINDS)}")
        if pedantic not in MARKS or words not in MARKS:
            raise SampleError(f"{at} a mark is 'yes' or empty")
        if id in found or not reason:
            wrong = "stands twice" if reason else "has no reason"
            raise SampleError(f"{at} {id} {wrong}")
        found[id] = Sampled(id, objects, judgment, MARKS[pedantic], MARKS[words], reason)
    return Sample(head.removeprefix(HEAD), tuple(found.values()))


def sample() -> Sample:
    """The last one."""
    return parse(files("establish.proofs_check.engine").joinpath("sample.csv").read_text("utf-8"))


def told(claims: Sequence[Sampled], drawn: str, apart: int = 0) -> str:
    """What came out, in one sentence. apart: how many more were drawn that no public data decide."""
    counts = {kind: sum(one.judgment == kind for one in claims) for kind in KINDS}
    rest = ", ".join(f"{count} {kind}" for kind, count in counts.items() if count and kind != "same")
    found = f"found the object of {counts['same']} to be the sentence"
    rest += f"{', ' if rest else ''}{apart} not checkable and not counted" if apart else ""
    return f"Fresh readers of {len(claims)} printed claims, drawn at random (commit {drawn}), {found}" + (
        f"; the others: {rest}." if rest else "."
    )
