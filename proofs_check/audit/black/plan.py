"""How the outputs of an audit are shared: stages, each with rounds over fewer and fewer pairs.

A stage gives every listed pair its share before any pair gets more, then the best third three times as
much, and so on until LAST remain; the best events are tested on fresh outputs. The next stage starts again
with all pairs and GROWTH times the share. So a larger audit is a smaller one continued, and finds what
the smaller one finds.
"""

import math
from dataclasses import dataclass

FINALISTS, LAST = 3, 5
"""So many candidates are tested on fresh outputs; they are the best of at most LAST pairs."""

FEWEST, FIRST = 32, 64
"""Outputs of each dataset in a first round: at least, and in the first stage if they are allowed."""

GROWTH = 8
"""So many times as many in the next stage."""

KEPT = 3
"""One in so many pairs goes on to the next round, with so many times the outputs."""

LAST_FIRST, LAST_GROWTH = 256, 24
"""Where a stage cannot have so many outputs, or so many times as many, it gets all that it can."""

LEAST_GROWTH = 1.25
"""A last stage has at least so many times the outputs of the one before."""

FRESH = 2
"""A finalist is tested on so many times the outputs that it was learned from."""

KEPT_FOR_CURVE, KEPT_FROM = 0.01, 2_000_000
"""The share of all outputs that is kept for the trade-off curve where they are so many: of fewer, it would
show little, and stages would miss them."""

FULL = 1
"""So many finalists are tested to the end, as far as it is planned: the others lose hope before."""


@dataclass(frozen=True)
class Plan:
    """One stage over the first pairs of a list.

    left: pairs by round. sizes: outputs of each of their datasets by round. datasets: in the first
    round, where pairs share them. have: outputs of each that are there already.
    """

    left: tuple[int, ...]
    sizes: tuple[int, ...]
    datasets: int
    have: int = 0

    @property
    def tested(self) -> int:
        """Fresh outputs of each dataset for a finalist."""
        return FRESH * self.sizes[-1]

    @property
    def cost(self) -> int:
        """Outputs that the stage is expected to draw at most."""
        drawn, before = 2 * self.tested * FULL, self.have
        for pairs, size in zip(self.left, self.sizes, strict=True):
            drawn += min(self.datasets, 2 * pairs) * max(size - before, 0)
            before = max(before, size)
        return drawn


def stage(pairs: int, datasets: int, size: int, have: int = 0) -> Plan:
    """The stage that gives each of ``pairs`` pairs ``size`` outputs of both datasets at first."""
    left, sizes = [pairs], [size]
    while left[-1] > LAST:
        left.append(math.ceil(left[-1] / KEPT))
        sizes.append(KEPT * sizes[-1])
    return Plan(tuple(left), tuple(sizes), datasets, have)


def fitting(pairs: int, datasets: int, allowed: float, before: int, keeps: bool) -> Plan | None:
    """The next stage, of at most ``allowed`` outputs, or None when there is none.

    before: the outputs of the stage before in its first round, 0 for none; keeps: they are kept.
    """
    have = before if keeps else 0
    least = math.ceil(LEAST_GROWTH * before) if before else FEWEST
    most = LAST_GROWTH * before if before else LAST_FIRST

    def costs(size: int) -> int:
        return stage(pairs, datasets, size, have).cost

    if costs(least) > allowed:
        return None
    if costs(most) <= allowed:
        return stage(pairs, datasets, GROWTH * before if before else FIRST, have)
    low, high = least, most
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if costs(middle) <= allowed else (low, middle - 1)
    return stage(pairs, datasets, low, have)


def searched(allowed: int) -> int:
    """How many of the outputs the stages may use."""
    return allowed - int(KEPT_FOR_CURVE * allowed) if allowed >= KEPT_FROM else allowed


def outputs_for(pairs: int, datasets: int, size: int) -> int:
    """Outputs that an audit needs whose last stage starts with ``size`` of each dataset."""
    spent, at, have = 0, FIRST, 0
    while size > (LAST_GROWTH * have if have else LAST_FIRST):
        spent += stage(pairs, datasets, at, have).cost
        at, have = GROWTH * at, at
    spent += stage(pairs, datasets, size, have).cost
    return spent if spent <= searched(spent) else math.ceil(spent / (1 - KEPT_FOR_CURVE))
