"""The way back from a noisy transformed value: ψ⁻¹, with what lies below ψ(0) raised to it.

A mechanism that adds noise to ψ(x) may answer below ψ(0), where ψ⁻¹ has no value (or, written as a
square for ψ = √, a wrong one).
"""

from __future__ import annotations

from establish.spec.arithmetic import Number, World
from establish.spec.neighbor_functions.functions import NeighborFunction


def raised(psi: NeighborFunction, z: Number, c: World) -> Number:
    """max(ψ(0), z); z itself where ψ(0) = −∞."""
    return c.maximum(psi.at_zero(c), z) if psi.real_at_zero else z


def clipped_inverse(psi: NeighborFunction, z: Number, c: World) -> Number:
    """ψ⁻¹(max(ψ(0), z)), defined for every real z and at least 0."""
    return psi.inverse(raised(psi, c.number(z), c), c)


def interval_length(psi: NeighborFunction, x: Number, t: Number, c: World) -> Number:
    """U − L of the interval around x at the distance t, for numbers of the world (Definition 5.2)."""
    low = clipped_inverse(psi, psi.value(x, c) - t, c)
    return psi.inverse(psi.value(x, c) + t, c) - low
