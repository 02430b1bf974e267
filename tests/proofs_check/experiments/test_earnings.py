"""The experiments on earnings and on small groups: accuracies, and what exported scales give away."""

from fractions import Fraction
from math import inf, isinf
from pathlib import Path

import numpy as np
import pytest

from establish.proofs_check.experiments import foote2019, schmutte2020
from establish.proofs_check.experiments.foote2019_evaluation import findings
from establish.spec.parameters import ParameterError
from establish.spec.regression.local import even_grid
from establish.spec.regression.local import local_sensitivity as by_spec
from establish.spec.regression.ols import predict
from establish.spec.umetrics import mean_local_sensitivity

GRID = foote2019.Grid((10, 30), (Fraction(1, 2), Fraction(3)), 4)


@pytest.fixture(scope="module")
def accuracies() -> tuple[list[foote2019.AccuracyRow], list[foote2019.ComparisonRow]]:
    return foote2019.run(foote2019.made_up(25, 1), GRID, seed=1)


def test_accuracy_rises_with_epsilon_and_smooth_sensitivity_is_behind(accuracies):
    rows, comparisons = accuracies
    of = {
        (r.scheme, r.epsilon): r.accuracy
        for r in rows
        if (r.percentile, r.cells) == (50, "all") and r.bins in (0, 10)
    }
    for scheme in foote2019.SCHEMES:
        assert of[scheme, 0.5] < of[scheme, 3.0] <= 1
    assert of["smooth, ε/3", 3.0] < of["smooth", 3.0] < of["log-normal", 3.0]
    assert {c.against for c in comparisons} == set(foote2019.SCHEMES[1:])
    assert {f.key for f in findings(rows, comparisons)} == {"even", "smooth", "cell-size", "bins"}


def test_an_experiment_on_earnings_is_the_same_for_the_same_seed(accuracies):
    assert foote2019.run(foote2019.made_up(25, 1), GRID, seed=1) == accuracies


def test_a_comparison_is_certain_only_beyond_its_interval(accuracies):
    _, comparisons = accuracies
    for c in comparisons:
        expected = "log-normal" if c.low > 0 else c.against if c.high < 0 else "undecided"
        assert c.better == expected


def test_outcomes_files_of_another_layout_are_refused(tmp_path: Path):
    path = tmp_path / "cells.csv"
    path.write_text("a,b\n1,2\n", encoding="utf-8")
    with pytest.raises(ParameterError, match="has no column cellcount"):
        foote2019.read(path, 10)
    head = ",".join(foote2019.COLUMNS)
    path.write_text(f"{head}\n40,x,2,3,0\n", encoding="utf-8")
    with pytest.raises(ParameterError, match="is not a table"):
        foote2019.read(path, 10)
    path.write_text(f"{head}\n40,20000,30000,50000,0\n41,20000,30000,50000,1\n", encoding="utf-8")
    cells = foote2019.read(path, 10)
    assert cells.sizes.tolist() == [40]
    assert cells.true[0] == pytest.approx([20000, 30000, 50000], rel=0.02)


def test_predictions_and_local_sensitivities_are_those_of_spec():
    group = schmutte2020.groups(1, 3)[0]
    pairs = zip(group.ranks, group.outcomes, strict=True)
    points = tuple(
        sorted((Fraction(round(100 * x), 100), Fraction(round(100 * y), 100)) for x, y in pairs)
    )
    here = schmutte2020.predicted(group.moments)
    assert float(here) == pytest.approx(float(predict(points, Fraction(1, 4))))
    local = schmutte2020.local_sensitivity(group.moments, group.ranks, group.outcomes)
    ideal = by_spec(points, Fraction(1, 4), even_grid(100, 100))
    assert local == pytest.approx(float(ideal))
    left = schmutte2020.predicted(group.without())
    x, y = (Fraction(round(100 * float(v[0])), 100) for v in (group.ranks, group.outcomes))
    fewer = list(points)
    fewer.remove((x, y))
    assert float(left[0]) == pytest.approx(float(predict(tuple(fewer), Fraction(1, 4))))


def test_the_sensitivity_of_a_mean_is_that_of_spec():
    cell = np.array([20_000.0, 40_000.0, 90_000.0])
    ideal = mean_local_sensitivity([20_000, 40_000, 90_000], schmutte2020.LEGAL)
    assert schmutte2020.mean_sensitivity(cell) == pytest.approx(float(ideal))


def test_exported_scales_tell_who_is_there_and_repairs_keep_their_promise():
    rows, by_group = schmutte2020.mose(schmutte2020.groups(6, 2), seed=2, trials=20)
    own, public, *repaired = rows
    assert own.told > 0.99
    assert 0 < public.told < 0.6
    assert own.gain == public.gain == own.promise == inf
    assert public.rest <= float(schmutte2020.EPSILON)
    assert all(r.told == 0 and r.gain <= r.promise for r in repaired)
    assert len(by_group) == 6
    reports = schmutte2020.umetrics(schmutte2020.report(200, 3, 2), seed=2, trials=20)
    assert [isinf(r.gain) for r in reports] == [True, True, False, False]
    assert all(r.gain <= r.promise * (1 + 1e-12) for r in reports)


def test_a_scale_that_depends_on_nobody_tells_nobody():
    share, largest, finite = schmutte2020.summary(np.array([0.5, 2.0, 1.0]))
    assert (share, largest, finite) == (0.0, 2.0, 2.0)
    assert schmutte2020.summary(np.array([inf, 1.0])) == (0.5, inf, 1.0)
