"""Faults that give a dataset away: outputs that are possible on one dataset and not on the other."""

import math
from typing import Any

import numpy as np

from establish.proofs_check.audit.gallery import noise
from establish.proofs_check.audit.gallery.calibration_faults import LOG_STEP, PUBLISHED, TENTH
from establish.proofs_check.audit.gallery.entry import (
    GROWTH,
    HIRE,
    JOB,
    KIND_A,
    RECORD,
    ROOT,
    Draw,
    Floats,
    fault,
)
from establish.proofs_check.audit.gallery.noise import Rng, heavy_tailed
from establish.proofs_check.audit.question.definitions import dp, edge, weak_er_ee

ONE_DRAW = "one draw for two outputs"


@fault("the same draw for n and 2n", ONE_DRAW, *RECORD)
def count_and_double(d: int, size: int, rng: Rng) -> Floats:
    """The difference of the outputs is n."""
    draw = rng.laplace(0.0, 1.0, size)
    return noise.columns(d + draw, 2 * d + draw)


@fault("a draw and its negative", ONE_DRAW, *JOB)
def antithetic(d: Any, size: int, rng: Rng) -> Floats:
    """The outputs sum to 2n."""
    draw = rng.laplace(0.0, 1.0, size)
    return noise.columns(sum(d) + draw, sum(d) - draw)


@fault("one factor for two cells", ONE_DRAW, weak_er_ee(TENTH, 1, attributes=2), (((0, 100),), ((1, 100),)))
def one_factor(d: Any, size: int, rng: Rng) -> Floats:
    """Both cells get the same factor e^η, and the ratio (n + 10)/(n' + 10) is exact."""
    factor = np.exp(rng.laplace(0.0, 2 * LOG_STEP, size))
    return noise.columns(*((n + 10.0) * factor - 10.0 for n in noise.shares(d)))


@fault("one draw for the total and a share", ONE_DRAW, *ROOT)
def total_and_share(d: Any, size: int, rng: Rng) -> Floats:
    """√x + η and 2x + η: the difference 2x − √x is exact."""
    draw = rng.normal(0.0, 2.0, size)
    return noise.columns(math.sqrt(sum(d)) + draw, 2 * sum(d) + draw)


CORRELATED = "noise correlated between cells"


@fault("cells whose noise cancels in the sum", CORRELATED, *KIND_A)
def cancelling(d: Any, size: int, rng: Rng) -> Floats:
    """The noise of the second cell is minus that of the first: the total is exact."""
    draw = rng.laplace(0.0, 1.0, size)
    return noise.columns(d.count("a") + draw, d.count("b") - draw)


@fault("cells that share most of their noise", CORRELATED, edge(1), ((0, 0), (0, 1)))
def mostly_shared(d: Any, size: int, rng: Rng) -> Floats:
    """The difference of two cells has noise of scale 1/10 only."""
    shared = rng.laplace(0.0, 1.0, size)
    return noise.columns(*(x + shared + rng.laplace(0.0, 0.1, size) for x in d))


@fault("cells scaled to the exact total", CORRELATED, dp(1, records=("a", "b")), (("a",), ("a", "a")))
def raked(d: Any, size: int, rng: Rng) -> Floats:
    """The noisy cells are moved by equal amounts until they sum to the true total."""
    cells = [d.count(r) + rng.laplace(0.0, 1.0, size) for r in "ab"]
    gap = (len(d) - cells[0] - cells[1]) / 2
    return noise.columns(cells[0] + gap, cells[1] + gap)


EXPORTED = "noise scale exported"


@fault("smooth gamma with its scale", EXPORTED, *GROWTH)
def with_scale(d: Any, size: int, rng: Rng) -> Floats:
    """S = max(α·largest, 1) is printed beside the output: it is the size of the largest."""
    smooth = max(0.1 * max(d), 1.0)
    return noise.columns(sum(d) + PUBLISHED * smooth * heavy_tailed(size, rng), noise.constant(smooth, size))


