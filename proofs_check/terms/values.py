"""The value of a tree: a fraction as long as it can be, a ball that contains it after, or NaN."""

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import flint

from establish.proofs_check.terms.trees import RELATIONS, Prop, Term, below, parts
from establish.spec.arithmetic import ARB, EXACT

Value = Any
"""A Fraction, which is exact, or a ball of Arb that contains the value."""

NAN = flint.arb.nan()

PRECISIONS = (64, 256, 1024)
"""Bits tried in turn until a proposition is decided."""

LONGEST = 2_000_000
"""Bits of a rational power that is still computed exactly."""


def is_exact(x: Value) -> bool:
    """Whether a value is a fraction: asked of the type, as ``isinstance`` takes long for a ball."""
    return type(x) is Fraction


def ball(x: Value) -> flint.arb:
    return flint.arb(flint.fmpq(x.numerator, x.denominator)) if is_exact(x) else x


def truth(relation: str, a: Value, b: Value) -> bool | None:
    """Whether a relation b; None where balls do not tell."""
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return a > b if relation == ">" else RELATIONS[relation](a, b)
    a, b = ball(a), ball(b)
    less, more, same = bool(a < b), bool(a > b), bool(a == b)  # balls are equal only as single numbers
    told = {
        "<": (less, more or same),
        "<=": (less or same, more),
        "==": (same, less or more),
        "!=": (less or more, same),
        ">": (more, less or same),
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
    return lambda *x: rational(*x) if all(map(is_exact, x)) else balls(*map(ball, x))


def _called(name: str) -> Callable[..., Value]:
    return lambda x: getattr(ball(x), name)()


PLAIN: dict[str, Callable[..., Value]] = {
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


_orders: dict[tuple[int, ...], list[Term]] = {}


def _order(*roots: Term) -> list[Term]:
    """The terms below the roots in their order, which is found once."""
    key = tuple(map(id, roots))
    if key not in _orders:
        _orders[key] = parts(roots)
    return _orders[key]


def finite(x: Value) -> bool:
    return is_exact(x) or bool(x.is_finite())


def values(roots: Sequence[Term], at: Mapping[int, Value]) -> list[Value]:
    """The values of some terms at values of their variables, by the id of these, at the precision of now.

    An undecided branch is the hull of both sides. One part that is not finite makes the whole NaN.
    """
    known: dict[int, Value] = dict(at)
    fill([term for term in _order(*roots) if id(term) not in known], known)
    return [known[id(root)] for root in roots]


def fill(terms: Sequence[Term], known: dict[int, Value]) -> None:
    """The values of terms in their order, by their ids, to those ``known`` of what stands below them."""
    for term in terms:
        inner = [known[id(part)] for part in below(term)]
        if term.op == "number":
            found = term.data
        elif term.op == "where":
            found = (
                _chosen(truth(term.args[0].relation, *inner[:2]), *inner)
                if all(map(finite, inner[:2]))
                else NAN
            )
        elif term.op == "computed":
            found = _computed(term, inner)
        elif term.op in NUMBERS and all(map(finite, inner)):  # sgn(NaN) is a ball, NaN^0 is 1
            found = NUMBERS[term.op](*inner)
        else:  # undefined; of ψ nothing is known
            found = NAN
        known[id(term)] = found


def _computed(term: Term, inner: list[Value]) -> Value:
    """What a program computes: exactly where it can, by balls otherwise."""
    try:
        found = term.data.at(EXACT, inner)
        if isinstance(found, int | Fraction):
            return Fraction(found)
    except (TypeError, AttributeError):
        pass
    return ARB.number(term.data.at(ARB, inner))


def _chosen(told: bool | None, _: Value, __: Value, then: Value, other: Value) -> Value:
    if told is not None:
        return then if told else other
    one, two = ball(then), ball(other)
    return one.union(two) if one.is_finite() and two.is_finite() else NAN


class Compared(NamedTuple):
    """Whether a proposition is true, None for too close to tell; both sides; whether rationals decided."""

    truth: bool | None
    left: Value
    right: Value
    exact: bool

    @property
    def defined(self) -> bool:
        return finite(self.left) and finite(self.right)


def compared(prop: Prop, at: Mapping[int, Value]) -> Compared:
    """A proposition at values of its variables."""
    for bits in PRECISIONS:
        with flint.ctx.workprec(bits):
            a, b = values([prop.left, prop.right], at)
            told = truth(prop.relation, a, b)
            if told is not None:
                break
    return Compared(told, a, b, isinstance(a, Fraction) and isinstance(b, Fraction))
