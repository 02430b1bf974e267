"""Correct mechanisms for establishments."""

import math
from fractions import Fraction
from typing import Any

import numpy as np

from establish.proofs_check.audit.gallery import noise
from establish.proofs_check.audit.gallery.budget_faults import per_value
from establish.proofs_check.audit.gallery.calibration_faults import LOG_STEP, PUBLISHED
from establish.proofs_check.audit.gallery.entry import Floats, correct
from establish.proofs_check.audit.gallery.noise import Rng, heavy_tailed
from establish.proofs_check.audit.gallery.scale_faults import SMOOTH_LAPLACE_DELTA
from establish.proofs_check.audit.question.definitions import gedp, strong_er_ee, weak_er_ee
from establish.spec.arithmetic import MP
from establish.spec.mechanisms import smooth_gamma, smooth_laplace

TENTH, TWENTIETH = Fraction(1, 10), Fraction(1, 20)

for _alpha, _epsilon in ((TENTH, 2), (TWENTIETH, 1)):
    _at = f"at α = {_alpha}, ε = {_epsilon}"
    _step, _share = math.log1p(_alpha), float(_alpha)
    for _name, _factor, _loss in (("published", 2, "ε/2"), ("tight", 1, "ε")):
        correct(
            f"log-Laplace {_name} {_at}",
            "log-Laplace",
            strong_er_ee(_alpha, _epsilon),
            f"ln(n + 1/α) moves by at most ln(1 + α): the loss is {_loss}",
        )(noise.log_laplace_cell(_share, _factor * _step / _epsilon))
    for _name, _slide in (
        ("published", smooth_gamma.published_slide(_alpha, _epsilon, MP)),
        ("tight", smooth_gamma.tight_slide(_alpha, _epsilon, MP)),
    ):
        correct(
            f"smooth gamma {_name} {_at}",
            "smooth gamma",
            strong_er_ee(_alpha, _epsilon),
            "sliding by a costs at most 3^(3/4)·a, dilation by 1 + α at most 3·ln(1 + α)",
        )(noise.smooth_gamma_cell(_share, 1 / float(_slide)))

EXACT_DELTA = "δ is at least the exact divergence, attained from 1/α to 1/α + 1 workers"
correct(
    "smooth Laplace at α = 1, ε = 2", "smooth Laplace", strong_er_ee(1, 2, SMOOTH_LAPLACE_DELTA), EXACT_DELTA
)(noise.smooth_laplace_cell(1.0, 1.0))
correct(
    "smooth Laplace at α = 1/2, ε = 1",
    "smooth Laplace",
    strong_er_ee(Fraction(1, 2), 1, f"{float(smooth_laplace.exact_delta(Fraction(1, 2), 1, MP)):.9f}1"),
    EXACT_DELTA,
)(noise.smooth_laplace_cell(0.5, 2.0))
correct(
    "smooth Laplace at α = 1/10, ε = 2",
    "smooth Laplace",
    strong_er_ee(TENTH, 2, Fraction(8, 10**7)),
    EXACT_DELTA,
)(noise.smooth_laplace_cell(0.1, 1.0))

ATTRIBUTES = "worker attributes"


@correct("weak log-Laplace of one attribute value", ATTRIBUTES, weak_er_ee(TENTH, 1, attributes=2))
def one_value(d: Any, size: int, rng: Rng) -> Floats:
    """Under weak neighbors each value's count grows by at most max(α·count, 1), like a whole cell."""
    return noise.log_laplace(noise.shares(d)[0], 10.0, LOG_STEP, size, rng)


correct(
    "weak log-Laplace of both values with halves",
    ATTRIBUTES,
    weak_er_ee(TENTH, 1, attributes=2),
    "each cell costs at most 1/2, and losses add up",
)(per_value(2 * LOG_STEP))


@correct(
    "strong smooth gamma of one value, scaled by whole workforces",
    ATTRIBUTES,
    strong_er_ee(TENTH, 1, attributes=2),
)
def whole_workforce(d: Any, size: int, rng: Rng) -> Floats:
    """S = max(α·largest workforce, 1) bounds the growth of any value, and stretches by at most 1 + α."""
    smooth = max(0.1 * max(map(sum, d)), 1.0)
    return np.asarray(noise.shares(d)[0] + PUBLISHED * smooth * heavy_tailed(size, rng))


