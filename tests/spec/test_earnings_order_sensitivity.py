"""Sample percentiles and their sensitivity: formulas against brute force written anew."""

from fractions import Fraction as F
from itertools import combinations_with_replacement

import pytest

from establish.spec.earnings import order_sensitivity
from establish.spec.earnings.neighbors import EarningsOfOne, PresenceOfOne
from establish.spec.parameters import ParameterError

HALF = F(1, 2)


def test_the_percentile_is_the_order_statistic_at_its_rank():
    assert order_sensitivity.rank(3, HALF) == 2
    assert order_sensitivity.sample_percentile((1, 5, 9), HALF) == 5
    assert order_sensitivity.sample_percentile((1, 5, 9), F(1, 4)) == 1


def test_a_fractional_rank_is_interpolated():
    # N = 4, X = 25: M = 5/4, a quarter of the way from e_1 to e_2
    assert order_sensitivity.sample_percentile((0, 8, 9, 20), F(1, 4)) == 2
    assert order_sensitivity.sample_percentile((0, 8, 10, 20), HALF) == 9


def test_beyond_the_list_stand_the_public_ends_or_nothing():
    assert [order_sensitivity.order_statistic((3, 4), i, (0, 9)) for i in (0, 1, 2, 3)] == [0, 3, 4, 9]
    assert order_sensitivity.order_statistic((3, 4), 0, None) is None
    # N = 2, X = 25: M = 3/4, between the lower end 0 and e_1 = 4, or e_1 without ends
    assert order_sensitivity.sample_percentile((4, 8), F(1, 4), (0, 9)) == 3
    assert order_sensitivity.sample_percentile((4, 8), F(1, 4)) == 4
    with pytest.raises(ParameterError, match="empty"):
        order_sensitivity.sample_percentile((), HALF)


def slow_smooth(d, top, share, discount):
    """max over every list d' of equal length of discount^(entries changed)·LS(d'), from scratch."""
    at = int((len(d) + 1) * share) - 1
    best = F(0)
    for other in combinations_with_replacement(range(top + 1), len(d)):
        common = sum(min(d.count(v), other.count(v)) for v in set(d))
        local = 0
        for i in range(len(other)):
            for value in range(top + 1):
                moved = sorted((*other[:i], value, *other[i + 1 :]))
                local = max(local, abs(moved[at] - other[at]))
        best = max(best, discount ** (len(d) - common) * local)
    return best


@pytest.mark.parametrize(("size", "share"), [(1, HALF), (3, F(1, 4)), (3, HALF), (3, F(3, 4))])
def test_the_printed_formula_with_ends_is_the_smooth_sensitivity_for_changes(size, share):
    for d in combinations_with_replacement(range(4), size):
        for discount in (HALF, F(4, 5)):
            expected = slow_smooth(d, 3, share, discount)
            assert order_sensitivity.printed_smooth(d, share, (0, 3), discount) == expected, d
            relation = EarningsOfOne(range(4), size, size)
            found = order_sensitivity.smooth_by_definition(relation, d, share, (0, 3), discount, size + 1)
            assert found == expected, d


def test_without_ends_terms_are_missing():
    # three equal earnings: every pair inside the list is 0 apart
    assert order_sensitivity.printed_smooth((2, 2, 2), HALF, None, HALF) == 0
    assert slow_smooth((2, 2, 2), 4, HALF, HALF) == 1
    assert order_sensitivity.windows((2,), HALF, None) == (None, None)


def test_presence_halves_the_local_sensitivity_of_the_median():
    # (0, 2, 4) and a fourth: the median is at most half of the way to 0 or 4
    relation = PresenceOfOne(range(5), 0, 4)
    assert order_sensitivity.local_by_definition(relation, (0, 2, 4), HALF, (0, 4)) == 1
    assert order_sensitivity.printed_local((0, 2, 4), HALF, (0, 4)) == 2


def test_fractional_ranks_have_a_sensitivity_by_definition_but_the_printed_formula_none():
    # (0, 4), the median 2; one of them may move to the other end: 0 or 4
    relation = EarningsOfOne(range(5), 2, 2)
    assert order_sensitivity.local_by_definition(relation, (0, 4), HALF, (0, 4)) == 2
    with pytest.raises(ParameterError, match="fractional"):
        order_sensitivity.printed_local((0, 4), HALF, (0, 4))
