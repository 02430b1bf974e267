"""Smooth Lomax, a mechanism of our own: power-law noise scaled by the smooth sensitivity."""

from typing import ClassVar

from establish.impl.arrays import Floats
from establish.impl.mechanisms.on_counts import OfGrowth
from establish.impl.mechanisms.smooth_scale import LEMMAS, SmoothNoise, smooth_sensitivity
from establish.impl.sampling import laws as sampling
from establish.impl.sampling.bits import Bits
from establish.impl.sampling.reals import Reals
from establish.spec.arithmetic import ARB
from establish.spec.mechanisms.smooth_lomax import SmoothLomaxMechanism, power, width
from establish.spec.parameters import Rational


class SmoothLomax(OfGrowth, SmoothNoise):
    """n + S·Z, rounded, with S = max(α·largest, 1) and Z of density ∝ (1 + |z|/θ)^(−p) per cell.

    alpha: α > 0 and epsilon: ε > ln(1+α), both exact; p = 1 + ε/ln(1+α), and θ is the least at which the
    privacy loss is ε. The one calibration is ``tight``. Raises ParameterError outside the domain.
    """

    name = "smooth-lomax"
    specified: ClassVar = {"tight": SmoothLomaxMechanism}
    domains: ClassVar = {"tight": SmoothLomaxMechanism.domain}
    noise = (
        "noisy = n + S·Z, rounded to the nearest whole number, S = max(α·largest, 1), "
        "Z with density ((p − 1)/(2θ))·(1 + |z|/θ)^(−p)"
    )
    rests_on = ("establish/smooth-lomax", "establish/smooth-lomax-error", *LEMMAS)

    def __init__(self, alpha: Rational, epsilon: Rational, calibration: str = "tight") -> None:
        super().__init__(alpha, epsilon, calibration)
        self._width = Reals.constant(lambda: width(self.alpha, self.epsilon, ARB))
        self._spread = Reals.constant(lambda: 1 / (power(self.alpha, self.epsilon, ARB) - 1))
        self.noise_scale = float(self._width.approximate)
        self.power = 1 + 1 / float(self._spread.approximate)

    @property
    def constants(self) -> dict[str, float]:
        return {"p": self.power, "θ": self.noise_scale}

    @property
    def mean_absolute_noise(self) -> float:
        return self.noise_scale / (self.power - 2)

    @property
    def expected_error(self) -> dict[str, str]:
        """E|noisy − n| = S·θ/(p−2), no bias, standard deviation S·θ·√(2/((p−2)(p−3))), infinite for p ≤ 3."""
        p, θ = self.power, self.noise_scale
        spread = (
            "infinity, because p <= 3"
            if p <= 3
            else f"{θ * (2 / ((p - 2) * (p - 3))) ** 0.5:.4g}·{self.sensitivity}"
        )
        return self._unbiased(spread)

    def _noisy(self, counts: Floats, largest: Floats, bits: Bits) -> Floats:
        scale = smooth_sensitivity(self.alpha, largest).times(self._width)
        return sampling.lomax(Reals.floats(counts), scale, self._spread, bits)
