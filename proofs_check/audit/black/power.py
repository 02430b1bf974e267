"""What an audit that found nothing would have found."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import stats

from establish.proofs_check.audit.black.confidence import ERROR, LOOKS, lower, upper
from establish.proofs_check.audit.black.search import Round
from establish.proofs_check.audit.question.level import Level

MISSED = 0.01
"""A violation as large as the power is missed with at most this probability."""

LARGEST = 60.0
"""No larger ε or μ is looked for."""


def power(level: Level, rounds: Sequence[Round], tested: int) -> float | None:
    """The least ε or μ that one of the pairs could have and be found with probability 0.99.

    It speaks of a pair with an event of probability 1/2 under one dataset (for GEDP, symmetric
    probabilities), the shape of a shifted noise law. Half of MISSED is for not reaching the fresh
    test: in every round the score must exceed that of the last pair that went on. The other half is
    for the fresh test with ``tested`` outputs of each dataset. None when even LARGEST is not reached.
    """
    low, high = level.bound, level.bound + LARGEST
    if not tested or not _found(level, rounds, tested, high):
        return None
    while high - low > 1e-4 * max(low, 1e-2):
        middle = (low + high) / 2
        if _found(level, rounds, tested, middle):
            high = middle
        else:
            low = middle
    return high


def _found(level: Level, rounds: Sequence[Round], tested: int, least: float) -> bool:
    p, q = level.reference(least)
    missed = 0.0
    for turn in rounds:
        score = float(level.score(np.array(p), np.array(q), turn.size // 2))
        missed += float(stats.norm.sf(score - turn.cut))
    if missed > MISSED / 2:
        return False
    error = ERROR / LOOKS / 4
    seen_p = int(stats.binom.ppf(MISSED / 4, tested, p))
    seen_q = int(stats.binom.isf(MISSED / 4, tested, q))
    return level.least(lower(seen_p, tested, error), upper(seen_q, tested, error)) > level.bound
