"""Outputs of the mechanism by dataset, drawn once and used for every pair that the dataset is in."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from establish.proofs_check.audit.black.betting import Batch
from establish.proofs_check.audit.black.events import Event, Feature
from establish.proofs_check.audit.black.features import granularity, resolution, rounded
from establish.proofs_check.audit.question import outcomes
from establish.proofs_check.audit.question.level import Floats
from establish.proofs_check.audit.question.mechanism import Mechanism
from establish.proofs_check.audit.question.result import Dataset, Pair

MOST_USED = 6_000_000
"""Numbers in the outputs of one dataset that events are learned from, at most."""

MOST_KEPT = 16_000_000
"""Numbers that are kept in all; the datasets that were used longest ago are forgotten beyond."""

AT_ONCE = 1 << 18
"""Fresh outputs are drawn and counted in parts of this size."""


def align(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    """The same number of columns: when the lengths differ, the length is the first coordinate."""
    width = max(first.shape[1], second.shape[1])
    first, second = (outcomes.widened(side, width) for side in (first, second))
    if first.shape[1] == second.shape[1]:
        return first, second
    widened = []
    for side in (first, second):
        wide = np.zeros((len(side), width + 1))
        wide[:, 0] = side.shape[1]
        wide[:, 1 : side.shape[1] + 1] = side
        widened.append(wide)
    return widened[0], widened[1]


class OneByOneError(Exception):
    """A call for many outputs failed while a test drew: those before were the ones that did not fail."""


class Samples:
    """Draws and keeps outputs. low_bits: whether outputs are looked at to the last bit.

    Otherwise they are rounded, per pair, to 2^-32 of their usual spread, so that the audit is about
    the mechanism and not about the floating-point numbers in which it is written.
    """

    def __init__(self, mechanism: Mechanism, rng: np.random.Generator, low_bits: bool) -> None:
        self.mechanism, self.rng, self.low_bits = mechanism, rng, low_bits
        self._kept: dict[Any, Floats] = {}

    def of(self, dataset: Dataset, size: int) -> Floats:
        """At least ``size`` outputs on ``dataset``, the same ones as before and new ones."""
        kept = self._kept.pop(dataset, None)
        have = 0 if kept is None else len(kept)
        if have < size:
            more = self.mechanism.draw(dataset, size - have, self.rng)
            kept = more if kept is None else outcomes.stacked([kept, more])
            self._forget(kept.size)
        assert kept is not None, "sizes are positive"
        self._kept[dataset] = kept
        return kept

    def _forget(self, more: int) -> None:
        """Free what was used longest ago, so that ``more`` numbers can be kept."""
        while self._kept and more + sum(part.size for part in self._kept.values()) > MOST_KEPT:
            del self._kept[next(iter(self._kept))]

    def kept(self, dataset: Dataset) -> int:
        """How many outputs on ``dataset`` are kept."""
        return len(self._kept.get(dataset, ()))

    def width(self, dataset: Dataset) -> int:
        """Numbers in one output."""
        return int(self.of(dataset, 1).shape[1])

    def used(self, size: int, pair: Pair) -> int:
        """How many of ``size`` outputs of each dataset are used: fewer when an output is a vector."""
        return min(size, MOST_USED // max(map(self.width, pair)))

    def both(self, pair: Pair, size: int) -> tuple[Floats, Floats, Floats | None]:
        """``size`` outputs of each dataset, aligned and rounded, and the grid they are rounded to."""
        size = self.used(size, pair)
        first, second = align(self.of(pair[0], size)[:size], self.of(pair[1], size)[:size])
        if self.low_bits:
            return first, second, None
        grid = resolution(first, second)
        return rounded(first, grid), rounded(second, grid), grid

    def extra(self, width: int) -> tuple[Feature, ...]:
        """Features of the low bits, when these are looked at."""
        return tuple(granularity(j, width) for j in range(width)) if self.low_bits else ()

    def fresh(self, pair: Pair, grid: Floats | None, size: int) -> tuple[Floats, Floats]:
        """``size`` new outputs of each dataset, aligned, and rounded to the grid.

        Raises OneByOneError when from now on outputs are drawn one by one.
        """
        before = len(self.mechanism.alone)
        drawn = [self.mechanism.draw(d, size, self.rng) for d in pair]
        if len(self.mechanism.alone) > before:
            raise OneByOneError
        return _on(grid, align(*drawn))

    def count(self, asked: Sequence[tuple[Pair, Event, Floats | None]], size: int) -> list[Batch]:
        """Of ``size`` fresh pairs of outputs, how many lie in each event: both, one only, none.

        asked: the same two datasets in either order, an event, and the grid that outputs are rounded to.
        Raises OneByOneError as ``fresh`` does.
        """
        counted = np.zeros((len(asked), 4), dtype=np.int64)
        drawn_as = asked[0][0]
        for start in range(0, size, AT_ONCE):
            drawn = self.fresh(drawn_as, None, min(AT_ONCE, size - start))
            on_grid: dict[bytes, tuple[Floats, Floats]] = {}
            for at, (pair, event, grid) in enumerate(asked):
                key = b"" if grid is None else grid.tobytes()
                if key not in on_grid:
                    on_grid[key] = _on(grid, drawn)
                first, second = map(event.holds, on_grid[key])
                if pair != drawn_as:
                    first, second = second, first
                counted[at] += np.bincount(2 * ~first + ~second, minlength=4)
        return [(both, one, other, none) for both, one, other, none in counted.tolist()]


def _on(grid: Floats | None, sides: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    return sides if grid is None else (rounded(sides[0], grid), rounded(sides[1], grid))
