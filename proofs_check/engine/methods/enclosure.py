"""Rigorous interval statements with Arb: at one point, and over a whole box.

Branch and bound evaluates a function on boxes, by its natural extension and by the mean-value form
(gradients come from power series in Arb). A box is settled only when a ball certainly lies on the right
side of the bound. NaN, an infinite ball, or a ball that straddles the bound leaves a box undecided: it
is split, and boxes that never settle make the whole statement undecided.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from flint import arb, arb_series, fmpq

from establish.proofs_check.engine.methods.definedness import where_defined
from establish.proofs_check.engine.statements.comparison import MAKERS, Comparison
from establish.proofs_check.engine.statements.statement import require
from establish.proofs_check.engine.verdicts import Evidence, Grade, Made
from establish.spec.arithmetic import ARB, Number, World, enclosing

Function = Callable[..., Number]
"""A formula f(c, x1, ..., xn) of a world and the box's variables."""

Constant = Callable[[World], Number]
"""A constant as a formula of the world."""

Side = tuple[int | Fraction, int | Fraction]
"""The closed interval of one variable, with rational ends."""

PRECISIONS = (128, 256, 512, 1024, 2048)
"""Bits tried in turn until a comparison of two constants is decided."""


def compare(left: Constant, relation: str, right: Constant, says: str) -> Evidence:
    """Evidence that left < right (or >) for two constants given as formulas.

    Decided only by balls that do not overlap, at rising precision; equality is never decided.
    Raises ValueError for a relation other than < and >.
    """
    if relation not in ("<", ">"):
        raise ValueError(f"relation {relation!r}: balls decide only < and >")
    low, high = (left, right) if relation == "<" else (right, left)
    for bits in PRECISIONS:
        with enclosing(bits):
            small, large = ARB.number(low(ARB)), ARB.number(high(ARB))
            shown = f"{says}: {digits(left(ARB))} {relation} {digits(right(ARB))}"
            if small < large:
                return Evidence(shown, True, Grade.ENCLOSURE, "enclosure")
            if small > large:
                return Evidence(shown, False, Grade.ENCLOSURE, "enclosure", shown)
    return Evidence(says, None, Grade.ENCLOSURE, "enclosure")


def rational(value: int | Fraction) -> Constant:
    """The constant that is ``value``."""
    return lambda c: c.number(value)


def digits(ball: Number, places: int = 17) -> str:
    """The decimal digits of a ball that are certain, at most ``places`` of them."""
    return str(ARB.number(ball).str(places, radius=False))


@dataclass(frozen=True)
class Supremum:
    """lower ≤ sup f ≤ upper over the box; ``where`` is a point at which f reaches ``lower``."""

    lower: arb
    upper: arb
    where: tuple[Fraction, ...]

    @property
    def ball(self) -> arb:
        """A ball that contains the supremum."""
        return self.lower.union(self.upper)


Box = tuple[tuple[fmpq, fmpq], ...]
"""The sides of a box, in the rationals of Arb, which halve them fast."""


@dataclass(frozen=True)
class _Part:
    """A box on which sup f ≤ upper. Ordered by upper, largest first, for a heap.

    middle: the value of f at the point in the middle of the box.
    """

    box: Box
    upper: arb
    widest: int
    middle: arb

    def __lt__(self, other: _Part) -> bool:
        return bool(self.upper > other.upper)


def _box(sides: Sequence[Side]) -> Box:
    low_and_high = [map(Fraction, side) for side in sides]
    return tuple(
        (fmpq(*low.as_integer_ratio()), fmpq(*high.as_integer_ratio())) for low, high in low_and_high
    )


def _middle(box: Box) -> list[fmpq]:
    return [(low + high) / 2 for low, high in box]


def _rationals(point: Sequence[fmpq]) -> tuple[Fraction, ...]:
    return tuple(Fraction(int(x.p), int(x.q)) for x in point)


NO_SERIES = (ValueError, ZeroDivisionError, TypeError, AttributeError)
"""What Arb raises where a formula has no series: division by one whose constant term may be 0 (the
first two), and functions such as |x|, sign and maximum. The slope is then unknown."""


def _gradient(f: Function, balls: list[arb], box: Box) -> list[arb]:
    """Enclosures of the partial derivatives over the box; NaN if unknown, 0 for a side of width 0."""
    slopes = []
    for i, (low, high) in enumerate(box):
        if low == high:
            slopes.append(arb(0))
            continue
        inputs: list[Number] = list(balls)
        inputs[i] = arb_series([balls[i], 1], 2)
        try:
            value = f(ARB, *inputs)
        except NO_SERIES:
            slopes.append(arb.nan())
            continue
        slopes.append(value[1] if isinstance(value, arb_series) else arb(0))
    return slopes


