"""How many claims came out how, and where: the tables and heat maps of the page of counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from establish.proofs_check.engine.readings import EXTENTS
from establish.proofs_check.engine.register import ORIGINS
from establish.proofs_check.report.citations import name_of
from establish.proofs_check.report.gather import Sheet

SHADES = 4
"""Shades of a heat map; 0 is none."""

Table = tuple[str, str, list[str], list[tuple[str, list[int]]]]
"""Its name, the heading of its rows, the names of its columns, and its rows."""


def tables(sheets: Sequence[Sheet], verdicts: Sequence[str], grades: Sequence[str]) -> list[Table]:
    """Verdicts and grades by origin, and verdicts of printed statements by source and by what is checked."""
    origins = [o for o in ORIGINS if any(s.record.origin == o for s in sheets)]
    found: list[Table] = []
    for name, heading, field, order in (
        ("By verdict and origin", "verdict", "verdict", verdicts),
        ("By evidence and origin", "evidence", "evidence", grades),
    ):
        counted = Counter((getattr(s.record, field), s.record.origin) for s in sheets)
        rows = [(word or "none", [counted[word, o] for o in origins]) for word in order]
        rows = [(word, [*numbers, sum(numbers)]) for word, numbers in rows if any(numbers)]
        total = [sum(numbers[i] for _, numbers in rows) for i in range(len(origins) + 1)]
        found.append((name, heading, [*origins, "all"], [*rows, ("all", total)]))
    printed = [s for s in sheets if s.record.origin == "printed"]
    held = [word for word in verdicts if any(s.record.verdict == word for s in printed)]
    sources = [name_of(s.record.source) for s in printed]
    extents = [EXTENTS.get(s.record.compared, "-") for s in printed]
    for name, heading, words in (
        ("Printed statements by source", "source", sources),
        ("Printed statements by what is checked of them", "checked", extents),
    ):
        counted = Counter(zip(words, (s.record.verdict for s in printed), strict=True))
        rows = [(word, [counted[word, v] for v in held]) for word in dict.fromkeys(words)]
        found.append((name, heading, [*held, "all"], [(word, [*n, sum(n)]) for word, n in rows]))
    return found


Row = tuple[str, list[tuple[str, int, int]], int]
"""A section, (verdict, number, shade) for every verdict, and the number of its claims."""


def heat_maps(
    sheets: Sequence[Sheet], verdicts: Sequence[str]
) -> Iterator[tuple[str, str, list[str], list[Row]]]:
    """For every source: its id and name, the verdicts that occur, and a row for each section."""
    for source in dict.fromkeys(s.record.source for s in sheets):
        own = [s for s in sheets if s.record.source == source]
        held = [word for word in verdicts if any(s.record.verdict == word for s in own)]
        rows: list[Row] = []
        for place in dict.fromkeys(s.section for s in sorted(own, key=lambda s: s.order)):
            counted = Counter(s.record.verdict for s in own if s.section == place)
            all = counted.total()
            cells = [(word, counted[word], -(-SHADES * counted[word] // all)) for word in held]
            rows.append((place, cells, all))
        yield source, name_of(source), held, rows
