"""Record neighbors: presence, substitution, and the count of records."""

import math

import pytest

from establish.spec.parameters import ParameterError
from establish.spec.relations.record import AddOrRemove, Substitute, UnitCount


def test_tables_that_differ_in_the_presence_of_one_record_are_neighbors():
    relation = AddOrRemove(("f", "m"), 3)
    assert relation.related(("f",), ("f", "m"))
    assert relation.related(("f", "f"), ("f",))  # multiplicity counts
    assert not relation.related(("f",), ("m",))
    assert not relation.related(("f",), ("f", "m", "m"))


def test_substitution_keeps_the_number_of_records():
    relation = Substitute(("f", "m"), 3)
    assert relation.related(("f", "f"), ("f", "m"))
    assert not relation.related(("f",), ("f", "m"))
    assert not relation.related(("f", "f"), ("m", "m"))


def test_a_substitution_is_a_removal_and_an_addition():
    presence, substitution = AddOrRemove(("f", "m"), 4), Substitute(("f", "m"), 3)
    for d in substitution.datasets():
        for d2 in substitution.neighbors(d):
            assert presence.distance(d, d2) == 2


def test_tables_of_different_length_are_infinitely_far_under_substitution():
    relation = Substitute(("f", "m"), 3)
    assert relation.distance(("f", "f"), ("m", "m")) == 2
    assert relation.distance(("f",), ("f", "f")) == math.inf


def test_the_number_of_records_changes_as_a_unit_count():
    presence, count = AddOrRemove(("f", "m"), 4), UnitCount(4)
    for d in presence.datasets():
        assert {len(d2) for d2 in presence.neighbors(d)} == set(count.neighbors(len(d)))


def test_the_distance_of_counts_is_their_difference():
    count = UnitCount(6)
    assert all(count.distance(x, y) == abs(x - y) for x in range(7) for y in range(7))


@pytest.mark.parametrize(("domain", "most"), [((), 2), (("f", "f"), 2), (("f",), -1)])
def test_a_universe_without_meaning_is_refused(domain, most):
    with pytest.raises(ParameterError):
        AddOrRemove(domain, most)


def test_a_negative_largest_count_is_refused():
    with pytest.raises(ParameterError, match="most = -1"):
        UnitCount(-1)
