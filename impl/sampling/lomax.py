"""center ± scale·(e^|η| − 1) in grid units, with its error bound, for η ~ Laplace(spread) and its sign.

Let x ≥ 0 be the computed |η|, off by at most e_x, and E the computed e^x. For x ≤ 700 and e_x ≤ 1 the error
of E is at most E·ρ, ρ = (1 + 2κ)·(κ + e_x + e_x²), as in :mod:`establish.impl.sampling.log_laplace`. Let g =
fl(E − 1), off from e^|η| − 1 by at most E·ρ + u·|g|. With the computed s of the scale, off by at most e_s,
q = fl(s·g), and t = fl(center ∓ q) for the computed center, off by at most e_c:
    |t − τ| ≤ s·(E·ρ + u·|g|) + e_s·E·(1 + ρ) + u·|q| + u·|t| + e_c + 2^−1000,
where e^|η| − 1 ≤ E·(1 + ρ). The sign that was drawn moves q no farther away, as in
:mod:`establish.impl.sampling.location_scale`. Where x > 700 or e_x > 1 the bound is +∞ and the output is
decided the exact way. The computed bound is that times UP.
"""

from dataclasses import dataclass, replace

import numpy as np

from establish.impl.arrays import Floats
from establish.impl.sampling.chords import Chords, by_chords
from establish.impl.sampling.escalation import IntegerLaw
from establish.impl.sampling.exponential import raised
from establish.impl.sampling.location_scale import add_rounding, noise, placed
from establish.impl.sampling.quantile_table import QuantileTable
from establish.impl.sampling.reals import UNIT, Reals
from establish.impl.sampling.sampler import Cells, FirstTry, part
from establish.impl.sampling.workspace import Workspace


@dataclass(frozen=True)
class Lomax:
    """The sampler of :mod:`establish.impl.sampling.rounding`; center and scale in grid units."""

    law: IntegerLaw
    shape: tuple[int, ...]
    table: QuantileTable
    center: Reals
    scale: Reals
    spread: Reals

    def evaluate(
        self, cells: Cells, signed: Floats, a: Floats, unit: float, work: Workspace
    ) -> tuple[Floats, Floats]:
        x, relative = noise(self.table, self.spread, cells, signed, a, unit, work)
        np.abs(x, out=x)
        power, unknown = raised(x, relative, work)
        square = work.floats("size")
        scale, scale_error = part(self.scale.approximate, cells), part(self.scale.error, cells)
        bound = relative
        np.multiply(relative, power, out=bound)
        if scale_error.ndim or scale_error:
            np.add(bound, power, out=square)
            np.multiply(square, scale_error, out=square)
        else:
            square.fill(0.0)
        t = np.subtract(power, 1.0, out=x)
        size = work.floats("distance")
        np.abs(t, out=size)
        np.multiply(size, UNIT, out=size)
        np.add(bound, size, out=bound)
        np.multiply(bound, scale, out=bound)
        np.add(bound, square, out=bound)
        np.multiply(t, scale, out=t)
        add_rounding(bound, t, work)
        np.copysign(t, signed, out=t)
        placed(self.center, cells, t, bound, work)
        np.copyto(bound, np.inf, where=unknown)
        return t, bound

    def chords(self) -> FirstTry | None:
        """T = ±(U^−spread − 1), convex in U on one side and concave on the other."""
        standard = replace(self, center=Reals.integers(0), scale=Reals.integers(1))
        return by_chords(Chords.of(standard.evaluate), self.center, self.scale)
