"""center + scale·Z in grid units with its error bound, for a law Z whose density is constant on every step.

The tail probability of a draw is τ = A/2^64 on its side of the median, and a stands for A: a is off by at
most w = unit + u·a. On a step with height h, outer break e and mass M beyond it, the distance is
    z = e + M/h − τ/h:
a line in a with the slope s = 2^−64/h. Lines are listed for each side, from the least a upwards: the steps of
the side, the flat part, and steps of the other side as far as the median lies there (their z is negative).
Inwards slopes fall or, beyond the flat part, rise again; so from A_0 = (a − unit)·(1 − 8u) on, the largest
slope is at most s_0, the larger one of the line at A_0 and the ``steepest`` inwards of the flat part.
Thresholds and lines are rounded from Arb by relative errors of at most u, and a line beyond its own step is
off by at most the difference of slopes times the distance. So
    |z − its computed value| ≤ s_0·(unit + 8·u·a) + 4·u·(|i| + a·s)
with the intercept i = e + M/h. The rest is as in :mod:`establish.impl.sampling.lomax`: with the computed s_c
of the scale, off by at most e_s, |t − τ| ≤ s_c·e_z + e_s·(|z| + e_z) + u·|q| + u·|t| + e_c.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import flint
import numpy as np

from establish.impl.sampling.chords import Chords, by_chords
from establish.impl.sampling.escalation import IntegerLaw
from establish.impl.sampling.location_scale import add_error, add_rounding
from establish.impl.sampling.quantile_table import FLOOR
from establish.impl.sampling.reals import TINY, UNIT, UP, Floats, Reals
from establish.impl.sampling.sampler import Cells, FirstTry, part
from establish.impl.sampling.workspace import Workspace
from establish.spec.arithmetic import ARB, enclosing
from establish.spec.distributions.spreading_staircase import Side, SpreadingStaircase


@dataclass(frozen=True)
class Lines:
    """Of one side: thresholds of a, upwards; intercepts and slopes, one more each; the steepest inwards."""

    thresholds: Floats
    intercepts: Floats
    slopes: Floats
    steepest: float

    @classmethod
    def of(cls, law: SpreadingStaircase, above: bool) -> Lines:
        """law: in Arb, standard. Raises nothing: every side has a first step."""
        with enclosing(128):
            own, other = law.sides[::-1] if above else law.sides
            lines, height = _own(own, law.height), law.height
            place = ARB.number(own.flat)
            mass = own.beyond(0) * height
            lines.append(
                (mass + height * (place + ARB.number(other.flat)), place + mass / height, height)
            )
            inner, k, steepest = lines[-1][0], 1, 0.0
            while float(inner) < 0.51:
                step = height * other.ratio**k
                width = other.place(k) - other.place(k - 1)
                lines.append((inner + step * width, inner / step - other.place(k - 1), step))
                inner, k, steepest = lines[-1][0], k + 1, float(1 / (step * 2**64)) * UP
            return cls(
                np.array([float(to * 2**64) for to, _, _ in lines[:-1]]),
                np.array([float(intercept) for _, intercept, _ in lines]),
                np.array([float(1 / (step * 2**64)) for _, _, step in lines]),
                steepest,
            )


def _own(side: Side, height: flint.arb) -> list[tuple[flint.arb, flint.arb, flint.arb]]:
    """Where each step ends in mass, its intercept and its height; the outermost step first."""
    found: list[tuple[flint.arb, flint.arb, flint.arb]] = []
    k = 0
    while not found or float(side.beyond(k) * height) * 2.0**64 >= FLOOR / 4:
        k += 1
        step = height * side.ratio**k
        intercept = side.place(k) + side.beyond(k) * height / step
        found.append((side.beyond(k - 1) * height, intercept, step))
    return found[::-1]


@dataclass(frozen=True)
class Spreading:
    """The sampler of :mod:`establish.impl.sampling.rounding`; center and scale in grid units."""

    law: IntegerLaw
    shape: tuple[int, ...]
    below: Lines
    above: Lines
    center: Reals
    scale: Reals

    def evaluate(
        self, cells: Cells, signed: Floats, a: Floats, unit: float, work: Workspace
    ) -> tuple[Floats, Floats]:
        z, e = work.floats("z"), work.floats("bound")
        up = np.signbit(signed)
        least = (a - unit) * (1 - 8 * UNIT)
        for lines, rows in ((self.below, ~up), (self.above, up)):
            own = a[rows]
            place = np.searchsorted(lines.thresholds, own, side="left")
            first = np.searchsorted(lines.thresholds, least[rows], side="left")
            drop = own * lines.slopes[place]
            steep = np.maximum(lines.slopes[first], lines.steepest)
            z[rows] = lines.intercepts[place] - drop
            e[rows] = steep * (unit + 8 * UNIT * own) + 4 * UNIT * (
                np.abs(lines.intercepts[place]) + drop
            )
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
        np.negative(t, out=t, where=~up)
        np.add(part(self.center.approximate, cells), t, out=t)
        add_rounding(e, t, work)
        add_error(e, part(self.center.error, cells))
        np.multiply(e, UP, out=e)
        np.add(e, TINY, out=e)
        return t, e

    def chords(self) -> FirstTry | None:
        """T = Z is linear between the ends of steps."""
        standard = replace(self, center=Reals.integers(0), scale=Reals.integers(1))
        joints = np.append(self.below.thresholds, -self.above.thresholds)
        return by_chords(Chords.of(standard.evaluate, joints), self.center, self.scale)
