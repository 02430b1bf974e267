"""The ψ-mechanism: its law and privacy cost by a second method, and what is estimated from an answer."""

from fractions import Fraction as F
from math import exp, isclose, log, sqrt
from statistics import NormalDist

import numpy as np
import pytest

from establish.spec.arithmetic import ARB, EXACT, MP, enclosing
from establish.spec.mechanisms import psi_estimators
from establish.spec.mechanisms.clipped_inverse import clipped_inverse
from establish.spec.mechanisms.psi_mechanism import PsiMechanism
from establish.spec.neighbor_functions.functions import identity, logarithm, root

STANDARD = NormalDist()
NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(80)
TINY = MP.mp.mpf(10) ** -50


def mean_over_noise(function):
    """E f(Z) for Z ~ N(0, 1), by Gauss–Hermite quadrature."""
    values = np.array([float(function(z)) for z in map(float, NODES)])
    return float(WEIGHTS @ values) / sqrt(2 * np.pi)


def separation(first, second, threshold):
    """Φ⁻¹ of the probabilities of an answer above the threshold, their difference; from statistics."""
    rates = [1 - NormalDist(float(law.mean), float(law.sd)).cdf(threshold) for law in (first, second)]
    return STANDARD.inv_cdf(rates[1]) - STANDARD.inv_cdf(rates[0])


def test_the_law_is_normal_around_psi_of_the_sum():
    law = PsiMechanism(root(), F(1, 2), 2).output([4, 5])
    assert law.mean == 3
    assert law.sd == MP.number(F(1, 4))
    assert isclose(float(law.cdf(F(7, 2))), NormalDist(3, 0.25).cdf(3.5))
    assert isclose(exp(law.log_density(F(7, 2))), NormalDist(3, 0.25).pdf(3.5))


def test_the_law_reads_the_same_in_balls_as_in_high_precision():
    with enclosing():
        ball = PsiMechanism(logarithm(), F(1, 10), 1).output([3, 4], ARB).cdf(2)
        assert abs(float(ball) - float(PsiMechanism(logarithm(), F(1, 10), 1).output([3, 4]).cdf(2))) < 1e-15


@pytest.mark.parametrize("threshold", [1.5, 2.0, 3.0])
def test_the_privacy_cost_is_the_separation_at_every_threshold(threshold):
    mechanism = PsiMechanism(root(), 1, 2)
    first, second = mechanism.output([4]), mechanism.output([9])
    cost = mechanism.privacy_cost([4], [9])
    # by hand: √9 − √4 = 1 = γ, over the standard deviation 1/2
    assert abs(cost - 2) < TINY
    assert isclose(separation(first, second, threshold), 2, rel_tol=1e-6)


@pytest.mark.parametrize("psi", [root(), logarithm(F(1, 2)), logarithm(), identity()], ids=str)
@pytest.mark.parametrize("others", [[], [F(1, 3)], [7, 100]], ids=str)
def test_close_values_never_cost_more_than_mu_and_attain_it_alone(psi, others):
    gamma, mu = F(1, 2), F(3, 4)
    mechanism = PsiMechanism(psi, gamma, mu)
    for x in (F(1, 5), 1, 10, 1000):
        y = psi.inverse(psi.value(MP.number(x), MP) + MP.number(gamma), MP)
        cost = mechanism.privacy_cost([x, *others], [y, *others])
        assert cost <= MP.number(mu) + TINY
        alike = not others or psi.name == "identity"
        assert (abs(cost - MP.number(mu)) < TINY) == alike


def test_the_cost_of_a_query_is_the_separation_of_the_joint_law_of_its_groups():
    # a: √4 → √(25/4) moves by 1/2, b: 1 → √(121/25) by 6/5, c stays; sd 1. (1/2)² + (6/5)² = (13/10)².
    mechanism = PsiMechanism(root(), 1, 1)
    cost = mechanism.query_cost("abc", [4, 1, 7], [F(25, 4), F(121, 25), 7])
    assert abs(cost - MP.number(F(13, 10))) < TINY
    # the likelihood ratio test at rate 1/2 has power Φ(13/10). The errors of the simulated median and
    # power are below 0.002 each, so that 0.015 is over six of their standard errors: 1e-9.
    draws = np.random.default_rng(3).normal(size=(200_000, 2))
    means = np.array([0.5, 1.2])
    power = ((draws + means) @ means > np.median(draws @ means)).mean()
    assert abs(power - STANDARD.cdf(float(cost))) < 0.015
    with pytest.raises(ValueError, match="argument"):
        mechanism.query_cost("ab", [4], [9])


