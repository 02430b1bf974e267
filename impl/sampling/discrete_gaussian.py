"""Whole noise with the law of the discrete Gaussian, exactly, by its quantiles at drawn words.

Let F be its distribution function and t_k = 2^64·F(k). A word w stands for a uniform p between w/2^64 and
(w + 1)/2^64, and the noise is the k with F(k − 1) < p ≤ F(k). With T_k = ⌊t_k⌋, that is certain for
T_(k−1) < w < T_k, as w + 1 ≤ t_k and w ≥ t_(k−1): one search in a list of the T_k, from 0 to 2^64 − 1, finds
it. Where w is one of them, :func:`establish.impl.sampling.escalation.quantile` decides by further bits.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import isqrt

import flint
import numpy as np
from numpy.typing import NDArray

from establish.impl.arrays import Floats
from establish.impl.sampling.bits import Bits
from establish.impl.sampling.escalation import quantile
from establish.impl.sampling.rounding import WORD
from establish.spec.arithmetic import ARB, enclosing
from establish.spec.distributions.discrete_gaussian import DiscreteGaussian
from establish.spec.parameters import ParameterError

LARGEST_SQUARE = 500_000
"""The largest σ²: a list has about 19·σ numbers."""

BITS = (192, 384, 768)
"""Of the balls that decide the T_k, in turn."""


@dataclass(frozen=True)
class Noise:
    """The law around 0, for an exact σ² > 0."""

    square: Fraction

    def cumulative(self, i: int, k: int) -> tuple[flint.arb, flint.arb]:
        """Exact numbers below and above P(K ≤ k)."""
        value = DiscreteGaussian(0, ARB.number(self.square), ARB).cdf(k)
        return value.lower(), value.upper()


@lru_cache(maxsize=16)
def thresholds(square: Fraction) -> tuple[int, NDArray[np.uint64]]:
    """The first k of a list, where T_k = 0, and the T_k from there on up to one that is 2^64 − 1."""
    for bits in BITS:
        with enclosing(bits):
            found = _thresholds(ARB.number(square), isqrt(int(91 * square)) + 2)
        if found is not None:
            return found
    raise ArithmeticError(f"the quantiles for σ² = {square} are not decided")


def _thresholds(square: flint.arb, far: int) -> tuple[int, NDArray[np.uint64]] | None:
    """None where a ball leaves a floor open. From ``far`` on each tail is at most e^(−far²/(2s)) < 2^−65."""
    weights = [ARB.exp(-ARB.number(k * k) / (2 * square)) for k in range(far + 1)]
    law = DiscreteGaussian(0, square, ARB)
    every = law.total()
    below, tails = law.cdf(-far - 1) * every, []
    for weight in reversed(weights[1:]):
        below += weight
        tails.append(below / every)  # F(−far) to F(−1)
    upper = [1 - tail for tail in reversed(tails)]  # F(0) to F(far − 1)
    floors = [(value * 2**WORD).floor().unique_fmpz() for value in (*tails, *upper)]
    if any(one is None for one in floors):
        return None
    assert (floors[0], floors[-1]) == (0, 2**WORD - 1)
    return -far, np.array([int(one) for one in floors], np.uint64)


def discrete_gaussian(square: Fraction, size: int, bits: Bits) -> Floats:
    """``size`` whole numbers with P(k) ∝ e^(−k²/(2·square)) (Canonne, Kamath and Steinke 2020).

    Raises ParameterError unless 0 < square ≤ LARGEST_SQUARE.
    """
    if not 0 < square <= LARGEST_SQUARE:
        raise ParameterError(f"square = {square} is not allowed: it must be from 0 to {LARGEST_SQUARE}")
    words = np.empty(size, np.uint64)
    position = bits.fill(words)
    start, known = thresholds(square)
    places = np.searchsorted(known, words, side="right")
    values = (start + places).astype(np.float64)
    for j in np.flatnonzero(known[places - 1] == words).tolist():
        values[j] = quantile(Noise(square), 0, int(words[j]), bits.further(position + j), int(values[j]))
    return values
