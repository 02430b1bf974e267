"""Faults of noise that follows the data: a smooth sensitivity that is not one."""

import math
from typing import Any

import numpy as np

from establish.proofs_check.audit.gallery import noise
from establish.proofs_check.audit.gallery.calibration_faults import PUBLISHED, TENTH
from establish.proofs_check.audit.gallery.entry import HIRE, RECORD, Draw, Floats, fault
from establish.proofs_check.audit.gallery.noise import Rng, heavy_tailed
from establish.proofs_check.audit.question.definitions import dp, edge, gedp, strong_er_ee

SMOOTH = "smooth sensitivity"


def scaled(size_of: Any, multiplier: float, tail: Any) -> Draw:
    """n + multiplier·S·Z with S = size_of(sizes)."""

    def draw(d: Any, size: int, rng: Rng) -> Floats:
        return np.asarray(sum(d) + multiplier * size_of(d) * tail(size, rng))

    return draw


def laplace(size: int, rng: Rng) -> Floats:
    return rng.laplace(0.0, 1.0, size)


fault("smooth gamma without max(·, 1)", SMOOTH, *HIRE, "S = α·0 = 0 leaves the empty cell exact")(
    scaled(lambda d: 0.1 * max(d), PUBLISHED, heavy_tailed)
)
fault(
    "smooth gamma with a floor of a hundredth",
    SMOOTH,
    *HIRE,
    "S is 0.01 at 0 and 0.1 at 1: the noise grows tenfold",
)(scaled(lambda d: max(0.1 * max(d), 0.01), PUBLISHED / 3, heavy_tailed))
fault(
    "local sensitivity ⌊αx⌋ as it is",
    SMOOTH,
    strong_er_ee(TENTH, 1),
    ((19,), (20,)),
    "⌊αx⌋ doubles from 19 to 20: the far outputs have loss 3·ln 2 = 2.08",
)(scaled(lambda d: max(math.floor(0.1 * max(d)), 1), PUBLISHED, heavy_tailed))
fault(
    "local sensitivity with Laplace noise",
    SMOOTH,
    strong_er_ee(TENTH, 1),
    ((19,), (20,)),
    "the scale doubles from 19 to 20, and Laplace tails have no bounded loss",
)(scaled(lambda d: max(math.floor(0.1 * max(d)), 1), 2.0, laplace))
fault(
    "smooth sensitivity that stops at the data's end",
    SMOOTH,
    strong_er_ee(TENTH, 1),
    ((100,), (110,)),
    "it looks at growth within sizes up to 100 only, so S drops to 1 beyond",
)(scaled(lambda d: 0.1 * max(d) if 10 <= max(d) <= 100 else 1.0, PUBLISHED, heavy_tailed))
fault(
    "sensitivity from the mean size",
    SMOOTH,
    strong_er_ee(TENTH, 1),
    ((100, 0), (110, 0)),
    "S = α·mean is half of what the largest establishment moves by, and less",
)(scaled(lambda d: max(0.1 * sum(d) / len(d) / 4, 1.0), PUBLISHED / 3, heavy_tailed))
fault(
    "sensitivity from the smallest establishment",
    SMOOTH,
    strong_er_ee(TENTH, 1),
    ((1000, 0), (1100, 0)),
    "S = 1 beside an empty establishment, while 100 workers join",
)(scaled(lambda d: max(0.1 * min(d), 1.0), PUBLISHED, heavy_tailed))
fault(
    "smooth Laplace claimed pure",
    SMOOTH,
    strong_er_ee(1, 1),
    ((1,), (2,)),
    "the scale doubles from 1 to 2 workers: the loss grows without bound in both tails",
)(noise.smooth_laplace_cell(1.0, 2.0))
fault(
    "maximum observed sensitivity",
    SMOOTH,
    dp(1),
    (1, 2),
    "noise χ/n as in the Opportunity Atlas: the scale is that of the data, and halves from 1 to 2",
)(lambda d, size, rng: d + rng.laplace(0.0, 1.0, size) / max(d, 1))
fault(
    "maximum observed sensitivity over the cell",
    SMOOTH,
    edge(1),
    ((1,), (2,)),
    "the scale is the largest observed size, which doubles from 1 to 2: unbounded loss in the tails",
)(lambda d, size, rng: sum(d) + max(1, *d, 1) * rng.laplace(0.0, 1.0, size))
fault(
    "GEDP noise from the true value",
    SMOOTH,
    gedp(1, "sqrt", 1),
    ((0.0,), (1.0,)),
    "the delta method's standard deviation 2√x is 0 at 0",
)(lambda d, size, rng: sum(d) + 2 * math.sqrt(sum(d)) * rng.normal(0.0, 1.0, size))
fault("normal noise claimed pure", "wrong sensitivity", *RECORD, "ln(p/q) = x − 1/2 grows without bound")(
    noise.normal_count(1.0)
)
