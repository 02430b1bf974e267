"""The ψ-mechanism: ω = ψ(group sum) + N(0, s²) with s ≥ γ/μ (Webb et al. 2025, Definition 6.4).

ω is released rounded to a public grid, from exactly the ideal law; all else is computed from ω.
"""

import math
from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from establish.impl.arrays import Floats, Integers
from establish.impl.certificate import require_certificate
from establish.impl.floats import to_float
from establish.impl.identity import Described
from establish.impl.microdata.establishments import LARGEST_TOTAL
from establish.impl.microdata.neighbor_functions import NeighborFunction, at_least, named
from establish.impl.sampling.bits import Bits
from establish.impl.sampling.grid import Grid
from establish.impl.sampling.laws import gaussian
from establish.impl.sampling.reals import Reals
from establish.spec.parameters import ParameterError, Rational, positive

FINENESS = 20
"""The grid has at least 2^20 steps in a standard deviation, where the range of ω allows it."""

LEAST_SD = 1e-100
"""Below it a variance is no float."""

FAR = 40.0
"""A normal draw exceeds this many standard deviations with probability below 1e-349."""


class PsiMechanism(Described):
    """One confidential attribute: ψ with its distance parameter γ > 0, answered with budget μ > 0.

    sd is γ/μ rounded up to a float, so that the guarantee holds as stated. Raises ParameterError for
    γ or μ outside its domain, or a noise that floats cannot hold.
    """

    name = "psi"
    calibration = "published"
    scope = ""
    domain = "γ > 0, μ > 0; ψ = √(x+a), log(x+a) with a > 0, or x"
    rests_on = ("webb2025/def-5.6", "webb2025/thm-6.5")

    def __init__(self, psi: NeighborFunction, gamma: Rational, mu: Rational) -> None:
        self.psi = psi
        self.gamma, self.mu = positive("γ", gamma), positive("μ", mu)
        to_float("γ/μ", self.gamma / self.mu)
        self.sd = at_least(self.gamma / self.mu)
        if not LEAST_SD <= self.sd <= psi.largest_sd:
            raise ParameterError(
                f"γ/μ = {self.sd:g} is not allowed: for ψ = {psi.name} it must be from {LEAST_SD:g} to "
                f"{psi.largest_sd:g}, or its estimates do not fit into floating point"
            )
        (most,), _ = psi.transformed(np.array([LARGEST_TOTAL]))
        reach = math.frexp(max(float(most), abs(psi.at_zero())) + FAR * self.sd)[1]
        self.grid = Grid(max(math.frexp(self.sd)[1] - 1 - FINENESS, reach - 52))

    @classmethod
    def again(cls, given: Mapping[str, Any], calibration: str, *, cells_given: bool) -> Self:
        return cls(named(given["psi"]), given["gamma"], given["mu"])

    @property
    def noise(self) -> str:
        return f"answer = {self.psi.name} + η at x = the group's sum, η ~ N(0, sd²), rounded to the grid"

    @property
    def parameters(self) -> dict[str, str]:
        return {"psi": self.psi.name, "gamma": str(self.gamma), "mu": str(self.mu)}

    @property
    def constants(self) -> dict[str, float]:
        return {"sd": self.sd, "grid": self.grid.unit}

    @property
    def expected_error(self) -> dict[str, str]:
        return {
            "standard deviation": f"{self.sd:.4g} for the answer; {self.psi.error(self.sd)}",
            "bias": "E[estimate] − x = 0",
        }

    def deviation(self, total: int) -> float:
        """The standard deviation of the estimate of a sum."""
        return self.psi.deviation(total, self.sd)

    def release(self, totals: Integers, bits: Bits) -> Floats:
        """One ω per group, on the grid. totals: sums from 0 to LARGEST_TOTAL, checked before.

        Raises CertificateError without a current certificate.
        """
        require_certificate(self.name)
        return self.noisier(totals, self.sd, bits)

    def noisier(self, totals: Integers, sds: Floats | float, bits: Bits) -> Floats:
        """ω with standard deviations ``sds``, one for all or one a group, for a mechanism that says what it
        costs. The grid is that of ``sd``.
        """
        center, error = self.psi.transformed(totals)
        exact = self.psi.exactly
        centers = Reals(center, error, lambda group: exact(int(totals[group])))
        return gaussian(centers, Reals.floats(sds), bits, self.grid)
