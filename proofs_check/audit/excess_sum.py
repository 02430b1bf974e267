"""What the two ways to sum a hockey-stick divergence share: the running sum, and bounds on a box."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from flint import arb, arb_series

from establish.proofs_check.audit.intervals import Interval
from establish.proofs_check.audit.pair import Pair
from establish.proofs_check.audit.pieces import Piece
from establish.proofs_check.methods.enclosure import Function
from establish.spec.arithmetic import ARB

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
