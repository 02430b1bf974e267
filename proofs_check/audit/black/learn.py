"""Learn, from samples of two output laws, events that the level does not allow."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from establish.proofs_check.audit.black.betting import promises
from establish.proofs_check.audit.black.bins import events
from establish.proofs_check.audit.black.confidence import lower, upper
from establish.proofs_check.audit.black.events import Among, Both, Event, Feature, Range
from establish.proofs_check.audit.black.features import coordinate, features
from establish.proofs_check.audit.question.level import Floats, Level

CAUTION = 1e-4
"""Error of the bounds by which events that break nothing are compared."""

PROMISING = 3
"""So many events per direction are kept for what a bet on them promises, whatever their score."""

TRIED = 10
"""So many events per direction go from the learning half to the other half."""

CORNER = 6
"""So many coordinates may be combined into one event."""


@dataclass(frozen=True)
class Found:
    """An event, whether the pair is to be swapped, and its score on the half it was not learned on.

    shares: of the outputs in the event, among ``size`` of each law on that half. promise: by how much a
    bet on one pair of fresh outputs would grow in logarithms if these were the probabilities.
    """

    event: Event
    swapped: bool
    score: float
    shares: tuple[float, float]
    size: int
    promise: float = 0.0


def least(found: Found, level: Level) -> float:
    """What ``found`` would probably prove: the least ε or μ at bounds a few standard errors away."""
    n = found.size
    p, q = (round(share * n) for share in found.shares)
    return level.least(lower(p, n, CAUTION), upper(q, n, CAUTION))


def learn(first: Floats, second: Floats, level: Level, extra: tuple[Feature, ...] = ()) -> list[Found]:
    """Events that break the level, or come closest to it, by their score, the best first.

    They are learned on the even rows and scored on the odd ones, so a score is not flattered by the
    search; taking the best of TRIED of them is, and whoever uses one must test it on new samples.
    """
    learned = [side[::2] for side in (first, second)]
    halves = _Values([side[1::2] for side in (first, second)])
    scored: tuple[list[tuple[float, Event]], ...] = ([], [])
    for feature in (*features(*learned), *extra):
        one, other = (feature.of(side[feature.skip :][: feature.rows]) for side in learned)
        for direction, new in zip(scored, events(feature, one, other, level), strict=True):
            direction.extend(new)
    found: list[Found] = []
    for swapped, entries in enumerate(scored):
        sides = learned[::-1] if swapped else learned
        if first.shape[1] > 1:
            entries += list(_corners(entries, sides[0], sides[1], level))
        entries.sort(key=lambda entry: (-entry[0], entry[1].cost))
        chosen = dict.fromkeys([event for _, event in entries[:TRIED]])
        chosen |= dict.fromkeys(_best_of_each_cost(entries))
        seen = [halves.seen(event, bool(swapped)) for event in dict.fromkeys(e for _, e in entries)]
        shares = np.array([one[1:] for one in seen]).T
        promised = promises(shares[0], shares[1], shares[2], level)
        best = set(np.argsort(-promised, kind="stable")[:PROMISING])
        for at, ((event, p, q, size), promise) in enumerate(zip(seen, promised, strict=True)):
            if event in chosen or at in best:
                score = float(level.score(np.array(p), np.array(q), size))
                found.append(Found(event, bool(swapped), score, (p, q), size, float(promise)))
    return sorted(found, key=lambda entry: (-entry.score, entry.event.cost))


class _Values:
    """Shares of outputs in events; the values of each feature are computed once."""

    def __init__(self, sides: list[Floats]) -> None:
        self.sides = sides
        self._known: dict[Feature, list[Floats]] = {}
        self._ordered: dict[Feature, list[Floats]] = {}

    def seen(self, event: Event, swapped: bool) -> tuple[Event, float, float, int]:
        """The shares in the order of the direction."""
        shares, size = self.shares(event)
        p, q = shares[::-1] if swapped else shares
        return event, p, q, size

    def shares(self, event: Event) -> tuple[tuple[float, float], int]:
        """The shares of both laws, and of how many outputs each."""
        if isinstance(event, Among):
            if event.feature not in self._ordered:
                self._ordered[event.feature] = [np.sort(v) for v in self._of(event.feature)]
            first, second = self._ordered[event.feature]
            return (event.share(first), event.share(second)), len(first)
        if isinstance(event, Both):
            held = [event.holds(side) for side in self.sides]
        else:
            held = [event.within(value) for value in self._of(event.feature)]
        p, q = (int(np.count_nonzero(one)) / len(one) for one in held)
        return (p, q), len(held[0])

    def _of(self, feature: Feature) -> list[Floats]:
        if feature not in self._known:
            self._known[feature] = [feature.of(side[: feature.rows]) for side in self.sides]
        return self._known[feature]


def _best_of_each_cost(scored: list[tuple[float, Event]]) -> Iterator[Event]:
    """The best simple event of each cost, so that a simple witness is not crowded out."""
    seen: set[int] = set()
    for _, event in scored:
        if event.cost not in seen:
            seen.add(event.cost)
            yield event


def _corners(
    scored: list[tuple[float, Event]], p: Floats, q: Floats, level: Level
) -> Iterator[tuple[float, Event]]:
    """Thresholds on several coordinates at once: losses add up where outputs are independent."""
    width = p.shape[1]
    names = [coordinate(j, width).words for j in range(min(width, CORNER))]
    best: list[tuple[float, Range]] = []
    for name in names:
        thresholds = [
            (score, event)
            for score, event in scored
            if isinstance(event, Range) and event.feature.words == name and event.one_sided
        ]
        best += sorted(thresholds, key=lambda entry: -entry[0])[:1]
    best.sort(key=lambda entry: -entry[0])
    for count in range(2, len(best) + 1):
        corner = Both(tuple(event for _, event in best[:count]))
        a, b = corner.holds(p).mean(), corner.holds(q).mean()
        yield float(level.score(np.array(a), np.array(b), len(p))), corner
