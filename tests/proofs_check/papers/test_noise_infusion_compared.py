"""Claims about the synthetic experiment rest on the recorded numbers, and on no others."""

from dataclasses import replace

import pytest

from establish import Grade, StatementError, UnsettledError
from establish.proofs_check.engine.register import claims
from establish.proofs_check.engine.settlement import settle_claim
from establish.proofs_check.experiments.findings import Outcome
from establish.proofs_check.experiments.haney2017.findings import findings
from establish.proofs_check.experiments.haney2017.noise_infusion_compared import Row
from establish.proofs_check.experiments.results import RecordError, recorded, rows_of
from establish.proofs_check.papers.ours import noise_infusion_compared as compared

KEY = "finding-1-smooth-laplace"
CLAIM = f"establish/evaluated-{KEY}"


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    return rows_of(recorded("haney2017.csv", compared.DIGEST), Row)


def test_every_finding_that_the_record_decides_is_claimed_as_it_is_decided(rows):
    decided = {f.key: f.outcome for f in findings(rows) if f.outcome != Outcome.UNDECIDED}
    assert decided == compared.EXPECTED


def test_a_record_of_other_numbers_is_refused():
    with pytest.raises(RecordError):
        recorded("haney2017.csv", "0" * 64)


@pytest.mark.parametrize("key", ["finding-1-smooth-laplace", "finding-5-smooth-laplace"])
def test_the_object_is_decided_and_its_adversary_sees_a_neighbor(key):
    settled = settle_claim(claims()[f"establish/evaluated-{key}"])
    assert settled.grades.statement == Grade.STATISTICAL
    assert not settled.grades.prose
    (search,) = settled.searches
    assert search.sees
    assert not search.refuted


def test_numbers_that_say_otherwise_unsettle_the_claim(monkeypatch, is_settled):
    assert is_settled(CLAIM)
    known = compared.OBJECTS[KEY]
    better = tuple(replace(one, low=one.low / 2, value=one.value / 2) for one in known.quantities)
    monkeypatch.setitem(compared.OBJECTS, KEY, replace(known, quantities=better))
    with pytest.raises(StatementError, match="other intervals"):
        is_settled(CLAIM)


def test_the_claim_that_numbers_come_out_again_notices_one_that_does_not(rows, monkeypatch):
    again = list(rows)
    monkeypatch.setattr(compared, "made_up", lambda size, seed: None)
    monkeypatch.setattr(compared, "run", lambda cells, seed, trials: again)
    assert compared.recorded_numbers_come_out_again().evidence[0].established
    again[7] = replace(again[7], value=again[7].value * 1.001)
    with pytest.raises(UnsettledError):
        compared.recorded_numbers_come_out_again()
