"""Look along the lines of a definition for steps at which the output changes: pairs to be tested.

Nothing that is named here is a result: a pair is tested on fresh outputs afterwards, under the error that all
tests of an audit share. So the scan may look at its outputs as it likes, and it draws them from generators
of its own.
"""

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from establish.proofs_check.audit.question.definitions import AuditDefinition
from establish.proofs_check.audit.question.lines import Line
from establish.proofs_check.audit.question.mechanism import MAY_REFUSE, AuditError, Mechanism, OutOfTimeError
from establish.proofs_check.audit.question.outcomes import Floats
from establish.proofs_check.audit.question.result import Pair, total
from establish.proofs_check.audit.scan.jumps import columns, finite, jumps, larger

MOST_DRAWS, FEWEST_DRAWS, SLOW_DRAWS = 32, 4, 8
"""Outputs on each dataset: at most, at least, and at most where each takes a call of its own."""

UNPAIRED_DRAWS = 64
"""Outputs on each dataset where equal generators do not give equal outputs."""

CHECKED = 3
"""On so many datasets of each line outputs are drawn again, to see whether they repeat."""

FEWEST_VALUES = 24
"""Of a line with fewer values nothing is named."""

APART = 400
"""So many values of a line are looked at in wide steps."""

NARROWING = 8
"""One part in so many of the outputs is kept for halving the steps in which something jumps."""

TOGETHER = 64
"""Outputs on so many values are drawn between two looks at the clock."""

STREAM = 3
"""The generators of a scan are no others' of the same seed: a pair is tested on outputs of its own."""

MOST_NAMED = 40
"""So many pairs are named at most, those beyond doubt first, from each line in turn."""


@dataclass(frozen=True)
class Scan:
    """pairs: named, the clearest first. words: what was looked at, one sentence for each line."""

    pairs: tuple[Pair, ...] = ()
    words: tuple[str, ...] = ()


def scan(
    mechanism: Mechanism,
    definition: AuditDefinition,
    outputs: int,
    until: float,
    seed: int,
    progress: Callable[[float], None] = lambda share: None,
) -> Scan:
    """Pairs of neighbors between which the output jumps, along the lines of the definition.

    outputs: to draw at most. until: when to stop, by ``time.monotonic()``. Every line is looked along in wide
    steps first, and then value by value; what is left goes to the lines that did not come to an end.
    """
    last = mechanism.drawn + min(outputs, mechanism.left)
    along = last - (last - mechanism.drawn) // NARROWING
    looks = [_Look(mechanism, line, seed, last) for line in definition.lines()]
    try:
        for turn, close in enumerate((False, True)):
            for number, look in enumerate(looks):
                left = 2 * len(looks) - turn * len(looks) - number
                share = (along - mechanism.drawn) // (len(looks) - number if close else left)
                look.see(close, share, time.monotonic() + (until - time.monotonic()) / left)
                progress((turn * len(looks) + number + 1) / (2 * len(looks)))
        for close in (False, True):
            for look in looks:
                look.see(close, along - mechanism.drawn, until)
        found = [look.named(definition) for look in looks]
    except OutOfTimeError:
        return Scan()
    return Scan(tuple(_in_turn(found)), tuple(look.words for look in looks if look.seen))


def _in_turn(found: Sequence[Sequence[tuple[Pair, bool]]]) -> list[Pair]:
    """What is beyond doubt first; one pair of each line, then the second of each."""
    named: dict[Pair, None] = {}
    for sure in (True, False):
        kept = [[pair for pair, clear in line if clear is sure] for line in found]
        for turn in range(max(map(len, kept), default=0)):
            for line in kept:
                if turn < len(line) and line[turn][::-1] not in named:
                    named[line[turn]] = None
    return list(named)[:MOST_NAMED]


