"""Rows and columns of released tables, counted again, against what the record says of them."""

from __future__ import annotations

from collections.abc import Container, Iterator
from pathlib import Path

from establish.impl.budget.plan import Plan
from establish.impl.budget.queries import SumQuery
from establish.impl.earnings.described import EarningsMechanism
from establish.impl.microdata.probably_no_clipping import ProbablyNoClipping
from establish.impl.publish.earnings import columns_of
from establish.impl.tables.table import Table
from establish.proofs_check.certification.finding import Finding
from establish.proofs_check.certification.record import UNREADABLE, Record
from establish.proofs_check.certification.restated import made_anew
from establish.spec.composition import Gedp
from establish.spec.parameters import ParameterError

READ = (".csv", ".csv.gz", ".parquet")
"""The endings of tables that are counted again; others are told not to be."""


def shapes(record: Record, folder: Path, written: Container[str]) -> Iterator[Finding]:
    """A finding for each table whose rows the record tells, among those that are as they were written."""
    for name, rows, columns in _told(record):
        if name not in written:
            continue
        path = folder / Path(name).name
        says = f"{path.name} has the {rows} rows that the record states"
        found = _shape(path)
        if found is None:
            yield Finding(says, None, "Open the table and count its rows.")
            continue
        wrong = "" if found[0] == rows else f", but it has {found[0]}"
        if columns is not None and found[1][: len(columns)] != columns:
            wrong += f", and not the columns {', '.join(map(str, columns))}, but {', '.join(found[1])}"
        yield Finding(says + wrong, not wrong)


def establishments(record: Record, plan: Plan | None) -> Iterator[Finding]:
    """Whether a plan on establishments read as many as its record says, where one of its tables tells.

    A query by establishment has a group for each; others have at most as many. pnc answers after one.
    """
    if record.content.get("definition") != Gedp.name:
        return
    number, groups = record.content.get("establishments"), [use.said.get("groups") for use in record.uses]
    queries = () if plan is None else plan.queries
    each = any(isinstance(query, SumQuery) and query.identity for query in queries)
    each = each or any(use.mechanism == ProbablyNoClipping.name for use in record.uses)
    counted = [count for count in (number, *groups) if type(count) is int]
    if len(counted) <= len(groups) or counted[0] < max(counted) or (each and counted[0] > max(counted[1:])):
        says = f"the record names {number} establishments, and its tables have groups of {groups}"
        yield Finding(says, False)
    elif each:
        yield Finding(f"the table with a row for each establishment has {number}, as the record says", True)
    else:
        ask = "Ask the agency how many there are; no table has a row for each, and no loss depends on it."
        how = "--plan FILE" if plan is None else ask
        yield Finding(f"whether {number} establishments were read, as the record says", None, how)


def _told(record: Record) -> Iterator[tuple[str, object, list[object] | None]]:
    """(table, its rows, its columns as far as the record names them, from the first on)."""
    names = list(record.tables)
    if not record.is_of_plan:
        yield from ((name, record.content.get("rows"), _columns(record)) for name in names)
        return
    for query in dict.fromkeys(use.query for use in record.uses):
        said = next(use.said for use in record.uses if use.query == query)
        number, by = said.get("cells", said.get("groups")), said.get("by")
        own = [name for name in names if Path(name).name.partition(".")[0] == query.partition(".")[0]]
        yield from ((name, number, by if isinstance(by, list) else [by]) for name in own)


def _columns(record: Record) -> list[object] | None:
    content = record.content
    if "cell_columns" in content:
        return _of_earnings(record)
    kept, added = content.get("kept_columns"), content.get("intervals")
    if not isinstance(kept, list):
        return None
    more = added.get("columns") if isinstance(added, dict) else []
    return [*kept, *(more if isinstance(more, list) else [])]


def _of_earnings(record: Record) -> list[object] | None:
    """Those of cells and what a mechanism adds; None where its parameters are none."""
    cells = record.content["cell_columns"]
    try:
        mechanism = made_anew(record.uses[0], cells_given=True)
        return [*cells, *columns_of(mechanism)] if isinstance(mechanism, EarningsMechanism) else None
    except UNREADABLE:
        return None


def _shape(path: Path) -> tuple[int, list[str]] | None:
    """Rows and columns of a file; None for one that is not read here, or not there."""
    if not path.is_file() or not path.name.lower().endswith(READ):
        return None
    try:
        with Table(path) as table:
            return int(table.row_numbers().size), list(table.columns)
    except ParameterError:
        return 0, []
