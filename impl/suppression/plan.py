"""A pattern of suppressions that an audit proves to be sufficient.

Sensitive cells are suppressed first. For each of them, and each side, a linear program looks for the cheapest
change of the table that moves the cell as far as its level asks and that no sum and no known bound forbids;
every cell that changes is suppressed too. Then complementary cells are published again, one after the other,
where every level is still reached by a change of the rest that satisfies all sums exactly. All that is a
heuristic. The audit at the end is not: where a cell is short of its level, its change is looked for again and
the audit repeated.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor

import numpy as np

from establish.impl.suppression.audit import audit
from establish.impl.suppression.cells import Cells, Entry, Number
from establish.impl.suppression.layout import FORCED, SUPPRESSED, Attacker, Layout
from establish.impl.suppression.moves import CHANGED, Moves, Room, rooms
from establish.impl.suppression.sums import Problem, problem
from establish.impl.suppression.verdicts import Interval, Level, intervals
from establish.spec.parameters import ParameterError

ROUNDS = 6
"""Audits before a pattern is given up."""

TRUE = "establish true value"


@dataclass(frozen=True)
class Given:
    """What is settled before a plan: places of cells that must be published, and of those that are suppressed
    already, which stay so.
    """

    published: frozenset[int] = frozenset()
    suppressed: frozenset[int] = frozenset()


NOTHING = Given()


def settled(cells: Cells, value: str) -> tuple[Cells, Given]:
    """All cells with their values, and what their statuses settle. value: what holds it in a suppressed one.

    Raises ParameterError that names the cell for one without a value, or suppressed in one table alone.
    """
    found = {}
    for cell, entry in cells.items():
        if entry.status in SUPPRESSED and entry.value is not None:
            raise ParameterError(
                f"the cell {', '.join(cell)} is suppressed in one table and published in another"
            )
        known = entry.extra.get(value) if entry.value is None else entry.value
        if known is None:
            raise ParameterError(f"a plan needs the value of every cell: {', '.join(cell)} has none")
        found[cell] = replace(entry, value=known)
    statuses = [entry.status for entry in found.values()]
    published = frozenset(place for place, status in enumerate(statuses) if status == FORCED)
    suppressed = frozenset(place for place, status in enumerate(statuses) if status in SUPPRESSED)
    return found, Given(published, suppressed)


def costs(cells: Cells, layout: Layout, by_value: bool = True) -> list[Fraction]:
    """What suppressing each cell costs: by its column, else its value without a sign, else 1.

    Raises ParameterError that names a cell with no cost, or one below 0.
    """
    if not layout.cost:
        return [abs(Fraction(_value(entry))) if by_value else Fraction(1) for entry in cells.values()]
    found = []
    for cell, entry in cells.items():
        cost = entry.extra.get(layout.cost)
        if cost is None or cost < 0:
            raise ParameterError(f"the cell {layout.named(cell)}: its {layout.cost} must be at least 0")
        found.append(Fraction(cost))
    return found


@dataclass(frozen=True)
class Pattern:
    """Places of the cells to suppress, how many audits it took, and what that of the pattern says."""

    primary: frozenset[int]
    complementary: frozenset[int]
    price: Fraction
    audits: int
    found: Sequence[Interval]


def plan(
    cells: Cells,
    layout: Layout,
    attacker: Attacker,
    levels: Mapping[int, Level],
    prices: Sequence[Fraction],
    progress: Callable[[int, int], None] = lambda done, all: None,
    given: Given = NOTHING,
) -> Pattern:
    """A pattern that leaves the attacker as far from every cell of ``levels`` as it asks.

    cells: all with their values. prices: of suppressing each, in their order, at least 0. given: what is
    settled. Raises ParameterError that names the cell when one must be published and is of ``levels``, when
    one cannot be protected, or when ROUNDS audits prove no pattern.
    """
    layout = replace(layout, true=TRUE)
    whole = problem(cells, layout, attacker)
    if len(whole.cells) > whole.listed:
        raise ParameterError("a plan needs every total: the table leaves some out")
    for place in sorted(given.published & levels.keys()):
        raise ParameterError(
            f"the cell {whole.names[place]} must be published (status {FORCED}), and is sensitive"
        )
    room = rooms(whole, cells, layout, attacker)
    search = _Search(whole, room, prices, given, attacker.integers)
    hidden = {*levels, *given.suppressed}
    left = sorted(levels, key=lambda place: -levels[place].above)
    for round_ in range(1, ROUNDS + 1):
        for done, place in enumerate(left):
            progress(done, len(left))
            hidden |= search.protecting(place, levels[place], hidden)
        hidden = search.pruned(hidden, levels) if round_ < ROUNDS else hidden
        found = _audited(cells, hidden, layout, attacker)
        left = [one.place for one in found if one.place in levels and not levels[one.place].left(one)]
        if not left:
            others = frozenset(hidden - set(levels))
            price = sum((prices[place] for place in hidden), Fraction(0))
            return Pattern(frozenset(levels), others, price, round_, found)
    raise ParameterError(
        f"the cell {whole.names[left[0]]} is not proved to be protected after {ROUNDS} audits"
    )


class _Search:
    """Looks for changes that protect a cell, and for suppressed cells that none of them needs."""

    def __init__(
        self, whole: Problem, room: Sequence[Room], prices: Sequence[Fraction], given: Given, integers: bool
    ) -> None:
        self._whole, self._room, self._prices = whole, room, prices
        self._given, self._integers = given, integers
        self._places = [k for k in range(len(room)) if k not in given.published]
        self._costs = np.array([float(prices[k]) for k in self._places]) + CHANGED
        self._all = Moves(whole, room, self._places)

    def _steps(self, level: Level) -> list[Number]:
        ends = (level.above, -level.below)
        return [_outward(end) if self._integers else end for end in ends if end]

    def protecting(self, place: int, level: Level, hidden: Collection[int]) -> set[int]:
        """The hidden cells, and those that let this one move as far as its level asks, both ways."""
        found = {*hidden}
        for step in self._steps(level):
            room = self._room[place][step < 0]
            if room is not None and room < max(step, -step):
                raise ParameterError(
                    f"the cell {self._whole.names[place]} cannot be protected: its bounds are known"
                )
            if Moves(self._whole, self._room, found).cheapest(place, step) is not None:
                continue
            self._all.price(self._costs * ~np.isin(self._places, [*found]))
            change = self._all.cheapest(place, step)
            if change is None:
                forced = len(self._given.published)
                raise ParameterError(
                    f"the cell {self._whole.names[place]} cannot be protected, whatever else is suppressed"
                    + (f", while {forced} cells must be published" if forced else "")
                )
            found |= self._all.changed(change)
        return found

    def pruned(self, hidden: set[int], levels: Mapping[int, Level]) -> set[int]:
        """Without cells, dearest first, that no level needs: each keeps a change that reaches it exactly."""
        others = sorted(hidden - {*levels, *self._given.suppressed}, key=lambda place: -self._prices[place])
        moves = Moves(self._whole, self._room, hidden)
        moves.price(np.ones(len(hidden)))
        needs = [(place, step) for place, level in levels.items() for step in self._steps(level)]
        reached = {need: moves.exact(*need) for need in needs}
        if None in reached.values() or any(one.width > one.below + one.above for one in levels.values()):
            return hidden
        for place in others:
            moves.hold(place)
            again: dict[tuple[int, Number], set[int] | None] = {}
            for need in (need for need, cells in reached.items() if cells and place in cells):
                again[need] = moves.exact(*need)
                if again[need] is None:
                    moves.hold(place, False)
                    break
            else:
                reached |= again
                hidden = hidden - {place}
        return hidden


def _outward(end: Fraction) -> int:
    return ceil(end) if end > 0 else floor(end)


def _audited(cells: Cells, hidden: set[int], layout: Layout, attacker: Attacker) -> list[Interval]:
    """The intervals of the pattern."""
    published = {}
    for place, (cell, entry) in enumerate(cells.items()):
        extra = {**entry.extra, TRUE: _value(entry)}
        published[cell] = Entry(None if place in hidden else entry.value, extra)
    asked = problem(published, layout, attacker)
    return intervals(asked, audit(asked, attacker.integers))


def _value(entry: Entry) -> int | Fraction:
    if entry.value is None:
        raise ParameterError("a plan needs the value of every cell")
    return entry.value
