"""Section 10 of Haney et al. 2017: what a run is made of, and which findings follow from its numbers."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import spearmanr

from establish.impl.mechanisms.noise_infusion import NoiseInfusion
from establish.proofs_check.experiments import count_noise, job_cells
from establish.proofs_check.experiments.findings import Outcome
from establish.proofs_check.experiments.haney2017.findings import SENTENCES, findings
from establish.proofs_check.experiments.haney2017.noise_infusion_compared import (
    Row,
    _correlations,
    _Infusion,
    _ranks,
    run,
)
from establish.proofs_check.experiments.results import rows_of, text_of

TINY = job_cells.Size(300, 4000, 12)


@pytest.fixture(scope="module")
def cells() -> job_cells.JobCells:
    return job_cells.made_up(TINY, 5)


@pytest.fixture(scope="module")
def rows(cells: job_cells.JobCells) -> list[Row]:
    return run(cells, seed=5, trials=2)


def test_rank_correlations_are_those_of_scipy():
    first, second = np.random.default_rng(6).random((2, 40))
    inside = [np.arange(40), np.arange(3, 17), np.arange(1)]
    found = _correlations(*[_ranks(values, inside) for values in (first, second)])
    assert found[0] == pytest.approx(spearmanr(first, second).statistic)
    assert found[1] == pytest.approx(spearmanr(first[3:17], second[3:17]).statistic)
    assert np.isnan(found[2])


def test_the_current_system_is_that_of_the_mechanism(cells):
    """Without small cells, which are drawn anew, both publish the same for the same factors."""
    mechanism = NoiseInfusion("1/20", "1/4")
    parts = job_cells.workload(cells, cells.workers).counts
    here = _Infusion(cells, mechanism, parts).published("workload-2", _rng())
    factors = mechanism.draw_factors(cells.cell.size, _rng())
    there = mechanism.release(cells.workers, cells.cell, _rng(), factors).published
    large = parts >= 3
    assert here[large] == pytest.approx(there[large])
    assert np.array_equal(here == 0, parts == 0)
    assert set(np.unique(here[(parts > 0) & ~large])) <= {1.0, 2.0}


def _rng() -> np.random.Generator:
    return np.random.default_rng(7)


def test_workloads_add_up_and_know_their_largest_establishment(cells):
    parts = job_cells.workload(cells, cells.workers)
    assert parts.counts.sum() == cells.workers.sum() == TINY.jobs
    assert np.all(parts.largest <= parts.counts)
    for cell in (0, cells.cells - 1):
        inside = cells.workers[cells.cell == cell]
        assert np.array_equal(parts.counts[cell], inside.sum(axis=0))
        assert np.array_equal(parts.largest[cell], inside.max(axis=0))


@pytest.mark.small_campaign
def test_a_run_is_the_same_for_the_same_seed(cells, rows):
    assert text_of(run(cells, seed=5, trials=2)) == text_of(rows)
    assert text_of(run(cells, seed=6, trials=2)) != text_of(rows)
    assert text_of(rows_of(text_of(rows), Row)) == text_of(rows)


def test_a_run_holds_the_grid_where_the_mechanisms_are_defined(rows):
    names = {r.mechanism for r in rows}
    drawn = {method.name for method in count_noise.methods(Fraction(1, 10), Fraction(2))}
    assert len(drawn) == 5
    assert drawn < names
    assert len(names) == len(drawn) + 6
    points = {(r.alpha, r.epsilon) for r in rows if r.mechanism == "smooth-gamma"}
    assert (0.1, 2.0) in points
    assert (0.2, 0.25) not in points  # 1.2 > e^(.25/5)
    assert not [r for r in rows if r.mechanism == "log-laplace" and (r.alpha, r.epsilon) == (0.2, 0.25)]
    refused = {(r.alpha, r.epsilon) for r in rows if not r.allowed and r.figure == "workload-3"}
    assert {(0.1, 4.0), (0.2, 4.0)} <= refused
    ratios = [r for r in rows if r.figure == "workload-1" and r.low == r.low]
    assert all(r.low <= r.high for r in ratios)


def test_findings_follow_the_numbers(rows):
    assert set({f.key: f for f in findings(rows)}) == set(SENTENCES)
    worse = [
        replace(r, value=99.0, low=98.0, high=100.0)
        if (r.figure, r.mechanism) == ("workload-1", "smooth-laplace")
        else r
        for r in rows
    ]
    changed = {f.key: f for f in findings(worse)}
    assert changed["finding-1-smooth-laplace"].outcome == Outcome.NOT_REPRODUCED
    better = [replace(r, value=0.1, low=0.1, high=0.2) if r.figure == "workload-1" else r for r in rows]
    changed = {f.key: f for f in findings(better)}
    assert changed["finding-1-factor"].outcome == Outcome.REPRODUCED
    assert changed["finding-6-factor"].outcome == Outcome.NOT_REPRODUCED
