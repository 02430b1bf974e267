"""A comparison is decided by its interval, and recorded numbers belong to their digest."""

import pytest

from establish.proofs_check.engine.statements.experiments import Measured
from establish.proofs_check.experiments.findings import Finding, Outcome
from establish.proofs_check.experiments.results import RecordError, recorded


def test_an_interval_that_holds_the_limit_decides_nothing():
    inside = Measured("a", 1.0, 0.9, 1.1, "<=", 1.0)
    below, above = (Measured("b", v, v, v, "<=", 1.0) for v in (0.5, 2.0))
    assert [c.holds for c in (inside, below, above)] == [None, True, False]
    assert Measured("c", 0.5, float("nan"), 1.0, "<=", 1.0).holds is None

    def outcome(*comparisons: Measured) -> Outcome:
        return Finding("k", "p", "s", "r", comparisons).outcome

    assert outcome() == Outcome.UNDECIDED
    assert outcome(below) == Outcome.REPRODUCED
    assert outcome(below, inside) == Outcome.UNDECIDED
    assert outcome(inside, above) == Outcome.NOT_REPRODUCED


def test_recorded_numbers_belong_to_their_digest():
    with pytest.raises(RecordError, match="has the digest"):
        recorded("haney2017.csv", "0" * 64)
