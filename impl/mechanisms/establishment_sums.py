"""Establishments as rows of a matrix of counts, and their sums by group."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from establish.impl.counts import whole_counts
from establish.spec.parameters import ParameterError


def whole_matrix(name: str, values: ArrayLike) -> NDArray[np.float64]:
    """``values`` as a matrix of whole numbers >= 0, one row per establishment.

    Raises ParameterError that names the first bad entry by its number in reading order.
    """
    array = np.asarray(values)
    if array.ndim != 2:
        raise ParameterError(f"{name} must be a matrix: establishments by cells")
    return whole_counts(name, array.ravel()).reshape(array.shape)


def group_numbers(name: str, values: ArrayLike, rows: int) -> NDArray[np.intp]:
    """The row of the output table to which each establishment belongs: integers from 0.

    Raises ParameterError unless there is one per establishment.
    """
    array = np.asarray(values)
    if array.shape != (rows,) or array.dtype.kind not in "iu" or np.any(array < 0):
        raise ParameterError(f"{name} must hold one integer >= 0 per establishment")
    return array.astype(np.intp)


def sums_by_group(
    values: NDArray[np.float64], groups: NDArray[np.intp], count: int
) -> NDArray[np.float64]:
    """The column sums of the rows of each group 0, …, count − 1."""
    sums = np.zeros((count, values.shape[1]))
    np.add.at(sums, groups, values)
    return sums
