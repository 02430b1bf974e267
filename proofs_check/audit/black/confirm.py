"""Test events on a pair, on outputs that were not used to find them.

A correct mechanism is accused with probability at most 1e-9. When a trial is made, its event and its error
are fixed by what was drawn before; what it sees is drawn later, in batches whose sizes are fixed before they
are drawn, so that given the past it is wrong with probability at most its error, whenever it stops (see
``betting`` and ``confidence.at_any_time``). The i-th trial of an audit gets the i-th part of the budget,
whatever it tests, and the parts add up to 1e-9. Nothing is asked of how trials depend on each other, so
those on one pair share their outputs: a wrong candidate costs a right one no outputs, only a later part.

An event that has probability p under one law and 0 under the other takes the exact binomial test at
probability 1e-9 about ln(1e9)/ln(1 + e^-ε)/p outputs of each dataset. A bet that stakes nearly all gains
ln(1 + e^-ε) by each occurrence, too: it needs ln(2/error) where the test needs ln(1e9), at most 1.4 times
as much at the smallest part. What remains of three times as many goes into finding the event.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from establish.proofs_check.audit.black.betting import Batch, Wager, growth
from establish.proofs_check.audit.black.confidence import ErrorBudget, at_any_time, lower, upper
from establish.proofs_check.audit.black.events import Event, Range
from establish.proofs_check.audit.black.samples import OneByOneError, Samples
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

HITS = 8.0
"""They count for a thousand outputs at most, or for what shows a rare event so often."""

PROMISING, LONGER = 3.0, 1.5
"""A trial goes on when so much was won, in logarithms, for so many times what it seems to need."""

ALL_IN = 6.0
"""A trial that won so much gets all that is left, even where more seems to be needed."""

HALF_KEPT, LENIENT = 0.5, 4.0
"""A candidate disappoints when it won less than this share of its promise, and by so much, in logarithms."""

CLEARER = 4
"""So many times the outputs that proved a violation are drawn at most to narrow its probabilities."""


@dataclass(frozen=True, eq=False)
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
    promise: float = 0.0

    @property
    def name(self) -> Any:
        """The same for the same event on the same pair, None for events that no words fix."""
        if (
            isinstance(self.event, Range)
            and not self.event.feature.cost
            and not any(self.event.feature.sides)
        ):
            return (self.pair, self.event.feature.words, self.event.low, self.event.high, self.event.inside)
        return None


@dataclass(frozen=True)
class Tested:
    """What fresh outputs say of a candidate. proved: outputs of each dataset when it was proved."""

    candidate: Candidate
    violated: bool
    least: float
    probabilities: tuple[Interval, Interval]
    size: int = field(default=0)
    proved: int = field(default=0)


class Trial:
    """The test of one candidate, which may be continued later with more outputs.

    The event was fixed before any of its fresh outputs was drawn, and the size of each batch before the
    batch. Half of the ``error`` goes to the bet against the level, a quarter to the bounds of each
    probability; all hold at any time, so the trial may stop and go on as it likes.
    """

    def __init__(self, candidate: Candidate, level: Level, error: float) -> None:
        self.candidate, self.level, self.error = candidate, level, error
        enough = max(1000.0, HITS / max(candidate.shares[0], 1e-12))
        self.wager = Wager(level, candidate.shares, min(GUESSED * candidate.rows, enough))
        self.counted, self.have, self.proved = (0, 0), 0, 0
        self.void = False
        """Whether the outputs that it saw were chosen: it stops, and proves nothing."""

    def see(self, batch: Batch) -> None:
        """One more batch of fresh pairs of outputs."""
        self.wager.add(batch)
        self.have += sum(batch)
        self.counted = (self.counted[0] + batch[0] + batch[1], self.counted[1] + batch[0] + batch[2])
        if self.won >= self._needed and not self.proved:
            self.proved = self.have

    def tested(self) -> Tested:
        """What was seen so far."""
        p, q = self._bounds()
        shown = self.level.least(p[0], q[1])
        violated = self.proved > 0 or shown > self.level.bound
        beyond = np.nextafter(self.level.bound, np.inf)  # the level itself is refuted
        least = float(max(shown, beyond, self.wager.least(self.error / 2))) if violated else shown
        return Tested(self.candidate, violated, least, (p, q), self.have, self.proved or self.have)

    @property
    def disappoints(self) -> bool:
        """Whether much less was won than the candidate promised."""
        promised = HALF_KEPT * self.have * self.candidate.promise
        return not self.proved and self.won < promised - LENIENT

    @property
    def won(self) -> float:
        """The logarithm of the largest fortune so far."""
        return float(self.wager.fortune(np.array([self.level.bound]))[0])

    @property
    def _needed(self) -> float:
        return -math.log(self.error / 2)

    @property
    def hopeless(self) -> bool:
        """Whether the level would be broken with less than the confidence GIVE_UP."""
        if self.void or not self.have or self.proved:
            return self.void
        hopeful = self.level.least(
            upper(self.counted[0], self.have, GIVE_UP), lower(self.counted[1], self.have, GIVE_UP)
        )
        return hopeful <= self.level.bound

    @property
    def clear(self) -> bool:
        """Whether a violation is proved, and its probabilities show it or have had their outputs."""
        p, q = self._bounds()
        shows = self.level.least(p[0], q[1]) > self.level.bound
        return self.proved > 0 and (shows or self.have >= CLEARER * self.proved)

    def goes_on(self, available: int) -> int:
        """How many outputs of each dataset may settle it, as far as it looks like a violation.

        0 when it is settled, shows little, or would need more than are ``available``; never more than it
        had, so that a fluke is known as one before it takes what others need.
        """
        if self.proved or not self.have or self.hopeless:
            return 0
        won, (p, q) = self.won, ((n + 0.5) / (self.have + 1) for n in self.counted)
        line = self.level.line(self.level.bound, (p, q))
        mean = float(growth(*map(np.array, (p, q, *line)))[0])
        within_reach = won >= PROMISING and mean * available >= self._needed - won
        if available <= 0 or mean <= 0 or not (within_reach or won >= ALL_IN):
            return 0
        wanted = int(LONGER * (self._needed - won) / mean) + FIRST_LOOK
        return min(available, wanted, self.have)

    def _bounds(self) -> tuple[Interval, Interval]:
        first, second = (at_any_time(n, self.have, self.error / 4) for n in self.counted)
        return first, second


def run(
    trials: Sequence[Trial], samples: Samples, most: int, sharpest: bool = False, keep_promises: bool = False
) -> Tested | None:
    """Show trials on one pair the same fresh outputs, up to ``most`` of each dataset.

    Ends when one proves a violation, which is the result, or none has hope. Sharing costs no
    probability: each trial has an error of its own. sharpest: draw all of ``most`` for the one that
    proves a violation. keep_promises: a trial that disappoints has no hope.
    """
    drawn, left = 0, list(trials)
    while drawn < most:
        left = [one for one in left if not (one.hopeless or (keep_promises and one.disappoints))]
        proved = [one for one in left if one.proved]
        left = proved[:1] or left
        if not left or (proved and proved[0].clear and not sharpest):
            break
        have = min(one.have for one in left)
        size = min(max(FIRST_LOOK - have, int((GROWTH - 1) * have), 1), most - drawn)
        asked = [(one.candidate.pair, one.candidate.event, one.candidate.grid) for one in left]
        try:
            batches = samples.count(asked, size)
        except OneByOneError:
            for one in trials:
                one.void = not one.proved
            break
        for one, batch in zip(left, batches, strict=True):
            one.see(batch)
        drawn += size
    return next((seen for one in trials if (seen := one.tested()).violated), None)


def fresh_test(
    candidate: Candidate,
    level: Level,
    samples: Samples,
    budget: ErrorBudget,
    most: int,
    sharpest: bool = False,
) -> Tested | None:
    """The violation, if up to ``most`` fresh outputs of each dataset prove one."""
    if not budget.left or most < 1:
        return None
    return run([Trial(candidate, level, budget.spend())], samples, most, sharpest)
