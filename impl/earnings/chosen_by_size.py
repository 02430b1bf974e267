"""Percentiles by the mechanism that a public rule picks for a cell, from ε and its noisy total."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from establish.impl.earnings.bins import log_normal
from establish.impl.earnings.histogram import (
    Counts,
    budget,
    histogram,
    protected,
    two_sided_geometric,
)
from establish.impl.earnings.mechanism import Released
from establish.impl.earnings.percentiles import Percentiles, Shares, percentiles
from establish.impl.earnings.post_processing import clamped, monotone_percentiles
from establish.impl.earnings.quantile_tree import Candidates, quantile_tree
from establish.spec.parameters import Rational, positive

BOUNDS = (25, 60, 250, 600)
"""Where the classes of ε·(noisy total) begin; public constants, whatever the data are.

They and CHOICES were fixed by looking at cells rebuilt from public statistics, the first table of
tests/bench/bench_earnings.py, and at simulated ones (medians spread by 0.4, earnings by 0.6 in
logarithms); the simulated cells of its second table, spread otherwise, had no part in that.
"""

CHOICES = (
    (log_normal(6), clamped),
    (log_normal(10), clamped),
    (log_normal(14), clamped),
    (log_normal(), None),
    None,
)
"""Per class: the bins (the fourth are those of Table 1) and what is done to their counts (None: the monotone
fit); the last class, None, draws the percentiles by the recursive exponential mechanism. Few bins suit
small classes: each carries its own noise."""

TOTAL, COUNT = Fraction(1, 20), Fraction(1, 5)
"""The shares of ε for the total that picks, and for the released count where no bins are counted."""


@dataclass(frozen=True)
class _Records:
    cells: NDArray[np.int64]
    earnings: NDArray[np.float64]
    number: int

    def of(self, chosen: NDArray[np.bool_]) -> _Records:
        """The records of the chosen cells, which are numbered anew."""
        kept = chosen[self.cells]
        anew = np.cumsum(chosen) - 1
        return _Records(anew[self.cells[kept]], self.earnings[kept], int(chosen.sum()))


class ChosenBySize:
    """ε in all when one record is added or removed, 2ε when one changes (spec/earnings/chosen_by_size).

    epsilon: exact, as for the histogram. shares: increasing. Raises ParameterError outside the domain.
    """

    def __init__(self, epsilon: Rational, shares: Shares) -> None:
        self.epsilon = positive("ε", epsilon)
        self._ε = budget("ε", epsilon)
        budget("ε for the total", self.epsilon * TOTAL)
        self.shares = shares
        self._candidates = Candidates.log_normal()

    def pick(self, totals: Counts) -> NDArray[np.int64]:
        """The class of each noisy total, from 0."""
        return np.searchsorted(np.array(BOUNDS), totals * self._ε, side="right").astype(np.int64)

    def release(
        self,
        cells: NDArray[np.int64],
        earnings: NDArray[np.float64],
        number: int,
        rng: np.random.Generator,
    ) -> Released:
        """cells: the cell of each record, from 0 to number − 1; earnings: dollars >= 0, checked before."""
        sizes = np.bincount(cells, minlength=number)
        picked = self.pick(
            sizes + two_sided_geometric(sizes.shape, float(self.epsilon * TOTAL), rng)
        )
        count = np.zeros(number, dtype=np.int64)
        defined = np.zeros(number, dtype=np.bool_)
        values = np.zeros((number, len(self.shares)))
        everything = _Records(cells, earnings, number)
        for place in np.unique(picked):
            chosen = picked == place
            released = self._run(int(place), everything.of(chosen), rng)
            count[chosen] = released.count
            defined[chosen] = released.percentiles.defined
            values[chosen] = released.percentiles.filled(0.0)
        return Released(count, Percentiles(defined, values[defined]))

    def _run(self, place: int, records: _Records, rng: np.random.Generator) -> Released:
        """One class of cells, by its choice, with what TOTAL leaves of ε."""
        choice = CHOICES[place]
        if choice is None:
            return self._tree(records, rng)
        bins, post = choice
        counts = histogram(records.cells, records.earnings, records.number, bins)
        noisy = protected(counts, float(self.epsilon * (1 - TOTAL)), rng)
        read = (
            monotone_percentiles(noisy, bins, self.shares)
            if post is None
            else percentiles(post(noisy), bins, self.shares)
        )
        return Released(noisy.sum(axis=1), read)

    def _tree(self, records: _Records, rng: np.random.Generator) -> Released:
        sizes = np.bincount(records.cells, minlength=records.number)
        noisy = sizes + two_sided_geometric(sizes.shape, float(self.epsilon * COUNT), rng)
        below = self._candidates.below(records.cells, records.earnings, records.number)
        left = float(self.epsilon * (1 - TOTAL - COUNT))
        drawn = quantile_tree(below, sizes, self._candidates, self.shares, left, rng)
        return Released(noisy, Percentiles(np.ones(records.number, dtype=np.bool_), drawn))
