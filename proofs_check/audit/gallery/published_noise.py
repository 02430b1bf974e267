"""The published suite without the sparse vectors: noisy maxima, histograms, sums, randomized response.

Sources: Ding et al. 2018, Algorithms 5 to 10 (noisy maxima and histograms); Erlingsson et al. 2014
(RAPPOR); Balcer and Vadhan 2018, Algorithm 4.8 (truncated geometric); Wang et al. 2019 (prefix sums). The
parameters are those of Bichsel et al. 2021 (DP-Sniper).
"""

from typing import Any

import numpy as np

from establish.proofs_check.audit.gallery import noise
from establish.proofs_check.audit.gallery.entry import Draw, Floats, correct, fault
from establish.proofs_check.audit.gallery.noise import Rng
from establish.proofs_check.audit.gallery.published_patterns import (
    EPSILON,
    MAXIMA,
    THRESHOLDED,
    claimed,
    one_answer_moves,
    patterns,
)

KIND = "published suite: noise"
SCALE = float(2 / EPSILON)

FILTER, SHARED, SET = 20, 1, 4
"""Bits of a RAPPOR filter; those that the values 0 and 1 share; those that each of them sets."""

PERMANENT, ONCE = 0.75, 0.95
"""RAPPOR's f with and without the instantaneous answer, which says 1 with probability .55 or .45."""

SUMS, SHARE = 20, 0.005
"""So many sums are released, each with so much of the budget."""

RATIO, MOST = 8 / 9, 5
"""The truncated geometric law: 2^k/(2^k + 1) for k = ⌈ln(2/ε)⌉ = 3, and the number of people."""

_MAXIMUM = claimed(patterns(MAXIMA), "answers that move by 1")
_HISTOGRAM = claimed(one_answer_moves(MAXIMA), "one count moves by 1")
_ANSWERS = claimed(patterns(THRESHOLDED), "answers that move by 1")
_VALUE = claimed(((0, 1),), "any two values")
_COUNT = claimed(tuple((n, n + 1) for n in range(MOST)), "a count and the next")


def _noisy(d: Any, size: int, drawn: Floats) -> Floats:
    return np.asarray(np.asarray(d, dtype=float) + drawn.reshape(size, len(d)))


def _laplace(d: Any, size: int, rng: Rng, scale: float) -> Floats:
    return _noisy(d, size, rng.laplace(0.0, scale, (size, len(d))))


def _exponential(d: Any, size: int, rng: Rng, scale: float) -> Floats:
    return _noisy(d, size, rng.exponential(scale, (size, len(d))))


@correct("report noisy max 1", KIND, _MAXIMUM)
def noisy_argmax(d: Any, size: int, rng: Rng) -> Floats:
    """The place of the largest answer with Laplace noise for ε/2 (Ding et al. 2018, Algorithm 5)."""
    return np.asarray(_laplace(d, size, rng, SCALE).argmax(axis=1), dtype=float)


@correct("report noisy max 2", KIND, _MAXIMUM)
def exponential_argmax(d: Any, size: int, rng: Rng) -> Floats:
    """The place of the largest answer with exponential noise for ε/2 (Algorithm 6)."""
    return np.asarray(_exponential(d, size, rng, SCALE).argmax(axis=1), dtype=float)


@fault("report noisy max 3", KIND, _MAXIMUM, ((1,) * MAXIMA, (2,) * MAXIMA))
def noisy_maximum(d: Any, size: int, rng: Rng) -> Floats:
    """The largest noisy answer itself: the lower tail falls with 5·ε/2."""
    return np.asarray(_laplace(d, size, rng, SCALE).max(axis=1))


@fault("report noisy max 4", KIND, _MAXIMUM, ((1,) * MAXIMA, (2,) * MAXIMA))
def exponential_maximum(d: Any, size: int, rng: Rng) -> Floats:
    """With exponential noise the smallest possible output is the largest answer: the loss is infinite."""
    return np.asarray(_exponential(d, size, rng, SCALE).max(axis=1))


@correct("noisy histogram 1", KIND, _HISTOGRAM)
def histogram(d: Any, size: int, rng: Rng) -> Floats:
    """One count moves by 1, and every count has Laplace noise for ε."""
    return _laplace(d, size, rng, float(1 / EPSILON))


@fault("noisy histogram 2", KIND, _HISTOGRAM, _HISTOGRAM.given[0])
def inverted_scale(d: Any, size: int, rng: Rng) -> Floats:
    """The scale is ε in place of 1/ε: the loss is 10."""
    return _laplace(d, size, rng, float(EPSILON))


@fault("prefix sums", KIND, _ANSWERS, ((1,) * THRESHOLDED, (2,) * THRESHOLDED))
def prefix_sums(d: Any, size: int, rng: Rng) -> Floats:
    """Sums of answers with noise for ε each: differences give all ten back, and the loss is 10·ε."""
    return np.asarray(_laplace(d, size, rng, float(1 / EPSILON)).cumsum(axis=1))


@correct("noisy sums", KIND, _VALUE)
def sums(d: int, size: int, rng: Rng) -> Floats:
    """One sum that moves by 1, released 20 times with ε/20 each: the losses add up to ε."""
    return np.asarray(d + rng.laplace(0.0, 1 / SHARE, (size, SUMS)))


def _filter(d: int) -> Floats:
    """The bits of a value: each value sets four, of which the two values share one."""
    bits = np.zeros(FILTER)
    start = d * (SET - SHARED)
    bits[start : start + SET] = 1.0
    return bits


def rappor(flipped: float, says: tuple[float, float]) -> Draw:
    """Bits, each random with probability ``flipped``; then 1 with a probability by the bit."""

    def draw(d: int, size: int, rng: Rng) -> Floats:
        kept = 1 - flipped / 2, flipped / 2
        chance = [keep * says[1] + (1 - keep) * says[0] for keep in (kept[1], kept[0])]
        return np.asarray(
            rng.random((size, FILTER)) < np.where(_filter(d) > 0, chance[1], chance[0]), dtype=float
        )

    return draw


fault("RAPPOR", KIND, _VALUE, (0, 1), "six bits differ, each with loss ln(.5125/.4875): .3 in all")(
    rappor(PERMANENT, (0.45, 0.55))
)
fault("one-time RAPPOR", KIND, _VALUE, (0, 1), "six bits differ, each with loss ln(.525/.475): .6 in all")(
    rappor(ONCE, (0.0, 1.0))
)


@fault("truncated geometric", KIND, _COUNT, (2, 3), size="10%")
def truncated_geometric(d: int, size: int, rng: Rng) -> Floats:
    """Geometric noise of ratio 8/9 moved into 0 … 5: it keeps ln(9/8), which is more than .1."""
    return np.clip(d + noise.geometric(RATIO, size, rng), 0.0, float(MOST))
