"""What the first page shows before its table: what fails, and how each source came out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from establish.proofs_check.engine.sections import family
from establish.proofs_check.engine.verdicts import Grade, Outcome
from establish.proofs_check.report.citations import name_of
from establish.proofs_check.report.gather import Sheet

FIRST = 12
"""So many statements are shown on the first page; the page of refutations has all."""

_RESULT = re.compile(r"\b(Theorem|Lemma|Proposition|Prop\.|Corollary|Algorithm|Definition|Def\.)")

Strip = tuple[str, str, list[tuple[str, int, float]], int]
"""A source, its name, (verdict, number, percent) and how many of its sentences have a claim."""


def failing(sheets: Sequence[Sheet]) -> list[Sheet]:
    """Printed statements that fail: results with a name before remarks, stronger evidence before weaker, and
    one of a family, such as a table.
    """
    found = [s for s in sheets if s.record.verdict == Outcome.FAILS and s.record.origin == "printed"]
    grades = [*map(str, Grade), ""]
    found.sort(key=lambda s: (not _RESULT.search(s.record.location), grades.index(s.record.evidence)))
    first = {family(sheet.id): sheet for sheet in reversed(found)}
    return [sheet for sheet in found if first[family(sheet.id)] is sheet]


def folded(sheets: Sequence[Sheet]) -> dict[str, str]:
    """By the id of the first claim of each family: how many more there are, and how all came out."""
    families: dict[str, list[Sheet]] = {}
    for sheet in sheets:
        families.setdefault(family(sheet.id), []).append(sheet)
    return {own[0].id: _told(own) for own in families.values() if len(own) > 1}


def _told(own: Sequence[Sheet]) -> str:
    counted = Counter(sheet.record.verdict for sheet in own)
    words = ", ".join(f"{number} {word}" for word, number in counted.items())
    return f"{len(own) - 1} more like it ({words} in all)"


def strips(sheets: Sequence[Sheet], verdicts: Sequence[str]) -> Iterator[Strip]:
    """How the printed sentences of each source came out."""
    printed = [sheet for sheet in sheets if sheet.record.origin == "printed"]
    for source in dict.fromkeys(sheet.record.source for sheet in printed):
        counted = Counter(s.record.verdict for s in printed if s.record.source == source)
        total = counted.total()
        parts = [(word, counted[word], 100 * counted[word] / total) for word in verdicts if counted[word]]
        yield source, name_of(source), parts, total
