"""A μ that several queries of a plan share by weights."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction

from establish.impl.budget.section import Section
from establish.spec.arithmetic import ARB, enclosing
from establish.spec.gaussian import composed_square
from establish.spec.growth_scale import ends
from establish.spec.joint_budget import POWERS, shares
from establish.spec.parameters import ParameterError, positive

DIGITS = 6
"""How many significant digits a budget has."""


@dataclass(frozen=True)
class Joint:
    """mu: what queries with weights cost together at most. error: which errors they weigh, in POWERS."""

    mu: Fraction
    error: str

    def budgets(self, weights: Sequence[Fraction]) -> tuple[Fraction, ...]:
        """The budget of each of some positive weights, with the least weighted sum of errors.

        They are rounded to DIGITS digits, all of them down where their squares would add up to more than μ².
        """
        with enclosing():
            exactly = [share * ARB.number(self.mu) for share in shares(weights, POWERS[self.error], ARB)]
            lower = [ends(ball)[0] for ball in exactly]
        for rounding in (ROUND_HALF_EVEN, ROUND_FLOOR):
            found = tuple(_rounded(value, rounding) for value in lower)
            if composed_square(found) <= self.mu**2:
                return found
        raise AssertionError("lower ends that are rounded down stay within the budget")


def _rounded(value: Fraction, rounding: str) -> Fraction:
    with localcontext(prec=DIGITS, rounding=rounding):
        return Fraction(Decimal(value.numerator) / Decimal(value.denominator))


def read_joint(section: Section) -> Joint:
    """Raises ParameterError for a budget that is not positive, or an error that is not in POWERS."""
    mu = positive(f"{section.place}: mu", section.number("mu"))
    error = section.text_or("error", "absolute")
    if error not in POWERS:
        raise ParameterError(f"{section.place}: error = {error} is not known: use {' or '.join(POWERS)}")
    section.end()
    return Joint(mu, error)
