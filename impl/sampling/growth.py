"""φ⁻¹(center + W) for the growth scale φ of α, W symmetric noise on that scale, with its error bound.

With the computed y of center + W, off by at most e, let k = max(0, ⌈−y⌉), r = y + k and x = r·L, L = ln(1+α);
the output is e^x/α − k. φ⁻¹ is continuous with the slope (L/α)·(1+α)^r, where r ≤ max(1, y): so what e does
to the output is at most e·(L/α)·(E·(1 + 2·L·e) + 1 + α) for L·e ≤ 1, with the computed E of e^x; the 1 + α
also stands for a y that e moves across a joint. Of x = fl(L·r) the error is e_x = e_L·|r| + 2u·|x|, as r is
rounded once, and E is off by at most E·ρ, ρ = (1 + 2κ)·(κ + e_x + e_x²), for x ≤ 700 and e_x ≤ 1 as in
:mod:`establish.impl.sampling.log_laplace`. With the computed A of 1/α, g = fl(E·A) and t = fl(g − k):
    |t − τ| ≤ e·(L/α)·(E·(1 + 2·L·e) + 1 + α) + E·A·ρ + e_A·E·(1 + ρ) + u·|g| + u·|t| + 2^−1000.
Elsewhere, and where |y| > 2^50, the bound is +∞ and the output is decided the exact way. The computed bound
is that times UP. How long it takes also tells how many different counts there are.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import flint
import numpy as np
from numpy.typing import NDArray

from establish.impl.sampling.escalation import IntegerLaw
from establish.impl.sampling.exponential import ERROR, LARGEST, exponential
from establish.impl.sampling.location_scale import add_error, add_rounding, noise, part
from establish.impl.sampling.quantile_table import QuantileTable
from establish.impl.sampling.reals import TINY, UNIT, UP, Floats, Reals
from establish.impl.sampling.workspace import Workspace
from establish.spec.arithmetic import ARB
from establish.spec.growth_scale import scale

FAR = 2.0**50
"""The |y| up to which k is an exact float."""


def on_growth_scale(counts: NDArray[np.float64], alpha: Fraction) -> Reals:
    """φ of whole counts, computed once for each that occurs."""
    values, places = np.unique(counts, return_inverse=True)

    def exact(i: int) -> flint.arb:
        return scale(Fraction(int(counts[i])), alpha, ARB)

    found = Reals.per_cell(lambda i: scale(Fraction(int(values[i])), alpha, ARB), values.size)
    return Reals(found.approximate[places], found.error[places], exact)


@dataclass(frozen=True)
class Growth:
    """The sampler of :mod:`establish.impl.sampling.rounding`, on whole numbers.

    center: φ(n). width: of the noise. step: ln(1+α). unit: 1/α.
    """

    law: IntegerLaw
    shape: tuple[int, ...]
    table: QuantileTable
    center: Reals
    width: Reals
    step: Reals
    unit: Reals

    def evaluate(
        self, cells: slice, signed: Floats, a: Floats, unit: float, work: Workspace
    ) -> tuple[Floats, Floats]:
        y, e = noise(self.table, self.width, cells, signed, a, unit, work)
        np.subtract(part(self.center.approximate, cells), y, out=y)
        add_rounding(e, y, work)
        add_error(e, part(self.center.error, cells))
        np.multiply(e, UP, out=e)
        np.add(e, TINY, out=e)
        return self.carried_back(y, e, work)

    def carried_back(self, y: Floats, e: Floats, work: Workspace) -> tuple[Floats, Floats]:
        """(t, its bound) for y that is off by at most e, in the same buffers."""
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
        np.multiply(e, UP, out=e)
        np.add(e, TINY, out=e)
        np.copyto(e, np.inf, where=unknown)
        return t, e
