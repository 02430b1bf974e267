"""Exact tables near what a solver returned, checked against the sums of the original system."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor, lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from establish.impl.suppression.presolve import Alias, Presolved

SMALL_DENOMINATORS = (1, 2, 6)
LARGEST_DENOMINATOR = 10**30
"""Of all entries together, when the small ones have failed; beyond it the floats were noise."""

NOISE = 1e-8
"""What floats of a solver may be off by, relative to numbers above 1."""

SAFE = 2.0**62
"""Sums of products below it are exact in 64 bits."""


@dataclass(frozen=True)
class Vertex:
    """Values numbers/denominator of the unknowns that presolve kept in a component."""

    numbers: NDArray[Any]
    denominator: int

    def value(self, at: int) -> Fraction:
        """One of them."""
        return Fraction(int(self.numbers[at]), self.denominator)


class Checker:
    """The sums and bounds of the original system over one component, as conditions on the kept ones.

    Each unknown is shift + sign·(a kept one), so every sum is one about kept ones, however presolve used it.
    """

    def __init__(
        self, presolved: Presolved, kept: Sequence[int], members: Sequence[tuple[int, Alias]]
    ) -> None:
        table = presolved.table
        at = {place: k for k, place in enumerate(kept)}
        own = {place: (k, 1, 0) for place, k in at.items()}
        own |= {place: (at[alias.of], alias.sign, alias.shift) for place, alias in members}
        self._low = [None if table.lower[p] is None else table.lower[p] for p in kept]
        self._high = [table.upper[p] for p in kept]
        for place, (k, sign, shift) in own.items():
            self._narrow(k, sign, shift, table.lower[place], table.upper[place])
        self.rows: list[dict[int, int]] = []
        self.right: list[int] = []
        for row_number in sorted({r for place in own for r in presolved.touching(place)}):
            self._add(presolved, own, row_number)
        self._matrix = csr_array(
            (
                np.array([v for row in self.rows for v in row.values()], dtype=np.int64),
                np.array([k for row in self.rows for k in row], dtype=np.int64),
                np.cumsum([0, *(len(row) for row in self.rows)]),
            ),
            shape=(len(self.rows), len(kept)),
        )
        self._largest = float(abs(self._matrix).sum(axis=1).max()) if self.rows else 0.0
        ends = (*self._low, *self._high, *self.right)
        self._wide = max((abs(float(e)) for e in ends if e is not None), default=0.0)
        limits = np.iinfo(np.int64)
        self._arrays = (
            (
                np.array([limits.min if e is None else e for e in self._low]),
                np.array([limits.max if e is None else e for e in self._high]),
                np.array(self.right, dtype=np.int64),
            )
            if self._wide < SAFE
            else None
        )

    def _narrow(self, k: int, sign: int, shift: int, lower: int | None, upper: int | None) -> None:
        ends = (lower, upper) if sign > 0 else (upper, lower)
        low, high = (None if end is None else sign * (end - shift) for end in ends)
        known = self._low[k], self._high[k]
        if low is not None:
            self._low[k] = low if known[0] is None else max(low, known[0])
        if high is not None:
            self._high[k] = high if known[1] is None else min(high, known[1])

    def _add(self, presolved: Presolved, own: Mapping[int, tuple[int, int, int]], number: int) -> None:
        form: dict[int, int] = {}
        rest = presolved.table.right[number]
        for place, factor in presolved.table.rows[number].items():
            if place in own:
                k, sign, shift = own[place]
                form[k] = form.get(k, 0) + factor * sign
                rest -= factor * shift
            elif place in presolved.fixed:
                rest -= factor * presolved.fixed[place]
            else:
                alias = presolved.final[place]
                rest -= factor * (alias.shift + alias.sign * presolved.fixed.get(alias.of, 0))
                if alias.of not in presolved.fixed:
                    raise AssertionError("a sum joins two components")
        form = {k: value for k, value in form.items() if value}
        if form:
            self.rows.append(form)
            self.right.append(rest)
        elif rest:
            raise AssertionError("presolve has lost a contradiction")

    def is_table(self, numbers: NDArray[Any], denominator: int) -> bool:
        """Whether numbers/denominator satisfy every sum and every bound, exactly."""
        if (
            self._arrays is not None
            and numbers.dtype == np.int64
            and denominator == 1
            and max(float(np.abs(numbers).max(initial=1)), 1.0) * max(self._largest, 1.0) < SAFE
        ):
            low, high, right = self._arrays
            return bool(
                (numbers >= low).all() and (numbers <= high).all() and (self._matrix @ numbers == right).all()
            )
        values = [int(v) for v in numbers]
        return all(
            (low_ is None or low_ * denominator <= v) and (high_ is None or v <= high_ * denominator)
            for v, low_, high_ in zip(values, self._low, self._high, strict=True)
        ) and all(
            sum(value * values[k] for k, value in row.items()) == denominator * rest
            for row, rest in zip(self.rows, self.right, strict=True)
        )

    def vertex(self, point: Sequence[float | Fraction]) -> Vertex | None:
        """The exact table near a point, if rounding finds one."""
        for numbers, denominator in rounded(point):
            if self.is_table(numbers, denominator):
                return Vertex(numbers, denominator)
        return None


def rounded(point: Sequence[float | Fraction]) -> Any:
    """Exact vectors near ``point``, all floats or all fractions, simplest first: (numbers, denominator)."""
    if point and isinstance(point[0], Fraction):
        yield _common([Fraction(value) for value in point])
        return
    array = np.asarray(point, dtype=float)
    small = bool((np.abs(array) < 2.0**52).all())
    for denominator in SMALL_DENOMINATORS:
        near = np.rint(array * denominator)
        if small and (np.abs(near) < 2.0**60).all():
            yield near.astype(np.int64), denominator
        else:
            yield np.array([int(v) for v in near], dtype=object), denominator
    simple = [_simplest_near(value) for value in array.tolist()]
    if lcm(*(value.denominator for value in simple)) < LARGEST_DENOMINATOR:
        yield _common(simple)


def _simplest_near(value: float) -> Fraction:
    """The first continued fraction of ``value`` that floats cannot tell from it."""
    room = NOISE * max(1.0, abs(value))
    rest, before, last = value, (0, 1), (1, 0)
    while True:
        term = floor(rest)
        before, last = last, (term * last[0] + before[0], term * last[1] + before[1])
        if abs(last[0] / last[1] - value) <= room or rest == term:
            return Fraction(*last)
        rest = 1 / (rest - term)


def _common(values: Sequence[Fraction]) -> tuple[NDArray[Any], int]:
    denominator = lcm(*(value.denominator for value in values))
    numbers = np.array([int(value * denominator) for value in values], dtype=object)
    return numbers, denominator


def duals(dual: Sequence[float | Fraction], lift: Callable[[dict[int, Fraction | int]], bool]) -> bool:
    """Try exact dual vectors near ``dual``, simplest first, until ``lift`` accepts one."""
    for numbers, denominator in rounded(dual):
        places = np.flatnonzero(numbers)
        found: dict[int, Fraction | int] = {
            int(at): int(numbers[at]) if denominator == 1 else Fraction(int(numbers[at]), denominator)
            for at in places
        }
        if lift(found):
            return True
    return False
