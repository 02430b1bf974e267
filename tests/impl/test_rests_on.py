"""A mechanism that runs rests on claims that are recorded as true."""

import pytest

from establish.proofs_check.certification.runs import runs
from establish.proofs_check.engine import ledger


@pytest.mark.parametrize("mechanism", runs(), ids=lambda m: f"{m.name}-{m.calibration}")
def test_every_claim_that_a_mechanism_rests_on_is_recorded_as_true(mechanism):
    recorded = ledger.recorded()
    verdicts = {claim: recorded[claim].verdict for claim in mechanism.rests_on}
    assert set(verdicts.values()) <= {"holds", "holds_loosely"}, verdicts
    assert verdicts, "a mechanism that rests on nothing must not run"
