"""Percentiles with noise scaled by their smooth sensitivity (Foote et al. 2019, Section 4.2, corrected)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from establish.impl.earnings.percentiles import Shares
from establish.impl.mechanisms.smooth_gamma import heavy_tailed
from establish.spec.parameters import ParameterError

SMOOTHNESS, SLIDE = 4, 16
"""β = ε_x/4 and the noise scale S/(ε_x/16), with the percentile's own budget ε_x in both places."""


def rank(size: int, share: tuple[int, int]) -> int:
    """⌈(N+1)·a/b⌉, at most N: the paper's rank where that is whole, and defined where it is not.

    It depends on N only, which neighbors share, so the sensitivity below applies to every N ≥ 1.
    """
    a, b = share
    return min(-(-(size + 1) * a // b), size)


def smooth_sensitivity(
    earnings: NDArray[np.float64], at: int, ends: tuple[float, float], beta: float
) -> float:
    """max of e^(−kβ)·(e_j − e_i) over i ≤ at ≤ j with j − i = k + 1, in O(n log n).

    earnings: sorted, inside the public ``ends``, which stand for e_0 and e_{n+1}. at: a rank from 1 to
    n. Neighbors change one amount. Pairs more than ``reach`` apart cannot exceed the best neighboring
    pair. Among the others the best j never falls as i rises, because a larger e_i costs a larger j
    less; so halving the i's halves the j's to look at.
    """
    around = np.concatenate(([ends[0]], earnings, [ends[1]]))
    best = float(max(around[at] - around[at - 1], around[at + 1] - around[at]))
    span = ends[1] - ends[0]
    reach = around.size if best <= 0 else math.ceil(math.log(span / best) / beta) + 1
    first, last = max(at - reach, 0), min(at + reach, around.size - 1)
    waiting = [(first, at, at, last)]
    while waiting:
        i_low, i_high, j_low, j_high = waiting.pop()
        if i_low > i_high:
            continue
        i = (i_low + i_high) // 2
        j = np.arange(max(j_low, i + 1), j_high + 1)
        widths = (around[j] - around[i]) * np.exp(-beta * (j - i - 1))
        top = int(np.argmax(widths))
        best = max(best, float(widths[top]))
        waiting += [(i_low, i - 1, j_low, int(j[top])), (i + 1, i_high, int(j[top]), j_high)]
    return best


def split(
    epsilon: float, shares: Shares, budgets: Sequence[float] | None = None
) -> tuple[float, ...]:
    """ε_x per percentile, equal ones by default.

    Raises ParameterError unless there is one positive ε_x per percentile and they add up to ε.
    """
    if budgets is None:
        return (epsilon / len(shares),) * len(shares)
    if len(budgets) != len(shares) or not all(budget > 0 for budget in budgets):
        raise ParameterError(f"budgets = {tuple(budgets)} must be one ε_x > 0 per percentile")
    if not math.isclose(math.fsum(budgets), epsilon, rel_tol=1e-12):
        raise ParameterError(f"budgets = {tuple(budgets)} must add up to ε = {epsilon:g}")
    return tuple(budgets)


def centers_and_scales(
    earnings: NDArray[np.float64],
    shares: Shares,
    budgets: Sequence[float],
    ends: tuple[float, float],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """One cell's true percentiles and the scale of the noise that each gets with its own ε_x.

    earnings: at least one amount. Both are confidential. Raises ParameterError for an empty cell, ends
    that do not increase, or amounts outside them.
    """
    if earnings.size == 0:
        raise ParameterError("an empty cell has no percentile with smooth sensitivity")
    if not ends[0] < ends[1]:
        raise ParameterError(f"ends = {ends} is not allowed: the lower end is below the upper")
    ordered = np.sort(earnings)
    if not (ends[0] <= ordered[0] and ordered[-1] <= ends[1]):
        raise ParameterError(f"earnings must lie in the public range {ends} (values are not shown)")
    ranks = [rank(ordered.size, share) for share in shares]
    scales = [
        SLIDE * smooth_sensitivity(ordered, at, ends, budget / SMOOTHNESS) / budget
        for at, budget in zip(ranks, budgets, strict=True)
    ]
    return ordered[np.array(ranks) - 1], np.array(scales)


def smooth_percentiles(
    earnings: NDArray[np.float64],
    shares: Shares,
    budgets: Sequence[float],
    ends: tuple[float, float],
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """One cell's percentiles, each with its own ε_x (see split); the losses add up.

    Neighbors change one individual's earnings; the number of individuals is taken as public. The values
    may be out of order, and outside the range. Raises ParameterError as centers_and_scales.
    """
    centers, scales = centers_and_scales(earnings, shares, budgets, ends)
    return centers + scales * heavy_tailed(len(shares), rng)
