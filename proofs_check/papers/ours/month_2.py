"""Rounding to the nearest whole number, as the imputation of months rounds."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from establish.proofs_check.engine.methods import exhaustive
from establish.proofs_check.engine.register import claim
from establish.proofs_check.engine.statements import Every
from establish.proofs_check.engine.verdicts import Verdict, holds
from establish.spec.synthetic.month_2 import nearest


def _values() -> Iterator[Fraction]:
    yield from (Fraction(k, 6) for k in range(-20, 21))


def _is_nearest(value: Fraction) -> bool:
    """A whole number within a half of the value, the higher one of two."""
    found = nearest(value)
    return found == int(found) and -Fraction(1, 2) < found - value <= Fraction(1, 2)


NEAREST = Every("value", _values, _is_nearest)


@claim(
    "establish/nearest-rounds-halves-up",
    where="Imputation of month 2",
    says="Values are rounded to the nearest whole number, halves upwards.",
    states=NEAREST,
)
def nearest_rounds_halves_up() -> Verdict:
    """Sixths from −20/6 to 20/6, halves among them."""
    return holds(exhaustive.each(NEAREST, "sixths between −20/6 and 20/6"))
