"""Growth-Staircase, a mechanism of our own: staircase noise on the growth scale of counts."""

from fractions import Fraction
from typing import ClassVar

import numpy as np

from establish.impl.arrays import Floats
from establish.impl.mechanisms.growth_laplace import SIZES, by_size
from establish.impl.mechanisms.on_counts import LEAST, OfGrowth
from establish.impl.sampling import laws as sampling
from establish.impl.sampling.bits import Bits
from establish.spec.arithmetic import MP, Number
from establish.spec.mechanisms.growth_staircase import (
    GrowthStaircaseMechanism,
    UnbiasedGrowthStaircaseMechanism,
    mean_errors,
)
from establish.spec.parameters import Rational


class GrowthStaircase(OfGrowth):
    """φ⁻¹(φ(n) + W), rounded, with a staircase law W per cell and φ the growth scale; never below 0.

    alpha: α > 0 and epsilon: ε > ln(1+α), at least 1/1000, both exact. A neighbor moves φ(n) by at most 1,
    which crosses one step at most, so the exact privacy loss is ε. The one calibration is ``tight``. Raises
    ParameterError outside the domain, and where the constant 0 would have the smaller error.
    """

    name = "growth-staircase"
    specified: ClassVar = {"tight": GrowthStaircaseMechanism}
    domains: ClassVar = {"tight": GrowthStaircaseMechanism.domain & LEAST}
    noise = (
        "noisy = φ⁻¹(φ(n) + W), rounded to the nearest whole number, negative ones set to 0, W with a "
        "density that is flat from −r1 to r2 and lower by e^(−ε) in each further step of width 1, "
        "φ(x) = ln(α·(x + j))/ln(1 + α) − j, j the least whole number >= 0 with x + j >= 1/α"
    )
    rests_on: tuple[str, ...] = ("establish/growth-staircase", "establish/growth-laplace")

    def __init__(self, alpha: Rational, epsilon: Rational, calibration: str = "tight") -> None:
        super().__init__(alpha, epsilon, calibration)
        self._specified = self.specified["tight"](self.alpha, self.epsilon)
        self.down, self.up = self._specified.down, self._specified.up

    @property
    def constants(self) -> dict[str, float]:
        return {"r1": float(self.down), "r2": float(self.up)}

    @property
    def expected_error(self) -> dict[str, str]:
        """E|noisy − n| and E noisy − n by size of cell, before rounding."""
        return by_size([self.errors(n) for n in SIZES])

    def errors(self, count: int) -> tuple[Number, Number]:
        """E(noisy − n)⁺ and E(n − noisy)⁺ at n = count, before rounding."""
        return mean_errors(Fraction(count), self.alpha, self.epsilon, self.down, self.up)

    def mean_error(self, count: Fraction) -> float:
        return float(sum(self.errors(int(count))))

    def _noisy(self, counts: Floats, largest: Floats, bits: Bits) -> Floats:
        values = sampling.growth_staircase(counts, self.alpha, self.down, self.up, self.epsilon, bits)
        return np.maximum(values, 0.0, out=values)


class UnbiasedGrowthStaircase(GrowthStaircase):
    """The same noise, with outputs so placed that there is no bias before rounding; they may be negative.

    The domain is that of GrowthStaircase, where outputs so placed increase. Raises ParameterError elsewhere.
    """

    name = "growth-staircase-unbiased"
    specified: ClassVar = {"tight": UnbiasedGrowthStaircaseMechanism}
    domains: ClassVar = {"tight": UnbiasedGrowthStaircaseMechanism.domain & LEAST}
    noise = (
        "noisy = g(φ(n) + W), rounded to the nearest whole number, W with a density that is flat from −r1 to "
        "r2 and lower by e^(−ε) in each further step of width 1, φ(x) = ln(α·(x + j))/ln(1 + α) − j, j the "
        "least whole number >= 0 with x + j >= 1/α, g the increasing function with E g(φ(n) + W) = n for "
        "every whole n >= 0 that establish.spec.unbiased_growth defines"
    )
    rests_on = (
        "establish/growth-staircase-unbiased",
        "establish/growth-staircase-unbiased-mean",
        "establish/growth-laplace",
    )

    def errors(self, count: int) -> tuple[Number, Number]:
        assert isinstance(self._specified, UnbiasedGrowthStaircaseMechanism)
        half = self._specified.mean_absolute_error(Fraction(count)) / 2
        return half, half

    def _noisy(self, counts: Floats, largest: Floats, bits: Bits) -> Floats:
        assert isinstance(self._specified, UnbiasedGrowthStaircaseMechanism)
        return sampling.unbiased_growth_staircase(counts, self._specified.outputs(MP), bits)
