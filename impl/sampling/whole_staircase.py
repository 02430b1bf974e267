"""The staircase law on whole numbers around φ(n), in floats, with its error bound.

Of the drawn word a stands for A = 2^64·U, off by at most unit + u·a, where U is the smaller of p and 1 − p.
On step k, below the center t or above it (side −1 or 1), the law has
    s = Λ(t + side·k) + side·(1/2 − U·e^(εk)),   U·e^(εk) ≥ c·|Λ(t + side·(k+1)) − Λ(t + side·k)|,
and the same does not hold for k − 1; the output o has cut(φ(o − 1/2)) < s ≤ cut(φ(o + 1/2)). All that is
guessed in floats, k and o included, and then looked at: an output counts where each of the four inequalities
holds by more than both of its sides are off. Everything else is decided the exact way. ε is at most 50.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import ceil, inf, log

import numpy as np
from numpy.typing import NDArray

from establish.impl.arrays import Flags, Floats
from establish.impl.sampling.escalation import IntegerLaw
from establish.impl.sampling.grid import REACH
from establish.impl.sampling.quantile_table import FLOOR
from establish.impl.sampling.reals import UNIT, UP
from establish.impl.sampling.sampler import Cells, FirstTry
from establish.impl.sampling.whole_first_try import ByLists, Lists
from establish.impl.sampling.whole_floats import Bounded, Rungs, Scale, clipped
from establish.impl.sampling.workspace import Workspace
from establish.spec.arithmetic import ARB, enclosing
from establish.spec.distributions.whole_staircase import Ladder
from establish.spec.whole_scale import WholeScale, whole_scale

AROUND = np.array([[-1], [0], [1]])
"""The steps that are looked at: the one before, that of the draw, and the one after."""

ROUNDS = 24
"""A step that is guessed wrongly is looked for in so many rounds: by strides that double, then halve."""


@lru_cache(maxsize=16)
def _tables(alpha: Fraction, ladder: Ladder) -> tuple[Scale, Rungs, Rungs]:
    """φ, Λ and cut in floats, made once."""
    scale = Scale.of(whole_scale(alpha))
    return scale, Rungs.of(ladder, ladder.piece), Rungs.of(ladder, ladder.cut_piece)


@lru_cache(maxsize=16)
def _lists(alpha: Fraction, ladder: Ladder) -> Lists:
    """The tables of the first try, made once."""
    ε = ladder.epsilon
    return Lists.of(*_tables(alpha, ladder), float(ε), _drop(ε), _powers(ε))


@lru_cache(maxsize=16)
def _powers(ε: Fraction) -> Floats:
    """e^(εk)/2^64, as far as words are looked at in floats."""
    steps = ceil(log(2.0**64 / FLOOR) / float(ε)) + 2
    with enclosing(128):
        return np.array([float(ARB.exp(ARB.number(ε * k)) / 2**64) for k in range(steps + 1)])


@lru_cache(maxsize=16)
def _drop(ε: Fraction) -> float:
    """c = 1/(e^ε − 1)."""
    with enclosing(128):
        return float(1 / (ARB.exp(ARB.number(ε)) - 1))


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
        return ByLists(_lists(self.scale.alpha, self.ladder), self.counts)

    @cached_property
    def _scale(self) -> Scale:
        return _tables(self.scale.alpha, self.ladder)[0]

    @cached_property
    def _rungs(self) -> Rungs:
        return _tables(self.scale.alpha, self.ladder)[1]

    @cached_property
    def _cuts(self) -> Rungs:
        return _tables(self.scale.alpha, self.ladder)[2]

    @cached_property
    def _powers(self) -> Floats:
        return _powers(self.ladder.epsilon)

    @cached_property
    def _drop(self) -> float:
        return _drop(self.ladder.epsilon)

    def evaluate(
        self, cells: Cells, signed: Floats, a: Floats, unit: float, work: Workspace
    ) -> tuple[Floats, Floats]:
        n = self.counts[cells]
        place, off = self._scale.of_whole(n, work)
        side = np.where(np.signbit(signed), 1.0, -1.0)
        k = self._steps(place, a)
        o, certain, wrong = self._on_step((place, off), side, k, a, unit, work)
        stride, turned, size = np.ones_like(k), np.zeros(k.shape, bool), work.size
        for _ in range(ROUNDS):
            again = np.flatnonzero(wrong)
            if not again.size:
                break
            work.size = again.size
            direction, center = wrong[again], (place[again], off[again])
            k[again] = clipped(k[again] + direction * stride[again], self._powers.size - 1)
            o[again], certain[again], wrong[again] = self._on_step(
                center, side[again], k[again], a[again], unit, work
            )
            turned[again] |= wrong[again] != direction
            halved = np.maximum(stride[again] // 2, 1)
            stride[again] = np.where(turned[again], halved, 2 * stride[again])
        work.size = size
        return o, np.where(certain & (np.abs(o) <= REACH / 2), 0.0, inf)

    def _steps(self, place: Floats, a: Floats) -> NDArray[np.intp]:
        """On which step a lies where all steps are those of the law around the place."""
        rungs = self._rungs
        width = np.where(place < self.ladder.turn, rungs.step, rungs.slope)
        width *= self._drop * 2.0**64
        k = np.ceil(np.log(width / np.maximum(a, 1.0)) / float(self.ladder.epsilon))
        return clipped(k, self._powers.size - 1).astype(np.intp)

    def _on_step(
        self, center: Bounded, side: Floats, k: NDArray[np.intp], a: Floats, unit: float, work: Workspace
    ) -> tuple[Floats, Flags, NDArray[np.intp]]:
        """The output if a lies on step k, whether all of that is certain, and which way k is wrong."""
        rungs = list(zip(*self._rungs.at(*_moved(center, side * (k + AROUND))), strict=True))
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

    def _room(self, here: Bounded, further: Bounded, k: NDArray[np.intp], a: Floats, unit: float) -> Bounded:
        """By how much a lies within k steps, Λ being here and further out by one step."""
        drop = self._drop * np.abs(further[0] - here[0])
        off = self._drop * (here[1] + further[1]) + 4 * UNIT * drop + self._part_off(a, k, unit)
        return a * self._powers[k] - drop, off * UP

    def _cut(self, o: Floats, work: Workspace) -> Bounded:
        """cut(φ(o + 1/2))."""
        return self._cuts.at(*self._scale.after(o, work))


def _moved(place: Bounded, steps: Floats) -> Bounded:
    """A place moved by whole steps; without an error where it has none, as halves of whole numbers add up."""
    moved = place[0] + steps
    return moved, np.where(place[1] == 0, 0.0, place[1] + UNIT * np.abs(moved))
