"""A neighbor function of which nothing is known but what Definition 5.1 says."""

from typing import Any

from establish.spec.arithmetic import Number
from establish.spec.neighbor_functions.functions import NeighborFunction


class Arbitrary(NeighborFunction):
    """ψ as a name, for worlds that have ``psi`` and ``psi_inverse``: texts, and a solver.

    Its value at 0 is real, or −∞ as for log when ``real`` is False; then it has values at x > 0 only.
    Raises AttributeError in a world of numbers.
    """

    name = "ψ"

    def __init__(self, real: bool = True) -> None:
        self._real = real

    def value(self, x: Number, c: Any) -> Number:
        return c.psi(x)

    def slope(self, x: Number, c: Any) -> Number:
        raise TypeError("the slope of an arbitrary neighbor function is not known")

    def inverse(self, u: Number, c: Any) -> Number:
        if self._real:
            c.psi(c.number(0))  # ψ⁻¹ is defined from ψ(0) on
        return c.psi_inverse(u)

    @property
    def real_at_zero(self) -> bool:
        return self._real

    def at_zero(self, c: Any) -> Number:
        return c.psi(c.number(0))
