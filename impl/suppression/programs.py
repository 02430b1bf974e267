"""Linear programs over whole numbers, and what a solver says about them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Program:
    """Rows A·x = b over n columns, b of length m, and bounds, None for none."""

    rows: Sequence[Mapping[int, int]]
    right: Sequence[int]
    lower: Sequence[int | None]
    upper: Sequence[int | None]


@dataclass(frozen=True)
class Hint:
    """A point near a best one, of length n, and a dual vector near one that proves it, of length m."""

    point: Sequence[float | Fraction]
    dual: Sequence[float | Fraction]
