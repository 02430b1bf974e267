"""Smooth Staircase, a mechanism of our own: staircase noise scaled by the smooth sensitivity."""

from fractions import Fraction
from functools import cached_property
from typing import ClassVar

from establish.impl.arrays import Floats
from establish.impl.mechanisms.on_counts import LEAST, OfGrowth
from establish.impl.mechanisms.smooth_scale import LEMMAS, SmoothNoise, smooth_sensitivity
from establish.impl.sampling import laws as sampling
from establish.impl.sampling.bits import Bits
from establish.impl.sampling.reals import Reals
from establish.spec.mechanisms.smooth_staircase import (
    SmoothStaircaseMechanism,
    UnbiasedSmoothStaircaseMechanism,
)
from establish.spec.parameters import Rational


class SmoothStaircase(OfGrowth, SmoothNoise):
    """n + S·Z, rounded, with S = max(α·largest, 1) and a staircase law Z whose steps spread, per cell.

    alpha: α > 0 and epsilon: ε > 3·ln(1+α), at least 1/1000, both exact. A move to a neighbor crosses one
    step at most, so the privacy loss is ε. The noise is a little biased. The one calibration is ``tight``.
    Raises ParameterError outside the domain.
    """

    name = "smooth-staircase"
    specified: ClassVar = {"tight": SmoothStaircaseMechanism}
    domains: ClassVar = {"tight": SmoothStaircaseMechanism.domain & LEAST}
    noise = (
        "noisy = n + S·Z, rounded to the nearest whole number, S = max(α·largest, 1), Z with a density "
        "that is flat from −r1 to r2, lower by e^(−ε) beyond each b_k = (1 + α)·b_(k−1) + 1 from b_0 = r2, "
        "and lower by (1 + α)·e^(−ε) below each −c_k, c_k = max(c_(k−1) + 1, (1 + α)·c_(k−1) − 1) from "
        "c_0 = r1"
    )
    rests_on = ("establish/smooth-staircase", "establish/smooth-staircase-error", *LEMMAS)

    def __init__(self, alpha: Rational, epsilon: Rational, calibration: str = "tight") -> None:
        super().__init__(alpha, epsilon, calibration)
        self._specified = self.specified["tight"](self.alpha, self.epsilon)

    @cached_property
    def mean_absolute_noise(self) -> float:
        return float(self._specified.cell_law(0, 0).mean_absolute())

    @cached_property
    def mean_noise(self) -> float:
        """E Z."""
        return float(self._specified.cell_law(0, 0).mean())

    @property
    def ends(self) -> tuple[Fraction, Fraction]:
        """r1 and r2."""
        return self._specified.down, self._specified.up

    @property
    def constants(self) -> dict[str, float]:
        return {"r1": float(self.ends[0]), "r2": float(self.ends[1])}

    @property
    def expected_error(self) -> dict[str, str]:
        """E|noisy − n| = S·E|Z|, bias S·E Z."""
        return {
            "mean absolute error": f"E|noisy − n| = {self.mean_absolute_noise:.4g}·{self.sensitivity}",
            "bias": f"E[noisy] − n = {f'{self.mean_noise:.4g}·{self.sensitivity}' if self.mean_noise else 0}",
        }

    def _noisy(self, counts: Floats, largest: Floats, bits: Bits) -> Floats:
        scale = smooth_sensitivity(self.alpha, largest)
        law = self._specified.cell_law(0, 0)
        return sampling.two_sided(Reals.floats(counts), scale, law, bits)


class UnbiasedSmoothStaircase(SmoothStaircase):
    """The same with an even law: no bias before rounding, and a little more noise."""

    name = "smooth-staircase-unbiased"
    specified: ClassVar = {"tight": UnbiasedSmoothStaircaseMechanism}
    noise = (
        "noisy = n + S·Z, rounded to the nearest whole number, S = max(α·largest, 1), Z with an even density "
        "that is flat up to r = r1 = r2, and lower by (1 + α)·e^(−ε) beyond each b_k = (1 + α)·b_(k−1) + 1 "
        "from b_0 = r"
    )
    rests_on = ("establish/smooth-staircase-unbiased", "establish/smooth-staircase-error", *LEMMAS)
