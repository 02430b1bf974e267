"""The hockey-stick divergence of two laws on the integers: a sum, with bounded tails."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from establish.proofs_check.audit.excess_sum import MAX_BOXES, Box, Sum, bounds_of_loss
from establish.proofs_check.audit.intervals import Interval
from establish.proofs_check.audit.laws import NotComparableError, Reading
from establish.proofs_check.audit.pair import Pair
from establish.proofs_check.audit.pieces import Piece, pieces
from establish.spec.arithmetic import ARB


def add_integers(pair: Pair, epsilon: Fraction, factor: arb, tolerance: arb, total: Sum) -> None:
    """Add the integers with ln(p/q) > ε, one by one up to the last break and beyond as needed."""
    ends = [_integer(ARB.number(pair.breaks[i](pair.p, pair.q))) for i in (0, -1)]
    for k in range(ends[0], ends[1] + 1):
        _add(pair, Interval(Fraction(k), Fraction(k)), factor, total)
    for piece in pieces(pair):
        if piece.side:
            anchor = ends[1] if piece.side > 0 else ends[0]
            _add_tail(pair, piece, anchor, epsilon, factor, tolerance, total)


def _integer(ball: arb) -> int:
    whole = ball.unique_fmpz()
    if whole is None:
        raise NotComparableError("a break of a law on the integers is not an integer")
    return int(whole)


def _add(pair: Pair, event: Interval, factor: arb, total: Sum) -> None:
    p, q = _continuous(event, pair.p), _continuous(event, pair.q)
    total.add(p - factor * q, event)


def _continuous(event: Interval, law: Reading) -> arb:
    """The probability without the atoms."""
    return event.probability(law) - sum(
        (ARB.number(mass) for value, mass in law.atoms if event.holds(value)), arb(0)
    )


def _add_tail(
    pair: Pair,
    piece: Piece,
    anchor: int,
    epsilon: Fraction,
    factor: arb,
    tolerance: arb,
    total: Sum,
) -> None:
    for step in range(1, MAX_BOXES):
        first = Fraction(anchor + piece.side * step)
        rest = Interval(first, None) if piece.side > 0 else Interval(None, first)
        low, high = bounds_of_loss(pair, piece, epsilon, Box(Fraction(0), Fraction(1, step)))
        if high < 0:
            return
        if low > 0:
            _add(pair, rest, factor, total)
            return
        mass = _continuous(rest, pair.p)
        worst = mass * (1 - ARB.exp(-high)) if high.is_finite() else mass
        if worst < tolerance / 100 or step == MAX_BOXES - 1:
            total.open += worst.upper()
            return
        _add(pair, Interval(first, first), factor, total)
