"""A pattern of suppressions that an audit proves to be sufficient.

Sensitive cells are suppressed first. For each of them, and each side, a linear program looks for the cheapest
change of the table that moves the cell as far as its level asks and that no sum and no known bound forbids;
every cell that changes is suppressed too. That is a heuristic. The audit at the end is not: where a cell is
still short of its level, its change is looked for again and the audit repeated. In a small table
complementary cells are published again, one after the other, where an audit proves that the rest suffices.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np

from establish.impl.suppression.attacker_bounds import known_bounds
from establish.impl.suppression.audit import audit
from establish.impl.suppression.cells import Cells, Entry
from establish.impl.suppression.engines import highs, silent
from establish.impl.suppression.layout import FORCED, SUPPRESSED, Attacker, Layout
from establish.impl.suppression.sums import Problem, problem
from establish.impl.suppression.verdicts import Interval, Level, intervals
from establish.spec.parameters import ParameterError

ROUNDS = 6
"""Audits before a pattern is given up."""

PRUNED = 20_000
"""Complementary times suppressed cells, above which no audit asks whether one of them is needless."""

TRUE = "establish true value"
CHANGED = 1e-6
"""A change in units of the table below which a solver's float is 0."""


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

    Raises ParameterError that names the cell for one without a value.
    """
    found = {}
    for cell, entry in cells.items():
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
    hidden = {*levels, *given.suppressed}
    moves = _Moves(whole, cells, layout, attacker, given.published)
    left = sorted(levels, key=lambda place: -levels[place].above)
    for round_ in range(1, ROUNDS + 1):
        for done, place in enumerate(left):
            progress(done, len(left))
            cost = [0.0 if k in hidden else float(p) + CHANGED for k, p in enumerate(prices)]
            for step in (levels[place].above, -levels[place].below):
                if step:
                    hidden |= moves.cheapest(place, step, cost)
                    cost = [0.0 if k in hidden else c for k, c in enumerate(cost)]
        found = _audited(cells, hidden, layout, attacker)
        short = [one.place for one in found if one.place in levels and not levels[one.place].left(one)]
        if not short:
            hidden, found, more = _pruned(
                cells, hidden, layout, attacker, levels, prices, found, given.suppressed
            )
            others = frozenset(hidden - set(levels))
            price = sum((prices[place] for place in hidden), Fraction(0))
            return Pattern(frozenset(levels), others, price, round_ + more, found)
        left = short
    raise ParameterError(
        f"the cell {whole.names[left[0]]} is not proved to be protected after {ROUNDS} audits"
    )


def _pruned(
    cells: Cells,
    hidden: set[int],
    layout: Layout,
    attacker: Attacker,
    levels: Mapping[int, Level],
    prices: Sequence[Fraction],
    found: list[Interval],
    kept: Collection[int],
) -> tuple[set[int], list[Interval], int]:
    """The pattern without cells, dearest first, that audits prove to be needless; the last; how many."""
    others = sorted(hidden - {*levels, *kept}, key=lambda place: -prices[place])
    if len(others) * len(hidden) > PRUNED:
        return hidden, found, 0
    for place in others:
        fewer = hidden - {place}
        seen = _audited(cells, fewer, layout, attacker)
        if all(one.place not in levels or levels[one.place].left(one) for one in seen):
            hidden, found = fewer, seen
    return hidden, found, len(others)


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


class _Moves:
    """Changes of a full table, up and down apart, that keep all sums and known bounds."""

    def __init__(
        self, whole: Problem, cells: Cells, layout: Layout, attacker: Attacker, published: Collection[int]
    ) -> None:
        module = highs()
        if module is None:
            raise ParameterError("a plan needs highspy, of the extra suppress")
        self._names, self._whole_steps = whole.names, attacker.integers
        count = len(cells)
        infinite = module.kHighsInf
        room = []
        for name, entry in zip(whole.names, cells.values(), strict=True):
            value = _value(entry)
            low, high = known_bounds(name, Entry(None, {**entry.extra, TRUE: value}), layout, attacker, None)
            room.append(
                (
                    infinite if high is None else float(high - value),
                    infinite if low is None else float(value - low),
                )
            )
        room = [(0.0, 0.0) if place in published else both for place, both in enumerate(room)]
        self._forced = f", while {len(published)} cells must be published" if published else ""
        self._room = np.array([up for up, _ in room] + [down for _, down in room])
        model = module.HighsLp()
        model.num_col_, model.num_row_ = 2 * count, len(whole.sums)
        model.col_cost_ = np.zeros(2 * count)
        model.col_lower_ = np.zeros(2 * count)
        model.col_upper_ = self._room
        model.row_lower_ = model.row_upper_ = np.zeros(len(whole.sums))
        matrix = model.a_matrix_
        matrix.format_ = module.MatrixFormat.kRowwise
        terms = [found.terms for found in whole.sums]
        matrix.start_ = np.cumsum([0, *(2 * len(row) for row in terms)]).astype(np.int32)
        matrix.index_ = np.array([p + k for row in terms for p, _ in row for k in (0, count)], np.int32)
        matrix.value_ = np.array([f * s for row in terms for _, f in row for s in (1.0, -1.0)])
        self._count = count
        self._highs: Any = silent(module)
        self._highs.passModel(model)
        self._optimal = module.HighsModelStatus.kOptimal

    def cheapest(self, place: int, step: Fraction, cost: Sequence[float]) -> set[int]:
        """The cells that the cheapest change by ``step`` of one of them changes, itself among them."""
        count = self._count
        far = float(ceil(abs(step)) if self._whole_steps else abs(step))
        along, against = (place, place + count) if step > 0 else (place + count, place)
        if far > self._room[along]:
            raise ParameterError(f"the cell {self._names[place]} cannot be protected: its bounds are known")
        both = np.array([*cost, *cost])
        self._highs.changeColsCost(2 * count, np.arange(2 * count, dtype=np.int32), both)
        self._highs.changeColBounds(along, far, far)
        self._highs.changeColBounds(against, 0.0, 0.0)
        self._highs.run()
        status = self._highs.getModelStatus()
        found = np.array(self._highs.getSolution().col_value) if status == self._optimal else None
        for column in (along, against):
            self._highs.changeColBounds(column, 0.0, float(self._room[column]))
        if found is None:
            raise ParameterError(
                f"the cell {self._names[place]} cannot be protected, whatever else is suppressed"
                + self._forced
            )
        change = found[:count] - found[count:]
        return {int(k) for k in np.flatnonzero(np.abs(change) > CHANGED)}
