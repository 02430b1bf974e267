"""The experiments on counts: vectorized noise against the laws, intervals, and what a run is made of."""

from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from scipy.stats import spearmanr

from establish.impl.mechanisms.noise_infusion import NoiseInfusion
from establish.proofs_check.engine.methods.statistical import distance_threshold
from establish.proofs_check.engine.statements.experiments import Measured
from establish.proofs_check.experiments import count_noise, haney2017, job_cells
from establish.proofs_check.experiments.confidence import of_bounded_sums, of_rank_correlations
from establish.proofs_check.experiments.findings import Finding, Outcome
from establish.proofs_check.experiments.haney2017_findings import SENTENCES, findings
from establish.proofs_check.experiments.results import RecordError, recorded, rows_of, text_of
from establish.spec import growth_scale
from establish.spec.arithmetic import MP
from establish.spec.distributions.staircase import Staircase
from establish.spec.mechanisms.growth_staircase import GrowthStaircaseMechanism, mean_errors
from establish.spec.mechanisms.log_laplace import LogLaplaceMechanism
from establish.spec.mechanisms.smooth_gamma import SmoothGammaMechanism
from establish.spec.mechanisms.smooth_laplace import SmoothLaplaceMechanism
from establish.spec.mechanisms.smooth_lomax import SmoothLomaxMechanism

ALPHA, EPSILON = Fraction(1, 10), Fraction(2)
TINY = job_cells.Size(300, 4000, 12)
DRAWS = 20_000
FALSE_ALARM = 1e-9

LAWS = {
    "log-laplace": LogLaplaceMechanism(ALPHA, EPSILON),
    "smooth-gamma": SmoothGammaMechanism(ALPHA, EPSILON),
    "smooth-laplace": SmoothLaplaceMechanism(ALPHA, EPSILON, Fraction(1, 20)),
    "smooth-lomax": SmoothLomaxMechanism(ALPHA, EPSILON),
    "growth-staircase": GrowthStaircaseMechanism(ALPHA, EPSILON),
}


@pytest.fixture(scope="module")
def cells() -> job_cells.JobCells:
    return job_cells.made_up(TINY, 5)


@pytest.fixture(scope="module")
def rows(cells: job_cells.JobCells) -> list[haney2017.Row]:
    return haney2017.run(cells, seed=5, trials=2)


@pytest.mark.parametrize("name", count_noise.NAMES)
def test_draws_follow_the_law_of_spec(name: str):
    """At 41 points, by the inequality of Dvoretzky, Kiefer and Wolfowitz: wrong with 1e-9 each."""
    (method,) = (m for m in count_noise.methods(ALPHA, EPSILON) if m.name == name)
    sizes = (30, 12)
    counts, largest = np.full(DRAWS, 42.0), np.full(DRAWS, 30.0)
    noisy = method.noisy(counts, largest, count_noise.Draws.of(np.random.default_rng(1), (DRAWS,)))
    law = LAWS[name].output(sizes)
    limit = distance_threshold(DRAWS, FALSE_ALARM)
    for x in np.linspace(30.1, 60.1, 41):
        ideal = float(law.cdf(Fraction(x)))
        assert abs(float((noisy <= x).mean()) - ideal) <= limit


def test_closed_forms_are_those_of_spec():
    found = {m.name: m.mean_error for m in count_noise.methods(ALPHA, EPSILON)}
    counts, largest = np.array([42.0]), np.array([30.0])
    for name in ("smooth-gamma", "smooth-laplace", "smooth-lomax"):
        law = LAWS[name]
        if name == "smooth-lomax":
            assert found[name](counts, largest)[0] == pytest.approx(
                float(law.mean_absolute_error(30))
            )
        draws = count_noise.Draws.of(np.random.default_rng(2), (400_000,))
        (method,) = (m for m in count_noise.methods(ALPHA, EPSILON) if m.name == name)
        errors = np.abs(method.noisy(np.full(400_000, 42.0), np.full(400_000, 30.0), draws) - 42)
        assert errors.mean() == pytest.approx(found[name](counts, largest)[0], rel=0.02)


def test_the_growth_scale_and_the_staircase_are_those_of_spec():
    for n, alpha in product((0, 1, 5, 10, 11, 500), (Fraction(1, 10), Fraction(1, 7))):
        here = count_noise.growth_scale(np.array([float(n)]), float(alpha))
        assert here[0] == pytest.approx(float(growth_scale.scale(Fraction(n), alpha, MP)))
        assert count_noise.growth_inverse(here, float(alpha))[0] == pytest.approx(n, abs=1e-9)
    law = Staircase(MP.number(0), Fraction(1, 4), Fraction(1, 3), EPSILON)
    shares = np.array([1e-6, 0.01, 0.3, 0.5, 0.6, 0.97, 1 - 1e-6])
    here = count_noise.staircase(shares, 1 / 4, 1 / 3, 2.0)
    assert here == pytest.approx([float(law.quantile(Fraction(p))) for p in shares])


def test_the_mean_error_of_the_growth_staircase_is_that_of_spec():
    (method,) = (m for m in count_noise.methods(ALPHA, EPSILON) if m.name == "growth-staircase")
    draws = count_noise.Draws.of(np.random.default_rng(3), (200_000,))
    counts = np.full(200_000, 3.0)
    made = LAWS["growth-staircase"]
    ideal = sum(mean_errors(Fraction(3), ALPHA, EPSILON, made.down, made.up))
    assert np.abs(method.noisy(counts, counts, draws) - 3).mean() == pytest.approx(
        float(ideal), rel=0.02
    )


