"""Events about one feature: thresholds, intervals, single values and sets of values."""

import math
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from establish.proofs_check.audit.black.betting import promises
from establish.proofs_check.audit.black.events import Among, Feature, Range, number
from establish.proofs_check.audit.question.level import Floats, Level
from establish.proofs_check.audit.question.outcomes import FIRST_SIGN, signs

DISCRETE = 400
"""A feature with at most so many values, most of them repeated, is looked at value by value."""

QUANTILES = 120
"""Bins of equal share that a feature with more values is cut into, besides its tails and atoms."""

REPEATED, ATOMS = 4, 50
"""A value among many that comes so often is looked at by itself; so many of them, the most frequent."""

SELDOM = 64
"""Of the values that came less often, the one that promises most is looked at, whatever its score."""

AGAIN, TOGETHER = 8, 100_000
"""Where so many values came more than once, values are looked at together; so many of them at most."""

Scored = tuple[float, Range | Among]
"""An event, and by how many standard errors it breaks the level where it was learned."""


def _edges(pooled: Floats) -> tuple[Floats, bool, bool]:
    """Left ends of bins: single values when there are few, else quantiles, tails and atoms.

    pooled: in ascending order. The second part says whether every value is an end, so that they are
    looked at one by one; the third whether values that are not come again, as few random numbers do.
    """
    n = pooled.size
    first = np.flatnonzero(np.append(True, pooled[1:] != pooled[:-1]))
    values, counts = pooled[first], np.diff(first, append=n)
    if _discrete(values.size, n):
        return values, True, False
    ends = pooled[_places(n)]
    ends = np.concatenate([_short(ends), ends[:: max(1, ends.size // 40)]])
    repeated = np.flatnonzero(counts >= REPEATED)
    atoms = values[repeated[np.argsort(-counts[repeated], kind="stable")[:ATOMS]]]
    edges = np.unique(np.concatenate([ends, atoms, np.nextafter(atoms, np.inf)]))
    discrete = values.size <= edges.size <= DISCRETE and bool(np.isin(values, edges).all())
    return edges, discrete, not discrete and int(np.count_nonzero(counts > 1)) >= AGAIN


@cache
def _places(n: int) -> NDArray[np.int64]:
    """Of n values in order, the places of the quantiles, and of shares of the tails."""
    tails = [2.0**-k for k in range(1, int(math.log2(n)) - 1)]
    shares = np.unique([*np.linspace(0, 1, QUANTILES + 1), *tails, *(1 - t for t in tails)])
    places: NDArray[np.int64] = np.ceil(shares * n).astype(np.int64).clip(1) - 1
    return places


def _discrete(values: int, n: int) -> bool:
    return values <= min(DISCRETE, n // 2)


def _short(ends: Floats) -> Floats:
    """The ends in as few decimals as keep about fifty of them apart between the quartiles."""
    strange = signs(ends)
    if strange.all():
        return ends
    low, high = np.quantile(ends[~strange], [0.25, 0.75], method="nearest")
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        return ends
    near = np.round(np.where(strange, 0.0, ends), 1 - math.floor(math.log10((high - low) / 5)))
    return np.where(strange, ends, near)


def _between(a: float, b: float) -> float:
    """A number with few decimals that is above a and at most b."""
    if not (math.isfinite(a) and math.isfinite(b)) or b - a < 1e-9 * max(abs(a), abs(b)):
        return b
    decimals = -math.floor(math.log10(b - a))
    near = (round((a + b) / 2, decimals + more) for more in (-1, 0, 1, 2))
    return next((t for t in near if a < t <= b), b)


def events(feature: Feature, p: Floats, q: Floats, level: Level) -> tuple[list[Scored], list[Scored]]:
    """The best event of each form, from values of the feature under the two laws, in both directions."""
    drawn, (p, q) = (p, q), (np.sort(p), np.sort(q))
    pooled = np.sort(np.concatenate([p, q]), kind="stable")  # merges the two
    edges, discrete, again = _edges(pooled)
    shares = np.stack(
        [np.diff(np.searchsorted(v, edges[1:]), prepend=0, append=len(v)) / len(v) for v in (p, q)]
    )
    one, other = _best(feature, edges, discrete, shares, len(p), level)
    if again:
        one += _of_one_law(feature, *drawn, level)
        other += _of_one_law(feature, *drawn[::-1], level)
    return one, other


def _of_one_law(feature: Feature, p: Floats, q: Floats, level: Level) -> Iterator[Scored]:
    """The values that came under the first law, and by far not so often under the second: those that came
    more than once, and all.

    A random generator that has few states, or few seeds, gives few values, and other ones on a neighbor.
    Where a value that came once comes again seldom, as from 2^24 states, all of them are more of the law
    than those few that have come again. They are chosen on the even outputs and scored on the odd ones: so
    many values flatter.
    """
    values, counts = np.unique(p[::2], return_counts=True)
    known = np.sort(q[::2])
    others = np.searchsorted(known, values, "right") - np.searchsorted(known, values, "left")
    own = counts > max(level.weights()) * others
    sets = []
    for least in (2, 1):
        chosen = np.flatnonzero(own & (counts >= least))
        chosen = np.sort(chosen[np.argsort(-counts[chosen], kind="stable")[:TOGETHER]])
        if chosen.size >= AGAIN:
            sets.append(Among(feature, tuple(map(float, values[chosen]))))
    sides = [np.sort(side[1::2]) for side in (p, q)]
    shares = [(one.share(sides[0]), one.share(sides[1])) for one in sets]
    yield from _scored(sets, shares, len(p[1::2]), level)


def _best(
    feature: Feature, edges: Floats, discrete: bool, bins: Floats, n: int, level: Level
) -> tuple[list[Scored], list[Scored]]:
    """The best event of each form in both directions, from the shares of both laws in each bin, of n outputs
    each.
    """
    if edges.size < 2:
        v, both = float(edges[0]), np.array(1.0)
        only = float(level.score(both, both, n)), Range(feature, v, math.nextafter(v, math.inf))
        return [only], [only]
    sums = np.concatenate([np.zeros((2, 1)), np.cumsum(bins, axis=1)], axis=1)
    single = np.append(np.nextafter(edges[:-1], np.inf) == edges[1:], False) | discrete
    shares = np.stack([sums[:, 1:], 1 - sums[:, 1:], bins], axis=1)
    scores = level.score(shares, shares[::-1], n)
    weights = np.array(level.weights())[:, None]
    gains = sums[:, None, :] - weights * sums[::-1, None, :]
    found = list(_best_stretches(gains.reshape(-1, edges.size + 1)))
    half = len(found) // 2

    def directed(at: int) -> Iterator[Scored]:
        stretches = found[at * half :][:half]
        sides = (sums[at], sums[1 - at]), (bins[at], bins[1 - at])
        return _directed(feature, edges, discrete, single, *sides, scores[at], stretches, n, level)

    return list(directed(0)), list(directed(1))


def _directed(
    feature: Feature,
    edges: Floats,
    discrete: bool,
    single: NDArray[np.bool_],
    sums: tuple[Floats, Floats],
    bins: tuple[Floats, Floats],
    scores: Floats,
    found: Sequence[tuple[bool, int, int]],
    n: int,
    level: Level,
) -> Iterator[Scored]:
    """Those of one direction. scores: of what lies below each end, above it, and in each bin."""

    def end(i: int) -> float:
        at = _between(float(edges[i - 1]), float(edges[i])) if discrete else float(edges[i])
        return FIRST_SIGN if signs(edges[i]) else at

    (p_sum, q_sum), (p_bin, q_bin) = sums, bins
    below, above, inner = scores
    at = 1 + _roundest(edges[1:], below[:-1], discrete)
    yield float(below[at - 1]), Range(feature, -math.inf, end(at))
    at = 1 + _roundest(edges[1:], above[:-1], discrete)
    yield float(above[at - 1]), Range(feature, end(at), math.inf)

    stretches, shares = [], []
    for inside, i, j in found:
        if i > 0 and j < edges.size:
            a, b = p_sum[j] - p_sum[i], q_sum[j] - q_sum[i]
            stretches.append(Range(feature, end(i), end(j), inside))
            shares.append((a, b) if inside else (1 - a, 1 - b))
    yield from _scored(stretches, shares, n, level)

    if single.any():
        inner = np.where(single, inner, -np.inf)
        rare = np.flatnonzero(single & (p_bin * n < SELDOM) & (p_bin > q_bin))
        promised = promises(p_bin[rare], q_bin[rare], n, level)
        for at in {int(np.argmax(inner)), *rare[np.argsort(-promised, kind="stable")[:1]].tolist()}:
            v = float(edges[at])
            yield float(inner[at]), Range(feature, v, math.nextafter(v, math.inf))
    if discrete:
        sets, shares = [], []
        for c in level.weights():
            chosen = (p_bin > c * q_bin) & (p_bin * n >= 5)
            if 1 < chosen.sum() < edges.size:
                sets.append(Among(feature, tuple(map(float, edges[chosen]))))
                shares.append((p_bin[chosen].sum(), q_bin[chosen].sum()))
        yield from _scored(sets, shares, n, level)


def _scored(
    events: Sequence[Range | Among], shares: Sequence[tuple[float, float]], n: int, level: Level
) -> Iterator[Scored]:
    """Each event with the score of its shares under the two laws, looked at together."""
    if events:
        p, q = np.array(shares).T
        yield from zip(map(float, level.score(p, q, n)), events, strict=True)


def _best_stretches(gains: Floats) -> Iterator[tuple[bool, int, int]]:
    """For each row the i < j for which row[j] − row[i] is largest, then those for which it is least.

    The first part of an entry says which: whether it is largest.
    """
    both = np.stack([gains, -gains], axis=1).reshape(-1, gains.shape[1])
    lowest = np.minimum.accumulate(both, axis=1)
    ends = np.argmax(both[:, 1:] - lowest[:, :-1], axis=1) + 1
    starts = np.argmax(both == np.take_along_axis(lowest, ends[:, None] - 1, axis=1), axis=1)
    for at, (i, j) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
        yield at % 2 == 0, i, j


def _roundest(ends: Floats, scores: Any, discrete: bool) -> int:
    """The end with the shortest text among those whose score is at least 98% of the best."""
    best = float(np.max(scores))
    if discrete or best == -math.inf:
        return int(np.argmax(scores))
    good = np.flatnonzero(scores >= best - 0.02 * abs(best))
    return min(map(int, good), key=lambda i: (len(number(float(ends[i]))), -float(scores[i])))
