"""The two ends of every unknown in one component: by presolve, by a table found, or by a linear program."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any, Protocol

import numpy as np
from scipy.sparse import csc_array

from establish.impl.arrays import Integers
from establish.impl.suppression.engines import Engine, Infeasible, engine
from establish.impl.suppression.expansion import Component
from establish.impl.suppression.presolve import LOWER, UPPER, Alias, Clash, Presolved, combined
from establish.impl.suppression.programs import Hint, Program, Ratios, scaled, whole
from establish.impl.suppression.vertices import Checker, duals, rounded
from establish.impl.suppression.whole_numbers import least_whole_point, whole_clash
from establish.spec.disclosure_limitation.linear_bounds import Vector

Exact = int | Fraction

NEAR = 1e-6
"""A certified bound this near to a solver's optimum is likely to be the optimum."""


SEVERAL, TRIES = 4, 3
"""Fewer ends than these are looked for one by one, and so is an end that was missed so often with others."""


class Sink(Protocol):
    """What takes the answers as they are found."""

    def table(self, changes: Mapping[int, Exact]) -> None:
        """From now on the table has these values; unknowns that are not named keep theirs."""

    def end(self, place: int, side: int, bound: Exact, dual: Vector, inner: Exact) -> None:
        """An end: ``dual`` certifies ``bound``, and the present table has the value ``inner`` there."""

    def direction(self, changes: Mapping[int, Exact]) -> None:
        """From now on this is the direction."""

    def unbounded(self, place: int, side: int) -> None:
        """The present direction moves the unknown that way for ever."""


class Follower(Sink, Protocol):
    """One that says whether it wants the tables, which are costly to write out."""

    @property
    def follows(self) -> bool:
        """Whether it does."""


class Unsettled(Exception):
    """No exact table was found, nor a proof that there is none."""


@dataclass
class _Member:
    """An unknown in terms of a kept one: x = sign·z + shift, with a dual vector for each side."""

    place: int
    sign: int
    shift: int
    duals: tuple[Mapping[int, int], Mapping[int, int]]


