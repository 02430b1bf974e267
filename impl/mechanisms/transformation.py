"""Transformation mechanisms on counts of jobs: normal noise on √n, on n^(1/4) and on ln(n + 1).

The answer ω is drawn exactly, rounded to a public grid; the released number is the unbiased estimate of n
from ω, rounded. All that follows ω is post-processing, so that no guarantee hangs on it.
"""

import math
from abc import abstractmethod
from fractions import Fraction
from functools import cached_property, partial
from typing import ClassVar

import numpy as np

from establish.impl.arrays import Floats
from establish.impl.mechanisms.growth_laplace import SIZES
from establish.impl.mechanisms.on_counts import OnCounts
from establish.impl.sampling.bits import Bits
from establish.impl.sampling.grid import REACH, Grid
from establish.impl.sampling.laws import gaussian
from establish.impl.sampling.reals import Reals, nearest_whole
from establish.spec.arithmetic import ARB, MP
from establish.spec.domains import Domain
from establish.spec.mechanisms.transformation import (
    FourthRootMechanism,
    LogarithmMechanism,
    RootMechanism,
    TransformationMechanism,
)
from establish.spec.parameters import Rational, positive

FINENESS = 20
"""The grid has at least 2^20 steps in a standard deviation, where the range of ω allows it."""

FAR = 40
"""A normal draw exceeds this many standard deviations with probability below 1e-349."""

ROUNDING = 2.0**-47
"""More than what twenty roundings of 2^−53 each add up to, and the end of a logarithm of 2^52."""


class OnScale(OnCounts):
    """An estimate of n from ω = f(n + o) + N(0, s²) with s² = 1/(2ρ), per cell, rounded (Finley et al. 2024).

    rho: ρ > 0, exact. The one calibration is ``tight``. Raises ParameterError outside the domain.
    """

    rounding = (
        "The noise is drawn exactly from the proved distribution, on the scale of the transformation. Its "
        "answer is rounded there to the grid that the noise names; the estimate from it is rounded to the "
        "nearest whole number. Values beyond 2^52 are set to 2^52."
    )
    formula: ClassVar[str]
    """The estimate, as records say it."""

    def __init__(self, rho: Rational, calibration: str = "tight") -> None:
        self.rho, self.calibration = positive("ρ", rho), self._calibrated(calibration)
        self._require_defined(rho=self.rho)
        self.made: TransformationMechanism = self.specified[self.calibration](self.rho)
        self._variance = float(1 / (2 * self.rho))
        sd = math.sqrt(self._variance)
        reach = math.frexp(float(self.made.output((REACH,)).mean) + FAR * sd)[1]
        self.grid = Grid(max(math.frexp(sd)[1] - 1 - FINENESS, reach - 52))
        self.noise = (
            f"noisy = {self.formula}, rounded to the nearest whole number, ω to 2^{self.grid.exponent}"
        )

    @property
    def parameters(self) -> dict[str, str]:
        return {"rho": str(self.rho)}

    @property
    def constants(self) -> dict[str, float]:
        return {"s²": self._variance}

    @cached_property
    def expected_error(self) -> dict[str, str]:
        """By size of cell."""
        spreads = {n: float(MP.sqrt(self.made.variance(n, MP))) for n in SIZES}
        return {
            "mean absolute error": "; ".join(f"{self.mean_error(Fraction(n)):.4g} at n = {n}" for n in SIZES),
            "bias": "E[noisy] − n = 0",
            "standard deviation": "; ".join(f"{spread:.4g} at n = {n}" for n, spread in spreads.items()),
        }

    def mean_error(self, count: Fraction) -> float:
        """By the trapezoidal rule over the answer, in standard deviations; that of a logarithm weighs most
        where the answer is s above its mean.
        """
        sd = math.sqrt(self._variance)
        z = np.linspace(-12, 12 + min(sd, FAR), 96_001)
        weights = np.exp(-z * z / 2)
        found, _ = self._by_floats(float(self.made.output((int(count),)).mean) + sd * z)
        return float(np.abs(found - float(count)) @ weights / weights.sum())

    def answers(self, counts: Floats, bits: Bits) -> Floats:
        """ω of each cell, on the grid."""
        centers = Reals.of_counts(counts, lambda n: self.made.output((n,), ARB).mean)
        return gaussian(centers, Reals.constant(lambda: self.made.sd(ARB)), bits, self.grid)

    def estimates(self, answers: Floats) -> Floats:
        """The estimate from each ω, rounded, within ±2^52: by floats where they tell, else by balls."""
        found, size = self._by_floats(answers)
        whole = np.floor(found + 0.5)
        for i in np.flatnonzero(~(np.abs(np.abs(found - whole) - 0.5) > size * ROUNDING)).tolist():
            whole[i] = nearest_whole(partial(self.made.estimate, ARB.number(Fraction(answers[i])), ARB))
        return np.clip(whole, -REACH, REACH)

    @abstractmethod
    def _by_floats(self, answers: Floats) -> tuple[Floats, Floats]:
        """The estimates, and numbers of which they are off by less than ROUNDING."""

    def _noisy(self, counts: Floats, largest: Floats, bits: Bits) -> Floats:
        return self.estimates(self.answers(counts, bits))


