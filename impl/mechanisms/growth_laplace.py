"""Growth-Laplace, a mechanism of our own: Laplace noise on the growth scale of counts."""

from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar

import numpy as np

from establish.impl.arrays import Floats
from establish.impl.floats import to_float
from establish.impl.mechanisms.on_counts import OfGrowth
from establish.impl.sampling import laws as sampling
from establish.impl.sampling.bits import Bits
from establish.impl.sampling.reals import Reals
from establish.spec.arithmetic import ARB, Number
from establish.spec.mechanisms.growth_laplace import GrowthLaplaceMechanism, mean_errors
from establish.spec.parameters import Rational

SIZES = (1, 10, 100, 1_000, 10_000)
"""The sizes of cells at which expected errors are told."""


def by_size(errors: Sequence[tuple[Number, Number]]) -> dict[str, str]:
    """Mean absolute error and bias at SIZES, from E(out − n)⁺ and E(n − out)⁺ at each."""
    return {
        what: "; ".join(
            f"{float(above + sign * below):.4g} at n = {n}"
            for n, (above, below) in zip(SIZES, errors, strict=True)
        )
        for what, sign in (("mean absolute error", 1), ("bias", -1))
    }


class GrowthLaplace(OfGrowth):
    """φ⁻¹(φ(n) + W), rounded, with W ~ Laplace(1/ε) per cell and φ the growth scale; never below 0.

    alpha: α > 0 and epsilon: ε > 0, both exact. A neighbor moves φ(n) by at most 1, so the exact privacy loss
    is ε. The one calibration is ``tight``. Raises ParameterError outside the domain.
    """

    name = "growth-laplace"
    specified: ClassVar = {"tight": GrowthLaplaceMechanism}
    domains: ClassVar = {"tight": GrowthLaplaceMechanism.domain}
    noise = (
        "noisy = φ⁻¹(φ(n) + W), rounded to the nearest whole number, negative ones set to 0, "
        "W ~ Laplace(1/ε), φ(x) = ln(α·(x + j))/ln(1 + α) − j, j the least whole number >= 0 with "
        "x + j >= 1/α"
    )
    rests_on = ("establish/growth-laplace", "establish/growth-laplace-error")

    def __init__(self, alpha: Rational, epsilon: Rational, calibration: str = "tight") -> None:
        super().__init__(alpha, epsilon, calibration)
        self.noise_scale = to_float("1/ε", 1 / self.epsilon)
        self._step = float(Reals.constant(lambda: ARB.log(1 + ARB.number(self.alpha))).approximate)

    @property
    def constants(self) -> dict[str, float]:
        return {"ln(1 + α)": self._step}

    @property
    def expected_error(self) -> dict[str, str]:
        """E|noisy − n| and E noisy − n by size of cell, before rounding; infinite where ε <= ln(1+α)."""
        return by_size([mean_errors(Fraction(n), self.alpha, self.epsilon) for n in SIZES])

    def mean_error(self, count: Fraction) -> float:
        return float(sum(mean_errors(count, self.alpha, self.epsilon)))

    def _noisy(self, counts: Floats, largest: Floats, bits: Bits) -> Floats:
        values = sampling.growth_laplace(counts, self.alpha, self.epsilon, bits)
        return np.maximum(values, 0.0, out=values)
