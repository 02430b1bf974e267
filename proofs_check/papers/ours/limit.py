"""The least error of any mechanism for one establishment as its count grows, enclosed at given α and ε."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, localcontext
from fractions import Fraction
from functools import partial

from establish.proofs_check.engine.register import claim
from establish.proofs_check.engine.verdicts import Evidence, Grade, Verdict, holds
from establish.proofs_check.papers.ours.limit_certificate import LimitCertificate, built, verified
from establish.spec.arithmetic import ARB, MP, enclosing
from establish.spec.mechanisms.growth_staircase import flat_part, large_error

POINTS = (("1/10", "2"), ("1/10", "1"), ("1/20", "1"), ("1/100", "1/4"), ("1/5", "4"))
"""(α, ε) at which the limit is a claim."""

CELLS = 1000
"""Cells per step of the certificates: what they fall short by is about 1/(2·CELLS) of αn per unit of
error."""

DIGITS = 10**9
"""Values are given in multiples of 1/DIGITS."""


@dataclass(frozen=True)
class Limit:
    """The least limit superior of E|out − n|/(αn) lies between both ends.

    certificate: what shows the lower end; without one it is 0. constant: whether the upper end is that of the
    constant output 0, and not of Growth-Staircase.
    """

    lower: Fraction
    upper: Fraction
    certificate: LimitCertificate | None
    constant: bool

    @property
    def printed(self) -> tuple[str, str]:
        """Both ends in nine digits, the lower rounded down and the upper up."""
        return outward(self.lower, ROUND_FLOOR), outward(self.upper, ROUND_CEILING)


def outward(value: Fraction, rounding: str) -> str:
    """Nine digits of a rational, rounded down (ROUND_FLOOR) or up (ROUND_CEILING): an end stays an end."""
    with localcontext(prec=9, rounding=rounding):
        return f"{Decimal(value.numerator) / Decimal(value.denominator):f}"


def upper_end(alpha: Fraction, epsilon: Fraction) -> tuple[Fraction, bool]:
    """At least the limit of Growth-Staircase, rounded up from a ball; 1/α where the constant 0 is better."""
    if not MP.log(1 + MP.number(alpha)) < MP.number(epsilon):
        return 1 / alpha, True
    down, up = flat_part(alpha, epsilon)
    if large_error(alpha, epsilon, down, up, MP) >= 1 / MP.number(alpha):
        return 1 / alpha, True
    with enclosing():
        ball = large_error(alpha, epsilon, down, up, ARB) * DIGITS
        return Fraction(int(ball.upper().ceil().unique_fmpz()), DIGITS), False


def enclosed(
    alpha: Fraction,
    epsilon: Fraction,
    per_step: int = CELLS,
    progress: Callable[[float], None] = lambda share: None,
) -> Limit:
    """The upper end by a mechanism, the lower by the first certificate below it that verifies.

    progress: told which share of the certificates was tried, at most.
    """
    upper, constant = upper_end(alpha, epsilon)
    shares = [Fraction(2**k, 20000) for k in range(14)] + [
        1 - Fraction(3, 4) ** k for k in range(7, 20)
    ]
    for tried, share in enumerate(shares):
        progress(tried / len(shares))
        value = Fraction(int(upper * (1 - share) * DIGITS), DIGITS)
        if value <= 0:
            break
        certificate = built(alpha, epsilon, value, per_step)
        progress((tried + 0.5) / len(shares))
        if certificate and verified(certificate):
            return Limit(value, upper, certificate, constant)
    return Limit(Fraction(0), upper, None, constant)


def _evidence(alpha: Fraction, epsilon: Fraction, found: Limit) -> tuple[Evidence, Evidence]:
    amounts = found.certificate.amounts if found.certificate else {}
    low, high = found.printed
    lower = Evidence(
        f"a certificate of {len(amounts)} amounts, checked in whole numbers, shows that no mechanism has a "
        f"limit below {low}",
        found.certificate is not None or None,
        Grade.PROOF,
        "certificate",
    )
    with enclosing():
        down, up = flat_part(alpha, epsilon)
        ball = large_error(alpha, epsilon, down, up, ARB)
        below = bool(ball <= ARB.number(found.upper))
    upper = Evidence(
        f"Growth-Staircase has a limit of at most {high}",
        below or None,
        Grade.ENCLOSURE,
        "enclosure",
    )
    return lower, upper


def _at(alpha: str, epsilon: str) -> Verdict:
    """No mechanism: a certificate whose argument stands in limit_certificate. This one: E|(1+α)^W − 1|/α is
    what E|out − n|/(αn) tends to, as from 1/α workers on the output is n·(1+α)^W, and the chance of less
    vanishes.
    """
    α, ε = Fraction(alpha), Fraction(epsilon)
    found = enclosed(α, ε)
    return holds(
        *_evidence(α, ε, found),
        value="between {} and {}".format(*found.printed),
        condition="one establishment, pure ε, n → ∞",
    )


for _alpha, _epsilon in POINTS:
    claim(
        f"establish/limit/a{_alpha.replace('/', 'over')}-e{_epsilon.replace('/', 'over')}",
        where="The limit of the error",
        says=f"At α = {_alpha}, ε = {_epsilon} the least limit superior of E|out − n|/(αn) over all "
        "mechanisms that are (α, ε)-ER-EE private for one establishment of n workers lies between the bounds "
        "given, and Growth-Staircase has at most the upper one.",
        origin="ours",
    )(partial(_at, _alpha, _epsilon))
