"""Relative accuracy of protected percentiles (Foote et al. 2019, (5.1)), with confidence limits."""

from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from establish.impl.arrays import Floats, Integers
from establish.impl.earnings.percentiles import Percentiles, Shares
from establish.spec.parameters import ParameterError


def true_percentiles(cells: Integers, earnings: Floats, number: int, shares: Shares) -> Floats:
    """Sample percentiles at the rank (N+1)·Y/100, linear between ranks, at least one record per cell.

    cells and earnings: sorted by cell, then by earnings. Raises ParameterError for an empty cell.
    """
    sizes = np.bincount(cells, minlength=number)
    if number == 0 or sizes.min() == 0:
        raise ParameterError("an empty cell has no true percentile")
    starts = np.cumsum(sizes) - sizes
    columns = []
    for a, b in shares:
        whole, part = np.divmod((sizes + 1) * a, b)
        low, high = (np.clip(whole + step, 1, sizes) - 1 for step in (0, 1))
        at = earnings[starts + low]
        columns.append(at + (earnings[starts + high] - at) * part / b)
    return np.stack(columns, axis=1)


def relative_accuracy(protected: Percentiles, true: Floats) -> Floats:
    """1 − |protected − true|/true per cell and share; 0, as for an output of 0, where there is none."""
    accuracy: Floats = 1 - np.abs(protected.filled(0.0) - true) / true
    return accuracy


@dataclass(frozen=True)
class Mean:
    """A mean over independent repetitions, with its standard error."""

    value: float
    error: float
    repetitions: int

    @property
    def limits(self) -> tuple[float, float]:
        """Student's 95% confidence limits."""
        half = float(stdtrit(self.repetitions - 1, 0.975)) * self.error
        return self.value - half, self.value + half


def mean_of(repeated: Floats) -> Mean:
    """The mean of one value per repetition. Raises ParameterError for fewer than two."""
    if repeated.size < 2:
        raise ParameterError("a standard error needs two repetitions")
    error = float(repeated.std(ddof=1)) / repeated.size**0.5
    return Mean(float(repeated.mean()), error, repeated.size)
