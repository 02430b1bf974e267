"""Cells of log-normal earnings and the algorithms of Section 5 on many of them at once, in numpy.

Earnings are kept as their shares u = F(e) under the log-normal law of Table 1, so that its percentiles are
equally spaced. A draw is worth its relative accuracy, but at least 0: also when nothing is released.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import exp, log, sqrt
from statistics import NormalDist

import numpy as np
import scipy
from numpy.typing import NDArray

from establish.proofs_check.engine.verdicts import Evidence, Grade
from establish.spec.earnings.bins import BOTTOM, TABLE_1

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

LAW = NormalDist(11.00255, 0.75275)
"""The logarithm of earnings: parameters that reproduce Table 1."""

LOWEST = LAW.cdf(log(BOTTOM))
"""The share of the population below the bottom cutoff, which the cells leave out."""

TOP = float(TABLE_1[-1])
"""Upper end of the last bin and of the public range, in dollars."""


def dollars(shares: Floats) -> Floats:
    """Earnings at shares of the population, not above TOP."""
    quantiles = scipy.special.ndtri(np.clip(shares, LOWEST, 1 - 1e-12))
    return np.asarray(np.minimum(np.exp(LAW.mean + LAW.stdev * quantiles), TOP))


STRETCHES = 1024
"""Equal parts of [0, 1): the first of a share's bins is looked up by its part, and then counted up."""

AT_ONCE = 25_000
"""Individuals whose bins are found at once: what the processor's cache holds."""


