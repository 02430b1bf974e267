"""Neighbors in one person's whole history: predicate, enumeration and drawing agree."""

import math
from itertools import product

import pytest

from establish.spec.parameters import ParameterError
from establish.spec.relations import history

A, B = ("a", 1), ("b", 2)
HISTORIES = history.histories_up_to((A, B), 2)
PRESENCE = history.PresenceOfHistory(("Ada", "Bob"), HISTORIES)
CHANGE = history.ChangeOfHistory(("Ada", "Bob"), HISTORIES)
both = pytest.mark.parametrize("relation", [PRESENCE, CHANGE], ids=["presence", "change"])


def rows(**histories):
    return tuple(sorted((person, r) for person, own in histories.items() for r in own))


def test_histories_are_multisets_of_one_record_or_more():
    assert set(HISTORIES) == {(A,), (B,), (A, A), (A, B), (B, B)}
    assert len(list(PRESENCE.datasets())) == 6 * 6


@both
def test_every_person_has_as_many_neighbors_as_by_hand(relation):
    pairs = sum(len(list(relation.neighbors(d))) for d in relation.datasets())
    # who is absent may have 5 histories, who is present none or 4 others; 6 tables of the other
    assert pairs == (2 * 6 * (5 + 5) if relation is PRESENCE else 2 * 6 * 5 * 4)


@both
def test_related_is_what_a_second_definition_by_person_says(relation):
    def second(d, e):
        own = [(history.history_of(d, p), history.history_of(e, p)) for p in ("Ada", "Bob")]
        changed = [pair for pair in own if pair[0] != pair[1]]
        return len(changed) == 1 and ((() in changed[0]) == (relation is PRESENCE))

    for d, e in product(relation.datasets(), repeat=2):
        assert relation.related(d, e) == second(d, e)


def test_a_whole_history_is_one_step_however_long():
    assert PRESENCE.related((), rows(Ada=(A, B)))
    assert not PRESENCE.related(rows(Ada=(A,)), rows(Ada=(A, B))), "one row of two is no whole history"
    assert CHANGE.related(rows(Ada=(A,)), rows(Ada=(A, B)))
    assert not CHANGE.related((), rows(Ada=(A, B)))
    assert not PRESENCE.related((), rows(Ada=(A,), Bob=(B,)))
    assert not CHANGE.related(rows(Ada=(A,), Bob=(A,)), rows(Ada=(B,), Bob=(B,)))


def test_equal_records_of_two_persons_are_theirs():
    assert not CHANGE.related(rows(Ada=(A,)), rows(Bob=(A,)))
    assert history.differing_persons(rows(Ada=(A,)), rows(Bob=(A,))) == {"Ada", "Bob"}
    assert history.differing_persons(rows(Ada=(A, A)), rows(Ada=(A,))) == {"Ada"}


def test_distances_count_persons():
    assert PRESENCE.distance((), rows(Ada=(A, B), Bob=(B,))) == 2
    assert PRESENCE.distance(rows(Ada=(A,)), rows(Ada=(A, B))) == 2
    assert CHANGE.distance(rows(Ada=(A,), Bob=(A,)), rows(Ada=(B, B), Bob=(A, B))) == 2
    assert CHANGE.distance((), rows(Ada=(A,))) == math.inf


@pytest.mark.parametrize(
    ("persons", "histories", "message"),
    [
        ((), HISTORIES, "persons = "),
        (("Ada", "Ada"), HISTORIES, "persons = "),
        (("Ada",), (), "histories"),
        (("Ada",), ((),), "not empty"),
        (("Ada",), ((B, A),), "sorted"),
        (("Ada",), ((A,), (A,)), "different"),
    ],
)
def test_a_universe_outside_its_domain_is_refused(persons, histories, message):
    with pytest.raises(ParameterError, match=message):
        history.PresenceOfHistory(persons, histories)
