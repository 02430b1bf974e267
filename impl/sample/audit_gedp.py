"""Mechanisms for ``establish audit --definition gedp``.

    establish audit establish.impl.sample.audit_gedp:first_and_total \\
        --definition gedp --mu 1 --psi sqrt --gamma 1/2
    establish audit establish.impl.sample.audit_gedp:Roots \\
        --definition gedp --mu 1 --psi sqrt --gamma 1/2
    establish audit establish.impl.sample.audit_gedp:plain \\
        --definition gedp --mu 1 --psi sqrt --gamma 1/2

A dataset is a tuple of establishment values, ``(12.0, 3.5)``; with ``--gamma 1/2,1`` each establishment
is a tuple of two values. The audit moves one establishment so that |ψ(x) − ψ(y)| ≤ γ.
"""

import math

import numpy as np
from numpy.typing import NDArray

MU, GAMMA = 1.0, 0.5


class Roots:
    """Normal noise of standard deviation γ/μ on √ of the total: private. Vectorized by ``sample``."""

    def sample(self, values: tuple[float, ...], size: int, rng: np.random.Generator) -> NDArray[np.float64]:
        return math.sqrt(sum(values)) + GAMMA / MU * rng.normal(size=size)


def first_and_total(values: tuple[float, ...], rng: np.random.Generator) -> NDArray[np.float64]:
    """The first establishment and the total, each with the whole budget μ: together √2 too much."""
    noise = GAMMA / MU * rng.normal(size=2)
    released: NDArray[np.float64] = np.sqrt([values[0], sum(values)]) + noise
    return released


def plain(values: tuple[float, ...], rng: np.random.Generator) -> float:
    """The same noise on the total itself: too little for large establishments."""
    return sum(values) + GAMMA / MU * rng.normal()
