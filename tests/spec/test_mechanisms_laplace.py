"""The ideal Laplace mechanism: its domain, and its loss computed from output densities."""

from fractions import Fraction as F

import pytest

from establish.spec.arithmetic import ARB, MP, enclosing
from establish.spec.mechanisms.laplace import LaplaceMechanism, privacy_loss

OUTPUTS = [F(k, 3) for k in range(-60, 61)]
TINY = MP.mp.mpf(10) ** -50


def largest_loss(mechanism, value, neighbor):
    first, second = mechanism.output(value), mechanism.output(neighbor)
    return max(first.log_density(o) - second.log_density(o) for o in OUTPUTS)


@pytest.mark.parametrize("epsilon", [F(1, 4), F(2)], ids=str)
@pytest.mark.parametrize("sensitivity", [1, F(5, 2)], ids=str)
def test_the_log_ratio_of_densities_never_exceeds_epsilon_and_attains_it(epsilon, sensitivity):
    mechanism = LaplaceMechanism(epsilon, sensitivity)
    budget = MP.number(epsilon)
    for share in (F(1, 10), F(1, 2), F(-1, 2)):
        assert largest_loss(mechanism, 0, share * sensitivity) <= abs(share) * budget + TINY
    for neighbor in (sensitivity, -sensitivity):
        assert abs(largest_loss(mechanism, 0, neighbor) - budget) < TINY


def test_half_of_the_noise_loses_twice_the_budget():
    assert privacy_loss(F(3), F(3, 2)) == 2
    mechanism = LaplaceMechanism(2)
    assert privacy_loss(1, mechanism.noise_scale) == 2
    assert privacy_loss(1, mechanism.noise_scale / 2) == 4


def test_the_expected_error_is_the_noise_scale():
    # E|X − q| = ∫_0^∞ P(|X − q| > t) dt = 2·∫ P(X > q + t) dt
    mechanism = LaplaceMechanism(F(1, 4), 3)
    law = mechanism.output(7)
    ends = [MP.number(e) for e in (0, 12, 120, 2000)]
    assert abs((2 * MP.mp.quad(lambda t: 1 - law.cdf(7 + t), ends)) - 12) < MP.mp.mpf(10) ** -30
    assert mechanism.noise_scale == 12


def test_the_law_is_read_in_the_world_that_is_asked_for():
    with enclosing():
        assert LaplaceMechanism("0.1").output(3, ARB).cdf(3).contains(ARB.number(F(1, 2)))
    assert LaplaceMechanism("0.1").epsilon == F(1, 10)
