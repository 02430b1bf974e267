"""Neighbors of a list of earnings: predicate and enumeration agree, and differ from each other."""

import pytest

from establish.spec.earnings.neighbors import EarningsOfOne, PresenceOfOne
from establish.spec.parameters import ParameterError

PRESENCE, CHANGE = PresenceOfOne(range(3), 0, 3), EarningsOfOne(range(3), 0, 3)


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


@pytest.mark.parametrize(("values", "least", "most"), [((1,), 0, 1), ((1, 2), 2, 1), ((1, 2), -1, 1)])
def test_a_universe_needs_two_values_and_sizes_in_order(values, least, most):
    with pytest.raises(ParameterError):
        PresenceOfOne(values, least, most)
