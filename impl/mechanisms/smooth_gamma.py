"""Algorithm 2 of Haney et al. 2017: heavy-tailed noise scaled by the smooth sensitivity."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from establish.impl.counts import LARGEST_COUNT, largest_within, whole_counts
from establish.impl.domain import require_calibration, smooth_gamma_budget
from establish.impl.floats import require_finite, to_float
from establish.impl.mechanisms.guarantee import Guarantee, employer_employee
from establish.spec.parameters import Rational, positive

REJECTION_BOUND = (1 + math.sqrt(2)) / 2
"""The maximum of (1+z²)/(1+z⁴). With u = z² the derivative vanishes where u² + 2u = 1, at u = √2 −
1, and there (1+u)/(1+u²) = √2/(4 − 2√2) = (1+√2)/2."""


def heavy_tailed(size: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """``size`` independent draws from the density (√2/π)/(1+z⁴): mean |z| 1/√2, mean z² 1.

    Rejection from the Cauchy law, exact up to floats: a Cauchy z is kept with probability
    (1+z²)/(1+z⁴) / REJECTION_BOUND <= 1, so the kept ones have density proportional to 1/(1+z⁴).
    The share that is kept is (π/√2)/(π·REJECTION_BOUND) = 2 − √2, about 0.586.
    """
    drawn = np.empty(size)
    filled = 0
    while filled < size:
        z = rng.standard_cauchy(int(1.8 * (size - filled)) + 16)
        u = np.minimum(z * z, 1e100)  # beyond 1e50 the ratio below is 0 for every practical purpose
        kept = z[rng.random(z.size) * REJECTION_BOUND * (1 + u * u) < 1 + u][: size - filled]
        drawn[filled : filled + kept.size] = kept
        filled += kept.size
    return drawn


class SmoothGamma:
    """n + c·S·η with S = max(α·largest, 1) and η of density (√2/π)/(1+z⁴) per cell.

    alpha: α > 0 and epsilon: ε > 0, both exact. ``published``: c = 5/ε1, ε1 = ε − 5 ln(1+α),
    defined when 1 + α < e^(ε/5). ``tight``: c = 3^(3/4)/ε1, ε1 = ε − 3 ln(1+α), defined when 1 + α
    < e^(ε/3): 3^(3/4) and 3 are the exact sliding and dilation constants. Raises ParameterError
    outside the domain.
    """

    name = "smooth-gamma"
    noise = "noisy = n + c·S·η, S = max(α·largest, 1), η with density (√2/π)/(1 + z⁴)"

    def __init__(self, alpha: Rational, epsilon: Rational, calibration: str = "published") -> None:
        self.alpha, self.epsilon = positive("α", alpha), positive("ε", epsilon)
        self.calibration = require_calibration(calibration)
        budget = smooth_gamma_budget(self.alpha, self.epsilon, self.calibration)
        self._α = to_float("α", self.alpha)
        self.noise_scale = (5.0 if self.calibration == "published" else 3**0.75) / budget
        require_finite(self.name, 1e60 * self.noise_scale * max(self._α * LARGEST_COUNT, 1.0))

    @property
    def rests_on(self) -> tuple[str, ...]:
        proof = "lemma-8.7" if self.calibration == "published" else "alg-2-tight"
        lemmas = ("lemma-8.6-above-1", "lemma-8.5", "lemma-8.5-count-as-largest", "sec8.2-gamma4")
        return tuple(f"haney2017/{label}" for label in (proof, "thm-8.4-delta0", *lemmas))

    @property
    def parameters(self) -> dict[str, str]:
        return {"alpha": str(self.alpha), "epsilon": str(self.epsilon)}

    @property
    def constants(self) -> dict[str, float]:
        return {"c": self.noise_scale}

    @property
    def domain(self) -> str:
        return f"1 + α < e^(ε/{5 if self.calibration == 'published' else 3})"

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        return employer_employee(f"α = {self.alpha}, ε = {self.epsilon}")

    @property
    def expected_error(self) -> dict[str, str]:
        """E|noisy − n| = c·S/√2, standard deviation c·S, no bias."""
        sensitivity = f"max({self.alpha}·largest, 1)"
        return {
            "mean absolute error": f"E|noisy − n| = {self.noise_scale / 2**0.5:.4g}·{sensitivity}",
            "bias": "E[noisy] − n = 0",
            "standard deviation": f"{self.noise_scale:.4g}·{sensitivity}",
        }

    def release(
        self, counts: ArrayLike, rng: np.random.Generator, largest: ArrayLike | None = None
    ) -> NDArray[np.float64]:
        """One noisy value per cell; the count stands in for ``largest``. Raises ParameterError."""
        n = whole_counts("counts", counts)
        top = n if largest is None else largest_within("largest", largest, n)
        η = heavy_tailed(n.size, rng)
        return n + self.noise_scale * np.maximum(self._α * top, 1.0) * η
