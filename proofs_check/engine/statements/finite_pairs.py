"""Finite pairs of laws, as a point gives them, and as far apart as guarantees let them."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from itertools import pairwise, product
from math import comb, exp, prod
from typing import Any

from establish.proofs_check.engine.shared import shared
from establish.proofs_check.engine.statements.guarantees import Law, kept
from establish.spec.arithmetic import ARB, enclosing

BITS = 96
FINEST = 2**40
"""What the probabilities of an adversary's laws are multiples of."""

STARTS = (-8, -3, -1, 0)
"""Log-odds of the less likely of two outcomes, from which an adversary moves a law."""

Pair = tuple[Law, Law]


def both_kept(kind: str, numbers: Sequence[Any], pair: Pair, both: bool) -> bool | None:
    told = [kept(kind, numbers, *pair), *([kept(kind, numbers, *pair[::-1])] if both else [])]
    return False if False in told else None if None in told else True


def below(ball: Any) -> Fraction:
    """A rational that is at most a number known by a ball, and close to it."""
    low = ball.lower().fmpq()
    return Fraction(int(low.p), int(low.q))


def shown(pair: Pair) -> str:
    return " and ".join("(" + ", ".join(f"{float(x):.6g}" for x in law) + ")" for law in pair)


def _law(law: Any) -> Law:
    """Probabilities as rationals. Raises ValueError where they are no law."""
    found = tuple(Fraction(x) for x in law)
    if min(found) < 0 or sum(found) != 1:
        raise ValueError("probabilities are at least 0 and sum to 1")
    return found


def _as_pair(laws: Any) -> Pair:
    first, second = map(_law, laws)
    if len(first) != len(second):
        raise ValueError("both laws give a probability to each outcome")
    return first, second


def _in_turn(laws: Any) -> tuple[list[Pair], Pair]:
    pairs = [_as_pair(pair) for pair in laws]
    first, second = ([prod(one) for one in product(*side)] for side in zip(*pairs, strict=True))
    return pairs, _as_pair((first, second))


def _in_a_row(laws: Any) -> tuple[list[Pair], Pair]:
    row = [_law(law) for law in laws]
    pairs = [_as_pair(pair) for pair in pairwise(row)]
    return pairs, (row[0], row[-1])


def _mapped(laws: Any) -> tuple[list[Pair], Pair]:
    *pair, place = laws
    first, second = _as_pair(pair)
    ends = sorted(set(place))
    made = [
        tuple(sum(x for x, e in zip(law, place, strict=True) if e == end) for end in ends)
        for law in (first, second)
    ]
    return [(first, second)], _as_pair(made)


def _mixed(laws: Any) -> tuple[list[Pair], Pair]:
    one, other = map(_as_pair, laws[:2])
    share = Fraction(laws[2])
    made = [
        tuple(share * x + (1 - share) * y for x, y in zip(*two, strict=True))
        for two in zip(one, other, strict=True)
    ]
    return [one, other], _as_pair(made)


def _pair(laws: Any) -> tuple[list[Pair], Pair]:
    pair = _as_pair(laws)
    return [pair], pair


MADE: dict[str, Callable[[Any], tuple[list[Pair], Pair]]] = {
    "pair": _pair,
    "in turn": _in_turn,
    "in a row": _in_a_row,
    "mapped": _mapped,
    "mixed": _mixed,
}
"""The pairs that have the guarantees, and the one of the conclusion, from what a point gives."""


def _whole(shares: Sequence[float]) -> Law:
    """A law near to these probabilities, in multiples of 1/FINEST."""
    parts = [Fraction(round(share * FINEST), FINEST) for share in shares[:-1]]
    return (*parts, 1 - sum(parts, Fraction(0)))


def _coin(x: float) -> Law:
    return _whole([1 / (1 + exp(-x)), 0])


def _flips(x: float) -> Law:
    """How many of six coins fall heads: nearly a normal law that moves with x."""
    head = 1 / (1 + exp(-x))
    return _whole([comb(6, k) * head**k * (1 - head) ** (6 - k) for k in range(7)])


def _leaking(delta: Fraction, x: float) -> Pair:
    """A coin, and beside it two outcomes of probability δ of which each law has one."""
    one, other = ((1 - delta) * p for p in _coin(x))
    return (delta, Fraction(0), one, other), (Fraction(0), delta, other, one)


Apart = Callable[[float], Pair]
"""A pair of laws by how far they lie apart."""


def _around_zero(law: Callable[[float], Law]) -> Apart:
    return lambda x: (law(x / 2), law(-x / 2))


def _from(start: float, move: int = 1) -> Apart:
    """A coin that moves away from one."""
    return lambda x: (_coin(start + move * x), _coin(start))


def _exchanged(apart: Apart) -> Apart:
    return lambda x: apart(x)[::-1]


def _farthest(kind: str, numbers: Sequence[Any], both: bool, apart: Apart) -> float:
    """The largest distance, but for a hundred-thousandth, at which two laws certainly have a guarantee."""
    low, high = 0.0, 20.0
    for _ in range(18):
        middle = (low + high) / 2
        told = both_kept(kind, numbers, apart(middle), both)
        low, high = (middle, high) if told is True else (low, middle)
    return low


@shared
def loudest_pairs(kind: str, numbers: tuple[Fraction, ...], both: bool) -> list[Pair]:
    """Pairs of laws of several families, as far apart as one guarantee lets them."""
    curves = [_around_zero(_coin), _around_zero(_flips)]
    curves += [_from(start, move) for move in (1, -1) for start in STARTS]
    if not both:
        curves += [_exchanged(one) for one in curves]
    if kind == "approximate":
        curves.append(partial(_leaking, max(numbers[1], Fraction(0))))
    with enclosing(BITS):
        balls = [ARB.number(number) for number in numbers]
        return [curve(_farthest(kind, balls, both, curve)) for curve in curves]


@shared
def loudest_row(stages: tuple[tuple[str, tuple[Fraction, ...]], ...], both: bool, start: int) -> list[Law]:
    """Coins in a row, each as far from the one before as its guarantee lets it."""
    places = [float(start)]
    with enclosing(BITS):
        for kind, numbers in stages[::-1]:
            balls = [ARB.number(number) for number in numbers]
            places.append(places[-1] + _farthest(kind, balls, both, _from(places[-1])))
    return [_coin(x) for x in reversed(places)]
