"""What ``establish suppress plan`` writes and prints."""

from __future__ import annotations

import csv
from collections.abc import Collection, Sequence
from fractions import Fraction
from pathlib import Path

from establish.impl.suppression.cells import Cells, Entry
from establish.impl.suppression.confidential import private_file
from establish.impl.suppression.layout import FORCED, Attacker, Layout
from establish.impl.suppression.plan import Given, Pattern
from establish.impl.suppression.verdicts import text
from establish.proofs_check.commands.suppress.report import say


def write_pattern(path: Path, layout: Layout, cells: Cells, found: Pattern) -> None:
    """Labels, values that may be published, and a status for each cell."""
    with private_file("--out", path) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*layout.by, layout.value, "status"])
        for place, (cell, entry) in enumerate(cells.items()):
            status = _status(place, entry, found)
            writer.writerow([*cell, "" if status in ("u", "m") else entry.value, status])


def _status(place: int, entry: Entry, found: Pattern) -> str:
    """u for a sensitive cell, m for another one that is suppressed; z stays, and s is the rest."""
    if place in found.primary or place in found.complementary:
        return "u" if place in found.primary or entry.status == "u" else "m"
    return FORCED if entry.status == FORCED else "s"


def tell_pattern(known: Attacker, cells: Cells, found: Pattern, prices: Sequence[Fraction]) -> None:
    """What the pattern costs, and that it is proved."""
    say(f"attacker: {known}")
    say(
        f"{len(cells)} cells: {len(found.primary)} sensitive and {len(found.complementary)} others are "
        f"suppressed, at a price of {text(found.price)} of {text(sum(prices, Fraction(0)))}"
    )
    say(f"every sensitive cell is proved to be protected as required; audits: {found.audits}")


def tell_given(cells: Cells, given: Given, levels: Collection[int], found: Pattern) -> int:
    """What statuses settled; how many cells of status u have no level and are known exactly."""
    if given.published or given.suppressed:
        say(
            f"by their status {len(given.published)} cells are published and {len(given.suppressed)} stay "
            "suppressed"
        )
    bare = {place for place, entry in enumerate(cells.values()) if entry.status == "u"} - {*levels}
    exposed = sum(one.place in bare for one in found.found if one.exact)
    if bare:
        say(
            f"{len(bare)} cells of status u have no protection level, so nothing is proved of them; an "
            f"attacker knows {exposed} of them exactly"
        )
    return exposed
