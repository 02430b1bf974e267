"""Faults of support: seeds, edges and cuts that exclude one of two neighbors."""

import math
from typing import Any

import numpy as np

from establish.proofs_check.audit.gallery import noise
from establish.proofs_check.audit.gallery.calibration_faults import LOG_STEP, TENTH
from establish.proofs_check.audit.gallery.entry import HIRE, JOB, RECORD, ROOT, Floats, fault
from establish.proofs_check.audit.gallery.noise import Rng
from establish.proofs_check.audit.question.definitions import edge, strong_er_ee

SEED = "seed reused"


@fault("a constant seed", SEED, *RECORD)
def constant_seed(d: int, size: int, rng: Rng) -> Floats:
    """The noise is the same in every run: the difference of two runs is exact."""
    return noise.constant(d + np.random.default_rng(2017).laplace(), size)


@fault("a seed from the data", SEED, *JOB)
def data_seed(d: Any, size: int, rng: Rng) -> Floats:
    """Every dataset has one output."""
    return noise.constant(sum(d) + np.random.default_rng(sum(d)).laplace(), size)


@fault("four seeds", SEED, *HIRE)
def four_seeds(d: Any, size: int, rng: Rng) -> Floats:
    """Only four noise values occur, so that outputs of neighbors do not overlap."""
    values = np.random.default_rng(7).laplace(0.0, LOG_STEP, 4)
    return np.asarray((sum(d) + 10) * np.exp(values[rng.integers(0, 4, size)]) - 10)


@fault("noise from 24 bits", SEED, *RECORD)
def few_bits(d: int, size: int, rng: Rng) -> Floats:
    """The noise is one of 2^24 values, and hardly any of them is a value of the noise plus 1."""
    return np.asarray(d + noise.laplace_of(rng.integers(0, 2**24, size), 2**24))


EDGE = "bin edge from the data"


@fault("workers at the largest establishments", EDGE, edge(1), ((5, 4), (5, 5)))
def top_class(d: Any, size: int, rng: Rng) -> Floats:
    """The class begins at the largest size: one job lets an establishment of 5 join it."""
    top = sum(x for x in d if x == max(d))
    return np.asarray(top + rng.laplace(0.0, 1.0, size))


@fault("establishments above the mean", EDGE, strong_er_ee(TENTH, 1), ((0, 0, 0), (1, 0, 0)))
def above_the_mean(d: Any, size: int, rng: Rng) -> Floats:
    """All are at the mean when all are equal, and one of three after a single worker joined."""
    top = sum(x >= sum(d) / len(d) for x in d)
    return np.asarray(top + rng.laplace(0.0, 1.0, size))


@fault("the largest size as the edge", EDGE, *JOB)
def edge_exported(d: Any, size: int, rng: Rng) -> Floats:
    """The upper edge of the last bin is the largest size itself."""
    return noise.columns(sum(d) + rng.laplace(0.0, 1.0, size), noise.constant(max(d), size))


SUPPORT = "support that moves"


@fault("noise cut at five", SUPPORT, *RECORD)
def cut(d: int, size: int, rng: Rng) -> Floats:
    """Noise is kept within ±5: an output above n + 5 excludes n."""
    return np.asarray(d + np.clip(rng.laplace(0.0, 1.0, size), -5, 5))


@fault("one-sided noise", SUPPORT, *JOB)
def one_sided(d: Any, size: int, rng: Rng) -> Floats:
    """An output below n + 1 excludes n + 1."""
    return np.asarray(sum(d) + rng.exponential(1.0, size))


@fault("uniform noise", SUPPORT, *ROOT)
def uniform(d: Any, size: int, rng: Rng) -> Floats:
    """Outputs beyond √x ± 3 exclude x."""
    return np.asarray(math.sqrt(sum(d)) + rng.uniform(-3, 3, size))


@fault("the exact value once in a hundred", SUPPORT, *RECORD)
def now_and_then(d: int, size: int, rng: Rng) -> Floats:
    """With probability 1/100 no noise is added: n itself is an atom."""
    return np.asarray(d + rng.laplace(0.0, 1.0, size) * (rng.random(size) > 0.01))


@fault("small cells suppressed", SUPPORT, strong_er_ee(TENTH, 1), ((2,), (3,)))
def suppressed(d: Any, size: int, rng: Rng) -> Floats:
    """Cells of fewer than 3 workers are −1, by the true count."""
    noisy = noise.log_laplace(sum(d), 10.0, LOG_STEP, size, rng)
    return noisy if sum(d) >= 3 else noise.constant(-1, size)


@fault("output kept below twice the truth", SUPPORT, *JOB)
def plausible(d: Any, size: int, rng: Rng) -> Floats:
    """Noise that would more than double a count is cut: 2n is an atom."""
    return np.asarray(np.minimum(sum(d) + rng.laplace(0.0, 1.0, size), 2 * sum(d)))


SPARSE = "sparse vector"


@fault("threshold without noise on the queries", SPARSE, *RECORD)
def noisy_threshold_only(d: int, size: int, rng: Rng) -> Floats:
    """One noisy threshold for n and 1 − n: the answers (no, yes) exclude n = 1."""
    threshold = 0.5 + rng.laplace(0.0, 1.0, size)
    return noise.columns(d > threshold, 1 - d > threshold)


@fault("a hundred answers above one threshold", SPARSE, *RECORD)
def many_answers(d: int, size: int, rng: Rng) -> Floats:
    """Every one of 100 answers has noise for ε = 1, and all are given: their number gives n away."""
    threshold = rng.laplace(0.0, 2.0, size)
    above = d + rng.laplace(0.0, 2.0, (100, size)) > threshold
    return noise.columns(above.sum(axis=0), threshold)
