"""Every count up to several hundred, tried: events are learned on each pair, and the best pairs go on."""

import time
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

from establish.proofs_check.audit.black.samples import Samples
from establish.proofs_check.audit.black.search import candidates
from establish.proofs_check.audit.question.definitions import AuditDefinition
from establish.proofs_check.audit.question.mechanism import AuditError
from establish.proofs_check.audit.question.result import Pair

COUNTS = 400
"""So many counts are tried one by one, or as many as there are outputs for."""

FEWEST, MOST = 32, 512
"""Outputs on each count: with fewer none is tried, and more are for the pairs that go on."""

GO_ON = 6
"""So many pairs go on, those with the best scores."""


class Every(NamedTuple):
    """The pairs that go on, and what was tried in words."""

    pairs: tuple[Pair, ...] = ()
    words: tuple[str, ...] = ()


def every_count(
    definition: AuditDefinition,
    samples: Samples,
    outputs: int,
    until: float,
    progress: Callable[[float], None] = lambda share: None,
) -> Every:
    """Try the first values of the first line, one after the other, with an equal share of the outputs."""
    line = next(iter(definition.lines()), None)
    many = min(COUNTS, outputs // FEWEST)
    if line is None or many < 2:
        return Every()
    values = line.values[:many]
    size = min(outputs // many, MOST)
    scored: list[tuple[float, Pair]] = []
    for low, high in pairwise(values):
        pair = line.at(low), line.at(high)
        if time.monotonic() > until or not definition.related(*pair):
            break
        try:
            scored.append((candidates(pair, definition.level, samples, size)[0].score, pair))
        except AuditError:
            break
        progress(len(scored) / many)
    if not scored:
        return Every()
    last = values[len(scored)]
    best = sorted(scored, key=lambda one: -one[0])[:GO_ON]
    words = f"{line.words}: from {values[0]:g} to {last:g} one by one, {size} outputs each"
    return Every(tuple(pair for _, pair in best), (words,))
