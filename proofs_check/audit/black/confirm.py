"""Test one event on one pair, on outputs that were not used to find it."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from establish.proofs_check.audit.black.betting import Wager
from establish.proofs_check.audit.black.confidence import ErrorBudget, at_any_time, lower, upper
from establish.proofs_check.audit.black.events import Event
from establish.proofs_check.audit.black.samples import Samples
from establish.proofs_check.audit.question.level import Floats, Level
from establish.proofs_check.audit.question.result import Interval, Pair

FIRST_LOOK = 64
"""Fresh outputs of each dataset before the first look."""

GROWTH = 1.2
"""So many times as many before each next look."""

GIVE_UP = 1e-6
"""A candidate is dropped when it would break the level with less than this one-sided confidence."""

GUESSED = 0.25
"""Outputs on which an event was scored count so much for the first stake: the best of many flatter."""

CLEARER = 4
"""So many times the outputs that proved a violation are drawn at most to narrow its probabilities."""


@dataclass(frozen=True)
class Candidate:
    """An event to test: Pr[M(pair[0]) ∈ event] may be too large beside Pr[M(pair[1]) ∈ event].

    shares: of the outputs in the event, of ``rows`` of each dataset on which it was scored.
    """

    pair: Pair
    event: Event
    grid: Floats | None
    score: float
    least: float = 0.0
    shares: tuple[float, float] = (0.5, 0.5)
    rows: int = 0


@dataclass(frozen=True)
class Tested:
    """What fresh outputs say of a candidate. proved: outputs of each dataset when it was proved."""

    candidate: Candidate
    violated: bool
    least: float
    probabilities: tuple[Interval, Interval]
    size: int = field(default=0)
    proved: int = field(default=0)


def fresh_test(
    candidate: Candidate,
    level: Level,
    samples: Samples,
    budget: ErrorBudget,
    most: int,
    sharpest: bool = False,
) -> Tested | None:
    """Draw up to ``most`` fresh outputs of each dataset, and look at them as they come.

    The event was fixed before these outputs were drawn. Half of the error that ``budget`` gives goes
    to the bet against the level, a quarter to the bounds of each probability; all hold at any time, so
    the test ends as soon as both show a violation, or there is no hope. sharpest: draw all of
    ``most`` when there is a violation, for narrower bounds. None when the budget is spent.
    """
    if not budget.left or most < 1:
        return None
    error = budget.spend()
    wager = Wager(level, candidate.shares, min(GUESSED * candidate.rows, 1000.0))
    counted, have, proved = (0, 0), 0, 0
    goal: float = FIRST_LOOK
    while True:
        batch = samples.count(
            candidate.pair, candidate.event, candidate.grid, min(int(goal), most) - have
        )
        wager.add(batch)
        have += sum(batch)
        counted = (counted[0] + batch[0] + batch[1], counted[1] + batch[0] + batch[2])
        p, q = (at_any_time(count, have, error / 4) for count in counted)
        shown = level.least(p[0], q[1])
        if not proved and wager.fortune(np.array([level.bound]))[0] >= -np.log(error / 2):
            proved = have
        hopeful = level.least(upper(counted[0], have, GIVE_UP), lower(counted[1], have, GIVE_UP))
        if have >= most or (not proved and hopeful <= level.bound):
            break
        if proved and not sharpest and (shown > level.bound or have >= CLEARER * proved):
            break
        goal = max(GROWTH * have, have + 1)
    violated = proved > 0 or shown > level.bound
    least = max(shown, wager.least(error / 2)) if violated else shown
    return Tested(candidate, violated, least, (p, q), have, proved or have)
