"""Exact divergences of finite distributions, against the definition read event by event."""

import math
from fractions import Fraction as F

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from establish.spec.indistinguishability import (
    events,
    hockey_stick,
    hockey_stick_over_events,
    holds_on_every_event,
    is_indistinguishable,
    likelihood_ratio_bound,
    worst_event,
)
from establish.spec.parameters import ParameterError

P = {"a": F(1, 2), "b": F(1, 3), "c": F(1, 6)}
Q = {"a": F(1, 4), "b": F(1, 2), "c": F(1, 4)}


@st.composite
def distributions(draw):
    weights = draw(st.lists(st.integers(0, 6), min_size=4, max_size=4).filter(any))
    return {i: F(w, sum(weights)) for i, w in enumerate(weights) if w}


levels = st.fractions(1, 5, max_denominator=4)


def test_the_ratio_bound_is_the_largest_ratio_of_one_output():
    # 1/2 : 1/4 = 2, 1/2 : 1/3 = 3/2, 1/4 : 1/6 = 3/2
    assert likelihood_ratio_bound(P, Q) == 2
    assert likelihood_ratio_bound(Q, P) == 2


def test_equal_distributions_have_ratio_one_and_no_divergence():
    assert likelihood_ratio_bound(P, P) == 1
    assert hockey_stick(P, P, 1) == 0


def test_an_output_of_one_side_only_has_no_ratio_bound():
    assert likelihood_ratio_bound({"a": F(1)}, {"a": F(1, 2), "b": F(1, 2)}) == math.inf
    assert likelihood_ratio_bound({"a": F(1), "b": F(0)}, {"a": F(1)}) == 1


def test_the_hockey_stick_is_the_excess_of_the_outputs_above_the_level():
    # At c = 1 the excess is on a alone: 1/2 − 1/4. At 3/2: 1/2 − 3/8. From 2 on there is none.
    assert hockey_stick(P, Q, 1) == F(1, 4)
    assert hockey_stick(P, Q, F(3, 2)) == F(1, 8)
    assert hockey_stick(P, Q, 2) == 0
    # The other side: b and c exceed, 3/4 − 1/2 at c = 1.
    assert hockey_stick(Q, P, 1) == F(1, 4)
    assert hockey_stick(Q, P, F(5, 4)) == F(3, 4) - F(5, 8)


def test_the_worst_event_attains_the_hockey_stick():
    assert worst_event(P, Q, F(3, 2)) == {"a"}
    assert worst_event(Q, P, 1) == {"b", "c"}
    assert worst_event(P, Q, 2) == frozenset()


def test_both_directions_count():
    certain, mixed = {"a": F(1)}, {"a": F(1, 2), "b": F(1, 2)}
    assert hockey_stick(certain, mixed, 2) == 0
    assert hockey_stick(mixed, certain, 2) == F(1, 2)
    assert not is_indistinguishable(certain, mixed, 2)
    assert not is_indistinguishable(certain, mixed, 2, F(49, 100))
    assert is_indistinguishable(certain, mixed, 2, F(1, 2))


def test_there_are_two_to_the_n_events():
    assert len(set(events(P, {"d": F(1)}))) == 2**4


@settings(max_examples=settings().max_examples // 2)
@given(distributions(), distributions(), levels, st.fractions(0, F(9, 10), max_denominator=12))
def test_outputs_decide_what_all_events_decide(p, q, c, delta):
    assert hockey_stick(p, q, c) == hockey_stick_over_events(p, q, c)
    assert is_indistinguishable(p, q, c, delta) is holds_on_every_event(p, q, c, delta)


@given(distributions(), distributions())
def test_the_ratio_bound_is_the_least_level_that_holds_on_every_event(p, q):
    least = likelihood_ratio_bound(p, q)
    if least == math.inf:
        assert not holds_on_every_event(p, q, 10**9)
    else:
        assert holds_on_every_event(p, q, least)
        assert least == 1 or not holds_on_every_event(p, q, (1 + least) / 2)


@given(distributions(), distributions(), levels)
def test_the_worst_event_is_a_witness(p, q, c):
    event = worst_event(p, q, c)
    excess = sum(p.get(o, 0) for o in event) - c * sum(q.get(o, 0) for o in event)
    assert excess == hockey_stick(p, q, c)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"a": 0.5, "b": F(1, 2)}, "must be a Fraction"),
        ({"a": F(3, 2), "b": F(-1, 2)}, "must be at least 0"),
        ({"a": F(1, 2)}, "sum to 1/2"),
        ({}, "sum to 0"),
    ],
)
def test_something_that_is_not_a_distribution_is_refused(bad, message):
    for operation in (likelihood_ratio_bound, lambda p, q: is_indistinguishable(p, q, 2)):
        with pytest.raises(ParameterError, match=message):
            operation(bad, Q)
        with pytest.raises(ParameterError, match=message):
            operation(Q, bad)


@pytest.mark.parametrize(("c", "delta"), [(F(1, 2), 0), (2, -1), (2, 1)])
def test_levels_outside_their_domain_are_refused(c, delta):
    with pytest.raises(ParameterError):
        is_indistinguishable(P, Q, c, delta)
