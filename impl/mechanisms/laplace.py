"""The Laplace mechanism on counts of jobs."""

import math
from fractions import Fraction
from typing import ClassVar

from establish.impl.arrays import Floats
from establish.impl.floats import to_float
from establish.impl.mechanisms.on_counts import OnCounts
from establish.impl.sampling import laws as sampling
from establish.impl.sampling.bits import Bits
from establish.impl.sampling.reals import Reals
from establish.spec.mechanisms.laplace import EdgeLaplaceMechanism
from establish.spec.parameters import Rational, positive


class Laplace(OnCounts):
    """n + η with η ~ Laplace(1/ε) per cell, rounded (Haney et al. 2017, Definition 2.4).

    epsilon: ε > 0, exact. One job added or removed changes one count by 1, so this is edge
    differential privacy; it does not hide the size of an establishment. The printed noise is tight,
    so both calibrations are the same. Raises ParameterError outside the domain.
    """

    name = "laplace"
    unnamed = "published"  # both are the same noise
    specified: ClassVar = {"published": EdgeLaplaceMechanism, "tight": EdgeLaplaceMechanism}
    domains: ClassVar = dict.fromkeys(specified, EdgeLaplaceMechanism.domain)
    rests_on = ("establish/laplace-edge", "haney2017/def-2.4-scale", "haney2017/sec2-laplace-l1")
    noise = "noisy = n + η, rounded to the nearest whole number, η ~ Laplace(b)"

    def __init__(self, epsilon: Rational, calibration: str = "published") -> None:
        self.epsilon = positive("ε", epsilon)
        self.calibration = self._calibrated(calibration)
        self.noise_scale = to_float("1/ε", 1 / self.epsilon)
        self.reach = self.noise_scale * math.log(20) + 0.5

    @property
    def parameters(self) -> dict[str, str]:
        return {"epsilon": str(self.epsilon)}

    @property
    def constants(self) -> dict[str, float]:
        return {"b": self.noise_scale}

    @property
    def expected_error(self) -> dict[str, str]:
        deviation = math.sqrt(2) * self.noise_scale
        return {
            "mean absolute error": f"E|noisy − n| = {self.noise_scale:.4g}",
            "bias": "E[noisy] − n = 0",
            "standard deviation": f"{deviation:.4g}",
        }

    def mean_error(self, count: Fraction) -> float:
        return self.noise_scale

    def _noisy(self, counts: Floats, largest: Floats, bits: Bits) -> Floats:
        scale = Reals.fraction(1 / self.epsilon)
        return sampling.laplace(Reals.floats(counts), scale, bits)
