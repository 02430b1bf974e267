"""How likely the values of a randomly rounded table are, over all tables that fit it."""

from collections.abc import Mapping
from fractions import Fraction

from establish.impl.suppression.audit import Answer
from establish.impl.suppression.cells import Cells
from establish.impl.suppression.connected import connected
from establish.impl.suppression.sums import Problem
from establish.spec.disclosure_limitation.linear_bounds import LinearTable
from establish.spec.disclosure_limitation.rounding_to_base import posterior

TABLES = 100_000
"""Whole tables that are looked at, for cells that hang together."""

Law = Mapping[int, Fraction]
"""The share of the likelihood by value."""


def posteriors(problem: Problem, answer: Answer, cells: Cells, base: int) -> dict[int, Law]:
    """By place, for listed cells; left out are cells that hang together in more than TABLES
    tables, or with one that has no bound.

    answer: the audit of ``problem``, with both ends of every cell, for an attacker who knows that values
    are whole.
    """
    entries = list(cells.values())
    parts = connected(problem.table.rows, len(problem.unknown))
    found: dict[int, Law] = {}
    for members in {id(part): part for part in parts}.values():
        places = [problem.unknown[k] for k in members]
        shown = [None if p >= problem.listed else entries[p].value for p in places]
        part = _part(problem, answer, members)
        if None in (*part.lower, *part.upper):
            continue
        laws = posterior(part, [None if v is None else int(v) for v in shown], base, TABLES)
        for place, law in zip(places, laws or [], strict=laws is not None):
            if place < problem.listed:
                found[place] = law
    return found


def _part(problem: Problem, answer: Answer, members: list[int]) -> LinearTable:
    """The sums of a component, with the ends that the audit certified."""
    table, column = problem.table, {k: j for j, k in enumerate(members)}
    about = [row for row, terms in enumerate(table.rows) if not column.keys().isdisjoint(terms)]
    ends = [
        [None if end is None or end.bound is None else int(end.bound) for end in (side[k] for k in members)]
        for side in answer.ends
    ]
    return LinearTable(
        [{column[k]: factor for k, factor in table.rows[row].items()} for row in about],
        [table.right[row] for row in about], *ends,
    )  # fmt: skip
