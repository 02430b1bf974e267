"""Linear programs over whole numbers, and what a solver says about them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import inf, isnan, lcm
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from establish.impl.arrays import Floats

SAFE = 2.0**62
"""Sums of products below it are exact in 64 bits."""

FLOAT = 2.0**52
"""Whole numbers below it are exact as floats."""


def whole(values: Iterable[int]) -> NDArray[Any]:
    """Whole numbers, in 64 bits where they fit, else as objects."""
    array = np.array(list(values), dtype=object)
    return array.astype(np.int64) if largest(array) < SAFE else array


def largest(values: NDArray[Any]) -> float:
    """The largest without its sign; infinite when it is beyond floats, or not a number."""
    try:
        found = max(float(values.max(initial=0)), -float(values.min(initial=0)))
    except OverflowError:
        return inf
    return inf if isnan(found) else found


def scaled(values: NDArray[Any], factor: int) -> NDArray[Any]:
    """Whole numbers times another, exactly."""
    fits = values.dtype != object and max(largest(values), 1) * factor < SAFE
    return values * factor if fits else values.astype(object) * factor


@dataclass(frozen=True)
class Ratios:
    """A vector numbers/denominator of fractions; numbers is whole."""

    numbers: NDArray[Any]
    denominator: int

    @classmethod
    def of(cls, values: Sequence[Fraction]) -> Self:
        """These fractions."""
        denominator = lcm(*(value.denominator for value in values))
        return cls(whole(int(value * denominator) for value in values), denominator)

    def __getitem__(self, at: int) -> Fraction:
        return Fraction(int(self.numbers[at]), self.denominator)


class Matrix:
    """A sparse matrix of whole numbers."""

    def __init__(self, content: csr_array) -> None:
        self.content = content
        self._sums = float(abs(content).sum(axis=1).max()) if content.nnz else 0.0

    @classmethod
    def of(cls, rows: Sequence[Mapping[int, int]], width: int) -> Self:
        """Rows over ``width`` columns."""
        values = np.array([v for row in rows for v in row.values()], dtype=np.int64)
        places = np.array([k for row in rows for k in row], dtype=np.int32)
        starts = np.cumsum([0, *(len(row) for row in rows)], dtype=np.int32)
        return cls(csr_array((values, places, starts), shape=(len(rows), width)))

    def times(self, vector: NDArray[Any]) -> NDArray[Any]:
        """The exact product with a vector of whole numbers."""
        if vector.dtype != object and max(self._sums, 1) * largest(vector) < SAFE:
            product: NDArray[Any] = self.content @ vector
            return product
        terms = self.content.data.astype(object) * vector.astype(object)[self.content.indices]
        return np.array([sum(terms[a:b]) for a, b in pairwise(self.content.indptr)], dtype=object)


@dataclass(frozen=True)
class Program:
    """Rows A·x = b over n columns, b of length m, and bounds, None for none."""

    rows: Sequence[Mapping[int, int]]
    right: Sequence[int]
    lower: Sequence[int | None]
    upper: Sequence[int | None]

    @cached_property
    def matrix(self) -> Matrix:
        """A, m × n."""
        return Matrix.of(self.rows, len(self.lower))


Vector = Floats | Ratios


@dataclass(frozen=True)
class Hint:
    """A point near a best one, of length n, and a dual vector near one that proves it, of length m."""

    point: Vector
    dual: Vector