@dataclass(frozen=True, eq=False)
class Scheme:
    """Bins: edges in dollars, and their inner edges as shares of the population."""

    edges: Floats
    inner: Floats

    def counts(self, cells: Floats) -> Counts:
        """The histogram of each cell; the last bin is open at the top."""
        bins = len(self.edges) - 1
        rows = max(1, AT_ONCE // cells.shape[1])
        parts = (cells[start : start + rows] for start in range(0, len(cells), rows))
        counted = []
        for part in parts:
            index = self._bins_of(part) + np.arange(len(part))[:, None] * bins
            counted.append(np.bincount(index.ravel(), minlength=len(part) * bins))
        return np.concatenate(counted).reshape(len(cells), bins)

    def _bins_of(self, shares: Floats) -> Counts:
        """How many inner edges are at most each share, which lies in [0, 1)."""
        begins = np.arange(STRETCHES) / STRETCHES
        known = np.searchsorted(self.inner, begins, side="right")
        most = np.diff(known, append=len(self.inner)).max()
        beyond = np.append(self.inner, np.inf)
        index = known[(shares * STRETCHES).astype(np.int64)]
        for _ in range(most):
            index = index + (beyond[index] <= shares)
        return index


@cache
def log_normal_bins(bins: int) -> Scheme:
    """Inner edges at the percentiles k/bins."""
    inner = np.arange(1, bins) / bins
    return Scheme(np.array([BOTTOM, *dollars(inner), TOP]), inner)


@cache
def even_bins(bins: int) -> Scheme:
    """Edges equally spaced from the bottom cutoff to TOP."""
    edges = np.linspace(BOTTOM, TOP, bins + 1)
    return Scheme(edges, np.array([LAW.cdf(log(edge)) for edge in edges[1:-1]]))


def cells_of(size: int, number: int, rng: np.random.Generator) -> Floats:
    """``number`` cells of ``size`` individuals who earn at least BOTTOM, sorted, as shares."""
    cells = rng.uniform(LOWEST, 1, (number, size))
    cells.sort(axis=1)
    return cells


def rank_of(size: int, share: float) -> int:
    """(N+1)·X/100, an integer for the sizes used here."""
    rank = (size + 1) * share
    if rank != int(rank):
        raise ValueError(f"the rank {rank} is fractional")
    return int(rank)


def true_percentile(cells: Floats, share: float) -> Floats:
    return dollars(cells[:, rank_of(cells.shape[1], share) - 1])


def protected(counts: Counts, epsilon: float, rng: np.random.Generator) -> Counts:
    """Counts with two-sided geometric noise."""
    chance = 1 - exp(-epsilon)
    return counts + rng.geometric(chance, counts.shape) - rng.geometric(chance, counts.shape)


def percentiles(edges: Floats, counts: Counts, shares: Sequence[float]) -> list[Floats]:
    """The corrected percentiles of each row; NaN where the total is not positive."""
    through, rows = np.cumsum(counts, axis=1), np.arange(len(counts))
    released = through[:, -1] > 0
    found = []
    for share in shares:
        level = share * through[:, -1]
        first = np.argmax(through >= level[:, None], axis=1)
        inside = counts[rows, first]
        part = (level - (through[rows, first] - inside)) / np.where(released, inside, 1)
        value = edges[first] + (edges[first + 1] - edges[first]) * part
        found.append(np.where(released, value, np.nan))
    return found


def accuracy(values: Floats, true: Floats) -> Floats:
    """Relative accuracy, at least 0, and 0 where nothing is released."""
    return np.nan_to_num(np.maximum(1 - np.abs(values - true) / true, 0), nan=0.0)


def windows(cells: Floats, share: float, most: int) -> Floats:
    """The widths inside (4.6) with public end points, for k = 0, …, most, per cell, in dollars.

    Leaving out k > most can only make S*, and so the noise, smaller.
    """
    size = cells.shape[1]
    last = min(most, size)
    at = rank_of(size, share) - 1
    near = dollars(cells[:, max(at - last - 1, 0) : at + last + 2])
    below, above = max(last + 1 - at, 0), max(at + last + 2 - size, 0)
    ends = (np.full((len(cells), n), end) for n, end in ((below, float(BOTTOM)), (above, TOP)))
    lower, upper = ends
    padded = np.ascontiguousarray(np.concatenate([lower, near, upper], axis=1).T)  # cells side by side
    middle = last + 1
    widest = [
        (padded[middle : middle + k + 2] - padded[middle - k - 1 : middle + 1]).max(axis=0)
        for k in range(last + 1)
    ]
    return np.stack(widest).T


def smooth(widths: Floats, epsilon: float) -> Floats:
    """S* of each cell at β = ε_x/4."""
    discounts = np.exp(-epsilon / 4 * np.arange(widths.shape[1]))
    return np.asarray((widths * discounts).max(axis=1))


def heavy_tailed_noise(number: int, rng: np.random.Generator) -> Floats:
    """Z with density √2/π/(1+z⁴): Z⁴/(1+Z⁴) has the beta law (1/4, 3/4)."""
    u = rng.beta(0.25, 0.75, number)
    return np.asarray((u / (1 - u)) ** 0.25 * rng.choice([-1.0, 1.0], number))


def average_and_margin(differences: Floats, error: float) -> tuple[float, float]:
    """The average of independent draws from a law on [−1, 1], and by how much it may exceed the mean.

    It does so by less than √(2V·ln(2/error)/n) + 14·ln(2/error)/(3(n−1)), V the sample variance, with
    probability at least 1 − error (Maurer and Pontil 2009, Theorem 4).
    """
    n, weight = differences.size, log(2 / error)
    margin = sqrt(2 * float(differences.var(ddof=1)) * weight / n) + 14 * weight / (3 * (n - 1))
    return float(differences.mean()), margin


def mean_is_positive(differences: Floats, says: str, error: float, scope: str) -> Evidence:
    """Evidence that the mean of a law on [−1, 1] is positive, wrong with that probability at most."""
    average, margin = average_and_margin(differences, error)
    shown = f"{says}: average difference {average:.4f}, margin {margin:.4f}"
    established = True if average > margin else None
    return Evidence(shown, established, Grade.STATISTICAL, "statistical", "", scope)