class RootTransformation(OnScale):
    """ω² − s² from ω = √n + N(0, s²): an establishment of x jobs costs ρ·x in per-record zCDP.

    rho: ρ ≥ 1/1000000, exact.
    """

    name = "root-transformation"
    specified: ClassVar = {"tight": RootMechanism}
    domains: ClassVar = {"tight": RootMechanism.domain & Domain("ρ >= 1/1000000")}
    formula = "ω² − s², ω = √n + η, η ~ N(0, s²)"
    rests_on = ("establish/root-transformation", "finley2024/root-unbiased", "finley2024/root-variance")

    def _by_floats(self, answers: Floats) -> tuple[Floats, Floats]:
        square = answers**2
        return square - self._variance, square + self._variance


class FourthRootTransformation(OnScale):
    """ω⁴ − 6s²ω² + 3s⁴ from ω = n^(1/4) + N(0, s²): an establishment of x jobs costs ρ·√x in per-record zCDP.

    rho: ρ ≥ 1/10000, exact.
    """

    name = "fourth-root-transformation"
    specified: ClassVar = {"tight": FourthRootMechanism}
    domains: ClassVar = {"tight": FourthRootMechanism.domain & Domain("ρ >= 1/10000")}
    formula = "ω⁴ − 6s²ω² + 3s⁴, ω = n^(1/4) + η, η ~ N(0, s²)"
    rests_on = (
        "establish/fourth-root-transformation",
        "finley2024/fourth-root-unbiased",
        "finley2024/fourth-root-variance",
    )

    def _by_floats(self, answers: Floats) -> tuple[Floats, Floats]:
        square, v = answers**2, self._variance
        return square * square - 6 * v * square + 3 * v * v, (square + 3 * v) ** 2


class LogTransformation(OnScale):
    """e^(ω − s²/2) − 1 from ω = ln(n + 1) + N(0, s²): an establishment of x jobs costs ρ·ln²(1 + x) in
    per-record zCDP.

    rho: ρ ≥ 1/8, exact. At less, too much of the mean lies beyond 2^52, where estimates end: they are biased.
    """

    name = "log-transformation"
    specified: ClassVar = {"tight": LogarithmMechanism}
    domains: ClassVar = {"tight": LogarithmMechanism.domain & Domain("ρ >= 1/8")}
    formula = "e^(ω − s²/2) − 1, ω = ln(n + 1) + η, η ~ N(0, s²)"
    rests_on = (
        "establish/log-transformation",
        "finley2024/logarithm-unbiased",
        "finley2024/logarithm-variance",
    )

    def _by_floats(self, answers: Floats) -> tuple[Floats, Floats]:
        grown = np.exp(answers - self._variance / 2)
        return grown - 1, grown * (1 + np.abs(answers) + self._variance) + 1
