"""Smooth Laplace: n + (2S/ε)·Z, Z ~ Laplace(1) (Haney et al. 2017, Algorithm 3).

S = max(α·x, 1) for the largest establishment count x of the cell. The listing prints a minus sign
before the noise, where a product is meant; that reading is used here.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from establish.spec.arithmetic import MP, Number, World
from establish.spec.distributions.laplace import Laplace
from establish.spec.domains import Domain, Values
from establish.spec.parameters import Rational, nonnegative, positive, probability
from establish.spec.relations.growth import growth_bound


def least_epsilon(alpha: Number, delta: Number, c: World) -> Number:
    """2·ln(1/δ)·ln(1+α): the least ε that the printed condition allows."""
    return -2 * c.log(c.number(delta)) * c.log(1 + c.number(alpha))


def log_least_delta(alpha: Number, epsilon: Number, c: World) -> Number:
    """−ε/(2·ln(1+α)): ln of the least δ that the printed condition allows."""
    return -c.number(epsilon) / (2 * c.log(1 + c.number(alpha)))


def log_pair_delta(slide: Number, ratio: Number, epsilon: Number, c: World) -> Number:
    """ln of sup over events of Q(S) − e^ε·P(S), for P = Laplace(0, 1) and Q = Laplace(slide, ratio).

    For ratio > 1 and 0 ≤ slide ≤ ε. The loss ln(q/p) exceeds ε beyond one point in each tail; there
    q = e^ε·p, so a tail of Q-mass m contributes m·(1 − 1/ratio), with m = ½·e^(−(ε + ln r − slide)/(r−1))
    in the upper tail and e^(−2·slide/(r−1)) times that in the lower one.
    """
    upper = -(epsilon + c.log(ratio) - slide) / (ratio - 1)
    tails = c.log(1 + c.exp(-2 * slide / (ratio - 1)))
    return c.log((1 - 1 / ratio) / 2) + upper + tails


def log_exact_delta(alpha: Number, epsilon: Number, c: World) -> Number:
    """ln of the least δ for which Algorithm 3 is (α, ε, δ)-ER-EE private, over neighbors and events.

    It is attained when the largest establishment grows from x ≥ 1/α to (1+α)·x: slide ε/2, ratio 1+α.
    Valid when the opposite direction has no loss above ε: see :func:`opposite_loss`.
    """
    epsilon = c.number(epsilon)
    return log_pair_delta(epsilon / 2, 1 + c.number(alpha), epsilon, c)


def exact_delta(alpha: Number, epsilon: Number, c: World) -> Number:
    """(α/(2(1+α)))·(1+α)^(−1/α)·(e^(−ε/2α) + e^(−3ε/2α)); see :func:`log_exact_delta`."""
    return c.exp(log_exact_delta(alpha, epsilon, c))


def opposite_loss(alpha: Number, epsilon: Number, c: World) -> Number:
    """ε/(2(1+α)) + ln(1+α): the largest ln(p/q) at the neighbor that attains the exact δ."""
    growth = 1 + c.number(alpha)
    return c.number(epsilon) / (2 * growth) + c.log(growth)


def mean_absolute_error(largest: Number, alpha: Number, epsilon: Number, c: World) -> Number:
    """E|ñ − n| = 2S/ε for the largest establishment count x ≥ 0: it does not contain δ."""
    return 2 * growth_bound(largest, alpha, c) / epsilon


def _exact_delta(at: Values, c: World) -> Number:
    return exact_delta(at["alpha"], at["epsilon"], c)


class PublishedSmoothLaplaceMechanism:
    """Algorithm 3 under its printed condition, for α, ε > 0 and 0 < δ < 1.

    It is neither necessary for the guarantee nor, for large ε, sufficient. Raises ParameterError elsewhere.
    """

    domain = Domain("1 + α <= e^(ε/(2 ln(1/δ)))")

    def __init__(self, alpha: Rational, epsilon: Rational, delta: Rational) -> None:
        self.alpha = positive("alpha", alpha)
        self.epsilon = positive("epsilon", epsilon)
        self.delta = probability("delta", delta)
        at = {"alpha": self.alpha, "epsilon": self.epsilon, "delta": self.delta}
        self.domain.require(type(self).__name__, at)

    @property
    def noise_multiplier(self) -> Fraction:
        """2/ε: the noise scale is this times S."""
        return 2 / self.epsilon

    def output(self, sizes: Sequence[int | Fraction], c: World = MP) -> Laplace:
        """The law of the release for one cell; ``sizes`` are the counts of its establishments."""
        return self.cell_law(sum(sizes), nonnegative("x", max(sizes, default=0)), c)

    def cell_law(self, count: Number, largest: Number, c: World = MP) -> Laplace:
        """The same by the count and the largest establishment count x ≥ 0 of the cell."""
        sensitivity = growth_bound(largest, self.alpha, c)
        return Laplace(c.number(count), sensitivity * c.number(self.noise_multiplier), c)


class SmoothLaplaceMechanism(PublishedSmoothLaplaceMechanism):
    """Algorithm 3 where its guarantee is true: α, ε > 0, 0 < δ < 1, and exact δ(α, ε) ≤ δ.

    Only the tails can lose more than ε, and they do so with a probability of at most δ.
    """

    domain = Domain("ε/(2(1 + α)) + ln(1 + α) <= ε and exact δ* <= δ", {"exact δ*": _exact_delta})
