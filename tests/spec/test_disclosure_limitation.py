"""p% rule and multiplicative noise, against second methods and by hand."""

from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from establish.spec.disclosure_limitation.multiplicative_noise import MultiplicativeNoise
from establish.spec.disclosure_limitation.p_percent import (
    estimate_of_largest,
    nk_sensitive,
    p_percent_sensitive,
    pq_sensitive,
    remainder,
)
from establish.spec.mechanisms.noise_infusion import FactorRange
from establish.spec.parameters import ParameterError

TENTH = MultiplicativeNoise(FactorRange("1/20", "1/10"))
ROUNDED = MultiplicativeNoise(FactorRange("1/20", "1/10"), rounding=True)


def test_the_p_percent_rule_compares_the_remainder_with_the_largest():
    # 100, 50, 9, 1: remainder 10, that is 10% of 100: sensitive for p above 10 only
    cell = [50, 100, 1, 9]
    assert remainder(cell) == 10
    assert not p_percent_sensitive(cell, 10)
    assert p_percent_sensitive(cell, F(101, 10))
    assert p_percent_sensitive([5, 5], F(1, 100)), "each of two knows the other"
    assert p_percent_sensitive([5], 1)
    assert not p_percent_sensitive([0, 0, 0], 50)
    assert not p_percent_sensitive([], 50)


def test_the_pq_rule_with_everything_to_learn_is_the_p_percent_rule():
    cell = [100, 50, 9, 1]
    assert not pq_sensitive(cell, 10, 100)
    assert not pq_sensitive(cell, 5, 50)
    assert pq_sensitive(cell, 6, 50), "who knows all to 50% errs by 5 of 100"


def test_the_nk_rule_looks_at_the_share_of_the_largest():
    # 100 + 50 of 160 are 93.75%
    assert nk_sensitive([100, 50, 9, 1], 2, F(9374, 100))
    assert not nk_sensitive([100, 50, 9, 1], 2, F(9375, 100))
    assert not nk_sensitive([0, 0], 1, 50)


@given(st.lists(st.integers(0, 50), min_size=2, max_size=6), st.integers(1, 60))
def test_a_cell_is_sensitive_when_some_contributor_estimates_the_largest_to_p_percent(values, p):
    largest = max(values)
    errors = [estimate_of_largest(values, i) - largest for i in range(2, len(values) + 1)]
    assert min(errors) == errors[0], "nobody knows more than the second largest"
    assert p_percent_sensitive(values, p) == (100 * min(errors) < p * largest)


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: p_percent_sensitive([1], 0), "p = 0"),
        (lambda: pq_sensitive([1], 1, -1), "q = -1"),
        (lambda: p_percent_sensitive([1, -1], 1), "at least 0"),
        (lambda: nk_sensitive([1], 0, 50), "n = 0"),
        (lambda: nk_sensitive([1], 1, 100), "k = 100"),
        (lambda: estimate_of_largest([1, 2], 3), "attacker = 3"),
        (lambda: estimate_of_largest([1, 2], 1), "attacker = 1"),
    ],
)
def test_rules_refuse_what_lies_outside_their_domain(call, named):
    with pytest.raises(ParameterError, match=named):
        call()


def test_a_published_cell_is_the_sum_of_values_times_factors():
    assert TENTH.published([100, 10], ["11/10", "19/20"]) == F(110) + F(19, 2)
    assert ROUNDED.published([100, 10], ["11/10", "19/20"]) == 120
    with pytest.raises(ParameterError, match="factor = 1 "):
        TENTH.published([100], [1])
    with pytest.raises(ParameterError, match="value"):
        TENTH.published([-1], ["11/10"])
    with pytest.raises(ValueError, match="argument"):
        TENTH.published([1, 2], ["11/10"])


def test_the_law_and_the_variance_are_those_of_simulated_factors():
    rng, n, x = np.random.default_rng(5), 400_000, 40
    factors = 1 + rng.uniform(0.05, 0.1, n) * rng.choice([-1, 1], n)
    # 6.2 standard errors of a share, and of a mean of squares: false alarm below 1e-9
    for y in (37, F(77, 2), 41, 43):
        assert abs(np.mean(factors * x <= float(y)) - float(TENTH.cdf(y, x))) < 6.2 * 0.5 / n**0.5
        rounded = np.mean(np.floor(factors * x + 0.5) <= float(y))
        assert abs(rounded - float(ROUNDED.cdf(y, x))) < 6.2 * 0.5 / n**0.5
    squares = (factors - 1) ** 2
    assert abs(squares.mean() - float(TENTH.factor_variance())) < 6.2 * squares.std() / n**0.5
    assert TENTH.variance([3, 4]) == 25 * TENTH.factor_variance()
    # by hand: (1/400 + 1/200 + 1/100)/3 = 7/1200
    assert TENTH.factor_variance() == F(7, 1200)
    with pytest.raises(ParameterError, match="value = 0"):
        TENTH.cdf(0, 0)


@given(st.integers(0, 40), st.integers(0, 40), st.sampled_from(["9/10", "19/20", "21/20", "11/10"]))
def test_the_truth_lies_in_one_of_the_two_intervals(x, rest, factor):
    for noise in (TENTH, ROUNDED):
        for other in ("9/10", "93/100", "11/10"):
            y = noise.published([x, rest], [factor, other])
            inside = [low <= x <= high for low, high in noise.intervals(y, rest)]
            assert inside[0 if F(factor) > 1 else 1]


def test_alone_the_value_is_known_not_to_be_what_is_published():
    above, below = TENTH.intervals(100)
    assert above == (F(1000, 11), F(2000, 21))
    assert below == (F(2000, 19), F(1000, 9))


def test_small_whole_values_are_published_as_they_are():
    # x/10 < 1/2 for x ≤ 4
    for x in range(12):
        answers = {ROUNDED.published([x], [f]) for f in ("9/10", "19/20", "21/20", "11/10", "93/100")}
        assert ROUNDED.unchanged(x) == (answers == {x}) == (x <= 4)
    assert TENTH.unchanged(0)
    assert not TENTH.unchanged(1)
    assert not ROUNDED.unchanged(F(1, 2))


def test_one_factor_for_all_values_discloses_their_ratio():
    for factor in ("9/10", "21/20"):
        jobs, wages = (TENTH.published([x], [factor]) for x in (7, 91_000))
        assert wages / jobs == 13_000


def test_every_choice_of_factors_is_within_the_relative_range_of_a_total():
    for factors in product(("9/10", "19/20", "21/20", "11/10"), repeat=3):
        total = TENTH.published([5, 8, 13], factors)
        assert F(9, 10) * 26 <= total <= F(11, 10) * 26
