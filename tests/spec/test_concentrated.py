"""Zero-concentrated privacy is seen true and seen false."""

import math
from fractions import Fraction

import pytest

from establish.spec.arithmetic import MP
from establish.spec.concentrated import PerRecordConcentrated, ZeroConcentrated, moment
from establish.spec.parameters import ParameterError
from establish.spec.privacy_conversions import pure_to_concentrated, pure_to_renyi
from establish.spec.relations.record import AddOrRemove

ONE_RECORD = AddOrRemove(["a"], 1)
EPSILON = MP.log(MP.number(3))


def randomized_response(records):
    """The truth with probability 3/4: pure ε = ln 3, and the worst mechanism with it."""
    true = len(records)
    return {true: Fraction(3, 4), 1 - true: Fraction(1, 4)}


@pytest.mark.parametrize("order", [2, 3, 10])
def test_the_divergence_is_that_of_the_closed_form(order):
    p, q = {0: Fraction(3, 4), 1: Fraction(1, 4)}, {0: Fraction(1, 4), 1: Fraction(3, 4)}
    found = MP.log(MP.number(moment(p, q, order))) / (order - 1)
    assert abs(found - pure_to_renyi(order, EPSILON, MP)) < 10**-40


def test_randomized_response_meets_its_level_and_no_smaller_one_at_order_2():
    orders = range(2, 40)
    assert pure_to_concentrated(EPSILON, MP) < MP.number(Fraction(11, 20))
    assert ZeroConcentrated(ONE_RECORD, Fraction(11, 20)).violation(randomized_response, orders) is None
    broken = ZeroConcentrated(ONE_RECORD, Fraction(3, 10)).violation(randomized_response, orders)
    assert broken is not None
    assert broken.order == 2


def test_what_tells_the_data_breaks_every_level():
    assert moment({0: Fraction(1)}, {1: Fraction(1)}, 2) == math.inf
    definition = ZeroConcentrated(ONE_RECORD, 10**6)
    assert definition.violation(lambda records: {len(records): Fraction(1)}, [2]) is not None


@pytest.mark.parametrize("order", [1, Fraction(3, 2)])
def test_another_order_is_refused(order):
    with pytest.raises(ParameterError, match="whole number of at least 2"):
        moment({0: Fraction(1)}, {0: Fraction(1)}, order)


def test_a_negative_level_is_refused():
    with pytest.raises(ParameterError, match="must be at least 0"):
        ZeroConcentrated(ONE_RECORD, -1)


SIZES = AddOrRemove([1, 3], 2)


def who(first, second):
    """The record that one of two datasets has more."""
    return abs(sum(first) - sum(second))


def leaky(records):
    """Whether the large record is there, mostly; nothing about the small one."""
    large = 3 in records
    return {large: Fraction(3, 4), not large: Fraction(1, 4)}


def test_a_policy_lets_a_large_record_cost_more_than_a_small_one():
    generous = PerRecordConcentrated(SIZES, who, lambda size: 1 if size == 3 else 0)
    assert generous.violation(leaky, range(2, 20)) is None
    strict = PerRecordConcentrated(SIZES, who, lambda size: 0 if size == 3 else 1)
    broken = strict.violation(leaky, range(2, 20))
    assert broken is not None
    assert who(broken.first, broken.second) == 3


def test_a_constant_policy_is_the_level():
    definition = PerRecordConcentrated(SIZES, who, lambda size: Fraction(3, 10))
    plain = ZeroConcentrated(SIZES, Fraction(3, 10))
    assert definition.violation(leaky, [2, 3]) == plain.violation(leaky, [2, 3])


def test_a_policy_below_0_is_refused():
    with pytest.raises(ParameterError, match="must be at least 0"):
        PerRecordConcentrated(SIZES, who, lambda size: -1).violation(leaky, [2])
