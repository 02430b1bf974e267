"""A case of a finite universe in which a statement is false, and the cases around it."""

from __future__ import annotations

import re
from itertools import islice
from typing import Any

from establish.proofs_check.engine.statements.cases import EveryCase
from establish.proofs_check.engine.statements.statement import Point
from establish.proofs_check.report.drawings.drawing import DataTable, Drawing, shown, tabulated
from establish.proofs_check.report.drawings.shapes import strip
from establish.spec.tables import Tables

FIRST = 72
"""Cases of the universe that are drawn at most, the first ones."""

FEW = 3
"""With fewer cases the strip would tell nothing."""

_NAMES = re.compile(r"\(([^()]*(?:\([^()]*\)[^()]*)*)\)")


def drawn(statement: EveryCase, point: Point) -> Drawing:
    """The case as tables, and a strip that tells of each of the first cases whether it is true there."""
    case = point["case"]
    tables = tuple(_tables(statement.name, case))
    truths, place, more = _first(statement, case)
    said = f"The statement is false for the {statement.name} {shown(case)}."
    if len(truths) < FEW:
        return Drawing("case", "The case that refutes it", said, tables=tables)
    wrong = len(truths) - sum(truths)
    where = f"it is case {place + 1}" if place is not None else "the counterexample is not among them"
    rest = "the first cases of the universe" if more else "all cases of the universe"
    text = (
        f"{said} The strip has one square for each of {len(truths)} cases, {rest} in its order: {wrong} "
        f"{'is' if wrong == 1 else 'are'} false (hatched); {where}."
    )
    return Drawing("cases", "The case that refutes it", text, strip(truths, place), tables)


def _first(statement: EveryCase, case: Any) -> tuple[list[bool], int | None, bool]:
    """Whether each of the first cases is true, the place of ``case`` among them, and if there are more."""
    found = list(islice(statement.cases(), FIRST + 1))
    drawn = found[:FIRST]
    try:
        truths = [bool(statement.holds(each)) for each in drawn]
    except Exception:  # a predicate that the universe's other cases break says nothing here
        return [], None, False
    same = [shown(each) == shown(case) for each in drawn]
    return truths, same.index(True) if True in same else None, len(found) > FIRST


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
