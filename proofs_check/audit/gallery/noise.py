"""Mechanisms that the gallery varies, written with an explicit scale; vectorized."""

import math
from typing import Any

import numpy as np

from establish.proofs_check.audit.gallery.entry import Draw, Floats

Rng = np.random.Generator

REJECTION_BOUND = (1 + math.sqrt(2)) / 2
"""The maximum of (1+z²)/(1+z⁴). With u = z² the derivative vanishes where u² + 2u = 1, at u = √2 −
1, and there (1+u)/(1+u²) = √2/(4 − 2√2) = (1+√2)/2."""


def heavy_tailed(size: int, rng: Rng) -> Floats:
    """``size`` independent draws from the density (√2/π)/(1+z⁴): mean |z| 1/√2, mean z² 1.

    Rejection from the Cauchy law, exact up to floats: a Cauchy z is kept with probability
    (1+z²)/(1+z⁴) / REJECTION_BOUND <= 1, so the kept ones have density proportional to 1/(1+z⁴).
    The share that is kept is (π/√2)/(π·REJECTION_BOUND) = 2 − √2, about 0.586.
    """
    drawn = np.empty(size)
    filled = 0
    while filled < size:
        z = rng.standard_cauchy(int(1.8 * (size - filled)) + 16)
        u = np.minimum(z * z, 1e100)  # beyond 1e50 the ratio below is 0 for every practical purpose
        kept = z[rng.random(z.size) * REJECTION_BOUND * (1 + u * u) < 1 + u][: size - filled]
        drawn[filled : filled + kept.size] = kept
        filled += kept.size
    return drawn


def laplace_count(scale: float) -> Draw:
    """n + Laplace(scale), for a count n or the sizes of a cell."""
    return lambda d, size, rng: total(d) + rng.laplace(0.0, scale, size)


def laplace_of(states: Any, many: int) -> Floats:
    """Laplace noise of scale 1 from states 0, …, ``many`` − 1 of a generator: its quantiles."""
    u = (states + 0.5) / many - 0.5
    return np.asarray(-np.sign(u) * np.log1p(-2 * np.abs(u)))


def geometric(ratio: float, size: int, rng: Rng) -> Floats:
    """The difference of two geometric variables: mass (1−ρ)/(1+ρ)·ρ^|k| on the integers."""
    two = rng.geometric(1.0 - ratio, (2, size)).astype(np.float64)
    return np.asarray(two[0] - two[1])


def geometric_count(ratio: float) -> Draw:
    """n + K, for a count n."""
    return lambda d, size, rng: total(d) + geometric(ratio, size, rng)


def normal_count(deviation: float) -> Draw:
    """n + N(0, deviation²), for a count n."""
    return lambda d, size, rng: total(d) + rng.normal(0.0, deviation, size)


def log_laplace(n: float, shift: float, scale: float, size: int, rng: Rng) -> Floats:
    """(n + shift)·e^η − shift with η ~ Laplace(scale)."""
    return np.asarray((n + shift) * np.exp(rng.laplace(0.0, scale, size)) - shift)


def log_laplace_cell(alpha: float, scale: float, shift: float | None = None) -> Draw:
    """Log-Laplace on the total of one cell, with shift 1/α unless given."""
    moved = 1 / alpha if shift is None else shift
    return lambda d, size, rng: log_laplace(total(d), moved, scale, size, rng)


def smooth_gamma_cell(alpha: float, multiplier: float) -> Draw:
    """n + multiplier·S·Z with S = max(α·largest, 1) and Z of density ∝ 1/(1+z⁴)."""

    def draw(d: Any, size: int, rng: Rng) -> Floats:
        return np.asarray(total(d) + multiplier * max(alpha * max(d), 1.0) * heavy_tailed(size, rng))

    return draw


def smooth_laplace_cell(alpha: float, multiplier: float) -> Draw:
    """n + multiplier·S·Laplace(1) with S = max(α·largest, 1)."""

    def draw(d: Any, size: int, rng: Rng) -> Floats:
        return np.asarray(total(d) + multiplier * max(alpha * max(d), 1.0) * rng.laplace(0.0, 1.0, size))

    return draw


def root_normal(deviation: float) -> Draw:
    """√(sum of the values) + N(0, deviation²): the ψ-mechanism of Webb et al. 2025 for ψ = √."""
    return lambda d, size, rng: math.sqrt(sum(d)) + rng.normal(0.0, deviation, size)


def columns(*parts: Any) -> Floats:
    """Outputs of several numbers, one row per draw."""
    return np.column_stack([np.asarray(part, dtype=np.float64) for part in parts])


def constant(value: float, size: int) -> Floats:
    """The same output every time."""
    return np.full(size, float(value))


def total(d: Any) -> float:
    """The count itself, or the number of workers of a cell."""
    return float(sum(d)) if isinstance(d, tuple) else float(d)


def shares(d: Any) -> tuple[float, ...]:
    """The workers of the cell by value of the worker attribute."""
    return tuple(float(sum(column)) for column in zip(*d, strict=True))
