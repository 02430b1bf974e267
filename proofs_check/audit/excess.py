"""The hockey-stick divergence of one pair of laws: sup over events of P(S) − e^ε·Q(S), enclosed.

S is the set of outputs with ln(p/q) > ε. Boxes on which the sign of ln(p/q) − ε is certain contribute
by the distribution functions; what is left is bounded by P(box)·(1 − e^(ε − sup ln(p/q))).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from establish.proofs_check.audit.excess_sum import MAX_BOXES, Box, Sum, bounds_of_loss
from establish.proofs_check.audit.excess_whole import add_integers
from establish.proofs_check.audit.intervals import Interval
from establish.proofs_check.audit.laws import NotComparableError, Reading, positive
from establish.proofs_check.audit.loss import atom_masses
from establish.proofs_check.audit.pair import Pair, simple_rational
from establish.proofs_check.audit.pieces import Piece, pieces
from establish.spec.arithmetic import ARB, Number

SHORT = Fraction(1, 1000)
"""Stretches that lie so close together are one, as far as an event in words goes."""


@dataclass(frozen=True)
class Excess:
    """lower ≤ divergence ≤ upper, and intervals of outputs that make up S, likely ones first.

    The ends of the intervals are rounded: what they show must be computed for themselves.
    """

    lower: arb
    upper: arb
    where: tuple[Interval, ...]


def excess(pair: Pair, epsilon: Fraction, tolerance: arb) -> Excess:
    """Enclose sup over events of P(S) − e^ε·Q(S) for P, Q the first and the second law.

    Undecided boxes are split until each counts less than ``tolerance``/100, or MAX_BOXES are spent.
    Call inside :func:`enclosing`. Raises NotComparableError for laws that cannot be laid side by side.
    """
    factor = ARB.exp(ARB.number(epsilon))
    total = Sum()
    for value, first, second in atom_masses(pair):
        gain = ARB.number(first) - factor * ARB.number(second)
        total.add(gain, Interval(Fraction(value), Fraction(value)))
    dense = [positive(law.weight) for law in (pair.p, pair.q)]
    if dense[0] and not dense[1]:
        atoms = tuple(value for value, _, _ in atom_masses(pair))
        total.add(ARB.number(pair.p.weight), Interval(without=atoms))
    elif dense[0]:
        pair.require_one_chart()
        if not pair.same_ends():
            raise NotComparableError("the supports differ: the divergence is not enclosed")
        if pair.p.whole:
            add_integers(pair, epsilon, factor, tolerance, total)
        else:
            for piece in pieces(pair):
                _add_piece(pair, piece, epsilon, factor, tolerance, total)
    lower, upper = total.decided.lower(), (total.decided + total.open).upper()
    return Excess(max(lower, arb(0)), upper, _simple(total, 1 if pair.p.whole else SHORT))


def _simple(total: Sum, near: int | Fraction) -> tuple[Interval, ...]:
    """The stretches, joined where they are near each other, by what they gain."""
    joined: list[tuple[arb, Interval]] = []
    for gain, event in sorted(total.stretches, key=_start):
        if joined and not event.without:
            before, last = joined[-1]
            if last.high is not None and event.low is not None and event.low <= last.high + near:
                joined[-1] = before + gain, Interval(last.low, event.high)
                continue
        joined.append((gain, event))
    ordered = sorted(joined, key=lambda one: float(one[0].mid()), reverse=True)
    return tuple(event for _, event in ordered)


def _start(stretch: tuple[arb, Interval]) -> tuple[bool, Fraction]:
    low = stretch[1].low
    return low is not None, Fraction(0) if low is None else low


def _add_piece(
    pair: Pair,
    piece: Piece,
    epsilon: Fraction,
    factor: arb,
    tolerance: arb,
    total: Sum,
) -> None:
    waiting = [Box(Fraction(piece.box[0]), Fraction(piece.box[1]))]
    likelier: list[Box] = []
    spent = 0
    while waiting:
        box = waiting.pop()
        spent += 1
        low, high = bounds_of_loss(pair, piece, epsilon, box)
        if high < 0:
            continue
        if low > 0:
            likelier.append(box)
            continue
        mass = _mass(pair.p, piece, box)
        rest = mass * (1 - ARB.exp(-high)) if high.is_finite() else mass
        if rest < tolerance / 100 or spent > MAX_BOXES:
            total.open += rest.upper()
        else:
            waiting += box.halves()
    for box in _joined(likelier):
        gain = _mass(pair.p, piece, box) - factor * _mass(pair.q, piece, box)
        total.add(gain, _outputs(pair, piece, box))


def _joined(boxes: list[Box]) -> list[Box]:
    ordered = sorted(boxes, key=lambda box: box.low)
    joined: list[Box] = []
    for box in ordered:
        if joined and joined[-1].high == box.low:
            joined[-1] = Box(joined[-1].low, box.high)
        else:
            joined.append(box)
    return joined


def _mass(law: Reading, piece: Piece, box: Box) -> arb:
    """The probability of the continuous part on the box."""
    ends = [_share(law, piece, s) for s in (box.low, box.high)]
    return ARB.number(law.weight) * (ends[0] - ends[1] if piece.side > 0 else ends[1] - ends[0])


def _share(law: Reading, piece: Piece, s: Fraction) -> Number:
    if piece.side and s == 0:
        return arb(1) if piece.side > 0 else arb(0)
    return law.cdf(piece.place(ARB.number(s)))


def _outputs(pair: Pair, piece: Piece, box: Box) -> Interval:
    """The box as an interval of outputs, its ends rounded to short decimals."""
    ends: list[Fraction | None] = []
    for s in (box.low, box.high):
        far = piece.side and s == 0
        at = None if far else pair.p.chart.back(piece.place(ARB.number(s)))
        ends.append(None if at is None else simple_rational(at, 4))
    return Interval(ends[1], ends[0]) if piece.side > 0 else Interval(ends[0], ends[1])
