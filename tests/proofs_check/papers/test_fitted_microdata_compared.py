"""Claims about the synthetic states of Webb et al. rest on the recorded numbers, and on no others."""

from dataclasses import replace
from fractions import Fraction
from statistics import mean, median, stdev

import numpy as np
import pytest

from establish import Grade, StatementError, UnsettledError
from establish.proofs_check.engine.register import claims
from establish.proofs_check.engine.settlement import settle_claim
from establish.proofs_check.experiments.findings import Outcome
from establish.proofs_check.experiments.results import rows_of
from establish.proofs_check.experiments.webb2025.establishment_data import STATES, made_up
from establish.proofs_check.experiments.webb2025.findings import findings, student
from establish.proofs_check.experiments.webb2025.fitted_microdata_compared import (
    COMPARED,
    SCALES,
    ReplicationRow,
    _replications,
    by_budget,
    overall,
    run,
)
from establish.proofs_check.papers.ours import fitted_microdata_compared as compared


def recorded_rows(state):
    return rows_of(compared.OF_STATES[state].recorded, ReplicationRow)


@pytest.mark.parametrize("state", sorted(STATES))
def test_every_finding_that_the_record_decides_is_claimed_as_it_is_decided(state):
    every = findings(recorded_rows(state), state)
    decided = {f.key: f.outcome for f in every if f.outcome != Outcome.UNDECIDED}
    assert decided == compared.OF_STATES[state].expected


@pytest.mark.parametrize("key", sorted(compared.OBJECTS))
def test_each_object_is_decided_and_its_adversary_sees_a_neighbor(key):
    settled = settle_claim(claims()[f"establish/evaluated-webb-{key}"])
    assert settled.grades.statement == Grade.STATISTICAL
    assert not settled.grades.prose
    assert all(search.sees and not search.refuted for search in settled.searches)


def test_numbers_that_say_otherwise_unsettle_the_claim(monkeypatch):
    name, known = "new-jersey-bias-of-psi", compared.OBJECTS["new-jersey-bias-of-psi"]
    upward = [replace(one, value=-one.value, low=-one.high, high=-one.low) for one in known.quantities]
    monkeypatch.setitem(compared.OBJECTS, name, replace(known, quantities=tuple(upward)))
    with pytest.raises(StatementError, match="other intervals"):
        compared.as_recorded("new-jersey", "bias-of-psi")


def test_the_claim_that_numbers_come_out_again_notices_one_that_does_not(monkeypatch):
    first = [row for row in recorded_rows("rhode-island") if row.replication < 2]

    class Run:
        replications = first

    monkeypatch.setattr(compared, "made_up", lambda *given: None)
    monkeypatch.setattr(compared, "run", lambda *given, **named: Run)
    assert compared.recorded_numbers_come_out_again("rhode-island").evidence[0].established
    Run.replications = [replace(first[0], absolute=first[0].absolute * 1.01), *first[1:]]
    with pytest.raises(UnsettledError):
        compared.recorded_numbers_come_out_again("rhode-island")


def test_new_jersey_has_the_counties_that_the_paper_prints():
    sizes = list(STATES["new-jersey"].counties.values())
    assert (len(sizes), min(sizes), median(sizes), max(sizes)) == (21, 999, 9_385, 28_689)
    assert sum(sizes) == 207_768
    assert round(mean(sizes)) == 9_894
    assert abs(stdev(sizes) - 6_968) < 2
    data = made_up(STATES["new-jersey"], 3_000, 1)
    assert len(data) == 3_000
    assert sum(data.measures["employment"]) == round(21 * 144_187 * 3_000 / 207_768)


def test_a_replication_is_the_same_in_a_longer_run(monkeypatch):
    monkeypatch.setenv("ESTABLISH_UNCERTIFIED", "1")
    data = made_up(STATES["rhode-island"], 80, 5)
    short, long = (run(data, seed=5, replications=n).replications for n in (1, 2))
    assert short == [row for row in long if row.replication == 0]
    assert {row.strategy for row in short} == set(COMPARED)


def test_outliers_are_beyond_the_whiskers_and_small_ones_below_the_median_group():
    """Quartiles −1, 0, 1: the whiskers end at −4 and 4; the third group has less than the median."""
    errors = np.array([[-1.0, 0.0, 9.0, 1.0, -8.0, 0.5, -0.5, 1.0, -1.0]])
    true = np.array([5.0, 6.0, 1.0, 7.0, 50.0, 4.0, 8.0, 3.0, 6.5])
    (row,) = _replications(("employment", "psi", "county"), errors, true)
    assert (row.first, row.median, row.third) == (-1.0, 0.0, 1.0)
    assert (row.outliers, row.small_outliers) == (2, 1)
    assert row.absolute == pytest.approx(np.abs(errors).mean())


def test_one_replication_decides_nothing():
    alone = student("of one", np.array([-5.0]), "<=")
    equal = student("of equal ones", np.array([-5.0, -5.0, -5.0]), "<=")
    assert alone.holds is None
    assert equal.holds is None


def test_overall_budget_is_the_printed_one():
    assert round(overall(Fraction(1)), 2) == 2.31


def test_more_budget_means_less_error(monkeypatch):
    """A 32nd of the budget; the state's median relative error is then larger by far more than its noise."""
    monkeypatch.setenv("ESTABLISH_UNCERTIFIED", "1")
    rows = by_budget(made_up(STATES["rhode-island"], 200, 3), seed=3, replications=1)
    of = {
        row.mu: row.relative
        for row in rows
        if (row.measure, row.mechanism, row.level) == ("employment", "psi", "county × NAICS-5")
    }
    assert len(of) == len(SCALES)
    assert of[min(of)] > 3 * of[max(of)]
