"""MOSE and the UMETRICS reports: predictions are those of spec, and what exported scales give away."""

from fractions import Fraction
from math import inf, isinf

import numpy as np
import pytest

from establish.proofs_check.experiments.schmutte2020.exported_scales import summary
from establish.proofs_check.experiments.schmutte2020.mose import (
    EPSILON,
    groups,
    local_sensitivity,
    mose,
    predicted,
)
from establish.proofs_check.experiments.schmutte2020.umetrics import LEGAL, mean_sensitivity, report, umetrics
from establish.spec.regression.local import even_grid
from establish.spec.regression.local import local_sensitivity as by_spec
from establish.spec.regression.ols import predict
from establish.spec.umetrics import mean_local_sensitivity


def test_predictions_and_local_sensitivities_are_those_of_spec():
    group = groups(1, 3)[0]
    pairs = zip(group.ranks, group.outcomes, strict=True)
    points = tuple(sorted((Fraction(round(100 * x), 100), Fraction(round(100 * y), 100)) for x, y in pairs))
    assert float(predicted(group.moments)) == pytest.approx(float(predict(points, Fraction(1, 4))))
    local = local_sensitivity(group.moments, group.ranks, group.outcomes)
    assert local == pytest.approx(float(by_spec(points, Fraction(1, 4), even_grid(100, 100))))
    left = predicted(group.without())
    x, y = (Fraction(round(100 * float(v[0])), 100) for v in (group.ranks, group.outcomes))
    fewer = list(points)
    fewer.remove((x, y))
    assert float(left[0]) == pytest.approx(float(predict(tuple(fewer), Fraction(1, 4))))


def test_the_sensitivity_of_a_mean_is_that_of_spec():
    cell = np.array([20_000.0, 40_000.0, 90_000.0])
    ideal = mean_local_sensitivity([20_000, 40_000, 90_000], LEGAL)
    assert mean_sensitivity(cell) == pytest.approx(float(ideal))


def test_exported_scales_tell_who_is_there_and_repairs_keep_their_promise():
    rows, by_group = mose(groups(6, 2), seed=2, trials=20)
    own, public, *repaired = rows
    assert own.told > 0.99
    assert 0 < public.told < 0.6
    assert own.gain == public.gain == own.promise == inf
    assert public.rest <= float(EPSILON)
    assert all(r.told == 0 and r.gain <= r.promise for r in repaired)
    assert len(by_group) == 6
    reports = umetrics(report(200, 3, 2), seed=2, trials=20)
    assert [isinf(r.gain) for r in reports] == [True, True, False, False]
    assert all(r.gain <= r.promise * (1 + 1e-12) for r in reports)


def test_a_scale_that_depends_on_nobody_tells_nobody():
    share, largest, finite = summary(np.array([0.5, 2.0, 1.0]))
    assert (share, largest, finite) == (0.0, 2.0, 2.0)
    assert summary(np.array([inf, 1.0])) == (0.5, inf, 1.0)
