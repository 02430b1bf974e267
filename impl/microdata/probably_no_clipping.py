"""The probably-no-clipping mechanism (Webb et al. 2025, Section 6.2), as corrected.

Answers for every establishment, released by the ψ-mechanism, give upper bounds u of their values. A
group's values are summed, clipped at its largest bound u*, with noise whose scale depends on u* only:
that is public, because u* comes from released answers. The sensitivity is taken with ψ(0) where
Definition 6.8 prints 0; as printed it gives no privacy where ψ(0) ≠ 0.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self

import numpy as np
import scipy.special

from establish.impl.arrays import Floats, Integers
from establish.impl.certificate import require_certificate
from establish.impl.floats import to_float
from establish.impl.identity import Described
from establish.impl.microdata.establishments import LARGEST_TOTAL
from establish.impl.microdata.group_by import Groups, largest, sums
from establish.impl.microdata.neighbor_functions import SLACK, NeighborFunction, named
from establish.impl.microdata.psi_mechanism import LEAST_SD, PsiMechanism
from establish.impl.microdata.remainder import Left, Remainder
from establish.impl.sampling.bits import Bits
from establish.impl.sampling.grid import Grid
from establish.impl.sampling.laws import gaussian
from establish.impl.sampling.reals import Reals
from establish.spec.mechanisms.remainder import KEPT
from establish.spec.parameters import ParameterError, Rational, positive, probability

FINENESS = 6
"""The grid has at least 2^6 steps in the smallest standard deviation, where FINEST allows it."""

FINEST = -6
"""With steps of 2^−6 the grid ends at 2^46, twice the largest total; an answer beyond is moved there."""


def margin(zeta: Rational, bounds: int) -> float:
    """τ̂ = Φ⁻¹((1 − ζ)^(1/m)) for m = ``bounds`` at once (Theorem 6.7); ζ in (0, 1)."""
    failing = probability("ζ", zeta)
    kept = math.log1p(-float(failing)) if failing < Fraction(1, 2) else math.log(1 - failing)
    share = -math.expm1(kept / bounds)
    return -float(scipy.special.ndtri(share))


def upper_bounds(identity: PsiMechanism, answers: Floats, tau: float) -> Integers:
    """u = ψ⁻¹(max(ψ(0), ω + s·τ̂)), rounded up to a whole number from 1 to LARGEST_TOTAL.

    Any function of released answers may serve as a bound, so neither costs privacy: rounding up, nor
    starting from 1, so that every answer has noise. With probability ≥ 1 − ζ all bounds hold at once.
    """
    bounds = np.ceil(identity.psi.inverse(answers + identity.sd * tau))
    return np.clip(bounds, 1, LARGEST_TOTAL).astype(np.int64)


def clipped_sums(formed: Groups, values: Integers, most: Integers) -> Integers:
    """Σ min(x, u*) over each group, for u* by group (Definition 6.8)."""
    return sums(formed, np.minimum(values, most[formed.index]))


@dataclass(frozen=True)
class Clipped:
    """One noisy sum a group, and the standard deviation of its noise, which may be published.

    left: the second answers by establishment, where the mechanism gives them.
    """

    answers: Floats
    sds: Floats
    left: Left | None = None


OF_BOTH = (
    "answer = Σ min(x, u) + η over the group, each x clipped at its own upper bound u, η ~ N(0, "
    "(256/255)·(Δ(u*)/μ)²) with Δ(u) = u − ψ⁻¹(max(ψ(0), ψ(u) − γ)), u* the largest bound in the group from "
    "the answers by establishment, rounded to the grid; by establishment ψ(x) + N(0, (γ/μ_e)²) with μ_e² = "
    "μ²·(1 − (255/256)·(Δ(u)/Δ(u*))²), rounded to a grid of its own"
)
"""What pnc draws with the remainder."""


class ProbablyNoClipping(Described):
    """One confidential attribute: ψ with γ > 0, answered with budget μ > 0 beside the identity's.

    zeta: ζ in (0, 1), the probability that some bound fails; a utility, not a privacy parameter. remainder:
    clip every establishment at its own bound, and answer ψ of it once more with what the sum leaves of μ.
    Raises ParameterError outside.
    """

    name = "pnc"
    calibration = "corrected"
    scope = ""
    domain = "γ > 0, μ > 0, 0 < ζ < 1; ψ = √(x+a), log(x+a) with a > 0, or x"
    noise = (
        "answer = Σ min(x, u*) + η over the group, η ~ N(0, (Δ/μ)²) with Δ = u* − ψ⁻¹(max(ψ(0), ψ(u*) − "
        "γ)), u* the largest upper bound in the group from the answers by establishment, rounded to the grid"
    )
    rests_on: tuple[str, ...] = (
        "webb2025/def-5.6",
        "webb2025/thm-6.5",
        "webb2025/thm-6.7",
        "webb2025/def-6.8-corrected",
        "webb2025/sec6.2-total",
    )

    def __init__(
        self,
        psi: NeighborFunction,
        gamma: Rational,
        mu: Rational,
        zeta: Rational = "1/100",
        *,
        remainder: bool = False,
    ) -> None:
        self.psi = psi
        self._remainder = Remainder(psi, gamma, mu) if remainder else None
        if remainder:
            self.noise, self.rests_on = OF_BOTH, (*self.rests_on, "establish/remainder-cost")
        self.gamma, self.mu = positive("γ", gamma), positive("μ", mu)
        self.zeta = probability("ζ", zeta)
        to_float("γ", self.gamma)
        self._mu = to_float("μ", self.mu) * (math.sqrt(1 - KEPT) if remainder else 1)
        least, most = self.scales(np.array([1, LARGEST_TOTAL])).tolist()
        if not LEAST_SD <= least <= most <= 1 / LEAST_SD:
            raise ParameterError(
                f"γ = {self.gamma}, μ = {self.mu} are not allowed for ψ = {psi.name}: standard deviations "
                f"from {least:g} to {most:g} do not fit into floating point"
            )
        self.grid = Grid(max(math.frexp(least)[1] - 1 - FINENESS, FINEST))

    @classmethod
    def again(cls, given: Mapping[str, Any], calibration: str, *, cells_given: bool) -> Self:
        rest = {"remainder": given.get("remainder") == "true"}
        return cls(named(given["psi"]), given["gamma"], given["mu"], given["zeta"], **rest)

    def scales(self, largest_bounds: Integers) -> Floats:
        """Δ(u*)/μ, rounded up; with the remainder √(256/255) times that."""
        return self.psi.reach(largest_bounds.astype(np.float64), self.gamma) / self._mu * SLACK

    def deviation(self, bound: int) -> float:
        """The standard deviation of a sum whose largest establishment is bounded by ``bound``."""
        return float(self.scales(np.array([bound]))[0])

    @property
    def parameters(self) -> dict[str, str]:
        return {
            "psi": self.psi.name,
            "gamma": str(self.gamma),
            "mu": str(self.mu),
            "zeta": str(self.zeta),
            **({"remainder": "true"} if self._remainder else {}),
        }

    @property
    def constants(self) -> dict[str, float]:
        return {"grid": self.grid.unit}

    @property
    def expected_error(self) -> dict[str, str]:
        return {
            "standard deviation": "in the column sd, for each group",
            "bias": f"E[answer] − x = 0 where nothing is clipped, with probability at least 1 − {self.zeta}",
        }

    def release(self, formed: Groups, values: Integers, bounds: Integers, bits: Bits) -> Clipped:
        """One noisy sum per group. values, bounds: by establishment; bounds from :func:`upper_bounds`.

        Raises CertificateError without a current certificate.
        """
        require_certificate(self.name)
        most = largest(formed, bounds)
        scales = self.scales(most)
        if self._remainder is None:
            clipped = clipped_sums(formed, values, most)
        else:
            clipped = sums(formed, np.minimum(values, bounds))
        noisy = gaussian(Reals.integers(clipped), Reals.floats(scales), bits, self.grid)
        if self._remainder is None:
            return Clipped(noisy, scales)
        spent = self.psi.reach(bounds.astype(np.float64), self.gamma) / scales[formed.index]
        return Clipped(noisy, scales, self._remainder.release(values, spent, bits))
