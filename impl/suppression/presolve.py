"""Exact steps that shrink a system of sums, each with the dual vector that proves it.

A sum with one unknown fixes it; a sum of two with factors ±1 makes one the other's alias, x = s·y + c; the
bounds of all but one cell in a sum bound that one. Only factors ±1 are used, so all numbers stay whole. What
is learned of x is kept as a bound with a dual vector over the rows of the original system, and is as
good there as in the reduced one: nothing is believed that :meth:`LinearTable.least` does not certify.
"""

from collections import deque
from dataclasses import dataclass

from establish.spec.disclosure_limitation.linear_bounds import LinearTable, Vector

Dual = dict[int, int]
"""A dual vector by row of the original system."""

LOWER, UPPER = 0, 1
TIGHTENINGS = 4
"""How often the same bound may be tightened: chains of ever smaller steps need not end."""


class Clash(Exception):
    """No table exists, and the dual vector shows it."""

    def __init__(self, dual: Vector) -> None:
        super().__init__()
        self.dual = dual


@dataclass(frozen=True)
class Bound:
    """A bound of one unknown, and the dual vector that certifies it; {} for a bound that was given."""

    value: int
    dual: Dual


@dataclass(frozen=True)
class Alias:
    """x = sign·x[of] + shift by ``dual``, but for unknowns that are fixed."""

    of: int
    sign: int
    shift: int
    dual: Dual


def combined(*terms: tuple[int, Dual]) -> Dual:
    """Σ factor·dual, without zeros."""
    found: Dual = {}
    for factor, dual in terms:
        if factor:
            for row, value in dual.items():
                found[row] = found.get(row, 0) + factor * value
    return {row: value for row, value in found.items() if value}


def _in_terms_of_kept(aliases: dict[int, Alias]) -> dict[int, Alias]:
    found: dict[int, Alias] = {}
    for x, alias in reversed(aliases.items()):
        of = found.get(alias.of)
        found[x] = (
            alias
            if of is None
            else Alias(
                of.of,
                alias.sign * of.sign,
                alias.sign * of.shift + alias.shift,
                combined((1, alias.dual), (alias.sign, of.dual)),
            )
        )
    return found


