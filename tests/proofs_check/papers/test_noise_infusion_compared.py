"""Claims about the synthetic experiment rest on the recorded numbers, and on no others."""

from collections.abc import Callable

import pytest

from establish.proofs_check.engine.register import claims
from establish.proofs_check.engine.verdicts import UnsettledError
from establish.proofs_check.experiments.findings import Outcome
from establish.proofs_check.experiments.haney2017 import Row
from establish.proofs_check.experiments.haney2017_findings import findings
from establish.proofs_check.experiments.results import RecordError, rows_of, text_of
from establish.proofs_check.papers.ours import noise_infusion_compared as compared

CLAIM = "establish/evaluated-finding-1-smooth-laplace"


def test_every_finding_that_the_record_decides_is_claimed_as_it_is_decided():
    rows = rows_of(compared.recorded("haney2017.csv", compared.DIGEST), Row)
    decided = {f.key: f.outcome for f in findings(rows) if f.outcome != Outcome.UNDECIDED}
    assert decided == compared.EXPECTED


def test_a_record_of_other_numbers_settles_nothing(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(compared, "DIGEST", "0" * 64)
    with pytest.raises(RecordError):
        claims()[CLAIM].check()


def test_numbers_that_say_otherwise_unsettle_the_claim(
    monkeypatch: pytest.MonkeyPatch, is_settled: Callable[[str], bool]
):
    text = compared.recorded("haney2017.csv", compared.DIGEST)
    assert is_settled(CLAIM)
    rows = rows_of(text, Row)
    worse = [
        Row(**{**vars(row), "low": 2.0, "value": 2.5, "high": 3.0})
        if (row.figure, row.mechanism, row.stratum) == ("workload-1", "smooth-laplace", "all")
        else row
        for row in rows
    ]
    monkeypatch.setattr(compared, "recorded", lambda name, digest: text_of(worse))
    assert not is_settled(CLAIM)


def test_the_claim_that_numbers_come_out_again_notices_one_that_does_not(
    monkeypatch: pytest.MonkeyPatch,
):
    text = compared.recorded("haney2017.csv", compared.DIGEST)
    rows = rows_of(text, Row)
    monkeypatch.setattr(compared, "made_up", lambda size, seed: None)
    monkeypatch.setattr(compared, "run", lambda cells, seed, trials: rows)
    assert compared.recorded_numbers_come_out_again().evidence[0].established
    rows[7] = Row(**{**vars(rows[7]), "value": rows[7].value * 1.001})
    with pytest.raises(UnsettledError):
        compared.recorded_numbers_come_out_again()
