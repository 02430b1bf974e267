"""Privacy parameters, read exactly: α = 0.1 is the rational 1/10, never a binary float."""

import re
from collections.abc import Callable
from fractions import Fraction

Rational = int | str | float | Fraction
"""What a user may write for a parameter: ``Fraction(1, 10)``, ``"1/10"``, ``"0.1"``, ``0.1`` or ``2``."""


_FAR = re.compile(r"[eE][+-]?(\d_?){4}")
"""An exponent of four digits: the rational would have thousands of them, or fill the memory."""


class ParameterError(ValueError):
    """A parameter lies outside its domain. The message names it, its value and what is allowed."""


class Name:
    """A parameter that stands for all its values, or a formula of such parameters.

    Every guard lets it through undecided: what is made of names is a formula, such as that of a law, and who
    states something about it states the domain beside it.
    """

    __slots__ = ()


def exact(name: str, value: Rational) -> Fraction:
    """The rational that ``value`` writes; a `Name` as it is.

    A float is read by its shortest decimal (``0.1`` is 1/10), because that is what its author typed.

    Raises ParameterError for NaN, an infinity, text that is not a finite rational in ASCII digits without
    separators, or an exponent beyond ±999.
    """
    if type(value) is Fraction:  # as most are
        return value
    if isinstance(value, Name):
        return value  # type: ignore[return-value]  # it stands for a rational
    if isinstance(value, bool):
        raise ParameterError(f"{name} = {value!r} is not a number")
    if isinstance(value, str) and _FAR.search(value):
        raise ParameterError(f"{name} = {value} is not allowed: an exponent has three digits at most")
    try:
        if isinstance(value, str) and ("_" in value or not value.isascii()):
            raise ValueError
        return Fraction(float.__repr__(value) if isinstance(value, float) else value)
    except (ValueError, TypeError, ZeroDivisionError, OverflowError):
        raise ParameterError(f"{name} = {value} is not a finite rational: write it as 1/10 or 0.1") from None


def _own(name: str) -> str:
    """The parameter's own name, where ``name`` says first where it stands, as in "query q: epsilon"."""
    return name.rpartition(": ")[2]


def _guarded(name: str, value: Rational, allows: Callable[[Fraction], bool], allowed: str) -> Fraction:
    number = exact(name, value)
    if isinstance(number, Name) or allows(number):
        return number
    raise ParameterError(f"{name} = {value} is not allowed: {_own(name)} must {allowed}")


def nonnegative(name: str, value: Rational) -> Fraction:
    """``value`` as an exact rational ≥ 0. Raises ParameterError otherwise."""
    return _guarded(name, value, lambda x: x >= 0, "be at least 0")


def positive(name: str, value: Rational) -> Fraction:
    """``value`` as an exact rational > 0. Raises ParameterError otherwise."""
    return _guarded(name, value, lambda x: x > 0, "be greater than 0")


def probability(name: str, value: Rational) -> Fraction:
    """``value`` as an exact rational strictly between 0 and 1. Raises ParameterError otherwise."""
    return _guarded(name, value, lambda x: 0 < x < 1, "lie strictly between 0 and 1")
