"""The least error under Gaussian establishment privacy, on the scale of ψ, at given μ."""

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, localcontext
from fractions import Fraction
from typing import NamedTuple

from establish.proofs_check.engine.rules import pairs_of
from establish.spec.arithmetic import ARB, enclosing
from establish.spec.gaussian import least_step_error, normal_error

DIGITS = 9


class StepError(NamedTuple):
    """At least ``lower`` in units of γ on the scale of ψ, whatever the mechanism; at most ``upper`` by ψ."""

    lower: Fraction
    upper: Fraction


def enclosed(mu: Fraction) -> StepError:
    """Both ends, rounded outward to nine digits from balls, for μ of at least 1/1000."""
    with enclosing():
        low = least_step_error(mu, pairs_of(mu), ARB).lower()
        high = normal_error(mu, ARB).upper()
        return StepError(_rounded(low, ROUND_FLOOR), _rounded(high, ROUND_CEILING))


def _rounded(end: object, rounding: str) -> Fraction:
    man, exponent = end.man_exp()  # type: ignore[attr-defined]
    value = Fraction(int(man)) * Fraction(2) ** int(exponent)
    with localcontext(prec=DIGITS, rounding=rounding):
        return Fraction(Decimal(value.numerator) / Decimal(value.denominator))
