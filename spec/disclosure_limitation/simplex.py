"""Linear programs over the rationals, solved exactly: the simplex method with Bland's rule."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

Row = list[Fraction]


@dataclass(frozen=True)
class Optimum:
    """The greatest value, a point x where it is attained, and y with y·A ≥ c and y·b equal to it."""

    value: Fraction
    point: tuple[Fraction, ...]
    dual: tuple[Fraction, ...]


def maximum(
    objective: Sequence[Fraction], rows: Sequence[Sequence[Fraction]], right: Sequence[Fraction]
) -> Fraction | None:
    """The greatest c·x over x ≥ 0 with A·x = b; None where it has no bound.

    objective: c, of length n. rows: A, m rows of length n. right: b, of length m. Raises ValueError
    when no x ≥ 0 solves A·x = b.
    """
    found = optimum(objective, rows, right)
    return None if found is None else found.value


def optimum(
    objective: Sequence[Fraction], rows: Sequence[Sequence[Fraction]], right: Sequence[Fraction]
) -> Optimum | None:
    """The same with a point and a dual vector that prove it. Raises ValueError as ``maximum`` does."""
    n = len(objective)
    tableau = [
        [(-1 if b < 0 else 1) * Fraction(value) for value in (*row, b)]
        for row, b in zip(rows, right, strict=True)
    ]
    basis = [n + i for i in range(len(tableau))]
    for i, row in enumerate(tableau):
        row[n:n] = [Fraction(i == j) for j in range(len(tableau))]
    artificial = [Fraction(0)] * n + [Fraction(-1)] * len(tableau)
    if tableau and _improve(tableau, basis, artificial, len(artificial)) != 0:
        raise ValueError("no x ≥ 0 satisfies the equations")
    _drive_out(tableau, basis, n)
    cost = [*map(Fraction, objective)] + [Fraction(0)] * len(rows)
    value = _improve(tableau, basis, cost, n)
    if value is None:
        return None
    point = [Fraction(0)] * n
    for place, row in zip(basis, tableau, strict=True):
        point[place] = row[-1]
    # The column of an artificial variable began as a unit vector, of a row that was turned if b < 0.
    dual = [(1 if b < 0 else -1) * _gain(tableau, basis, cost, n + i) for i, b in enumerate(right)]
    return Optimum(value, tuple(point), tuple(dual))


def _improve(tableau: list[Row], basis: list[int], cost: Row, columns: int) -> Fraction | None:
    """Pivot on the first column that gains, the lowest leaving variable in a tie: it cannot cycle."""
    while True:
        entering = next(
            (j for j in range(columns) if j not in basis and _gain(tableau, basis, cost, j) > 0), None
        )
        if entering is None:
            return sum((cost[b] * row[-1] for b, row in zip(basis, tableau, strict=True)), Fraction(0))
        steps = [(row[-1] / row[entering], basis[i], i) for i, row in enumerate(tableau) if row[entering] > 0]
        if not steps:
            return None
        _pivot(tableau, basis, min(steps)[2], entering)


def _gain(tableau: list[Row], basis: list[int], cost: Row, column: int) -> Fraction:
    paid = sum((cost[b] * row[column] for b, row in zip(basis, tableau, strict=True)), Fraction(0))
    return cost[column] - paid


def _pivot(tableau: list[Row], basis: list[int], at: int, column: int) -> None:
    pivot = tableau[at][column]
    tableau[at] = [value / pivot for value in tableau[at]]
    for i, row in enumerate(tableau):
        if i != at and row[column]:
            factor = row[column]
            tableau[i] = [a - factor * b for a, b in zip(row, tableau[at], strict=True)]
    basis[at] = column


def _drive_out(tableau: list[Row], basis: list[int], n: int) -> None:
    """Artificial variables, all 0 now, leave the basis; a row without another one says 0 = 0."""
    for i in reversed(range(len(tableau))):
        if basis[i] < n:
            continue
        column = next((j for j in range(n) if tableau[i][j]), None)
        if column is None:
            del tableau[i], basis[i]
        else:
            _pivot(tableau, basis, i, column)
