"""Algorithm 2 of Haney et al. 2017: heavy-tailed noise scaled by the smooth sensitivity."""

from typing import ClassVar

from establish.impl.arrays import Floats
from establish.impl.mechanisms.on_counts import OfGrowth
from establish.impl.mechanisms.smooth_scale import SmoothNoise, smooth_sensitivity
from establish.impl.sampling import laws as sampling
from establish.impl.sampling.bits import Bits
from establish.impl.sampling.reals import Reals
from establish.spec.arithmetic import ARB
from establish.spec.mechanisms.smooth_gamma import (
    SmoothGammaMechanism,
    TightSmoothGammaMechanism,
    published_slide,
    tight_slide,
)
from establish.spec.parameters import Rational


class SmoothGamma(OfGrowth, SmoothNoise):
    """n + c·S·η, rounded, with S = max(α·largest, 1) and η of density (√2/π)/(1+z⁴) per cell.

    alpha: α > 0 and epsilon: ε > 0, both exact. ``published``: c = 5/ε1, ε1 = ε − 5 ln(1+α),
    defined when 1 + α < e^(ε/5). ``tight``: c = 3^(3/4)/ε1, ε1 = ε − 3 ln(1+α), defined when 1 + α
    < e^(ε/3): 3^(3/4) and 3 are the exact sliding and dilation constants. Raises ParameterError
    outside the domain.
    """

    name = "smooth-gamma"
    specified: ClassVar = {"published": SmoothGammaMechanism, "tight": TightSmoothGammaMechanism}
    domains: ClassVar = {name: kind.domain for name, kind in specified.items()}
    noise = (
        "noisy = n + c·S·η, rounded to the nearest whole number, S = max(α·largest, 1), "
        "η with density (√2/π)/(1 + z⁴)"
    )

    def __init__(self, alpha: Rational, epsilon: Rational, calibration: str = "tight") -> None:
        super().__init__(alpha, epsilon, calibration)
        slide = published_slide if self.calibration == "published" else tight_slide
        self._multiplier = Reals.constant(lambda: 1 / slide(self.alpha, self.epsilon, ARB))
        self.noise_scale = float(self._multiplier.approximate)

    @property
    def rests_on(self) -> tuple[str, ...]:
        proof = "lemma-8.7" if self.calibration == "published" else "alg-2-tight"
        lemmas = ("lemma-8.6-above-1", "lemma-8.5-real", "lemma-8.5-count-as-largest", "sec8.2-gamma4")
        return tuple(f"haney2017/{label}" for label in (proof, "thm-8.4-delta0", *lemmas))

    @property
    def constants(self) -> dict[str, float]:
        return {"c": self.noise_scale}

    @property
    def mean_absolute_noise(self) -> float:
        return self.noise_scale / 2**0.5

    @property
    def expected_error(self) -> dict[str, str]:
        """E|noisy − n| = c·S/√2, standard deviation c·S, no bias."""
        return self._unbiased(f"{self.noise_scale:.4g}·{self.sensitivity}")

    def _noisy(self, counts: Floats, largest: Floats, bits: Bits) -> Floats:
        scale = smooth_sensitivity(self.alpha, largest).times(self._multiplier)
        return sampling.heavy_tailed(Reals.floats(counts), scale, bits)
