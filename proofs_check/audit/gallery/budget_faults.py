"""Faults of composition: a budget that is not counted, cells that are not disjoint."""

import math
from typing import Any

import numpy as np

from establish.proofs_check.audit.gallery import noise
from establish.proofs_check.audit.gallery.calibration_faults import EMPTY_VALUE, LOG_STEP, TENTH
from establish.proofs_check.audit.gallery.entry import HIRE, JOB, KIND_A, RECORD, ROOT, Draw, Floats, fault
from establish.proofs_check.audit.gallery.noise import Rng
from establish.proofs_check.audit.question.definitions import edge, gedp, strong_er_ee, weak_er_ee

BUDGET = "budget not counted"


def twice(one: Draw) -> Draw:
    """Two independent releases."""
    return lambda d, size, rng: noise.columns(one(d, size, rng), one(d, size, rng))


fault("two Laplace releases", BUDGET, *RECORD, "each costs 1: the loss is 2")(twice(noise.laplace_count(1.0)))
fault("two geometric releases", BUDGET, *JOB, "each costs 1: the loss is 2")(
    twice(noise.geometric_count(math.exp(-1)))
)
fault("two log-Laplace releases", BUDGET, *HIRE, "each costs 1: the loss is 2")(
    twice(noise.log_laplace_cell(0.1, LOG_STEP))
)
fault("two Gaussian releases", BUDGET, *ROOT, "two releases at μ = 1 have μ = √2")(
    twice(noise.root_normal(1.0))
)


@fault("mean of four releases", BUDGET, *RECORD)
def mean_of_four(d: int, size: int, rng: Rng) -> Floats:
    """The four draws are averaged, which is no excuse: a half-line far out has loss near 4."""
    return np.asarray(d + rng.laplace(0.0, 1.0, (4, size)).mean(axis=0))


@fault("a total beside its cells", BUDGET, edge(1), ((0, 0), (0, 1)))
def total_and_cells(d: Any, size: int, rng: Rng) -> Floats:
    """A job counts in its cell and in the total, each with noise for ε."""
    cells = [x + rng.laplace(0.0, 1.0, size) for x in d]
    return noise.columns(sum(d) + rng.laplace(0.0, 1.0, size), *cells)


@fault("the smaller of two releases", BUDGET, *RECORD)
def smaller_of_two(d: int, size: int, rng: Rng) -> Floats:
    """The minimum of two draws has the density 2·p·(1−F): far out its loss is 2."""
    return np.asarray(d + rng.laplace(0.0, 1.0, (2, size)).min(axis=0))


WORKERS = "parallel composition over workers"


def per_value(scale: float) -> Draw:
    """Log-Laplace for the cell of every attribute value."""

    def draw(d: Any, size: int, rng: Rng) -> Floats:
        return noise.columns(*(noise.log_laplace(n, 10.0, scale, size, rng) for n in noise.shares(d)))

    return draw


BOTH_GROW = (((100, 100),), ((110, 110),))
"""Both values of one establishment grow by a tenth."""

fault(
    "log-Laplace per attribute value, strong",
    WORKERS,
    strong_er_ee(TENTH, 1, attributes=2),
    EMPTY_VALUE,
    "the cells share the establishment, and one may take all the growth",
)(per_value(LOG_STEP))
fault(
    "log-Laplace per attribute value, weak",
    WORKERS,
    weak_er_ee(TENTH, 1, attributes=2),
    BOTH_GROW,
    "both cells grow at once: 2·ln(120/110)/ln 1.1 = 1.83",
)(per_value(LOG_STEP))


@fault("Gaussian per attribute", WORKERS, gedp(1, "sqrt", (1, 1)), (((1.0, 1.0),), ((4.0, 4.0),)))
def gaussian_per_attribute(d: Any, size: int, rng: Rng) -> Floats:
    """Both attributes of an establishment may move at once: μ = √2."""
    return noise.columns(*(math.sqrt(n) + rng.normal(0.0, 1.0, size) for n in noise.shares(d)))


@fault("subsampling overestimated", BUDGET, *KIND_A)
def subsampled(d: Any, size: int, rng: Rng) -> Floats:
    """Halving the records turns ε = 2 into ln(1 + (e² − 1)/2) = 1.43, not into 1."""
    return np.asarray(rng.binomial(len(d), 0.5, size) + rng.laplace(0.0, 0.5, size))
