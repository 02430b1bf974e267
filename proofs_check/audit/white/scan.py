"""Which neighbors of a long line deserve to be settled: a quick look at their laws, in floats.

A scan settles nothing. It names pairs, by two marks: laws further apart, or less far, than those of the count
before, as where a threshold lies; and a level beyond the claimed one at an event that is fixed before, for
every count where the laws are of no family that tells how far apart they are. What is named is settled as any
other pair.
"""

import math
from collections.abc import Iterator

from flint import arb

from establish.proofs_check.audit.question.level import Approximate, Level
from establish.proofs_check.audit.question.result import Pair
from establish.proofs_check.audit.white.alike import apart
from establish.proofs_check.audit.white.composed import LawIn, before_rounding, split
from establish.proofs_check.audit.white.intervals import Interval
from establish.proofs_check.audit.white.laws import NotComparableError, Reading
from establish.proofs_check.audit.white.pair import simple_rational
from establish.proofs_check.audit.white.spec_laws import reading
from establish.spec.arithmetic import ARB
from establish.spec.parameters import ParameterError

AWAY = (0, -1, 1, -16, 16, -256, 256)
"""How far from the breaks of both laws events end, in the coordinates of the laws."""

BEYOND, JUMP = 1e-6, 1e-2
"""By which share a level must exceed the claimed one, or a distance change from a count to the next."""

EVERY = 100
"""The level is estimated at every count of so many, where laws are of a family."""

MOST_NAMED = 40
"""So many pairs are named for either mark at most: the largest."""


def seems(first: LawIn, second: LawIn, level: Level) -> float:
    """The level that a pair seems to need; infinite where its laws cannot be laid side by side."""
    try:
        parts = [before_rounding(*part)[:2] for part in split(first, second)]
        needs = [_needs(reading(p(ARB), ARB), reading(q(ARB), ARB), level) for p, q in parts]
    except (NotComparableError, ParameterError, ArithmeticError, ValueError):
        return math.inf
    return sum(needs) if isinstance(level, Approximate) and not level.delta else max(needs)


def _needs(p: Reading, q: Reading, level: Level) -> float:
    """For a pure level what densities and atoms show, and for another one what half-lines and atoms do."""
    pure = isinstance(level, Approximate) and not level.delta
    masses = [dict(law.atoms) for law in (p, q)]
    shown = [
        tuple(_share(ARB.number(one.get(value, 0))) for one in masses) for value in {**masses[0], **masses[1]}
    ]
    if (p.weight == 0) != (q.weight == 0):
        return math.inf
    found = [0.0]
    if p.weight != 0:
        if pure:
            found += (abs(float(loss)) for loss in _losses(p, q))
        else:
            shown += (
                (_share(event.probability(p)), _share(event.probability(q))) for event in _half_lines(p, q)
            )
    for first, second in shown:
        for one, other in ((first, second), (second, first)):
            found += [level.least(one, other), level.least(1 - other, 1 - one)]
    return max(math.inf if math.isnan(one) else one for one in found)


def _share(probability: arb) -> float:
    return min(max(float(probability.mid()), 0.0), 1.0)


def _half_lines(p: Reading, q: Reading) -> Iterator[Interval]:
    for x in _places(p, q):
        yield Interval(None, simple_rational(p.chart.back(x)))


def _places(p: Reading, q: Reading) -> Iterator[arb]:
    """Outputs around the breaks of both laws, in the coordinates of the first."""
    centers = dict.fromkeys(float(ARB.number(at)) for law in (p, q) for at in law.breaks)
    for center in centers:
        for away in AWAY:
            yield arb(center + away)


def _losses(p: Reading, q: Reading) -> Iterator[arb]:
    """ln p − ln q where both have a density."""
    for x in _places(p, q):
        if all((law.low is None or x > law.low) and (law.high is None or x < law.high) for law in (p, q)):
            yield _log_density(p, x) - _log_density(q, x)


def _log_density(law: Reading, x: arb) -> arb:
    at = int(x.mid().floor().unique_fmpz()) if law.whole else x
    return ARB.number(law.log_density(at, sum(bool(ARB.number(b) <= x) for b in law.breaks)))


class Marks:
    """What a scan has named so far, along one line after the other."""

    def __init__(self, level: Level) -> None:
        self._level = level
        self._before: dict[int, float] = {}
        self._beyond: list[tuple[float, Pair]] = []
        self._jumps: list[tuple[float, Pair]] = []

    def see(self, line: int, pair: Pair, laws: tuple[LawIn, LawIn], looked_at: bool) -> None:
        """A pair of line number ``line``. looked_at: whether its level is estimated in any case."""
        try:
            size = apart(*laws)
        except (ArithmeticError, ValueError, TypeError):
            size = math.inf
        need = 0.0
        if size is None or looked_at:
            need = seems(*laws, self._level)
        if need > self._level.bound * (1 + BEYOND):
            self._beyond.append((need, pair))
        size = need if size is None else size
        before = self._before.get(line, size)
        self._before[line] = size
        if size != before:
            change = abs(size - before) / max(size, before) if max(size, before) < math.inf else math.inf
            if change > JUMP:
                self._jumps.append((change, pair))

    def named(self) -> list[Pair]:
        """The pairs to settle, the most suspect ones first."""
        chosen: dict[Pair, None] = {}
        for marked in (self._beyond, self._jumps):
            marked.sort(key=lambda entry: -entry[0])
            chosen |= dict.fromkeys(pair for _, pair in marked[:MOST_NAMED])
        return list(chosen)
