"""Neighbors of a list of earnings: predicate and enumeration agree, and differ from each other."""

from itertools import product

import pytest
from hypothesis import given

from establish.spec.earnings.neighbors import EarningsOfOne, PresenceOfOne
from establish.spec.parameters import ParameterError

PRESENCE, CHANGE = PresenceOfOne(range(3), 0, 3), EarningsOfOne(range(3), 0, 3)


@pytest.mark.parametrize("relation", [PRESENCE, CHANGE], ids=["presence", "change"])
def test_enumerated_neighbors_are_the_related_pairs(relation):
    tables = list(relation.datasets())
    for d, e in product(tables, repeat=2):
        assert (e in set(relation.neighbors(d))) == relation.related(d, e), (d, e)
        assert relation.related(d, e) == relation.related(e, d)
    assert all(len(list(relation.neighbors(d))) == len(set(relation.neighbors(d))) for d in tables)


def test_presence_changes_the_number_and_change_keeps_it():
    assert PRESENCE.related((1,), (1, 2))
    assert not CHANGE.related((1,), (1, 2))
    assert CHANGE.related((1, 2), (0, 2))
    assert not PRESENCE.related((1, 2), (0, 2))


def test_copies_of_a_row_count():
    assert PRESENCE.related((1, 1), (1,))
    assert not PRESENCE.related((1, 1), (1, 1))


def test_a_change_is_two_steps_of_presence():
    assert PRESENCE.distance((0, 2), (1, 2)) == 2
    assert CHANGE.distance((0, 2), (1, 2)) == 1


@given(PRESENCE.strategy())
def test_drawn_pairs_are_related(pair):
    assert PRESENCE.related(*pair)


@pytest.mark.parametrize(("values", "least", "most"), [((1,), 0, 1), ((1, 2), 2, 1), ((1, 2), -1, 1)])
def test_a_universe_needs_two_values_and_sizes_in_order(values, least, most):
    with pytest.raises(ParameterError):
        PresenceOfOne(values, least, most)
