"""Most draws of the staircase law on whole numbers, by tables of its scale and of its ladder.

As in :mod:`establish.impl.sampling.chords`, a draw is taken where a coarse bound leaves no doubt, and all
others are left to the careful way, :mod:`establish.impl.sampling.whole_staircase`, which decides them from
the same word; so outputs do not depend on this file. With the names of that module let w = A·e^(εk)/2^64 and

    d(t) = c·(Λ(t + 1) − Λ(t)),   D_k = d(t + k) above the center, d(t − k − 1) below.

A lies on step k where w ≥ D_k and, unless k = 0, e^(−ε)·w < D_(k−1). Then s = Λ(t + side·k) + side·(1/2 − w),
and the output is the least o with s ≤ cut(φ(o + 1/2)). Λ and d are linear between halves of whole places;
they are listed by place and half, and φ of the counts and the cuts of the outputs by number. k is guessed by
a logarithm that is not too large, and found from there by leaps, each half of the one before; the output is
guessed by a table of s, and goes one up where the first look says so.

**Errors.** Places of counts are off by at most δ = NEAR, and count only where that leads across no half. With
the largest |Λ| that is listed, S, and m ≥ 1 no less than any slope, Λ is off by at most
    E = m·δ + 16·u·(S + m + 1) + LEFT_OUT,
and d by at most 3·c·E. As a ≥ LEAST is off from A by at most (2^−44 + u)·a, w ≤ MOST is off by at most
MOST·2^−40, the roundings of powers and product included; so s is off by at most E + MOST·2^−40 + 4·u·(S +
MOST + 1). An inequality counts where it holds by more than both of its sides are off. Where these bounds are
not small, more draws are left open.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, log

import numpy as np
from numpy.typing import NDArray

from establish.impl.arrays import Floats, Integers
from establish.impl.sampling.reals import UNIT, UP
from establish.impl.sampling.sampler import Words
from establish.impl.sampling.whole_floats import LEFT_OUT, Bounded, Rungs, Scale
from establish.impl.sampling.workspace import CHUNK, Workspace

NUMBERS = 1 << 17
"""Outputs from here on are left open, and counts from half of it on."""

LEAST = 2.0**44
"""The least a that is looked at."""

MOST = 4.0
"""The largest w that is looked at."""

SEEN = MOST * 2.0**-40
"""What w is off by."""

NEAR = 2.0**-36
"""What a place that is listed is off by, and at most m times that, or that, a cut."""

BUCKETS = 1 << 14
"""Equal parts of the cuts, by which outputs are guessed."""

Index = NDArray[np.intp]


@dataclass(frozen=True)
class Halves:
    """A function of places that is linear between halves: at 3·j + m the value and the slope from the whole
    place j on, before the half (m = 0), at it (1) and after it (2). off: what it is off by.
    """

    values: Floats
    slopes: Floats
    off: float

    @classmethod
    def of(cls, starts: Floats, slopes: Floats, jumps: Floats, off: float) -> Halves:
        values = starts[:, None] + jumps[:, None] * np.array([0, 0.5, 1])
        return cls(values.ravel(), np.repeat(slopes, 3), off)

    def at(self, index: Index, over: Floats) -> Floats:
        """Its values at ``over`` beyond whole places."""
        value = self.slopes.take(index, mode="clip")
        value *= over
        value += self.values.take(index, mode="clip")
        return value


@dataclass(frozen=True)
class Lists:
    """What is tabulated for one scale and one ladder.

    index, over: of counts, where their places stand in ``ladder`` and ``drops``, and how far beyond the whole
    place they are, NaN where that is not known. powers: e^(εk)/2^64; ratio: e^(−ε). least: an a near the end
    of step 0. leaps: upwards from the guess of k. cuts: of outputs from ``first`` on, NaN where they are not
    known; off: what s and they are off by together. buckets: the first output of each, and how many there
    are; start, rate: where buckets start, and how many there are per unit of s.
    """

    index: Index
    over: Floats
    ladder: Halves
    drops: Halves
    powers: Floats
    ratio: float
    epsilon: float
    least: float
    leaps: tuple[int, ...]
    cuts: Floats
    first: int
    off: float
    buckets: tuple[Floats, Floats]
    start: float
    rate: float

    @classmethod
    def of(
        cls, scale: Scale, rungs: Rungs, cuts: Rungs, epsilon: float, drop: float, powers: Floats
    ) -> Lists:
        """epsilon: ε; drop: c; powers: e^(εk)/2^64. As each side has at most half of the mass, no guess of k
        exceeds ``steps``.
        """
        low, high = sorted((rungs.step, rungs.slope))
        halvings = (ceil(log(high / low) / epsilon) + 1).bit_length()
        steps = ceil(log(2.0**64 / LEAST * MOST) / epsilon) + (1 << halvings)
        places, places_off = _in_chunks(scale.of_whole, np.arange(NUMBERS // 2))
        whole = np.floor(places)
        over = places - whole
        half = (over == 0.5) & (places_off == 0)
        over[(places_off > NEAR) | ((np.abs(over - 0.5) <= NEAR) & ~half)] = np.nan
        lowest = int(whole[0]) - steps - 2
        starts, slopes, jumps = rungs.pieces(np.arange(lowest, int(whole[-1]) + steps + 4.0))
        size = float(np.abs(starts).max()) + 1
        near = max(1.0, rungs.steepest) * NEAR
        off = (near + 16 * UNIT * (size + rungs.steepest) + LEFT_OUT) * UP
        drops = (drop * np.diff(starts), drop * np.diff(slopes), drop * np.diff(jumps))
        first = -steps - 2
        ends, ends_off = _in_chunks(lambda o, work: cuts.at(*scale.after(o, work)), np.arange(first, NUMBERS))
        rising = np.maximum.accumulate(ends)
        edges = np.linspace(rising[0], rising[-1], BUCKETS + 1)
        before = np.searchsorted(rising, edges).astype(float)
        return cls(
            (3 * (whole - lowest) + np.where(half, 1, 2 * (over > 0.5))).astype(np.intp),
            over,
            Halves.of(starts, slopes, jumps, off),
            Halves.of(*drops, 3 * drop * off),
            powers[: steps + 1],
            powers[0] / powers[1],
            epsilon,
            drop * low * 2.0**64,
            tuple(1 << i for i in reversed(range(halvings))),
            np.where(ends_off <= near, ends, np.nan),
            first,
            (off + SEEN + 4 * UNIT * (size + MOST) + near) * UP,
            (before[:-1], np.diff(before)),
            float(edges[0]),
            float(BUCKETS / (edges[-1] - edges[0])),
        )


@dataclass(frozen=True)
class ByLists:
    """The first try for whole counts."""

    lists: Lists
    counts: Floats

    def settle(self, cells: slice, words: Words, values: Floats, work: Workspace) -> NDArray[np.intp]:
        """As :class:`establish.impl.sampling.sampler.FirstTry` says."""
        lists, n = self.lists, self.counts[cells]
        signed = words.view(np.int64)
        a = np.abs(signed.astype(float))
        side = (signed >> 63) * -2 - 1
        below, above = 3 * (side < 0), 3 * (side > 0)
        count = np.minimum(n, lists.over.size - 1.0).astype(np.intp)
        place, over = lists.index.take(count), lists.over.take(count)
        k = np.ceil(np.log(lists.least / np.maximum(a, LEAST)) / lists.epsilon).astype(np.intp)
        np.maximum(k, 0, out=k)
        for leap in lists.leaps:
            further = k + (leap - 1)
            w = a * lists.powers.take(further, mode="clip")
            k += leap * (w < lists.drops.at(place + 3 * side * further - below, over))
        np.minimum(k, lists.powers.size - 1, out=k)
        w = a * lists.powers.take(k, mode="clip")
        step = place + 3 * side * k
        sure = (a >= LEAST) & (w <= MOST) & (n < lists.over.size)
        sure &= w - lists.drops.at(step - below, over) > lists.drops.off + SEEN
        before = lists.drops.at(step - above, over) - w * lists.ratio
        sure &= (before > lists.drops.off + SEEN) | (k == 0)
        s = lists.ladder.at(step, over) + side * (0.5 - w)
        bucket = (s - lists.start) * lists.rate
        where = bucket.astype(np.intp)
        first, more = (x.take(where, mode="clip") for x in lists.buckets)
        o = (first + (bucket - where) * more).astype(np.intp)
        o += s > lists.cuts.take(o, mode="clip")
        apart = lists.cuts.take(o, mode="clip") - s
        np.minimum(apart, s - lists.cuts.take(o - 1, mode="clip"), out=apart)
        sure &= apart > lists.off
        np.add(o, float(lists.first), out=values)
        return np.flatnonzero(~sure)


def _in_chunks(function: Callable[[Floats, Workspace], Bounded], numbers: Integers) -> Bounded:
    """A bounded function of whole numbers, any number of them."""
    work, found = Workspace(), []
    for start in range(0, numbers.size, CHUNK):
        block = numbers[start : start + CHUNK].astype(float)
        work.size = block.size
        found.append(tuple(x.copy() for x in function(block, work)))
    values, offs = zip(*found, strict=True)
    return np.concatenate(values), np.concatenate(offs)
