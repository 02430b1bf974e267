"""The staircase law on whole numbers around φ(n), in floats, with its error bound.

Of the drawn word a stands for A = 2^64·U, off by at most unit + u·a, where U is the smaller of p and 1 − p.
On step k, below the center t or above it (side −1 or 1), the law has
    s = Λ(t + side·k) + side·(1/2 − U·e^(εk)),   U·e^(εk) ≥ c·|Λ(t + side·(k+1)) − Λ(t + side·k)|,
and the same does not hold for k − 1; the output o has cut(φ(o − 1/2)) < s ≤ cut(φ(o + 1/2)). All that is
guessed in floats, k and o included, and then looked at: an output counts where each of the four inequalities
holds by more than both of its sides are off. Everything else is decided the exact way. ε is at most 50.

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
from fractions import Fraction
from functools import cached_property, lru_cache
from math import ceil, floor, inf, log

import numpy as np
from numpy.typing import NDArray

from establish.impl.sampling.escalation import IntegerLaw
from establish.impl.sampling.exponential import logarithm
from establish.impl.sampling.grid import REACH
from establish.impl.sampling.quantile_table import FLOOR
from establish.impl.sampling.reals import UNIT, UP, Floats, Reals
from establish.impl.sampling.sampler import Cells, FirstTry
from establish.impl.sampling.workspace import Workspace
from establish.spec.arithmetic import ARB, World, enclosing
from establish.spec.distributions.whole_staircase import HALF, Ladder, Piece
from establish.spec.whole_scale import WholeScale, whole_scale

Bounded = tuple[Floats, Floats]
"""Numbers and what each is off by, at most."""

LEFT_OUT = 2.0**-60


@lru_cache(maxsize=16)
def _tables(alpha: Fraction, ladder: Ladder) -> tuple[Scale, Rungs, Rungs]:
    """φ, Λ and cut in floats, made once."""
    scale = Scale.of(whole_scale(alpha))
    return scale, Rungs.of(ladder, ladder.piece), Rungs.of(ladder, ladder.cut_piece)


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

    def at(self, t: Floats, off: Floats) -> Bounded:
        """Its value at t, which is off by at most ``off``."""
        j = np.floor(t)
        over, i = t - j, j - self.first
        last = self.starts.size - 1
        inside = np.clip(i, 0, last)
        places = inside.astype(np.intp)
        start = self.starts.take(places)
        start += np.where(i > last, self.slope, self.step) * (i - inside)
        half = (over == 0.5) & (off == 0)
        value = start + self.slopes.take(places) * over
        value += self.jumps.take(places) * np.where(half, 0.5, over > 0.5)
        error = self.steepest * off + 8 * UNIT * (np.abs(start) + self.steepest + 2) + LEFT_OUT
        open_ = (np.abs(over - 0.5) <= off) & ~half
        return value, np.where(open_, inf, error * UP)

    def place(self, s: Floats) -> Floats:
        """About where it is s."""
        i = np.clip(np.searchsorted(self.starts, s, side="right") - 1, 0, self.starts.size - 1)
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

    def at(self, x: Floats, listed: NDArray[np.bool_], work: Workspace) -> Bounded:
        """φ(x); of those that are listed, the half of an odd number next to it, exactly."""
        last = self.starts.size - 1
        block = np.clip(np.searchsorted(self.starts, x, side="right") - 1, 0, last - 1)
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
        block = np.clip(np.searchsorted(self.places, t, side="right") - 1, 0, last - 1)
        x = self.starts[block] + (t - self.places[block]) / self.lengths[block]
        growth = float(self.growth.approximate)
        far = self.starts[last] * np.exp((t - self.places[last]) * growth)
        return np.where(t < 0, t, np.where(t > self.places[last], far, x))


@dataclass(frozen=True)
class WholeStaircase:
    """The sampler of :mod:`establish.impl.sampling.rounding`, on whole numbers.

    counts: whole, ≥ 0.
    """

    law: IntegerLaw
    counts: Floats
    scale: WholeScale
    ladder: Ladder

    @property
    def shape(self) -> tuple[int, ...]:
        return self.counts.shape

    def chords(self) -> FirstTry | None:
        return None

    @property
    def _scale(self) -> Scale:
        return _tables(self.scale.alpha, self.ladder)[0]

    @property
    def _rungs(self) -> Rungs:
        return _tables(self.scale.alpha, self.ladder)[1]

    @property
    def _cuts(self) -> Rungs:
        return _tables(self.scale.alpha, self.ladder)[2]

    @cached_property
    def _powers(self) -> Floats:
        """e^(εk)/2^64, as far as words are looked at in floats."""
        ε = self.ladder.epsilon
        steps = ceil(log(2.0**64 / FLOOR) / float(ε)) + 2
        with enclosing(128):
            return np.array([float(ARB.exp(ARB.number(ε * k)) / 2**64) for k in range(steps + 1)])

    @cached_property
    def _drop(self) -> float:
        """c = 1/(e^ε − 1)."""
        with enclosing(128):
            return float(1 / (ARB.exp(ARB.number(self.ladder.epsilon)) - 1))

    def evaluate(
        self, cells: Cells, signed: Floats, a: Floats, unit: float, work: Workspace
    ) -> tuple[Floats, Floats]:
        n = self.counts[cells]
        place, off = self._scale.at(n, _among(n, self._scale.halves), work)
        side = np.where(np.signbit(signed), 1.0, -1.0)
        k = self._steps(place, a)
        o, certain, wrong = self._on_step((place, off), side, k, a, unit, work)
        if (again := np.flatnonzero(wrong)).size:
            size, work.size = work.size, again.size
            center = place[again], off[again]
            steps = np.clip(k + wrong, 0, self._powers.size - 1)[again]
            o[again], certain[again], _ = self._on_step(
                center, side[again], steps, a[again], unit, work
            )
            work.size = size
        return o, np.where(certain & (np.abs(o) <= REACH / 2), 0.0, inf)

    def _steps(self, place: Floats, a: Floats) -> NDArray[np.intp]:
        """On which step a lies where all steps are those of the law around the place."""
        rungs = self._rungs
        width = np.where(place < self.ladder.turn, rungs.step, rungs.slope)
        width *= self._drop * 2.0**64
        k = np.ceil(np.log(width / np.maximum(a, 1.0)) / float(self.ladder.epsilon))
        return np.clip(k, 0, self._powers.size - 1).astype(np.intp)

    def _on_step(
        self,
        center: Bounded,
        side: Floats,
        k: NDArray[np.intp],
        a: Floats,
        unit: float,
        work: Workspace,
    ) -> tuple[Floats, NDArray[np.bool_], NDArray[np.intp]]:
        """The output if a lies on step k, whether all of that is certain, and which way k is wrong."""
        rungs = [self._rungs.at(*_moved(center, side * (k + d))) for d in (-1, 0, 1)]
        room, off = self._room(rungs[1], rungs[2], k, a, unit)
        before, before_off = self._room(rungs[0], rungs[1], np.maximum(k - 1, 0), a, unit)
        first = k == 0
        certain = (room > off) & (first | (before < -before_off))
        wrong = np.where(room < -off, 1, np.where(first | (before <= before_off), 0, -1))
        here, here_off = rungs[1]
        s = here + side * (0.5 - a * self._powers[k])
        s_off = here_off + self._part_off(a, k, unit) + 3 * UNIT * (np.abs(s) + 1)
        o = np.ceil(self._scale.number(self._cuts.place(s)) - 0.5)
        cut, cut_off = self._cut(o, work)
        beyond = s > cut
        other, other_off = self._cut(np.where(beyond, o + 1, o - 1), work)
        o += beyond
        apart = np.where(beyond, np.minimum(s - cut, other - s), np.minimum(cut - s, s - other))
        certain &= apart > (s_off + np.maximum(cut_off, other_off)) * UP
        return o, certain, wrong

    def _part_off(self, a: Floats, k: NDArray[np.intp], unit: float) -> Floats:
        """What a·e^(εk)/2^64 is off by."""
        return self._powers[k] * (unit + 4 * UNIT * a) * UP

    def _room(
        self, here: Bounded, further: Bounded, k: NDArray[np.intp], a: Floats, unit: float
    ) -> Bounded:
        """By how much a lies within k steps, Λ being here and further out by one step."""
        drop = self._drop * np.abs(further[0] - here[0])
        off = self._drop * (here[1] + further[1]) + 4 * UNIT * drop + self._part_off(a, k, unit)
        return a * self._powers[k] - drop, off * UP

    def _cut(self, o: Floats, work: Workspace) -> Bounded:
        """cut(φ(o + 1/2))."""
        return self._cuts.at(*self._scale.at(o + 0.5, _among(o, self._scale.half_cuts), work))


def _moved(place: Bounded, steps: Floats) -> Bounded:
    """A place moved by whole steps; without an error where it has none, as halves of whole numbers add up."""
    moved = place[0] + steps
    return moved, np.where(place[1] == 0, 0.0, place[1] + UNIT * np.abs(moved))


def _among(x: Floats, listed: Floats) -> NDArray[np.bool_]:
    """Which numbers are listed, in increasing order."""
    if not listed.size:
        return np.zeros(x.shape, bool)
    found = listed.take(np.searchsorted(listed, x), mode="clip")
    return np.asarray(found == x)
