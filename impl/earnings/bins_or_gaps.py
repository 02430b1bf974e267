"""Percentiles from few bins or by equal gaps, as a public rule picks from ε and a noisy total."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
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
from establish.impl.earnings.equal_gaps import Gaps, count_deviation, equal_gaps, rank_deviations
from establish.impl.earnings.fitted import fitted_percentiles
from establish.impl.earnings.histogram import Counts, budget, histogram, protected
from establish.impl.earnings.histogram_percentiles import RESTS_ON
from establish.impl.earnings.percentiles import Percentiles, Shares
from establish.impl.earnings.public_law import PublicLaw
from establish.impl.sampling.bits import Bits
from establish.spec.parameters import Rational

TOTAL = Fraction(1, 30)
"""The share of ε for the total that picks."""


@dataclass(frozen=True)
class FewBins:
    """A class whose cells are counted in bins; pull: how far they are drawn to the fitted law."""

    bins: Bins
    pull: Fraction


CLASSES = (
    FewBins(log_normal(6), Fraction(2)),
    FewBins(log_normal(10), Fraction(1, 2)),
    FewBins(log_normal(14), Fraction(1, 2)),
    FewBins(log_normal(), Fraction(1, 4)),
    FewBins(log_normal(30), Fraction(1, 4)),
)
"""Few bins suit few records and much noise; after them comes the class by equal gaps."""

STARTS = (80, 250, 500, 1200)
"""Where the classes after the first begin, in multiples of the mean size of the noise in a bin."""

GAPS = len(CLASSES)
"""The place of the class whose count and percentiles are drawn by equal gaps."""

GAPS_FROM, GAPS_AT_LEAST, LARGE = 190, 150, Fraction(5, 2)
"""Equal gaps from ε·total = 190 on, and where ε is LARGE or more from a total of 150 on.

