"""The Laplace mechanism: q(D) + Laplace(Δ/ε) (Haney et al. 2017, Definition 2.4)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from establish.spec.arithmetic import MP, Number, World
from establish.spec.distributions.laplace import Laplace
from establish.spec.domains import Domain
from establish.spec.parameters import Rational, positive


def privacy_loss(sensitivity: Number, scale: Number) -> Number:
    """The exact privacy loss sup ln(p/q) of q(D) + Laplace(scale): Δ/scale."""
    return sensitivity / scale


def scale(epsilon: Number, sensitivity: Number) -> Number:
    """Δ/ε, the least scale whose exact privacy loss is ε."""
    return sensitivity / epsilon


class LaplaceMechanism:
    """A query of L1 sensitivity Δ > 0, released with ε-differential privacy, ε > 0.

    The printed definition leaves the scale free; this is the corrected one, with scale Δ/ε.
    Raises ParameterError outside that domain.
    """

    def __init__(self, epsilon: Rational, sensitivity: Rational = 1) -> None:
        self.epsilon = positive("epsilon", epsilon)
        self.sensitivity = positive("sensitivity", sensitivity)

    @property
    def noise_scale(self) -> Number:
        """Scale of the noise, in units of the query."""
        return scale(self.epsilon, self.sensitivity)

    def output(self, value: Number, c: World = MP) -> Laplace:
        """The law of the release when the true answer is ``value``."""
        return Laplace(c.number(value), c.number(self.noise_scale), c)


class EdgeLaplaceMechanism:
    """A count of jobs with noise of scale 1/ε for ε > 0, as one job changes it by 1 at most.

    Raises ParameterError outside that domain.
    """

    domain = Domain("ε > 0")

    def __init__(self, epsilon: Rational) -> None:
        self.epsilon = positive("epsilon", epsilon)

    def output(self, sizes: Sequence[int | Fraction], c: World = MP) -> Laplace:
        """The law of the release for one cell; ``sizes`` are the counts of its establishments."""
        return Laplace(c.number(sum(sizes)), 1 / c.number(self.epsilon), c)
