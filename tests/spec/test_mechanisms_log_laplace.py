"""The ideal Log-Laplace mechanism: domain, calibrations, and losses from output densities."""

from fractions import Fraction as F
from itertools import product
from math import floor

import pytest

from establish.spec.arithmetic import ARB, MP, enclosing
from establish.spec.mechanisms import log_laplace
from establish.spec.mechanisms.log_laplace import LogLaplaceMechanism, TightLogLaplaceMechanism

TINY = MP.mp.mpf(10) ** -45
POINTS = [(F(1, 10), F(2)), (F(1, 100), F(1, 4)), (F(1), F(3))]
each_point = pytest.mark.parametrize(("alpha", "epsilon"), POINTS, ids=str)
# What the two calibrations may lose: half of the budget, and all of it.
both = pytest.mark.parametrize(
    ("family", "share"), [(LogLaplaceMechanism, F(1, 2)), (TightLogLaplaceMechanism, F(1))]
)


def neighbors(alpha):
    """Cells whose establishment of size s grows by k ≤ max(⌊αs⌋, 1), beside another of size m."""
    for size, other in product((0, 1, 7, 10, 99, 100, 1000), (0, 4, 500)):
        for more in {1, max(floor(alpha * size), 1)}:
            yield (size, other), (size + more, other)


def losses(mechanism, first, second):
    """ln(p/q) at outputs around both counts and near the end of the support."""
    p, q = mechanism.output(first), mechanism.output(second)
    shift = 1 / mechanism.alpha
    total = sum(first) + shift
    factors = (F(1, 10**6), F(1, 3), F(9, 10), F(99, 100), 1, F(101, 100), F(11, 10), 3, 10**6)
    outputs = [factor * total - shift for factor in factors] + [F(sum(second))]
    return [p.log_density(o) - q.log_density(o) for o in outputs]


@each_point
@both
def test_no_pair_of_neighbors_loses_more_than_stated_in_either_direction(alpha, epsilon, family, share):
    mechanism = family(alpha, epsilon)
    stated = MP.number(share * epsilon)
    for first, second in neighbors(alpha):
        assert max(losses(mechanism, first, second)) <= stated + TINY
        assert max(losses(mechanism, second, first)) <= stated + TINY


@each_point
@both
def test_the_first_worker_of_an_empty_cell_attains_the_stated_loss(alpha, epsilon, family, share):
    mechanism = family(alpha, epsilon)
    stated = MP.number(share * epsilon)
    assert abs(max(losses(mechanism, (), (1,))) - stated) < TINY
    assert abs(max(losses(mechanism, (1,), ())) - stated) < TINY


@each_point
def test_the_loss_formula_is_the_largest_log_ratio_of_the_densities(alpha, epsilon):
    mechanism = LogLaplaceMechanism(alpha, epsilon)
    gamma, scale = MP.number(1 / alpha), mechanism.noise_scale()
    for first, second in neighbors(alpha):
        counts = sum(first), sum(second)
        stated = log_laplace.privacy_loss(*counts, gamma, scale, MP)
        assert abs(max(losses(mechanism, first, second)) - stated) < TINY
        assert log_laplace.privacy_loss(*reversed(counts), gamma, scale, MP) == pytest.approx(
            stated, abs=1e-45
        )


@each_point
def test_a_smaller_shift_would_lose_more_than_the_budget(alpha, epsilon):
    scale = log_laplace.tight_scale(alpha, epsilon, MP)
    assert log_laplace.shift(alpha) * alpha == 1

    def loss(shift):
        return log_laplace.privacy_loss(0, 1, MP.number(shift), scale, MP)

    assert abs(loss(1 / alpha) - MP.number(epsilon)) < TINY
    assert loss(F(999, 1000) / alpha) > MP.number(epsilon)


def test_the_published_noise_is_twice_the_tight_noise():
    # ln(1.1) = 0.0953101798043248600439521232807...
    published, tight = LogLaplaceMechanism("0.1", 2), TightLogLaplaceMechanism("0.1", 2)
    assert str(published.noise_scale())[:26] == "0.095310179804324860043952"
    assert abs(published.noise_scale() - 2 * tight.noise_scale()) < TINY


def test_the_output_depends_on_the_sum_of_the_sizes_only():
    mechanism = LogLaplaceMechanism("0.1", 2)
    assert mechanism.output((3, 4)).cdf(6) == mechanism.output((7,)).cdf(6)
    assert mechanism.output((3, 4)).cdf(6) != mechanism.output((8,)).cdf(6)
    assert mechanism.output(()).cdf(0) == F(1, 2)


def test_the_law_is_read_in_the_world_that_is_asked_for():
    with enclosing():
        assert LogLaplaceMechanism("0.1", 2).output((5,), ARB).cdf(5).contains(ARB.number(F(1, 2)))
