"""Statements about recorded experiments: they are decided by intervals, and false neighbors are seen."""

from dataclasses import replace
from hashlib import sha256
from math import nan

import pytest

from establish.proofs_check.engine.methods import exact, statistical
from establish.proofs_check.engine.statements import InExperiment, Measured, StatementError
from establish.proofs_check.engine.statements.experiments import OfExperiment

BELOW = Measured("ratio a", 0.5, 0.4, 0.6, "<=", 1.0)
AT_LEAST = Measured("correlation", 0.95, 0.9, 1.0, ">=", 0.9)
BEYOND = Measured("ratio b", 1.5, 1.2, 1.8, "<=", 1.0)
OPEN = Measured("ratio c", 1.0, 0.8, 1.2, "<=", 1.0)


RECORDED = "a,b\n1,2\n"
DIGEST = sha256(RECORDED.encode()).hexdigest()


def of(*quantities: Measured, every: bool = True) -> OfExperiment:
    return InExperiment("an experiment", DIGEST, "1e-9", quantities, every=every)


@pytest.mark.parametrize(
    ("quantities", "every", "decided"),
    [
        ((BELOW, AT_LEAST), True, True),
        ((BELOW, AT_LEAST), False, False),
        ((BELOW, BEYOND), True, False),
        ((OPEN, BEYOND), False, True),
        ((BELOW, OPEN), True, None),
        ((BELOW, OPEN), False, None),
        ((replace(BELOW, low=nan, high=nan),), True, None),
    ],
)
def test_intervals_decide(quantities, every, decided):
    statement = of(*quantities, every=every)
    evidence = statistical.measured(statement, RECORDED, lambda _: quantities)
    assert evidence.established is decided
    assert evidence.decides == statement.text
    assert bool(statement.search().refuted) is (decided is False)


@pytest.mark.parametrize(
    ("recorded", "quantities", "told"),
    [
        ("a,b\n1,3\n", (BELOW,), "have another digest"),
        (RECORDED, (replace(BELOW, high=0.7),), "give other intervals"),
        (RECORDED, (BELOW, AT_LEAST), "give other intervals"),
        (RECORDED, (), "give other intervals"),
    ],
)
def test_intervals_that_are_typed_are_no_evidence(recorded, quantities, told):
    with pytest.raises(StatementError, match=told):
        statistical.measured(of(BELOW), recorded, lambda _: quantities)


def test_typed_intervals_are_not_evaluated_as_if_they_were_computed():
    for attempt in (lambda: exact.decided(of(BELOW)), lambda: exact.refuted(of(BEYOND))):
        with pytest.raises(TypeError, match=r"give these to statistical\.measured"):
            attempt()
    with pytest.raises(StatementError, match="give other intervals"):
        statistical.refuted(of(BEYOND), RECORDED, lambda _: (replace(BEYOND, low=1.1),))


def test_an_interval_that_ends_at_its_limit_is_not_beyond_it():
    assert replace(BEYOND, low=1.0).holds is None
    assert replace(BELOW, high=1.0).holds is True
    assert replace(AT_LEAST, low=0.5, high=0.9).holds is None


@pytest.mark.parametrize("statement", [of(BELOW, AT_LEAST), of(AT_LEAST), of(OPEN, BEYOND, every=False)])
def test_a_true_statement_has_a_neighbor_that_is_seen(statement):
    search = statement.search()
    assert not search.refuted
    assert search.found == (next(iter(statement.planted()))[0],)


def test_the_closest_neighbor_is_the_tightest_limit_moved_past_its_interval():
    name, neighbor = next(iter(of(BELOW, AT_LEAST).planted()))
    assert "beyond its interval" in name
    assert isinstance(neighbor, OfExperiment)
    assert [one.limit for one in neighbor.quantities] == [1.0, pytest.approx(1.0, abs=1e-12)]
    assert neighbor.quantities[1].limit > 1.0
    assert neighbor.at({"quantity": "correlation"}).value is False


def test_statements_on_other_quantities_have_another_text():
    many = [replace(BELOW, of=f"ratio {number}") for number in range(9)]
    assert len({of(*many).text, of(*many[:8]).text, of(*many, every=False).text}) == 3
    assert "all 9 expectations are at most 1 (ratio 0; ratio 1; ratio 2; ratio 3; and 5 others)" in (
        of(*many).text
    )
    assert of(*[*many[:8], replace(many[8], of="ratio nine")]).text != of(*many).text


@pytest.mark.parametrize(
    ("quantities", "digest", "told"),
    [
        ((), "0" * 64, "no quantity"),
        ((BELOW,), "0" * 63, "64 hexadecimal"),
        ((BELOW, BELOW), "0" * 64, "twice"),
        ((replace(BELOW, relation="<"),), "0" * 64, "relation = '<'"),
        ((replace(BELOW, low=0.7),), "0" * 64, "low ≤ high"),
        ((replace(BELOW, limit=nan),), "0" * 64, "a limit is a number"),
    ],
)
def test_a_statement_that_says_nothing_is_refused(quantities, digest, told):
    with pytest.raises(StatementError, match=told):
        InExperiment("an experiment", digest, "1e-9", quantities)


def test_a_point_names_a_quantity():
    with pytest.raises(StatementError, match="names a quantity"):
        of(BELOW).at({"quantity": "another"})
