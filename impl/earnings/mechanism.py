"""The histogram algorithm of Foote et al. 2019, Section 4.1, with the percentile formula corrected."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from establish.impl.earnings.bins import Bins
from establish.impl.earnings.histogram import Counts, budget, histogram, protected
from establish.impl.earnings.percentiles import Percentiles, Shares, percentiles
from establish.impl.mechanisms.guarantee import Guarantee
from establish.spec.parameters import Rational, positive

_SCOPE = (
    "One person has one record over all cells (with k records the losses add up to kε); over several "
    "releases they add up too. The bins, the percentiles and the cells are taken as public: {cells}"
)


@dataclass(frozen=True)
class Released:
    """Per cell: the protected count, and the percentiles or why there are none."""

    count: NDArray[np.int64]
    percentiles: Percentiles


class HistogramPercentiles:
    """Two-sided geometric noise on the counts of public bins; percentiles are read off.

    epsilon: ε, exact, as :func:`establish.impl.earnings.histogram.budget` allows. shares: from
    :func:`establish.impl.earnings.bins.percentages`. cells_given: whether the list of cells was given,
    or is taken from the data. Raises ParameterError outside the domain.
    """

    name = "histogram-percentiles"
    calibration = "corrected"
    noise = (
        "each bin count gets an independent whole number k with probability (1−ρ)/(1+ρ)·ρ^|k|, "
        "ρ = e^(−ε); count = the sum of the noisy bin counts"
    )
    rests_on = (
        "foote2019/prop-4.1",
        "foote2019/prop-4.1-step2",
        "foote2019/sec4.1-corollary",
        "foote2019/sens-bins",
        "foote2019/def-2.5-law",
        "haney2017/eq-14",
    )

    def __init__(
        self, epsilon: Rational, bins: Bins, shares: Shares, *, cells_given: bool = False
    ) -> None:
        self.epsilon = positive("ε", epsilon)
        self._ε = budget("ε", epsilon)
        self.bins, self.shares, self.cells_given = bins, shares, cells_given

    @property
    def labels(self) -> tuple[str, ...]:
        """What the columns of percentiles are called: p25 for 25, p97.5 for 97.5."""
        return tuple(f"p{100 * a / b:g}" for a, b in self.shares)

    @property
    def parameters(self) -> dict[str, object]:
        return {
            "epsilon": str(self.epsilon),
            "percentiles": [label[1:] for label in self.labels],
            "bins": self.bins.name,
            "bin_end_points": list(self.bins.edges),
        }

    @property
    def constants(self) -> dict[str, float]:
        return {"rho": math.exp(-self._ε)}

    @property
    def domain(self) -> str:
        return (
            "earnings >= 0; below the first end point they are counted in the first bin, at or above "
            "the start of the last bin in the last"
        )

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        cells = (
            "they were given in a list, and a cell of it without records is released like any other."
            if self.cells_given
            else "they were taken from the data, so the absence of a cell reveals that nobody is in it; "
            "give the full list with --cells to protect that too."
        )
        scope = _SCOPE.format(cells=cells)
        return (
            Guarantee(
                f"differential privacy with ε = {self.epsilon}",
                "neighbors that differ in the presence of one person's record",
                scope,
            ),
            Guarantee(
                f"differential privacy with 2ε = {2 * self.epsilon}",
                "neighbors that differ in one person's earnings or cell (one record removed, one added)",
                scope,
            ),
        )

    @property
    def expected_error(self) -> dict[str, str]:
        """Of a bin's count 2ρ/(1−ρ²) on average; of the cell's count √(M·2ρ)/(1−ρ) at one deviation."""
        ratio, deviation = math.exp(-self._ε), math.sqrt(2 * math.exp(-self._ε) * len(self.bins))
        mean = 2 * ratio / -math.expm1(-2 * self._ε)
        return {
            "mean absolute error": f"E|noisy − n| = {mean:.4g} for the count of one bin",
            "bias": "E[count] − n = 0",
            "standard deviation": f"{deviation / -math.expm1(-self._ε):.4g} for the count of a cell",
            "no percentiles": "a cell whose protected count is not positive has none; its status says so",
        }

    def release(
        self,
        cells: NDArray[np.int64],
        earnings: NDArray[np.float64],
        number: int,
        rng: np.random.Generator,
    ) -> Released:
        """cells: the cell of each record, from 0 to number − 1; earnings: dollars >= 0, checked before."""
        return self.of_counts(histogram(cells, earnings, number, self.bins), rng)

    def of_counts(self, counts: Counts, rng: np.random.Generator) -> Released:
        """The same from true counts, one row per cell."""
        noisy = protected(counts, self._ε, rng)
        return Released(noisy.sum(axis=1), percentiles(noisy, self.bins, self.shares))
