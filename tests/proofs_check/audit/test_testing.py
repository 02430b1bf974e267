"""What a regression test may assert, and how seldom it is wrong."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from scipy import stats

from establish import ShapeUniverse, SizeUniverse, assert_moments, assert_private, assert_unbiased, neighbors
from establish.proofs_check.audit import AuditOutcome, dp, gedp, strong_er_ee, weak_er_ee
from establish.proofs_check.audit.gallery.noise import heavy_tailed
from establish.proofs_check.audit.testing import threshold
from establish.spec.distributions.laplace import Laplace
from establish.spec.parameters import ParameterError

DRAWS = 200_000
ERROR = 1e-9
"""Every assertion below would fail at another seed with at most this probability."""


def rng():
    return np.random.default_rng(20170514)


class Noisy:
    """A count with Laplace noise."""

    def __init__(self, scale):
        self.scale = scale

    def __call__(self, n, rng):
        return float(self.sample(n, 1, rng)[0])

    def sample(self, n, size, rng):
        return n + rng.laplace(0.0, self.scale, size)


def test_a_private_mechanism_passes_with_its_result():
    result = assert_private(Noisy(1.0), dp(1), samples=200_000, seed=1)
    assert result.outcome is AuditOutcome.NO_VIOLATION_FOUND


def test_a_mechanism_that_is_not_private_fails_with_both_datasets_and_the_event():
    with pytest.raises(AssertionError) as caught:
        assert_private(Noisy(0.5), dp(1), samples=200_000, seed=1)
    text = str(caught.value)
    assert text.startswith("violated: (1)-differential privacy")
    for part in ("datasets", "event", "output", "probability", "ε is at least", "samples"):
        assert part in text


def test_a_law_is_certified_instead_of_sampled():
    class Lawful:
        def law(self, n, c):
            return Laplace(c.number(n), c.number(1), c)

    assert assert_private(Lawful(), dp(1), universe=5).outcome is AuditOutcome.CERTIFIED_IN_RANGE
    with pytest.raises(AssertionError, match="violated"):
        assert_private(Lawful(), dp("1/2"), universe=5)


STRONG = strong_er_ee("1/10", 2)
WEAK = weak_er_ee("1/10", 2, attributes=2)


@given(neighbors(STRONG, SizeUniverse(2, 25)))
def test_pairs_of_a_universe_are_neighbors_inside_it(pair):
    assert STRONG.related(*pair)
    assert all(len(d) == 2 and min(d) >= 0 and max(d) <= 25 for d in pair)


@given(neighbors(WEAK, ShapeUniverse(1, 2, 3)))
@settings(max_examples=30)
def test_pairs_with_worker_attributes_are_neighbors(pair):
    assert WEAK.related(*pair)


@given(neighbors(gedp(1)))
@settings(max_examples=30)
def test_pairs_of_values_are_neighbors_without_a_universe(pair):
    assert gedp(1).related(*pair)


def test_both_orders_of_a_pair_are_drawn():
    drawn = set()

    @settings(database=None, derandomize=True)
    @given(neighbors(STRONG, SizeUniverse(1, 3)))
    def draw(pair):
        drawn.add(pair)

    draw()
    assert {((0,), (1,)), ((1,), (0,))} <= drawn


def test_a_universe_without_neighbors_is_refused():
    with pytest.raises(ParameterError, match="no neighbors"):
        neighbors(STRONG, SizeUniverse(1, 0))


# Laws with their mean and a bound on their variance, by their textbook formulas.
UNBIASED = {
    "normal": (rng().normal(3, 2, DRAWS), 3, 4),
    "Laplace": (rng().laplace(0, 1, DRAWS), 0, 2),
    "exponential": (rng().exponential(1, DRAWS), 1, 1),
    "noise ∝ 1/(1+z⁴), infinite fourth moment": (heavy_tailed(DRAWS, rng()), 0, 1),
    "Pareto with exponent 2.1": (rng().pareto(2.1, DRAWS), 1 / 1.1, 2.1 / (1.1**2 * 0.1)),
    "a constant": (np.full(100, 7.0), 7, 0),
}


@pytest.mark.parametrize("name", UNBIASED)
def test_a_law_with_the_stated_mean_passes(name):
    sample, mean, variance = UNBIASED[name]
    assert_unbiased(sample, mean, variance=variance)


@pytest.mark.parametrize("name", [name for name in UNBIASED if name != "a constant"])
def test_a_law_whose_mean_is_off_by_twice_the_threshold_fails(name):
    sample, mean, variance = UNBIASED[name]
    _, limit = threshold(sample.size, 2.0, variance, ERROR)
    with pytest.raises(AssertionError, match="the mean is stated as"):
        assert_unbiased(sample, mean + 2 * limit, variance=variance)


def test_a_constant_that_is_not_the_stated_one_fails():
    with pytest.raises(AssertionError):
        assert_unbiased(np.full(100, 7.0), 7.5, variance=0)


HEAVY = {1: 1 / math.sqrt(2), 2: 1.0}
"""E|Z| and E Z² for the density (√2/π)/(1+z⁴): sin(π/4)/sin(π/2) and sin(π/4)/sin(3π/4)."""


def test_moments_of_heavy_tails_are_tested_as_far_as_they_exist():
    # E|Z|^2.9 = sin(π/4)/sin(3.9π/4) by the same formula; the fourth moment is infinite.
    almost_three = math.sin(math.pi / 4) / math.sin(3.9 * math.pi / 4)
    sample = heavy_tailed(DRAWS, rng())
    assert assert_moments(sample, HEAVY) == [1]
    assert assert_moments(sample, {**HEAVY, 2.9: almost_three}) == [1, 2]


def test_moments_around_a_center_are_tested():
    # E|X − 5| = b and E(X − 5)² = 2b², E(X − 5)⁴ = 24b⁴ for Laplace noise of scale b = 3.
    sample = 5 + rng().laplace(0, 3, DRAWS)
    assert assert_moments(sample, {1: 3, 2: 18, 4: 24 * 81}, center=5) == [1, 2]


@pytest.mark.parametrize("factor", [0.8, 1.25])
def test_a_scale_that_is_not_the_stated_one_fails(factor):
    with pytest.raises(AssertionError, match="the absolute moment of order"):
        assert_moments(factor * heavy_tailed(DRAWS, rng()), HEAVY)


REFUSED = {
    "an infinite variance": lambda: assert_unbiased([1, 2], 0, variance=math.inf),
    "a negative variance": lambda: assert_unbiased([1, 2], 0, variance=-1),
    "an empty sample": lambda: assert_unbiased([], 0, variance=1),
    "a sample with NaN": lambda: assert_unbiased([1, math.nan], 0, variance=1),
    "one moment alone": lambda: assert_moments([1, 2], {2: 1}),
    "moments too far apart": lambda: assert_moments([1, 2], {1: 1, 4: 1}),
    "an infinite moment": lambda: assert_moments([1, 2], {2: 1, 4: math.inf}),
    "an order of zero": lambda: assert_moments([1, 2], {0: 1, 1: 1}),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_tested_is_refused(name):
    with pytest.raises(ParameterError):
        REFUSED[name]()


@pytest.mark.parametrize("error", [1e-2, 1e-6, 1e-9])
@pytest.mark.parametrize("size", [1_000, 100_000])
def test_the_threshold_keeps_its_error_by_the_binomial_law(size, error):
    # A block mean strays by t to one side with probability at most v/(v+t²) (Cantelli), and the
    # median of b with that of at least (b+1)/2 of them: recomputed here from scipy's binomial law.
    blocks, limit = threshold(size, 2.0, 1.0, error)
    block = size // blocks
    share = (1 / block) / (1 / block + limit**2)
    assert 2 * stats.binom.sf((blocks + 1) // 2 - 1, blocks, share) <= error * (1 + 1e-6)


def test_more_draws_narrow_the_threshold_as_their_root():
    few, many = (threshold(size, 2.0, 1.0, ERROR)[1] for size in (10_000, 1_000_000))
    assert few / many == pytest.approx(10, rel=0.02)


def test_false_alarms_are_rarer_than_stated():
    # At an error of 1/10, 400 true samples raise at most 40 alarms on average; 5 standard deviations
    # more are 70. The bound is a worst case over laws, so that far fewer are expected.
    draws = rng().laplace(0, 1, (400, 1000))
    alarms = 0
    for sample in draws:
        try:
            assert_unbiased(sample, 0, variance=2, error=0.1)
        except AssertionError:
            alarms += 1
    assert alarms <= 70
