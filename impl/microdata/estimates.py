"""What released answers say about the true sums: computed from them alone (Section 6.1)."""

from dataclasses import dataclass

import numpy as np
import scipy

from establish.impl.arrays import Floats
from establish.impl.microdata.neighbor_functions import NeighborFunction
from establish.impl.microdata.probably_no_clipping import Clipped
from establish.impl.microdata.psi_mechanism import PsiMechanism
from establish.impl.microdata.remainder import Left


@dataclass(frozen=True)
class Estimates:
    """Per group: an estimate, its variance or an estimate of it, and a 95% confidence interval ≥ 0.

    From a ψ answer the estimate has no bias, and its variance is estimated from ω. Where that estimate
    could fall below 0 (ψ = √ and ω² < s²/2) it is taken at the sum 0 instead: least squares needs a
    positive one. From a pnc answer the variance is known, and the estimate has no bias but for clipping.
    """

    values: Floats
    variances: Floats
    low: Floats
    high: Floats


Z = float(scipy.special.ndtri((1 + 0.95) / 2))
"""P(|N(0, 1)| ≤ Z) = 19/20."""


def from_psi(mechanism: PsiMechanism, answers: Floats) -> Estimates:
    """Unbiased inversion of ω, its variance, and ψ⁻¹ of ω ± Z·s, raised to ψ(0) where below."""
    return _inverted(mechanism.psi, answers, mechanism.sd)


def from_left(psi: NeighborFunction, left: Left) -> Estimates:
    """The same from answers by establishment that have standard deviations of their own."""
    return _inverted(psi, left.answers, left.sds)


def _inverted(psi: NeighborFunction, answers: Floats, sd: Floats | float) -> Estimates:
    half = Z * sd
    return Estimates(
        psi.unbiased(answers, sd),
        psi.variance(answers, sd),
        psi.inverse(answers - half),
        psi.inverse(answers + half),
    )


def from_sums(clipped: Clipped) -> Estimates:
    """The noisy sums themselves, their exact variances, and ± Z standard deviations, cut off at 0."""
    half = Z * clipped.sds
    low, high = (np.maximum(clipped.answers + sign * half, 0.0) for sign in (-1, 1))
    return Estimates(clipped.answers, clipped.sds**2, low, high)
