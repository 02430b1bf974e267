"""A second answer by establishment, with what pnc leaves of the budget; ours.

Given the bounds, the noise of a group's sum is as large as its largest establishment needs it, and every
other one spends less than μ on it. The rest answers ψ of each establishment once more: the release as a whole
costs μ, as without it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from establish.impl.arrays import Floats, Integers
from establish.impl.floats import to_float
from establish.impl.microdata.neighbor_functions import NeighborFunction, at_least
from establish.impl.microdata.psi_mechanism import PsiMechanism
from establish.impl.sampling.bits import Bits
from establish.spec.mechanisms.remainder import KEPT
from establish.spec.parameters import ParameterError, Rational, positive

LARGEST = math.isqrt(int(1 / KEPT))
"""How many times γ/μ the standard deviation of a second answer is, at most."""

ROOM = 1 + 2.0**-32
"""What is left is at least KEPT of μ², and known to 2⁻⁴⁶ of μ² after some twenty roundings: to a relative
2⁻³⁸."""


@dataclass(frozen=True)
class Left:
    """ω = ψ(x) + N(0, sd²) for every establishment, and the sd of each, which may be published."""

    answers: Floats
    sds: Floats


class Remainder:
    """ψ with γ > 0, for sums that pnc answers with μ > 0. Raises ParameterError outside, and where the
    largest noise, 16γ/μ, does not fit into floating point for ψ.
    """

    def __init__(self, psi: NeighborFunction, gamma: Rational, mu: Rational) -> None:
        self._gamma, self._mu = at_least(positive("γ", gamma)), to_float("μ", positive("μ", mu))
        most = LARGEST * self._gamma / self._mu
        if most > psi.largest_sd:
            raise ParameterError(
                f"remainder = true is not allowed: its noise of up to {LARGEST}γ/μ = {most:g} must be at "
                f"most {psi.largest_sd:g} for ψ = {psi.name}; leave it out, or take a larger μ"
            )
        self._noisiest = PsiMechanism(psi, gamma, positive("μ", mu) / LARGEST)

    def scales(self, spent: Floats) -> Floats:
        """γ/μ_e, rounded up, with μ_e² = μ² − ``spent``², for an upper bound of the latter below μ²."""
        return self._gamma / np.sqrt(self._mu**2 - spent**2) * ROOM

    def release(self, values: Integers, spent: Floats, bits: Bits) -> Left:
        """values, spent: by establishment; spent: the shift of its group's sum in standard deviations."""
        sds = self.scales(spent)
        return Left(self._noisiest.noisier(values, sds, bits), sds)


def pooled(mechanism: PsiMechanism, answers: Floats, left: Sequence[Left]) -> Left:
    """The mean of least variance of all answers ω by establishment: weights as their squared budgets."""
    precision = np.full(answers.shape, mechanism.sd**-2)
    total = answers * precision
    for one in left:
        total += one.answers / one.sds**2
        precision += one.sds**-2
    return Left(total / precision, precision**-0.5)
