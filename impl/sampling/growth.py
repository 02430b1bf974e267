"""φ⁻¹(center + W) for the growth scale φ of α, W symmetric noise on that scale, with its error bound.

With the computed y of center + W, off by at most e, let k = max(0, ⌈−y⌉), r = y + k and x = r·L, L = ln(1+α);
the output is e^x/α − k. φ⁻¹ is continuous with the slope (L/α)·(1+α)^r, where r ≤ max(1, y): so what e does
to the output is at most e·(L/α)·(E·(1 + 2·L·e) + 1 + α) for L·e ≤ 1, with the computed E of e^x; the 1 + α
also stands for a y that e moves across a joint. Of x = fl(L·r) the error is e_x = e_L·|r| + 2u·|x|, as r is
rounded once, and E is off by at most E·ρ, ρ = (1 + 2κ)·(κ + e_x + e_x²), for x ≤ 700 and e_x ≤ 1 as in
:mod:`establish.impl.sampling.log_laplace`. With the computed A of 1/α, g = fl(E·A) and t = fl(g − k):
    |t − τ| ≤ e·(L/α)·(E·(1 + 2·L·e) + 1 + α) + E·A·ρ + e_A·E·(1 + ρ) + u·|g| + u·|t| + 2^−1000.
Elsewhere, and where |y| > 2^50, the bound is +∞ and the output is decided the exact way. The computed bound
is that times UP.

**Center.** For a whole count n let N = max(n, ⌈1/α⌉), so that φ(n) = ln(α·N)/L − (N − n). Of the float g of
α·N the relative error is at most e_α/α + u. With the computed x of ln g, off by at most e_g, fl(x/L) − (N −
n) is off by at most 1.002·(e_g + 2u + e_α/α + |x|·e_L/L)/L + u·|x/L| + u·|φ|.

**Chords.** Where n ≥ 1/α and y ≥ 0, the output is n·(1+α)^W. So T is what the sampler gives at the center
HIGH, where it is at least 1/α, and the factor is n over that at W = 0; an output below 1/α is left open.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import ceil

import numpy as np

from establish.impl.arrays import Flags, Floats
from establish.impl.sampling.chords import ByChords, Chords
from establish.impl.sampling.escalation import IntegerLaw
from establish.impl.sampling.exponential import ERROR, LARGEST, exponential, logarithm
from establish.impl.sampling.location_scale import add_error, add_rounding, noise
from establish.impl.sampling.quantile_table import QuantileTable
from establish.impl.sampling.reals import TINY, UNIT, UP, Reals
from establish.impl.sampling.sampler import Cells, FirstTry
from establish.impl.sampling.workspace import Workspace
from establish.spec.arithmetic import ARB

FAR = 2.0**50
"""The |y| up to which k is an exact float, and the 1/α up to which n and ⌈1/α⌉ add up exactly."""

HIGH = 64
"""A place on the growth scale from which noise seldom leads below 0."""


@lru_cache(maxsize=16)
def _step(alpha: Fraction) -> Reals:
    return Reals.constant(lambda: ARB.log(1 + ARB.number(alpha)))


@dataclass(frozen=True)
class Growth:
    """The sampler of :mod:`establish.impl.sampling.rounding`, on whole numbers.

    counts: whole, ≥ 0. alpha: α. width: of the noise.
    """

    law: IntegerLaw
    table: QuantileTable
    counts: Floats
    alpha: Fraction
    width: Reals

    @cached_property
    def share(self) -> Reals:
        """α."""
        return Reals.fraction(self.alpha)

    @cached_property
    def step(self) -> Reals:
        """ln(1+α)."""
        return _step(self.alpha)

    @cached_property
    def unit(self) -> Reals:
        """1/α."""
        return Reals.fraction(1 / self.alpha)

    @property
    def shape(self) -> tuple[int, ...]:
        return self.counts.shape

    def evaluate(
        self, cells: Cells, signed: Floats, a: Floats, unit: float, work: Workspace
    ) -> tuple[Floats, Floats]:
        return self.around(*self._center(self.counts[cells], work), signed, a, unit, work)

    def around(
        self, center: Floats, error: Floats, signed: Floats, a: Floats, unit: float, work: Workspace
    ) -> tuple[Floats, Floats]:
        """The same for a center on the growth scale that is off by at most ``error``."""
        y, e = self.drawn(signed, a, unit, work)
        np.subtract(center, y, out=y)
        add_rounding(e, y, work)
        add_error(e, error)
        np.multiply(e, UP, out=e)
        np.add(e, TINY, out=e)
        t, e, unknown = self.carried_back(y, e, work)
        np.multiply(e, UP, out=e)
        np.add(e, TINY, out=e)
        np.copyto(e, np.inf, where=unknown)
        return t, e

    def drawn(self, signed: Floats, a: Floats, unit: float, work: Workspace) -> tuple[Floats, Floats]:
        """−W, and its bound."""
        return noise(self.table, self.width, slice(0, 1), signed, a, unit, work)

    def joints(self) -> Floats:
        """The V at which T may be neither convex nor concave."""
        return np.zeros(0)

    def chords(self) -> FirstTry | None:
        def standard(
            cells: Cells, signed: Floats, a: Floats, unit: float, work: Workspace
        ) -> tuple[Floats, Floats]:
            return self.around(np.array(float(HIGH)), np.zeros(()), signed, a, unit, work)

        chords = Chords.of(standard, self.joints(), self.least())
        lower = Reals.constant(lambda: ARB.number(self.alpha) / (1 + ARB.number(self.alpha)) ** HIGH)
        large = Reals.floats(np.where(self.counts >= ceil(1 / self.alpha), self.counts, 0.0))
        return ByChords(chords.times(lower), Reals.integers(0), large, self.least())

    def least(self) -> float:
        """From here on outputs grow with (1+α)^W."""
        return float(1 / self.alpha) * UP

    def _center(self, counts: Floats, work: Workspace) -> tuple[Floats, Floats]:
        """φ of the counts, and its bound."""
        step, step_error = float(self.step.approximate), float(self.step.error)
        alpha, first = float(self.share.approximate), float(ceil(1 / self.alpha))
        if first > FAR:
            return counts, np.full(counts.size, np.inf)
        center, product = work.floats("center"), work.floats("product")
        np.maximum(counts, first, out=center)
        np.multiply(center, alpha, out=product)
        x, error = logarithm(product, work)
        np.add(error, float(self.share.error) / alpha + 2 * UNIT, out=error)
        np.abs(x, out=product)
        np.multiply(product, step_error / step, out=product)
        np.add(error, product, out=error)
        np.multiply(error, 1.002 / step, out=error)
        np.divide(x, step, out=x)
        add_rounding(error, x, work)
        np.subtract(center, counts, out=center)
        np.subtract(x, center, out=center)
        add_rounding(error, center, work)
        return center, error

    def carried_back(self, y: Floats, e: Floats, work: Workspace) -> tuple[Floats, Floats, Flags]:
        """(t, its bound, where there is none) for y, which is off by at most e, in the buffers of y and e."""
        step, step_error = float(self.step.approximate), float(self.step.error)
        inverse, inverse_error = float(self.unit.approximate), float(self.unit.error)
        joints, x, relative = (work.floats(name) for name in ("joints", "x", "relative"))
        unknown = e * step > 1.0
        unknown |= np.abs(y, out=x) > FAR
        np.ceil(np.negative(y, out=joints), out=joints)
        np.maximum(joints, 0.0, out=joints)
        np.add(y, joints, out=y)
        np.multiply(y, step, out=x)
        np.multiply(np.abs(y, out=relative), step_error + 2 * UNIT * step, out=relative)
        np.add(relative, TINY, out=relative)
        unknown |= x > LARGEST
        unknown |= relative > 1.0
        power = exponential(x, work)
        moved = work.floats("moved")
        np.multiply(e, 2 * step, out=moved)
        np.add(moved, 1.0, out=moved)
        np.multiply(moved, power, out=moved)
        np.add(moved, np.exp(step) * UP, out=moved)
        np.multiply(moved, step * inverse * UP + TINY, out=moved)
        np.multiply(e, moved, out=e)
        np.square(relative, out=moved)
        np.add(relative, moved, out=relative)
        np.add(relative, ERROR, out=relative)
        np.multiply(relative, inverse + inverse_error, out=relative)
        np.add(relative, inverse_error, out=relative)
        np.multiply(relative, power, out=relative)
        np.add(e, relative, out=e)
        t = np.multiply(power, inverse, out=y)
        add_rounding(e, t, work)
        np.subtract(t, joints, out=t)
        add_rounding(e, t, work)
        return t, e, unknown