def test_a_firm_costs_the_root_of_its_size_at_most_over_random_firms():
    draws = np.random.default_rng(4)
    mechanism, most = PsiMechanism(root(), F(1, 2), 1), MP.sqrt(MP.number(5))
    for _ in range(50):
        before = [F(int(v), 16) for v in draws.integers(0, 400, 5)]
        moved = [
            MP.sqrt(MP.number(v)) + int(s) / MP.number(2)
            for v, s in zip(before, draws.choice([-1, 1], 5), strict=True)
        ]
        after = [max(m, MP.number(0)) ** 2 for m in moved]
        assert mechanism.query_cost(draws.integers(0, 3, 5).tolist(), before, after) <= most + TINY


def test_values_that_are_not_close_cost_more_than_mu():
    assert PsiMechanism(root(), 1, 1).privacy_cost([4], [16]) > 1


@pytest.mark.parametrize("x", [0.0, 0.3, 10.0])
@pytest.mark.parametrize("sd", [0.5, 2.0])
def test_root_estimate_has_mean_x_and_the_stated_variance(x, sd):
    def estimate(z):
        return psi_estimators.unbiased_from_root(MP.mp.mpf(sqrt(x) + sd * z), F(sd), MP)

    assert isclose(mean_over_noise(estimate), x, abs_tol=1e-9)
    spread = mean_over_noise(lambda z: (estimate(z) - x) ** 2)
    assert isclose(spread, float(psi_estimators.variance_from_root(F(x), F(sd), MP)), rel_tol=1e-9)
    guess = mean_over_noise(lambda z: psi_estimators.variance_from_root(estimate(z), F(sd), MP))
    assert isclose(guess, spread, rel_tol=1e-9)


@pytest.mark.parametrize("x", [0.3, 10.0])
@pytest.mark.parametrize("sd", [0.1, 0.5])
def test_logarithm_estimate_has_mean_x_and_its_variance_estimate_is_high(x, sd):
    def estimate(z):
        return psi_estimators.unbiased_from_logarithm(MP.mp.mpf(log(x) + sd * z), F(sd), MP)

    assert isclose(mean_over_noise(estimate), x, rel_tol=1e-9)
    spread = mean_over_noise(lambda z: (estimate(z) - x) ** 2)
    assert isclose(spread, float(psi_estimators.variance_from_logarithm(F(x), F(sd), MP)), rel_tol=1e-9)
    high = mean_over_noise(lambda z: psi_estimators.variance_from_logarithm(estimate(z), F(sd), MP))
    assert isclose(high, spread * exp(sd**2), rel_tol=1e-9)
    even = mean_over_noise(lambda z: psi_estimators.unbiased_variance_from_logarithm(estimate(z), F(sd), MP))
    assert isclose(even, spread, rel_tol=1e-9)


def test_estimates_from_the_root_can_be_negative_and_positive():
    # by hand, s = 1: ω = 0 gives x̃ = −1 and 2(2·(−1) + 1) = −2; ω = 2 gives 3 and 2(6 + 1) = 14
    for answer, estimate, variance in ((0, -1, -2), (2, 3, 14)):
        found = psi_estimators.unbiased_from_root(answer, 1, EXACT)
        assert (found, psi_estimators.variance_from_root(found, 1, EXACT)) == (estimate, variance)


@pytest.mark.few(2)
@pytest.mark.parametrize(("x", "share"), [(0.0, 0.975), (0.2, 0.95), (4.0, 0.95)])
def test_the_confidence_interval_covers_as_often_as_it_says(x, share):
    z, steps, hits = STANDARD.inv_cdf(0.975), 800, 0
    for k in range(steps):
        answer = MP.mp.mpf(sqrt(x) + STANDARD.inv_cdf((k + 0.5) / steps))
        low, high = psi_estimators.confidence_interval(root(), answer, MP.number(1), MP.mp.mpf(z), MP)
        hits += bool(low <= x * (1 + 1e-12) and high >= x * (1 - 1e-12))
    assert abs(hits / steps - share) <= 2 / steps


def test_the_likeliest_value_is_psi_inverse_or_zero_below_the_range():
    grid = [F(k, 10) for k in range(200)]
    for answer in (-1, F(1, 2), 3):
        best = min(grid, key=lambda x: abs(sqrt(x) - answer))
        assert abs(psi_estimators.maximum_likelihood(root(), answer, EXACT) - best) <= F(1, 10)
    assert psi_estimators.maximum_likelihood(root(), -1, EXACT) == 0


def test_the_inverse_is_clipped_at_psi_of_zero_where_that_is_finite():
    assert clipped_inverse(identity(), F(-3), EXACT) == 0
    assert clipped_inverse(identity(), F(3), EXACT) == 3
    assert abs(clipped_inverse(logarithm(2), MP.number(0), MP)) < TINY  # ln 2 > 0 is the least value
    assert abs(clipped_inverse(logarithm(F(1, 2)), MP.number(0), MP) - MP.number(F(1, 2))) < TINY
    assert clipped_inverse(logarithm(), MP.number(-50), MP) > 0  # ln x has no least value
