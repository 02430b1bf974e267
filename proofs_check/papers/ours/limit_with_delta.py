"""The least error of any mechanism for one establishment under approximate privacy, at three α, ε and δ.

The rule `within_windows_with_delta` says what a certificate for pure privacy gives up for δ.
"""

from fractions import Fraction
from functools import partial

from establish import Evidence, UnsettledError, Verdict, claim, exact, holds
from establish.proofs_check.engine.rules import within_windows_with_delta
from establish.proofs_check.engine.rules.limits import SCALE, LimitCertificate, given_up, least_decay
from establish.proofs_check.limits.limit_with_delta import enclosed_with_delta
from establish.proofs_check.papers.ours.limit import Stated, stated
from establish.spec.indistinguishability import Distribution, is_indistinguishable

POINTS = (
    ("1/10", "2", "1/1000", "0.389949189", "0.406114053"),
    ("1/10", "1", "1/1000", "0.870636719", "0.919031352"),
    ("1/100", "1/4", "1/100000", "3.95841986", "3.97294910"),
)
"""(α, ε, δ) at which the limit is a claim, and both ends of it."""


def what_is_given_up_can_be_lost(certificate: LimitCertificate, delta: Fraction) -> tuple[Evidence, Evidence]:
    """For every difference of cells two laws of (ε, δ)-privacy lose q·δ times the largest amount m.

    P' is in the cell of that amount with probability δ, P never: m·(P − q·P') is −m·q·δ there, q ≤ e^(−ε).
    """
    never: Distribution = {"elsewhere": Fraction(1)}
    sometimes: Distribution = {"elsewhere": 1 - delta, "there": delta}
    largest: dict[int, int] = {}
    for (i, j), amount in certificate.amounts.items():
        largest[j - i] = max(largest.get(j - i, 0), amount)
    q = Fraction(least_decay(certificate.epsilon), SCALE)
    lost = sum((Fraction(m, SCALE) * q * sometimes["there"] for m in largest.values()), Fraction(0))
    return (
        exact.compare(
            int(is_indistinguishable(never, sometimes, 1, delta)), "==", 1, "the two laws are close"
        ),
        exact.compare(
            lost, "<=", given_up(certificate, delta), "what they lose at each difference of cells is given up"
        ),
    )


def _at(about: Stated, value: str) -> Verdict:
    """No mechanism: a certificate, less what it gives up for δ. This one: a mechanism that is private without
    δ is so with it.
    """
    no_less, enough = about
    found = enclosed_with_delta(no_less.alpha, no_less.epsilon, no_less.delta)
    if found.certificate is None:
        raise UnsettledError(f"no certificate was found for: {no_less.text}")
    return holds(
        within_windows_with_delta(no_less, found.certificate),
        *what_is_given_up_can_be_lost(found.certificate, no_less.delta),
        exact.decided(enough),
        value=value,
        condition=f"one establishment, δ = {no_less.delta}, n → ∞",
    )


for _alpha, _epsilon, _delta, _lower, _upper in POINTS:
    _about = stated(_alpha, _epsilon, _lower, _upper, _delta)
    claim(
        "establish/limit-with-delta/a{}-e{}-d{}".format(
            *(text.replace("/", "over") for text in (_alpha, _epsilon, _delta))
        ),
        where="The limit of the error",
        says=f"At α = {_alpha}, ε = {_epsilon}, δ = {_delta} the least limit superior of E|out − n|/(αn) "
        "over all mechanisms that are (α, ε, δ)-ER-EE private for one establishment of n workers lies "
        "between the bounds given, and Growth-Staircase has at most the upper one.",
        states=_about,
        tight=_about,
    )(partial(_at, _about, f"between {_lower} and {_upper}"))
