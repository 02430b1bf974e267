"""Clipping at a probable bound: its bias, its sensitivity and its noise, by second methods."""

from fractions import Fraction as F
from math import sqrt
from statistics import NormalDist

import mpmath
import pytest
import sympy
import z3

from establish import StatementError, solver
from establish.proofs_check.engine import ledger
from establish.proofs_check.papers.webb2025 import background, noise_comparison, probably_no_clipping
from establish.spec.arithmetic import MP
from establish.spec.mechanisms.probably_no_clipping import ProbablyNoClipping, sensitivity, upper_bound
from establish.spec.mechanisms.psi_estimators import variance_from_root
from establish.spec.neighbor_functions.functions import Expression, U, X, root


def test_the_bias_of_clipping_by_quadrature():
    with mpmath.workdps(30):
        t = mpmath.sqrt(2) * mpmath.erfinv(mpmath.mpf("0.98"))
        shortfall = mpmath.quad(lambda z: (1 - (1 + (z + t) / 2) ** 2) * mpmath.npdf(z), [-2 - t, -1 - t, -t])
    stated = mpmath.mpf(ledger.recorded()["webb2025/sec4-unbiased"].value.split()[-1])
    assert abs(stated + shortfall) < mpmath.mpf(10) ** -16


def test_the_bound_is_too_small_with_the_stated_probability():
    assert NormalDist().cdf(-NormalDist().inv_cdf(0.99)) == pytest.approx(float(background.ZETA))


def test_clipped_values_stay_within_the_sensitivity_for_both_ways_to_clip():
    assert probably_no_clipping.clipped_values_stay_within(own=True).established
    assert probably_no_clipping.clipped_values_stay_within(own=False).established


def test_without_concavity_the_clipped_sum_costs_more():
    convex = Expression("x²", X**2, sympy.sqrt(U))
    assert convex.close(0, 1, 1)
    assert ProbablyNoClipping(convex, 1, 1).privacy_cost([0], [1], [2]) > 1
    assert ProbablyNoClipping(root(), 1, 1).privacy_cost([0], [1], [2]) <= 1


@pytest.mark.parametrize("gamma", [F(1, 2), F(2)])
@pytest.mark.parametrize("mu", [F(1, 5), F(7, 10)])
@pytest.mark.parametrize("total", [1, 30, 1000])
def test_pnc_noise_crosses_that_of_the_root_where_derived(gamma, mu, total):
    def less(bound):
        by_root = variance_from_root(total, gamma / mu, MP)
        return float(sensitivity(root(), bound, gamma, MP)) / mu < sqrt(by_root)

    edge = F((float(gamma) / 2 + sqrt(total + gamma**2 / (2 * mu**2))) ** 2)
    assert edge > total
    assert less(total)
    assert less(F("0.999") * edge)
    assert not less(F("1.001") * edge)


def test_twice_the_total_as_bound_can_be_noisier():
    w, r = z3.Reals("w r")
    found = solver.for_all([w >= 1, r >= 0, w * w <= 2 * r * r], (2 * w - 1) ** 2 < 4 * r**2 + 2, "")
    assert found.established is False


def test_a_bound_is_below_the_total_from_twice_its_margin_on():
    stated, at = noise_comparison.BOUND_BELOW_TOTAL, {"s": 1, "τ̂": 3, "√x": 1, "noise": 3}
    assert stated.at({**at, "√total": F("7.001")}).value is True
    assert upper_bound(root(), 1 + 3, 1, 3, MP) == 7**2
    with pytest.raises(StatementError):
        stated.at({**at, "√total": 7})


def test_the_bounds_of_two_small_establishments_are_above_their_total():
    assert noise_comparison.BOUND_OF_EQUAL.at({"s": 1, "τ̂": 3, "√x": 1, "n": 2}).value is False
    assert noise_comparison.BOUND_OF_EQUAL.at({"s": 1, "τ̂": 3, "√x": 100, "n": 2}).value is True
