"""Draws from exactly the ideal laws, rounded to a public grid."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from establish.impl.sampling import ideal_laws
from establish.impl.sampling.bits import Bits
from establish.impl.sampling.escalation import IntegerLaw, quantile
from establish.impl.sampling.grid import Grid
from establish.impl.sampling.reals import Reals
from establish.spec.parameters import ParameterError, positive

Floats = NDArray[np.float64]


def _slow(law: IntegerLaw, shape: tuple[int, ...], bits: Bits) -> Floats:
    words = np.empty(int(np.prod(shape)), np.uint64)
    first = bits.fill(words)
    drawn = [
        quantile(law, i, int(word), bits.further(first + i), 0) for i, word in enumerate(words)
    ]
    return np.array(drawn, dtype=np.float64).reshape(shape)


def _shape(*reals: Reals) -> tuple[int, ...]:
    try:
        return np.broadcast_shapes(*(x.approximate.shape for x in reals))
    except ValueError:
        raise ParameterError("per-cell numbers must have one length") from None


def _require_positive(name: str, x: Reals) -> None:
    if not (x.approximate > x.error).all():
        raise ParameterError(f"every {name} must be greater than 0")


def laplace(center: Reals, scale: Reals, bits: Bits, grid: Grid = Grid.INTEGERS) -> Floats:
    """center + scale·η rounded to the grid, η ~ Laplace(1) (Haney et al. 2017, Definition 2.4)."""
    _require_positive("scale", scale)
    law = ideal_laws.rounded_laplace(center, scale, grid)
    return _slow(law, _shape(center, scale), bits) * grid.unit


def gaussian(center: Reals, scale: Reals, bits: Bits, grid: Grid = Grid.INTEGERS) -> Floats:
    """center + scale·η rounded to the grid, η ~ N(0, 1)."""
    _require_positive("scale", scale)
    law = ideal_laws.rounded_gaussian(center, scale, grid)
    return _slow(law, _shape(center, scale), bits) * grid.unit


def heavy_tailed(center: Reals, scale: Reals, bits: Bits, grid: Grid = Grid.INTEGERS) -> Floats:
    """center + scale·η rounded to the grid, η of density (√2/π)/(1 + z⁴)."""
    _require_positive("scale", scale)
    law = ideal_laws.rounded_heavy_tailed(center, scale, grid)
    return _slow(law, _shape(center, scale), bits) * grid.unit


def log_laplace(
    count: Reals, gamma: Reals, scale: Reals, bits: Bits, grid: Grid = Grid.INTEGERS
) -> Floats:
    """(n + γ)·e^η − γ rounded to the grid, η ~ Laplace(scale)."""
    _require_positive("scale", scale)
    law = ideal_laws.RoundedLogLaplace(count, gamma, scale, grid)
    return _slow(law, _shape(count, gamma, scale), bits) * grid.unit


def two_sided_geometric(epsilon: Fraction, size: int, bits: Bits) -> NDArray[np.int64]:
    """``size`` integers with P(k) proportional to e^(−ε|k|), ε > 0."""
    law = ideal_laws.TwoSidedGeometric(positive("epsilon", epsilon))
    return _slow(law, (size,), bits).astype(np.int64)
