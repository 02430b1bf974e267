"""The smooth sensitivity of a cell's count, per cell (Haney et al. 2017, Lemma 8.5)."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from establish.impl.sampling.reals import Reals


def smooth_sensitivity(alpha: Fraction, largest: NDArray[np.float64]) -> Reals:
    """S = max(α·largest, 1), for whole numbers ``largest``, one per cell."""
    return Reals.fraction(alpha).times(Reals.floats(largest)).at_least(1)
