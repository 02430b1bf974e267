"""center + W on the growth scale for a staircase law W, carried back to counts, with its error bound.

With h the height of the flat, q = e^(−ε) and T = h·q/(1−q) the mass beyond it, let U be 2p or 2(1−p), the
smaller. Where T·q^K < U/2 ≤ T·q^(K−1) the noise lies on step K (on the flat for U/2 > T, K = 0), at the
distance
    z = r + K + q/(1−q) − U/(2·h·q^K)
from the center, r the end of the flat on that side (negative where it is beyond the center): a line in U on
each step, and continuous. In units of a, which stands for A = 2^63·U and is off by at most w = unit + u·a,
the line is z = i − a·s with i = r + K + q/(1−q) and s = 2^−64/(h·q^K), both rounded from Arb. On step K, s·a
lies between q/(1−q) and 1/(1−q), so the slope at another A is at most (s/q)·max(1, a/A), whatever step that
is on; and for a threshold rounded to the wrong side likewise. So
    |z − its computed value| ≤ (s/q)·(unit·a/(a − unit) + 4·u·a) + 4·u·(i + a·s),
where a/(a − unit) ≤ 1 + 2^−27 for unit = 1 and a ≥ FLOOR, and ≤ 2 for a ≥ 2·unit. The rest is that of
:mod:`establish.impl.sampling.growth`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np

from establish.impl.arrays import Floats
from establish.impl.sampling.growth import Growth
from establish.impl.sampling.quantile_table import FLOOR
from establish.impl.sampling.reals import UNIT, UP
from establish.impl.sampling.workspace import Workspace
from establish.spec.arithmetic import ARB, enclosing
from establish.spec.distributions.staircase import height, ratio


@dataclass(frozen=True)
class Lines:
    """Thresholds of a, upwards; by step from the outermost to the flat K + q/(1−q) and s; e^ε; r1 and r2."""

    thresholds: Floats
    intercepts: Floats
    slopes: Floats
    wider: float
    down: float
    up: float

    @classmethod
    @lru_cache(maxsize=16)
    def of(cls, down: Fraction, up: Fraction, epsilon: Fraction) -> Lines:
        with enclosing(128):
            flat, steps = height(down, up, epsilon, ARB), ratio(epsilon, ARB)
            q, mass = ARB.exp(ARB.number(-epsilon)), flat * steps
            thresholds: list[float] = []
            slopes = [float(1 / (flat * 2**64))]
            while not thresholds or thresholds[-1] >= FLOOR:
                k = len(thresholds)
                thresholds.append(float(mass * q**k * 2**64))
                slopes.append(float(1 / (flat * q ** (k + 1) * 2**64)))
            intercepts = [float(steps + k) for k in range(len(slopes))]
            wider = float(1 / q) * UP
        return cls(
            np.array(thresholds[::-1]),
            np.array(intercepts[::-1]),
            np.array(slopes[::-1]),
            wider,
            float(down),
            float(up),
        )


@dataclass(frozen=True)
class GrowthStaircase(Growth):
    """The same sampler with staircase noise; ``table`` and ``width`` are not used."""

    lines: Lines

    def joints(self) -> Floats:
        """Between them W is linear in V, and (1+α)^W convex."""
        return np.append(self.lines.thresholds, -self.lines.thresholds)

    def drawn(self, signed: Floats, a: Floats, unit: float, work: Workspace) -> tuple[Floats, Floats]:
        lines = self.lines
        places = np.searchsorted(lines.thresholds, a, side="left")
        slope, z, e = (work.floats(name) for name in ("slope", "z", "bound"))
        lines.slopes.take(places, out=slope)
        lines.intercepts.take(places, out=z)
        np.add(z, np.where(np.signbit(signed), lines.up, lines.down), out=z)
        drop = work.floats("drop")
        np.multiply(a, slope, out=drop)
        np.add(z, drop, out=e)
        np.multiply(e, 4 * UNIT, out=e)
        near = 1 + 2.0**-27 if unit == 1 else 2.0
        np.multiply(slope, lines.wider * near * unit, out=slope)
        np.add(e, slope, out=e)
        np.multiply(drop, lines.wider * 4 * UNIT, out=slope)
        np.add(e, slope, out=e)
        np.subtract(z, drop, out=z)
        np.multiply(z, np.copysign(1.0, signed), out=z)
        return z, e
