"""Percentiles with noise scaled by their smooth sensitivity (Foote et al. 2019, Section 4.2, corrected)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from establish.impl.arrays import Floats
from establish.impl.earnings.percentiles import Shares
from establish.spec.parameters import ParameterError

SMOOTHNESS, SLIDE = 4, 16
"""β = ε_x/4 and the noise scale S/(ε_x/16), with the percentile's own budget ε_x in both places."""


@dataclass(frozen=True)
class Rank:
    """The rank M = (N+1)·a/b: factor·M' with M' from 1 to N, between ``below`` and the next one.

    factor: 1, and for a rank outside [1, N] how far it lies inside from the public end, which stands
    still. part: M' − below, in [0, 1).
    """

    below: int
    part: float
    factor: float


def rank_of(size: int, share: tuple[int, int]) -> Rank:
    """The rank of a share a/b among N = size ≥ 1 earnings; neighbors have the same N."""
    a, b = share
    below, part = divmod((size + 1) * a, b)
    if below == 0:
        return Rank(1, 0.0, part / b)
    if below == size:
        return Rank(size, 0.0, (b - part) / b)
    return Rank(below, part / b, 1.0)


def percentile(earnings: Floats, share: tuple[int, int], ends: tuple[float, float]) -> float:
    """The percentile at its rank, linear between the order statistics and the public ends around it."""
    a, b = share
    below, part = divmod((earnings.size + 1) * a, b)
    around = np.concatenate(([ends[0]], earnings, [ends[1]]))
    return float(around[below] + (around[below + 1] - around[below]) * part / b)


def smooth_sensitivity(earnings: Floats, rank: Rank, ends: tuple[float, float], beta: float) -> float:
    """The β-smooth sensitivity of the percentile at that rank, neighbors changing one amount.

    earnings: sorted, inside the public ``ends``. O(n log n). It is the largest factor·e^(−kβ)·(u_j − w_i)
    with i ≤ at ≤ j and j − i = k + 1 (spec/earnings/rank_sensitivity): at a whole rank u and w are the
    earnings; otherwise ``at`` is the nearest rank, and with f its distance from the one below

        u_j = (1−2f)·e_j + f·e_{j+1},      w_i = (1−f)·e_i                          for f ≤ 1/2,
        u_j = f·e_j,                       w_i = (2f−1)·e_i + (1−f)·e_{i−1}         for f > 1/2.

    Pairs more than ``reach`` apart cannot exceed the best neighboring pair. Among the others the best j
    never falls as i rises, because a larger w_i costs a larger j less; so halving the i's halves the
    j's to look at.
    """
    f, low, high = rank.part, ends[0], ends[1]
    around = np.concatenate(([low], earnings, [high]))
    if f <= 0.5:
        at, lower = rank.below, (1 - f) * around
        upper = (1 - 2 * f) * around + f * np.append(around[1:], high)
    else:
        at, upper = rank.below + 1, f * around
        lower = (2 * f - 1) * around + (1 - f) * np.append(low, around[:-1])
    best = float(max(upper[at] - lower[at - 1], upper[at + 1] - lower[at]))
    span = high - low
    reach = around.size if best <= 0 else math.ceil(math.log(span / best) / beta) + 1
    first, last = max(at - reach, 0), min(at + reach, around.size - 1)
    waiting = [(first, at, at, last)]
    while waiting:
        i_low, i_high, j_low, j_high = waiting.pop()
        if i_low > i_high:
            continue
        i = (i_low + i_high) // 2
        j = np.arange(max(j_low, i + 1), j_high + 1)
        widths = (upper[j] - lower[i]) * np.exp(-beta * (j - i - 1))
        top = int(np.argmax(widths))
        best = max(best, float(widths[top]))
        waiting += [(i_low, i - 1, j_low, int(j[top])), (i + 1, i_high, int(j[top]), j_high)]
    return rank.factor * best


def split(epsilon: float, shares: Shares, budgets: Sequence[float] | None = None) -> tuple[float, ...]:
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
    earnings: Floats, shares: Shares, budgets: Sequence[float], ends: tuple[float, float]
) -> tuple[Floats, Floats]:
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
    scales = [
        SLIDE * smooth_sensitivity(ordered, rank_of(ordered.size, share), ends, budget / SMOOTHNESS) / budget
        for share, budget in zip(shares, budgets, strict=True)
    ]
    return np.array([percentile(ordered, share, ends) for share in shares]), np.array(scales)
