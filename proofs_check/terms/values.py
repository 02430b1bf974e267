"""The value of a tree: a fraction as long as it can be, a ball that contains it after, NaN where there is none."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import flint

from establish.proofs_check.terms.trees import RELATIONS, Prop, Term, below, parts

Value = Any
"""A Fraction, which is exact, or a ball of Arb that contains the value."""

NAN = flint.arb.nan()

PRECISIONS = (64, 256, 1024)
"""Bits tried in turn until a proposition is decided."""

LONGEST = 2_000_000
"""Bits of a rational power that is still computed exactly."""


def ball(x: Value) -> flint.arb:
    return flint.arb(flint.fmpq(x.numerator, x.denominator)) if isinstance(x, Fraction) else x


def truth(relation: str, a: Value, b: Value) -> bool | None:
    """Whether a relation b; None where balls do not tell."""
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return RELATIONS[relation](a, b)
    a, b = ball(a), ball(b)
    less, more, same = bool(a < b), bool(a > b), bool(a == b)  # balls are equal only as single numbers
    told = {
        "<": (less, more or same),
        "<=": (less or same, more),
        "==": (same, less or more),
        "!=": (less or more, same),
    }[relation]
    return True if told[0] else False if told[1] else None


def _power(a: Value, b: Value) -> Value:
    if not (isinstance(b, Fraction) and b.denominator == 1):
        return ball(a) ** ball(b)  # knows that 0 to a positive power is 0
    if isinstance(a, Fraction):
        size = max(a.numerator.bit_length(), a.denominator.bit_length()) * abs(b)
        if a in (0, 1, -1) or size <= LONGEST:
            return a ** int(b) if a or b >= 0 else NAN
    return squared(ball(a), int(b)) if b >= 0 else 1 / squared(ball(a), -int(b))


def squared(a: Any, n: int) -> Any:
    """a to the power n ≥ 0: Arb's own is NaN where the ball holds 0."""
    return squared(a * a, n // 2) * (a if n % 2 else 1) if n else 1 + 0 * a


def _either(rational: Callable[..., Value], balls: Callable[..., Value]) -> Callable[..., Value]:
    """The first where all are rationals, the second on balls otherwise."""
    return lambda *x: rational(*x) if all(isinstance(a, Fraction) for a in x) else balls(*map(ball, x))


def _called(name: str) -> Callable[..., Value]:
    return lambda x: getattr(ball(x), name)()


PLAIN = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "negative": operator.neg,
}

NUMBERS: Mapping[str, Callable[..., Value]] = {
    **{op: _either(f, f) for op, f in PLAIN.items()},
    "/": _either(lambda a, b: a / b if b else NAN, operator.truediv),
    "^": _power,
    "absolute": abs,
    "sign": _either(lambda x: Fraction((x > 0) - (x < 0)), lambda x: x.sgn()),
    "floor": _either(lambda x: Fraction(math.floor(x)), lambda x: x.floor()),
    "maximum": _either(max, lambda a, b: a.max(b)),
    "pi": flint.arb.pi,
    **{name: _called(name) for name in ("log", "exp", "sqrt", "sin", "erf", "erfinv")},
    "log_gamma": lambda x: ball(x).lgamma() if ball(x) > 0 else NAN,
    "beta_share": lambda x, a, b: ball(x).beta_lower(ball(a), ball(b), regularized=True),
}
"""The operations and functions on values."""


def finite(x: Value) -> bool:
    return isinstance(x, Fraction) or bool(x.is_finite())


def values(roots: Sequence[Term], at: Mapping[int, Value]) -> list[Value]:
    """The values of some terms at values of their variables, by the id of these, at the precision of now.

    An undecided branch is the hull of both sides. One part that is not finite makes the whole NaN.
    """
    known: dict[int, Value] = dict(at)
    for term in parts(roots):
        if id(term) in known:
            continue
        inner = [known[id(part)] for part in below(term)]
        if term.op == "number":
            found = term.data
        elif term.op == "where":
            found = _chosen(truth(term.args[0].relation, *inner[:2]), *inner) if all(map(finite, inner[:2])) else NAN
        elif term.op in NUMBERS and all(map(finite, inner)):  # sgn(NaN) is a ball, NaN^0 is 1
            found = NUMBERS[term.op](*inner)
        else:  # undefined; of ψ nothing is known
            found = NAN
        known[id(term)] = found
    return [known[id(root)] for root in roots]


def _chosen(told: bool | None, _: Value, __: Value, then: Value, other: Value) -> Value:
    if told is not None:
        return then if told else other
    one, two = ball(then), ball(other)
    return one.union(two) if one.is_finite() and two.is_finite() else NAN


def decided(prop: Prop, at: Mapping[int, Value]) -> bool | None:
    """Whether a proposition is true at a point; None where it is not known, or undefined."""
    for bits in PRECISIONS:
        with flint.ctx.workprec(bits):
            told = truth(prop.relation, *values([prop.left, prop.right], at))
            if told is not None:
                return told
    return None