@correct(
    "weak smooth gamma with the matching workers as size", ATTRIBUTES, weak_er_ee(TENTH, 1, attributes=2)
)
def matching_size(d: Any, size: int, rng: Rng) -> Floats:
    """Under weak neighbors matching workers grow by at most max(α·matching, 1) = S."""
    smooth = max(0.1 * max(x[0] for x in d), 1.0)
    return np.asarray(noise.shares(d)[0] + PUBLISHED * smooth * heavy_tailed(size, rng))


CELLS = "cells of establishments"


@correct("log-Laplace for each establishment", CELLS, strong_er_ee(TENTH, 1))
def each_establishment(d: Any, size: int, rng: Rng) -> Floats:
    """One establishment changes, and it is in one cell: the other laws are the same."""
    return noise.columns(*(noise.log_laplace(x, 10.0, LOG_STEP, size, rng) for x in d))


@correct("smooth gamma for each establishment", CELLS, strong_er_ee(TENTH, 1))
def smooth_each(d: Any, size: int, rng: Rng) -> Floats:
    """One establishment changes, and it is in one cell: the other laws are the same."""
    return noise.columns(*(x + PUBLISHED * max(0.1 * x, 1.0) * heavy_tailed(size, rng) for x in d))


@correct("log-Laplace rounded", CELLS, strong_er_ee(TENTH, 2))
def rounded(d: Any, size: int, rng: Rng) -> Floats:
    """A function of a private output."""
    return np.round(noise.log_laplace(sum(d), 10.0, LOG_STEP / 2, size, rng))


@correct("log-Laplace kept at zero or more", CELLS, weak_er_ee(TENTH, 1))
def not_negative(d: Any, size: int, rng: Rng) -> Floats:
    """A function of a private output; the atom at 0 is a half-line of it."""
    return np.maximum(noise.log_laplace(sum(d), 10.0, LOG_STEP, size, rng), 0.0)


@correct("smooth gamma beside log-Laplace", CELLS, strong_er_ee(TENTH, 2))
def two_algorithms(d: Any, size: int, rng: Rng) -> Floats:
    """Losses of at most 1 each add up."""
    smooth = PUBLISHED * max(0.1 * max(d), 1.0) * heavy_tailed(size, rng)
    return noise.columns(sum(d) + smooth, noise.log_laplace(sum(d), 10.0, LOG_STEP, size, rng))


GEDP = "Gaussian establishment DP"
correct(
    "√ with deviation 1",
    GEDP,
    gedp(1),
    "√x of one establishment moves by at most 1, and √ of a sum by no more",
)(noise.root_normal(1.0))
correct(
    "√ with γ = 2 and μ = 1/2",
    GEDP,
    gedp("1/2", "sqrt", 2),
    "√ of the sum moves by at most 2, over a deviation of 4",
)(noise.root_normal(4.0))
correct("√ with a little more noise", GEDP, gedp(2), "μ = 1/0.6")(noise.root_normal(0.6))


@correct("squared √ release", GEDP, gedp(1))
def squared(d: Any, size: int, rng: Rng) -> Floats:
    """The unbiased estimate z² − 1 is a function of the release."""
    return (math.sqrt(sum(d)) + rng.normal(0.0, 1.0, size)) ** 2 - 1


@correct("√ of each establishment", GEDP, gedp(1))
def root_each(d: Any, size: int, rng: Rng) -> Floats:
    """One establishment changes, and it is in one cell."""
    return noise.columns(*(math.sqrt(x) + rng.normal(0.0, 1.0, size) for x in d))


@correct("√ of two attributes with μ/√2 each", GEDP, gedp(1, "sqrt", (1, 1)))
def two_attributes(d: Any, size: int, rng: Rng) -> Floats:
    """Two releases at 1/√2 have μ = 1."""
    deviation = math.sqrt(2)
    return noise.columns(*(math.sqrt(n) + rng.normal(0.0, deviation, size) for n in noise.shares(d)))


@correct("identity with γ = 1", GEDP, gedp(1, "identity", 1))
def plain(d: Any, size: int, rng: Rng) -> Floats:
    """For ψ(x) = x a sum moves by at most γ = 1."""
    return np.asarray(sum(d) + rng.normal(0.0, 1.0, size))
