"""The pnc-mechanism: bounds, sensitivity and privacy cost against a search over close values."""

from fractions import Fraction as F
from math import isclose
from statistics import NormalDist

import pytest

from establish.spec.arithmetic import ARB, EXACT, MP, enclosing
from establish.spec.mechanisms.probably_no_clipping import (
    ProbablyNoClipping,
    PublishedProbablyNoClipping,
    clipped_at_largest,
    clipped_at_own,
    margin,
    published_sensitivity,
    sensitivity,
    upper_bound,
)
from establish.spec.neighbor_functions.functions import identity, logarithm, root
from establish.spec.parameters import ParameterError

STANDARD = NormalDist()
TINY = MP.mp.mpf(10) ** -50
FUNCTIONS = [root(), logarithm(F(1, 2)), logarithm(3), identity()]
VALUES = [F(k, 8) for k in range(41)]


def close_pairs(psi, gamma):
    """All pairs of VALUES that are close, by the exact predicate of the neighbor function."""
    return [(x, y) for x in VALUES for y in VALUES if x > y and psi.close(x, y, gamma)]


@pytest.mark.parametrize(("zeta", "bounds"), [("1/100", 1), ("1/100", 800), ("9/10", 3)])
def test_the_margin_keeps_all_bounds_with_probability_one_minus_zeta(zeta, bounds):
    tau = float(margin(zeta, bounds, MP))
    assert isclose(STANDARD.cdf(tau) ** bounds, 1 - float(F(zeta)), rel_tol=1e-9)
    with enclosing():
        assert isclose(float(margin(zeta, bounds, ARB)), tau, rel_tol=1e-14)


@pytest.mark.parametrize("zeta", [0, 1, -1, float("nan")])
def test_a_confidence_parameter_outside_the_open_interval_is_refused(zeta):
    with pytest.raises(ParameterError, match="zeta"):
        margin(zeta, 1, MP)


def test_no_bound_at_all_is_refused():
    with pytest.raises(ParameterError, match="bounds"):
        margin("1/100", 0, MP)


@pytest.mark.few(2)
@pytest.mark.parametrize("x", [0.0, 1.0, 30.0])
def test_the_upper_bound_fails_as_often_as_the_noise_is_below_the_margin(x):
    steps, tau, sd = 1000, STANDARD.inv_cdf(0.9), 0.5
    held = 0
    for k in range(steps):
        answer = x**0.5 + sd * STANDARD.inv_cdf((k + 0.5) / steps)
        held += bool(upper_bound(root(), MP.mp.mpf(answer), sd, tau, MP) >= x * (1 - 1e-12))
    assert abs(held / steps - (1 if x == 0 else 0.9)) <= 2 / steps


@pytest.mark.parametrize("psi", FUNCTIONS, ids=lambda psi: psi.name)
@pytest.mark.parametrize("bound", [F(1, 2), F(3, 4), 2, 4])
def test_no_close_values_differ_by_more_than_the_sensitivity_once_clipped(psi, bound):
    gamma = F(1, 2)
    allowed = sensitivity(psi, bound, MP.number(gamma), MP)
    differences = [min(x, bound) - min(y, bound) for x, y in close_pairs(psi, gamma)]
    assert MP.number(max(differences)) <= allowed + TINY
    # the values are a grid of step 1/8, so that the largest difference is nearly reached
    assert MP.number(max(differences)) > allowed - MP.number(F(1, 8))


def test_the_published_sensitivity_is_right_only_where_psi_starts_at_zero():
    gamma, bound = MP.number(1), F(3, 4)
    for psi in (root(), identity()):
        agree = published_sensitivity(psi, bound, gamma, MP) - sensitivity(psi, bound, gamma, MP)
        assert agree == 0
    # by hand for ln(x + 1/2): 3/4 − (e^0 − 1/2) = 1/4 as printed, 3/4 − 0 with ψ(0)
    shifted = logarithm(F(1, 2))
    assert abs(published_sensitivity(shifted, bound, gamma, MP) - MP.number(F(1, 4))) < TINY
    assert abs(sensitivity(shifted, bound, gamma, MP) - MP.number(bound)) < TINY


@pytest.mark.few(2)
@pytest.mark.parametrize("clip", [clipped_at_largest, clipped_at_own])
@pytest.mark.parametrize("psi", FUNCTIONS, ids=lambda psi: psi.name)
def test_either_way_to_clip_costs_at_most_mu(psi, clip):
    mechanism = ProbablyNoClipping(psi, F(1, 2), 2, clip)
    for own, other in ((F(3, 4), 4), (2, 2), (4, 1)):
        costs = [mechanism.privacy_cost([x, 1], [y, 1], [own, other]) for x, y in close_pairs(psi, F(1, 2))]
        assert max(costs) <= 2 + TINY


def test_the_whole_budget_is_attained_at_the_bound():
    # √(9/4) − 1/2 = 1: the values 9/4 and 1 are close for γ = 1/2, and 9/4 is the bound
    cost = ProbablyNoClipping(root(), F(1, 2), 2).privacy_cost([F(9, 4)], [1], [F(9, 4)])
    assert abs(cost - 2) < TINY


def test_without_clipping_close_values_above_the_bound_cost_more():
    def unclipped(values, bounds, c):
        return sum(map(c.number, values))

    assert ProbablyNoClipping(root(), 1, 1, unclipped).privacy_cost([16], [25], [1]) > 1
    assert ProbablyNoClipping(root(), 1, 1).privacy_cost([16], [25], [1]) == 0


def test_the_published_mechanism_spends_three_times_its_budget_for_a_shifted_logarithm():
    bound = F(3, 4)
    shifted = logarithm(F(1, 2))
    assert shifted.close(0, bound, 1)
    published = PublishedProbablyNoClipping(shifted, 1, 1).privacy_cost([0], [bound], [bound])
    assert abs(published - 3) < TINY
    assert abs(ProbablyNoClipping(shifted, 1, 1).privacy_cost([0], [bound], [bound]) - 1) < TINY


def test_the_two_ways_to_clip_differ_in_a_group_with_different_bounds():
    # bounds 1 and 4: the value 2 exceeds its own bound, but not the group's
    assert clipped_at_own([2, 3], [1, 4], EXACT) == 1 + 3
    assert clipped_at_largest([2, 3], [1, 4], EXACT) == 2 + 3
    assert clipped_at_largest([9, 3], [1, 4], EXACT) == 4 + 3
