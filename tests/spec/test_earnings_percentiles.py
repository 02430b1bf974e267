"""Percentiles of signed counts: a value or a stated reason, never NaN."""

from fractions import Fraction as F

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from establish.spec.earnings.percentiles import (
    NoPercentile,
    at_least_zero,
    bin_of_percentile,
    distribution_function,
    percentile,
    printed_percentile,
    relative_accuracy,
)
from establish.spec.parameters import ParameterError

SIGNED = st.lists(st.integers(-5, 8), min_size=1, max_size=6).map(tuple)
SHARES = st.fractions(F(1, 100), F(99, 100), max_denominator=100)


def first_crossing(counts, share):
    """Where the piecewise linear cumulative count first reaches share·total, by walking along it."""
    level, height = share * sum(counts), F(0)
    for j, count in enumerate(counts):
        if height + count >= level:
            return j + (level - height) / count
        height += count
    raise AssertionError("the level is never reached")


@given(SIGNED, SHARES)
def test_the_percentile_is_the_first_crossing(counts, share):
    assume(sum(counts) > 0)
    assert percentile(range(len(counts) + 1), counts, share) == first_crossing(counts, share)


@settings(max_examples=settings().max_examples // 2)
@given(SIGNED.filter(lambda counts: sum(counts) > 0), st.sets(SHARES, min_size=2, max_size=2))
def test_percentiles_are_strictly_ordered(counts, shares):
    low, high = sorted(shares)
    edges = [0, 1, 10, 11, 300, 301, 1000][: len(counts) + 1]
    assert percentile(edges, counts, low) < percentile(edges, counts, high)


@settings(max_examples=settings().max_examples // 4)
@given(SIGNED, SHARES)
def test_a_total_that_is_not_positive_is_a_stated_outcome(counts, share):
    assume(sum(counts) <= 0)
    expected = NoPercentile.NEGATIVE_TOTAL if sum(counts) else NoPercentile.ZERO_TOTAL
    assert percentile(range(len(counts) + 1), counts, share) is expected


def test_the_printed_formula_halves_the_median_of_two_people():
    # one person in each of [0, 1) and [1, 2): half of them are below 1
    assert percentile((0, 1, 2), (1, 1), F(1, 2)) == 1
    assert printed_percentile((0, 1, 2), (1, 1), F(1, 2)) == F(1, 2)


def test_the_printed_formula_agrees_in_the_last_bin():
    assert printed_percentile((0, 1, 3), (1, 3), F(3, 4)) == percentile((0, 1, 3), (1, 3), F(3, 4))


def test_the_printed_formula_can_reverse_percentiles():
    low, high = (printed_percentile(range(4), (3, 1, 3), s) for s in (F(1, 4), F(1, 2)))
    assert (low, high) == (F(1, 4), 0)


def test_the_printed_formula_has_a_value_for_a_negative_total_but_not_for_zero():
    # (−2): F(1) = 1, J = 1, and 0 + 1·(½·(−2) − 0)/(−2) = ½
    assert printed_percentile((0, 1), (-2,), F(1, 2)) == F(1, 2)
    assert printed_percentile((0, 1, 2), (1, -1), F(1, 2)) is NoPercentile.ZERO_TOTAL


def test_the_first_of_several_bins_is_taken():
    # F = 1, 0, 1: bins 1 and 3 both reach 1/2
    assert bin_of_percentile((2, -2, 2), F(1, 2)) == 1
    assert distribution_function((2, -2, 2)) == (1, 0, 1)


def test_negative_counts_make_the_distribution_function_leave_the_unit_interval():
    assert distribution_function((-1, 3, 1, -1)) == (F(-1, 2), 1, F(3, 2), 1)
    assert distribution_function(()) is NoPercentile.ZERO_TOTAL


def test_edges_must_bound_the_counts():
    with pytest.raises(ParameterError, match="edges"):
        percentile((0, 1), (1, 1), F(1, 2))


@pytest.mark.parametrize("share", [0, 1, F(5, 4), -1])
def test_a_share_lies_strictly_between_0_and_1(share):
    with pytest.raises(ParameterError, match="share"):
        percentile((0, 1), (1,), share)


def test_clamping_replaces_negative_counts_only():
    assert at_least_zero((3, -2, 0)) == (3, 0, 0)
    assert percentile((0, 1), at_least_zero((-1,)), F(1, 2)) is NoPercentile.ZERO_TOTAL


def test_relative_accuracy_is_one_when_exact_and_zero_at_zero_and_twice():
    assert [relative_accuracy(x, 50) for x in (50, 0, 100, 150, 45)] == [1, 0, 0, -1, F(9, 10)]
    with pytest.raises(ParameterError, match="true"):
        relative_accuracy(1, 0)
