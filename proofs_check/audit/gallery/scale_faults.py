"""Faults: a scale that is too small, by 5, 10 and 50 percent. The loss is the claimed one over f."""

import math
from fractions import Fraction
from typing import Any

import numpy as np

from establish.proofs_check.audit.gallery import noise
from establish.proofs_check.audit.gallery.entry import HIRE, KIND_A, RECORD, ROOT, Floats, fault
from establish.proofs_check.audit.question.definitions import edge, node, strong_er_ee, weak_er_ee
from establish.spec.arithmetic import MP
from establish.spec.mechanisms import smooth_gamma
from establish.spec.mechanisms.smooth_laplace import exact_delta

KIND = "scale too small"
TENTH = Fraction(1, 10)

SMOOTH_GAMMA_LEAST = 0.3479918949122599 / float(smooth_gamma.published_slide(TENTH, 2, MP))
"""The least multiplier of S at α = 1/10, ε = 2 (claim haney2017/alg-2-multiplier/a.1-e2)."""

SMOOTH_LAPLACE_DELTA = Fraction(str(math.ceil(float(exact_delta(1, 2, MP)) * 1e6) / 1e6))
"""The exact δ of Algorithm 3 at α = 1, ε = 2, rounded up: 0.0522…."""

LAPLACE_AT_1 = "ln(p/q) is 1/f between a count and the next one, everywhere outside of them"


def histogram(scale: float) -> Any:
    """Counts of the records a and b, each with Laplace noise."""

    def draw(d: Any, size: int, rng: np.random.Generator) -> Floats:
        return noise.columns(*(d.count(r) + rng.laplace(0.0, scale, size) for r in "ab"))

    return draw


def randomized_response(keep: float) -> Any:
    """Whether the count is odd, kept with probability ``keep`` and flipped otherwise."""
    return lambda d, size, rng: np.where(rng.random(size) < keep, d % 2, 1 - d % 2).astype(float)


def truncated(theta: int, scale: float) -> Any:
    """Workers of establishments of at most θ, with Laplace noise."""

    def draw(d: Any, size: int, rng: np.random.Generator) -> Floats:
        return np.asarray(sum(x for x in d if x <= theta) + rng.laplace(0.0, scale, size))

    return draw


for _size, _f in (("5%", 0.95), ("10%", 0.9), ("50%", 0.5)):
    _by = f"scale {_size} too small"
    fault(f"Laplace, {_by}", KIND, *RECORD, LAPLACE_AT_1, size=_size)(noise.laplace_count(_f))
    fault(
        f"Laplace at ε = 1/2 for edges, {_by}",
        KIND,
        edge("1/2"),
        ((0,), (1,)),
        "one job more shifts the total by 1, which costs ε/f",
        size=_size,
    )(noise.laplace_count(2 * _f))
    fault(
        f"geometric, {_by}",
        KIND,
        *RECORD,
        "the ratio is e^(−1/f), and one record moves the law by one step",
        size=_size,
    )(noise.geometric_count(math.exp(-1 / _f)))
    fault(
        f"log-Laplace, {_by}",
        KIND,
        *HIRE,
        "ln(n + 10) moves by ln(1.1) from 0 to 1, which costs ε/f",
        size=_size,
    )(noise.log_laplace_cell(0.1, _f * math.log(1.1)))
    fault(
        f"weak log-Laplace, {_by}",
        KIND,
        weak_er_ee(TENTH, 1),
        ((0,), (1,)),
        "from 0 to 1 workers the logarithm moves by ln(1.1), which costs ε/f",
        size=_size,
    )(noise.log_laplace_cell(0.1, _f * math.log(1.1)))
    fault(
        f"smooth gamma, {_by}",
        KIND,
        strong_er_ee(TENTH, 2),
        ((10,), (11,)),
        "below the least multiplier the loss exceeds ε near the output 12 (white box)",
        size=_size,
    )(noise.smooth_gamma_cell(0.1, _f * SMOOTH_GAMMA_LEAST))
    fault(
        f"smooth Laplace, {_by}",
        KIND,
        strong_er_ee(1, 2, SMOOTH_LAPLACE_DELTA),
        ((1,), (2,)),
        "the shift is ε/2f noise units, so that more than δ lies beyond e^ε",
        size=_size,
    )(noise.smooth_laplace_cell(1.0, _f))
    fault(
        f"Gaussian GEDP, {_by}",
        KIND,
        *ROOT,
        "√x moves by γ = 1 from 0 to 1, which is 1/f standard deviations",
        size=_size,
    )(noise.root_normal(_f))
    fault(
        f"histogram, {_by}",
        KIND,
        *KIND_A,
        "a record of kind a shifts one bin by 1, which costs 1/f",
        size=_size,
    )(histogram(_f))
    fault(
        f"randomized response, {_by}",
        KIND,
        *RECORD,
        "parity flips with every record, and is kept with odds e^(1/f)",
        size=_size,
    )(randomized_response(1 / (1 + math.exp(-1 / _f))))

fault(
    "truncated Laplace, noise for θ − 1",
    KIND,
    node(1),
    ((0,), (10,)),
    "an establishment of θ = 10 workers is kept, and the noise is fit to 9: the loss is 10/9",
    size="10%",
)(truncated(10, 9.0))
