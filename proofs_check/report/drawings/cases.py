"""A case of a finite universe in which a statement is false, and the cases around it."""

from __future__ import annotations

import re
from collections import deque
from itertools import islice
from typing import Any

from establish.proofs_check.engine.statements.cases import EveryCase
from establish.proofs_check.engine.statements.statement import Point
from establish.proofs_check.report.drawings.drawing import DataTable, Drawing, shown, tabulated
from establish.proofs_check.report.drawings.shapes import strip
from establish.spec.tables import Tables

MOST = 72
"""Cases of the universe that are drawn at most, with the counterexample in their middle."""

REACH = 20_000
"""Cases among which the counterexample is looked for."""

FEW = 3
"""With fewer cases the strip would tell nothing."""

_NAMES = re.compile(r"\(([^()]*(?:\([^()]*\)[^()]*)*)\)")


def drawn(statement: EveryCase, point: Point) -> Drawing:
    """The case as tables, and a strip that tells whether the statement is true in each case around it."""
    case = point["case"]
    tables = tuple(_tables(statement.name, case))
    truths, place, start, more = _around(statement, case)
    said = f"The statement is false for the {statement.name} {shown(case)}."
    if len(truths) < FEW:
        return Drawing("case", "The case that refutes it", said, tables=tables)
    wrong = len(truths) - sum(truths)
    rest = f"cases {start + 1} to {start + len(truths)}" if start or more else "all cases"
    text = (
        f"{said} The strip has one square for each of {len(truths)} cases, {rest} of the universe in its "
        f"order: {wrong} {'is' if wrong == 1 else 'are'} false (hatched); it is case {start + place + 1}."
    )
    return Drawing("cases", "The case that refutes it", text, strip(truths, place), tables)


def _around(statement: EveryCase, case: Any) -> tuple[list[bool], int, int, bool]:
    """Whether the statement is true in each case around ``case``, the place of ``case`` among these, how many
    cases stand before them, and whether more follow; no truths where it is not found.
    """
    wanted = shown(case)
    before: deque[Any] = deque(maxlen=MOST // 2)
    cases = islice(statement.cases(), REACH)
    passed = 0
    for each in cases:
        if shown(each) == wanted:
            break
        before.append(each)
        passed += 1
    else:
        return [], 0, 0, False
    drawn = [*before, each, *islice(cases, MOST - len(before))]
    try:
        truths = [bool(statement.holds(each)) for each in drawn[:MOST]]
    except Exception:  # a predicate that the universe's other cases break says nothing here
        return [], 0, 0, False
    return truths, len(before), passed - len(before), len(drawn) > MOST


def _tables(name: str, case: Any) -> list[DataTable]:
    """Two datasets side by side where the case is a pair of them, else one table."""
    names = _named(name, case)
    pair = isinstance(case, tuple) and len(case) == 2
    if pair and "before and after" in name:
        return [tabulated(words, part) for words, part in zip(("before", "after"), case, strict=True)]
    if isinstance(case, tuple) and any(isinstance(part, Tables) for part in case):
        labels = names or [f"part {n + 1}" for n in range(len(case))]
        return [tabulated(words, part) for words, part in zip(labels, case, strict=True)]
    return [tabulated(name, case, names)]


def _named(name: str, case: Any) -> list[str]:
    """What the parts of a case are called, where the name of the universe says it in parentheses."""
    if not isinstance(case, tuple):
        return []
    for words in _NAMES.findall(name):
        parts = [part.strip() for part in words.split(",")]
        if len(parts) == len(case):
            return parts
    return []
