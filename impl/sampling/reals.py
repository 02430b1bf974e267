"""Real numbers per cell that are known exactly: a float with its error bound, and Arb for the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from math import isfinite

import flint
import numpy as np
from numpy.typing import ArrayLike

from establish.impl.arrays import Floats
from establish.spec.arithmetic import ARB, enclosing
from establish.spec.parameters import ParameterError

UNIT = 2.0**-53
"""u: rounding to nearest moves x by at most u·|x|, unless the result is subnormal."""

UP = 1 + 2.0**-40
"""Error bounds are computed in floats with fewer than 2^10 operations on numbers ≥ 0, each of relative
error u: multiplied by this they are bounds again."""

TINY = 2.0**-1000
"""Added to a bound, it covers what subnormal results may lose: at most 2^−1074 each."""

BLOCK = 1 << 14
"""Cells of a long array that are looked at together."""


@dataclass(frozen=True)
class Reals:
    """Numbers x_i with |x_i − approximate_i| ≤ error_i and ``exact(i)`` a ball around x_i.

    ``approximate`` and ``error`` are arrays of shape () for one number that serves all cells, or (n,);
    ``error`` may be () beside (n,). ``exact`` reads the ambient Arb precision: as it grows the ball
    must shrink to x_i. Raises ParameterError for NaN or an infinity among either.
    """

    approximate: Floats
    error: Floats
    exact: Callable[[int], flint.arb]

    def __post_init__(self) -> None:
        if self.approximate.ndim > 1 or self.error.shape not in ((), self.approximate.shape):
            raise ParameterError("reals must be one number or a one-dimensional array of them")
        if not (_finite(self.approximate) and _finite(self.error)):
            raise ParameterError("reals must be finite: NaN and infinite values are not allowed")

    @classmethod
    def integers(cls, values: ArrayLike) -> Reals:
        """Integers: a Python int, or an array of an integer type.

        Raises ParameterError for other types. Beyond 2^53 the float is the nearest one.
        """
        integers = np.asarray(values)
        if integers.dtype.kind not in "iu":
            raise ParameterError("values must be of an integer type that fits into 64 bits")
        floats = integers.astype(np.float64)
        large = bool(integers.size) and float(np.abs(floats).max()) > 2.0**53
        error = np.abs(floats) * (2 * UNIT) if large else np.zeros(())
        flat = integers.reshape(-1)
        return cls(floats, error, lambda i: flint.arb(int(flat[i if integers.ndim else 0])))

    @classmethod
    def floats(cls, values: ArrayLike) -> Reals:
        """Floats, each meaning exactly the dyadic number that it is; ParameterError for others."""
        try:
            floats = np.asarray(values, dtype=np.float64)
        except (TypeError, ValueError):
            raise ParameterError("values must be floats") from None
        flat = floats.reshape(-1)
        return cls(floats, np.zeros(()), lambda i: flint.arb(float(flat[i if floats.ndim else 0])))

    @classmethod
    def fraction(cls, value: Fraction) -> Reals:
        """One rational number for all cells."""
        return _of_fraction(value)

    @classmethod
    def constant(cls, value: Callable[[], flint.arb]) -> Reals:
        """One number for all cells, given as an Arb formula read at the ambient precision."""
        with enclosing(128):
            ball = value()
            middle = float(ball.mid())
            distance = (ball - flint.arb(middle)).abs_upper()
            error = 0.0 if distance == 0 else float(distance) * UP + TINY
        return cls(np.array(middle), np.array(error), lambda _: value())

    @classmethod
    def per_cell(cls, value: Callable[[int], flint.arb], size: int) -> Reals:
        """``size`` numbers given as an Arb formula of the cell; slow, for formulas without floats."""
        cells = [cls.constant(partial(value, i)) for i in range(size)]
        middle = np.array([float(cell.approximate) for cell in cells])
        return cls(middle, np.array([float(cell.error) for cell in cells]), value)

    @classmethod
    def of_counts(cls, counts: Floats, value: Callable[[int], flint.arb]) -> Reals:
        """A function of whole counts, given as an Arb formula and read once for each distinct count."""
        distinct, place = np.unique(counts, return_inverse=True)
        own = cls.per_cell(lambda i: value(int(distinct[i])), distinct.size)
        return cls(own.approximate[place], own.error[place], lambda i: value(int(counts[i])))

    def times(self, other: Reals) -> Reals:
        """The products x_i·y_i; one of the two may be a single number.

        |x·y − fl(x̂ŷ)| ≤ |x̂|·e_y + |ŷ|·e_x + e_x·e_y + u·|x̂ŷ|, and 2^−1074 for a subnormal product.
        """
        with np.errstate(over="ignore", invalid="ignore"):
            product = np.asarray(self.approximate * other.approximate)
            error = np.empty_like(product)
            for cells in _blocks(product):
                x, e_x, y, e_y = (
                    z[cells] if z.ndim else z
                    for z in (self.approximate, self.error, other.approximate, other.error)
                )
                moved = np.abs(x) * e_y + np.abs(y) * e_x + e_x * e_y + UNIT * np.abs(product[cells])
                error[cells] = moved * UP + TINY
        return Reals(product, error, lambda i: self.exact(i) * other.exact(i))

    def plus(self, other: Reals) -> Reals:
        """The sums x_i + y_i; one of the two may be a single number.

        |x + y − fl(x̂ + ŷ)| ≤ e_x + e_y + u·|fl(x̂ + ŷ)|, the last term where a sum was rounded.
        """
        x, y = self.approximate, other.approximate
        with np.errstate(over="ignore", invalid="ignore"):
            total = np.asarray(x + y)
            error = np.asarray(self.error + other.error)
            if not _exact_sums(x, y, total):
                error = error + UNIT * np.abs(total)
            error = np.asarray(error * UP)
        return Reals(total, error, lambda i: self.exact(i) + other.exact(i))

    def scaled(self, exponent: int) -> Reals:
        """The numbers times 2^exponent: exact but where the result is subnormal, by less than TINY.

        Raises ParameterError when one is no longer finite.
        """
        if exponent == 0:
            return self
        with np.errstate(over="ignore"):
            factor = 2.0**exponent
            middle, error = self.approximate * factor, self.error * factor + TINY
        if not (np.isfinite(middle).all() and np.isfinite(error).all()):
            raise ParameterError("the grid is too fine: values in grid units must stay below 1e300")
        return Reals(
            np.asarray(middle), np.asarray(error), lambda i: self.exact(i) * flint.arb((1, exponent))
        )

    def at_least(self, bound: int) -> Reals:
        """max(x_i, bound); the maximum moves no two numbers apart, so the errors stay. |bound| ≤ 2^53."""
        larger = np.asarray(np.maximum(self.approximate, float(bound)))
        return Reals(larger, self.error, lambda i: self.exact(i).max(flint.arb(bound)))


@lru_cache(maxsize=64)
def _of_fraction(value: Fraction) -> Reals:
    """Made once; what is shared is not written to."""
    made = Reals.constant(lambda: ARB.number(value))
    made.approximate.setflags(write=False)
    made.error.setflags(write=False)
    return made


def _finite(x: Floats) -> bool:
    return bool(np.isfinite(x).all()) if x.ndim else isfinite(x)


def _blocks(x: Floats) -> Iterator[slice | tuple[()]]:
    """Places of a long array, BLOCK at a time, or the only one of a single number."""
    if not x.ndim:
        yield ()
    else:
        yield from (slice(start, start + BLOCK) for start in range(0, x.size, BLOCK))


def _exact_sums(x: Floats, y: Floats, total: Floats) -> bool:
    """Whether no sum was rounded: what rounding takes from x + y is a float (Knuth's two-sum)."""
    for cells in _blocks(total):
        a, b, s = (z[cells] if z.ndim else z for z in (x, y, total))
        added = s - a
        if np.any((a - (s - added)) + (b - added)):
            return False
    return True


def nearest_whole(value: Callable[[], flint.arb]) -> int:
    """The whole number nearest to an Arb formula; to one of both where no ball of 192 bits tells which."""
    with enclosing(192):
        moved = value() + flint.arb(1) / 2
        found = moved.floor().unique_fmpz()
        return int(moved.mid().floor().unique_fmpz() if found is None else found)
