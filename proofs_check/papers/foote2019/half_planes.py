"""The polygon of all (x, y) that satisfy linear inequalities with real coefficients, by Arb."""

from collections.abc import Sequence
from dataclasses import dataclass

from flint import arb

from establish.spec.arithmetic import ARB, Number

Point = tuple[Number, Number]


@dataclass(frozen=True)
class HalfPlane:
    """a·x + b·y ≤ bound, with coefficients as Arb balls."""

    a: Number
    b: Number
    bound: Number

    def excess(self, point: Point) -> Number:
        """a·x + b·y − bound: negative inside."""
        return self.a * point[0] + self.b * point[1] - self.bound


def _crossing(p: Point, q: Point, at_p: Number, at_q: Number) -> Point:
    share = at_p / (at_p - at_q)
    return p[0] + share * (q[0] - p[0]), p[1] + share * (q[1] - p[1])


def clipped(box: Sequence[tuple[Number, Number]], planes: Sequence[HalfPlane]) -> list[Point]:
    """The corners of the polygon that the half-planes cut out of the box, in order; [] if none is left.

    box: ((x low, x high), (y low, y high)) as exact rationals. Every corner is a pair of balls that
    contain it. Use inside enclosing(). Raises ArithmeticError when a ball straddles a boundary, so that
    the precision does not decide on which side a corner lies.
    """
    (x0, x1), (y0, y1) = (tuple(map(ARB.number, side)) for side in box)
    corners: list[Point] = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
    for plane in planes:
        values = [plane.excess(corner) for corner in corners]
        if not all(value > arb(0) or value < arb(0) for value in values):
            raise ArithmeticError("a corner cannot be told from a boundary at this precision")
        kept: list[Point] = []
        for i, (corner, value) in enumerate(zip(corners, values, strict=True)):
            before, at_before = corners[i - 1], values[i - 1]
            if bool(value < 0) != bool(at_before < 0):
                kept.append(_crossing(before, corner, at_before, value))
            if value < 0:
                kept.append(corner)
        corners = kept
    return corners
