"""A misprint line above line: what is printed, what is meant, and what differs."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from establish.proofs_check.engine.grades import Stated
from establish.proofs_check.engine.records import Record
from establish.proofs_check.engine.verdicts import Outcome
from establish.proofs_check.report.drawings.drawing import Drawing, Line

_TOKEN = re.compile(r"\w+|\s+|.")
_READING = re.compile(r"^read: |(?:, which is \S+)? \([a-z_]+\)(?:;.*)?$", re.DOTALL)
"""What a verdict puts around a reading: the word before it, its claim, how it comes out, and scopes."""

ALIKE = 0.5
"""Lines that share less than this of their signs are shown without marks."""

LONGEST = 600
"""Signs of an object's text; a longer one is told by the words of the claim instead."""


def of_misprint(record: Record, stated: Stated) -> Drawing | None:
    """Both readings by the texts of the claim's objects, or in words where it has not both."""
    if record.verdict != Outcome.MISPRINT:
        return None
    printed, meant = (group[0].text if group else "" for group in (stated.printed, stated.meant))
    as_objects = printed and meant and printed != meant and len(printed + meant) <= LONGEST
    if not as_objects:
        printed, meant = record.statement, _READING.sub("", record.condition)
    lines = marked(printed, meant)
    more = "The marked signs differ. " if any(changed for line in lines for _, changed in line) else ""
    text = f"{more}The second line is the reading that is meant."
    return Drawing(
        "both readings", "As printed, and as meant", text, lines=(("printed", lines[0]), ("meant", lines[1]))
    )


def marked(one: str, other: str) -> tuple[Line, Line]:
    """Both texts in parts, each with whether the other text lacks it; no marks where little is alike."""
    first, second = (_TOKEN.findall(text) for text in (one, other))
    matcher = SequenceMatcher(None, first, second, autojunk=False)
    if matcher.ratio() < ALIKE:
        return ((one, False),), ((other, False),)
    found: tuple[list[tuple[str, bool]], list[tuple[str, bool]]] = ([], [])
    for kind, a, b, c, d in matcher.get_opcodes():
        for line, part in zip(found, (first[a:b], second[c:d]), strict=True):
            if part:
                line.append(("".join(part), kind != "equal"))
    return tuple(found[0]), tuple(found[1])
