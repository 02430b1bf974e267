"""Intervals for true counts, computed from released numbers and public parameters only.

Noise of one law for all counts stays within its ``reach`` with probability 19/20. With η of a Laplace law of
scale λ, |η| ≤ λ·ln 20 with that probability, so n + γ lies within a factor of e^(λ·ln 20) of the ideal output
of log-laplace plus γ. The released number is the ideal one rounded, which moves it by 1/2 at most; both ends
give way by as much. The scale of smooth noise depends on a cell's largest establishment, which is
confidential, so no interval can be told for it.
"""

import math

import numpy as np

from establish.impl.arrays import Integers
from establish.impl.mechanisms import Mechanism
from establish.impl.mechanisms.log_laplace import LogLaplace
from establish.spec.parameters import ParameterError

LEVEL = "19/20"
"""The probability with which an interval holds the true count, at least, for every count."""

_SLACK = 1e-9
"""More than the floating point of these few operations can be off, relatively."""


def margins(mechanism: Mechanism, noisy: Integers) -> tuple[Integers, Integers]:
    """The least and the largest whole count of each interval; a count is at least 0.

    Raises ParameterError for noise whose scale is confidential.
    """
    x = noisy.astype(np.float64)
    if mechanism.reach is not None:
        low, high = x - mechanism.reach, x + mechanism.reach
    elif isinstance(mechanism, LogLaplace):
        factor, gamma = math.exp(mechanism.noise_scale * math.log(20)), mechanism.gamma
        low = np.maximum(x - 0.5 + gamma, 0) / factor - gamma
        high = np.maximum(x + 0.5 + gamma, 0) * factor - gamma
    else:
        raise ParameterError(
            f"--margins cannot be told for {mechanism.name}: how far its noise reaches depends on "
            "confidential numbers; use laplace, log-laplace or discrete-gaussian"
        )
    slack = _SLACK * (1 + np.abs(low) + np.abs(high))
    least = np.maximum(np.ceil(low - slack), 0).astype(np.int64)
    return least, np.maximum(np.floor(np.minimum(high + slack, 2.0**62)), 0).astype(np.int64)