@fault("log-Laplace with its standard error", EXPORTED, *HIRE)
def with_error(d: Any, size: int, rng: Rng) -> Floats:
    """The error (n + γ)·λ/(1 − λ²) is printed with the true n."""
    error = (sum(d) + 10) * LOG_STEP / (1 - LOG_STEP**2)
    return noise.columns(noise.log_laplace(sum(d), 10.0, LOG_STEP, size, rng), noise.constant(error, size))


@fault("GEDP output with its true variance", EXPORTED, *ROOT)
def with_variance(d: Any, size: int, rng: Rng) -> Floats:
    """The variance 4·x·σ² + 2·σ⁴ of the squared output is a function of the true x."""
    output = math.sqrt(sum(d)) + rng.normal(0.0, 1.0, size)
    return noise.columns(output**2 - 1, noise.constant(4 * sum(d) + 2, size))


LATTICE = "lattice that depends on the data"


@fault("noise in steps of two", LATTICE, *RECORD)
def steps_of_two(d: int, size: int, rng: Rng) -> Floats:
    """n + 2K has the parity of n."""
    return d + 2 * noise.geometric(math.exp(-1), size, rng)


@fault("steps of the sensitivity", LATTICE, *GROWTH)
def steps_of_sensitivity(d: Any, size: int, rng: Rng) -> Floats:
    """Outputs are n plus multiples of S, and S goes from 1 to 1.1."""
    smooth = max(0.1 * max(d), 1.0)
    return np.asarray(sum(d) + smooth * np.round(PUBLISHED * heavy_tailed(size, rng)))


@fault("whole noise for a fractional value", LATTICE, *JOB)
def fractional(d: Any, size: int, rng: Rng) -> Floats:
    """The fraction of 0.3·n survives noise on the integers."""
    return np.asarray(0.3 * sum(d) + noise.geometric(math.exp(-1), size, rng))


EXACT_ZERO = "zero cells left exact"


def exact_zero(one: Draw) -> Draw:
    """Noise for cells with workers only."""

    def draw(d: Any, size: int, rng: Rng) -> Floats:
        return np.asarray(one(d, size, rng)) if noise.total(d) else noise.constant(0, size)

    return draw


AN_ATOM = "the output 0 has probability 1 on an empty cell, and 0 with one worker"
fault("Laplace for positive counts", EXACT_ZERO, *RECORD, AN_ATOM)(exact_zero(noise.laplace_count(1.0)))
fault("log-Laplace for positive counts", EXACT_ZERO, *HIRE, AN_ATOM)(
    exact_zero(noise.log_laplace_cell(0.1, 2 * LOG_STEP))
)
fault("smooth gamma for positive counts", EXACT_ZERO, weak_er_ee(TENTH, 1), ((0,), (1,)), AN_ATOM)(
    exact_zero(noise.smooth_gamma_cell(0.1, PUBLISHED))
)
fault(
    "geometric for positive counts",
    EXACT_ZERO,
    *JOB,
    "the output 0 has probability 1 on an empty cell, and 0.17 with one worker",
)(exact_zero(noise.geometric_count(math.exp(-1))))


@fault("noise for bins that hold a record", EXACT_ZERO, *KIND_A)
def filled_bins(d: Any, size: int, rng: Rng) -> Floats:
    """An empty bin is exactly 0."""
    return noise.columns(*((d.count(r) + rng.laplace(0.0, 1.0, size)) * (r in d) for r in "ab"))


@fault("noise infusion by factors", EXACT_ZERO, *HIRE)
def infused(d: Any, size: int, rng: Rng) -> Floats:
    """Factors between 0.85 and 1.15 keep zero, and every output stays within 15% of the truth."""
    factor = 1 + rng.choice([-1, 1], size) * rng.uniform(0.05, 0.15, size)
    return np.asarray(sum(d) * factor)
