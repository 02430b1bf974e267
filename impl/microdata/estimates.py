"""What released answers say about the true sums: computed from them alone (Section 6.1)."""

from dataclasses import dataclass

import numpy as np
import scipy

from establish.impl.arrays import Floats
from establish.impl.microdata.neighbor_functions import NeighborFunction
from establish.impl.microdata.probably_no_clipping import Clipped
from establish.impl.microdata.psi_mechanism import PsiMechanism
from establish.impl.microdata.remainder import Left
from establish.spec.parameters import Rational, probability


@dataclass(frozen=True)
class Estimates:
    """Per group: an estimate, its variance or an estimate of it, and a confidence interval ≥ 0.

    From a ψ answer the estimate has no bias, and its variance is estimated from ω. Where that estimate
    could fall below 0 (ψ = √ and ω² < s²/2) it is taken at the sum 0 instead: least squares needs a
    positive one. From a pnc answer the variance is known, and the estimate has no bias but for clipping.
    """

    values: Floats
    variances: Floats
    low: Floats
    high: Floats


def quantile(confidence: Rational) -> float:
    """z with P(|N(0, 1)| ≤ z) = ``confidence`` in (0, 1). Raises ParameterError outside."""
    return float(scipy.special.ndtri((1 + float(probability("confidence", confidence))) / 2))


def from_psi(mechanism: PsiMechanism, answers: Floats, confidence: Rational = "0.95") -> Estimates:
    """Unbiased inversion of ω, its variance, and ψ⁻¹ of ω ± z·s, raised to ψ(0) where below."""
    return _inverted(mechanism.psi, answers, mechanism.sd, confidence)


def from_left(psi: NeighborFunction, left: Left, confidence: Rational = "0.95") -> Estimates:
    """The same from answers by establishment that have standard deviations of their own."""
    return _inverted(psi, left.answers, left.sds, confidence)


def _inverted(psi: NeighborFunction, answers: Floats, sd: Floats | float, confidence: Rational) -> Estimates:
    half = quantile(confidence) * sd
    return Estimates(
        psi.unbiased(answers, sd),
        psi.variance(answers, sd),
        psi.inverse(answers - half),
        psi.inverse(answers + half),
    )


def from_sums(clipped: Clipped, confidence: Rational = "0.95") -> Estimates:
    """The noisy sums themselves, their exact variances, and ± z standard deviations, cut off at 0."""
    half = quantile(confidence) * clipped.sds
    low, high = (np.maximum(clipped.answers + sign * half, 0.0) for sign in (-1, 1))
    return Estimates(clipped.answers, clipped.sds**2, low, high)
