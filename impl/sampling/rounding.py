"""The engine: evaluate in floats, accept where the rounding is certain, decide the others exactly.

A float t with |t − τ| ≤ B stands for the exact output τ in grid units. Let r be the integer nearest to t.
If |t − r| + B < 1/2, then |τ − r| < 1/2 and r is the rounding of τ: accepted. (t − r is exact: both are
multiples of the last place of t, and |t − r| ≤ 1/2.) Of a long array, most draws are settled so by the lines
of :mod:`establish.impl.sampling.chords`, whose t and B are coarse and quick; what they leave open, and short
arrays, go the careful way. Where that fails, τ may still be certainly beyond the clamp; what then is left is
decided by :func:`establish.impl.sampling.escalation.quantile` from the same word and further bits. All ways
give the rounding of the same τ, so that the outputs depend neither on the bounds nor on the chunks, only on
the stream of bits and the position in it.

The fractional part of τ is all but uniform on the scale of B, so a share E[2B] + 2^−34 of the draws takes
the exact way, the last term for U below the table. In grid units, B is on average scale·2e-15 for Laplace,
scale·2e-14 for Gaussian and scale·3e-14 for heavy-tailed noise, plus 2^−53·|τ|. The careful and the exact
way take longer, so that the running time tells how many draws took them, and that each of those lies within
the bound of a rounding boundary, in a tail, or around a center that the first try does not serve.
"""

from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from establish.impl.arrays import Floats
from establish.impl.sampling.bits import Bits
from establish.impl.sampling.chords import MANY
from establish.impl.sampling.escalation import quantile
from establish.impl.sampling.grid import REACH
from establish.impl.sampling.quantile_table import FLOOR
from establish.impl.sampling.reals import UP
from establish.impl.sampling.sampler import Cells, Positions, Sampler, Words
from establish.impl.sampling.workspace import CHUNK, Workspace

WORD = 64
"""Bits of a word; the first one is the sign."""


@dataclass(frozen=True)
class Draws:
    """Outputs in grid units, and how many of them were decided the exact way."""

    values: Floats
    escalated: int


def draw(sampler: Sampler, bits: Bits, seen: int = WORD, slack: float = 0.0, *, many: int = MANY) -> Draws:
    """One output per cell. many: from so many draws on, a first try is made.

    The careful way sees only the first ``seen`` bits of a word and adds ``slack`` to its bound, and the first
    try is left out: tests change them to exercise the exact way, whose output must be the same.
    """
    size = prod(sampler.shape)
    first_try = sampler.chords() if size >= many and seen == WORD and not slack else None
    careful = _Careful(sampler, bits, np.empty(size), seen, slack)
    work = Workspace()
    with np.errstate(all="ignore"):
        for start in range(0, size, CHUNK):
            part = slice(start, min(start + CHUNK, size))
            work.size = part.stop - start
            words = work.words("words")
            position = bits.fill(words)
            if first_try is None:
                careful.settle(part, words, position + np.arange(work.size), work)
            else:
                left = first_try.settle(part, words, careful.values[part], work)
                if left.size:
                    careful.postpone(start + left, words[left], position + left)
        careful.finish()
    return Draws(careful.values.reshape(sampler.shape), careful.escalated)


class _Careful:
    """The careful way for cells by their numbers, and the exact one for what it leaves open."""

    def __init__(self, sampler: Sampler, bits: Bits, values: Floats, seen: int, slack: float) -> None:
        self.values, self.escalated = values, 0
        self._sampler, self._bits, self._seen, self._slack = sampler, bits, seen, slack
        self._waiting: list[tuple[NDArray[np.intp], Words, Positions]] = []
        self._count = 0
        self._work = Workspace()

    def postpone(self, cells: NDArray[np.intp], words: Words, positions: Positions) -> None:
        """Settle these when there are many of them."""
        self._waiting.append((cells, words, positions))
        self._count += cells.size
        if self._count >= CHUNK:
            self.finish()

    def finish(self) -> None:
        """Settle all that were postponed."""
        if not self._waiting:
            return
        cells, words, positions = map(np.concatenate, zip(*self._waiting, strict=True))
        for start in range(0, cells.size, CHUNK):
            part = slice(start, min(start + CHUNK, cells.size))
            self._work.size = part.stop - start
            self.settle(cells[part], words[part], positions[part], self._work)
        self._waiting, self._count = [], 0

    def settle(self, cells: Cells, words: Words, positions: Positions, work: Workspace) -> None:
        """cells: at most CHUNK; words: theirs, at these positions of the stream."""
        signed, a, values = work.floats("signed"), work.floats("a"), work.floats("values")
        unit = 2.0 ** (WORD - self._seen)
        if self._seen < WORD:
            hidden = words.view(np.int64) >> (WORD - self._seen)
            np.multiply(hidden.astype(np.float64), unit, out=signed)
        else:
            np.copyto(signed, words.view(np.int64), casting="unsafe")
        np.abs(signed, out=a)
        t, bound = self._sampler.evaluate(cells, signed, a, unit, work)
        np.rint(t, out=values)
        distance = work.floats("distance")
        np.subtract(t, values, out=distance)
        np.abs(distance, out=distance)
        np.add(values, 0.0, out=values)  # −0 becomes 0: the sign of a zero would be a low bit of t
        np.add(distance, bound, out=distance)
        np.add(distance, self._slack, out=distance)
        certain = distance < 0.5 / UP
        certain &= a >= max(FLOOR, 2 * unit)
        if not certain.all():
            clamped = np.abs(t) - bound - self._slack > REACH + 1
            clamped &= a >= max(FLOOR, 2 * unit)
            np.copyto(values, np.copysign(REACH, t), where=clamped)
            numbers = np.arange(cells.start, cells.stop) if isinstance(cells, slice) else cells
            for j in np.flatnonzero(~(certain | clamped)).tolist():
                guess = int(values[j]) if abs(values[j]) <= REACH else 0
                further = self._bits.further(int(positions[j]))
                law = self._sampler.law
                values[j] = quantile(law, int(numbers[j]), int(words[j]), further, guess)
                self.escalated += 1
        self.values[cells] = values
