"""Faults of calibration: a shift, a sensitivity, a share of ε."""

import math
from fractions import Fraction
from typing import Any

import numpy as np

from establish.proofs_check.audit.gallery import noise
from establish.proofs_check.audit.gallery.entry import HIRE, RECORD, Floats, fault
from establish.proofs_check.audit.gallery.noise import Rng, heavy_tailed
from establish.proofs_check.audit.gallery.scale_faults import histogram
from establish.proofs_check.audit.question.definitions import dp, edge, gedp, node, strong_er_ee, weak_er_ee

TENTH = Fraction(1, 10)
LOG_STEP = math.log(1.1)
"""ln(1 + α) at α = 1/10: the tight scale of log-Laplace at ε = 1."""

PUBLISHED = 5 / (1 - 5 * LOG_STEP)
"""The multiplier of Algorithm 2 at α = 1/10, ε = 1."""

SHIFT = "shift missing or too small"

fault(
    "log-Laplace with shift 1",
    SHIFT,
    *HIRE,
    "ln(n + 1) moves by ln 2 from 0 to 1, over a scale of ln 1.1: the loss is 7.3",
)(noise.log_laplace_cell(0.1, LOG_STEP, shift=1.0))
fault(
    "log-Laplace with half the shift",
    SHIFT,
    *HIRE,
    "ln(n + 5) moves by ln(6/5) from 0 to 1: the loss is 1.91",
)(noise.log_laplace_cell(0.1, LOG_STEP, shift=5.0))
fault(
    "weak log-Laplace with α as the shift",
    SHIFT,
    weak_er_ee(TENTH, 1),
    ((0,), (1,)),
    "ln(n + 0.1) moves by ln 11 from 0 to 1: the loss is 25",
)(noise.log_laplace_cell(0.1, LOG_STEP, shift=0.1))


@fault("log-Laplace without a shift", SHIFT, *HIRE)
def no_shift(d: Any, size: int, rng: Rng) -> Floats:
    """Multiplicative noise leaves an empty cell exactly 0, and a single worker never gives 0."""
    return np.asarray(sum(d) * np.exp(rng.laplace(0.0, LOG_STEP, size)))


WRONG = "wrong sensitivity"
EMPTY_VALUE = (((0, 100),), ((10, 100),))
"""Ten workers join, all of a value that nobody had: strong neighbors at α = 1/10."""


@fault("strong log-Laplace of one attribute value", WRONG, strong_er_ee(TENTH, 1, attributes=2), EMPTY_VALUE)
def one_value(d: Any, size: int, rng: Rng) -> Floats:
    """A tenth of the workforce may join one value: its count goes from 0 to 10, and ln 2/ln 1.1 is 7.3."""
    return noise.log_laplace(noise.shares(d)[0], 10.0, LOG_STEP, size, rng)


@fault(
    "strong smooth gamma with the matching workers as size",
    WRONG,
    strong_er_ee(TENTH, 1, attributes=2),
    EMPTY_VALUE,
)
def matching_size(d: Any, size: int, rng: Rng) -> Floats:
    """S = max(α·matching, 1) is 1 where ten matching workers may join: ten times the allowed shift."""
    largest = max(x[0] for x in d)
    scale = PUBLISHED / 3 * max(0.1 * largest, 1.0)
    return np.asarray(noise.shares(d)[0] + scale * heavy_tailed(size, rng))


@fault("strong Laplace of one attribute value", WRONG, strong_er_ee(TENTH, 1, attributes=2), EMPTY_VALUE)
def unit_noise(d: Any, size: int, rng: Rng) -> Floats:
    """Noise for one worker, where a tenth of the workforce may join."""
    return np.asarray(noise.shares(d)[0] + rng.laplace(0.0, 1.0, size))


fault(
    "edge noise for establishments",
    WRONG,
    strong_er_ee(TENTH, 1),
    ((20,), (22,)),
    "from 20 workers on a neighbor differs by 2 or more, and the noise is fit to 1",
)(noise.laplace_count(1.0))
fault(
    "edge noise for nodes",
    WRONG,
    node(1),
    ((0,), (10,)),
    "a neighbor may have any other workforce, and the noise is fit to 1",
)(noise.laplace_count(1.0))
fault(
    "histogram noise for substitution",
    WRONG,
    dp(1, 0, "substitution", ("a", "b")),
    (("a",), ("b",)),
    "a substitution moves two bins by 1 each: the loss is 2",
)(histogram(1.0))
fault(
    "constant noise for √",
    WRONG,
    gedp(1, "sqrt", 1),
    ((100.0,), (121.0,)),
    "from 100 to 121 the value moves by 21, and the noise is fit to the 1 from 0 to 1",
)(lambda d, size, rng: sum(d) + rng.normal(0.0, 1.0, size))
fault(
    "γ left out of the noise",
    WRONG,
    gedp(1, "sqrt", 2),
    ((0.0,), (4.0,)),
    "√x moves by γ = 2, and the noise is fit to 1",
)(noise.root_normal(1.0))


@fault("sum of a value that counts three times", WRONG, *RECORD)
def thrice(d: int, size: int, rng: Rng) -> Floats:
    """One record moves 3n by 3, and the noise is fit to 1."""
    return np.asarray(3 * d + rng.laplace(0.0, 1.0, size))


@fault("rounding to tens before the noise", "rounding before noise", dp(1), (5, 6))
def rounded_first(d: int, size: int, rng: Rng) -> Floats:
    """Rounding moves 5 to 0 and 6 to 10, so the rounded count has sensitivity 10, not 1."""
    return np.asarray(10.0 * round(d / 10) + rng.laplace(0.0, 1.0, size))


@fault("rounding to hundreds before geometric noise", "rounding before noise", edge(1), ((50,), (51,)))
def hundreds(d: Any, size: int, rng: Rng) -> Floats:
    """The rounded total jumps by 100 from 50 to 51."""
    return np.asarray(100.0 * round(sum(d) / 100) + noise.geometric(math.exp(-1), size, rng))


SPLIT = "ε halves swapped"


@fault("noise scales of two queries swapped", SPLIT, *RECORD)
def swapped(d: int, size: int, rng: Rng) -> Floats:
    """n and 3n get half of ε each: swapped scales 6 and 2 cost 1/6 + 3/2."""
    return noise.columns(d + rng.laplace(0.0, 6.0, size), 3 * d + rng.laplace(0.0, 2.0, size))


@fault("sliding and dilation budgets swapped", SPLIT, strong_er_ee(TENTH, "3/10"), ((10,), (11,)))
def swapped_budgets(d: Any, size: int, rng: Rng) -> Floats:
    """ε1 = 0.014 must pay for sliding; with ε2 = 0.286 in its place the loss is above ε (white box)."""
    multiplier = 3**0.75 / (3 * LOG_STEP)
    return np.asarray(sum(d) + multiplier * max(0.1 * max(d), 1) * heavy_tailed(size, rng))
