"""How close two output laws must be: the inequality that an audit tries to break."""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

Floats = NDArray[np.float64]

Line = tuple[float, float]
"""c and δ of a line: P ≤ c·Q + δ."""


COMMON = (0.0, 0.25, 0.5, 1.0, 2.0, 4.0)
"""The ε at which a trade-off curve tells the least δ, besides the one that is claimed."""


@dataclass(frozen=True)
class Approximate:
    """P(S) ≤ e^ε Q(S) + δ for all events S; pure for δ = 0. epsilon ≥ 0, 0 ≤ delta < 1, exact."""

    epsilon: Fraction
    delta: Fraction = Fraction(0)
    parameter = "ε"

    @cached_property
    def bound(self) -> float:
        """ε as a float: what ``least`` must not exceed."""
        return float(self.epsilon)

    @cached_property
    def _delta(self) -> float:
        return float(self.delta)

    @property
    def kind(self) -> str:
        return "approximate" if self.delta else "pure"

    def __str__(self) -> str:
        return f"ε = {self.epsilon}" + (f", δ = {self.delta}" if self.delta else "")

    def least(self, p: float, q: float) -> float:
        """The least ε ≥ 0 for which probabilities P(S) ≥ p and Q(S) ≤ q are consistent."""
        excess = p - self._delta
        if excess <= 0:
            return 0.0
        return max(math.log(excess / q), 0.0) if q > 0 else math.inf

    def fewest(self, p: Floats) -> Floats:
        """The least Q(S) that this allows where P(S) is p."""
        least: Floats = np.maximum(p - self._delta, 0.0) * math.exp(-min(self.bound, 700.0))
        return least

    def least_delta(self, p: float, q: float) -> float:
        """The least δ at this ε for which P(S) ≥ p and Q(S) ≤ q are consistent."""
        return max(p - math.exp(min(self.bound, 700.0)) * q, 0.0)

    def score(self, p: Floats, q: Floats, n: float) -> Any:
        """By how many standard errors n draws from each law, with shares p and q, break this."""
        c = math.exp(min(self.bound, 300.0))
        p_smooth, q_smooth = (n * p + 0.5) / (n + 1), (n * q + 0.5) / (n + 1)
        variance = p_smooth * (1 - p_smooth) + c * c * q_smooth * (1 - q_smooth)
        return _seen((p - c * q - self._delta) * math.sqrt(n) / np.sqrt(variance), n * p)

    def weights(self) -> tuple[float, ...]:
        """Factors c for which an event with P(S) − c Q(S) large may be a good one."""
        c = math.exp(min(self.bound, 300.0))
        return tuple(c * factor for factor in (1.0, 1.02, 1.1, 1.5, 3.0))

    def line(self, least: float, expected: tuple[float, float]) -> Line:
        """The line that bounds P at level ``least``; the same wherever P and Q are expected."""
        return math.exp(min(least, 700.0)), self._delta

    def reference(self, least: float) -> tuple[float, float]:
        """P and Q of a violation that needs ``least``, with P = 1/2: the kind that power speaks of."""
        return 0.5, max(0.5 - self._delta, 1e-12) * math.exp(-least)


@dataclass(frozen=True)
class Gaussian:
    """Φ⁻¹(P(S)) − Φ⁻¹(Q(S)) ≤ μ for all events S (Webb et al. 2025, Definition 5.6). mu > 0, exact."""

    mu: Fraction
    parameter = "μ"
    kind = "gaussian"

    @cached_property
    def bound(self) -> float:
        """μ as a float: what ``least`` must not exceed."""
        return float(self.mu)

    def __str__(self) -> str:
        return f"μ = {self.mu}"

    def least(self, p: float, q: float) -> float:
        """The least μ ≥ 0 for which probabilities P(S) ≥ p and Q(S) ≤ q are consistent."""
        return max(float(ndtri(p) - ndtri(q)), 0.0) if p > 0 and q < 1 else 0.0

    def fewest(self, p: Floats) -> Floats:
        """The least Q(S) that this allows where P(S) is p."""
        least: Floats = ndtr(ndtri(p) - self.bound)
        return least

    def score(self, p: Floats, q: Floats, n: float) -> Any:
        """By how many standard errors n draws from each law, with shares p and q, break this."""
        variance = np.zeros(np.shape(p))
        quantiles = []
        for share in (p, q):
            smooth = (n * share + 0.5) / (n + 1)
            quantile = ndtri(smooth)
            density = np.exp(-0.5 * quantile**2) / math.sqrt(2 * math.pi)
            variance = variance + smooth * (1 - smooth) / density**2
            quantiles.append(quantile)
        excess = quantiles[0] - quantiles[1] - self.bound
        return _seen(excess * math.sqrt(n) / np.sqrt(variance), n * np.minimum(p, 1 - q))

    def weights(self) -> tuple[float, ...]:
        """Factors c for which an event with P(S) − c Q(S) large may be a good one."""
        bound = min(self.bound, 150.0)
        return tuple(math.exp(bound * t) for t in (-1.0, -0.5, 0.0, 0.5, 1.0, 2.0))

    def line(self, least: float, expected: tuple[float, float]) -> Line:
        """A tangent of the concave bound P ≤ Φ(Φ⁻¹(Q) + least): where a bet grows fastest.

        With z = Φ⁻¹(Q) at the point of contact the slope is φ(z + least)/φ(z).
        """
        z = TANGENTS
        slopes = np.exp(-least * z - least * least / 2)
        heights = np.maximum(ndtr(z + least) - slopes * ndtr(z), 0.0)
        p, q = expected
        gain = p - slopes * q - heights
        spread = p * (1 - p) + slopes**2 * q * (1 - q) + gain**2 + 1e-300
        best = int(np.argmax(np.sign(gain) * gain**2 / spread))
        return float(slopes[best]), float(heights[best])

    def reference(self, least: float) -> tuple[float, float]:
        """P and Q of a violation that needs ``least``, symmetric: the kind that power speaks of."""
        return float(ndtr(least / 2)), float(ndtr(-least / 2))


TANGENTS = np.linspace(-6.0, 6.0, 241)
"""Points of contact, as normal quantiles, that are tried for a tangent of the trade-off curve."""

FEWEST_SEEN = 8
"""An event that was seen less often has no score: nothing can be said of it."""


def _seen(score: Any, often: Any) -> Any:
    return np.where(often >= FEWEST_SEEN - 0.5, score, -math.inf)


Level = Approximate | Gaussian
