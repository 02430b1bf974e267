"""The error of the running sums from which a place is chosen."""

from __future__ import annotations

import flint

from establish.impl.sampling import choice
from establish.impl.sampling.exponential import ERROR, LARGEST
from establish.impl.sampling.workspace import CHUNK
from establish.proofs_check.certification.sampling.horner import PRECISION, U, enclosed
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.arithmetic import ARB, Number, enclosing


def sum_error(width: int) -> Number:
    """A bound of |c_j − C_j|/C for N = ``width``, as derived in :mod:`establish.impl.sampling.choice`.

    The float x is within x·((1−u)^−2 − 1) of κ·k. Cut-off terms are at most 1.01·e^(−CUT) on both sides, in
    weights from 2^−100 to 2^100; 2^−899 covers a κ whose float is subnormal.
    """
    u, cut, weight = ARB.number(U), flint.arb(choice.CUT), flint.arb(choice.LARGEST_WEIGHT)
    exponent = cut * ((1 - u) ** -2 - 1)
    kept = ARB.exp(exponent) * (1 + flint.arb(ERROR)) * (1 + u) ** (width + 1) - 1
    lost = width * weight**2 * flint.arb("1.01") * ARB.exp(-cut)
    return kept + lost + flint.arb((1, -899))


def choice_bound() -> Evidence:
    """Evidence that this is at most ``relative_error(N)`` for 1 ≤ N ≤ 2^14.

    The bound is convex in N, the claimed one is linear: it suffices to compare at both ends. And e^(−x) is
    claimed up to CUT, and η/(1−η) ≤ 1.01·η.
    """
    with enclosing(PRECISION):
        good = choice.CUT <= LARGEST and 0 < choice.relative_error(CHUNK) < 0.009
        for width in (1, CHUNK):
            good = good and bool(sum_error(width) < flint.arb(choice.relative_error(width)))
        shown = sum_error(CHUNK).str(3, radius=False)
    says = f"the running sums of a choice among up to 2^14 are computed to {shown} of their total"
    return enclosed(says, good)
