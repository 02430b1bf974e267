"""Most draws of a long array, by one line for each piece of a quantile function.

Where outputs are base + factor·T(V) for numbers that are known per cell and one increasing or decreasing
T of the drawn V, T is tabulated once: on each piece the line has the slope of the chord and passes through
T in the middle. A draw is accepted where the line's bound leaves the rounding no doubt; all others are
left to the careful way, which decides them from the same word. So outputs do not depend on this file, and
the bound may be coarse.

**Pieces.** Floats v' = fl(fl(v)·SHRINK) lie in (−2, 2), so that exponent and leading bits number pieces
from 2^−11 to 2 on both sides; on each side T is convex or concave between joints, and pieces that touch a
joint are left open, as are the tails below 2^−11.

**Error of a line.** If T is convex or concave on a piece, then the difference between its chord and T has
one sign and is concave or convex, so that it is at most twice its size |m| in the middle: the chord moved
by m, which passes through T in the middle, is off by at most |m|. The sampler gives T at both ends and in the
middle up to B, for every V within WIDTH of the place. The float v is off from V by at most 1 + u·|V|, and v'
by u·|V| more: less than WIDTH, and where that leads across an end of the piece, T is within B of its value at
the end. So the error is at most |m| + 5·B + 2^−40·M with M = |c_0| + |c_1|·|x| + |T|, x the far end: the last
term covers the roundings of line and evaluation (fewer than 20, each at most 2^−52·M) and |c_1| times the
shift of v', at most 2^−50·|v'|.

**Error of an output.** With factor and base off by at most 2^−44 of themselves, two roundings, and largest
F and b of their sizes in a chunk, t is off by at most F·E + 2^−40·(F·M + b). Where they are off by 2^−999
more, that adds less than 2^−90, as M < 2^900; 1/2 over UP leaves room for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from establish.impl.arrays import Floats
from establish.impl.sampling.reals import TINY, UP, Reals
from establish.impl.sampling.sampler import Cells, Words, part
from establish.impl.sampling.workspace import CHUNK, Workspace

Evaluate = Callable[[Cells, Floats, Floats, float, Workspace], tuple[Floats, Floats]]
"""What :class:`establish.impl.sampling.sampler.Sampler` calls so."""

MANY = 1 << 16
"""Draws for which a table is worth its time."""

PIECE_BITS = 9
OCTAVES = 12

SHRINK = (1 - 2.0**-20) * 2.0**-62
"""A float; so no |v'| reaches 2, not even where 2^63 − 1 is rounded up."""

BEFORE = ((1024 - OCTAVES) << PIECE_BITS) - 1
"""What is subtracted from exponent and leading bits of v' to number places from 1."""

LEFT = 2.0**-9
"""The share of draws for which the worst pieces are left open, so that they do not widen the bound of all."""

WIDTH = 2.0**13
LARGEST = 2.0**900
ROOM = 2.0**-40
KNOWN = 2.0**-44
"""The largest relative error of a factor and a base."""


@dataclass(frozen=True)
class Chords:
    """T ≈ start + slope·v' by place, with NaN where it is open.

    error: a bound of what the lines are off by. size: one of M.
    """

    start: Floats
    slope: Floats
    error: float
    size: float

    @classmethod
    def of(cls, standard: Evaluate, joints: Iterable[float] = (), least: float = -inf) -> Chords:
        """standard: T and its bound, as a sampler evaluates them. joints: the V, with signs, between which T
        is convex or concave on each side of 0. least: pieces where T is not certainly above it are left open.
        """
        edges = np.ldexp(
            1 + np.arange(1 << PIECE_BITS) / (1 << PIECE_BITS), np.arange(1 - OCTAVES, 1)[:, None]
        ).ravel()
        ends = np.append(edges[1:], SHRINK * 2.0**63)
        sides = [_side(standard, sign * edges, sign * ends, joints, least) for sign in (1, -1)]
        start, slope, error, size = (
            np.concatenate([up, down[::-1]]) for up, down in zip(*sides, strict=True)
        )
        good = np.isfinite(start) & np.isfinite(error) & (size < LARGEST)
        order = np.argsort(np.where(good, error, inf))[::-1]
        mass = np.cumsum(np.concatenate([ends - edges, (ends - edges)[::-1]])[order]) / 4
        good &= error <= error[order[np.searchsorted(mass, LEFT)]]
        start[~good] = np.nan
        return cls(
            np.concatenate([[np.nan], start, [np.nan]]),
            np.concatenate([[0.0], slope, [0.0]]),
            float(error[good].max(initial=0.0)),
            float(size[good].max(initial=0.0)),
        )

    def times(self, factor: Reals) -> Chords:
        """Of factor·T, for one number > 0 that is known to 2^−44: what that moves is less than 2^−42·M."""
        f = float(factor.approximate)
        error = (self.error + ROOM / 4 * self.size) * f * UP
        return Chords(self.start * f, self.slope * f, error, self.size * f * UP)


