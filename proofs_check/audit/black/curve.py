"""How well one test tells the two outputs of a pair apart: type I and type II errors, with bounds.

Neyman and Pearson's best tests are nested: they accept where the likelihood ratio is large enough. Here the
ratio is learned, in bins of the feature that tells most, on outputs that serve for nothing else; the bins in
the order of the learned ratio make K nested events. Fresh outputs, whose number is fixed before, count them.
Each count is binomial, so that each of the 4K one-sided Clopper–Pearson bounds of Pr[M(D) ∈ S] and
Pr[M(D') ∈ S] is wrong with probability at most ``error``/(4K), and all hold together but for ``error``: a
union bound, which asks nothing of how the counts depend on each other.

Where the ratio was learned badly the events are weaker, and no bound is wrong: every test's errors lie on
or above the trade-off curve of the two laws.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from establish.proofs_check.audit.black.confidence import lower, upper
from establish.proofs_check.audit.black.confirm import Candidate, Tested
from establish.proofs_check.audit.black.events import Feature, Range
from establish.proofs_check.audit.black.features import features
from establish.proofs_check.audit.black.samples import AT_ONCE, Samples
from establish.proofs_check.audit.question.level import COMMON, Approximate, Floats, Gaussian, Level
from establish.proofs_check.audit.question.outcomes import signs
from establish.proofs_check.audit.question.result import Interval, Pair, TradeOff

BINS, OUTPUTS_IN_A_BIN = 48, 20
"""Bins of equal share, at most, and outputs of both laws in each of them, at least."""

FEWEST = 200
"""From fewer outputs of each law no curve is learned, and on fewer none is measured."""

CAUTION = 1e-4
"""Error of the bounds by which features are compared."""

MOST_LEARNED = 100_000
"""From so many outputs of each law a curve is learned at most."""


@dataclass(frozen=True)
class Nested:
    """Bins of a feature, in the order of the learned ratio: event k is all bins of rank k or more.

    edges: ascending left ends of the bins after the first. ranks: of each bin, 0 for the least ratio.
    """

    feature: Feature
    edges: Floats
    ranks: NDArray[np.int64]

    def counts(self, outputs: Floats) -> NDArray[np.int64]:
        """How many of the outputs lie in the bins of each rank."""
        found: NDArray[np.int64] = np.bincount(self._rank(outputs), minlength=self.ranks.size)
        return found

    def event(self, k: int) -> Range:
        """Event k, as a threshold of the feature where it is one."""
        chosen = self.ranks >= k
        changes = np.flatnonzero(np.diff(chosen))
        if changes.size == 1 and not signs(self.edges).any():
            end = float(self.edges[changes[0]])
            ends = (end, math.inf) if chosen[-1] else (-math.inf, end)
            return Range(self.feature, *ends)
        words = f"the rank among {chosen.size} bins of {self.feature.words} by learned likelihood"
        rank = Feature(words, lambda x: self._rank(x).astype(np.float64), self.feature.cost + 1)
        return Range(rank, float(k), math.inf)

    def _rank(self, outputs: Floats) -> NDArray[np.int64]:
        return self.ranks[np.searchsorted(self.edges, self.feature.of(outputs), side="right")]


@dataclass(frozen=True)
class Measured:
    """A curve on fresh outputs. inside: by event, bounds of its probability on either dataset of the pair."""

    pair: Pair
    nested: Nested
    grid: Floats | None
    inside: tuple[tuple[Interval, Interval], ...]
    size: int


def measure(pair: Pair, level: Level, samples: Samples, outputs: int, error: float) -> Measured | None:
    """The errors of the best test that is learned; at most ``outputs`` are drawn of each dataset.

    A quarter of them, or what is kept from before, is learned from. None when they are too few.
    """
    kept = min(map(samples.kept, pair))
    learned = min(samples.used(max(kept, outputs // 4), pair), MOST_LEARNED)
    fresh = outputs - max(learned - kept, 0)
    if min(learned // 2, fresh) < FEWEST:
        return None
    first, second, grid = samples.both(pair, learned)
    nested = _best(first, second, level)
    counted = np.zeros((2, nested.ranks.size), dtype=np.int64)
    for start in range(0, fresh, AT_ONCE):
        drawn = samples.fresh(pair, grid, min(AT_ONCE, fresh - start))
        counted += [nested.counts(side) for side in drawn]
    return Measured(pair, nested, grid, tuple(bounds(counted, error)), fresh)


def bounds(counted: NDArray[np.int64], error: float) -> Iterator[tuple[Interval, Interval]]:
    """Bounds of both probabilities of each event, the certain one left out, that hold together.

    counted: by dataset and rank, how many outputs; the sums of the two rows are the numbers of outputs.
    """
    size = counted.sum(axis=1).tolist()
    inside = counted[:, :0:-1].cumsum(axis=1)[:, ::-1]
    each = error / (4 * max(inside.shape[1], 1))
    for of_first, of_second in inside.T.tolist():
        found = ((of_first, size[0]), (of_second, size[1]))
        p, q = ((lower(*one, each), upper(*one, each)) for one in found)
        yield p, q


def _best(first: Floats, second: Floats, level: Level) -> Nested:
    """The events of the feature that seems to prove most: learned on even rows, compared on odd ones."""
    learned, compared = ([side[at::2] for side in (first, second)] for at in (0, 1))
    found: list[tuple[float, int, Nested]] = []
    for feature in features(*learned):
        if feature.rows > len(compared[0]):
            nested = _learn(feature, *learned)
            counted = np.stack([nested.counts(side) for side in compared])
            shown = worst(level, tuple(bounds(counted, CAUTION)))
            found.append((shown.least, -feature.cost, nested))
    return max(found, key=lambda one: one[:2])[2]


def _learn(feature: Feature, first: Floats, second: Floats) -> Nested:
    """Bins by quantiles of both laws together, with the tails and the atoms apart, and their ranks."""
    values = [feature.of(side[feature.skip :]) for side in (first, second)]
    pooled = np.sort(np.concatenate(values))
    bins = min(BINS, pooled.size // OUTPUTS_IN_A_BIN)
    tails = [2.0**-k for k in range(1, int(math.log2(pooled.size / OUTPUTS_IN_A_BIN)) + 1)]
    shares = np.unique([*np.linspace(0, 1, bins + 1), *tails, *(1 - t for t in tails)])
    ends = pooled[np.minimum((shares * pooled.size).astype(int), pooled.size - 1)]
    atoms = ends[1:][ends[1:] == ends[:-1]]
    edges = np.unique(np.concatenate([ends, np.nextafter(atoms, np.inf)]))[1:]
    held = [np.bincount(np.searchsorted(edges, v, side="right"), minlength=edges.size + 1) for v in values]
    ratio = np.log((held[0] + 0.5) / (held[1] + 0.5))
    ranks = np.empty(ratio.size, dtype=np.int64)
    ranks[np.argsort(ratio, kind="stable")] = np.arange(ratio.size)
    return Nested(feature, edges, ranks)


@dataclass(frozen=True)
class Shown:
    """The least level that a curve allows, and the event of it, or its complement, that shows it; 0: none."""

    least: float
    event: int
    outside: bool


def worst(level: Level, inside: Sequence[tuple[Interval, Interval]]) -> Shown:
    """What a curve with these bounds shows, in both orders of the pair."""
    found = [Shown(0.0, 0, False)]
    for at, ends in enumerate(_ends(inside)):
        found.append(Shown(level.least(*ends), 1 + at // 2, bool(at % 2)))
    return max(found, key=lambda one: one.least)


def accused(curve: Measured, level: Level) -> Tested | None:
    """The violation that a curve shows: an event, or a complement, with its two probabilities."""
    shown = worst(level, curve.inside)
    if not shown.least > level.bound:
        return None
    event, pair, (p, q) = curve.nested.event(shown.event), curve.pair, curve.inside[shown.event - 1]
    if shown.outside:
        event, pair = replace(event, inside=False), (pair[1], pair[0])
        p, q = ((1 - high, 1 - low) for low, high in (q, p))
    candidate = Candidate(pair, event, curve.grid, 0.0)
    return Tested(candidate, True, shown.least, (p, q), curve.size)


def told(level: Level, tested: Tested, curve: Measured | None) -> TradeOff:
    """The errors of a curve and of an event tested on its pair, and what they leave of other definitions.

    Without a curve the event is its only test. All of these bounds hold together, as each has an error of
    its own within that of the audit.
    """
    pair, inside, size = tested.candidate.pair, [tested.probabilities], tested.size
    test = str(tested.candidate.event)
    ends = list(_ends(inside))
    if curve is not None:
        pair, inside, size = curve.pair, list(curve.inside), curve.size
        test = f"{len(inside)} nested events of {curve.nested.feature.words}"
        ends += _ends(inside)
    delta, at = Fraction(0), set(COMMON)
    if isinstance(level, Approximate):
        delta, at = level.delta, at | {level.bound}
    return TradeOff(
        pair=pair,
        test=test,
        outputs=size,
        errors=tuple((q, (1 - p[1], 1 - p[0])) for p, q in inside),
        mu=max(Gaussian(Fraction(1)).least(*one) for one in ends),
        epsilon=max(Approximate(Fraction(0), delta).least(*one) for one in ends),
        profile=tuple(
            (e, max(Approximate(Fraction(e)).least_delta(*one) for one in ends)) for e in sorted(at)
        ),
    )


def strongest(tested: Tested, curve: TradeOff, level: Level) -> tuple[float, TradeOff]:
    """The largest bound for the claimed kind of level, of the event and of the curve, and the curve with it:
    the bounds of both hold together."""
    kind = "mu" if isinstance(level, Gaussian) else "epsilon"
    least = max(tested.least, getattr(curve, kind))
    return least, replace(curve, **{kind: least})


def _ends(inside: Sequence[tuple[Interval, Interval]]) -> Iterator[tuple[float, float]]:
    """Of each event and of its complement: at least and at most so probable, on two neighbors."""
    for p, q in inside:
        yield p[0], q[1]
        yield 1 - q[1], 1 - p[0]
