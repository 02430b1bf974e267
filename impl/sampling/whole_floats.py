"""φ, Λ and cut of the staircase law on whole numbers in floats, with their error bounds.

**φ.** Up to M it is place + (x − start)·length, rounded at most 4 times; on the first block, where lengths
are 1, and at places that are halves of odd numbers, which are listed, it is exact. Beyond, it is the place of
M plus ln(x/M)/L, with the error of :func:`establish.impl.sampling.exponential.logarithm`, that of 1/L and
those of 5 roundings.

**Λ and cut.** On each piece it is start + slope·over + jump·middle. These are rounded from Arb within 70·ln
2/ε of the turn; beyond, the share of the other kind is below 2^−70, and what is left out of start, slope and
jump together below 2^−60. With the steepest slope, also across the ends of pieces, t moves it by at most that
slope times what t is off by, unless the jump lies between, which leaves the draw open.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, floor, inf, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from establish.impl.arrays import Flags, Floats
from establish.impl.sampling.exponential import logarithm
from establish.impl.sampling.reals import UNIT, UP, Reals
from establish.impl.sampling.workspace import Workspace
from establish.spec.arithmetic import ARB, World, enclosing
from establish.spec.distributions.whole_staircase import Ladder, Piece
from establish.spec.whole_scale import HALF, WholeScale

Bounded = tuple[Floats, Floats]
"""Numbers and what each is off by, at most."""

LEFT_OUT = 2.0**-60


@dataclass(frozen=True)
class Rungs:
    """Λ, or cut, in floats. first: the first tabulated place. step, slope: what it rises by from one place to
    the next far from the turn, below and above. steepest: no slope is steeper.
    """

    first: int
    starts: Floats
    slopes: Floats
    jumps: Floats
    step: float
    slope: float
    steepest: float

    @classmethod
    def of(cls, ladder: Ladder, piece: Callable[[int, World], Piece]) -> Rungs:
        deep = ceil(70 * log(2) / float(ladder.epsilon)) + 1
        with enclosing(128):
            numbers = range(ladder.turn - deep, ladder.turn + deep + 1)
            table = np.array([[float(x) for x in piece(j, ARB)] for j in numbers])
            _, step, slope, _ = ladder.rungs(ARB)
            starts, slopes, jumps = np.ascontiguousarray(table.T)
            steepest = float(slopes.max()) * UP
            ends = float(step), float(slope), steepest
            return cls(numbers.start, starts, slopes, jumps, *ends)

    def pieces(self, j: Floats) -> tuple[Floats, Floats, Floats]:
        """Its values at whole places, and from there on the slopes and the jumps."""
        i = j - self.first
        last = self.starts.size - 1
        inside = clipped(i, last)
        places = inside.astype(np.intp)
        start = self.starts.take(places)
        start += np.where(i > last, self.slope, self.step) * (i - inside)
        return start, self.slopes.take(places), self.jumps.take(places)

    def at(self, t: Floats, off: Floats) -> Bounded:
        """Its value at t, which is off by at most ``off``."""
        j = np.floor(t)
        over = t - j
        start, slope, jump = self.pieces(j)
        half = (over == 0.5) & (off == 0)
        value = start + slope * over + jump * np.where(half, 0.5, over > 0.5)
        error = self.steepest * off + 8 * UNIT * (np.abs(start) + self.steepest + 2) + LEFT_OUT
        open_ = (np.abs(over - 0.5) <= off) & ~half
        return value, np.where(open_, inf, error * UP)

    def place(self, s: Floats) -> Floats:
        """About where it is s."""
        i = clipped(np.searchsorted(self.starts, s, side="right") - 1, self.starts.size - 1)
        over, slope, jump = s - self.starts[i], self.slopes[i], self.jumps[i]
        before = over / np.where(slope > 0, slope, 1.0)
        within = np.where(
            over <= slope / 2, before, np.maximum(0.5, (over - jump) / np.maximum(slope, 1e-300))
        )
        within = np.where((i == 0) & (over < 0), over / self.step, within)
        inside = np.where(i < self.starts.size - 1, np.minimum(within, 1.0), within)
        return np.asarray(float(self.first) + i + inside, float)


@dataclass(frozen=True)
class Scale:
    """φ in floats. halves: the whole numbers and, in ``half_cuts``, those o with φ(o + 1/2), beyond the first
    block, whose place is half of an odd number.
    """

    starts: Floats
    lengths: Floats
    places: Floats
    growth: Reals
    halves: Floats
    half_cuts: Floats

    @classmethod
    def of(cls, scale: WholeScale) -> Scale:
        halves: list[int] = []
        cuts: list[int] = []
        blocks = zip(scale.starts, scale.lengths, scale.places, scale.starts[1:], strict=False)
        for start, length, place, end in list(blocks)[1:]:
            for j in range(floor(place), floor(place + (end - start) * length) + 1):
                x = start + (j + HALF - place) / length
                if start <= x <= end and x.denominator <= 2:
                    (halves if x.denominator == 1 else cuts).append(floor(x))
        growth = Reals.constant(lambda: ARB.log(1 + ARB.number(scale.alpha)))
        return cls(
            np.array(scale.starts, float),
            np.array([float(length) for length in scale.lengths]),
            np.array([float(place) for place in scale.places]),
            growth,
            np.array(sorted({*halves}), float),
            np.array(sorted({*cuts}), float),
        )

    def of_whole(self, n: Floats, work: Workspace) -> Bounded:
        """φ(n) of whole numbers."""
        return self._at(n, _among(n, self.halves), work)

    def after(self, o: Floats, work: Workspace) -> Bounded:
        """φ(o + 1/2) of whole numbers."""
        return self._at(o + 0.5, _among(o, self.half_cuts), work)

    def _at(self, x: Floats, listed: Flags, work: Workspace) -> Bounded:
        """φ(x); of those that are listed, the half of an odd number next to it, exactly."""
        last = self.starts.size - 1
        block = clipped(np.searchsorted(self.starts, x, side="right") - 1, last - 1)
        t = self.places[block] + (x - self.starts[block]) * self.lengths[block]
        first = x <= self.starts[1]
        t = np.where(first, x, np.where(listed, np.floor(t) + 0.5, t))
        off = np.where(first | listed, 0.0, 4 * UNIT * t)
        beyond = x > self.starts[last]
        if beyond.any():
            share = np.where(beyond, x / self.starts[last], 1.0)
            logs, error = logarithm(share, work)
            growth = float(self.growth.approximate)
            far = self.places[last] + logs / growth
            known = float(self.growth.error) / growth + 5 * UNIT
            error = (error + 2 * UNIT + known * logs) / growth + 3 * UNIT * far
            t, off = np.where(beyond, far, t), np.where(beyond, error * UP, off)
        return t, off

    def number(self, t: Floats) -> Floats:
        """About the x with φ(x) = t."""
        last = self.starts.size - 1
        block = clipped(np.searchsorted(self.places, t, side="right") - 1, last - 1)
        x = self.starts[block] + (t - self.places[block]) / self.lengths[block]
        growth = float(self.growth.approximate)
        far = self.starts[last] * np.exp((t - self.places[last]) * growth)
        return np.where(t < 0, t, np.where(t > self.places[last], far, x))


def clipped(x: NDArray[Any], last: int) -> NDArray[Any]:
    """x, moved between 0 and ``last``."""
    moved: NDArray[Any] = np.minimum(np.maximum(x, 0), last)  # of a few numbers twice as fast as np.clip
    return moved


def _among(x: Floats, listed: Floats) -> Flags:
    """Which numbers are listed, in increasing order."""
    if not listed.size:
        return np.zeros(x.shape, bool)
    found = listed.take(np.searchsorted(listed, x), mode="clip")
    return np.asarray(found == x)
