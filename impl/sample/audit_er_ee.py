"""Mechanisms for ``establish audit`` with an employer-employee definition.

    establish audit establish.impl.sample.audit_er_ee:total \\
        --definition strong-er-ee --alpha 1/10 --epsilon 2
    establish audit establish.impl.sample.audit_er_ee:without_shift \\
        --definition strong-er-ee --alpha 1/10 --epsilon 2

A dataset is a tuple of establishment sizes of one cell: ``(12, 3)`` has two establishments. The audit
changes one of them by at most max(α·size, 1) workers, and compares what the mechanism releases.
"""

import math

import numpy as np

ALPHA, EPSILON = 0.1, 2.0
SCALE = math.log1p(ALPHA) / EPSILON


def total(sizes: tuple[int, ...], rng: np.random.Generator) -> float:
    """Laplace noise on the logarithm of the total, shifted by 1/α: private."""
    shift = 1 / ALPHA
    return (sum(sizes) + shift) * math.exp(rng.laplace(0.0, SCALE)) - shift


def without_shift(sizes: tuple[int, ...], rng: np.random.Generator) -> float:
    """The same without the shift: an empty cell stays empty, which everybody sees."""
    return sum(sizes) * math.exp(rng.laplace(0.0, SCALE))
