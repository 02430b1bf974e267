"""Normal noise on a transformed total, f(q + o) + N(0, s²), f concave and o ≥ 0 an offset (Finley et al.
2024): its per-record policy, and what estimates the total without bias.

A record that adds x to a total q ≥ 0 moves the answer by f(q + x + o) − f(q + o), at most by f(x + o) − f(o).
The formulas take numbers of a world.
"""

from collections.abc import Callable, Sequence
from typing import ClassVar

from establish.spec.arithmetic import MP, Number, World
from establish.spec.distributions.gaussian import Gaussian
from establish.spec.domains import Domain
from establish.spec.mechanisms.psi_estimators import (
    unbiased_from_logarithm,
    unbiased_from_root,
    variance_from_logarithm,
    variance_from_root,
)
from establish.spec.parameters import Rational, positive

Transformation = Callable[[Number, World], Number]


def root(x: Number, c: World) -> Number:
    """√x, for x ≥ 0."""
    return c.sqrt(c.number(x))


def fourth_root(x: Number, c: World) -> Number:
    """x^(1/4), for x ≥ 0."""
    return c.sqrt(c.sqrt(c.number(x)))


def logarithm(x: Number, c: World) -> Number:
    """ln x, for x > 0."""
    return c.log(c.number(x))


def identity(x: Number, c: World) -> Number:
    """x itself: normal noise on the total."""
    return c.number(x)


def policy(f: Transformation, x: Number, offset: Number, sd: Number, c: World) -> Number:
    """(f(x + o) − f(o))²/(2s²), the ρ of a record that adds x ≥ 0 to a total, for an f that is concave."""
    return loss(f, c.number(0), x, offset, sd, c)


def loss(f: Transformation, total: Number, x: Number, offset: Number, sd: Number, c: World) -> Number:
    """(f(q + x + o) − f(q + o))²/(2s²), the ρ of a record that adds x ≥ 0 to the total q ≥ 0."""
    start = c.number(total) + c.number(offset)
    return c.power(f(start + c.number(x), c) - f(start, c), 2) / (2 * c.power(sd, 2))


def unbiased_from_fourth_root(answer: Number, sd: Number, c: World) -> Number:
    """ω⁴ − 6s²ω² + 3s⁴, whose mean is the total plus the offset where ω has its fourth root as mean."""
    square, variance = c.power(answer, 2), c.power(sd, 2)
    return square * square - 6 * variance * square + 3 * variance * variance


def variance_from_fourth_root(x: Number, sd: Number, c: World) -> Number:
    """16s²x^(3/2) + 72s⁴x + 96s⁶√x + 24s⁸, the variance of that estimate of x > 0."""
    r, v = c.sqrt(x), c.power(sd, 2)
    return 16 * v * r * r * r + 72 * v * v * r * r + 96 * v * v * v * r + 24 * v * v * v * v


class TransformationMechanism:
    """A count n of jobs is answered by ω = f(n + o) + N(0, s²) with s² = 1/(2ρ), and estimated from ω without
    bias. Raises ParameterError unless ρ > 0.
    """

    domain = Domain("ρ > 0")
    offset: ClassVar[int] = 0

    def __init__(self, rho: Rational) -> None:
        self.rho = positive("rho", rho)

    @staticmethod
    def transformation(x: Number, c: World) -> Number:
        """f."""
        raise NotImplementedError

    def sd(self, c: World) -> Number:
        """s."""
        return 1 / c.sqrt(2 * c.number(self.rho))

    def output(self, sizes: Sequence[int], c: World = MP) -> Gaussian:
        """The law of ω for one cell; ``sizes`` are the counts of its establishments."""
        return Gaussian(self.transformation(c.number(sum(sizes)) + self.offset, c), self.sd(c), c)

    def estimate(self, answer: Number, c: World) -> Number:
        """The estimate of n from ω, with mean n."""
        raise NotImplementedError

    def variance(self, count: Number, c: World) -> Number:
        """The variance of that estimate."""
        raise NotImplementedError


class RootMechanism(TransformationMechanism):
    """f = √: a record of size x costs ρ·x."""

    transformation = staticmethod(root)

    def estimate(self, answer: Number, c: World) -> Number:
        return unbiased_from_root(answer, self.sd(c), c)

    def variance(self, count: Number, c: World) -> Number:
        return variance_from_root(count, self.sd(c), c)


class FourthRootMechanism(TransformationMechanism):
    """f is the fourth root: a record of size x costs ρ·√x."""

    transformation = staticmethod(fourth_root)

    def estimate(self, answer: Number, c: World) -> Number:
        return unbiased_from_fourth_root(answer, self.sd(c), c)

    def variance(self, count: Number, c: World) -> Number:
        return variance_from_fourth_root(c.number(count), self.sd(c), c)


class LogarithmMechanism(TransformationMechanism):
    """f = ln with the offset 1: a record of size x costs ρ·ln²(1 + x)."""

    transformation = staticmethod(logarithm)
    offset = 1

    def estimate(self, answer: Number, c: World) -> Number:
        return unbiased_from_logarithm(answer, self.sd(c), c) - 1

    def variance(self, count: Number, c: World) -> Number:
        return variance_from_logarithm(c.number(count) + 1, self.sd(c), c)
