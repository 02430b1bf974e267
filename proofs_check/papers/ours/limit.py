"""The least error of any mechanism for one establishment as its count grows, enclosed at given α and ε."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, localcontext
from fractions import Fraction
from functools import partial

from establish import AtMost, UnsettledError, Verdict, claim, exact, holds
from establish.proofs_check.engine.rules import within_windows
from establish.proofs_check.engine.rules.limits import LimitCertificate, verified
from establish.proofs_check.engine.statements import Comparison, NoLimitBelow, NoSmallerLimit
from establish.proofs_check.papers.ours.limit_certificate import built
from establish.spec.arithmetic import ARB, MP, enclosing
from establish.spec.mechanisms.growth_staircase import flat_part, large_error

POINTS = (
    ("1/10", "2", "0.40546427", "0.406114053"),
    ("1/10", "1", "0.918296126", "0.919031352"),
    ("1/20", "1", "0.936757637", "0.937507644"),
    ("1/100", "1/4", "3.97215450", "3.97294910"),
    ("1/5", "4", "0.12515557", "0.125961726"),
)
"""(α, ε) at which the limit is a claim, and both ends of it."""

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


Stated = tuple[NoLimitBelow, Comparison]


def stated(alpha: str, epsilon: str, lower: str, upper: str, delta: str | None = None) -> Stated:
    """That no mechanism has a limit below the lower end, and that Growth-Staircase has at most the upper."""
    α, ε = Fraction(alpha), Fraction(epsilon)
    return (
        NoSmallerLimit(α, ε, lower, delta),
        AtMost(left=lambda c: large_error(α, ε, *flat_part(α, ε), c), right=upper),
    )


def _at(about: Stated, value: str) -> Verdict:
    """No mechanism: a certificate, by the rule within_windows. This one: E|(1+α)^W − 1|/α is what E|out −
    n|/(αn) tends to, as from 1/α workers on the output is n·(1+α)^W, and the chance of less vanishes.
    """
    no_less, enough = about
    found = enclosed(no_less.alpha, no_less.epsilon)
    if found.certificate is None:
        raise UnsettledError(f"no certificate was found for: {no_less.text}")
    return holds(
        within_windows(no_less, found.certificate),
        exact.decided(enough),
        value=value,
        condition="one establishment, pure ε, n → ∞",
    )


for _alpha, _epsilon, _lower, _upper in POINTS:
    _about = stated(_alpha, _epsilon, _lower, _upper)
    claim(
        f"establish/limit/a{_alpha.replace('/', 'over')}-e{_epsilon.replace('/', 'over')}",
        where="The limit of the error",
        says=f"At α = {_alpha}, ε = {_epsilon} the least limit superior of E|out − n|/(αn) over all "
        "mechanisms that are (α, ε)-ER-EE private for one establishment of n workers lies between the bounds "
        "given, and Growth-Staircase has at most the upper one.",
        states=_about,
        tight=_about,
    )(partial(_at, _about, f"between {_lower} and {_upper}"))