def _side(
    standard: Evaluate, near: Floats, far: Floats, joints: Iterable[float], least: float
) -> tuple[Floats, ...]:
    """start, slope, error and M of the pieces from ``near`` to ``far``."""
    middle = (near + far) / 2
    (t0, b0), (t, b), (t1, b1) = (_values(standard, x / SHRINK) for x in (near, middle, far))
    slope = (t1 - t0) / (far - near)
    start = t - slope * middle
    size = np.abs(start) + np.abs(slope * far) + np.abs(t)
    bound = np.maximum(np.maximum(b0, b1), b)
    error = (np.abs((t0 + t1) / 2 - t) + 5 * bound + ROOM * size) * UP
    open_ones = np.minimum(np.minimum(t0, t1), t) - bound <= least
    own = np.array([abs(joint) for joint in joints if joint * near[0] > 0]) * SHRINK
    for shift in (1 - ROOM, 1 + ROOM):
        places = np.searchsorted(np.abs(near), own * shift, side="right") - 1
        open_ones[places[places >= 0]] = True
    error[open_ones] = inf
    return start, slope, error, size


def _values(standard: Evaluate, signed: Floats) -> tuple[Floats, Floats]:
    values, bounds, work = np.empty(signed.size), np.empty(signed.size), Workspace()
    for first in range(0, signed.size, CHUNK):
        block = signed[first : first + CHUNK]
        work.size = block.size
        cells = slice(first, first + block.size)
        values[cells], bounds[cells] = standard(slice(0, 1), block, np.abs(block), WIDTH, work)
    return values, bounds


@dataclass(frozen=True)
class ByChords:
    """Outputs base + factor·T(V), where that is certainly at least ``least``."""

    chords: Chords
    base: Reals
    factor: Reals
    least: float = -inf

    def settle(self, cells: slice, words: Words, values: Floats, work: Workspace) -> NDArray[np.intp]:
        """As :class:`establish.impl.sampling.sampler.FirstTry` says."""
        base, factor = part(self.base.approximate, cells), part(self.factor.approximate, cells)
        bound = _largest(factor) * (self.chords.error + ROOM * self.chords.size)
        bound = (bound + ROOM * _largest(base)) * UP
        v, index, t, c = (work.floats("v"), work.integers("index"), work.floats("t"), work.floats("c"))
        np.copyto(v, words.view(np.int64), casting="unsafe")
        np.multiply(v, SHRINK, out=v)
        np.right_shift(v.view(np.int64), 52 - PIECE_BITS, out=index)
        np.right_shift(index, 63, out=c.view(np.int64))
        np.bitwise_xor(index, c.view(np.int64), out=index)
        np.subtract(index, BEFORE, out=index)
        self.chords.slope.take(index, out=t, mode="clip")
        np.multiply(t, v, out=t)
        np.add(t, self.chords.start.take(index, out=c, mode="clip"), out=t)
        np.multiply(t, factor, out=t)
        np.add(t, base, out=t)
        np.rint(t, out=values)
        np.subtract(t, values, out=c)
        np.abs(c, out=c)
        sure = c < (0.5 - bound) / UP
        if self.least > -inf:
            sure &= t >= self.least + bound
        np.add(values, 0.0, out=values)  # −0 becomes 0: the sign of a zero would be a low bit of t
        return np.flatnonzero(~sure)


def by_chords(chords: Chords, base: Reals, factor: Reals) -> ByChords | None:
    """None where a number is not known well enough for the bound."""
    return ByChords(chords, base, factor) if _known(base) and _known(factor) else None


def _known(x: Reals) -> bool:
    if not x.error.any():
        return True
    blocks = (slice(start, start + CHUNK) for start in range(0, x.approximate.size, CHUNK))
    return all(
        (part(x.error, cells) <= KNOWN * np.abs(part(x.approximate, cells)) + 2 * TINY).all()
        for cells in blocks
    )


def _largest(x: Floats) -> float:
    return max(float(x.max()), -float(x.min()))
