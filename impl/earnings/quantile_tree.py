"""Several quantiles by a recursive exponential mechanism, for many cells at once."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from establish.impl.earnings.bins import BOTTOM, RECOVERED_MEAN, RECOVERED_SD, TOP
from establish.impl.earnings.histogram import Counts
from establish.impl.earnings.percentiles import Shares

GRID = 1024
"""How many candidates lie between BOTTOM and TOP, each 0.4% above the one before."""

CHUNK = 1024
"""How many cells are held in memory at once."""


class Candidates:
    """Public candidates, evenly spaced in logarithms, with the log-normal law's weight around each.

    values: increasing dollars. log_weights: one per candidate, up to a constant.
    """

    def __init__(self, values: NDArray[np.float64], log_weights: NDArray[np.float64]) -> None:
        self.values, self.log_weights = values, log_weights

    @classmethod
    def log_normal(cls) -> Candidates:
        """GRID candidates with the weights of the recovered log-normal law between BOTTOM and TOP."""
        logs = np.linspace(math.log(BOTTOM), math.log(TOP), GRID)
        between = (logs[1:] + logs[:-1]) / 2
        ends = np.concatenate([logs[:1], between, logs[-1:]])
        below = ndtr((ends - RECOVERED_MEAN) / RECOVERED_SD)
        return cls(np.exp(logs), np.log(np.diff(below)))

    def below(self, cells: NDArray[np.int64], earnings: NDArray[np.float64], number: int) -> Counts:
        """How many of each cell's earnings are less than each candidate."""
        width = self.values.size + 1
        places = cells * width + np.searchsorted(self.values, earnings, side="right")
        counts = np.bincount(places, minlength=number * width).reshape(number, width)
        return np.cumsum(counts, axis=1)[:, :-1]


def levels(shares: int) -> int:
    """How many draws lie on the way to a share: the least k with 2^k > shares."""
    return shares.bit_length()


def quantile_tree(
    below: Counts,
    sizes: NDArray[np.int64],
    candidates: Candidates,
    shares: Shares,
    epsilon: float,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """One candidate per cell and share; the loss is ε, in equal parts for the levels.

    below: from :meth:`Candidates.below`. sizes: how many earnings each cell has. shares: increasing.
    The values never decrease with the share.
    """
    parts = [Fraction(a, b) for a, b in shares]
    places = np.empty((sizes.size, len(parts)), dtype=np.int64)
    for start in range(0, sizes.size, CHUNK):
        chosen = slice(start, start + CHUNK)
        tree = _Tree(below[chosen], candidates.log_weights, epsilon / levels(len(parts)), rng)
        zero = np.zeros(sizes[chosen].size, dtype=np.int64)
        tree.fill(
            places[chosen], parts, zero, zero + candidates.values.size - 1, zero, sizes[chosen]
        )
    values: NDArray[np.float64] = candidates.values[places]
    return values


class _Tree:
    """The draws of one chunk of cells; each level has the budget ``epsilon``."""

    def __init__(
        self,
        below: Counts,
        log_weights: NDArray[np.float64],
        epsilon: float,
        rng: np.random.Generator,
    ) -> None:
        self.below, self.log_weights, self.epsilon, self.rng = below, log_weights, epsilon, rng

    def fill(
        self,
        places: NDArray[np.int64],
        shares: list[Fraction],
        first: NDArray[np.int64],
        last: NDArray[np.int64],
        before: NDArray[np.int64],
        sizes: NDArray[np.int64],
    ) -> None:
        """Draw ``shares`` of the ``sizes`` earnings after the ``before`` lowest, between two places."""
        if not shares:
            return
        middle = len(shares) // 2
        share = shares[middle]
        at = self._draw(share, first, last, before, sizes)
        places[:, middle] = at
        through = self.below[np.arange(at.size), at]
        lower = [part / share for part in shares[:middle]]
        self.fill(places[:, :middle], lower, first, at, before, through - before)
        upper = [(part - share) / (1 - share) for part in shares[middle + 1 :]]
        rest = before + sizes - through
        self.fill(places[:, middle + 1 :], upper, at, last, through, rest)

    def _draw(
        self,
        share: Fraction,
        first: NDArray[np.int64],
        last: NDArray[np.int64],
        before: NDArray[np.int64],
        sizes: NDArray[np.int64],
    ) -> NDArray[np.int64]:
        """The largest of log-weight minus ε_l·u/2 plus independent Gumbel noise: that law exactly."""
        a, b = share.numerator, share.denominator
        u = np.abs(b * (self.below - before[:, None]) - a * sizes[:, None]) / max(a, b - a)
        score = self.log_weights - self.epsilon / 2 * u + self.rng.gumbel(size=self.below.shape)
        places = np.arange(self.below.shape[1])
        outside = (places < first[:, None]) | (places > last[:, None])
        score[outside] = -np.inf
        return np.asarray(np.argmax(score, axis=1), dtype=np.int64)
