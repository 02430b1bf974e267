"""Noise that is scaled by the smooth sensitivity of a cell's count (Haney et al. 2017, Lemma 8.5)."""

from abc import abstractmethod
from fractions import Fraction

from establish.impl.arrays import Floats
from establish.impl.mechanisms.on_counts import OnCounts
from establish.impl.sampling.reals import Reals

LEMMAS = ("haney2017/lemma-8.5-real", "haney2017/lemma-8.5-count-as-largest")
"""The claims on the smooth sensitivity of a count."""


class SmoothNoise(OnCounts):
    """n + S·Z, S = max(α·largest, 1): the noise follows the largest establishment where that is given."""

    alpha: Fraction
    follows_largest = True

    @property
    @abstractmethod
    def mean_absolute_noise(self) -> float:
        """E|Z|."""

    @property
    def sensitivity(self) -> str:
        """S in words."""
        return f"max({self.alpha}·largest, 1)"

    def _unbiased(self, deviation: str) -> dict[str, str]:
        """What records tell of an even law: E|noisy − n| = S·E|Z|, no bias, and the deviation in words."""
        return {
            "mean absolute error": f"E|noisy − n| = {self.mean_absolute_noise:.4g}·{self.sensitivity}",
            "bias": "E[noisy] − n = 0",
            "standard deviation": deviation,
        }

    def mean_error(self, count: Fraction) -> float:
        return float(max(self.alpha * count, Fraction(1))) * self.mean_absolute_noise


def smooth_sensitivity(alpha: Fraction, largest: Floats) -> Reals:
    """S = max(α·largest, 1), for whole numbers ``largest``, one per cell."""
    return Reals.fraction(alpha).times(Reals.floats(largest)).at_least(1)