class _Look:
    """One line, looked along."""

    def __init__(self, mechanism: Mechanism, line: Line, seed: int, last: int) -> None:
        self.mechanism, self.line = mechanism, line
        self.seed, self.last = seed, last
        self.size = 0
        self.paired = True
        self.seen: dict[int, Floats] = {}
        self.refused, self.stopped = sys.maxsize, ""

    def see(self, close: bool, outputs: int, until: float) -> None:
        """Outputs on every value, or in wide steps, as far as outputs and time allow."""
        values = self.line.values
        places: Sequence[int] = range(len(values)) if close else _apart(len(values))
        if not self.size:
            self._begin(2 * max(outputs, 0) // len(values))
        allowed = max(outputs, 0) // max(self.size, 1)
        places = [at for at in places if at not in self.seen][:allowed]
        for start in range(0, len(places), TOGETHER):
            if not self.size:
                return
            self._see(places[start : start + TOGETHER], until)

    def _begin(self, each: int) -> None:
        """Decide by the first values how many outputs each value gets, and whether equal ones come again."""
        most = MOST_DRAWS if self.mechanism.vectorized else SLOW_DRAWS
        values = [one for one in self.line.values if total(self.line.at(one)) <= MAY_REFUSE]
        values = values[:: max(1, len(values) // CHECKED)][:CHECKED]
        size = max(FEWEST_DRAWS, min(each, most))
        if 2 * size * len(values) > self.mechanism.left:
            return
        first, again = (self._outputs(values, size) for _ in range(2))
        self.paired = all(map(np.array_equal, first, again))
        self.size = size if self.paired else min(max(each, FEWEST_DRAWS), UNPAIRED_DRAWS)

    def _see(self, places: Sequence[int], until: float) -> None:
        """Outputs on these values, below the first that the mechanism may refuse, and does."""
        places = [at for at in places if at < self.refused]
        if not places or time.monotonic() > until:
            return
        try:
            drawn = self._outputs([self.line.values[at] for at in places], self.size)
        except AuditError as error:
            if len(places) == 1:
                (self.refused,), self.stopped = places, str(error)
                return
            self._see(places[: len(places) // 2], until)
            self._see(places[len(places) // 2 :], until)
            return
        self.seen |= dict(zip(places, drawn, strict=True))

    def _outputs(self, values: Sequence[object], size: int) -> list[Floats]:
        rng = np.random.default_rng([self.seed, STREAM])
        drawn = self.mechanism.glance([self.line.at(one) for one in values], size, rng)
        return [columns(part) for part in drawn]

    def named(self, definition: AuditDefinition) -> list[tuple[Pair, bool]]:
        """The named pairs, and whether each is beyond doubt."""
        places = sorted(self.seen)
        if len(places) < FEWEST_VALUES:
            return []
        values, drawn = [self.line.values[at] for at in places], [self.seen[at] for at in places]
        lengths = np.array([part.shape[1] for part in drawn])
        together = finite(np.stack([_widened(part, int(lengths.max())) for part in drawn]))
        gaps = np.diff(np.array(values, dtype=np.float64))
        pairs = [
            (
                self._narrowed(definition, (values[at], together[at]), (values[at + 1], together[at + 1])),
                clear,
            )
            for at, clear in jumps(together, lengths, gaps, self.paired)
        ]
        return [(pair, clear) for pair, clear in pairs if pair]

    def _narrowed(
        self, definition: AuditDefinition, low: tuple[object, Floats], high: tuple[object, Floats]
    ) -> Pair | None:
        """Neighbors between two values, by halves: the half in which more changes."""
        while not definition.related(self.line.at(low[0]), self.line.at(high[0])):
            middle = self.line.between(low[0], high[0])
            if middle is None or self.mechanism.drawn + self.size > self.last:
                return None
            try:
                at_middle = (middle, finite(self._outputs([middle], self.size)[0]))
            except AuditError:
                return None
            first = larger(low[1], at_middle[1], high[1])
            low, high = (low, at_middle) if first else (at_middle, high)
        return self.line.at(low[0]), self.line.at(high[0])

    @property
    def words(self) -> str:
        """What was looked along, and how."""
        values = [self.line.values[at] for at in sorted(self.seen)]
        steps = pairwise(values)
        every = next((low for low, high in steps if high - low > 1), values[-1])
        how = "at equal draws" if self.paired else "by frequencies, as equal generators give unequal outputs"
        beyond = f", wider apart up to {_number(values[-1])}" if every != values[-1] else ""
        return (
            f"{self.line.words}: from {_number(values[0])} to {_number(every)} one by one{beyond}, "
            f"{self.size} outputs each {how}" + (f"; {self.stopped}" if self.stopped else "")
        )


def _apart(many: int) -> list[int]:
    """Some of so many places, wider and wider apart, the last included."""
    return sorted({0, *np.geomspace(1, many - 1, min(APART, many)).astype(int).tolist()})


def _widened(part: Floats, width: int) -> Floats:
    return part if part.shape[1] == width else np.pad(part, ((0, 0), (0, width - part.shape[1])))


def _number(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,g}"


def limits(allowed: float, seconds: float, shares: tuple[float, float]) -> tuple[int, float]:
    """Outputs and, by ``time.monotonic()``, the end of a part of an audit that takes these shares of both."""
    return int(shares[0] * allowed), time.monotonic() + shares[1] * seconds
