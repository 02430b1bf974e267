"""The vertex of a basis, and its dual vector, solved exactly: for denominators that rounding cannot guess."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import flint

from establish.impl.suppression.programs import Hint, Program

LARGEST = 1200
"""Rows that hang together in both directions, above which a dense exact solution takes minutes."""

Rows = list[dict[int, int]]


@dataclass(frozen=True)
class Basis:
    """Which columns and which rows (their slack) are basic, and which other columns are at upper bounds."""

    columns: Sequence[int]
    rows: Sequence[int]
    at_upper: frozenset[int]


def solved(program: Program, basis: Basis, cost: Mapping[int, int], with_dual: bool) -> Hint | None:
    """The exact point and dual vector of a basis; None when it is too large or is none.

    with_dual: whether the dual vector is wanted; else it is empty.
    """
    m = len(program.rows)
    if len(basis.columns) + len(basis.rows) != m:
        return None
    at = {k: j for j, k in enumerate(basis.columns)}
    point = [Fraction(0) if k in at else Fraction(_end(program, basis, k)) for k in range(_n(program))]
    rows: Rows = []
    right: list[Fraction] = []
    for row, total in zip(program.rows, program.right, strict=True):
        rows.append({at[k]: value for k, value in row.items() if k in at})
        right.append(total - sum((v * point[k] for k, v in row.items() if k not in at), Fraction(0)))
    for j, i in enumerate(basis.rows, start=len(at)):
        rows[i][j] = 1
    values = _square(rows, right)
    dual: list[Fraction] | None = []
    if with_dual:
        columns: Rows = [{} for _ in range(m)]
        for i, row in enumerate(rows):
            for j, value in row.items():
                columns[j][i] = value
        aim = [Fraction(cost.get(k, 0)) for k in basis.columns] + [Fraction(0)] * len(basis.rows)
        dual = _square(columns, aim)
    if values is None or dual is None:
        return None
    for k, j in at.items():
        point[k] = values[j]
    return Hint(point, dual)


def _n(program: Program) -> int:
    return len(program.lower)


def _end(program: Program, basis: Basis, k: int) -> int:
    low, high = program.lower[k], program.upper[k]
    end = high if k in basis.at_upper or low is None else low
    return 0 if end is None else end


def _square(rows: Sequence[Mapping[int, int]], right: Sequence[Fraction]) -> list[Fraction] | None:
    """The solution of m equations in m unknowns; None when there is not exactly one, or it is too large.

    Equations with one unknown are solved at once, and unknowns in one equation are left to the end; only what
    hangs together in both directions needs a dense solution.
    """
    m = len(rows)
    left: Rows = [dict(row) for row in rows]
    rest = list(right)
    users: list[set[int]] = [set() for _ in range(m)]
    for i, row in enumerate(left):
        for j in row:
            users[j].add(i)
    found: dict[int, Fraction] = {}
    later: list[tuple[int, int, dict[int, int]]] = []
    open_rows = set(range(m))
    narrow = [i for i in range(m) if len(left[i]) <= 1]
    single = [j for j in range(m) if len(users[j]) == 1]
    while narrow or single:
        if narrow:
            i = narrow.pop()
            if i not in open_rows:
                continue
            if not left[i]:
                return None
            ((j, value),) = left[i].items()
            found[j] = rest[i] / value
            open_rows.discard(i)
            for other in users[j] - {i}:
                rest[other] -= left[other].pop(j) * found[j]
                if len(left[other]) <= 1:
                    narrow.append(other)
            users[j].clear()
            continue
        j = single.pop()
        if len(users[j]) != 1:
            continue
        (i,) = users[j]
        later.append((j, i, left[i]))
        open_rows.discard(i)
        for other in left[i]:
            users[other].discard(i)
            if len(users[other]) == 1 and other != j:
                single.append(other)
    core = _dense(left, rest, sorted(open_rows))
    if core is None:
        return None
    found |= core
    for j, i, row in reversed(later):
        total = sum((value * found[k] for k, value in row.items() if k != j), Fraction(0))
        found[j] = (rest[i] - total) / row[j]
    return [found[j] for j in range(m)] if len(found) == m else None


def _dense(left: Rows, rest: Sequence[Fraction], rows: Sequence[int]) -> dict[int, Fraction] | None:
    unknowns = sorted({j for i in rows for j in left[i]})
    size = len(rows)
    if size != len(unknowns) or size > LARGEST:
        return None
    if not size:
        return {}
    at = {j: c for c, j in enumerate(unknowns)}
    scale = lcm(*(rest[i].denominator for i in rows))
    matrix, right = flint.fmpz_mat(size, size), flint.fmpz_mat(size, 1)
    for r, i in enumerate(rows):
        right[r, 0] = int(rest[i] * scale)
        for j, value in left[i].items():
            matrix[r, at[j]] = value
    try:
        values = matrix.solve(right)
    except ZeroDivisionError:
        return None
    return {j: Fraction(int(values[c, 0].p), int(values[c, 0].q)) / scale for j, c in at.items()}
