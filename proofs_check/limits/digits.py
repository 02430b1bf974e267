"""Rationals in few digits, rounded so that an end of an interval stays an end."""

from decimal import Decimal, localcontext
from fractions import Fraction


def decimal(value: Fraction, digits: int, rounding: str) -> Decimal:
    """So many digits of a rational. rounding: as :mod:`decimal` names it."""
    with localcontext(prec=digits, rounding=rounding):
        return Decimal(value.numerator) / Decimal(value.denominator)
