"""Sensitivity at whole and fractional ranks: the closed form against brute force, both relations."""

import math
from fractions import Fraction as F
from itertools import combinations_with_replacement, islice

import pytest

from establish.spec.arithmetic import MP
from establish.spec.earnings.neighbors import EarningsOfOne, PresenceOfOne
from establish.spec.earnings.order_sensitivity import (
    local_by_definition,
    printed_smooth,
    smooth_by_definition,
    windows,
)
from establish.spec.earnings.rank_sensitivity import (
    farthest_stretch,
    local_by_change,
    local_by_presence,
    smallest_size,
    smooth_bound,
    smooth_by_change,
    smooth_by_presence,
)
from establish.spec.parameters import ParameterError

HALF = F(1, 2)
SHARES = (F(1, 4), F(1, 3), F(2, 5), HALF, F(2, 3), F(3, 4), F(9, 10), F(1, 10))


def at_each_distance(relation, d, share, ends, most):
    """The largest local sensitivity at distance exactly 0, 1, …, most, by search."""
    for sphere in islice(relation.spheres(d), most + 1):
        yield max(local_by_definition(relation, other, share, ends) for other in sphere)


@pytest.mark.few(12)
@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize(("size", "top"), [(1, 3), (2, 4), (3, 3), (4, 2)])
def test_when_one_changes_the_closed_form_is_the_largest_at_every_distance(share, size, top):
    relation, ends = EarningsOfOne(range(top + 1), size, size), (0, top)
    for d in relation.datasets():
        largest = F(0)
        for k, found in enumerate(at_each_distance(relation, d, share, ends, size)):
            largest = max(largest, found)
            assert local_by_change(d, share, ends, k) == largest, (d, k)


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("share", "size", "distance", "top"),
    [
        (HALF, 4, 2, 3),
        (HALF, 3, 1, 3),
        (F(1, 3), 4, 1, 3),
        (F(2, 3), 5, 2, 2),
        (F(1, 4), 5, 1, 2),
        (F(3, 4), 5, 1, 2),
        (F(2, 5), 4, 1, 3),
    ],
)
def test_when_one_more_or_less_the_closed_form_is_the_largest_at_every_distance(share, size, distance, top):
    assert size - distance >= smallest_size(share)
    relation, ends = PresenceOfOne(range(top + 1), 0, size + distance + 1), (0, top)
    for d in combinations_with_replacement(range(top + 1), size):
        for k, found in enumerate(at_each_distance(relation, d, share, ends, distance)):
            assert local_by_presence(d, share, ends, k) == found, (d, k)


@pytest.mark.few(3)
@pytest.mark.parametrize("share", SHARES)
def test_the_smooth_sensitivity_is_that_of_the_definition_at_every_rank(share):
    relation = EarningsOfOne(range(4), 3, 3)
    for d in relation.datasets():
        expected = smooth_by_definition(relation, d, share, (0, 3), F(4, 5), 4)
        assert smooth_by_change(d, share, (0, 3), F(4, 5)) == expected


@pytest.mark.few(2)
@pytest.mark.parametrize("share", [HALF, F(1, 3), F(3, 4)])
def test_the_bound_by_presence_is_smooth_and_above_every_local_sensitivity(share):
    relation, discount = PresenceOfOne(range(3), 0, 7), F(2, 3)
    for d in relation.datasets():
        if len(d) == 7:
            continue
        own = smooth_by_presence(d, share, (0, 2), discount)
        assert own >= local_by_definition(relation, d, share, (0, 2))
        for other in relation.neighbors(d):
            there = smooth_by_presence(other, share, (0, 2), discount)
            assert discount * own <= there <= own / discount


