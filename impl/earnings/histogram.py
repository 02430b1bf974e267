"""The protected histogram of many cells at once: integer counts with two-sided geometric noise."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from establish.impl.earnings.bins import Bins
from establish.spec.parameters import ParameterError, Rational, positive

Counts = NDArray[np.int64]
"""One row per cell, one column per bin; protected counts may be negative."""

LEAST_EPSILON, MOST_EPSILON = 1e-6, 30.0
"""Where floats carry the noise: below, sums of counts could pass 2^53; above, noise that is not 0 has
probability below 2e-13 and would hardly ever be drawn."""


def budget(name: str, value: Rational) -> float:
    """ε as a float. Raises ParameterError outside LEAST_EPSILON ≤ ε ≤ MOST_EPSILON."""
    number = positive(name, value)
    if not LEAST_EPSILON <= number <= MOST_EPSILON:
        raise ParameterError(
            f"{name} = {value} is not allowed: {name} must lie in {LEAST_EPSILON:g}..{MOST_EPSILON:g}"
        )
    return float(number)


def histogram(
    cells: NDArray[np.int64], earnings: NDArray[np.float64], number: int, bins: Bins
) -> Counts:
    """How many of each cell's earnings lie in each bin.

    cells: the cell of each amount, from 0 to number − 1. earnings: dollars, same length.
    """
    width = len(bins)
    places = cells * width + bins.index(earnings)
    return np.bincount(places, minlength=number * width).reshape(number, width).astype(np.int64)


def two_sided_geometric(shape: tuple[int, ...], epsilon: float, rng: np.random.Generator) -> Counts:
    """Independent integers with mass (1−ρ)/(1+ρ)·ρ^|k|, ρ = e^(−ε).

    ⌊E/ε⌋ with E standard exponential is at least k with probability e^(−kε), which is the geometric
    law with p = 1 − e^(−ε); two of them are subtracted (Foote et al. 2019, Definition 2.5).
    """
    first, second = (np.floor(rng.standard_exponential(shape) / epsilon) for _ in range(2))
    return (first - second).astype(np.int64)


def protected(counts: Counts, epsilon: float, rng: np.random.Generator) -> Counts:
    """Counts with that noise: ε-private when one record is added or removed, 2ε when it changes."""
    return counts + two_sided_geometric(counts.shape, epsilon, rng)
