"""g(center + W) for staircase noise W on the growth scale and the unbiased scale g, with its error bound.

Between breaks, which are exact floats, g is A + B·y + C·e^(L·y); it is continuous. With the computed y off by
at most e from the true one, and no break within e of it, its slope between the two is at most |B| +
|C|·L·E'·e^(L·e) with E' = e^(L·y). For x = fl(L·y), the error of x is e_x = e_L·|y| + u·|x|, and the computed
E of e^x is off by at most E·ρ from E', ρ as in :mod:`establish.impl.sampling.growth`. A, B and C are floats
nearest to theirs, so that with fewer than 8 roundings of numbers up to |A| + |B·y| + |C·E|
    |t − τ| ≤ e·(|B| + |C|·L·E·(1 + ρ)·(1 + 2·L·e)) + |C|·E·ρ·(1 + u) + 8·u·(|A| + |B·y| + |C·E|)
for L·e ≤ 1. Elsewhere, within e of a break, and where x > 700 the bound is +∞.

**Chords.** Beyond the last break g is C·e^(L·y), so the output is C·α·n·(1+α)^W there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import inf

import numpy as np

from establish.impl.arrays import Flags, Floats
from establish.impl.sampling.exponential import ERROR, LARGEST, exponential
from establish.impl.sampling.reals import TINY, UNIT, UP
from establish.impl.sampling.staircase import GrowthStaircase
from establish.impl.sampling.workspace import Workspace
from establish.spec.arithmetic import ARB, enclosing
from establish.spec.unbiased_growth import UnbiasedScale

BITS = 160


@dataclass(frozen=True)
class Pieces:
    """Breaks, with ±∞ at both ends; A, B and C of the pieces between them; g at the last break, or more."""

    breaks: Floats
    constants: Floats
    slopes: Floats
    powers: Floats
    last: float

    @classmethod
    @lru_cache(maxsize=16)
    def of(cls, scale: UnbiasedScale) -> Pieces:
        """scale: in the world of balls."""
        with enclosing(BITS):
            table = np.array([[float(number) for number in piece] for piece in scale.pieces])
            last = float(scale.value(ARB.number(scale.breaks[-1]))) * UP
        breaks = np.array([-inf, *map(float, scale.breaks), inf])
        constants, slopes, powers = np.ascontiguousarray(table.T)
        return cls(breaks, constants, slopes, powers, last)


@dataclass(frozen=True)
class UnbiasedGrowthStaircase(GrowthStaircase):
    """The sampler of staircase noise on the growth scale, with other outputs."""

    pieces: Pieces

    def least(self) -> float:
        return self.pieces.last

    def carried_back(self, y: Floats, e: Floats, work: Workspace) -> tuple[Floats, Floats, Flags]:
        pieces, step, step_error = (self.pieces, float(self.step.approximate), float(self.step.error))
        places = np.searchsorted(pieces.breaks, y) - 1
        np.clip(places, 0, pieces.slopes.size - 1, out=places)
        x, off = work.floats("x"), work.floats("relative")
        unknown = e * step > 1.0
        unknown |= ~(np.subtract(y, pieces.breaks.take(places), out=x) > e)
        unknown |= ~(np.subtract(pieces.breaks.take(places + 1), y, out=x) > e)
        np.multiply(y, step, out=x)
        np.multiply(np.abs(y, out=off), step_error + UNIT * step, out=off)
        np.add(off, TINY, out=off)
        unknown |= x > LARGEST
        unknown |= off > 1.0
        np.maximum(x, -LARGEST, out=x)
        a, b, c = (table.take(places) for table in (pieces.constants, pieces.slopes, pieces.powers))
        power = exponential(x, work)
        np.add(off, np.square(off), out=off)
        np.add(off, ERROR, out=off)
        np.multiply(off, 1 + 2 * ERROR, out=off)
        np.multiply(b, y, out=y)
        np.multiply(c, power, out=c)
        size = np.abs(c)
        slope = np.abs(b) + step * UP * size * (1 + off) * (1 + 2 * step * e)
        np.multiply(e, slope, out=e)
        np.add(e, size * off, out=e)
        np.add(e, 8 * UNIT * (np.abs(a) + np.abs(y) + size), out=e)
        np.add(y, a, out=y)
        return np.add(y, c, out=y), e, unknown
