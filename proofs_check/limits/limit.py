"""The least error of any mechanism for one establishment as its count grows, enclosed at given α and ε."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR
from fractions import Fraction

from establish.proofs_check.engine.rules.limits import LimitCertificate, verified
from establish.proofs_check.limits.certificate import built
from establish.proofs_check.limits.digits import decimal
from establish.spec.arithmetic import ARB, MP, enclosing
from establish.spec.mechanisms.growth_staircase import flat_part, large_error

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
    return f"{decimal(value, 9, rounding):f}"


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
    shares = [Fraction(2**k, 20000) for k in range(14)] + [1 - Fraction(3, 4) ** k for k in range(7, 20)]
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
