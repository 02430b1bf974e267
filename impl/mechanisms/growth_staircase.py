"""Growth-Staircase, a mechanism of our own: staircase noise on the growth scale of counts."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from establish.impl.domain import require_growth_staircase, require_only_calibration
from establish.impl.floats import to_float
from establish.impl.mechanisms.growth_laplace import SIZES, by_size
from establish.impl.mechanisms.guarantee import Guarantee, employer_employee
from establish.impl.mechanisms.on_counts import OnCounts
from establish.impl.sampling import laws as sampling
from establish.impl.sampling.bits import Bits
from establish.spec.mechanisms.growth_staircase import GrowthStaircaseMechanism, mean_errors
from establish.spec.parameters import Rational, positive


class GrowthStaircase(OnCounts):
    """φ⁻¹(φ(n) + W), rounded, with a staircase law W per cell and φ the growth scale; never below 0.

    alpha: α > 0 and epsilon: ε > ln(1+α), at least 1/1000, both exact. A neighbor moves φ(n) by at most 1,
    which crosses one step at most, so the exact privacy loss is ε. The one calibration is ``tight``. Raises
    ParameterError outside the domain, and where the constant 0 would have the smaller error.
    """

    name = "growth-staircase"
    noise = (
        "noisy = φ⁻¹(φ(n) + W), rounded to the nearest whole number, negative ones set to 0, W with a "
        "density that is flat from −r1 to r2 and lower by e^(−ε) in each further step of width 1, "
        "φ(x) = ln(α·(x + j))/ln(1 + α) − j, j the least whole number >= 0 with x + j >= 1/α"
    )
    rests_on = ("establish/growth-staircase", "establish/growth-laplace")
    domain = "ln(1 + α) < ε, 1/1000 <= ε"

    def __init__(self, alpha: Rational, epsilon: Rational, calibration: str = "tight") -> None:
        self.alpha, self.epsilon = positive("α", alpha), positive("ε", epsilon)
        self.calibration = require_only_calibration(self.name, calibration)
        to_float("1/α", 1 / self.alpha)
        to_float("1/ε", 1 / self.epsilon)
        require_growth_staircase(self.alpha, self.epsilon)
        specified = GrowthStaircaseMechanism(self.alpha, self.epsilon)
        self.down, self.up = specified.down, specified.up

    @property
    def parameters(self) -> dict[str, str]:
        return {"alpha": str(self.alpha), "epsilon": str(self.epsilon)}

    @property
    def constants(self) -> dict[str, float]:
        return {"r1": float(self.down), "r2": float(self.up)}

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        return employer_employee(f"α = {self.alpha}, ε = {self.epsilon}")

    @property
    def expected_error(self) -> dict[str, str]:
        """E|noisy − n| and E noisy − n by size of cell, before rounding."""
        ends = self.alpha, self.epsilon, self.down, self.up
        return by_size([mean_errors(Fraction(n), *ends) for n in SIZES])

    def _noisy(
        self, counts: NDArray[np.float64], largest: NDArray[np.float64], bits: Bits
    ) -> NDArray[np.float64]:
        values = sampling.growth_staircase(
            counts, self.alpha, self.down, self.up, self.epsilon, bits
        )
        return np.maximum(values, 0.0, out=values)
