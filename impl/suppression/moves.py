"""The cheapest changes of a table that move one cell as far as asked, and that all sums and bounds allow."""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from establish.impl.arrays import Floats
from establish.impl.suppression.attacker_bounds import known_bounds
from establish.impl.suppression.cells import Cells, Entry, Number
from establish.impl.suppression.engines import highs, silent
from establish.impl.suppression.layout import Attacker, Layout
from establish.impl.suppression.programs import Matrix, Ratios
from establish.impl.suppression.sums import Problem
from establish.impl.suppression.vertices import rounded
from establish.spec.parameters import ParameterError

CHANGED = 1e-6
"""A change in units of the table below which a solver's float is 0."""

Room = tuple[Number | None, Number | None]
"""How far a value may go up and down; None for ever."""


def rooms(whole: Problem, cells: Cells, layout: Layout, attacker: Attacker) -> list[Room]:
    """That of each cell, by what the attacker would know of it, were it suppressed."""
    found: list[Room] = []
    for name, entry in zip(whole.names, cells.values(), strict=True):
        value = entry.value
        assert value is not None
        hidden = Entry(None, {**entry.extra, layout.true: value})
        low, high = known_bounds(name, hidden, layout, attacker, None)
        found.append((None if high is None else high - value, None if low is None else value - low))
    return found


class Moves:
    """Changes of the cells at ``places``, up and down apart; all others stand still."""

    def __init__(self, whole: Problem, room: Sequence[Room], places: Collection[int]) -> None:
        module = highs()
        if module is None:
            raise ParameterError("a plan needs highspy, of the extra suppress")
        self._at = {place: k for k, place in enumerate(places)}
        self._places, self._room, count = list(places), room, len(places)
        rows = [{self._at[p]: f for p, f in one.terms if p in self._at} for one in whole.sums]
        rows = [row for row in rows if row]
        self._sums = Matrix.of(rows, count)
        both = Matrix.of([row | {k + count: -f for k, f in row.items()} for row in rows], 2 * count).content
        ends = [room[place][way] for way in (0, 1) for place in places]
        self._ends = np.array([module.kHighsInf if end is None else float(end) for end in ends])
        model = module.HighsLp()
        model.num_row_, model.num_col_ = both.shape
        model.col_cost_ = model.col_lower_ = np.zeros(2 * count)
        model.col_upper_ = self._ends.copy()
        model.row_lower_ = model.row_upper_ = np.zeros(len(rows))
        model.a_matrix_.format_ = module.MatrixFormat.kRowwise
        model.a_matrix_.start_, model.a_matrix_.index_ = both.indptr, both.indices
        model.a_matrix_.value_ = both.data.astype(float)
        self._highs: Any = silent(module)
        self._highs.passModel(model)
        self._optimal = module.HighsModelStatus.kOptimal

    def price(self, prices: Floats) -> None:
        """What changing each of the places costs per unit."""
        both = np.tile(prices, 2)
        self._highs.changeColsCost(len(both), np.arange(len(both), dtype=np.int32), both)

    def hold(self, place: int, still: bool = True) -> None:
        """Let a cell stand still, or move again."""
        for column in (self._at[place], self._at[place] + len(self._places)):
            self._highs.changeColBounds(column, 0.0, 0.0 if still else self._ends[column])

    def cheapest(self, place: int, step: Number) -> Floats | None:
        """The change, in floats and by the order of the places, that moves one by ``step``; None for none."""
        far, count = float(max(step, -step)), len(self._places)
        along, against = self._at[place] + np.array([0, count] if step > 0 else [count, 0])
        if far > self._ends[along]:
            return None
        self._highs.changeColBounds(along, far, far)
        self._highs.changeColBounds(against, 0.0, 0.0)
        self._highs.run()
        done = self._highs.getModelStatus() == self._optimal
        change = np.array(self._highs.getSolution().col_value) if done else None
        self.hold(place, False)
        return None if change is None else change[:count] - change[count:]

    def changed(self, change: Floats) -> set[int]:
        """The cells that it moves."""
        return {self._places[k] for k in np.flatnonzero(abs(change) > CHANGED)}

    def exact(self, place: int, step: Number) -> set[int] | None:
        """The cells that such a change moves, if one keeps all sums and bounds exactly."""
        change = self.cheapest(place, step)
        near = () if change is None else rounded(change)
        return next((self._moved(one) for one in near if self._is_change(one, place, step)), None)

    def _moved(self, change: Ratios) -> set[int]:
        return {self._places[k] for k in np.flatnonzero(change.numbers)}

    def _is_change(self, change: Ratios, place: int, step: Number) -> bool:
        if self._sums.times(change.numbers).any() or change[self._at[place]] != step:
            return False
        for k in np.flatnonzero(change.numbers).tolist():
            up, down = self._room[self._places[k]]
            if (up is not None and change[k] > up) or (down is not None and -change[k] > down):
                return False
        return True
