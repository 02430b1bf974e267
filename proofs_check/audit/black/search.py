"""Which pair of neighbors, and which event, come closest to breaking the level?

Nothing that is found here is a result: it is what :mod:`confirm` then tests on fresh outputs. So the
search may look at its outputs as often as it likes.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from establish.proofs_check.audit.black.confirm import Candidate
from establish.proofs_check.audit.black.learn import learn, least
from establish.proofs_check.audit.black.samples import Samples
from establish.proofs_check.audit.question.level import Level
from establish.proofs_check.audit.question.result import Pair

FINALISTS = 3
"""So many pairs remain for the test on fresh outputs."""

FEWEST = 400
"""Outputs of each dataset in the first round, at least."""

CLEAR = 10.0
"""Standard errors from which a pair is tested at once, without waiting for the other pairs."""


ASKED = 5
"""So many pairs are tested at once, at most."""


@dataclass(frozen=True)
class Round:
    """One round of halving: outputs per dataset, and the score of the last pair that went on."""

    size: int
    cut: float


@dataclass(frozen=True)
class Searched:
    """The finalists, the best first, and what it took to be one.

    closest: the candidate that would probably prove the largest ε or μ. complete: whether no round
    was cut short for lack of time.
    """

    finalists: tuple[Candidate, ...] = ()
    rounds: tuple[Round, ...] = ()
    closest: Candidate | None = None
    complete: bool = True


def spread(pairs: Sequence[Pair], most: int) -> list[Pair]:
    """At most ``most`` of the pairs, from the first to the last in equal steps."""
    if len(pairs) <= most:
        return list(pairs)
    return [pairs[i * len(pairs) // most] for i in range(most)]


def search(
    pairs: Sequence[Pair],
    level: Level,
    samples: Samples,
    draws: int,
    progress: Callable[[float], None],
    clear: Callable[[Candidate], bool],
    until: float = math.inf,
) -> Searched:
    """Successive halving: every pair gets outputs, the better half gets more, until few remain.

    draws: outputs to draw in all, shared equally between the rounds. ``clear`` is called with a
    candidate that stands out by CLEAR standard errors; when it returns True the search ends there.
    until: when to stop, by ``time.monotonic()``.
    """
    turns = max(1, math.ceil(math.log2(max(1, len(pairs) / FINALISTS))) + 1)
    left = spread(pairs, max(FINALISTS, draws // (turns * FEWEST)))
    rounds: list[Round] = []
    best: list[list[Candidate]] = []
    asked: set[Pair] = set()
    size = 0
    for turn in range(turns):
        datasets = {d for pair in left for d in pair}
        samples.forget(datasets)
        size += max(FEWEST, draws // (turns * len(datasets)))
        here: list[list[Candidate]] = []
        for done, pair in enumerate(left):
            if time.monotonic() > until:
                return _result(here or best, rounds, complete=False)
            here.append(_of_pair(pair, level, samples, size))
            first = here[-1][0]
            if first.score >= CLEAR and pair not in asked and len(asked) < ASKED:
                asked.add(pair)
                if clear(first):
                    return Searched((first,), tuple(rounds), first)
            progress((turn + (done + 1) / len(left)) / turns)
        best = sorted(here, key=lambda entry: -entry[0].score)
        keep = FINALISTS if turn == turns - 1 else max(FINALISTS, math.ceil(len(left) / 2))
        if keep < len(best):
            rounds.append(Round(samples.kept(size, left[0]), best[keep - 1][0].score))
        kept = {frozenset(entry[0].pair) for entry in best[:keep]}
        left = [pair for pair in left if frozenset(pair) in kept]
    return _result(best, rounds, complete=True)


def _result(best: list[list[Candidate]], rounds: list[Round], complete: bool) -> Searched:
    ordered = sorted(best, key=lambda entry: -entry[0].score)[:FINALISTS]
    closest = max(
        (candidate for entry in ordered for candidate in entry),
        key=lambda candidate: candidate.least,
        default=None,
    )
    return Searched(tuple(entry[0] for entry in ordered), tuple(rounds), closest, complete)


def _of_pair(pair: Pair, level: Level, samples: Samples, size: int) -> list[Candidate]:
    """The best candidate of a pair by its score, and the one with the largest least ε or μ."""
    found = candidates(pair, level, samples, size)
    return [found[0], max(found, key=lambda candidate: candidate.least)]


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
        )
        for found in learn(first, second, level, samples.extra(first.shape[1]))
    ]
