"""The histogram algorithm of Foote et al. 2019, Section 4.1, with the percentile formula corrected."""

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Self

from establish.impl.arrays import Floats, Integers
from establish.impl.certificate import require_certificate
from establish.impl.earnings.bins import Bins, named, percentages
from establish.impl.earnings.described import (
    EarningsMechanism,
    Released,
    deviation_of_total,
    mean_absolute_noise,
)
from establish.impl.earnings.histogram import Counts, histogram, protected
from establish.impl.earnings.percentiles import Percentiles, Shares, percentiles
from establish.impl.earnings.post_processing import clamped, monotone_percentiles
from establish.impl.sampling.bits import Bits
from establish.spec.parameters import ParameterError, Rational

RESTS_ON = (
    "foote2019/prop-4.1",
    "foote2019/prop-4.1-step2",
    "foote2019/sec4.1-corollary",
    "foote2019/sens-bins",
    "foote2019/def-2.5-law",
    "haney2017/eq-14",
)
"""The claims that protected counts of disjoint bins rest on."""

Reading = Callable[[Counts, Bins, Shares], Percentiles]
"""How percentiles are read off protected counts."""

POST_PROCESS: Mapping[str, Reading] = MappingProxyType(
    {
        "none": percentiles,
        "clamp": lambda counts, bins, shares: percentiles(clamped(counts), bins, shares),
        "isotonic": monotone_percentiles,
    }
)
"""What may be done to protected counts before percentiles are read off: nothing, negative ones set to
0, or the nearest monotone cumulative counts."""


class HistogramPercentiles(EarningsMechanism):
    """Two-sided geometric noise on the counts of public bins; percentiles are read off.

    post_process: a name of POST_PROCESS; the released count is that before it. The rest as
    EarningsMechanism. Raises ParameterError outside the domain.
    """

    name = "histogram-percentiles"
    calibration = "corrected"
    noise = (
        "each bin count gets an independent whole number k with probability (1−ρ)/(1+ρ)·ρ^|k|, "
        "ρ = e^(−ε); count = the sum of the noisy bin counts"
    )
    public = "The bins, the percentiles and the cells"

    def __init__(
        self,
        epsilon: Rational,
        bins: Bins,
        shares: Shares,
        *,
        cells_given: bool = False,
        post_process: str = "none",
    ) -> None:
        super().__init__(epsilon, shares, cells_given=cells_given)
        if post_process not in POST_PROCESS:
            known = ", ".join(POST_PROCESS)
            raise ParameterError(f"post-process = {post_process} is not known: use one of {known}")
        self.bins, self.post_process = bins, post_process

    @classmethod
    def again(cls, given: Mapping[str, Any], calibration: str, *, cells_given: bool) -> Self:
        bins, shares = named(given["bins"], given["bin_end_points"]), percentages(given["percentiles"])
        rest = {"cells_given": cells_given, "post_process": given["post_process"]}
        return cls(given["epsilon"], bins, shares, **rest)

    @property
    def rests_on(self) -> tuple[str, ...]:
        more = () if self.post_process == "none" else ("establish/post-processing-loss",)
        return (*RESTS_ON, *more)

    @property
    def parameters(self) -> dict[str, object]:
        return {
            "epsilon": str(self.epsilon),
            "percentiles": [label[1:] for label in self.labels],
            "bins": self.bins.name,
            "bin_end_points": list(self.bins.edges),
            "post_process": self.post_process,
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

    def count_deviation(self, total: int) -> float:
        return deviation_of_total(self._ε, len(self.bins))

    @property
    def expected_error(self) -> dict[str, str]:
        deviation = self.count_deviation(0)
        after = "" if self.post_process == "none" else " after --post-process"
        return {
            "mean absolute error": f"E|noisy − n| = {mean_absolute_noise(self._ε):.4g} for the count of one "
            "bin",
            "bias": "E[count] − n = 0",
            "standard deviation": f"{deviation:.4g} for the count of a cell",
            "no percentiles": f"a cell whose protected count{after} is not positive has none; its status "
            "says so",
        }

    def release(self, cells: Integers, earnings: Floats, number: int, bits: Bits) -> Released:
        return self.of_counts(histogram(cells, earnings, number, self.bins), bits)

    def of_counts(self, counts: Counts, bits: Bits) -> Released:
        """The same from true counts, one row per cell."""
        require_certificate(self.name)
        noisy = protected(counts, self.epsilon, bits)
        read = POST_PROCESS[self.post_process]
        return Released(noisy.sum(axis=1), read(noisy, self.bins, self.shares))
