"""What an audit that found nothing would have found."""

import math
from collections.abc import Sequence

import numpy as np
from scipy import stats

from establish.proofs_check.audit.black.betting import growth
from establish.proofs_check.audit.black.confidence import ERROR, TESTS
from establish.proofs_check.audit.black.confirm import ALL_IN
from establish.proofs_check.audit.black.plan import FEWEST, FINALISTS, Plan, outputs_for, stage
from establish.proofs_check.audit.black.search import Stage
from establish.proofs_check.audit.question.level import Level

MISSED = 0.01
"""A violation as large as the power is missed with at most this probability."""

LARGEST = 60.0
"""No larger ε or μ is looked for."""

STRONG = 1.5
"""An audit is too weak when it would miss so many times the level ..."""

ENOUGH = 0.5
"""... with more than this probability, on a pair of the list."""

HESITATION = 2.0
"""What the bettor loses in logarithms until the best stake is known."""

SAFE = 1.5
"""A bet is given so many times what it needs on average."""

USUAL_CUT = 2.0
"""The score of the last pair that goes on, where none was seen at this size."""

GROUPS = FINALISTS + 1
"""On so many pairs candidates are tested, usually: the finalists and what came closest."""

MOST_OUTPUTS = 2**50
"""No larger audit is looked for."""


def detection(
    level: Level, used: Sequence[int], cuts: Sequence[float], first: int, tested: int, least: float
) -> float:
    """The probability that a stage finds a pair with this least ε or μ, as far as a bound tells.

    It speaks of a pair with an event of probability 1/2 under one dataset (for GEDP, symmetric
    probabilities), the shape of a shifted noise law. In every round the score, from half of the
    ``used`` outputs, must exceed that of the last pair that went on, and the bet must win ALL_IN on the
    ``first`` fresh outputs, after which it gets more, and succeed on ``tested`` of them; the probabilities
    of failing are added.
    """
    p, q = level.reference(least)
    missed = 0.0
    for size, cut in zip(used, cuts, strict=False):
        missed += float(stats.norm.sf(float(level.score(np.array(p), np.array(q), size / 2)) - cut))
    c, delta = level.line(level.bound, (p, q))
    mean, variance = (float(part) for part in growth(*map(np.array, (p, q, c, delta))))
    if mean <= 0 or not first:
        return 0.0
    for needed, size in ((ALL_IN, first), (math.log(4 * TESTS / ERROR), tested)):
        short = needed + HESITATION - size * mean
        missed += float(stats.norm.cdf(short / math.sqrt(size * variance + 1e-300)))
    return max(0.0, 1 - missed)


def bet(level: Level) -> int:
    """About how many outputs of each dataset a bet on a violation of STRONG times the level needs."""
    p, q = level.reference(STRONG * level.bound)
    mean, _ = growth(*map(np.array, (p, q, *level.line(level.bound, (p, q)))))
    return math.ceil(SAFE * (math.log(4 * TESTS / ERROR) + HESITATION) / max(float(mean), 1e-12))


def detected(level: Level, stages: Sequence[Stage], least: float) -> float:
    """The same for an audit of several stages: that of the best of them."""
    return max(
        (detection(level, done.used, done.cuts, done.first, done.tested, least) for done in stages),
        default=0.0,
    )


def power(level: Level, stages: Sequence[Stage]) -> float | None:
    """The least ε or μ that the worst of the tried pairs could have and be found with probability 0.99.

    None when even LARGEST is not found.
    """
    low, high = level.bound, level.bound + LARGEST
    if detected(level, stages, high) < 1 - MISSED:
        return None
    while high - low > 1e-4 * max(low, 1e-2):
        middle = (low + high) / 2
        if detected(level, stages, middle) >= 1 - MISSED:
            high = middle
        else:
            low = middle
    return high


def enough(
    level: Level, stages: Sequence[Stage], pairs: int, datasets: int, more_than: int = 0
) -> int | None:
    """About how many outputs an audit of all pairs needs that is not too weak; None beyond 2^50.

    The scores that pairs must exceed are taken from the largest stage so far, where there is one.
    more_than: so many outputs are known to be too few. It is too many rather than too few, as failures are
    added: for a count with Laplace noise, half of the violations were found with a third to a half of it
    after a stage of all pairs on a mechanism far below its level, with a quarter on one that just keeps it,
    and with an eighth where no stage of all pairs was seen.
    """
    seen, least = stages[-1] if stages else None, STRONG * level.bound
    size = FEWEST
    while (spent := outputs_for(pairs, datasets, size)) < MOST_OUTPUTS:
        planned: Plan = stage(pairs, datasets, size)
        cuts = [_cut(seen, pairs, turn, at) for turn, at in enumerate(planned.sizes[:-1])]
        first = planned.tested // GROUPS
        kept = min(bet(level), first // 2)
        tested = planned.tested - (GROUPS - 1) * kept
        found = spent > more_than and detection(level, planned.sizes, cuts, first, tested, least)
        if found >= ENOUGH:
            return _rounded(spent)
        size = math.ceil(1.1 * size)
    return None


def _cut(seen: Stage | None, pairs: int, turn: int, size: int) -> float:
    """The score that a pair must exceed in a round, as far as the largest stage tells.

    A mechanism far below its level has low scores. They tell what is to be expected of all pairs with no
    more outputs than they had in that stage; of other pairs, or with more, events may score higher that
    were too rare.
    """
    if seen is None or not seen.cuts:
        return USUAL_CUT
    known = seen.plan.left[0] == pairs and size <= seen.used[-1]
    usual = min(USUAL_CUT, max(seen.cuts)) if known else USUAL_CUT
    return max([usual, *seen.cuts[turn : turn + 1]])


def _rounded(number: int) -> int:
    """Upwards to two digits."""
    digits = max(len(str(number)) - 2, 0)
    return -(-number // int(10**digits)) * int(10**digits)