class Search:
    """Everything about one component."""

    def __init__(
        self, presolved: Presolved, component: Component, members: Sequence[tuple[int, Alias]],
        integers: bool, sink: Follower,
    ) -> None:  # fmt: skip
        self._presolved, self._integers, self._sink = presolved, integers, sink
        self._kept = component.kept
        at = {place: k for k, place in enumerate(self._kept)}
        self._checker = Checker(presolved, self._kept, members)
        self._duals = [presolved.duals[row] for row in component.rows]
        rows = [{at[p]: v for p, v in presolved.rows[row].items()} for row in component.rows]
        bounds = [[self._value(side, place) for place in self._kept] for side in (LOWER, UPPER)]
        self._program = Program(rows, [presolved.right[r] for r in component.rows], *bounds)
        self._bounds = bounds
        self._members: list[list[_Member]] = [[_Member(place, 1, 0, ({}, {}))] for place in self._kept]
        for place, alias in members:
            aim = {place: 1, alias.of: -alias.sign}
            low, high = (presolved.lifted(aim, alias.dual, side) for side in (LOWER, UPPER))
            self._members[at[alias.of]].append(_Member(place, alias.sign, alias.shift, (low, high)))
        self._open = np.ones((2, len(self._kept)), dtype=bool)
        self._has_end = np.array([[end is not None for end in ends] for ends in bounds])
        self._ends = [whole(end or 0 for end in ends) for ends in bounds]
        self._now: Ratios | None = None
        self._direction: dict[int, Exact] = {}
        self.programs = 0

    def _value(self, side: int, place: int) -> int | None:
        bound = self._presolved.bounds[side][place]
        return None if bound is None else bound.value

    def run(self, step: Callable[[], None]) -> None:
        """Find and report all ends; ``step`` is called after each unknown. Raises Clash or Unsettled."""
        if not self._program.rows:
            self._run_alone()
            return
        solver = self._start()
        if any(end is None for ends in self._bounds for end in ends):
            self._look_for_directions()
        for side in (LOWER, UPPER):
            self._reach_together(solver, side)
            for k in range(len(self._kept)):
                if self._open[side, k]:
                    self._solve(solver, k, side)
                step()

    # --- beginnings ---

    def _run_alone(self) -> None:
        """Unknowns in no sum: any value between their bounds will do."""
        for side in (LOWER, UPPER):
            ends = self._bounds[side]
            other = self._bounds[1 - side]
            point = whole(_first(end, there, 0) for end, there in zip(ends, other, strict=True))
            vertex = Ratios(point, 1)
            if not self._checker.is_table(vertex):
                raise Unsettled
            self._move(vertex)
            for k, end in enumerate(ends):
                if end is None:
                    self._take_direction({k: 1 if side == UPPER else -1})

    def _start(self) -> Engine:
        solver = engine(self._program)
        try:
            hint = solver.least({})
        except Infeasible:
            self._show_clash()
            raise Unsettled from None
        if hint is None:
            raise Unsettled
        vertex = self._checker.vertex(hint.point)
        if vertex is None and (better := solver.exactly(False)) is not None:
            vertex = self._checker.vertex(better.point)
        if self._integers and (vertex is None or vertex.denominator > 1):
            vertex = self._integer_table({})
            if vertex is None:
                self._show_no_whole_table()
        if vertex is None:
            raise Unsettled
        self._move(vertex)
        return solver

    def _show_clash(self) -> None:
        """A dual vector for the least violation of the sums, which has its own linear program."""
        m, n = len(self._program.rows), len(self._kept)
        rows = [{**row, n + i: 1, n + m + i: -1} for i, row in enumerate(self._program.rows)]
        wide = Program(
            rows, self._program.right,
            [*self._program.lower, *[0] * (2 * m)], [*self._program.upper, *[None] * (2 * m)],
        )  # fmt: skip
        hint = engine(wide).least({n + i: 1 for i in range(2 * m)})
        if hint is None:
            return

        def clashes(dual: dict[int, Exact]) -> bool:
            lifted = self._presolved.lifted({}, self._original(dual), LOWER)
            if self._presolved.table.clashes(lifted):
                raise Clash(lifted)
            return False

        duals(hint.dual, clashes)

    def _integer_table(self, cost: Mapping[int, int]) -> Ratios | None:
        self.programs += 1
        point = least_whole_point(self._program, cost)
        if point is None:
            return None
        vertex = Ratios(whole(point), 1)
        return vertex if self._checker.is_table(vertex) else None

    def _show_no_whole_table(self) -> None:
        dual = whole_clash(self._program)
        if dual is not None:
            found = self._original(dual)
            if self._presolved.table.clashes_in_integers(found):
                raise Clash(found)

    # --- unbounded ends ---

    def _look_for_directions(self) -> None:
        """Ways to move a table for ever, which leave out no unknown that has one."""
        cone = [[None if end is None else 0 for end in ends] for ends in self._bounds]
        capped = Program(
            self._program.rows, [0] * len(self._program.rows),
            [-1 if end is None else 0 for end in cone[LOWER]],
            [1 if end is None else 0 for end in cone[UPPER]],
        )  # fmt: skip
        solver = engine(capped)
        count = len(self._kept)
        mixed = ({k: (k * 7919) % 13 - 6 for k in range(count)}, dict.fromkeys(range(count), 1))
        for cost in (*mixed, *({k: -v for k, v in c.items()} for c in mixed)):
            self._try_direction(solver, {k: v for k, v in cost.items() if v})
        for side in (LOWER, UPPER):
            for k in range(count):
                if self._open[side, k] and self._bounds[side][k] is None:
                    self._try_direction(solver, {k: 1 if side == LOWER else -1})

    def _try_direction(self, solver: Engine, cost: dict[int, int]) -> None:
        self.programs += 1
        hint = solver.least(cost)
        if hint is None:
            return
        for near in rounded(hint.point):
            change = {int(k): int(near.numbers[k]) for k in np.flatnonzero(near.numbers)}
            if all(
                sum(value * change.get(k, 0) for k, value in row.items()) == 0 for row in self._checker.rows
            ):
                self._take_direction(change)
                return

    def _take_direction(self, change: Mapping[int, int]) -> None:
        fresh = [
            (k, side)
            for k, value in change.items()
            for side in ((UPPER,) if value > 0 else (LOWER,))
            if self._open[side, k]
        ]
        stopped = any(
            self._bounds[UPPER if value > 0 else LOWER][k] is not None for k, value in change.items()
        )
        if not fresh or stopped:
            return
        self._sink.direction({m.place: m.sign * v for k, v in change.items() for m in self._members[k]})
        for k, side in fresh:
            self._open[side, k] = False
            for m in self._members[k]:
                self._sink.unbounded(m.place, side if m.sign > 0 else 1 - side)

    # --- bounded ends ---

    def _reach_together(self, solver: Engine, side: int) -> None:
        """Ends that presolve knows, many with one table: unknowns that stand in no common sum are pushed."""
        columns, draw = self._program.matrix.content.tocsc(), np.random.default_rng(side)
        left = np.where(self._open[side] & self._has_end[side], TRIES, 0)
        while len(chosen := _apart(draw.permutation(np.flatnonzero(left)), columns)) > SEVERAL:
            self.programs += 1
            point = solver.lower(dict.fromkeys(chosen.tolist(), 1 if side == LOWER else -1))
            vertex = None if point is None else self._checker.vertex(point)
            if vertex is None or (self._integers and vertex.denominator > 1):
                return
            self._move(vertex)
            if np.count_nonzero(self._open[side, chosen]) > len(chosen) / 2:
                return
            left[chosen] -= 1
            left[~self._open[side]] = 0

    def _solve(self, solver: Engine, k: int, side: int) -> None:
        self.programs += 1
        cost = {k: 1 if side == LOWER else -1}
        try:
            hint = solver.least(cost)
        except Infeasible:
            hint = None
        if hint is None:
            self._close_as_enclosure(k, side, self._own_dual(k, side))
            return
        vertex, found = self._made_exact(k, side, hint)
        own = self._own_dual(k, side)
        choices = [pair for pair in (found, own) if pair is not None]
        near = found is not None and abs(float(found[0]) - float(hint.point[k])) < NEAR
        for with_dual in (False, True) if near else (True,):
            if vertex is not None and any(pair[0] == vertex[k] for pair in choices):
                break
            better = solver.exactly(with_dual)
            if better is not None:
                vertex_, found_ = self._made_exact(k, side, better)
                vertex = vertex_ or vertex
                choices += [found_] if found_ is not None else []
        best = max if side == LOWER else min
        bound, dual = best(choices, key=lambda pair: pair[0]) if choices else (None, {})
        if bound is None:
            self._close_as_enclosure(k, side, None)
            return
        if self._integers and (vertex is None or vertex.denominator > 1):
            vertex = self._integer_table(cost)
        if vertex is not None:
            self._move(vertex)
        if self._open[side, k]:
            self._close_with(k, side, bound, dual)

    def _made_exact(self, k: int, side: int, hint: Hint) -> tuple[Ratios | None, tuple[Exact, Vector] | None]:
        """An exact table and the best certified bound near a solver's answer."""
        vertex = self._checker.vertex(hint.point)
        found: list[tuple[Exact, Vector]] = []

        def take(dual: Mapping[int, Exact]) -> bool:
            turned = self._original(dual, 1 if side == LOWER else -1)
            lifted = self._presolved.lifted({self._kept[k]: 1}, turned, side)
            bound = self._bound(self._kept[k], side, lifted)
            if bound is not None:
                found.append((bound, lifted))
            return bound is not None and vertex is not None and bound == vertex[k]

        duals(hint.dual, take)
        best = max if side == LOWER else min
        return vertex, best(found, key=lambda pair: pair[0]) if found else None

    def _own_dual(self, k: int, side: int) -> tuple[Exact, Vector] | None:
        bound = self._presolved.bounds[side][self._kept[k]]
        return None if bound is None else (bound.value, bound.dual)

    def _close_as_enclosure(self, k: int, side: int, own: tuple[Exact, Vector] | None) -> None:
        if not self._open[side, k]:
            return
        if own is None:
            raise Unsettled
        self._close_with(k, side, *own)

    def _bound(self, place: int, side: int, dual: Vector) -> Exact | None:
        table = self._presolved.table
        return (table.least if side == LOWER else table.greatest)({place: 1}, dual)

    def _original(self, dual: Mapping[int, Exact], sign: int = 1) -> Any:
        terms: list[Any] = [(sign * v, self._duals[row]) for row, v in dual.items()]
        return combined(*terms)

    def _move(self, vertex: Ratios) -> None:
        """Go to a table, report what changed, and close the ends that presolve knows and it attains."""
        old, self._now = self._now, vertex
        if self._sink.follows:
            changed = (
                np.full(len(self._kept), True)
                if old is None
                else scaled(vertex.numbers, old.denominator) != scaled(old.numbers, vertex.denominator)
            )
            self._sink.table(
                {
                    m.place: m.sign * value + m.shift
                    for k in np.flatnonzero(changed).tolist()
                    for value in [_simple(vertex[k])]
                    for m in self._members[k]
                }
            )
        for side in (LOWER, UPPER):
            there = vertex.numbers == scaled(self._ends[side], vertex.denominator)
            for k in np.flatnonzero(there & self._has_end[side] & self._open[side]):
                own = self._own_dual(int(k), side)
                assert own is not None
                self._close_with(int(k), side, *own)

    def _close_with(self, k: int, side: int, bound: Exact, dual: Vector) -> None:
        assert self._now is not None
        self._open[side, k] = False
        inner = _simple(self._now[k])
        for m in self._members[k]:
            there = side if m.sign > 0 else 1 - side
            own: Any = combined((1, m.duals[there]), (m.sign, dual))  # type: ignore[arg-type]  # fractions too
            found = self._bound(m.place, there, own)
            expected = m.sign * bound + m.shift
            if found is None:
                raise AssertionError(f"a dual vector was not lifted to {m.place}: {expected}")
            if self._integers:
                found = ceil(found) if there == LOWER else -ceil(-found)
            self._sink.end(m.place, there, found, own, m.sign * inner + m.shift)


def _simple(value: Fraction) -> Exact:
    return value.numerator if value.denominator == 1 else value


def _apart(places: Integers, columns: csc_array) -> Integers:
    """Some of these places of which no two stand in one of the sums, whose columns these are: in that order,
    and as many as fit.
    """
    found = [places[:0]]
    while len(places):
        own = columns[:, places]
        rank, first = (
            np.repeat(np.arange(len(places)), np.diff(own.indptr)),
            np.empty(columns.shape[0], np.int64),
        )
        first[own.indices[::-1]] = rank[::-1]  # the last that is written stays: the first in order
        beaten = np.zeros(len(places), dtype=bool)
        beaten[rank[first[own.indices] < rank]] = True
        found.append(places[~beaten])
        taken = np.zeros(columns.shape[0], dtype=bool)
        taken[own.indices[~beaten[rank]]] = True
        beaten[rank[taken[own.indices]]] = False
        places = places[beaten]
    return np.concatenate(found)


def _first(*ends: int | None) -> int:
    return next(end for end in ends if end is not None)
