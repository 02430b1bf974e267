"""The least error of any mechanism for one establishment under approximate privacy, enclosed.

Let a mechanism be (α, ε, δ)-ER-EE private, and m_ij the amounts of a certificate for pure privacy.
Integrated over outputs and t, a term m_ij·(F_j − q·F_i) is m_ij times P_n(E_j) − q·P_n'(E_j), where E_j are
the outputs with ln(o/n) in cell j and ln(n'/n) = (j − i)·w. For amounts of one difference d = j − i the E_j
are disjoint, and P_n(E) ≥ e^(−ε)·(P_n'(E) − δ) for their unions; so the sum over j is at least
−e^(−ε)·δ·max_j m_ij (a sum with weights between 0 and their maximum is that maximum times a mean of such
unions). Beyond the window n and n' have one law, and nothing is lost. So the mean error over the window is,
as T grows, at least V − e^(−ε)·δ·Σ_d max_j m_(j−d)j: what is given up for δ is the sum of these maxima.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from establish.proofs_check.engine.register import claim
from establish.proofs_check.engine.rules.limits import SCALE, LimitCertificate, verified
from establish.proofs_check.engine.verdicts import Evidence, Grade, Verdict, holds
from establish.proofs_check.papers.ours.limit import DIGITS, Limit, upper_end
from establish.proofs_check.papers.ours.limit_certificate import built
from establish.spec.arithmetic import ARB, enclosing
from establish.spec.mechanisms.growth_staircase import flat_part, large_error

POINTS = (("1/10", "2", "1/1000"), ("1/10", "1", "1/1000"), ("1/100", "1/4", "1/100000"))
"""(α, ε, δ) at which the limit is a claim."""

COARSE = (5, 10, 20, 40, 80, 160)
"""Cells per step of certificates with δ: more of them leave more differences, each of which gives up some."""


def given_up(certificate: LimitCertificate, delta: Fraction) -> Fraction:
    """e^(−ε)·δ·Σ_d max_j m_(j−d)j or a little more, as 1 + ε + ε²/2 + … ≤ e^ε."""
    largest: dict[int, int] = {}
    for (i, j), amount in certificate.amounts.items():
        largest[j - i] = max(largest.get(j - i, 0), amount)
    total = term = Fraction(1)
    for k in range(1, 41):
        term *= certificate.epsilon / k
        total += term
    return delta * Fraction(sum(largest.values()), SCALE) / total


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


def _at(alpha: str, epsilon: str, delta: str) -> Verdict:
    """No mechanism: a certificate, less what it gives up for δ. This one: a mechanism that is private without
    δ is so with it.
    """
    α, ε = Fraction(alpha), Fraction(epsilon)
    found = enclosed_with_delta(α, ε, Fraction(delta))
    low, high = found.printed
    with enclosing():
        ball = large_error(α, ε, *flat_part(α, ε), ARB)
        below = bool(ball <= ARB.number(found.upper))
    return holds(
        Evidence(
            f"a certificate, checked in whole numbers, shows that no mechanism has a limit below {low}",
            found.certificate is not None or None,
            Grade.PROOF,
            "certificate",
        ),
        Evidence(
            f"Growth-Staircase has a limit of at most {high}",
            below or None,
            Grade.ENCLOSURE,
            "enclosure",
        ),
        value=f"between {low} and {high}",
        condition=f"one establishment, δ = {delta}, n → ∞; what a certificate gives up for δ is argued in "
        "prose, which no machine reads",
    )


for _alpha, _epsilon, _delta in POINTS:
    claim(
        "establish/limit-with-delta/a{}-e{}-d{}".format(
            *(text.replace("/", "over") for text in (_alpha, _epsilon, _delta))
        ),
        where="The limit of the error",
        says=f"At α = {_alpha}, ε = {_epsilon}, δ = {_delta} the least limit superior of E|out − n|/(αn) "
        "over all mechanisms that are (α, ε, δ)-ER-EE private for one establishment of n workers lies "
        "between the bounds given, and Growth-Staircase has at most the upper one.",
        origin="ours",
    )(partial(_at, _alpha, _epsilon, _delta))