class Presolved:
    """The reduced system. Raises Clash when it finds that there is no table.

    bounds: of each unknown, lower and upper, None where there is none. aliases: by unknown. fixed: the
    unknowns with one value. rows, right: what is left, about the others; duals: each of these as a
    combination of the original rows. final: aliases of unknowns that are themselves no aliases.
    """

    def __init__(self, table: LinearTable) -> None:
        self.table = table
        lower, upper = (
            [None if end is None else Bound(end, {}) for end in ends] for ends in (table.lower, table.upper)
        )
        self.bounds: tuple[list[Bound | None], list[Bound | None]] = lower, upper
        self.aliases: dict[int, Alias] = {}
        self.fixed: dict[int, int] = {}
        self.rows = [dict(row) for row in table.rows]
        self.right = list(table.right)
        self.duals: list[Dual] = [{at: 1} for at in range(len(self.rows))]
        self._in: list[set[int]] = [set() for _ in table.lower]
        for at, row in enumerate(self.rows):
            for place in row:
                self._in[place].add(at)
        self._touching = [tuple(rows) for rows in self._in]
        self._tightened: dict[tuple[int, int], int] = {}
        self._queue = deque(range(len(self.rows)))
        self._queued = set(self._queue)
        for place in range(len(table.lower)):
            self._settle(place)
        self._run()
        self.final = _in_terms_of_kept(self.aliases)

    def touching(self, place: int) -> tuple[int, ...]:
        """The sums of the original system that an unknown stands in."""
        return self._touching[place]

    def _run(self) -> None:
        while self._queue:
            at = self._queue.popleft()
            self._queued.discard(at)
            row = self.rows[at]
            if not row:
                if self.right[at]:
                    raise Clash(self.lifted({}, self.duals[at], LOWER if self.right[at] > 0 else UPPER))
            elif len(row) == 1:
                self._fix_by(at)
            elif len(row) == 2 and self._alias_by(at):
                pass
            else:
                self._propagate(at)

    def lifted(self, target: Vector, dual: Dual, side: int) -> Dual:
        """``dual`` with what the bounds in use of other unknowns rest on: their own duals are added.

        side: whether it is to certify a lower or an upper bound of target·x. An upper clash is turned round.
        """
        if not target and side == UPPER:
            return self.lifted({}, {row: -value for row, value in dual.items()}, LOWER)
        terms = [(1, dual)]
        for place, value in self.table.remainder(target, dual).items():
            used = self.bounds[LOWER if (value > 0) == (side == LOWER) else UPPER][place]
            if used is not None and used.dual:
                terms.append((value, used.dual))  # type: ignore[arg-type]  # whole: factors are ±1
        return combined(*terms)

    def _queue_rows_of(self, place: int) -> None:
        for at in self._in[place]:
            if at not in self._queued:
                self._queued.add(at)
                self._queue.append(at)

    def _set(self, place: int, side: int, bound: Bound) -> bool:
        """Take a bound that is tighter than the one known; clash when the two ends cross."""
        old = self.bounds[side][place]
        if old is not None and (bound.value <= old.value if side == LOWER else bound.value >= old.value):
            return False
        self.bounds[side][place] = bound
        low, high = self.bounds[LOWER][place], self.bounds[UPPER][place]
        if low is not None and high is not None and low.value > high.value:
            raise Clash(combined((1, low.dual), (-1, high.dual)))
        return True

    def _settle(self, place: int) -> None:
        """An unknown whose bounds meet is fixed: it leaves the rows."""
        low, high = self.bounds[LOWER][place], self.bounds[UPPER][place]
        if place in self.fixed or low is None or high is None or low.value != high.value:
            return
        self.fixed[place] = low.value
        self._queue_rows_of(place)
        for at in self._in[place]:
            self.right[at] -= self.rows[at].pop(place) * low.value
        self._in[place].clear()

    def _fix_by(self, at: int) -> None:
        ((place, factor),) = self.rows[at].items()
        if abs(factor) != 1:
            return
        dual = combined((factor, self.duals[at]))
        for side in (LOWER, UPPER):
            self._set(place, side, Bound(factor * self.right[at], self.lifted({place: 1}, dual, side)))
        self._settle(place)

    def _alias_by(self, at: int) -> bool:
        """x = sign·y + shift: x leaves all rows, and its bounds become y's."""
        (first, a), (second, b) = self.rows[at].items()
        if abs(a) != 1 or abs(b) != 1:
            return False
        x, y, factor = (
            (first, second, a) if len(self._in[first]) <= len(self._in[second]) else (second, first, b)
        )
        sign, shift = -a * b, factor * self.right[at]
        alias = Alias(y, sign, shift, combined((factor, self.duals[at])))
        self.aliases[x] = alias
        self._queue_rows_of(x)
        for other in list(self._in[x]):
            self._substitute(other, x, alias)
        self._in[x].clear()
        for side in (LOWER, UPPER):
            own = self.bounds[side][x]
            if own is not None:
                there = side if sign > 0 else 1 - side
                value = sign * (own.value - shift)
                dual = self.lifted({y: 1}, combined((-sign, alias.dual)), there)
                if self._set(y, there, Bound(value, dual)):
                    self._queue_rows_of(y)
        self._settle(y)
        return True

    def _substitute(self, at: int, x: int, alias: Alias) -> None:
        row = self.rows[at]
        factor = row.pop(x)
        self.right[at] -= factor * alias.shift
        self.duals[at] = combined((1, self.duals[at]), (-factor, alias.dual))
        new = row.get(alias.of, 0) + factor * alias.sign
        if new:
            row[alias.of] = new
            self._in[alias.of].add(at)
        else:
            row.pop(alias.of, None)
            self._in[alias.of].discard(at)

    def _propagate(self, at: int) -> None:
        """Bound each unknown of a sum by the others' bounds."""
        row, right = self.rows[at], self.right[at]
        for side in (LOWER, UPPER):
            # The most (side LOWER) or the least that the terms can add up to, where it is finite.
            total, open_ = 0, []
            for place, factor in row.items():
                end = self.bounds[UPPER if (factor > 0) == (side == LOWER) else LOWER][place]
                if end is None:
                    open_.append(place)
                else:
                    total += factor * end.value
            if len(open_) > 1:
                continue
            for place in open_ or list(row):
                factor = row[place]
                if abs(factor) != 1:
                    continue
                rest = total
                if not open_:
                    own = self.bounds[UPPER if (factor > 0) == (side == LOWER) else LOWER][place]
                    assert own is not None
                    rest -= factor * own.value
                self._tighten(at, place, side if factor > 0 else 1 - side, factor * (right - rest))
        for place in list(row):
            self._settle(place)

    def _tighten(self, at: int, place: int, side: int, value: int) -> None:
        old = self.bounds[side][place]
        if old is not None and (value <= old.value if side == LOWER else value >= old.value):
            return
        times = self._tightened.get((place, side), 0)
        if times >= TIGHTENINGS:
            return
        self._tightened[place, side] = times + 1
        dual = combined((self.rows[at][place], self.duals[at]))
        if self._set(place, side, Bound(value, self.lifted({place: 1}, dual, side))):
            self._queue_rows_of(place)
