"""center + scale·η in grid units, with its error bound, for η symmetric around 0.

The table gives q with |q − |η|| ≤ b; y = ±|q| takes the sign that was drawn, which moves it no farther away,
because ||x| − z| ≤ |x − z| for z ≥ 0. With float center ĉ and scale ŝ, off by at most e_c and e_s, let
p = fl(ŝ·y) and t = fl(ĉ − p). Then
    |p − scale·η| ≤ ŝ·b + e_s·(|q| + b) + u·|p| + 2^−1000,
    |t − τ| ≤ the same + u·|t| + e_c,
with 2^−1000 for subnormal results. All terms are ≥ 0, so that rounding them is covered by the factor UP.
"""

from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np

from establish.impl.arrays import Floats
from establish.impl.sampling.chords import Chords, by_chords
from establish.impl.sampling.escalation import IntegerLaw
from establish.impl.sampling.quantile_table import QuantileTable
from establish.impl.sampling.reals import TINY, UNIT, UP, Reals
from establish.impl.sampling.sampler import Cells, FirstTry, part
from establish.impl.sampling.workspace import Workspace


def add_error(bound: Floats, error: Floats) -> None:
    """bound += error, without a pass over the chunk when the error is the number 0."""
    if error.ndim or error:
        np.add(bound, error, out=bound)


def add_rounding(bound: Floats, result: Floats, work: Workspace) -> None:
    """bound += u·|result|."""
    size = work.floats("size")
    np.abs(result, out=size)
    np.multiply(size, UNIT, out=size)
    np.add(bound, size, out=bound)


def noise(
    table: QuantileTable, scale: Reals, cells: Cells, signed: Floats, a: Floats, unit: float, work: Workspace
) -> tuple[Floats, Floats]:
    """(p, its bound), in buffers of ``work``: the noise with the sign of ``signed``."""
    middle, error = part(scale.approximate, cells), part(scale.error, cells)
    q = table.quantile(a, work)
    bound = table.bound(a, q, unit, work)
    if error.ndim or error:
        slip = work.floats("slip")
        np.abs(q, out=slip)
        np.add(slip, bound, out=slip)
        np.multiply(slip, error, out=slip)
        np.multiply(bound, middle, out=bound)
        np.add(bound, slip, out=bound)
    else:
        np.multiply(bound, middle, out=bound)
    np.copysign(q, signed, out=q)
    np.multiply(q, middle, out=q)
    add_rounding(bound, q, work)
    return q, bound


def shifted(
    table: QuantileTable,
    center: Reals,
    scale: Reals,
    cells: Cells,
    signed: Floats,
    a: Floats,
    unit: float,
    work: Workspace,
) -> tuple[Floats, Floats]:
    """(t, its bound), in buffers of ``work``: center + scale·η."""
    t, bound = noise(table, scale, cells, signed, a, unit, work)
    return placed(center, cells, t, bound, work)


def placed(center: Reals, cells: Cells, t: Floats, bound: Floats, work: Workspace) -> tuple[Floats, Floats]:
    """center − t and its bound, in the buffers of ``t`` and ``bound``."""
    np.subtract(part(center.approximate, cells), t, out=t)
    add_rounding(bound, t, work)
    add_error(bound, part(center.error, cells))
    np.multiply(bound, UP, out=bound)
    np.add(bound, TINY, out=bound)
    return t, bound


@lru_cache(maxsize=8)
def _standard(table: QuantileTable, joints: tuple[float, ...]) -> Chords:
    """Of η; tables are told apart by their identity."""
    return Chords.of(partial(shifted, table, Reals.integers(0), Reals.integers(1)), joints)


@dataclass(frozen=True)
class LocationScale:
    """The sampler of :mod:`establish.impl.sampling.rounding`; center and scale in grid units.

    joints: the V at which the table passes 0, where it does so before U = 1.
    """

    law: IntegerLaw
    shape: tuple[int, ...]
    table: QuantileTable
    center: Reals
    scale: Reals
    joints: tuple[float, ...] = ()

    def evaluate(
        self, cells: Cells, signed: Floats, a: Floats, unit: float, work: Workspace
    ) -> tuple[Floats, Floats]:
        return shifted(self.table, self.center, self.scale, cells, signed, a, unit, work)

    def chords(self) -> FirstTry | None:
        """T = η is convex or concave on each side of its median, as its density falls away from there."""
        return by_chords(_standard(self.table, self.joints), self.center, self.scale)