def test_by_presence_the_bound_is_the_printed_claim_s_quarter():
    # (2, 2, 2) in the range 0 to 4, e^β = 2: two rows must go before a third moves the median by 1 (¼),
    # three before one moves it by 2 (⅛·2). With lists below smallest_size = 2 at the whole range, the
    # bound is 4·(½)² = 1, at distance 2.
    relation = PresenceOfOne(range(5), 0, 8)
    assert smooth_by_definition(relation, (2, 2, 2), HALF, (0, 4), HALF, 4) == F(1, 4)
    assert smooth_by_presence((2, 2, 2), HALF, (0, 4), HALF) == 1


def test_at_whole_ranks_it_is_the_printed_formula():
    for d in ((1, 5, 9), (0, 0, 3, 9, 9), (2, 2, 2, 2, 2, 2, 2)):
        for share in (HALF, F(1, len(d) + 1)):
            printed = windows(d, share, (0, 9))
            assert [local_by_change(d, share, (0, 9), k) for k in range(len(d) + 1)] == [*printed]
            assert smooth_by_change(d, share, (0, 9), HALF) == printed_smooth(d, share, (0, 9), HALF)


def test_without_public_ends_the_smooth_sensitivity_is_infinite():
    assert local_by_change((1, 2, 4, 8), HALF, None, 0) == 3
    assert local_by_change((1, 2, 4, 8), HALF, None, 1) == math.inf
    assert smooth_by_change((1, 2, 4, 8), HALF, None, HALF) == math.inf
    # Without the lowest the median of (2, 4, 8) is 4, with a fifth above it is 4 too; it was 3.
    assert local_by_presence((1, 2, 4, 8), HALF, None, 0) == 1
    assert smooth_by_presence((1, 2, 4, 8), HALF, None, HALF) == math.inf
    # X = 10, N = 4: the rank 1/2 is moved to 1, and e_1 may fall without bound.
    assert local_by_change((1, 2, 4, 8), F(1, 10), None, 0) == math.inf


def test_a_stretch_computed_by_hand():
    # N = 4, M = 5/4: from e_1 + (e_2−e_1)/4 up one rank: ¾·(e_2−e_1) + ¼·(e_3−e_2) = ¾·8 + ¼·1.
    assert farthest_stretch((0, 8, 9, 20), (0, 20), F(5, 4), F(1), 0, 0) == F(25, 4)
    # Half a rank stays between e_1 and e_2; three quarters at 3/4 passes e_1: ¼·(e_1−0) + ½·(e_2−e_1).
    assert farthest_stretch((0, 8, 9, 20), (0, 20), F(5, 4), HALF, 0, 0) == 4
    assert farthest_stretch((2, 8, 9, 20), (0, 20), F(3, 4), F(3, 4), 0, 0) == F(1, 2) + 3


def test_an_empty_list_has_nobody_to_change():
    assert local_by_change((), HALF, (0, 9), 3) == 0
    assert smooth_by_change((), HALF, (0, 9), HALF) == 0
    assert smooth_by_presence((), HALF, (0, 9), HALF) == 9


def test_smallest_sizes():
    assert [smallest_size(s) for s in (HALF, F(1, 3), F(2, 5), F(3, 4), F(1, 10))] == [2, 3, 3, 4, 10]


def test_the_bound_in_high_precision_is_the_exact_one():
    # e^(−β) = 4/5
    beta = MP.log(MP.number(F(5, 4)))
    for d in ((0, 3, 5, 9, 9), (0, 3, 5, 9)):
        exact = smooth_by_change(d, HALF, (0, 9), F(4, 5))
        found = smooth_bound(d, HALF, (0, 9), beta, MP)
        assert abs(found - MP.number(exact)) < MP.number(10) ** -50


def test_a_discount_outside_its_domain_is_refused():
    for discount in (0, F(5, 4)):
        with pytest.raises(ParameterError, match="discount"):
            smooth_by_change((1, 2), HALF, (0, 9), discount)
    # At 1 nothing is discounted: of (0, 0) one goes to 9, and the median of two, their mean, to 9/2.
    assert smooth_by_change((1, 2), HALF, (0, 9), 1) == F(9, 2)
