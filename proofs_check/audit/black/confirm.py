"""Test one event on one pair, on outputs that were not used to find it."""

from __future__ import annotations

from dataclasses import dataclass, field

from establish.proofs_check.audit.black.confidence import ErrorBudget, interval, lower, upper
from establish.proofs_check.audit.black.events import Event
from establish.proofs_check.audit.black.samples import Samples
from establish.proofs_check.audit.question.level import Floats, Level
from establish.proofs_check.audit.question.result import Interval, Pair

FIRST_LOOK = 1024
"""Fresh outputs of each dataset before the first look."""

GROWTH = 4
"""So many times as many before each next look."""

GIVE_UP = 1e-4
"""A candidate is dropped when it would break the level with less than this one-sided confidence."""


@dataclass(frozen=True)
class Candidate:
    """An event to test: Pr[M(pair[0]) ∈ event] may be too large beside Pr[M(pair[1]) ∈ event]."""

    pair: Pair
    event: Event
    grid: Floats | None
    score: float
    least: float = 0.0


@dataclass(frozen=True)
class Tested:
    """What fresh outputs say of a candidate."""

    candidate: Candidate
    violated: bool
    least: float
    probabilities: tuple[Interval, Interval]
    size: int = field(default=0)


def fresh_test(
    candidate: Candidate,
    level: Level,
    samples: Samples,
    budget: ErrorBudget,
    most: int,
    first: int = FIRST_LOOK,
) -> Tested | None:
    """Draw up to ``most`` fresh outputs of each dataset, and look at ``first``, 4·first, … of them.

    The event was fixed before these outputs were drawn, so Clopper–Pearson bounds hold at each look
    with the error that ``budget`` gives it. None when the budget is spent.
    """
    counted, have, best = (0, 0), 0, None
    goal = min(first, most)
    while budget.left:
        more = samples.count(candidate.pair, candidate.event, candidate.grid, goal - have)
        counted, have = (counted[0] + more[0], counted[1] + more[1]), goal
        error = budget.spend() / 4
        p, q = (interval(count, have, error) for count in counted)
        least = level.least(p[0], q[1])
        if best is None or least >= best.least:
            best = Tested(candidate, least > level.bound, least, (p, q), have)
        hopeful = level.least(upper(counted[0], have, GIVE_UP), lower(counted[1], have, GIVE_UP))
        if best.violated or have >= most or hopeful <= level.bound:
            break
        goal = min(GROWTH * have, most)
    return best
