"""What pnc leaves of the budget of every establishment but a group's largest; ours.

Given the bounds, pnc answers a group's sum with noise for the largest bound u*. A change of another
establishment, clipped at its own bound u, moves that sum by fewer standard deviations, so that part of its
μ is not spent. A second answer of ψ for that establishment spends the rest, under the same μ. A share KEPT of
μ² is left for the largest one too: its answer has finite noise, and the sum 0.2% more of it.

Budgets that are followed for each individual are Feldman and Zrnic's (2021); here they rest on bounds from
released answers, so that no filter on confidential losses is needed.
"""

from __future__ import annotations

from fractions import Fraction

from establish.spec.arithmetic import Number, World
from establish.spec.mechanisms.probably_no_clipping import clipped_at_own, sensitivity
from establish.spec.neighbor_functions.functions import NeighborFunction

KEPT = Fraction(1, 256)
"""The share of μ² that is left for every establishment."""


def sum_scale(most: Number, mu: Number, c: World) -> Number:
    """The standard deviation of a group's sum, for Δ(u*) = ``most``: Δ(u*)/(μ·√(1 − KEPT))."""
    return most / (mu * c.sqrt(c.number(1 - KEPT)))


def spent(own: Number, most: Number, c: World) -> Number:
    """The share (1 − KEPT)·(Δ(u)/Δ(u*))² of μ² that the sum takes of an establishment with bound u ≤ u*."""
    return c.number(1 - KEPT) * (own / most) ** 2


def left(own: Number, most: Number, c: World) -> Number:
    """The share of μ² that is left to it: μ_e² = left·μ² is the budget of its second answer of ψ."""
    return 1 - spent(own, most, c)


def cost(
    psi: NeighborFunction,
    gamma: Number,
    bounds: tuple[Number, Number],
    values: tuple[Number, Number],
    c: World,
) -> Number:
    """The square of what both answers tell of two close values x ≥ y, as a share of μ²; bounds: u ≤ u*.

    The answers are normal, with standard deviations that the values do not change: the squares of the shifts
    in standard deviations add up.
    """
    x, y = values
    own, most = (sensitivity(psi, u, gamma, c) for u in bounds)
    moved = clipped_at_own([x], bounds[:1], c) - clipped_at_own([y], bounds[:1], c)
    told = (psi.value(x, c) - psi.value(y, c)) / gamma
    return spent(moved, most, c) + told**2 * left(own, most, c)


def pooled(first: Number, second: Number, weight: Number) -> Number:
    """The variance, in units of γ², of (1 − weight)·ω_1 + weight·ω_2 for answers of budgets μ_1, μ_2."""
    return (1 - weight) ** 2 / first**2 + weight**2 / second**2


def pooling(first: Number, second: Number) -> Number:
    """The weight μ_2²/(μ_1² + μ_2²) of ω_2, with which that variance is least: 1/(μ_1² + μ_2²)."""
    return second**2 / (first**2 + second**2)
