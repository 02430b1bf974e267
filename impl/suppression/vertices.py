"""Exact tables near what a solver returned, checked against the sums of the original system."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from establish.impl.arrays import Integers
from establish.impl.suppression.basis import simplest
from establish.impl.suppression.presolve import Alias, Presolved
from establish.impl.suppression.programs import FLOAT, Matrix, Ratios, Vector, largest, scaled, whole

BITS, NOISE = 40, 2.0**6
"""Binary digits of a solver's floats, and what the last may be off by, for numbers up to 1."""


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
        self._matrix = Matrix.of(self.rows, len(kept))
        self._right = whole(self.right)
        self._ends = [_finite(ends) for ends in (self._low, self._high)]

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

    def is_table(self, found: Ratios) -> bool:
        """Whether it satisfies every sum and every bound, exactly."""
        (at_low, low), (at_high, high) = self._ends
        numbers, denominator = found.numbers, found.denominator
        return bool(
            (numbers[at_low] >= scaled(low, denominator)).all()
            and (numbers[at_high] <= scaled(high, denominator)).all()
            and (self._matrix.times(numbers) == scaled(self._right, denominator)).all()
        )

    def vertex(self, point: Vector) -> Ratios | None:
        """The exact table near a point, if rounding finds one."""
        return next(filter(self.is_table, rounded(point)), None)


def _finite(ends: Sequence[int | None]) -> tuple[Integers, NDArray[Any]]:
    """The places of those that are not None, and their values."""
    places = np.array([k for k, end in enumerate(ends) if end is not None], dtype=np.int64)
    return places, whole(end for end in ends if end is not None)


def rounded(point: Vector) -> Iterator[Ratios]:
    """Exact vectors near ``point``, simplest first."""
    if isinstance(point, Ratios):
        yield point
        return
    size = largest(point)
    if size < FLOAT:
        yield Ratios(np.rint(point).astype(np.int64), 1)
        fixed = np.array([int(v) for v in point * 2.0**BITS], dtype=object)
        near = simplest(fixed, BITS, int(NOISE * max(size, 1)))
        if near is not None and near.denominator > 1:
            yield near


def duals(dual: Vector, lift: Callable[[dict[int, Fraction | int]], bool]) -> bool:
    """Try exact dual vectors near ``dual``, simplest first, until ``lift`` accepts one."""
    for near in rounded(dual):
        one = near.denominator == 1
        if lift({k: int(near.numbers[k]) if one else near[k] for k in np.flatnonzero(near.numbers).tolist()}):
            return True
    return False
