"""Losses by the size of a record: they add up by policy, and a cap is kept by each."""

from fractions import Fraction
from itertools import pairwise

import pytest

from establish.impl.budget.spending import nothing_under, read_cap
from establish.impl.guarantee import KINDS, LARGEST_POLICY
from establish.spec.arithmetic import ARB, MP
from establish.spec.composition import (
    Approximate,
    Gaussian,
    PerRecord,
    PerRecordConcentrated,
    in_sequence,
    read_definition,
    read_loss,
)
from establish.spec.parameters import ParameterError
from establish.spec.policies import POLICIES

ONE = PerRecord.of({"x²": "1/8", "x": 2})


def test_losses_add_up_by_policy():
    total = in_sequence([ONE, PerRecord.of({"x": "1/3"}), PerRecord.of({"√x": 1})])
    assert total == PerRecord.of({"x²": "1/8", "x": "7/3", "√x": 1})
    assert str(total) == "ρ(x) = 1/8·x² + 7/3·x + 1·√x"
    assert ONE.times(3) == PerRecord.of({"x²": "3/8", "x": 6})
    assert ONE.either(PerRecord.of({"x²": 1})) == PerRecord.of({"x²": 1, "x": 2})


def test_a_cap_is_kept_by_each_policy():
    cap = PerRecord.of({"x²": "1/2", "x": 2})
    assert ONE.within(cap)
    assert cap.left(ONE) == PerRecord.of({"x²": "3/8"})
    assert not ONE.plus(PerRecord.of({"x": "1/1000"})).within(cap)
    assert not PerRecord.of({"√x": "1/1000"}).within(cap)
    assert str(PerRecord()) == "ρ(x) = 0"


def test_what_is_written_is_read_back():
    assert read_loss(ONE.record()) == ONE
    definition = PerRecordConcentrated()
    assert read_definition(definition.record()) == definition
    assert nothing_under(definition) == PerRecord()
    assert read_cap(ONE.record(), definition) == ONE


@pytest.mark.parametrize("rho", [{"x³": "1"}, {"x": "-1"}, {"x": "nan"}])
def test_what_is_no_loss_is_refused(rho):
    with pytest.raises(ParameterError):
        read_loss({"rho": rho})


@pytest.mark.parametrize("other", [Approximate.of(1), Gaussian.of(1)])
def test_losses_of_other_kinds_do_not_add_up(other):
    for one, two in ((ONE, other), (other, ONE)):
        with pytest.raises(ParameterError, match="losses of different kinds"):
            one.plus(two)
    with pytest.raises(ParameterError, match="is not a loss under per-record-zcdp"):
        read_cap(other.record(), PerRecordConcentrated())


def test_the_policy_that_is_taken_where_none_is_granted_is_the_largest_at_whole_sizes():
    largest = POLICIES[LARGEST_POLICY]
    for x in (0, 1, 2, 3, 10, 10**6):
        for policy in POLICIES.values():
            assert policy(MP.number(x), MP) <= largest(MP.number(x), MP)


def test_every_policy_is_0_at_0_rises_and_has_words():
    for name, policy in POLICIES.items():
        values = [policy(ARB.number(Fraction(x)), ARB) for x in (0, 1, 2, 100)]
        assert values[0] == 0
        assert all(low < high for low, high in pairwise(values))
        assert name in KINDS["establishment", name].definition
