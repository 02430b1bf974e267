"""The engine: evaluate in floats, accept where the rounding is certain, decide the others exactly.

A float t with |t − τ| ≤ B stands for the exact output τ in grid units. Let r be the integer nearest to t.
If |t − r| + B < 1/2, then |τ − r| < 1/2 and r is the rounding of τ: accepted. (t − r is exact: both are
multiples of the last place of t, and |t − r| ≤ 1/2.) Where that fails, τ may still be certainly beyond the
clamp; what then is left is decided by :func:`establish.impl.sampling.escalation.quantile` from the same
word and further bits. Both ways give the rounding of the same τ, so that the outputs depend neither on the
bound nor on the chunks, only on the stream of bits and the position in it.

The fractional part of τ is all but uniform on the scale of B, so a share E[2B] + 2^−34 of the draws takes
the exact way, the last term for U below the table. In grid units, B is on average scale·2e-15 for Laplace,
scale·2e-14 for Gaussian and scale·3e-14 for heavy-tailed noise, plus 2^−53·|τ|. The exact way takes longer,
so that the running time tells how many draws took it, and that each of those lies within B of a rounding
boundary.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Protocol

import numpy as np

from establish.impl.sampling.bits import Bits
from establish.impl.sampling.escalation import IntegerLaw, quantile
from establish.impl.sampling.grid import REACH
from establish.impl.sampling.quantile_table import FLOOR
from establish.impl.sampling.reals import UP, Floats
from establish.impl.sampling.workspace import CHUNK, Workspace

WORD = 64
"""Bits of a word; the first one is the sign."""


class Sampler(Protocol):
    """A law on the integers with a way to evaluate it in floats."""

    @property
    def law(self) -> IntegerLaw: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    def evaluate(
        self, cells: slice, signed: Floats, a: Floats, unit: float, work: Workspace
    ) -> tuple[Floats, Floats]:
        """(t, B) for the cells of one chunk, in buffers of ``work``.

        signed: the drawn integers v as floats; a = |signed|. The output is the quantile at
        p = (V mod 2^64)/2^64 with V in (v, v + unit). B holds for a ≥ max(FLOOR, 2·unit).
        """


@dataclass(frozen=True)
class Draws:
    """Outputs in grid units, and how many of them were decided the exact way."""

    values: Floats
    escalated: int


def draw(sampler: Sampler, bits: Bits, seen: int = WORD, slack: float = 0.0) -> Draws:
    """One output per cell.

    The fast way sees only the first ``seen`` bits of a word and adds ``slack`` to its bound: tests
    change them to exercise the exact way, whose output must be the same.
    """
    size = prod(sampler.shape)
    values, escalated = np.empty(size), 0
    work = Workspace()
    with np.errstate(all="ignore"):
        for start in range(0, size, CHUNK):
            part = slice(start, min(start + CHUNK, size))
            work.size = part.stop - start
            escalated += _draw_chunk(sampler, bits, part, values[part], seen, slack, work)
    return Draws(values.reshape(sampler.shape), escalated)


def _draw_chunk(
    sampler: Sampler,
    bits: Bits,
    cells: slice,
    values: Floats,
    seen: int,
    slack: float,
    work: Workspace,
) -> int:
    words, signed, a = work.words("words"), work.floats("signed"), work.floats("a")
    first = bits.fill(words)
    unit = 2.0 ** (WORD - seen)
    if seen < WORD:
        np.copyto(signed, words.view(np.int64) >> (WORD - seen), casting="unsafe")
        np.multiply(signed, unit, out=signed)
    else:
        np.copyto(signed, words.view(np.int64), casting="unsafe")
    np.abs(signed, out=a)
    t, bound = sampler.evaluate(cells, signed, a, unit, work)
    np.rint(t, out=values)
    distance = work.floats("distance")
    np.subtract(t, values, out=distance)
    np.abs(distance, out=distance)
    np.add(values, 0.0, out=values)  # −0 becomes 0: the sign of a zero would be a low bit of t
    np.add(distance, bound, out=distance)
    np.add(distance, slack, out=distance)
    certain = distance < 0.5 / UP
    certain &= a >= max(FLOOR, 2 * unit)
    if certain.all():
        return 0
    clamped = (np.abs(t) - bound - slack > REACH + 1) & (a >= max(FLOOR, 2 * unit))
    np.copyto(values, np.copysign(REACH, t), where=clamped)
    open_ones = np.flatnonzero(~(certain | clamped))
    for j in open_ones.tolist():
        guess = int(values[j]) if abs(values[j]) <= REACH else 0
        further = bits.further(first + j)
        values[j] = quantile(sampler.law, cells.start + j, int(words[j]), further, guess)
    return len(open_ones)
