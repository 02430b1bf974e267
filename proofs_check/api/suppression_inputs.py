"""What the options of commands on suppression mean."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from establish.impl.suppression.cells import Cells, read_cells
from establish.impl.suppression.code_lists import left_out, read_codes
from establish.impl.suppression.jj import JJ, read_jj
from establish.impl.suppression.layout import Attacker, Cell, Layout, require_columns_of
from establish.impl.suppression.sums import Problem, problem, problem_of_sums
from establish.impl.tables.frames import Frame
from establish.proofs_check.api.release import source_table
from establish.proofs_check.engine.misuse import Misuse


def layout_of(
    by: str,
    value: str,
    total: list[str] | None,
    hierarchy: list[str] | None,
    contributions: str,
    **columns: str,
) -> Layout:
    return Layout(
        by=tuple(by.split(",")),
        value=value,
        totals=dict(_pair("--total", text) for text in total or ()),
        hierarchies=tuple(_pair("--hierarchy", text) for text in hierarchy or ()),
        contributions=tuple(contributions.split(",")) if contributions else (),
        **columns,
    )


def load(tables: Sequence[Path | Frame], layout: Layout, known: Attacker) -> tuple[Cells, Problem, Layout]:
    first = tables[0]
    if isinstance(first, Path) and first.suffix.lower() == ".jj":
        cells, sums = read_jj(first)
        own = replace(JJ, true="") if known.rounded else JJ
        return cells, problem_of_sums(cells, sums, own, known), own
    require_columns_of(layout, known)
    cells = read_cells(tables, layout)
    return cells, problem(cells, layout, known), layout


def tables_of(tables: Any) -> list[Path | Frame]:
    """One table or several: paths, or tables in memory as they are now. Raises ParameterError."""
    several = isinstance(tables, list | tuple)
    found = [source_table("TABLE", one) for one in (tables if several else [tables])]
    require(bool(found), "TABLE is missing: give one table or more")
    return found


def codes_left_out(cells: Cells, layout: Layout, codes: list[str] | None) -> dict[str, int]:
    """By label column, how many codes of the list that is given for it the table leaves out."""
    found = {}
    for text in codes or ():
        name, file = _pair("--codes", text)
        if name not in layout.by:
            raise Misuse(f"--codes {text}: {name} is not one of the label columns {', '.join(layout.by)}")
        at = layout.by.index(name)
        specs = [spec for column, spec in layout.hierarchies if column == name]
        labels = dict.fromkeys(cell[at] for cell in cells)
        total = layout.totals.get(name, "")
        found[name] = left_out(name, specs[0] if specs else "flat", labels, total, read_codes(Path(file)))
    return found


def require(met: bool, says: str) -> None:
    if not met:
        raise Misuse(says)


def _pair(option: str, text: str) -> tuple[str, str]:
    name, sign, label = text.partition("=")
    if not sign or not name:
        raise Misuse(f"{option} {text} is not COLUMN=...")
    return name, label


def cell_of(layout: Layout, text: str) -> Cell:
    given = dict(_pair("--knows", part) for part in text.split(","))
    if set(given) != set(layout.by):
        raise Misuse(f"--knows {text} must give each of {', '.join(layout.by)}")
    return tuple(given[name] for name in layout.by)


def require_contributions(rules: Sequence[str] | None, contributions: str) -> None:
    """A rule needs contributions; p% and pq, the two largest, as one alone would protect too little."""
    require(bool(rules) == bool(contributions), "--rule and --contributions need each other")
    two = any(text.startswith("p") for text in rules or ())
    require(
        not two or len(set(contributions.split(","))) > 1,
        f"--contributions {contributions} is one column: p% and pq need the two largest contributions",
    )
