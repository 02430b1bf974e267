"""The hockey-stick divergence of one pair of laws: sup over events of P(S) − e^ε·Q(S), enclosed.

S is the set of outputs with ln(p/q) > ε. Boxes on which the sign of ln(p/q) − ε is certain contribute
by the distribution functions; what is left is bounded by P(box)·(1 − e^(ε − sup ln(p/q))).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from flint import arb, arb_series

from establish.proofs_check.audit.white.intervals import Interval
from establish.proofs_check.audit.white.laws import NotComparableError, Reading, positive
from establish.proofs_check.audit.white.loss import atom_masses
from establish.proofs_check.audit.white.pair import Pair, simple_rational
from establish.proofs_check.audit.white.pieces import Piece, pieces
from establish.proofs_check.engine.methods.enclosure import Function
from establish.spec.arithmetic import ARB, Number

MAX_BOXES = 4_000
"""Boxes for one piece; what is then undecided widens the enclosure."""


@dataclass
class Sum:
    """P(S) − e^ε·Q(S) over what is decided, and a bound for the rest."""

    decided: arb = field(default_factory=lambda: arb(0))
    open: arb = field(default_factory=lambda: arb(0))
    stretches: list[tuple[arb, Interval]] = field(default_factory=list)

    def add(self, gain: arb, event: Interval) -> None:
        """Add P − e^ε·Q of one event when it is positive, and a bound when that is not decided."""
        if gain > 0:
            self.decided += gain
            self.stretches.append((gain, event))
        elif not gain <= 0:
            self.open += gain.upper()


@dataclass(frozen=True)
class Box:
    """A stretch of one piece, as long as the sign of ln(p/q) − ε on it is open."""

    low: Fraction
    high: Fraction

    @property
    def ball(self) -> arb:
        return ARB.number(self.low).union(ARB.number(self.high))

    def halves(self) -> tuple[Box, Box]:
        middle = (self.low + self.high) / 2
        return Box(self.low, middle), Box(middle, self.high)


def bounds_of_loss(pair: Pair, piece: Piece, epsilon: Fraction, box: Box) -> tuple[arb, arb]:
    """Bounds of ln(p/q) − ε on the box, or of a positive multiple of it in a tail up to infinity."""
    loss = piece.loss
    if loss is None:
        return arb.neg_inf(), arb.pos_inf()
    limit = ARB.number(epsilon)
    if piece.growth is None or not piece.side:
        return _bounds(lambda c, s: loss(c, s) - limit, box)
    growth = [arb(ARB.number(pick(pair.p, pair.q))) for pick in piece.growth]
    signs = [pair.sign_of(pick) for pick in piece.growth]
    if signs == [0, 0, 0]:
        return _bounds(lambda c, s: loss(c, s) - limit, box)
    quadratic, linear, power = growth
    if box.low > 0:
        return _bounds(
            lambda c, u: quadratic / (u * u) + linear / u - power * c.log(u) + loss(c, u) - limit,
            box,
        )
    u, rest = box.ball, loss(ARB, box.ball) - limit
    far = -ARB.log(ARB.number(box.high))
    if box.high > Fraction(1, 3):
        return arb.neg_inf(), arb.pos_inf()
    if signs[0] != 0:  # times u²; u²·ln(1/u) increases up to e^(−1/2)
        grown = arb(0).union(ARB.number(box.high) ** 2 * far)
        scaled = quadratic + linear * u + power * grown + u * u * rest
    elif signs[1] != 0:  # times u; u·ln(1/u) increases up to 1/e
        grown = arb(0).union(ARB.number(box.high) * far)
        scaled = linear + power * grown + u * rest
    else:  # over ln(1/u)
        scaled = power + arb(0).union(1 / far) * rest
    sign_low, sign_high = scaled.lower(), scaled.upper()
    if sign_low > 0:
        return sign_low, arb.pos_inf()
    return (arb.neg_inf(), sign_high) if sign_high < 0 else (arb.neg_inf(), arb.pos_inf())


def _bounds(f: Function, box: Box) -> tuple[arb, arb]:
    """The better of the natural and the mean-value enclosure."""
    ball = box.ball
    natural = ARB.number(f(ARB, ball))
    middle = ARB.number((box.low + box.high) / 2)
    series = f(ARB, arb_series([ball, 1], 2))
    slope = series[1] if isinstance(series, arb_series) else arb(0)
    centered = ARB.number(f(ARB, middle)) + slope * (ball - middle)
    finite = [one for one in (natural, centered) if one.is_finite()]
    if not finite:
        return arb.neg_inf(), arb.pos_inf()
    return max(one.lower() for one in finite), min(one.upper() for one in finite)


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
