"""Exact fractions out of floats: near a vector, or as the solution of a square system.

Floats solve the system; what they leave over is computed in whole numbers and solved again, digit by digit,
until fractions with one denominator appear that satisfy it exactly. Nothing rests on the floats.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from establish.impl.suppression.programs import SAFE, Matrix, Ratios, largest, scaled, whole

STEP = 30
"""Bits that each solution in floats adds."""

MOST = 2000
"""Bits after which a system is given up."""

ROOM = 2**12
"""How far the last bit may be off."""


def solved(
    square: Matrix, right: NDArray[Any], solve: Callable[[NDArray[Any]], NDArray[Any]]
) -> Ratios | None:
    """The x with square·x = right; None when floats do not lead there.

    solve: square⁻¹·v in floats, for a v of floats.
    """
    found, left, bits, enough = np.zeros(len(right), dtype=object), right, 0, STEP
    while bits < MOST:
        shift = STEP if largest(left) < 2.0**31 else 0
        step = np.rint(solve(left.astype(float)) * 2.0**shift)
        if largest(step) >= SAFE or (not shift and bits):
            return None
        digits = step.astype(np.int64)
        found = found * 2**shift + digits
        left = scaled(left, 2**shift) - square.times(digits)
        bits += shift
        if not bits and not left.any():
            return Ratios(whole(found), 1)
        if bits >= enough:
            enough = 2 * bits
            near = simplest(found, bits, ROOM)
            if near is not None and (square.times(near.numbers) == scaled(right, near.denominator)).all():
                return near
    return None


def simplest(fixed: NDArray[Any], bits: int, room: int) -> Ratios | None:
    """Fractions with a small common denominator near fixed/2^bits, whose last bits are off by ``room``."""
    one, half, denominator = 2**bits, 2**bits // 2, 1
    while room * denominator**2 < one:
        large = fixed * denominator
        off = abs((large + half) % one - half)
        worst = int(off.argmax())
        if off[worst] <= room * denominator:
            return Ratios(whole((large + half) // one), denominator)
        denominator *= _denominator(int(off[worst]), one, room * denominator)
    return None


def _denominator(value: int, one: int, room: int) -> int:
    """Of the first continued fraction of value/one that is not further from it than room/one."""
    before, last, rest = (0, 1), (1, 0), (value, one)
    while True:
        term = rest[0] // rest[1]
        before, last = last, (term * last[0] + before[0], term * last[1] + before[1])
        rest = rest[1], rest[0] - term * rest[1]
        if abs(last[0] * one - value * last[1]) <= room * last[1] or not rest[1]:
            return last[1]
