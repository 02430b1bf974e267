"""What an attacker on a table of sums cannot rule out, and what proves it.

The unknown values x of a table satisfy A·x = b and lower ≤ x ≤ upper. An end of the interval of x_t is
*certified* by a dual vector y, whatever y is: x_t = y·b + Σ r_j·x_j with r = e_t − y·A, and every x_j
is between its bounds. It is *attained* by a table: values that satisfy all sums and all bounds. An
end that is both is the exact one. A dual vector that bounds 0 away from 0 shows that no table exists.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

Vector = Mapping[int, int | Fraction]
"""Sparse: the entries by place, those left out are 0."""


@dataclass(frozen=True)
class LinearTable:
    """A·x = b with bounds. A bound that is None is no bound.

    rows: m sparse rows of A over n places. right: b, of length m. lower, upper: of length n.
    """

    rows: Sequence[Mapping[int, int]]
    right: Sequence[int]
    lower: Sequence[int | None]
    upper: Sequence[int | None]

    def remainder(self, target: Vector, dual: Vector) -> dict[int, int | Fraction]:
        """target − dual·A without its zeros: what the sums leave of a form in x."""
        left = dict(target)
        for row, factor in dual.items():
            for place, value in self.rows[row].items():
                left[place] = left.get(place, 0) - factor * value
        return {place: value for place, value in left.items() if value}

    def least(self, target: Vector, dual: Vector) -> int | Fraction | None:
        """A lower bound of target·x over all tables that ``dual`` certifies; None where it gives none."""
        total: int | Fraction = sum(factor * self.right[row] for row, factor in dual.items())
        for place, value in self.remainder(target, dual).items():
            end = self.lower[place] if value > 0 else self.upper[place]
            if end is None:
                return None
            total += value * end
        return total

    def greatest(self, target: Vector, dual: Vector) -> int | Fraction | None:
        """The same from above."""
        found = self.least(_negative(target), _negative(dual))
        return None if found is None else -found

    def clashes(self, dual: Vector) -> bool:
        """Whether ``dual`` shows that there is no table: it certifies 0 ≥ something above 0."""
        found = self.least({}, dual)
        return found is not None and found > 0

    def clashes_in_integers(self, dual: Vector) -> bool:
        """Whether it shows that there is no integer table: dual·A is integer and dual·b is not."""
        left = self.remainder({}, dual)
        total = sum(factor * self.right[row] for row, factor in dual.items())
        return all(Fraction(v).denominator == 1 for v in left.values()) and (Fraction(total).denominator != 1)

    def is_table(self, values: Sequence[int | Fraction]) -> bool:
        """Whether ``values``, of length n, satisfy all sums and all bounds."""
        return all(
            sum(factor * values[place] for place, factor in row.items()) == right
            for row, right in zip(self.rows, self.right, strict=True)
        ) and all(
            (low is None or low <= value) and (high is None or value <= high)
            for value, low, high in zip(values, self.lower, self.upper, strict=True)
        )

    def is_direction(self, change: Vector) -> bool:
        """Whether any table may move along ``change`` for ever: A·change = 0 and no bound stops it."""
        return all(
            sum(factor * change.get(place, 0) for place, factor in row.items()) == 0 for row in self.rows
        ) and all(
            value == 0 or (self.upper if value > 0 else self.lower)[place] is None
            for place, value in change.items()
        )


def _negative(vector: Vector) -> dict[int, int | Fraction]:
    return {place: -value for place, value in vector.items()}
