"""What the noise scales that are exported tell an attacker who knows all persons but one."""

import numpy as np

from establish.impl.arrays import Floats

SAME = 1e-12
"""Relative difference below which two scales are the same number."""


def same(one: float, other: float) -> bool:
    """Whether two computed scales stand for the same number."""
    return abs(one - other) <= SAME * abs(other)


def summary(gains: Floats) -> tuple[float, float, float]:
    """The share that is infinite, the largest, and the largest that is finite (0 for none)."""
    finite = gains[np.isfinite(gains)]
    return float(np.isinf(gains).mean()), float(gains.max()), float(finite.max(initial=0.0))
