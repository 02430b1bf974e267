"""Test one event on one pair, on outputs that were not used to find it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from establish.proofs_check.audit.black.betting import Wager, growth
from establish.proofs_check.audit.black.confidence import ErrorBudget, at_any_time, lower, upper
from establish.proofs_check.audit.black.events import Event, Range
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
            return (
                self.pair,
                self.event.feature.words,
                self.event.low,
                self.event.high,
                self.event.inside,
            )
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

    The event was fixed before any of its fresh outputs was drawn. Half of the ``error`` goes to the bet
    against the level, a quarter to the bounds of each probability; all hold at any time, so the trial
    may stop and go on as it likes.
    """

    def __init__(self, candidate: Candidate, level: Level, samples: Samples, error: float) -> None:
        self.candidate, self.level, self.samples, self.error = candidate, level, samples, error
        enough = max(1000.0, HITS / max(candidate.shares[0], 1e-12))
        self.wager = Wager(level, candidate.shares, min(GUESSED * candidate.rows, enough))
        self.counted, self.have, self.proved = (0, 0), 0, 0

    def run(self, most: int, sharpest: bool = False, keeps_its_promise: bool = False) -> Tested:
        """Go on until a violation is proved, there is no hope, or ``most`` were drawn in all.

        sharpest: draw all of ``most`` when there is a violation, for narrower bounds. keeps_its_promise:
        stop as well when much less was won than the candidate promised.
        """
        while self.have < most and not self._settled(sharpest):
            if keeps_its_promise and self._disappoints():
                break
            goal = min(max(FIRST_LOOK, int(GROWTH * self.have)), most)
            self._draw(goal - self.have)
        p, q = self._bounds()
        shown = self.level.least(p[0], q[1])
        violated = self.proved > 0 or shown > self.level.bound
        beyond = np.nextafter(self.level.bound, np.inf)  # the level itself is refuted
        least = float(max(shown, beyond, self.wager.least(self.error / 2))) if violated else shown
        return Tested(self.candidate, violated, least, (p, q), self.have, self.proved or self.have)

    def _disappoints(self) -> bool:
        promised = HALF_KEPT * self.have * self.candidate.promise
        return not self.proved and self._won < promised - LENIENT

    @property
    def _won(self) -> float:
        return float(self.wager.fortune(np.array([self.level.bound]))[0])

    def goes_on(self, available: int) -> int:
        """How many outputs of each dataset would settle it, as far as it looks like a violation.

        0 when it is settled, shows little, or would need more than are ``available``.
        """
        if self.proved or not self.have or self._settled(False):
            return 0
        needed = -np.log(self.error / 2)
        won = self._won
        p, q = ((n + 0.5) / (self.have + 1) for n in self.counted)
        line = self.level.line(self.level.bound, (p, q))
        mean = float(growth(*map(np.array, (p, q, *line)))[0])
        within_reach = won >= PROMISING and mean * available >= needed - won
        if available <= 0 or mean <= 0 or not (within_reach or won >= ALL_IN):
            return 0
        return min(available, int(LONGER * (needed - won) / mean) + FIRST_LOOK)

    def _draw(self, more: int) -> None:
        one = self.candidate
        batch = self.samples.count(one.pair, one.event, one.grid, more)
        self.wager.add(batch)
        self.have += sum(batch)
        self.counted = (
            self.counted[0] + batch[0] + batch[1],
            self.counted[1] + batch[0] + batch[2],
        )
        if self._won >= -np.log(self.error / 2) and not self.proved:
            self.proved = self.have

    def _bounds(self) -> tuple[Interval, Interval]:
        first, second = (at_any_time(n, self.have, self.error / 4) for n in self.counted)
        return first, second

    def _settled(self, sharpest: bool) -> bool:
        if not self.have:
            return False
        if self.proved:
            p, q = self._bounds()
            clear = self.level.least(p[0], q[1]) > self.level.bound
            return not sharpest and (clear or self.have >= CLEARER * self.proved)
        hopeful = self.level.least(
            upper(self.counted[0], self.have, GIVE_UP), lower(self.counted[1], self.have, GIVE_UP)
        )
        return hopeful <= self.level.bound


def fresh_test(
    candidate: Candidate,
    level: Level,
    samples: Samples,
    budget: ErrorBudget,
    most: int,
    sharpest: bool = False,
) -> Tested | None:
    """Test the candidate on up to ``most`` fresh outputs of each dataset; None without an error left."""
    if not budget.left or most < 1:
        return None
    return Trial(candidate, level, samples, budget.spend()).run(most, sharpest)
