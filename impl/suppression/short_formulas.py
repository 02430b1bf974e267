"""The same end by fewer sums: dual vectors with few entries.

Among all dual vectors that certify a bound, those with the least sum of absolute factors have few entries as
a rule, and fewer when entries that came out small are made dear and the rest cheap. That is a heuristic for
what is hard: a formula is the shortest that was found, and is exact like any other.
"""

from fractions import Fraction

from establish.impl.suppression.connected import connected
from establish.impl.suppression.engines import Infeasible, engine
from establish.impl.suppression.presolve import LOWER
from establish.impl.suppression.programs import Program, Ratios
from establish.impl.suppression.vertices import rounded
from establish.spec.disclosure_limitation.linear_bounds import LinearTable, Vector

ROUNDS = 4
"""How often the prices of entries are set anew."""

LARGEST = 4000
"""Unknowns that hang together, above which a formula is left as it was found."""


class Shortening:
    """Shorter dual vectors for one table."""

    def __init__(self, table: LinearTable) -> None:
        self._table = table
        self._parts = connected(table.rows, len(table.lower))
        self._rows: dict[int, list[int]] = {}
        for at, row in enumerate(table.rows):
            if row:
                self._rows.setdefault(id(self._parts[next(iter(row))]), []).append(at)

    def shorter(self, place: int, side: int, dual: Vector) -> Vector:
        """A dual vector that certifies at least as much of an unknown, with as few sums or fewer."""
        members = self._parts[place]
        own = self._certified(place, side, dual)
        if own is None or len(dual) < 2 or len(members) > LARGEST:
            return dual
        sums = self._rows[id(members)]
        program = self._program(place, side, members, sums, own)
        if program is None:
            return dual
        best, m = dual, len(sums)
        solver = engine(program)
        prices = dict.fromkeys(range(2 * m), 1)
        for _ in range(ROUNDS):
            try:
                hint = solver.least(prices)
            except Infeasible:
                break
            if hint is None:
                break
            for near in rounded(hint.point):
                found = self._read(near, side, sums)
                reached = self._certified(place, side, found)
                if reached is not None and reached >= own:
                    best = found if len(found) < len(best) else best
                    break
            prices = {k: int(1000 / (abs(float(hint.point[k])) + 0.01)) for k in range(2 * m)}
        return best

    def _certified(self, place: int, side: int, dual: Vector) -> Fraction | None:
        """What is certified of the unknown, or of its negative for an upper end."""
        bound = (self._table.least if side == LOWER else self._table.greatest)({place: 1}, dual)
        return None if bound is None else Fraction(bound if side == LOWER else -bound)

    def _read(self, near: Ratios, side: int, sums: list[int]) -> Vector:
        sign, m = (1 if side == LOWER else -1), len(sums)
        entries = ((row, sign * (near[k] - near[m + k])) for k, row in enumerate(sums))
        return {row: value.numerator if value.denominator == 1 else value for row, value in entries if value}

    def _program(
        self, place: int, side: int, members: list[int], sums: list[int], own: Fraction
    ) -> Program | None:
        """y = p − q over the sums, r = u − w over the unknowns; y·A + r is the target, and certifies ``own``.

        Columns are p, q, u, w and what is certified beyond ``own``; all are at least 0.
        """
        if own.denominator > 1:
            return None
        m, n = len(sums), len(members)
        at = {k: j for j, k in enumerate(members)}
        rows: list[dict[int, int]] = [{2 * m + j: 1, 2 * m + n + j: -1} for j in range(n)]
        for k, row in enumerate(sums):
            for other, factor in self._table.rows[row].items():
                rows[at[other]] |= {k: factor, m + k: -factor}
        bound = {k: self._table.right[row] for k, row in enumerate(sums)}
        bound |= {m + k: -value for k, value in bound.items()}
        upper: list[int | None] = [None] * (2 * m + 2 * n + 1)
        for j, k in enumerate(members):
            for column, sign, end in (
                (2 * m + j, 1, self._table.lower[k]),
                (2 * m + n + j, -1, self._table.upper[k]),
            ):
                if end is None:
                    upper[column] = 0
                else:
                    bound[column] = sign * end
        rows.append({**{k: v for k, v in bound.items() if v}, 2 * m + 2 * n: -1})
        target = [0] * n
        target[at[place]] = 1 if side == LOWER else -1
        return Program(rows, [*target, int(own)], [0] * len(upper), upper)