def test_one_item_changes_a_rank_correlation_by_no_more_than_the_interval_allows():
    """All pairs of orders of 5 items, one of which is moved: 6/(items + 1), and it is nearly reached."""
    items, largest = 5, 0.0
    orders = list(permutations(range(items)))
    for ranks in orders:
        for item, place in product(range(items), repeat=2):
            rest = [i for i in np.argsort(ranks) if i != item]
            rest.insert(place, item)
            moved = np.argsort(rest)
            change = 12 * np.dot(np.arange(items), moved - np.array(ranks)) / (items**3 - items)
            largest = max(largest, abs(change))
    assert 0.8 * 6 / (items + 1) <= largest <= 6 / (items + 1)
    assert of_rank_correlations(5, 1, 1e-9) == 2.0
    assert of_rank_correlations(10_000, 20, 1e-9) < 0.07


def test_sums_of_bounded_errors_are_rarely_beyond_their_interval():
    """At error probability 1/20, 4,000 averages: a binomial of mean 200 passes 290 with less than 1e-9."""
    rng = np.random.default_rng(4)
    widths = np.array([1.0, 2.0, 5.0])
    sums = (rng.random((4_000, 10, 3)) * widths).sum(axis=2).mean(axis=1)
    beyond = np.abs(sums - widths.sum() / 2) > of_bounded_sums(widths, 10, 0.05)
    assert beyond.sum() < 290


def test_rank_correlations_are_those_of_scipy():
    rng = np.random.default_rng(6)
    first, second = rng.random((2, 40))
    inside = [np.arange(40), np.arange(3, 17), np.arange(1)]
    ranks = [haney2017._ranks(values, inside) for values in (first, second)]
    found = haney2017._correlations(*ranks)
    assert found[0] == pytest.approx(spearmanr(first, second).statistic)
    assert found[1] == pytest.approx(spearmanr(first[3:17], second[3:17]).statistic)
    assert np.isnan(found[2])


def test_the_current_system_is_that_of_the_mechanism(cells: job_cells.JobCells):
    """Without small cells, which are drawn anew, both publish the same for the same factors."""
    mechanism = NoiseInfusion("1/20", "1/4")
    parts = job_cells.workload(cells, cells.workers).counts
    here = haney2017._Infusion(cells, mechanism, parts).published("workload-2", _rng())
    factors = mechanism.draw_factors(cells.cell.size, _rng())
    there = mechanism.release(cells.workers, cells.cell, _rng(), factors).published
    large = parts >= 3
    assert here[large] == pytest.approx(there[large])
    assert np.array_equal(here == 0, parts == 0)
    assert set(np.unique(here[(parts > 0) & ~large])) <= {1.0, 2.0}


def _rng() -> np.random.Generator:
    return np.random.default_rng(7)


def test_workloads_add_up_and_know_their_largest_establishment(cells: job_cells.JobCells):
    parts = job_cells.workload(cells, cells.workers)
    assert parts.counts.sum() == cells.workers.sum() == TINY.jobs
    assert np.all(parts.largest <= parts.counts)
    for cell in (0, cells.cells - 1):
        inside = cells.workers[cells.cell == cell]
        assert np.array_equal(parts.counts[cell], inside.sum(axis=0))
        assert np.array_equal(parts.largest[cell], inside.max(axis=0))


@pytest.mark.small_campaign
def test_a_run_is_the_same_for_the_same_seed(cells: job_cells.JobCells, rows: list[haney2017.Row]):
    again = haney2017.run(cells, seed=5, trials=2)
    assert text_of(again) == text_of(rows)
    assert text_of(haney2017.run(cells, seed=6, trials=2)) != text_of(rows)
    assert text_of(rows_of(text_of(rows), haney2017.Row)) == text_of(rows)


def test_a_run_holds_the_grid_where_the_mechanisms_are_defined(rows: list[haney2017.Row]):
    names = {r.mechanism for r in rows}
    assert set(count_noise.NAMES) < names
    assert len(names) == len(count_noise.NAMES) + 6
    points = {(r.alpha, r.epsilon) for r in rows if r.mechanism == "smooth-gamma"}
    assert (0.1, 2.0) in points
    assert (0.2, 0.25) not in points  # 1.2 > e^(.25/5)
    assert not [
        r for r in rows if r.mechanism == "log-laplace" and (r.alpha, r.epsilon) == (0.2, 0.25)
    ]
    refused = {(r.alpha, r.epsilon) for r in rows if not r.allowed and r.figure == "workload-3"}
    assert {(0.1, 4.0), (0.2, 4.0)} <= refused
    ratios = [r for r in rows if r.figure == "workload-1" and r.low == r.low]
    assert all(r.low <= r.high for r in ratios)


def test_findings_follow_the_numbers(rows: list[haney2017.Row]):
    from dataclasses import replace

    found = {f.key: f for f in findings(rows)}
    assert set(found) == set(SENTENCES)
    worse = [
        replace(r, value=99.0, low=98.0, high=100.0)
        if (r.figure, r.mechanism) == ("workload-1", "smooth-laplace")
        else r
        for r in rows
    ]
    changed = {f.key: f for f in findings(worse)}
    assert changed["finding-1-smooth-laplace"].outcome == Outcome.NOT_REPRODUCED
    better = [
        replace(r, value=0.1, low=0.1, high=0.2) if r.figure == "workload-1" else r for r in rows
    ]
    changed = {f.key: f for f in findings(better)}
    assert changed["finding-1-factor"].outcome == Outcome.REPRODUCED
    assert changed["finding-6-factor"].outcome == Outcome.NOT_REPRODUCED


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