def _bounded(f: Function, box: Box) -> _Part:
    """Bound f on the box, after moving each variable in which f certainly is monotone to its face.

    The bound is the better of the natural and the mean-value one; +∞ when neither is finite.
    """
    balls = [arb(low).union(arb(high)) for low, high in box]
    slopes = _gradient(f, balls, box)
    faces = tuple(
        (side[1], side[1]) if slope > 0 else (side[0], side[0]) if slope < 0 else side
        for side, slope in zip(box, slopes, strict=True)
    )
    if faces != box:
        return _bounded(f, faces)
    point = [arb(x) for x in _middle(box)]
    middle = ARB.number(f(ARB, *point))
    mean_value = middle
    for ball, slope, x in zip(balls, slopes, point, strict=True):
        mean_value += slope * (ball - x)
    finite = [b.upper() for b in (ARB.number(f(ARB, *balls)), mean_value) if b.is_finite()]

    def spread(i: int) -> arb:
        low, high = box[i]
        return arb(high - low) * (slopes[i].abs_upper() if slopes[i].is_finite() else UNKNOWN)

    widest = 0
    for i in range(1, len(box)):
        if spread(i) > spread(widest):
            widest = i
    return _Part(box, min(finite) if finite else arb.pos_inf(), widest, middle)


UNKNOWN = 10**6
"""In place of a slope that is not known, where the side to be halved is chosen."""


def _halves(part: _Part) -> list[Box]:
    low, high = part.box[part.widest]
    middle = (low + high) / 2
    head, tail = part.box[: part.widest], part.box[part.widest + 1 :]
    return [(*head, (low, middle), *tail), (*head, (middle, high), *tail)]


def at_most(
    f: Function, box: Sequence[Side], bound: Constant, says: str, max_boxes: int = 200_000, bits: int = 96
) -> Evidence:
    """Evidence that f < bound certainly on the whole box (strictly, as balls decide).

    Refuted by a rational point at which f is certainly greater. Undecided when ``max_boxes`` do not
    suffice, in particular when f equals the bound somewhere or is NaN on part of the box.
    """
    with enclosing(bits):
        limit = ARB.number(bound(ARB))
        pending = [_box(box)]
        for _ in range(max_boxes):
            if not pending:
                return Evidence(says, True, Grade.ENCLOSURE, "enclosure")
            part = _bounded(f, pending.pop())
            if part.upper < limit:
                continue
            if part.middle > limit:
                point = ", ".join(map(str, _middle(part.box)))
                return Evidence(says, False, Grade.ENCLOSURE, "enclosure", point)
            pending += _halves(part)
    return Evidence(says, None, Grade.ENCLOSURE, "enclosure")


def supremum(
    f: Function,
    box: Sequence[Side],
    tolerance: Fraction = Fraction(1, 10**16),
    max_boxes: int = 200_000,
    bits: int = 128,
) -> Supremum:
    """Enclose the supremum of f over the box to ``tolerance``, by best-first branch and bound.

    Raises ArithmeticError when ``max_boxes`` do not suffice.
    """
    with enclosing(bits):
        best, where = arb.neg_inf(), _middle(_box(box))
        queue = [_bounded(f, _box(box))]
        for _ in range(max_boxes):
            part = heapq.heappop(queue)
            if part.middle.is_finite() and part.middle.lower() > best:
                best, where = part.middle.lower(), _middle(part.box)
            if part.upper - best < ARB.number(tolerance):
                return Supremum(best, part.upper, _rationals(where))
            for half in _halves(part):
                heapq.heappush(queue, _bounded(f, half))
        raise ArithmeticError(f"the supremum is not enclosed to {tolerance} with {max_boxes} boxes")


def proves(statement: Comparison, max_boxes: int = 200_000) -> Evidence:
    """Evidence for an inequality over a box: left − right < 0 (or > 0) as balls decide, on all of it.

    Every variable must be real between two closed rational ends, without side conditions. Undecided where
    ``max_boxes`` do not suffice. Raises TypeError otherwise, and for an identity: transform the domain, or
    split it, first.
    """
    require(statement, Comparison, MAKERS)
    if statement.relation not in ("<", "<=", ">", ">="):
        raise TypeError(f"balls decide inequalities only, not {statement.text}")
    sides: list[Side] = []
    for variable in statement.domain.variables:
        ends = (variable.low, variable.high)
        closed = not (variable.low_open or variable.high_open)
        if variable.field != "ℝ" or not closed or any(b is None or callable(b) for b in ends):
            raise TypeError(f"{variable.name} must be real between two closed rational ends")
        sides.append((Fraction(ends[0]), Fraction(ends[1])))  # type: ignore[arg-type]
    if statement.domain.conditions:
        raise TypeError("a box has no side conditions: split the domain first")
    sign = 1 if statement.relation in ("<", "<=") else -1
    found = at_most(
        lambda c, *x: sign * (statement.left(c, *x) - statement.right(c, *x)),
        sides,
        rational(0),
        statement.text,
        max_boxes,
    )
    found = where_defined(found, statement)
    return replace(found, decides=statement.text, identity=statement.identity, made=Made(statement))
