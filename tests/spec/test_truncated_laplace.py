"""Truncation and its sensitivity, at both readings of the boundary."""

from fractions import Fraction as F

import mpmath
import pytest

from establish.spec.mechanisms.truncated_laplace import (
    Boundary,
    TightTruncatedLaplaceMechanism,
    TruncatedLaplaceMechanism,
    enumerated_sensitivity,
    is_kept,
    sensitivity,
    truncated_count,
)
from establish.spec.parameters import ParameterError


def test_establishments_of_exactly_theta_are_removed_or_kept_by_the_reading():
    assert [is_kept(n, 3, Boundary.BELOW) for n in range(6)] == [True] * 3 + [False] * 3
    assert [is_kept(n, 3, Boundary.AT_MOST) for n in range(6)] == [True] * 4 + [False] * 2


def test_matching_workers_are_counted_where_the_whole_workforce_is_kept():
    shapes = [(2, 0), (2, 1), (1, 3), (0, 0)]
    assert truncated_count(shapes, 3, Boundary.BELOW) == 2
    assert truncated_count(shapes, 3, Boundary.AT_MOST) == 4
    assert truncated_count(shapes, 5, Boundary.BELOW) == 5


@pytest.mark.parametrize("theta", [1, 2, 3, 4])
@pytest.mark.parametrize("boundary", list(Boundary))
def test_the_sensitivity_is_the_largest_change_over_all_node_neighbors(theta, boundary):
    # Independent of the library's enumeration: all pairs of workforces (matching, others).
    most = theta + 2
    forces = [(m, o) for m in range(most + 1) for o in range(most + 1)]
    counts = [m if m + o < theta + (boundary is Boundary.AT_MOST) else 0 for m, o in forces]
    brute = max(abs(a - b) for a in counts for b in counts)
    assert sensitivity(theta, boundary) == brute
    assert enumerated_sensitivity(theta, boundary, kinds=2) == brute
    assert enumerated_sensitivity(theta, boundary, establishments=2) == brute


def test_the_printed_noise_is_loose_below_theta_and_exact_when_theta_is_kept():
    assert TruncatedLaplaceMechanism(F(1, 2), 1000).noise_scale == 2000
    assert TruncatedLaplaceMechanism(F(1, 2), 1000).privacy_loss == F(999, 2000)
    assert TruncatedLaplaceMechanism(F(1, 2), 1000, Boundary.AT_MOST).privacy_loss == F(1, 2)
    assert TightTruncatedLaplaceMechanism(F(1, 2), 1000).noise_scale == 1998
    assert TightTruncatedLaplaceMechanism(F(1, 2), 1000).privacy_loss == F(1, 2)


def test_the_loss_is_the_log_density_ratio_at_the_worst_neighbors():
    mechanism = TruncatedLaplaceMechanism("1/3", 4)
    empty, full = mechanism.output([(0,)]), mechanism.output([(3,)])
    gap = empty.log_density(-5) - full.log_density(-5)
    assert mpmath.almosteq(gap, mpmath.mpf(1) / 4, rel_eps=1e-15)
    assert mechanism.privacy_loss == F(1, 4)
    assert mechanism.output([(4,)]).log_density(-5) == empty.log_density(-5)


def test_the_release_is_centered_at_the_truncated_count():
    law = TruncatedLaplaceMechanism(2, 5, Boundary.AT_MOST).output([(5,), (6,), (1,)])
    assert law.cdf(6) == F(1, 2)
    assert law.scale == 2.5


@pytest.mark.parametrize("theta", [0, -1, 2.0, True])
def test_a_threshold_that_is_no_positive_integer_is_refused(theta):
    with pytest.raises(ParameterError, match="θ = "):
        TruncatedLaplaceMechanism(1, theta)


def test_a_threshold_that_removes_every_worker_is_refused():
    with pytest.raises(ParameterError, match="θ = 1"):
        TruncatedLaplaceMechanism(1, 1)
    assert TruncatedLaplaceMechanism(1, 1, Boundary.AT_MOST).sensitivity == 1


def test_epsilon_must_be_positive():
    with pytest.raises(ParameterError, match="epsilon = 0"):
        TruncatedLaplaceMechanism(0, 5)
