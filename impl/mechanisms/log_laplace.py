"""Algorithm 1 of Haney et al. 2017: Laplace noise on the logarithm of a count."""

from fractions import Fraction
from math import inf
from typing import ClassVar

from establish.impl.arrays import Floats
from establish.impl.floats import to_float
from establish.impl.mechanisms.on_counts import OfGrowth
from establish.impl.sampling import laws as sampling
from establish.impl.sampling.bits import Bits
from establish.impl.sampling.reals import Reals
from establish.spec.arithmetic import ARB
from establish.spec.mechanisms.log_laplace import (
    LogLaplaceMechanism,
    TightLogLaplaceMechanism,
    published_scale,
    shift,
    tight_scale,
)
from establish.spec.parameters import Rational


class LogLaplace(OfGrowth):
    """(n+γ)·e^η − γ with γ = 1/α and η ~ Laplace(λ) per cell, rounded to a whole number.

    alpha: α > 0 and epsilon: ε > 0, both exact. ``published``: λ = 2 ln(1+α)/ε, whose exact privacy
    loss is ε/2. ``tight``: λ = ln(1+α)/ε, whose exact loss is ε, because a neighbor moves ln(n+γ)
    by at most ln(1+α). Before rounding the output lies in (−γ, ∞). Raises ParameterError outside
    the domain.
    """

    name = "log-laplace"
    specified: ClassVar = {"published": LogLaplaceMechanism, "tight": TightLogLaplaceMechanism}
    domains: ClassVar = dict.fromkeys(specified, LogLaplaceMechanism.domain)
    noise = "noisy = (n + γ)·e^η − γ, rounded to the nearest whole number, η ~ Laplace(λ)"

    def __init__(self, alpha: Rational, epsilon: Rational, calibration: str = "tight") -> None:
        super().__init__(alpha, epsilon, calibration)
        scale = published_scale if self.calibration == "published" else tight_scale
        self.gamma = to_float("1/α", shift(self.alpha))
        self._scale = Reals.constant(lambda: scale(self.alpha, self.epsilon, ARB))
        self.noise_scale = float(self._scale.approximate)

    @property
    def rests_on(self) -> tuple[str, ...]:
        published = ("thm-8.1-strong", "thm-8.1-weak")
        proofs = published if self.calibration == "published" else ("alg-1-tight",)
        errors = ("lemma-8.2", "alg-1-l1-error", "thm-8.3-infinite")
        return tuple(f"haney2017/{label}" for label in (*proofs, *errors))

    @property
    def constants(self) -> dict[str, float]:
        return {"γ": self.gamma, "λ": self.noise_scale}

    @property
    def expected_error(self) -> dict[str, str]:
        """E|noisy − n| = (n+γ)λ/(1−λ²) and bias (n+γ)λ²/(1−λ²), both infinite when λ >= 1."""
        λ, cell = self.noise_scale, f"(n + {1 / self.alpha})"
        if λ >= 1:
            return {
                "mean absolute error": f"E|noisy − n| = infinity, because λ = {λ:.4g} >= 1",
                "bias": "E[noisy] − n = infinity",
            }
        spread = λ / ((1 - λ) * (1 + λ))
        return {
            "mean absolute error": f"E|noisy − n| = {spread:.4g}·{cell}",
            "bias": f"E[noisy] − n = {λ * spread:.4g}·{cell}",
        }

    def mean_error(self, count: Fraction) -> float:
        λ = self.noise_scale
        return float(count + 1 / self.alpha) * λ / (1 - λ * λ) if λ < 1 else inf

    def _noisy(self, counts: Floats, largest: Floats, bits: Bits) -> Floats:
        gamma = Reals.fraction(shift(self.alpha))
        return sampling.log_laplace(Reals.floats(counts), gamma, self._scale, bits)
