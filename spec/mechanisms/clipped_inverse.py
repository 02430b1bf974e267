"""The way back from a noisy transformed value: ψ⁻¹, with what lies below ψ(0) raised to it.

A mechanism that adds noise to ψ(x) may answer below ψ(0), where ψ⁻¹ has no value (or, written as a
square for ψ = √, a wrong one).
"""

from __future__ import annotations

from functools import cache

import sympy

from establish.spec.arithmetic import Number, World
from establish.spec.neighbor_functions.functions import NeighborFunction, read


@cache
def _lowest(psi: NeighborFunction) -> sympy.Expr:
    """ψ(0), a limit that sympy need take only once."""
    return psi.at_zero()


def raised(psi: NeighborFunction, z: Number, c: World) -> Number:
    """max(ψ(0), z); z itself where ψ(0) = −∞."""
    lowest = _lowest(psi)
    return c.maximum(read(lowest, 0, c), z) if lowest.is_finite else z


def clipped_inverse(psi: NeighborFunction, z: Number, c: World) -> Number:
    """ψ⁻¹(max(ψ(0), z)), defined for every real z and at least 0."""
    return psi.inverse(raised(psi, c.number(z), c), c)
