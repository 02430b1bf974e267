"""What a reader could slip in about the discrete Gaussian is refuted by the adversary of its own object."""

from fractions import Fraction

import pytest

from establish import AtMost, Concentrated, Equal, Integer, OnIntegers, Real, SumOnIntegers
from establish.spec.distributions.discrete_gaussian import DiscreteGaussian, log_acceptance
from establish.spec.distributions.geometric import Geometric, ratio_of
from establish.spec.privacy_conversions import concentrated_to_renyi, log_greatest_share, pure_to_concentrated

S, T = Real("s", above=0), Real("t", above=0)


def gaussian(c, s, *_):
    return DiscreteGaussian(0, s, c)


def laplace(c, t, *_):
    return Geometric(0, ratio_of(t, c), c)


def exceeds(c, s, b, k):
    return 1 if k >= b else 0


def threshold(c, s, e, far):
    return e * s / far - far / 2


def delta(c, s, e, far, k):
    """δ at ε, less the two events with the factor left out."""
    loss = e - (2 * k * far + far * far) / (2 * s)
    above = c.number(1) if k > threshold(c, s, e, far) else c.number(0)
    events = above - c.number(1) if k > threshold(c, s, e, far) + far else above
    return c.maximum(c.number(0), 1 - c.exp(loss)) - events


FALSE = {
    "the variance is that of the continuous law": lambda: OnIntegers(
        S, law=gaussian, of=lambda c, s, k: k * k, degree=2, closed=lambda c, s: s
    ),
    "the tail is that of the continuous law": lambda: OnIntegers(
        S,
        Integer("m", least=1),
        law=gaussian,
        of=exceeds,
        relation="<=",
        closed=lambda c, s, m: (1 - c.erf(m / c.sqrt(2 * s))) / 2,
    ),
    "the two-sided tail has no factor 2": lambda: OnIntegers(
        S,
        Integer("b", least=0),
        law=gaussian,
        of=lambda c, s, b, k: 1 if c.absolute(k) >= b else 0,
        relation="<=",
        closed=lambda c, s, b: c.exp(-b * b / (2 * s)),
    ),
    "the weights sum to at most the integral": lambda: SumOnIntegers(
        S, law=gaussian, relation="<=", closed=lambda c, s: c.sqrt(2 * c.pi * s)
    ),
    "a center at 1/2 has a sum of at least the integral": lambda: SumOnIntegers(
        S,
        law=lambda c, s: DiscreteGaussian(Fraction(1, 2), s, c),
        relation=">=",
        closed=lambda c, s: c.sqrt(2 * c.pi * s),
        beyond=1,
    ),
    "noise for Δ is good for 2Δ": lambda: Concentrated(
        S,
        Integer("Δ", least=1),
        law=lambda c, s, far, x: DiscreteGaussian(x, s, c),
        sensitivity=lambda c, s, far: 2 * far,
        rho=lambda c, s, far: far * far / (2 * s),
    ),
    "δ without the factor e^ε": lambda: OnIntegers(
        S, Real("ε", above=0), Integer("Δ", least=1), law=gaussian, of=delta, size=3, closed=0
    ),
    "the discrete Laplace law has the variance 2t²": lambda: OnIntegers(
        T, law=laplace, of=lambda c, t, k: k * k, degree=2, closed=lambda c, t: 2 * t * t
    ),
    "the discrete Laplace law has the tail e^(−b/t)/2": lambda: OnIntegers(
        T, Integer("b", least=0), law=laplace, of=exceeds, closed=lambda c, t, b: c.exp(-b / t) / 2
    ),
    "rejection with the square left whole": lambda: Equal(
        S,
        T,
        Integer("k"),
        left=lambda c, s, t, k: (
            Geometric(0, ratio_of(t, c), c).log_weight(k) + 2 * log_acceptance(k, s, t, c)
        ),
        right=lambda c, s, t, k: DiscreteGaussian(0, s, c).log_weight(k) - s / (2 * t * t),
    ),
    "pure ε is ε²/4-zCDP": lambda: AtMost(
        Real("ε", above=0), left=lambda c, e: pure_to_concentrated(e, c), right=lambda c, e: e * e / 4
    ),
    "ρ-zCDP is (ρ + √(ρ·ln(1/δ)), δ)": lambda: AtMost(
        Real("ρ", above=0),
        Real("u", above=0),
        left=lambda c, rho, u: (
            u * (concentrated_to_renyi(1 + u, rho, c) - rho - u * rho) + log_greatest_share(1 + u, c)
        ),
        right=lambda c, rho, u: -u * u * rho,
    ),
}


@pytest.mark.parametrize("name", FALSE)
def test_a_planted_falsehood_is_refuted_by_its_adversary(name):
    assert FALSE[name]().search().refuted
