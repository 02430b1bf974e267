"""Which pair of neighbors, and which event, come closest to breaking the level?

Nothing that is found here is a result: it is what :mod:`confirm` then tests on fresh outputs. So the
search may look at its outputs as often as it likes.
"""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from establish.proofs_check.audit.black.confirm import Candidate
from establish.proofs_check.audit.black.events import Range
from establish.proofs_check.audit.black.learn import learn, least
from establish.proofs_check.audit.black.plan import FINALISTS, Plan
from establish.proofs_check.audit.black.samples import Samples
from establish.proofs_check.audit.black.tails import far_events
from establish.proofs_check.audit.question.level import Level
from establish.proofs_check.audit.question.mechanism import AuditError
from establish.proofs_check.audit.question.result import Pair

CLEAR = 10.0
"""Standard errors from which a pair is tested at once, without waiting for the other pairs."""

HOPEFUL = 20.0
"""What a bet on an event that was not seen must be expected to win, in logarithms, to be tried."""

ASKED = 5
"""So many pairs of a stage are tested at once, at most."""


@dataclass
class Stage:
    """What a stage has seen so far.

    used: outputs of each dataset that events were learned from, by round, of the pair with the fewest.
    cuts: the score of the last pair that went on, by round. finalists: the best first. closest: the
    candidate that would probably prove the largest ε or μ. far: events beyond what was seen. rare:
    those on which a bet promises most, whatever their score. tested: fresh outputs of each dataset that
    every finalist could have, the ``first`` of them whatever they show. complete: whether no round was
    cut short.
    """

    plan: Plan
    used: list[int] = field(default_factory=list)
    cuts: list[float] = field(default_factory=list)
    finalists: tuple[Candidate, ...] = ()
    closest: Candidate | None = None
    first: int = 0
    tested: int = 0
    complete: bool = True
    far: tuple[Candidate, ...] = ()
    rare: tuple[Candidate, ...] = ()


Skip = Callable[[Pair, AuditError], bool]
"""Whether a pair on which the mechanism failed may be left out."""


def search(
    pairs: Sequence[Pair],
    level: Level,
    samples: Samples,
    plan: Plan,
    tried: set[Pair],
    progress: Callable[[float], None],
    clear: Callable[[Candidate], bool],
    skip: Skip = lambda pair, error: False,
    until: float = math.inf,
) -> Stage | None:
    """One stage over ``pairs``: all get outputs, the best third gets more, until few remain.

    tried: gets every pair on which events were learned. ``clear`` is called with a candidate that
    stands out by CLEAR standard errors; when it returns True the search ends there, and the result is
    None. until: when to stop, by ``time.monotonic()``, with what was seen so far. skip: see Skip.
    """
    found, left = Stage(plan), list(pairs)
    asked: set[Pair] = set()
    turns = len(plan.sizes)
    for turn, size in enumerate(plan.sizes):
        here: list[list[Candidate]] = []
        found.used.append(size)
        for done, pair in enumerate(left):
            if time.monotonic() > until:
                found.complete = False
                break
            try:
                here.append(candidates(pair, level, samples, size))
            except AuditError as error:
                if skip(pair, error):
                    continue
                raise
            tried.add(pair)
            found.used[-1] = min(found.used[-1], 2 * here[-1][0].rows)
            first = here[-1][0]
            if first.score >= CLEAR and pair not in asked and len(asked) < ASKED:
                asked.add(pair)
                if clear(first):
                    return None
            progress((turn + (done + 1) / len(left)) / turns)
        if not here and (turn == 0 or found.complete):
            return None
        if not here:
            break
        best = sorted(here, key=lambda entry: -entry[0].score)
        if not found.complete:
            break
        if turn + 1 < turns:
            kept = min(plan.left[turn + 1], len(best)) - 1
            found.cuts.append(best[kept - 1][0].score)
            rare = max(best, key=lambda entry: max(one.promise for one in entry))
            left = _in_order(left, {frozenset(entry[0].pair) for entry in (*best[:kept], rare)})
    found.finalists = tuple(_finalists(best))
    every = [one for entry in best for one in entry]
    found.closest = max(every, key=lambda one: one.least)
    found.rare = tuple(_on_few_pairs(sorted(every, key=_rarity)))
    if found.complete:
        found.far = tuple(_far(left, level, samples, plan))
    return found


def _rarity(one: Candidate) -> tuple[float, bool]:
    """What promises most first; of two that were seen alike, the single value."""
    return -one.promise, not (isinstance(one.event, Range) and one.event.single)


def _on_few_pairs(ordered: Sequence[Candidate]) -> Iterator[Candidate]:
    """The first FINALISTS candidates of each of the first FINALISTS pairs."""
    met: dict[frozenset[object], int] = {}
    for one in ordered:
        pair = frozenset(one.pair)
        if pair in met or len(met) < FINALISTS:
            met[pair] = met.get(pair, 0) + 1
            if met[pair] <= FINALISTS:
                yield one


def _far(pairs: Sequence[Pair], level: Level, samples: Samples, plan: Plan) -> Iterator[Candidate]:
    for pair in pairs:
        first, second, grid = samples.both(pair, plan.sizes[-1])
        for event, swapped, shares in far_events(first, second, level, plan.tested, HOPEFUL):
            ordered = (pair[1], pair[0]) if swapped else pair
            yield Candidate(ordered, event, grid, 0.0, 0.0, shares)


def _in_order(pairs: Sequence[Pair], chosen: set[frozenset[object]]) -> list[Pair]:
    return [pair for pair in pairs if frozenset(pair) in chosen]


def _finalists(best: Sequence[list[Candidate]]) -> list[Candidate]:
    """The best candidate of each of the best pairs; where there are fewer pairs, more of each."""
    chosen = [entry[0] for entry in best[:FINALISTS]]
    rest = sorted((one for entry in best for one in entry[1:]), key=lambda one: -one.score)
    return chosen + rest[: FINALISTS - len(chosen)]


def candidates(pair: Pair, level: Level, samples: Samples, size: int) -> list[Candidate]:
    """Every event that was learned on a pair, the best first, in the order that it breaks."""
    first, second, grid = samples.both(pair, size)
    return [
        Candidate(
            (pair[1], pair[0]) if found.swapped else pair,
            found.event,
            grid,
            found.score,
            least(found, level),
            found.shares,
            found.size,
            found.promise,
        )
        for found in learn(first, second, level, samples.extra(first.shape[1]))
    ]
