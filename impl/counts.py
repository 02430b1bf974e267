"""Counts as they enter a mechanism: whole numbers, checked without ever showing one.

Counts are confidential, so an error names the argument and the row, never the value.
"""

import numpy as np
from numpy.typing import ArrayLike

from establish.impl.arrays import Flags, Floats, Integers
from establish.spec.parameters import ParameterError

LARGEST_COUNT = 2**53 - 1
"""Above this a float no longer tells neighboring whole numbers apart."""

Rows = Integers
"""Row numbers for messages; without them positions count from 1."""


def whole_counts(name: str, values: ArrayLike, rows: Rows | None = None) -> Floats:
    """``values`` as floats, the array itself where it is one of floats: a whole number ≥ 0 per cell.

    Integer arrays, or float arrays with integral values. Raises ParameterError that names the first
    bad row: negative, fractional, NaN, infinite or above 2^53 − 1; or when the array is not
    one-dimensional or not numeric.
    """
    array = np.asarray(values)
    if array.ndim != 1 or array.dtype.kind not in "iuf":
        raise ParameterError(f"{name} must be a one-dimensional array of whole numbers >= 0")
    whole = array.dtype.kind != "f" or (array == np.floor(array)).all()
    if array.size and not (whole and array.min() >= 0 and array.max() <= LARGEST_COUNT):  # in few passes
        good = (array >= 0) & (array <= LARGEST_COUNT) & (array == np.floor(array))
        require_rows(good, rows, f"{name} must be a whole number from 0 to 2^53 − 1")
    return array.astype(np.float64, copy=False)


def largest_within(name: str, largest: ArrayLike, counts: Floats, rows: Rows | None = None) -> Floats:
    """The largest establishment of each cell, checked against the cell's count.

    A cell with jobs has an establishment with at least one of them, so 1 <= largest <= count, or
    both are 0. Raises ParameterError that names the first row where this fails.
    """
    array = whole_counts(name, largest, rows)
    if array.shape != counts.shape:
        raise ParameterError(f"{name} must have one value per count")
    fits = (array <= counts) & ((array >= 1) | (counts == 0))
    require_rows(fits, rows, f"{name} must lie between 1 and the count (both 0 in an empty cell)")
    return array


def require_rows(good: Flags, rows: Rows | None, rule: str) -> None:
    """Raise ParameterError with the rule and the first row where ``good`` is false, if any."""
    bad = np.flatnonzero(~good)
    if bad.size:
        row = bad[0] + 1 if rows is None else rows[bad[0]]
        others = f" and {bad.size - 1} more rows" if bad.size > 1 else ""
        raise ParameterError(
            f"{rule}: not so in row {row}{others} (values are not shown, they may be confidential)"
        )
