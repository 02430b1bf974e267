"""The two-sided geometric law: exact sums over the integers."""

from fractions import Fraction as F

import flint
import pytest

from establish.spec.arithmetic import ARB, EXACT, MP, enclosing
from establish.spec.distributions import geometric
from establish.spec.distributions.geometric import Geometric

RATIOS = (F(1, 10), F(1, 2), F(9, 10))
each = pytest.mark.parametrize("ratio", RATIOS, ids=str)


@each
def test_it_is_the_law_of_the_difference_of_two_geometric_variables(ratio):
    # G1 − G2 with P(G = g) = (1−ρ)ρ^g: P(K = k) = (1−ρ)²·Σ_j ρ^(2j+|k|), and Σ_j ρ^2j = 1/(1−ρ²).
    for k in range(-4, 5):
        expected = (1 - ratio) ** 2 * ratio ** abs(k) / (1 - ratio**2)
        assert geometric.mass(k, ratio, EXACT) == expected


@each
def test_the_masses_add_up_to_the_distribution_function(ratio):
    for low, high in ((-7, -3), (-3, 2), (0, 1), (2, 9)):
        total = sum(geometric.mass(k, ratio, EXACT) for k in range(low + 1, high + 1))
        assert geometric.cdf(high, ratio, EXACT) - geometric.cdf(low, ratio, EXACT) == total
    # the lower tail: Σ_{k ≤ −5} ρ^|k|·(1−ρ)/(1+ρ) = ρ^5/(1+ρ)
    assert geometric.cdf(-5, ratio, EXACT) == ratio**5 / (1 + ratio)
    assert 1 - geometric.cdf(4, ratio, EXACT) == ratio**5 / (1 + ratio)


@each
def test_moments_are_the_limits_of_their_partial_sums(ratio):
    # Beyond N the tail of Σ k²ρ^k is below (N+1)²ρ^N·4/(1−ρ)³ for these N.
    n = 1500
    exact = [geometric.mass(k, MP.number(ratio), MP) for k in range(n + 1)]
    absolute = 2 * sum(k * m for k, m in enumerate(exact))
    square = 2 * sum(k * k * m for k, m in enumerate(exact))
    tail = 4 * MP.number(n + 1) ** 2 * MP.number(ratio) ** n / (1 - MP.number(ratio)) ** 3
    assert tail < MP.mp.mpf(10) ** -55
    assert abs(absolute - MP.number(geometric.mean_absolute(ratio))) < MP.mp.mpf(10) ** -50
    assert abs(square - MP.number(geometric.variance(ratio))) < MP.mp.mpf(10) ** -50


def test_moments_at_one_half_are_rationals_by_hand():
    # Σ k/2^k = 2, Σ k²/2^k = 6, and the mass is 2^−|k|/3
    assert geometric.mean_absolute(F(1, 2)) == F(4, 3)
    assert geometric.variance(F(1, 2)) == 4


@each
def test_the_law_moves_with_its_center(ratio):
    law = Geometric(12, ratio, EXACT)
    for k in range(-3, 4):
        assert law.mass(12 + k) == geometric.mass(k, ratio, EXACT)
        assert law.cdf(12 + k) == geometric.cdf(k, ratio, EXACT)


@each
def test_a_quantile_is_the_least_integer_that_reaches_the_probability(ratio):
    law = Geometric(3, ratio, EXACT)
    for p in (F(1, 1000), F(1, 4), F(1, 2), F(3, 4), F(999, 1000)):
        k = law.quantile(p)
        assert law.cdf(k) >= p
        assert law.cdf(k - 1) < p
    for atom in (1, 3, 5):
        assert law.quantile(law.cdf(atom)) == atom
        assert law.quantile(law.cdf(atom) + F(1, 10**30)) == atom + 1


@each
def test_balls_contain_the_exact_value_and_are_narrow(ratio):
    for k in (-6, -1, 0, 1, 6):
        exact = geometric.mass(k, ratio, EXACT), geometric.cdf(k, ratio, EXACT)
        with enclosing():
            for ball, value in zip(
                (geometric.mass(k, ratio, ARB), geometric.cdf(k, ratio, ARB)), exact, strict=True
            ):
                assert ball.contains(ARB.number(value)) or ball.overlaps(ARB.number(value))
                assert ball.rad() < flint.arb("1e-57")


def test_neighboring_centers_have_the_ratio_of_the_law_as_their_largest_quotient():
    # ρ = e^−ε: the counts n and n+1 are (ε, 0)-indistinguishable.
    for ratio in RATIOS:
        first, second = Geometric(0, ratio, EXACT), Geometric(1, ratio, EXACT)
        quotients = {first.mass(k) / second.mass(k) for k in range(-10, 11)}
        assert max(quotients) == 1 / ratio
        assert min(quotients) == ratio


def test_a_float_ratio_is_refused():
    with pytest.raises(TypeError, match="binary float"):
        geometric.mass(0, 0.5, MP)
