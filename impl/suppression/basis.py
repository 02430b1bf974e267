"""The vertex of a basis, and its dual vector, solved exactly: for denominators that rounding cannot guess."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import flint

from establish.impl.suppression.programs import Hint, Program

LARGEST = 1200
"""Rows above which a dense exact solution takes minutes."""


@dataclass(frozen=True)
class Basis:
    """Which columns and which rows (their slack) are basic, and which other columns are at upper bounds."""

    columns: Sequence[int]
    rows: Sequence[int]
    at_upper: frozenset[int]


def solved(program: Program, basis: Basis, cost: Mapping[int, int]) -> Hint | None:
    """The exact point and dual vector of a basis; None when it is too large or is none."""
    m = len(program.rows)
    if m > LARGEST or len(basis.columns) + len(basis.rows) != m:
        return None
    inside = set(basis.columns)
    ends = [
        program.upper[k] if k in basis.at_upper or program.lower[k] is None else program.lower[k]
        for k in range(len(program.lower))
    ]
    point = [
        Fraction(0) if k in inside or end is None else Fraction(end) for k, end in enumerate(ends)
    ]
    at = {k: j for j, k in enumerate(basis.columns)}
    matrix, right = flint.fmpz_mat(m, m), flint.fmpz_mat(m, 1)
    for i, row in enumerate(program.rows):
        rest = program.right[i]
        for k, value in row.items():
            if k in at:
                matrix[i, at[k]] = value
            else:
                rest -= value * int(point[k])
        right[i, 0] = rest
    for j, i in enumerate(basis.rows, start=len(at)):
        matrix[i, j] = 1
    aim = flint.fmpz_mat(m, 1, [cost.get(k, 0) for k in basis.columns] + [0] * len(basis.rows))
    try:
        values, dual = matrix.solve(right), matrix.transpose().solve(aim)
    except ZeroDivisionError:
        return None
    for k, j in at.items():
        point[k] = _fraction(values[j, 0])
    return Hint(point, [_fraction(dual[i, 0]) for i in range(m)])


def _fraction(value: flint.fmpq) -> Fraction:
    return Fraction(int(value.p), int(value.q))
