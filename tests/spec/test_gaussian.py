"""Gaussian indistinguishability against numerical integration and hand-derived values."""

from fractions import Fraction as F
from statistics import NormalDist

import mpmath
import pytest

from establish.spec import gaussian
from establish.spec.arithmetic import ARB, MP, enclosing
from establish.spec.distributions.gaussian import quantile
from establish.spec.parameters import ParameterError

NORMAL = NormalDist()


@pytest.mark.parametrize("mu", [F(1, 10), F(1), F(3)])
@pytest.mark.parametrize("x", [F(1, 100), F(1, 20), F(1, 2), F(9, 10)])
def test_the_trade_off_is_the_power_of_a_threshold_test(x, mu):
    # the test z > c rejects N(0,1) with probability x and N(μ,1) with probability P(z > c − μ)
    threshold = NORMAL.inv_cdf(1 - float(x))
    assert float(gaussian.trade_off(x, mu)) == pytest.approx(1 - NORMAL.cdf(threshold - float(mu)))


def test_the_trade_off_is_its_own_mirror_image():
    # 1 − G(x) at false negative rate: G(1 − G(x)) = 1 − x
    for x in (F(1, 20), F(1, 2)):
        back = gaussian.trade_off(1 - F(str(gaussian.trade_off(x, 1))), 1)
        assert abs(back - (1 - MP.number(x))) < mpmath.mpf(10) ** -50


def test_ends_of_the_trade_off_and_no_privacy_loss():
    assert gaussian.trade_off(0, 2) == 0
    assert gaussian.trade_off(1, 2) == 1
    assert abs(gaussian.trade_off("0.3", 0) - MP.number(F(3, 10))) < mpmath.mpf(10) ** -50


def test_a_difference_of_quantiles_inverts_the_trade_off():
    p, mu = F(1, 20), F(5, 4)
    q = F(str(gaussian.trade_off(p, mu)))
    assert abs(quantile(q, MP) - quantile(p, MP) - MP.number(mu)) < mpmath.mpf(10) ** -50


def test_composition_adds_squares_and_groups_add():
    assert gaussian.composed_square(["0.3", "0.4"]) == F(1, 4)
    assert gaussian.composed([3, 4]) == 5
    assert gaussian.composed([]) == 0
    assert gaussian.group("0.5", 3) == F(3, 2)
    assert gaussian.group(1, 0) == 0
    with pytest.raises(ParameterError):
        gaussian.composed_square([1, -1])


def test_composition_is_what_two_gaussian_answers_lose_together():
    # hockey-stick divergence of N((0,0), I) and N((μ1,μ2), I): the log likelihood ratio is linear, so
    # integrate over its direction by hand with a two-dimensional sum
    mu_1, mu_2, epsilon = 0.6, 0.8, 0.5
    steps = [-8 + 0.05 * k for k in range(340)]
    total = 0.0
    for a in steps:
        for b in steps:
            base = mpmath.fp.exp(-(a * a + b * b) / 2)
            ratio = mpmath.fp.exp(mu_1 * a - mu_1**2 / 2 + mu_2 * b - mu_2**2 / 2)
            total += max(0.0, ratio - mpmath.fp.exp(epsilon)) * base
    joint = total * 0.05**2 / (2 * mpmath.fp.pi)
    exact = gaussian.delta("0.5", gaussian.composed(["0.6", "0.8"]))
    assert joint == pytest.approx(float(exact), abs=1e-4)


@pytest.mark.parametrize(("epsilon", "mu"), [(0, 1), (1, 1), (2, "0.5"), ("0.1", 3)])
def test_delta_is_the_hockey_stick_divergence(epsilon, mu):
    # ∫ max(0, φ(z−μ) − e^ε φ(z)) dz by quadrature above the point where the two are equal
    with mpmath.workdps(30):
        e, m = mpmath.mpf(str(epsilon)), mpmath.mpf(str(mu))
        edge = e / m + m / 2
        integral = mpmath.quad(
            lambda z: mpmath.npdf(z - m) - mpmath.exp(e) * mpmath.npdf(z),
            [edge, edge + 2, edge + 6, mpmath.inf],
        )
    assert abs(gaussian.delta(epsilon, mu) - integral) < mpmath.mpf(10) ** -20


def test_delta_bounds_the_trade_off_and_touches_it():
    # G_μ(x) ≤ e^ε x + δ(ε), with equality at the likelihood ratio e^ε
    epsilon, mu = F(1), F(1)
    delta = gaussian.delta(epsilon, mu)
    gaps = [
        MP.exp(1) * MP.number(x) + delta - gaussian.trade_off(x, mu)
        for x in (F(k, 200) for k in range(1, 200))
    ]
    assert min(gaps) >= 0
    assert min(gaps) < mpmath.mpf("1e-4")


def test_least_mu_inverts_delta():
    for epsilon, mu in ((0, F(1)), (1, F(1, 2)), (3, F(2))):
        target = F(str(gaussian.delta(epsilon, mu)))
        assert abs(gaussian.least_mu(epsilon, target) - MP.number(mu)) < mpmath.mpf(10) ** -45


def test_enclosures_contain_the_high_precision_values():
    with enclosing():
        ball = gaussian.delta(1, 1, ARB)
        assert ball.overlaps(ARB.number(F(str(gaussian.delta(1, 1)))))
        assert ball.rad() < 1e-40


@pytest.mark.parametrize("target", [0, 1, 2])
def test_least_mu_refuses_a_delta_that_no_mu_attains(target):
    with pytest.raises(ParameterError):
        gaussian.least_mu(1, target)
