"""Sums of establishments, which are rows of a matrix, by group."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from establish.impl.arrays import Floats
from establish.spec.parameters import ParameterError


def group_numbers(name: str, values: ArrayLike, rows: int) -> NDArray[np.intp]:
    """The row of the output table to which each establishment belongs: integers from 0.

    Raises ParameterError unless there is one per establishment.
    """
    array = np.asarray(values)
    if array.shape != (rows,) or array.dtype.kind not in "iu" or np.any(array < 0):
        raise ParameterError(f"{name} must hold one integer >= 0 per establishment")
    return array.astype(np.intp)


def sums_by_group(values: Floats, groups: NDArray[np.intp], count: int) -> Floats:
    """The column sums of the rows of each group 0, …, count − 1."""
    sums = np.zeros((count, values.shape[1]))
    np.add.at(sums, groups, values)
    return sums
