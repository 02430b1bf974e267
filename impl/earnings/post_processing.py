"""Clamped counts and a monotone distribution function, for many cells at once."""

import numpy as np

from establish.impl.arrays import Floats
from establish.impl.earnings.bins import Bins
from establish.impl.earnings.histogram import Counts
from establish.impl.earnings.percentiles import Percentiles, Shares, of_cumulative


def clamped(counts: Counts) -> Counts:
    """Each negative count replaced by 0."""
    return np.maximum(counts, 0)


def monotone_cumulative(counts: Counts) -> Floats:
    """Per cell the non-decreasing, non-negative cumulative counts nearest to the given ones.

    Isotonic regression in its closed form: the j-th value is the largest over i ≤ j of the least over
    k ≥ j of the mean of the values from i to k.
    """
    width = counts.shape[1]
    zero = np.zeros((counts.shape[0], 1))
    sums = np.concatenate([zero, np.cumsum(np.cumsum(counts, axis=1), axis=1)], axis=1)
    fitted = np.zeros(counts.shape)
    for i in range(width):
        means = (sums[:, i + 1 :] - sums[:, [i]]) / np.arange(1, width - i + 1)
        least = np.minimum.accumulate(means[:, ::-1], axis=1)[:, ::-1]
        fitted[:, i:] = least if i == 0 else np.maximum(fitted[:, i:], least)
    return np.maximum(fitted, 0)


def monotone_percentiles(counts: Counts, bins: Bins, shares: Shares) -> Percentiles:
    """Percentiles of protected counts through :func:`monotone_cumulative`."""
    return of_cumulative(monotone_cumulative(counts), bins, shares)
