"""Events beyond what was seen: two tails that fall at different rates have an unbounded ratio.

Beyond a high quantile each tail is fitted by its mean excess, and the threshold is looked for at which
a bet on fresh outputs would grow fastest, seen so far or not. The fit only proposes: an event is proved
on fresh outputs like any other.
"""

import math
from collections.abc import Iterator

import numpy as np

from establish.proofs_check.audit.black.betting import growth
from establish.proofs_check.audit.black.events import Range
from establish.proofs_check.audit.black.features import coordinate
from establish.proofs_check.audit.question.level import Floats, Level
from establish.proofs_check.audit.question.outcomes import signs

START = 0.98
"""The tail begins at this quantile of both laws together."""

FEWEST = 100
"""A tail of fewer outputs is not fitted."""

DISTINCT = 0.5
"""A tail with a smaller share of different values is no continuous one."""

STEPS = 80
"""So many thresholds are tried, up to where the tail of the likelier law has probability FARTHEST."""

FARTHEST = 1e-7


def far_events(
    first: Floats, second: Floats, level: Level, tested: int, needed: float
) -> Iterator[tuple[Range, bool, tuple[float, float]]]:
    """Thresholds on one number, in either direction: (event, swapped, expected shares).

    first, second: outputs with one number each. Only those are given for which a bet on ``tested``
    outputs is expected to win ``needed`` in logarithms.
    """
    if first.shape[1] != 1:
        return
    for sign in (1.0, -1.0):
        sides = [sign * side[:, 0] for side in (first, second)]
        fitted = _fitted(*sides)
        if fitted is None:
            continue
        start, shares, rates = fitted
        for swapped in (False, True):
            (p, a), (q, b) = (
                zip(shares, rates, strict=True)
                if not swapped
                else zip(shares[::-1], rates[::-1], strict=True)
            )
            if not a < b:
                continue
            away = np.linspace(0.0, math.log(p / FARTHEST) / a, STEPS)
            likelier, other = p * np.exp(-a * away), q * np.exp(-b * away)
            line = level.line(level.bound, (float(likelier[-1]), float(other[-1])))
            mean, _ = growth(likelier, other, *(np.full(STEPS, part) for part in line))
            best = int(np.argmax(mean))
            if tested * mean[best] < needed:
                continue
            at = float(f"{start + away[best]:.4g}")
            low, high = (at, math.inf) if sign > 0 else (-math.inf, -at)
            expected = float(likelier[best]), float(other[best])
            yield Range(coordinate(0, 1), low, high), swapped, expected


def _fitted(first: Floats, second: Floats) -> tuple[float, tuple[float, float], tuple[float, float]] | None:
    """The start of the upper tails, the shares beyond it, and the rates at which they fall."""
    start = float(np.quantile(np.concatenate([first, second]), START, method="nearest"))
    if not math.isfinite(start):
        return None
    shares, rates = [], []
    for side in (first, second):
        beyond = side[np.isfinite(side) & (side > start) & ~signs(side)]
        if beyond.size < FEWEST or np.unique(beyond).size < DISTINCT * beyond.size:
            return None
        shares.append(beyond.size / side.size)
        rates.append(1 / float((beyond - start).mean()))
    return start, (shares[0], shares[1]), (rates[0], rates[1])
