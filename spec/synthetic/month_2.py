"""Month 2 employment from months 1 and 3 (Webb et al. 2025, Algorithm 2)."""

from fractions import Fraction

from establish.spec.arithmetic import EXACT, Number, World

ETA_CELLS = Fraction(169, 100)
"""The noise parameter for county × NAICS-4 cells (Appendix A.2)."""

ETA_ESTABLISHMENTS = Fraction(1, 2)
"""The noise parameter for establishments (Appendix A.4)."""


def variance(eta: Number, month_1: Number, month_3: Number, c: World = EXACT) -> Number:
    """σ² = 2η|m3 − m1|/(m3 + m1), line 4; in squared jobs. Raises ZeroDivisionError when m1 = −m3.

    η > 0 and months ≥ 0 that are not both 0.
    """
    return 2 * eta * c.absolute(month_3 - month_1) / (month_3 + month_1)


def variance_in_text(eta: Number, month_1: Number, month_3: Number, c: World = EXACT) -> Number:
    """σ² = η|m3 − m1|/(m1 + m3), as displayed in the text of Appendix A.2."""
    return eta * c.absolute(month_3 - month_1) / (month_1 + month_3)


def middle(month_1: Number, month_3: Number) -> Number:
    """m1 + (m3 − m1)/2, line 6 without the noise."""
    return month_1 + (month_3 - month_1) / 2


def month_2_as_published(
    month_1: Fraction, month_3: Fraction, noise: Fraction, *, whole: bool = False
) -> Fraction:
    """Algorithm 2 for months ≥ 0, ``noise`` being the draw Z of line 5.

    whole: round line 6 to the nearest whole number, halves up, which no line says.
    """
    if month_1 == month_3 == 0:
        return Fraction(0)
    month_2: Fraction = middle(month_1, month_3) + noise
    if whole:
        month_2 = nearest(month_2)
    if month_2 <= 0:
        return Fraction(0 if month_3 == 0 or month_1 == 0 else 1)
    return month_2


def month_2(month_1: int, month_3: int, noise: Fraction) -> int:
    """Algorithm 2 as corrected: a whole number of jobs ≥ 0, and ≥ 1 when both other months are."""
    return int(month_2_as_published(Fraction(month_1), Fraction(month_3), noise, whole=True))


def nearest(value: Fraction) -> Fraction:
    """The nearest whole number, halves up."""
    return Fraction((value + Fraction(1, 2)).__floor__())
