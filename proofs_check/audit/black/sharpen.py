"""The event on one pair for which so many fresh outputs would prove the most.

An event that breaks a level clearly is often not the one with the best bound: a rarer one has a larger ratio
and a wider interval. Features are learned on kept outputs; each is then computed on fresh ones, of which only
its values are kept, and the threshold with the best expected bound is taken. Nothing here is a result: the
event is tested on fresh outputs afterwards.
"""

import math
from collections.abc import Iterator, Sequence

import numpy as np

from establish.proofs_check.audit.black.confirm import Candidate
from establish.proofs_check.audit.black.events import Feature, Range
from establish.proofs_check.audit.black.features import features
from establish.proofs_check.audit.black.samples import AT_ONCE, Samples
from establish.proofs_check.audit.question.level import Approximate, Floats, Level
from establish.proofs_check.audit.question.result import Pair

FEWEST = 200
"""From fewer outputs nothing is learned."""

TRIED = 3
"""So many features are compared on fresh outputs; the others are compared where learned."""

THRESHOLDS = 600
"""So many thresholds are compared, evenly in the logarithm of the share beyond them."""

CHOSEN, CHECKED = 2.0, 1.0
"""Standard errors by which the sample is distrusted on which a threshold is chosen, and a second one, by
which the best thresholds of all features and pairs are compared."""


def sharpest(
    pair: Pair,
    level: Level,
    samples: Samples,
    outputs: int,
    deviations: Sequence[float],
    learned_from: int,
    scored_on: int,
) -> tuple[Candidate, ...]:
    """The events whose bounds from ``outputs`` fresh ones of each dataset are expected to be largest.

    deviations: for one bound after the other, how many standard errors it will lie below the estimate.
    learned_from, scored_on: outputs of each dataset that features are learned from, and thresholds
    compared on. Nothing when there are too few of them.
    """
    have = samples.used(learned_from, pair)
    if have < FEWEST:
        return ()
    first, second, grid = samples.both(pair, have)
    learned = [side[::2] for side in (first, second)]
    found: list[tuple[float, Feature]] = []
    for feature in features(*learned):
        if feature.rows > have:
            p, q = (feature.of(side[1::2][feature.skip :]) for side in (first, second))
            found += [(one[0], feature) for one in _best(p, q, level, outputs, deviations[0])]
    found.sort(key=lambda entry: (-entry[0], entry[1].cost))
    chosen = list(dict.fromkeys(feature for _, feature in found))[:TRIED]
    values = list(zip(chosen, _values(chosen, pair, samples, grid, scored_on), strict=True))
    best: list[Candidate] = []
    for z in deviations:
        seen = [
            Candidate(
                (pair[1], pair[0]) if swapped else pair,
                Range(feature, low, high),
                grid,
                0.0,
                bound,
                shares,
                len(sides[0]) // 2,
            )
            for feature, sides in values
            for bound, swapped, low, high, shares in _best(*sides, level, outputs, z)
        ]
        best += [max(seen, key=lambda one: one.least)] if seen else []
    return tuple(best)


def _values(
    chosen: Sequence[Feature], pair: Pair, samples: Samples, grid: Floats | None, size: int
) -> list[tuple[Floats, Floats]]:
    """The features of so many fresh outputs of either dataset."""
    parts: list[tuple[list[Floats], list[Floats]]] = [([], []) for _ in chosen]
    for start in range(0, size, AT_ONCE):
        for side, drawn in enumerate(samples.fresh(pair, grid, min(AT_ONCE, size - start))):
            for kept, feature in zip(parts, chosen, strict=True):
                kept[side].append(feature.of(drawn))
    return [(np.concatenate(kept[0]), np.concatenate(kept[1])) for kept in parts]


def _best(
    first: Floats, second: Floats, level: Level, outputs: int, deviations: float
) -> Iterator[tuple[float, bool, float, float, tuple[float, float]]]:
    """By direction the best half-line: (bound, swapped, low, high, shares).

    It is chosen by one half of the values, and its bound and shares are from the other half.
    """
    (first, other_first), (second, other_second) = (
        (np.sort(side[::2]), side[1::2]) for side in (first, second)
    )
    for swapped, (p, q) in enumerate(((first, second), (second, first))):
        best = (-math.inf, 0.0, 0.0)
        for low, high, p_share, q_share in _half_lines(p, q):
            bounds = expected(level, p_share, q_share, len(p), outputs, deviations, CHOSEN)
            at = int(np.argmax(bounds))
            if bounds[at] > best[0]:
                best = float(bounds[at]), float(low[at]), float(high[at])
        if best[0] > -math.inf:
            sides = other_first, other_second
            shares = [((best[1] <= side) & (side < best[2])).mean() for side in sides]
            p_one, q_one = shares[::-1] if swapped else shares
            one = expected(level, np.array([p_one]), np.array([q_one]), len(p), outputs, deviations, CHECKED)
            yield float(one[0]), bool(swapped), best[1], best[2], (float(p_one), float(q_one))


def _half_lines(p: Floats, q: Floats) -> Iterator[tuple[Floats, Floats, Floats, Floats]]:
    """Ends, and the shares of both laws between them: thresholds from above and from below.

    p, q: in ascending order.
    """
    n = len(p)
    ranks = np.unique(np.geomspace(1, n, THRESHOLDS // 2).astype(int)) - 1
    for from_above in (True, False):
        at = np.unique((p[::-1] if from_above else p)[ranks])
        if from_above:
            inside = [(n - np.searchsorted(side, at, side="left")) / n for side in (p, q)]
            yield at, np.full(at.size, np.inf), inside[0], inside[1]
        else:
            inside = [np.searchsorted(side, at, side="right") / n for side in (p, q)]
            yield np.full(at.size, -np.inf), np.nextafter(at, np.inf), inside[0], inside[1]


def expected(
    level: Level, p: Floats, q: Floats, seen: int, outputs: int, deviations: float, doubt: float
) -> Floats:
    """About the bound that ``outputs`` of each law will give, from shares of ``seen`` outputs.

    deviations, doubt: standard errors of those and of these by which it lies below the estimate.

    For a ratio the delta method on its logarithm: Var ln(P/Q) ≈ (1 − P)/(nP) + (1 − Q)/(nQ); an event
    that was hardly seen counts as if it had been seen a little more often under the second law.
    """
    spread = deviations / math.sqrt(outputs) + doubt / math.sqrt(seen)
    extra = (deviations**2 / 2) / outputs + (doubt**2 / 2) / seen
    if isinstance(level, Approximate):
        p_sure = p - float(level.delta) - extra
        q_sure = q + extra
        with np.errstate(all="ignore"):
            variance = (1 - p).clip(0) * p / np.square(p_sure) + (1 - q).clip(0) / q_sure
            bound = np.log(p_sure / q_sure) - spread * np.sqrt(variance)
        return np.where(p_sure > 0, bound, -np.inf)
    sure = [
        np.clip(share + sign * (spread * np.sqrt(share * (1 - share)) + extra), 1e-15, 1 - 1e-15)
        for share, sign in ((p, -1), (q, 1))
    ]
    return np.array([level.least(float(a), float(b)) for a, b in zip(*sure, strict=True)])
