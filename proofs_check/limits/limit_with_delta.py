"""The least error of any mechanism for one establishment under approximate privacy, enclosed.

The rule `within_windows_with_delta` says what a certificate for pure privacy gives up for δ.
"""

from fractions import Fraction

from establish.proofs_check.engine.rules.limits import given_up, verified
from establish.proofs_check.limits.certificate import built
from establish.proofs_check.limits.limit import DIGITS, Limit, upper_end

COARSE = (5, 10, 20, 40, 80, 160)
"""Cells per step of certificates with δ: more of them leave more differences, each of which gives up some."""


def enclosed_with_delta(alpha: Fraction, epsilon: Fraction, delta: Fraction) -> Limit:
    """At least the certificate's value less what it gives up for δ; at most the limit of pure privacy."""
    upper, constant = upper_end(alpha, epsilon)
    best = Limit(Fraction(0), upper, None, constant)
    for per_step in COARSE:
        for share in (Fraction(k * k, 1600) for k in range(1, 40)):
            value = Fraction(int(upper * (1 - share) * DIGITS), DIGITS)
            if value <= best.lower:
                break
            certificate = built(alpha, epsilon, value, per_step)
            if certificate is None:
                continue
            lower = value - given_up(certificate, delta)
            if lower > best.lower and verified(certificate):
                best = Limit(lower, upper, certificate, constant)
            break
    return best
