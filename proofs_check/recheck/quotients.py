"""Quotients of polynomials over ℚ, by python-flint."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import flint

from establish.proofs_check.recheck.sentences import Prop

MOST = 40
"""How many generators one question may have."""

RING = flint.fmpq_mpoly_ctx.get([f"g{i}" for i in range(MOST)], flint.Ordering.degrevlex)
GENERATORS = RING.gens()
ONE, ZERO = RING.constant(1), RING.constant(0)
SIZE = 20_000
"""How many monomials one polynomial may have."""

Poly = Any


class Open(Exception):
    """The question is not decided here; the message says why."""


class Split(Exception):
    """The question is to be decided where a proposition is true, and where it is not."""

    def __init__(self, prop: Prop) -> None:
        self.prop = prop


class Ends(Exception):
    """The question is to be decided at the closed end that a given proposition says, and without it."""

    def __init__(self, place: int) -> None:
        self.place = place


class Finer(Exception):
    """A generator e^m, or a root, must be one of a part of its argument: all is read again."""

    def __init__(self, key: Any, parts: int) -> None:
        self.key, self.parts = key, parts


class Form(NamedTuple):
    """n/d without common factors."""

    n: Poly
    d: Poly

    def __add__(self, other: Form) -> Form:  # type: ignore[override]
        return quotient(self.n * other.d + other.n * self.d, self.d * other.d)

    def __neg__(self) -> Form:
        return Form(-self.n, self.d)

    def __sub__(self, other: Form) -> Form:
        return self + -other

    def __mul__(self, other: Form) -> Form:  # type: ignore[override]
        return quotient(self.n * other.n, self.d * other.d)

    def __truediv__(self, other: Form) -> Form:
        if other.n == 0:
            raise Open("a denominator is 0")
        return quotient(self.n * other.d, self.d * other.n)

    def to(self, n: int) -> Form:
        if n < 0:
            return Form(ONE, ONE) / self.to(-n)
        if n * max(len(self.n), len(self.d)) > SIZE:
            raise Open("a power is too large")
        return quotient(self.n**n, self.d**n)

    @property
    def key(self) -> tuple[str, str]:
        return str(self.n), str(self.d)


def quotient(n: Poly, d: Poly) -> Form:
    if max(len(n), len(d)) > SIZE:
        raise Open("a polynomial is too long")
    common = n.gcd(d)
    n, d = n / common, d / common
    lead = d.leading_coefficient()
    return Form(n / lead, d / lead)


def constant(value: int | Fraction) -> Form:
    value = Fraction(value)
    return Form(RING.constant(flint.fmpq(value.numerator, value.denominator)), ONE)


def fraction(value: Any) -> Fraction:
    return Fraction(int(value.p), int(value.q))


def is_constant(form: Form) -> Fraction | None:
    if form.n.is_constant() and form.d.is_constant():
        return fraction(form.n.leading_coefficient()) if form.n != 0 else Fraction(0)
    return None
