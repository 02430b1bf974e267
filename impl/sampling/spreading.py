"""center + scale·Z in grid units with its error bound, for a law Z that is flat, and falls on both sides.

The tail probability of a draw is τ = A/2^64 on its side of the median, and a stands for A: a is off by at
most w = unit + u·a. Where the density is constant, the distance z of τ is a line; on a hyperbola around
``pole`` from A_s inwards to A_e at the distance e it is pole + (e − pole)·exp(−rate·(a − A_e)), where rate =
ln((e − pole)/(start − pole))/(A_s − A_e). So on every piece
    z = i − s·a + b·exp(−rate·(a − A_e)),
one of s and b being 0. Pieces are listed for each side, from the least a upwards: those of the side, the flat
part, and those of the other side as far as the median lies there (their z is negative). Slopes are largest at
the outer end of a piece, where they are s or b·rate. Inwards they fall or, beyond the flat part, rise again;
so from A_0 = (a − unit)·(1 − 8u) on, the largest is at most s_0, the larger one of that of the piece of A_0
and the ``steepest`` inwards of the flat part. All of these numbers are rounded from Arb by relative errors of
at most u, and a piece beyond its own ends is off by at most the difference of slopes times the distance. With
E the computed power, off by at most E·(κ + 4·u·|rate|·(a + A_e)),
    |z − its computed value| ≤ s_0·(unit + 8·u·a) + 4·u·(|i| + a·s) + b·E·(κ + 6·u·(1 + |rate|·(a + A_e))).
The rest is as in :mod:`establish.impl.sampling.lomax`: with the computed s_c of the scale, off by at most
e_s, |t − τ| ≤ s_c·e_z + e_s·(|z| + e_z) + u·|q| + u·|t| + e_c.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import count
from typing import NamedTuple

import flint
import numpy as np

from establish.impl.arrays import Floats
from establish.impl.sampling.chords import Chords, by_chords
from establish.impl.sampling.escalation import IntegerLaw
from establish.impl.sampling.exponential import ERROR, exponential
from establish.impl.sampling.location_scale import add_rounding, placed
from establish.impl.sampling.quantile_table import FLOOR
from establish.impl.sampling.reals import UNIT, UP, Reals
from establish.impl.sampling.sampler import Cells, FirstTry, part
from establish.impl.sampling.workspace import Workspace
from establish.spec.arithmetic import ARB, EXACT, enclosing
from establish.spec.distributions.shortest_path import PathSide
from establish.spec.distributions.spreading_staircase import Side
from establish.spec.distributions.two_sided import OneSide, TwoSided


class Piece(NamedTuple):
    """Distances from ``inner`` to ``outer`` on one side, the mass beyond each, and the pole if it has one."""

    inner: flint.arb
    outer: flint.arb
    before: flint.arb
    after: flint.arb
    pole: flint.arb | None = None


class Curve(NamedTuple):
    """Up to which mass, i, s, b, rate and A_e/2^64 in units of mass, and the largest slope."""

    to: flint.arb
    intercept: flint.arb
    slope: flint.arb
    bend: flint.arb
    rate: flint.arb
    end: flint.arb
    steepest: flint.arb

    @classmethod
    def of(cls, piece: Piece, near: flint.arb | None = None) -> Curve:
        """Of the own side; or of the other one, where the mass ``near`` lies nearer than the piece."""
        zero, mass = ARB.number(0), piece.before - piece.after
        sign, end = (1, piece.after) if near is None else (-1, near + mass)
        to = piece.before if near is None else end
        if piece.pole is None:
            slope = (piece.outer - piece.inner) / mass
            return cls(to, sign * piece.outer + end * slope, slope, zero, zero, zero, slope)
        bend = piece.outer - piece.pole
        rate = ARB.log(bend / (piece.inner - piece.pole)) / mass
        return cls(to, sign * piece.pole, zero, sign * bend, sign * rate, end, bend * rate)


@dataclass(frozen=True)
class Curves:
    """Of one side: thresholds of a, upwards; of each piece, one more, what the formula above names.

    steep: the largest slope of each. steepest: of those inwards of the flat part.
    """

    thresholds: Floats
    intercepts: Floats
    slopes: Floats
    bends: Floats
    rates: Floats
    ends: Floats
    steep: Floats
    steepest: float

    @classmethod
    def of(cls, law: TwoSided, above: bool) -> Curves:
        """law: in Arb, standard."""
        with enclosing(128):
            own, other = law.sides[::-1] if above else law.sides
            height, reach = law.height, own.mass() * law.height
            curves = _own(own, height)
            near = reach + height * ARB.number(own.flat + other.flat)
            flat = -ARB.number(other.flat), ARB.number(own.flat)
            curves.append(Curve.of(Piece(*flat, near, reach)))
            steepest = 0.0
            for piece in _pieces(other, height):
                if float(near) >= 0.51:
                    break
                curves.append(Curve.of(piece, near))
                near = curves[-1].to
                steepest = max(steepest, float(curves[-1].steepest / 2**64) * UP)
            to, intercepts, slopes, bends, rates, ends, steep = zip(*curves, strict=True)
            return cls(
                np.array([float(x * 2**64) for x in to[:-1]]),
                np.array([float(x) for x in intercepts]),
                np.array([float(x / 2**64) for x in slopes]),
                np.array([float(x) for x in bends]),
                np.array([float(x / 2**64) for x in rates]),
                np.array([float(x * 2**64) for x in ends]),
                np.array([float(x / 2**64) for x in steep]),
                steepest,
            )


def _own(side: OneSide, height: flint.arb) -> list[Curve]:
    """Those of a side, the outermost first, as far out as the least a."""
    found: list[Curve] = []
    for piece in _pieces(side, height):
        found.append(Curve.of(piece))
        if float(piece.after) * 2.0**64 < FLOOR / 4:
            break
    return found[::-1]


def _pieces(side: OneSide, height: flint.arb) -> Iterator[Piece]:
    """What a side is made of, outwards."""
    far, weight = side, height
    if isinstance(side, PathSide):
        for section, before, after in zip(side.sections, side.masses, side.masses[1:], strict=False):
            pole = None if section.pole is None else ARB.number(section.pole)
            ends = ARB.number(section.start), ARB.number(section.end)
            yield Piece(*ends, before * height, after * height, pole)
        far, weight = side.far, height * side.weight
    assert isinstance(far, Side)
    for k in count(1):
        before, after = (far.beyond(j) * weight for j in (k - 1, k))
        yield Piece(far.place(k - 1), far.place(k), before, after)


def curves(law: TwoSided) -> tuple[Curves, Curves]:
    """Below and above, of the standard law at the parameters of ``law``; made once for these."""
    return _curves(replace(law, center=0, scale=1, c=EXACT))


@lru_cache(maxsize=16)
def _curves(law: TwoSided) -> tuple[Curves, Curves]:
    standard = replace(law, center=ARB.number(0), scale=ARB.number(1), c=ARB)
    return Curves.of(standard, above=False), Curves.of(standard, above=True)


@dataclass(frozen=True)
class Spreading:
    """The sampler of :mod:`establish.impl.sampling.rounding`; center and scale in grid units."""

    law: IntegerLaw
    shape: tuple[int, ...]
    below: Curves
    above: Curves
    center: Reals
    scale: Reals

    def evaluate(
        self, cells: Cells, signed: Floats, a: Floats, unit: float, work: Workspace
    ) -> tuple[Floats, Floats]:
        z, e, x, bend, turned = (work.floats(name) for name in ("z", "bound", "exponent", "bend", "turned"))
        up = np.signbit(signed)
        least = (a - unit) * (1 - 8 * UNIT)
        for curves, rows in ((self.below, ~up), (self.above, up)):
            own = a[rows]
            place = np.searchsorted(curves.thresholds, own, side="left")
            first = np.searchsorted(curves.thresholds, least[rows], side="left")
            drop = own * curves.slopes[place]
            z[rows] = curves.intercepts[place] - drop
            e[rows] = np.maximum(curves.steep[first], curves.steepest) * (
                unit + 8 * UNIT * own
            ) + 4 * UNIT * (np.abs(curves.intercepts[place]) + drop)
            rate, end = curves.rates[place], curves.ends[place]
            x[rows] = rate * (end - own)
            bend[rows] = curves.bends[place]
            turned[rows] = np.abs(rate) * (end + own)
        if self.curved:
            np.multiply(bend, exponential(x, work), out=bend)
            np.add(z, bend, out=z)
            np.add(turned, 1.0, out=turned)
            np.multiply(turned, 6 * UNIT, out=turned)
            np.add(turned, ERROR, out=turned)
            np.multiply(turned, np.abs(bend, out=bend), out=turned)
            np.add(e, turned, out=e)
        np.multiply(e, UP, out=e)
        scale, scale_error = part(self.scale.approximate, cells), part(self.scale.error, cells)
        size = work.floats("distance")
        np.abs(z, out=size)
        np.add(size, e, out=size)
        np.multiply(size, scale_error, out=size)
        np.multiply(e, scale, out=e)
        np.add(e, size, out=e)
        t = np.multiply(z, scale, out=z)
        add_rounding(e, t, work)
        np.negative(t, out=t, where=up)
        return placed(self.center, cells, t, e, work)

    @property
    def curved(self) -> bool:
        """Whether there is a hyperbola."""
        return bool(self.below.bends.any() or self.above.bends.any())

    def chords(self) -> FirstTry | None:
        """T = Z is linear, convex or concave between the ends of pieces."""
        standard = replace(self, center=Reals.integers(0), scale=Reals.integers(1))
        joints = np.append(self.below.thresholds, -self.above.thresholds)
        return by_chords(Chords.of(standard.evaluate, joints), self.center, self.scale)
