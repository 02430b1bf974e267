"""Statements about samplers, with the probability of a false alarm."""

from __future__ import annotations

from collections.abc import Callable
from math import log, sqrt

import numpy as np
from numpy.typing import NDArray

from establish.proofs_check.verdicts import Evidence, Grade


def distance_threshold(size: int, error: float) -> float:
    """The t with P(sup|F_n − F| > t) ≤ error, for n = size draws from a law F.

    From P(sup|F_n − F| > t) ≤ 2·e^(−2nt²) (Dvoretzky, Kiefer, Wolfowitz; constant 2 by Massart 1990).
    """
    return sqrt(log(2 / error) / (2 * size))


def follows_law(
    sample: NDArray[np.float64],
    cdf: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    says: str,
    error: float = 1e-9,
) -> Evidence:
    """Evidence that a sample comes from a continuous law with distribution function ``cdf``.

    Refuted when the empirical distribution function is farther away than a true sampler ever is, but
    with probability ``error``. A true statement is therefore refuted with at most that probability; a
    false one may pass when the law is closer than the threshold, which the scope states.
    """
    ordered = np.sort(sample)
    model = cdf(ordered)
    if not np.all(np.isfinite(model)):
        return Evidence(says, None, Grade.STATISTICAL, "statistical", "NaN", "not evaluated")
    steps = np.arange(ordered.size + 1) / ordered.size
    distance = float(max(np.max(steps[1:] - model), np.max(model - steps[:-1])))
    limit = distance_threshold(ordered.size, error)
    scope = (
        f"{ordered.size} draws; a true law is rejected with probability at most {error:g}; "
        f"a law farther than {2 * limit:.2g} in distribution function is rejected but with that"
    )
    witness = f"distance {distance:.3g} exceeds {limit:.3g}"
    good = distance <= limit
    return Evidence(says, good, Grade.STATISTICAL, "statistical", "" if good else witness, scope)
