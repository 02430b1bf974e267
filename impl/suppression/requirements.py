"""How much protection each suppressed cell must have: by given levels, or by contributions and rules."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from establish.impl.suppression.attacker_bounds import true_value
from establish.impl.suppression.cells import Cells, Entry
from establish.impl.suppression.layout import Layout
from establish.impl.suppression.verdicts import Level
from establish.spec.disclosure_limitation.protection import Rule
from establish.spec.parameters import ParameterError


def levels(
    cells: Cells, layout: Layout, rules: Sequence[Rule], published: bool = False, rounded: bool = False
) -> dict[int, Level]:
    """By place, the levels of the suppressed cells that have one; what is asked for is the most of all.

    published: whether published cells are asked too; rounded: whether their values are. A rule asks for the
    same distance below as above, but never below 0, and for none in a cell that is not sensitive. Raises
    ParameterError that names the cell when its true value is missing, or when its contributions exceed it or
    are not those that a rule reads.
    """
    found = {}
    for place, (cell, entry) in enumerate(cells.items()):
        if entry.value is not None and not published:
            continue
        below, above = _asked(entry, layout, rules, layout.named(cell), rounded)
        width = Fraction(entry.extra.get(layout.spl, 0))
        if min(below, above, width) < 0:
            raise ParameterError(f"the cell {layout.named(cell)}: a protection level is at least 0")
        if below or above or width:
            true = Fraction(true_value(layout.named(cell), entry, layout, rounded))
            found[place] = Level(true, below, above, width)
    return found


def published_though_sensitive(cells: Cells, layout: Layout, rules: Sequence[Rule], rounded: bool) -> int:
    """How many published cells a rule calls sensitive, of those whose contributions are given.

    rounded: whether their values are, so that the true ones stand in their column. Raises ParameterError as
    :func:`levels` does.
    """
    given = {
        cell: entry
        for cell, entry in cells.items()
        if entry.value is not None and any(name in entry.extra for name in layout.contributions)
    }
    return len(levels(given, replace(layout, lpl="", upl="", spl=""), rules, published=True, rounded=rounded))


def _asked(
    entry: Entry, layout: Layout, rules: Sequence[Rule], named: str, rounded: bool
) -> tuple[Fraction, Fraction]:
    extra: Mapping[str, int | Fraction] = entry.extra
    below, above = (Fraction(extra.get(name, 0)) for name in (layout.lpl, layout.upl))
    given = [Fraction(extra[name]) for name in layout.contributions if name in extra]
    if any(name not in extra for name in layout.contributions[: len(given)]):
        raise ParameterError(f"the cell {named}: a smaller contribution is given, a larger one is not")
    for rule in rules:
        try:
            true = Fraction(true_value(named, entry, layout, rounded))
            needed = rule.level(true, given)
        except ParameterError as error:
            raise ParameterError(f"the cell {named}: {error}") from None
        below, above = max(below, min(needed, true)), max(above, needed)
    return below, above
