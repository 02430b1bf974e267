"""The least error under Gaussian establishment privacy, on the scale of ψ, at given μ."""

from decimal import ROUND_CEILING, ROUND_FLOOR
from fractions import Fraction
from typing import NamedTuple

from establish.proofs_check.engine.rules import pairs_of
from establish.proofs_check.limits.digits import decimal
from establish.spec.arithmetic import ARB, enclosing
from establish.spec.gaussian import least_step_error, normal_error
from establish.spec.growth_scale import ends

DIGITS = 9


class StepError(NamedTuple):
    """At least ``lower`` in units of γ on the scale of ψ, whatever the mechanism; at most ``upper`` by ψ."""

    lower: Fraction
    upper: Fraction


def enclosed(mu: Fraction) -> StepError:
    """Both ends, rounded outward to nine digits from balls, for μ of at least 1/1000."""
    with enclosing():
        low, _ = ends(least_step_error(mu, pairs_of(mu), ARB))
        _, high = ends(normal_error(mu, ARB))
    rounded = (decimal(low, DIGITS, ROUND_FLOOR), decimal(high, DIGITS, ROUND_CEILING))
    return StepError(*map(Fraction, rounded))
