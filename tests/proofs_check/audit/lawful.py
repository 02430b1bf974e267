"""Mechanisms for tests of audits, and the laws and curves of some."""

import math
from fractions import Fraction

from scipy import stats

from establish.spec.distributions.laplace import Laplace
from establish.spec.distributions.log_laplace import LogLaplace


class Lawful:
    """A mechanism that is its law."""

    def __init__(self, law):
        self.law = law


class Sampled:
    """A vectorized mechanism from ``draw(dataset, size, rng)``."""

    def __init__(self, draw):
        self.sample = draw


def laplace(scale):
    return Lawful(lambda n, c: Laplace(c.number(n), c.number(scale), c))


def log_laplace(factor=1, shift=10):
    """For α = 1/10 and ε = 1 where factor and shift are as they are here."""

    def law(sizes, c):
        scale = c.number(factor) * c.log(c.number(Fraction(11, 10)))
        return LogLaplace(c.number(sum(sizes)), c.number(shift), scale, c)

    return Lawful(law)


def normal_delta(mu, epsilon):
    """The least δ of two normal laws μ standard deviations apart (Balle and Wang 2018)."""
    first, second = mu / 2 - epsilon / mu, -mu / 2 - epsilon / mu
    return stats.norm.cdf(first) - math.exp(epsilon + stats.norm.logcdf(second))
