"""Algorithm 3 of Haney et al. 2017: Laplace noise scaled by the smooth sensitivity."""

from typing import ClassVar

from establish.impl.arrays import Floats
from establish.impl.floats import to_float
from establish.impl.mechanisms.smooth_scale import LEMMAS, SmoothNoise, smooth_sensitivity
from establish.impl.sampling import laws as sampling
from establish.impl.sampling.bits import Bits
from establish.impl.sampling.reals import Reals
from establish.spec.mechanisms.smooth_laplace import PublishedSmoothLaplaceMechanism, SmoothLaplaceMechanism
from establish.spec.parameters import Rational, positive, probability


class SmoothLaplace(SmoothNoise):
    """n + c·S·η, rounded, with c = 2/ε, S = max(α·largest, 1) and η ~ Laplace(1) per cell.

    alpha: α > 0, epsilon: ε > 0, delta: 0 < δ < 1, all exact. Both calibrations add the same noise
    and ask that its exact δ is at most ``delta``; ``published`` also asks for the printed condition
    1 + α <= e^(ε/(2 ln(1/δ))). Raises ParameterError outside the domain.
    """

    name = "smooth-laplace"
    specified: ClassVar = {"published": SmoothLaplaceMechanism, "tight": SmoothLaplaceMechanism}
    domains: ClassVar = {
        "published": PublishedSmoothLaplaceMechanism.domain & SmoothLaplaceMechanism.domain,
        "tight": SmoothLaplaceMechanism.domain,
    }
    rests_on = ("haney2017/alg-3-exact", *LEMMAS, "haney2017/lemma-9.3")
    noise = "noisy = n + c·S·η, rounded to the nearest whole number, S = max(α·largest, 1), η ~ Laplace(1)"

    def __init__(
        self, alpha: Rational, epsilon: Rational, delta: Rational, calibration: str = "tight"
    ) -> None:
        self.alpha, self.epsilon = positive("α", alpha), positive("ε", epsilon)
        self.delta = probability("δ", delta)
        self.calibration = self._calibrated(calibration)
        self._require_defined(alpha=self.alpha, epsilon=self.epsilon, delta=self.delta)
        self.noise_scale = 2 / to_float("ε", self.epsilon)

    @property
    def parameters(self) -> dict[str, str]:
        exact = {"alpha": self.alpha, "epsilon": self.epsilon, "delta": self.delta}
        return {name: str(value) for name, value in exact.items()}

    @property
    def constants(self) -> dict[str, float]:
        return {"c": self.noise_scale}

    @property
    def mean_absolute_noise(self) -> float:
        return self.noise_scale

    @property
    def expected_error(self) -> dict[str, str]:
        """E|noisy − n| = c·S, standard deviation √2·c·S, no bias."""
        return self._unbiased(f"{2**0.5 * self.noise_scale:.4g}·{self.sensitivity}")

    def _noisy(self, counts: Floats, largest: Floats, bits: Bits) -> Floats:
        scale = smooth_sensitivity(self.alpha, largest).times(Reals.fraction(2 / self.epsilon))
        return sampling.laplace(Reals.floats(counts), scale, bits)
