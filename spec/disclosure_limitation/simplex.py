"""Linear programs over the rationals, solved exactly: the simplex method with Bland's rule."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

Row = list[Fraction]


def maximum(
    objective: Sequence[Fraction], rows: Sequence[Sequence[Fraction]], right: Sequence[Fraction]
) -> Fraction | None:
    """The greatest c·x over x ≥ 0 with A·x = b; None where it has no bound.

    objective: c, of length n. rows: A, m rows of length n. right: b, of length m. Raises ValueError
    when no x ≥ 0 solves A·x = b.
    """
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
    return _improve(tableau, basis, [*map(Fraction, objective)] + [Fraction(0)] * len(rows), n)


def _improve(tableau: list[Row], basis: list[int], cost: Row, columns: int) -> Fraction | None:
    """Pivot on the first column that gains, the lowest leaving variable in a tie: it cannot cycle."""
    while True:
        entering = next(
            (j for j in range(columns) if j not in basis and _gain(tableau, basis, cost, j) > 0),
            None,
        )
        if entering is None:
            return sum(
                (cost[b] * row[-1] for b, row in zip(basis, tableau, strict=True)), Fraction(0)
            )
        steps = [
            (row[-1] / row[entering], basis[i], i)
            for i, row in enumerate(tableau)
            if row[entering] > 0
        ]
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
