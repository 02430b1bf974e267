"""The sparse vector variants of the published suite.

Algorithms 1 to 6 of Lyu, Su and Li 2017, each named by its number there, and the numerical one of Wang et
al. 2019; ten answers, one of them reported at most (two by the numerical one), as in Bichsel et al. 2021.
"""

from typing import Any, NamedTuple

import numpy as np

from establish.proofs_check.audit.gallery.entry import Draw, Floats, correct, fault
from establish.proofs_check.audit.gallery.noise import Rng
from establish.proofs_check.audit.gallery.published_patterns import THRESHOLDED, claimed, patterns

KIND = "published suite: sparse vector"

BELOW, STOPPED = -1000.0, -2000.0
"""What variant 3 says for an answer below the threshold, and after it has stopped; else ±0, 1 and −1."""

UNIT = 40
"""Every rate below is a whole number over this, ε/4 being one unit."""


class Rates(NamedTuple):
    """A sparse vector: threshold t with Laplace noise of rate ``threshold``/UNIT, answers with
    ``answers``/UNIT (0 for none), at most ``most`` reported (0 for no limit)."""

    t: float
    threshold: int
    answers: int
    most: int


VARIANTS = {
    "SVT1": Rates(0.5, 2, 1, 1),
    "SVT2": Rates(1.0, 2, 1, 1),
    "SVT3": Rates(1.0, 2, 2, 1),
    "SVT4": Rates(1.0, 1, 3, 1),
    "SVT5": Rates(1.0, 2, 0, 0),
    "SVT6": Rates(1.0, 2, 2, 0),
}
"""ε/2 for the threshold and ε/2 for the answers, doubled or not; ε/4 and 3·ε/4 in variant 4. With one
report the new threshold that variant 2 draws after each is never used."""

NUMERICAL = (30.0, 120.0, 60.0)
"""Scales of the numerical one: threshold 3/ε, comparison 6·2/ε, released value 3·2/ε."""

NUMERICAL_MOST = 2

_CLAIM = claimed(patterns(THRESHOLDED), "answers that move by 1")
ONES = (1,) * THRESHOLDED
HALF = (2,) * (THRESHOLDED // 2) + (0,) * (THRESHOLDED // 2)
CROSSED = _CLAIM.given[-1]


def _compared(d: Any, size: int, rng: Rng, rates: Rates) -> tuple[Floats, Any, Any]:
    """The noisy answers, whether they reach the noisy threshold, and where it had stopped before."""
    answers = np.broadcast_to(np.asarray(d, dtype=float), (size, len(d)))
    if rates.answers:
        answers = answers + rng.laplace(0.0, UNIT / rates.answers, (size, len(d)))
    threshold = rates.t + rng.laplace(0.0, UNIT / rates.threshold, (size, 1))
    above = answers >= threshold
    reported = above.cumsum(axis=1) - above
    return answers, above, reported >= (rates.most or len(d) + 1)


def flags(rates: Rates) -> Draw:
    """1 for an answer above, 0 for one below, −1 once it has stopped."""

    def draw(d: Any, size: int, rng: Rng) -> Floats:
        _, above, stopped = _compared(d, size, rng, rates)
        return np.where(stopped, -1.0, above.astype(float))

    return draw


correct("SVT1", KIND, _CLAIM, "Algorithm 1 of Lyu et al. 2017, proved there")(flags(VARIANTS["SVT1"]))
correct("SVT2", KIND, _CLAIM, "Algorithm 2 of Lyu et al. 2017, proved there")(flags(VARIANTS["SVT2"]))


@fault("SVT3", KIND, _CLAIM, ((0,) * THRESHOLDED, ONES))
def reported_value(d: Any, size: int, rng: Rng) -> Floats:
    """The noisy answer is released: nine answers below it and the value cost ε/2 each."""
    answers, above, stopped = _compared(d, size, rng, VARIANTS["SVT3"])
    return np.where(stopped, STOPPED, np.where(above, answers, BELOW))


fault("SVT4", KIND, _CLAIM, (ONES, HALF), "the answers' noise is for 3·ε/4, not half of it")(
    flags(VARIANTS["SVT4"])
)
fault("SVT5", KIND, _CLAIM, (ONES, HALF), "equal answers are all above or all below")(flags(VARIANTS["SVT5"]))
fault("SVT6", KIND, _CLAIM, CROSSED, "every answer is told: the losses of ten add up")(
    flags(VARIANTS["SVT6"])
)


@correct("numerical SVT", KIND, _CLAIM)
def numerical(d: Any, size: int, rng: Rng) -> Floats:
    """Values of two answers at most, with noise of their own (Wang et al. 2019, proved there)."""
    threshold, compared, released = NUMERICAL
    answers = np.asarray(d, dtype=float)
    shape = size, len(d)
    above = answers + rng.laplace(0.0, compared, shape) >= 1.0 + rng.laplace(0.0, threshold, (size, 1))
    stopped = above.cumsum(axis=1) - above >= NUMERICAL_MOST
    shown = np.where(above, answers + rng.laplace(0.0, released, shape), 0.0)
    return np.where(stopped, BELOW, shown)
