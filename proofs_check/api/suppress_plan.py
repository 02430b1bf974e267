"""A pattern of suppression that an audit proves to be sufficient."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from establish.proofs_check.api.asked import require_free
from establish.proofs_check.api.memory import PARTS, within_memory
from establish.proofs_check.api.progress import progress_bar
from establish.proofs_check.api.python import FilePath, Names, names_of, optional_path
from establish.proofs_check.api.suppress import Labels, pairs_of
from establish.proofs_check.api.told import Told

if TYPE_CHECKING:
    from establish.impl.suppression.cells import Cells, Entry
    from establish.impl.suppression.layout import Attacker, Layout
    from establish.impl.suppression.plan import Given, Pattern
    from establish.impl.suppression.verdicts import Level


@dataclass(frozen=True, repr=False)
class SuppressionPlan(Told):
    """Which cells to suppress. found: the pattern, and the last audit, which proves that it protects.

    absent: by label column, codes of a list that the table leaves out. given: what statuses settled. needed:
    the protection that sensitive cells must have. prices: of suppressing each cell.
    """

    layout: Layout
    cells: Cells
    absent: Mapping[str, int]
    known: Attacker
    given: Given
    needed: Mapping[int, Level]
    prices: Sequence[Fraction]
    found: Pattern

    @property
    def bare(self) -> set[int]:
        """The places of cells of status u without a protection level, of which nothing is proved."""
        return {n for n, entry in enumerate(self.cells.values()) if entry.status == "u"} - {*self.needed}

    @property
    def exposed(self) -> int:
        """How many of these an attacker knows exactly."""
        return sum(one.place in self.bare for one in self.found.found if one.exact)

    def rows(self) -> Iterator[dict[str, Any]]:
        """The table as it may be published: labels, value and status; no value where it is suppressed."""
        for place, (cell, entry) in enumerate(self.cells.items()):
            status = _status(place, entry, self.found)
            value = None if status in ("u", "m") else entry.value
            yield {**dict(zip(self.layout.by, cell, strict=True)), self.layout.value: value, "status": status}

    def lines(self) -> Iterator[str]:
        """The attacker, and what the pattern costs."""
        from establish.impl.suppression.verdicts import text

        found = self.found
        yield f"attacker: {self.known}"
        yield (
            f"{len(self.cells)} cells: {len(found.primary)} sensitive and {len(found.complementary)} others "
            f"are suppressed, at a price of {text(found.price)} of {text(sum(self.prices, Fraction(0)))}"
        )
        yield f"every sensitive cell is proved to be protected as required; audits: {found.audits}"


def _status(place: int, entry: Entry, found: Pattern) -> str:
    """u for a sensitive cell, m for another one that is suppressed; z stays, and s is the rest."""
    if place in found.primary or place in found.complementary:
        return "u" if place in found.primary or entry.status == "u" else "m"
    from establish.impl.suppression.layout import FORCED

    return FORCED if entry.status == FORCED else "s"


@within_memory("the plan", PARTS)
def suppress_plan(
    tables: Any,
    *,
    by: Names,
    value: str,
    total: Labels | None = None,
    hierarchy: Labels | None = None,
    codes: Labels | None = None,
    rule: Names | None = None,
    contributions: Names = (),
    lpl: str = "",
    upl: str = "",
    status: str = "",
    cost: str = "",
    price: str = "value",
    attacker: str = "nonnegative",
    out: FilePath | None = None,
    force: bool = False,
) -> SuppressionPlan:
    """Which cells to suppress, so that an audit proves every sensitive one protected.

    Sensitive cells are those whose protection level is above 0, by ``rule`` and ``contributions`` or by the
    columns ``lpl`` and ``upl``. status: a column; z must be published; u, m, N stay suppressed. cost: a
    column of prices; price: "value", or "one" for each cell. out: a CSV file for the pattern, mode 600. The
    others: see ``suppress_audit``. The pattern is cheap, not the cheapest. Raises ParameterError or Misuse,
    also where a cell cannot be protected, or memory is short.
    """
    from establish.impl.suppression.cells import read_cells
    from establish.impl.suppression.confidential import require_writable
    from establish.impl.suppression.layout import attacker as attacker_of
    from establish.impl.suppression.layout import hierarchy_files, require_columns_of
    from establish.impl.suppression.plan import costs, plan, settled
    from establish.impl.suppression.requirements import levels
    from establish.proofs_check.api.suppression_files import write_pattern
    from establish.proofs_check.api.suppression_inputs import (
        codes_left_out,
        layout_of,
        require,
        require_contributions,
        tables_of,
    )
    from establish.spec.disclosure_limitation.protection import rule as rule_of

    sources, own = tables_of(tables), ",".join(names_of("--contributions", contributions))
    rules = names_of("--rule", rule or ())
    layout = layout_of(
        ",".join(names_of("--by", by)), value, pairs_of("--total", total),
        pairs_of("--hierarchy", hierarchy), own, lpl=lpl, upl=upl,
        status=status, dash="", cost=cost, true=value if status else "",
    )  # fmt: skip
    require(price in ("value", "one"), f"--price {price} is not value or one")
    require(not cost or price == "value", "--price and --cost exclude each other")
    require_contributions(rules, own)
    require(bool(rules) or bool(lpl or upl), "--rule, --lpl or --upl is missing")
    place = optional_path("--out", out)
    read = [one for one in sources if isinstance(one, Path)]
    require_writable({"--out": place}, [*read, *hierarchy_files(layout)])
    require_free({"--out": place}, force)
    known = attacker_of(attacker)
    require_columns_of(layout, known)
    require(not known.rounded, "a plan is for suppression, not for rounded tables")
    cells, given = settled(read_cells(sources, layout), layout.true)
    absent = codes_left_out(cells, layout, pairs_of("--codes", codes))
    needed = levels(cells, layout, [rule_of(text) for text in rules], published=True)
    prices = costs(cells, layout, by_value=price == "value")
    with progress_bar() as bar:
        task = bar.add_task("planning", total=None)
        found = plan(
            cells, layout, known, needed, prices,
            lambda done, all: bar.update(task, completed=done, total=all), given,
        )  # fmt: skip
    planned = SuppressionPlan(layout, cells, absent, known, given, needed, prices, found)
    if place is not None:
        write_pattern(place, [*layout.by, layout.value, "status"], planned.rows())
    return planned
