"""Percentiles by the mechanism that a public rule picks for a cell, from ε and its noisy total."""

import math
from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from establish.impl.arrays import Floats, Integers
from establish.impl.certificate import require_certificate
from establish.impl.earnings.bins import Bins, log_normal
from establish.impl.earnings.described import (
    EarningsMechanism,
    Records,
    Released,
    deviation_of_total,
    mean_absolute_noise,
)
from establish.impl.earnings.histogram import Counts, budget, histogram, protected
from establish.impl.earnings.histogram_percentiles import POST_PROCESS, RESTS_ON
from establish.impl.earnings.percentiles import Percentiles, Shares, require_increasing
from establish.impl.earnings.quantile_tree import Candidates, quantile_tree
from establish.impl.sampling.bits import Bits
from establish.spec.parameters import Rational

BOUNDS = (25, 60, 250, 600)
"""Where the classes of ε·(noisy total) begin; public constants, whatever the data are.

They and CHOICES were fixed by looking at cells rebuilt from public statistics, the first table of
tests/bench/bench_earnings.py, and at simulated ones (medians spread by 0.4, earnings by 0.6 in
logarithms); the simulated cells of its second table, spread otherwise, had no part in that.
"""

CHOICES: tuple[tuple[Bins, str] | None, ...] = (
    (log_normal(6), "clamp"),
    (log_normal(10), "clamp"),
    (log_normal(14), "clamp"),
    (log_normal(), "isotonic"),
    None,
)
"""Per class: the bins (the fourth are those of Table 1) and what is done to their counts; the last class,
None, draws the percentiles by the recursive exponential mechanism. Few bins suit small classes: each
carries its own noise."""

TOTAL, COUNT = Fraction(1, 20), Fraction(1, 5)
"""The shares of ε for the total that picks, and for the released count where no bins are counted."""


def spending(place: int) -> tuple[Fraction, ...]:
    """The shares of ε that the class spends: on the total that picks, then on what it releases.

    That is its counts, or the cell's count and the percentiles.
    """
    return (TOTAL, 1 - TOTAL) if CHOICES[place] is not None else (TOTAL, COUNT, 1 - TOTAL - COUNT)


class ChosenBySize(EarningsMechanism):
    """ε in all when one record is added or removed, 2ε when one changes (spec/earnings/chosen_by_size).

    shares: increasing. The rest as EarningsMechanism. Raises ParameterError outside the domain.
    """

    name = "chosen-by-size"
    calibration = "ours"
    noise = (
        "a whole number k with probability (1−ρ)/(1+ρ)·ρ^|k|, ρ = e^(−sε), on the total that picks the class "
        "(s = 1/20), on each bin count (s = 19/20), and in the last class on the count (s = 1/5); there each "
        "percentile is a public candidate y with probability in proportion to its public weight times "
        "e^(−ε_l·u(y)/2), u its distance in rank, ε_l = 3ε/4 over the number of levels"
    )
    public = "The classes, the bins, the candidates, the percentiles and the cells"

    def __init__(self, epsilon: Rational, shares: Shares, *, cells_given: bool = False) -> None:
        super().__init__(epsilon, shares, cells_given=cells_given)
        budget("ε for the total", self.epsilon * TOTAL)
        require_increasing(shares)
        self._candidates = Candidates.log_normal()

    @property
    def rests_on(self) -> tuple[str, ...]:
        return (
            *RESTS_ON,
            "establish/post-processing-loss",
            "establish/quantile-draw-loss",
            "establish/quantile-tree-loss",
            "establish/chosen-by-size-loss",
            "establish/chosen-by-size-budget",
        )

    @property
    def parameters(self) -> dict[str, object]:
        starts = ("any", *BOUNDS)
        return {
            "epsilon": str(self.epsilon),
            "percentiles": [label[1:] for label in self.labels],
            "classes": [
                {
                    "epsilon_times_noisy_total_from": start,
                    "bin_end_points": None if choice is None else list(choice[0].edges),
                    "post_process": None if choice is None else choice[1],
                    "shares_of_epsilon": [str(share) for share in spending(place)],
                }
                for place, (start, choice) in enumerate(zip(starts, CHOICES, strict=True))
            ],
        }

    @property
    def constants(self) -> dict[str, float]:
        return {"rho_of_the_total": math.exp(-self._ε * float(TOTAL))}

    @property
    def domain(self) -> str:
        ends = f"{self._candidates.values[0]:.0f} to {self._candidates.values[-1]:.0f}"
        return (
            "earnings >= 0; in binned classes those outside the bins are counted in the first or last bin; "
            f"percentiles drawn in the last class lie in {ends} dollars"
        )

    def _deviation(self, place: int) -> float:
        choice = CHOICES[place]
        counts = 1 if choice is None else len(choice[0])
        return deviation_of_total(self._ε * float(spending(place)[1]), counts)

    def count_deviation(self, total: int) -> float:
        return self._deviation(int(self.pick(np.array([total]))[0]))

    @property
    def expected_error(self) -> Mapping[str, str]:
        deviations = [f"{self._deviation(place):.4g}" for place in range(len(CHOICES))]
        one = mean_absolute_noise(self._ε * float(spending(0)[1]))
        return {
            "mean absolute error": f"E|noisy − n| = {one:.4g} for the count of one bin",
            "bias": "E[count] − n = 0",
            "standard deviation": f"{', '.join(deviations)} for the count of a cell, by class",
            "no percentiles": "a cell in whose class all counts come out as 0 or less has none; its status "
            "says so",
        }

    def pick(self, totals: Counts) -> Integers:
        """The class of each noisy total, from 0."""
        starts = [math.ceil(bound / self.epsilon) for bound in BOUNDS]
        return np.searchsorted(np.array(starts), totals, side="right").astype(np.int64)

    def release(self, cells: Integers, earnings: Floats, number: int, bits: Bits) -> Released:
        require_certificate(self.name)
        sizes = np.bincount(cells, minlength=number)
        picked = self.pick(protected(sizes, self.epsilon * TOTAL, bits))
        count = np.zeros(number, dtype=np.int64)
        defined = np.zeros(number, dtype=np.bool_)
        values = np.zeros((number, len(self.shares)))
        everything = Records(cells, earnings, number)
        for place in np.unique(picked):
            chosen = picked == place
            released = self._run(int(place), everything.of(chosen), bits)
            count[chosen] = released.count
            defined[chosen] = released.percentiles.defined
            values[chosen] = released.percentiles.filled(0.0)
        return Released(count, Percentiles(defined, values[defined]))

    def _run(self, place: int, records: Records, bits: Bits) -> Released:
        """One class of cells, by its choice, with what the total leaves of ε."""
        spent = [self.epsilon * share for share in spending(place)[1:]]
        choice = CHOICES[place]
        if choice is None:
            return self._tree(records, spent[0], spent[1], bits)
        bins, post = choice
        counts = histogram(records.cells, records.earnings, records.number, bins)
        noisy = protected(counts, spent[0], bits)
        return Released(noisy.sum(axis=1), POST_PROCESS[post](noisy, bins, self.shares))

    def _tree(self, records: Records, for_count: Fraction, for_shares: Fraction, bits: Bits) -> Released:
        sizes = np.bincount(records.cells, minlength=records.number)
        noisy = protected(sizes, for_count, bits)
        below = self._candidates.below(records.cells, records.earnings, records.number)
        drawn = quantile_tree(below, sizes, self._candidates, self.shares, for_shares, bits)
        return Released(noisy, Percentiles(np.ones(records.number, dtype=np.bool_), drawn))
