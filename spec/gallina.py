"""The world in which a formula becomes a term of Gallina, the language of the Coq proof assistant.

Read here, a formula prints itself: the text is a term over the real numbers R of Coq's standard library,
and theorems can then be about the very formula that is read in the other worlds. Coq is total: 1/0, ln and
sqrt of a negative number have values there, so every statement about a printed term must say its domain.

A formula that decides on a value (an ``if``, Python's ``max``) has no single term. It is refused with
:class:`NotATerm`, which says what it decided on.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from establish.spec.arithmetic import Number


class NotATerm(TypeError):
    """The formula cannot be printed as one term; the message says why."""


class Proposition:
    """A comparison of two terms, as a Gallina proposition."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return self.text

    def __bool__(self) -> bool:
        raise NotATerm(f"it branches on {self.text}")


class Term:
    """A real-valued Gallina term, closed by its own parentheses."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return self.text

    def __add__(self, other: Number) -> Term:
        return _joined(self, "+", other)

    def __radd__(self, other: Number) -> Term:
        return _joined(other, "+", self)

    def __sub__(self, other: Number) -> Term:
        return _joined(self, "-", other)

    def __rsub__(self, other: Number) -> Term:
        return _joined(other, "-", self)

    def __mul__(self, other: Number) -> Term:
        return _joined(self, "*", other)

    def __rmul__(self, other: Number) -> Term:
        return _joined(other, "*", self)

    def __truediv__(self, other: Number) -> Term:
        return _joined(self, "/", other)

    def __rtruediv__(self, other: Number) -> Term:
        return _joined(other, "/", self)

    def __pow__(self, exponent: Number) -> Term:
        return GALLINA.power(self, exponent)

    def __neg__(self) -> Term:
        return Term(f"(- {self})")

    def __abs__(self) -> Term:
        return GALLINA.absolute(self)

    def __le__(self, other: Number) -> Proposition:
        return _compared(self, "<=", other)

    def __ge__(self, other: Number) -> Proposition:
        return _compared(other, "<=", self)

    def __lt__(self, other: Number) -> Proposition:
        return _compared(self, "<", other)

    def __gt__(self, other: Number) -> Proposition:
        return _compared(other, "<", self)

    def __eq__(self, other: object) -> Any:
        return _compared(self, "=", other)

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        raise NotATerm(f"it branches on {self.text}")

    def __float__(self) -> float:
        raise NotATerm(f"it rounds {self.text} to a binary float")

    def __int__(self) -> int:
        raise NotATerm(f"it takes {self.text} as an integer")

    __index__ = __int__


class Integer:
    """An integer-valued Gallina term (type Z), which stands in exponents only."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return self.text

    def __abs__(self) -> Integer:
        return Integer(f"(Z.abs {self.text})")


def _lifted(value: Number) -> Term:
    """``value`` as a term. NotATerm for a binary float and for anything that is no number."""
    if isinstance(value, Term):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return Term(str(value) if value >= 0 else f"(- {-value})")
    if isinstance(value, Fraction):
        above = _lifted(value.numerator)
        return above if value.denominator == 1 else Term(f"({above} / {value.denominator})")
    raise NotATerm(f"{value!r} of type {type(value).__name__} is not an exact number")


def _joined(left: Number, sign: str, right: Number) -> Term:
    return Term(f"({_lifted(left)} {sign} {_lifted(right)})")


def _compared(left: Number, sign: str, right: Number) -> Proposition:
    return Proposition(f"({_lifted(left)} {sign} {_lifted(right)})")


def _applied(name: str) -> Callable[..., Term]:
    """The function of Coq's libraries called ``name``, applied to terms."""

    def apply(*arguments: Number) -> Term:
        return Term(f"({' '.join([name, *(str(_lifted(a)) for a in arguments)])})")

    return apply


class _Gallina:
    """R of the standard library; ``sign`` of Coquelicot; ``erf`` and ``beta_share`` as integrals."""

    pi: Number = Term("PI")
    number = staticmethod(_lifted)
    log, exp, sqrt, sin = (staticmethod(_applied(name)) for name in ("ln", "exp", "sqrt", "sin"))
    absolute, sign = staticmethod(_applied("Rabs")), staticmethod(_applied("sign"))
    maximum = staticmethod(_applied("Rmax"))
    erf, beta_share = staticmethod(_applied("erf")), staticmethod(_applied("beta_share"))

    def log_gamma(self, x: Number) -> Number:
        raise NotATerm("the prelude has no logarithm of Γ")

    def erfinv(self, x: Number) -> Number:
        raise NotATerm("it inverts erf: an inverse has no term, state it as a relation")

    def power(self, base: Number, exponent: Number) -> Term:
        if isinstance(exponent, Integer):
            return Term(f"(powerRZ {_lifted(base)} {exponent})")
        if isinstance(exponent, (int, Fraction)) and exponent == int(exponent):
            whole = int(exponent)
            raised = f"({_lifted(base)} ^ {abs(whole)})"
            return Term(raised if whole >= 0 else f"(/ {raised})")
        return Term(f"(Rpower {_lifted(base)} {_lifted(exponent)})")


GALLINA = _Gallina()


def definition(name: str, parameters: str, value: Number) -> str:
    """``Definition name (parameters : R) : R := value.``, or ``: Prop`` for a comparison.

    parameters: names separated by blanks; one that ends in ``:Z`` is an integer.
    """
    binders = [p.partition(":")[::2] for p in parameters.split()]
    bound = "".join(f" ({symbol} : {kind or 'R'})" for symbol, kind in binders)
    kind = "Prop" if isinstance(value, Proposition) else "R"
    body = value if isinstance(value, Proposition) else _lifted(value)
    return f"Definition {name}{bound} : {kind} :=\n  {body}."


def symbols(parameters: str) -> dict[str, Term | Integer]:
    """The terms that stand for the parameters, by name."""
    split = [p.partition(":")[::2] for p in parameters.split()]
    return {name: Integer(name) if kind == "Z" else Term(name) for name, kind in split}
