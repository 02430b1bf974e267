"""Printed numbers: a value that must round to the digits in the text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from establish.proofs_check.engine.statements.comparison import Comparison, checked, how_computed
from establish.proofs_check.engine.statements.domain import Domain, as_tree, computed
from establish.proofs_check.engine.statements.statement import Formula, Statement, StatementError
from establish.spec.arithmetic import World

NUMERALS = re.compile(r"\|−?[\d/]+ − −?[\d/]+\| ≤ [\d/]+")
"""The text of a difference that shows two numbers and not how the first is computed."""


DECIMAL = re.compile(r"-?(\d+(\.\d*)?|\.\d+)", re.ASCII)
"""Digits and perhaps a point: what tells the unit of the last digit."""


@dataclass(frozen=True)
class PrintedNumber(Comparison):
    """|value − printed| ≤ half a unit of the last printed digit; made by `Printed`."""

    value: Formula
    unit: Fraction
    number: Fraction
    costly: bool = False

    @property
    def text(self) -> str:
        if self.costly or NUMERALS.fullmatch(self.conclusion):
            return f"{how_computed(self.value)}: it is within {self.unit / 2} of {self.number}"
        return f"{super().text} (it rounds to the printed digits)"

    def planted(self) -> Iterator[tuple[str, Statement]]:
        for name, step in (("last digit one more", 1), ("last digit one less", -1)):
            other = self.number + step * self.unit
            yield name, replace(self, left=_gap(self.value, other), number=other)


def Printed(value: Formula, digits: str, *, costly: bool = False) -> PrintedNumber:
    """The value is within half a unit of the last printed digit: it rounds to ``digits``, halves either way.

    value: a formula of a world. digits: the number as printed, such as ``"0.863"`` or ``"-12"``. Its planted
    neighbors have another last digit. costly: it takes long, so that it is not evaluated before the claim is
    settled, and its text is said in words. Raises StatementError for text that is no decimal number.
    """
    if not (isinstance(digits, str) and DECIMAL.fullmatch(digits)):
        raise StatementError(f"{digits!r} is not a printed decimal number, such as '0.863' or '-12'")
    number = Fraction(digits)
    if costly:
        value = as_tree(computed(value), ())
    else:
        checked(Comparison(Domain(()), value, "==", 0))
    unit = Fraction(1, 10 ** len(digits.partition(".")[2]))
    gap = _gap(value, number)
    half = unit / 2
    return PrintedNumber(Domain(()), gap, "<=", half, value, unit, number, costly)


def _gap(value: Formula, number: Fraction) -> Formula:
    def gap(c: World) -> object:
        return c.absolute(value(c) - c.number(number))

    return gap
