"""(n + γ)·e^η − γ in grid units, with its error bound, for η ~ Laplace(λ).

Let x = −p be the computed η, off by at most e_x (:func:`establish.impl.sampling.location_scale.noise`), and
E the computed e^x, whose relative error is at most κ = ERROR for |x| ≤ 700. For e_x ≤ 1, |e^η − e^x| ≤
e^x·(e_x + e_x²), so |E − e^η| ≤ E·ρ with ρ = (1 + 2κ)·(κ + e_x + e_x²). With the computed m of n + γ, off
by at most e_m, and g = fl(m·E), t = fl(g − γ):
    |t − τ| ≤ |m|·E·ρ + e_m·E·(1 + ρ) + u·|g| + u·|t| + e_γ + 2^−1000.
Where |x| > 700 or e_x > 1 the bound is +∞ and the output is decided the exact way. The computed bound is that
times UP, which also covers 1 + 2κ and |m|·E ≤ |g|·(1 + 2u).
"""

from dataclasses import dataclass, replace

import numpy as np

from establish.impl.arrays import Floats
from establish.impl.sampling.chords import Chords, by_chords
from establish.impl.sampling.escalation import IntegerLaw
from establish.impl.sampling.exponential import raised
from establish.impl.sampling.location_scale import add_error, add_rounding, noise
from establish.impl.sampling.quantile_table import QuantileTable
from establish.impl.sampling.reals import TINY, UP, Reals
from establish.impl.sampling.sampler import Cells, FirstTry, part
from establish.impl.sampling.workspace import Workspace


@dataclass(frozen=True)
class LogLaplace:
    """The sampler of :mod:`establish.impl.sampling.rounding`.

    start: n + γ, and gamma: γ, in grid units; scale: λ.
    """

    law: IntegerLaw
    shape: tuple[int, ...]
    table: QuantileTable
    start: Reals
    gamma: Reals
    scale: Reals

    def evaluate(
        self, cells: Cells, signed: Floats, a: Floats, unit: float, work: Workspace
    ) -> tuple[Floats, Floats]:
        x, relative = noise(self.table, self.scale, cells, signed, a, unit, work)
        np.negative(x, out=x)
        power, unknown = raised(x, relative, work)
        square = work.floats("size")
        t, bound = x, relative
        np.multiply(part(self.start.approximate, cells), power, out=t)
        start_error = part(self.start.error, cells)
        if start_error.ndim or start_error:
            np.add(relative, 1.0, out=square)
            np.multiply(square, start_error, out=square)
            np.multiply(square, power, out=square)
            np.multiply(relative, t, out=bound)
            np.add(bound, square, out=bound)
        else:
            np.multiply(relative, t, out=bound)
        add_rounding(bound, t, work)
        np.subtract(t, part(self.gamma.approximate, cells), out=t)
        add_rounding(bound, t, work)
        add_error(bound, part(self.gamma.error, cells))
        np.multiply(bound, UP, out=bound)
        np.add(bound, TINY, out=bound)
        np.copyto(bound, np.inf, where=unknown)
        return t, bound

    def chords(self) -> FirstTry | None:
        """T = e^η is U^λ below and U^−λ above."""
        if self.scale.approximate.ndim:
            return None
        one, none = Reals.integers(1), Reals.integers(0)
        standard = Chords.of(replace(self, start=one, gamma=none).evaluate)
        return by_chords(standard, self.gamma.times(Reals.integers(-1)), self.start)
