"""The value of a formula at a point: a fraction as long as it can be, a ball of Arb after, or None.

None: it has no value there, or nobody here can tell it.
"""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import flint

from establish.proofs_check.recheck.sentences import NODES, Prop, Sentence, Term, below

PRECISIONS = (64, 256, 1024)
LONGEST = 2_000_000
"""Bits of a power that is still computed exactly."""


def ball(x: Any) -> flint.arb:
    return flint.arb(flint.fmpq(x.numerator, x.denominator)) if isinstance(x, Fraction) else x


def _log(x: Any) -> Any:
    return Fraction(0) if x == 1 else ball(x).log() if ball(x) > 0 else None


def _sqrt(x: Any) -> Any:
    if isinstance(x, Fraction):
        if x < 0:
            return None
        a, b = math.isqrt(x.numerator), math.isqrt(x.denominator)
        if a * a == x.numerator and b * b == x.denominator:
            return Fraction(a, b)
    return ball(x).sqrt()


def _power(a: Any, b: Any) -> Any:
    if isinstance(b, Fraction) and b.denominator == 1:
        if isinstance(a, Fraction):
            bits = max(a.numerator.bit_length(), a.denominator.bit_length()) * abs(b)
            if a in (0, 1, -1) or bits <= LONGEST:
                return a ** int(b) if a or b >= 0 else None
        if b >= 0 or ball(a) != 0:
            power = _times(ball(a), abs(int(b)))
            return power if b >= 0 else 1 / power
        return None
    if a == 0 and ball(b) > 0:
        return Fraction(0)
    return (ball(b) * ball(a).log()).exp() if ball(a) > 0 else None


def _times(a: Any, n: int) -> Any:
    return _times(a * a, n // 2) * (a if n % 2 else 1) if n else flint.arb(1)


def _sign(x: Any) -> Any:
    if isinstance(x, Fraction):
        return Fraction((x > 0) - (x < 0))
    return Fraction(1) if x > 0 else Fraction(-1) if x < 0 else None


OPERATIONS: dict[str, Callable[..., Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b if b != 0 else None,
    "negative": lambda a: -a,
    "^": _power,
    "absolute": abs,
    "sign": _sign,
    "maximum": lambda a, b: a.max(b) if isinstance(a, flint.arb) else max(a, b),
    "floor": lambda x: Fraction(math.floor(x)) if isinstance(x, Fraction) else None,
    "pi": flint.arb.pi,
    "exp": lambda x: Fraction(1) if x == 0 else ball(x).exp(),
    "log": _log,
    "sqrt": _sqrt,
    "sin": lambda x: ball(x).sin(),
    "erf": lambda x: ball(x).erf(),
    "erfinv": lambda x: ball(x).erfinv(),
    "log_gamma": lambda x: ball(x).lgamma() if ball(x) > 0 else None,
    "beta_share": lambda x, a, b: ball(x).beta_lower(ball(a), ball(b), regularized=True),
}


def value(root: Term, point: Sequence[Fraction]) -> Any:
    """The value of a term at a point, at the precision of now."""
    known: dict[Term, Any] = {}
    for one in below(root):
        op, data, parts = NODES[one]
        inner = [known[part] for part in parts]
        if op == "number":
            known[one] = data
        elif op == "variable":
            known[one] = point[data[0]]
        elif op == "where":
            told = None if None in inner[:2] else decided(data, *inner[:2])
            known[one] = None if told is None else inner[2 if told else 3]
        elif op not in OPERATIONS or any(x is None for x in inner):
            known[one] = None
        else:
            same = all(isinstance(x, Fraction) for x in inner)
            mixed = inner if same or op == "^" else list(map(ball, inner))
            found = OPERATIONS[op](*mixed)
            known[one] = None if isinstance(found, flint.arb) and not found.is_finite() else found
    return known[root]


def decided(relation: str, a: Any, b: Any) -> bool | None:
    """Whether a relation b; None where balls do not tell."""
    if not (isinstance(a, Fraction) and isinstance(b, Fraction)):
        a, b = ball(a), ball(b)
    less, more, same = bool(a < b), bool(a > b), bool(a == b)
    yes = {"<": less, "<=": less or same, "==": same, "!=": less or more}[relation]
    no = {"<": more or same, "<=": more, "==": less or more, "!=": same}[relation]
    return True if yes else False if no else None


def truth(prop: Prop, point: Sequence[Fraction]) -> bool | None:
    """Whether a proposition is true at a point; None where it is not decided."""
    for bits in PRECISIONS:
        with flint.ctx.workprec(bits):
            a, b = value(prop.left, point), value(prop.right, point)
            told = None if a is None or b is None else decided(prop.relation, a, b)
        if told is not None:
            return told
    return None


def lies_in(point: Sequence[Fraction], sentence: Sentence) -> bool:
    """Whether a point certainly lies in the domain of a sentence."""
    whole = all(f != "ℤ" or x.denominator == 1 for f, x in zip(sentence.fields, point, strict=True))
    return whole and all(truth(prop, point) is True for prop in sentence.given)
