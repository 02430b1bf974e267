"""What the first page shows before its table: what fails, and how each source came out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

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
    families = {"/".join(sheet.id.split("/")[:2]): sheet for sheet in reversed(found)}
    return [sheet for sheet in found if families["/".join(sheet.id.split("/")[:2])] is sheet]


def strips(sheets: Sequence[Sheet], verdicts: Sequence[str]) -> Iterator[Strip]:
    """How the printed sentences of each source came out."""
    printed = [sheet for sheet in sheets if sheet.record.origin == "printed"]
    for source in dict.fromkeys(sheet.record.source for sheet in printed):
        counted = Counter(s.record.verdict for s in printed if s.record.source == source)
        total = counted.total()
        parts = [(word, counted[word], 100 * counted[word] / total) for word in verdicts if counted[word]]
        yield source, name_of(source), parts, total