These constants, and CLASSES and STARTS, were fixed on simulated cells of four shapes (TUNED in
tests/bench/quartiles.py); the other four shapes there had no part in that.
"""


def spending(place: int) -> tuple[Fraction, Fraction]:
    """The shares of ε for the total that picks, and for what the class releases."""
    return TOTAL, 1 - TOTAL


class BinsOrGaps(EarningsMechanism):
    """ε in all when one record is added or removed, 2ε when one changes (spec/earnings/chosen_by_size).

    shares: increasing. The rest as EarningsMechanism. Raises ParameterError outside the domain.
    """

    name = "bins-or-gaps"
    calibration = "ours"
    noise = (
        "a whole number k with probability (1−ρ)/(1+ρ)·ρ^|k|, ρ = e^(−sε), on the total that picks the class "
        "(s = 1/30) and on each bin count (s = 29/30); in the last class count T and percentiles y are drawn "
        "together, with probability in proportion to the public weight of y times e^(−29/30·ε·u/2), "
        "u = Σ|n_j − t_j|, n_j the records between neighboring percentiles and t_j what T has there"
    )
    classes = (*(f"{len(few.bins)} bins" for few in CLASSES), "equal gaps")
    public = "The classes, the bins, the public law of earnings, the percentiles and the cells"

    def __init__(self, epsilon: Rational, shares: Shares, *, cells_given: bool = False) -> None:
        super().__init__(epsilon, shares, cells_given=cells_given)
        budget("ε for the total", self.epsilon * TOTAL)
        self.gaps = Gaps(shares, self.epsilon * (1 - TOTAL), PublicLaw.log_normal())

    @property
    def rests_on(self) -> tuple[str, ...]:
        return (
            *RESTS_ON,
            "establish/post-processing-loss",
            "establish/equal-gaps-loss",
            "establish/equal-gaps-counts-and-weights",
            "establish/chosen-by-size-loss",
            "establish/bins-or-gaps-budget",
        )

    @property
    def parameters(self) -> dict[str, object]:
        return {
            "epsilon": str(self.epsilon),
            "percentiles": [label[1:] for label in self.labels],
            "equal_gaps_from_noisy_total": self.gaps_from,
            "counts_by_equal_gaps_are_multiples_of": self.gaps.step,
            "classes_of_bins": [
                {"from_noisy_total": start, "bin_end_points": list(few.bins.edges), "pull": str(few.pull)}
                for start, few in zip(("any", *self.starts), CLASSES, strict=True)
            ],
        }

    @property
    def gaps_from(self) -> int:
        """The least noisy total of the class by equal gaps."""
        least = math.ceil(GAPS_FROM / self.epsilon)
        return least if self.epsilon < LARGE else max(least, GAPS_AT_LEAST)

    @property
    def starts(self) -> tuple[int, ...]:
        """The least noisy total of every class of bins but the first."""
        size = mean_absolute_noise(float(self.gaps.epsilon))
        return tuple(math.ceil(start * size) for start in STARTS)

    @property
    def constants(self) -> dict[str, float]:
        return {"scale_of_the_noise_in_a_gap": 2 / float(self.gaps.epsilon)}

    @property
    def domain(self) -> str:
        return (
            "earnings >= 0; in classes of bins those outside the bins are counted in the first or last bin; "
            "by equal gaps percentiles lie in 10000 to 614597 dollars, as do earnings for them"
        )

    def _deviation(self, place: int) -> float:
        spent = float(self.gaps.epsilon)
        if place == GAPS:
            return count_deviation(self.gaps)
        return deviation_of_total(spent, len(CLASSES[place].bins))

    def count_deviation(self, total: int) -> float:
        return self._deviation(int(self.pick(np.array([total]))[0]))

    def rank_deviations(self, total: int) -> tuple[float, ...] | None:
        by_gaps = int(self.pick(np.array([total]))[0]) == GAPS
        return rank_deviations(self.gaps) if by_gaps else None

    @property
    def expected_error(self) -> Mapping[str, str]:
        counts = ", ".join(f"{self._deviation(place):.4g}" for place in range(GAPS))
        ranks = ", ".join(f"{value:.4g}" for value in rank_deviations(self.gaps))
        together = self._deviation(GAPS)
        return {
            "mean absolute error": f"at most about {together:.4g} for the count of a cell by equal gaps, and "
            f"for the ranks of its percentiles {ranks} records",
            "standard deviation": f"{counts} for the count of a cell with bins, by class; by equal gaps "
            "the numbers above, in cells of many more records than that with different earnings",
            "bias": "in cells with few records towards a log-normal law that is fitted to protected counts",
        }

    def pick(self, totals: Counts) -> Integers:
        """The class of each noisy total, from 0; GAPS for equal gaps."""
        places = np.searchsorted(np.array(self.starts), totals, side="right").astype(np.int64)
        return np.where(totals >= self.gaps_from, GAPS, places)

    def release(self, cells: Integers, earnings: Floats, number: int, bits: Bits) -> Released:
        require_certificate(self.name)
        sizes = np.bincount(cells, minlength=number)
        picked = self.pick(protected(sizes, self.epsilon * TOTAL, bits))
        count = np.zeros(number, dtype=np.int64)
        values = np.zeros((number, len(self.shares)))
        everything = Records(cells, earnings, number)
        for place in np.unique(picked).tolist():
            chosen = picked == place
            records = everything.of(chosen)
            count[chosen], values[chosen] = self._run(place, records, bits)
        return Released(count, Percentiles(np.ones(number, dtype=np.bool_), values), picked)

    def _run(self, place: int, records: Records, bits: Bits) -> tuple[Integers, Floats]:
        """One class of cells, with what the total leaves of ε."""
        spent = self.epsilon * spending(place)[1]
        if place == GAPS:
            return equal_gaps(self.gaps, records.cells, records.earnings, records.number, bits)
        few = CLASSES[place]
        counts = histogram(records.cells, records.earnings, records.number, few.bins)
        noisy = protected(counts, spent, bits)
        found = fitted_percentiles(noisy, few.bins, self.shares, float(spent), float(few.pull))
        return noisy.sum(axis=1), found.filled(0.0)
