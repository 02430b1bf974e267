"""The hockey-stick divergence of one pair of laws: sup over events of P(S) − e^ε·Q(S), enclosed.

S is the set of outputs with ln(p/q) > ε. Boxes on which the sign of ln(p/q) − ε is certain contribute
by the distribution functions; what is left is bounded by P(box)·(1 − e^(ε − sup ln(p/q))). Where the
difference certainly rises, or falls, its ends bound it, and a step of Newton's method tells where alone it
may be 0.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from flint import arb, arb_series

from establish.proofs_check.audit.white.intervals import PLACES, Either, Interval
from establish.proofs_check.audit.white.laws import NotComparableError, Reading, positive
from establish.proofs_check.audit.white.loss import atom_masses
from establish.proofs_check.audit.white.pair import Pair, simple_rational
from establish.proofs_check.audit.white.pieces import Piece, log_weights, pieces
from establish.proofs_check.engine.methods.enclosure import NO_SERIES, Function
from establish.spec.arithmetic import ARB, Number, World

MAX_BOXES = 4_000
"""Boxes for one piece; what is then undecided widens the enclosure."""


FINEST_CUT = 2**30
"""A box is cut around a zero at multiples of this share of its length."""

SMALLEST = Fraction(1, 10**300)
"""Ends are told apart down to this number."""

MOST_INTEGERS = 1_000_000
"""Integers that are added one by one, at most."""


@dataclass
class Sum:
    """P(S) − e^ε·Q(S) over what is decided, with P(S) and Q(S), and a bound for the rest."""

    factor: arb
    decided: arb = field(default_factory=lambda: arb(0))
    p: arb = field(default_factory=lambda: arb(0))
    q: arb = field(default_factory=lambda: arb(0))
    open: arb = field(default_factory=lambda: arb(0))
    stretches: list[tuple[arb, Interval]] = field(default_factory=list)

    def add(self, p: arb, q: arb, event: Interval) -> None:
        """Add one event when P − e^ε·Q is positive there, and a bound when that is not decided."""
        gain = p - self.factor * q
        if gain > 0:
            self.decided += gain
            self.p += p
            self.q += q
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

    def halves(self) -> tuple[Box, ...]:
        return self._cut([(self.low + self.high) / 2])

    def around(self, zero: arb) -> tuple[Box, ...]:
        """The box cut on both sides of a ball; its halves where that leaves no small part in between."""
        length = self.high - self.low
        share = (zero - ARB.number(self.low)) / ARB.number(length) * FINEST_CUT
        first, last = share.lower().floor().unique_fmpz(), share.upper().ceil().unique_fmpz()
        if first is None or last is None or last - first > FINEST_CUT // 4:
            return self.halves()
        cuts = (Fraction(int(place), FINEST_CUT) for place in (first, last))
        return self._cut([self.low + length * cut for cut in cuts if 0 < cut < 1])

    def _cut(self, places: list[Fraction]) -> tuple[Box, ...]:
        ends = [self.low, *places, self.high]
        return tuple(Box(low, high) for low, high in itertools.pairwise(ends) if low < high)


Seen = tuple[arb, arb, arb | None]
"""Bounds of a function on a box, and where alone it may be 0; None where that is not known."""

UNKNOWN: Seen = (arb.neg_inf(), arb.pos_inf(), None)


def bounds_of_loss(pair: Pair, piece: Piece, epsilon: Fraction) -> Callable[[Box], Seen]:
    """Of ln(p/q) − ε on boxes of the piece, or of a positive multiple of it in a tail up to infinity."""
    loss, limit = piece.loss, ARB.number(epsilon)
    if loss is None:  # what a law's tail tends to is unknown
        level = log_weights(pair) - limit

        def near(_: World, u: Number) -> Number:
            return level + piece.log_ratio(pair.p, pair.q, piece.place(u))

        return lambda box: _bounds(near, box) if box.low > 0 else UNKNOWN

    def plain(c: World, s: Number) -> Number:
        return loss(c, s) - limit

    signs = [pair.sign_of(pick) for pick in piece.growth or ()] if piece.side else []
    if not piece.growth or signs in ([], [0, 0, 0]):
        return lambda box: _bounds(plain, box)
    quadratic, linear, power = (arb(ARB.number(pick(pair.p, pair.q))) for pick in piece.growth)

    def grown(c: World, u: Number) -> Number:
        return quadratic / (u * u) + linear / u - power * c.log(u) + plain(c, u)

    def far(box: Box) -> Seen:
        if box.high > Fraction(1, 3):
            return UNKNOWN
        u, rest, end = box.ball, plain(ARB, box.ball), ARB.number(box.high)
        slow = -ARB.log(end)
        if signs[0] != 0:  # times u²; u²·ln(1/u) increases up to e^(−1/2)
            scaled = quadratic + linear * u + power * arb(0).union(end**2 * slow) + u * u * rest
        elif signs[1] != 0:  # times u; u·ln(1/u) increases up to 1/e
            scaled = linear + power * arb(0).union(end * slow) + u * rest
        else:  # over ln(1/u)
            scaled = power + arb(0).union(1 / slow) * rest
        low, high = scaled.lower(), scaled.upper()
        if low > 0:
            return low, arb.pos_inf(), None
        return (arb.neg_inf(), high, None) if high < 0 else UNKNOWN

    return lambda box: _bounds(grown, box) if box.low > 0 else far(box)


def _bounds(f: Function, box: Box) -> Seen:
    """The better of the natural and the mean-value enclosure, and of the ends where f is monotone."""
    ball = box.ball
    natural = ARB.number(f(ARB, ball))
    middle = ARB.number((box.low + box.high) / 2)
    try:
        series = f(ARB, arb_series([ball, 1], 2))
        slope = series[1] if isinstance(series, arb_series) else arb(0)
    except NO_SERIES:
        slope = arb.nan()
    center = ARB.number(f(ARB, middle))
    finite = [one for one in (natural, center + slope * (ball - middle)) if one.is_finite()]
    if not finite:
        return UNKNOWN
    low, high = max(one.lower() for one in finite), min(one.upper() for one in finite)
    if low > 0 or high < 0 or not (slope > 0 or slope < 0):
        return low, high, None
    ends = [ARB.number(f(ARB, ARB.number(end))) for end in (box.low, box.high)]
    if not all(end.is_finite() for end in ends):
        return low, high, None
    least, most = ends if slope > 0 else reversed(ends)
    return max(low, least.lower()), min(high, most.upper()), middle - center / slope


def add_integers(pair: Pair, epsilon: Fraction, tolerance: arb, total: Sum) -> None:
    """Add the integers with ln(p/q) > ε, one by one between all ends and breaks, and beyond as needed."""
    points = [_integer(ARB.number(pick(pair.p, pair.q))) for pick in pair.breaks]
    points += [_integer(ARB.number(end)) for end in (pair.p.low, pair.p.high) if end is not None]
    if not points:
        raise NotComparableError("a law on all integers needs a break, such as its center")
    ends = [min(points), max(points)]
    if ends[1] - ends[0] > MOST_INTEGERS:
        raise NotComparableError(f"more than {MOST_INTEGERS} integers lie between ends and breaks")
    for k in range(ends[0], ends[1] + 1):
        _add(pair, Interval(Fraction(k), Fraction(k)), total)
    for piece in pieces(pair):
        if piece.side:
            anchor = ends[1] if piece.side > 0 else ends[0]
            _add_tail(pair, piece, anchor, epsilon, tolerance, total)


def _integer(ball: arb) -> int:
    whole = ball.unique_fmpz()
    if whole is None:
        raise NotComparableError("a break of a law on the integers is not an integer")
    return int(whole)


def _add(pair: Pair, event: Interval, total: Sum) -> None:
    total.add(_continuous(event, pair.p), _continuous(event, pair.q), event)


def _continuous(event: Interval, law: Reading) -> arb:
    """The probability without the atoms."""
    return event.probability(law) - sum(
        (ARB.number(mass) for value, mass in law.atoms if event.holds(value)), arb(0)
    )


def _add_tail(pair: Pair, piece: Piece, anchor: int, epsilon: Fraction, tolerance: arb, total: Sum) -> None:
    seen = bounds_of_loss(pair, piece, epsilon)
    for step in range(1, MAX_BOXES):
        first = Fraction(anchor + piece.side * step)
        rest = Interval(first, None) if piece.side > 0 else Interval(None, first)
        low, high, _ = seen(Box(Fraction(0), Fraction(1, step)))
        if high < 0:
            return
        if low > 0:
            _add(pair, rest, total)
            return
        mass = _continuous(rest, pair.p)
        worst = mass * (1 - ARB.exp(-high)) if high.is_finite() else mass
        if worst < tolerance / 100 or step == MAX_BOXES - 1:
            total.open += worst.upper()
            return
        _add(pair, Interval(first, first), total)


@dataclass(frozen=True)
class Excess:
    """lower ≤ divergence ≤ upper, where P(S) − e^ε·Q(S) of an event S is ``lower``.

    p, q: its probabilities. stretches: by interval of S what it gains; the ends are floats, so that what
    they show must be computed for themselves. whole: whether outputs are integers.
    """

    lower: arb
    upper: arb
    p: arb
    q: arb
    stretches: tuple[tuple[arb, Interval], ...]
    whole: bool

    def where(self, places: int = 4) -> tuple[Interval, ...]:
        """S as intervals, those that gain most first, their ends rounded to so many decimals.

        Those that lie within ten units of the last decimal of each other are joined.
        """
        near = Fraction(1) if self.whole else 10 / Fraction(10) ** places
        short = [(gain, _rounded(event, places)) for gain, event in self.stretches]
        joined: list[tuple[arb, Interval]] = []
        for gain, event in sorted(short, key=_start):
            both = _together(joined[-1][1], event, near) if joined else None
            if both is None:
                joined.append((gain, event))
            else:
                joined[-1] = joined[-1][0] + gain, both
        ordered = sorted(joined, key=lambda one: float(one[0].mid()), reverse=True)
        return tuple(event for _, event in ordered)

    def events(self) -> Iterator[Interval | Either]:
        """Events near S in words, those with the shortest ends first."""
        for places in (4, PLACES, self._places()):
            intervals = self.where(places)
            yield from intervals[:3]
            if len(intervals) > 1:
                yield Either(intervals)

    def _places(self) -> int:
        """So many decimals that even the least of the ends keeps four digits."""
        ends = [end for _, event in self.stretches for end in (event.low, event.high) if end]
        least = min(map(abs, ends), default=Fraction(1))
        return max(PLACES, 4 - math.floor(math.log10(max(least, SMALLEST))))


def excess(pair: Pair, epsilon: Fraction, tolerance: arb) -> Excess:
    """Enclose sup over events of P(S) − e^ε·Q(S) for P, Q the first and the second law.

    Undecided boxes are split until each counts less than ``tolerance``/100, or MAX_BOXES are spent.
    Call inside :func:`enclosing`. Raises NotComparableError for laws that cannot be laid side by side.
    """
    total = Sum(ARB.exp(ARB.number(epsilon)))
    for value, first, second in atom_masses(pair):
        at = Interval(Fraction(value), Fraction(value))
        total.add(arb(ARB.number(first)), arb(ARB.number(second)), at)
    dense = [positive(law.weight) for law in (pair.p, pair.q)]
    if dense[0] and not dense[1]:
        atoms = tuple(value for value, _, _ in atom_masses(pair))
        total.add(arb(ARB.number(pair.p.weight)), arb(0), Interval(without=atoms))
    elif dense[0]:
        pair.require_one_chart()
        if not pair.same_ends():
            raise NotComparableError("the supports differ: the divergence is not enclosed")
        if pair.p.whole:
            add_integers(pair, epsilon, tolerance, total)
        else:
            for piece in pieces(pair):
                _add_piece(pair, piece, epsilon, tolerance, total)
    lower, upper = total.decided.lower(), (total.decided + total.open).upper()
    stretches = tuple(total.stretches)
    return Excess(max(lower, arb(0)), upper, total.p, total.q, stretches, pair.p.whole)


def _rounded(event: Interval, places: int) -> Interval:
    """The interval with short ends; a single value stays what it is."""
    if event.low == event.high:
        return event
    low, high = (None if end is None else round(end, places) for end in (event.low, event.high))
    return Interval(low, high, event.without)


def _together(first: Interval, second: Interval, near: Fraction) -> Interval | None:
    """Both as one interval, where the second, the later one, starts at most ``near`` after the first."""
    if first.without or second.without:
        return None
    if first.high is None:
        return first
    if second.low is not None and second.low > first.high + near:
        return None
    return Interval(first.low, None if second.high is None else max(first.high, second.high))


def _start(stretch: tuple[arb, Interval]) -> tuple[bool, Fraction]:
    low = stretch[1].low
    return low is not None, Fraction(0) if low is None else low


def _add_piece(pair: Pair, piece: Piece, epsilon: Fraction, tolerance: arb, total: Sum) -> None:
    seen = bounds_of_loss(pair, piece, epsilon)
    waiting = [Box(Fraction(piece.box[0]), Fraction(piece.box[1]))]
    likelier: list[Box] = []
    spent = 0
    while waiting:
        box = waiting.pop()
        spent += 1
        low, high, zero = seen(box)
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
            waiting += box.halves() if zero is None else box.around(zero)
    for box in _joined(likelier):
        p, q = _mass(pair.p, piece, box), _mass(pair.q, piece, box)
        total.add(p, q, _outputs(pair, piece, box))


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
    """The box as an interval of outputs, its ends the nearest floats."""
    ends: list[Fraction | None] = []
    for s in (box.low, box.high):
        far = piece.side and s == 0
        at = None if far else pair.p.chart.back(piece.place(ARB.number(s)))
        ends.append(None if at is None else simple_rational(at, None))
    return Interval(ends[1], ends[0]) if piece.side > 0 else Interval(ends[0], ends[1])
