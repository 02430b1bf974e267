"""The world in which a formula prints itself, unsimplified, with the operations that it performs."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

SUM, PRODUCT, POWER, ATOM = range(4)
"""How tightly the outermost operation of a text binds."""


class Term:
    """A formula as text. Comparing two terms raises TypeError: a text has no size."""

    def __init__(self, text: str, binding: int = ATOM) -> None:
        self.text, self.binding = text, binding

    def __str__(self) -> str:
        return self.text

    def within(self, binding: int) -> str:
        """The text, in parentheses where it binds less tightly than ``binding``."""
        return self.text if self.binding >= binding else f"({self.text})"

    def _joined(self, other: Any, sign: str, binding: int, *, swapped: bool = False) -> Term:
        first, second = (lift(other), self) if swapped else (self, lift(other))
        tighter = binding + (sign in ("−", "/"))
        space = " " if binding == SUM else ""
        left, right = first.within(binding), second.within(tighter)
        return Term(f"{left}{space}{sign}{space}{right}", binding)

    def __add__(self, other: Any) -> Term:
        return self._joined(other, "+", SUM)

    def __radd__(self, other: Any) -> Term:
        if not isinstance(other, Term) and other == 0:  # where a sum begins
            return self
        return self._joined(other, "+", SUM, swapped=True)

    def __sub__(self, other: Any) -> Term:
        return self._joined(other, "−", SUM)

    def __rsub__(self, other: Any) -> Term:
        return self._joined(other, "−", SUM, swapped=True)

    def __mul__(self, other: Any) -> Term:
        return self._joined(other, "·", PRODUCT)

    def __rmul__(self, other: Any) -> Term:
        return self._joined(other, "·", PRODUCT, swapped=True)

    def __truediv__(self, other: Any) -> Term:
        return self._joined(other, "/", PRODUCT)

    def __rtruediv__(self, other: Any) -> Term:
        return self._joined(other, "/", PRODUCT, swapped=True)

    def __pow__(self, other: Any) -> Term:
        return Term(f"{self.within(ATOM)}^{lift(other).within(ATOM)}", POWER)

    def __neg__(self) -> Term:
        return Term(f"−{self.within(PRODUCT)}", SUM)

    def __abs__(self) -> Term:
        return Term(f"|{self.text}|")

    def __bool__(self) -> bool:
        raise TypeError("a text is neither true nor false")

    def _unordered(self, other: Any) -> Any:
        raise TypeError("two texts cannot be compared")

    __lt__ = __le__ = __gt__ = __ge__ = _unordered


def lift(value: Any) -> Term:
    """A number as a term; a term as itself. Raises TypeError for a binary float."""
    if isinstance(value, Term):
        return value
    if isinstance(value, float):
        raise TypeError(f"{value!r} is a binary float: write an int or a Fraction")
    number = Fraction(value)
    if number.denominator != 1:
        return Term(str(number).replace("-", "−"), PRODUCT)
    return Term(str(number).replace("-", "−"), ATOM if number >= 0 else SUM)


class _Texts:
    """The world of terms."""

    pi: Any = Term("π")

    def number(self, value: Any) -> Term:
        return lift(value)

    def power(self, base: Any, exponent: Any) -> Term:
        return lift(base).__pow__(exponent)

    def absolute(self, x: Any) -> Term:
        return Term(f"|{lift(x)}|")

    def exp(self, x: Any) -> Term:
        return Term(f"e^{lift(x).within(ATOM)}", POWER)

    def sqrt(self, x: Any) -> Term:
        return Term(f"√{lift(x).within(ATOM)}")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        shown = {"log": "ln", "maximum": "max", "psi": "ψ", "psi_inverse": "ψ⁻¹"}.get(name, name)
        return lambda *inputs: Term(f"{shown}({', '.join(str(lift(x)) for x in inputs)})")


TEXT = _Texts()
