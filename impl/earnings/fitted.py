"""Percentiles of protected counts that are drawn towards a log-normal law fitted to the counts themselves.

Of a grid of log-normal laws each gets the weight e^(−½·((m − 10.9)/0.45)² − ½·((s − 0.65)/0.15)² − ε·Σ_b
|noisy_b − N̂·P_b|): a public prior for mean and standard deviation of logarithms, and the likelihood of the
counts if the noise were all that is random, N̂ their sum. The fitted law is the mean of these laws. It is
added to the M counts, with λ·M/ε records in all, and what stays negative becomes 0; within a bin records are
spread as the fitted law has them. Where there are many records the addition is small beside the counts.
It reads protected counts and public numbers only. The grid and the prior are public constants.
"""

from functools import lru_cache

import numpy as np

from establish.impl.arrays import Floats
from establish.impl.earnings.bins import Bins
from establish.impl.earnings.histogram import Counts
from establish.impl.earnings.percentiles import Percentiles, Shares, of_cumulative

MEANS = tuple(9.9 + 0.1 * k for k in range(25))
DEVIATIONS = tuple(0.35 + 0.1 * k for k in range(7))

ROWS = 4096
"""So many cells are fitted at once."""

PARTS = 16
"""Into so many parts, even in logarithms, a bin is cut; within a part records are spread evenly."""


@lru_cache
def cut(bins: Bins) -> Bins:
    """The bins, each in PARTS parts; the first one begins at a dollar or more."""
    rows = np.maximum(bins.rows, 1.0)
    steps = np.arange(PARTS) / PARTS
    inner = rows[:-1, None] * (rows[1:] / rows[:-1])[:, None] ** steps
    return Bins((*inner.ravel().tolist(), float(rows[-1])), "parts")


@lru_cache
def _laws(bins: Bins) -> tuple[Floats, Floats]:
    """The logarithm of the prior's weight of each law, and what it gives each part of a bin."""
    means, deviations = (side.ravel() for side in np.meshgrid(MEANS, DEVIATIONS))
    prior = -0.5 * (((means - 10.9) / 0.45) ** 2 + ((deviations - 0.65) / 0.15) ** 2)
    inner = np.log(cut(bins).rows[1:-1])
    from scipy.special import ndtr  # loaded where it is needed

    below = ndtr((inner[None, :] - means[:, None]) / deviations[:, None])
    ends = np.zeros((means.size, 1)), np.ones((means.size, 1))
    return prior, np.diff(np.concatenate([ends[0], below, ends[1]], axis=1), axis=1)


def fitted_law(counts: Counts, bins: Bins, epsilon: float) -> Floats:
    """What the fitted law gives each part of a bin: cell by bin by part. epsilon: that of each count."""
    prior, parts = _laws(bins)
    laws = parts.reshape(prior.size, len(bins), PARTS).sum(axis=2)
    fitted = np.empty((len(counts), len(bins) * PARTS))
    for start in range(0, len(counts), ROWS):
        part = counts[start : start + ROWS]
        total = np.maximum(part.sum(axis=1), 1)[:, None, None]
        misses = np.abs(part[:, None, :] - total * laws[None]).sum(axis=2)
        weights = prior - epsilon * misses
        weights = np.exp(weights - weights.max(axis=1, keepdims=True))
        fitted[start : start + ROWS] = weights / weights.sum(axis=1, keepdims=True) @ parts
    return fitted.reshape(len(counts), len(bins), PARTS)


def fitted_percentiles(
    counts: Counts, bins: Bins, shares: Shares, epsilon: float, pull: float
) -> Percentiles:
    """Percentiles of the counts with the fitted law added; pull: λ > 0. Every cell has some."""
    law = fitted_law(counts, bins, epsilon)
    of_bins = law.sum(axis=2)
    together = np.maximum(counts + pull * len(bins) / epsilon * of_bins, 0)
    together = np.where(together.sum(axis=1, keepdims=True) > 0, together, of_bins)
    spread = (together / of_bins)[:, :, None] * law
    return of_cumulative(np.cumsum(spread.reshape(len(counts), -1), axis=1), cut(bins), shares)
