"""Noise of the discrete Gaussian on counts of jobs."""

import math
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

import numpy as np

from establish.impl.arrays import Floats
from establish.impl.mechanisms.on_counts import OnCounts
from establish.impl.sampling.bits import Bits
from establish.impl.sampling.discrete_gaussian import discrete_gaussian
from establish.impl.sampling.grid import REACH
from establish.spec.domains import Domain
from establish.spec.mechanisms.discrete_gaussian import DiscreteGaussianMechanism
from establish.spec.parameters import Rational, positive


class DiscreteGaussian(OnCounts):
    """n + η with η of the discrete Gaussian with σ² = 1/(2ρ) per cell (Canonne, Kamath and Steinke 2020).

    rho: ρ ≥ 1/1000000, exact: what one job costs in zCDP. An establishment of x jobs costs ρ·x², which is
    per-record privacy with a policy (Seeman et al. 2024): large ones are hidden less than small ones. The one
    calibration is ``tight``. Raises ParameterError outside the domain.
    """

    name = "discrete-gaussian"
    specified: ClassVar = {"tight": DiscreteGaussianMechanism}
    domains: ClassVar = {"tight": DiscreteGaussianMechanism.domain & Domain("ρ >= 1/1000000")}
    rests_on = (
        "establish/discrete-gaussian-counts",
        "canonne2020/concentrated",
        "canonne2020/delta",
        "canonne2020/mean",
        "canonne2020/variance",
    )
    noise = "noisy = n + η, a whole number, P(η = k) proportional to e^(−k²/(2σ²))"

    def __init__(self, rho: Rational, calibration: str = "tight") -> None:
        self.rho, self.calibration = positive("ρ", rho), self._calibrated(calibration)
        self._require_defined(rho=self.rho)
        self.square = 1 / (2 * self.rho)
        self.reach = float(np.searchsorted(np.cumsum(self._shares), 0.95 + 1e-9))

    @property
    def parameters(self) -> dict[str, str]:
        return {"rho": str(self.rho)}

    @property
    def constants(self) -> dict[str, float]:
        return {"σ²": float(self.square)}

    @cached_property
    def _shares(self) -> Floats:
        """P(|η| = k) from k = 0 to 40·σ, beyond which it is 0 in floats."""
        k = np.arange(40 * math.isqrt(int(self.square) + 1) + 1, dtype=np.float64)
        weights = np.where(k, 2.0, 1.0) * np.exp(-float(self.rho) * k * k)
        shares: Floats = weights / weights.sum()
        return shares

    def _moment(self, power: int) -> float:
        """E|η|^power."""
        return float((np.arange(self._shares.size, dtype=np.float64) ** power) @ self._shares)

    @property
    def expected_error(self) -> dict[str, str]:
        return {
            "mean absolute error": f"E|noisy − n| = {self._moment(1):.4g}",
            "bias": "E[noisy] − n = 0",
            "standard deviation": f"{math.sqrt(self._moment(2)):.4g}",
        }

    def mean_error(self, count: Fraction) -> float:
        return self._moment(1)

    def _noisy(self, counts: Floats, largest: Floats, bits: Bits) -> Floats:
        noisy = counts + discrete_gaussian(self.square, counts.size, bits)
        return np.clip(noisy, -REACH, REACH, out=noisy)
