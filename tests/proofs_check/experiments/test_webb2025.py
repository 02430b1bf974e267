"""Section 8 and Appendix H of Webb et al. 2025: fitted microdata, and estimated variances."""

from fractions import Fraction

import numpy as np
import pytest

from establish.impl.microdata.neighbor_functions import neighbor_function
from establish.impl.microdata.psi_mechanism import PsiMechanism
from establish.proofs_check.experiments.webb2025 import estimated_variances
from establish.proofs_check.experiments.webb2025.establishment_data import MEASURES, STATES, made_up
from establish.proofs_check.experiments.webb2025.fitted_microdata_compared import (
    LEVELS,
    STRATEGIES,
    run,
    variance_at,
)
from establish.spec.arithmetic import MP
from establish.spec.mechanisms.psi_estimators import variance_from_root


def test_exact_variances_are_those_of_spec_at_the_true_sum():
    mechanism = PsiMechanism(neighbor_function("sqrt"), Fraction(1, 2), Fraction(1))
    for true in (0, 1, 50, 10**6):
        here = variance_at(mechanism, np.array([float(true)]))[0]
        ideal = variance_from_root(MP.number(true), MP.number(Fraction(1, 2)), MP)
        assert here == pytest.approx(float(ideal), rel=1e-9)


def test_a_run_has_every_measure_strategy_and_level_and_is_the_same_again():
    data = made_up(STATES["rhode-island"], 120, 3)
    found = run(data, seed=3, replications=2)
    keys = {(r.measure, r.strategy, r.level) for r in found.levels}
    assert len(keys) == len(MEASURES) * len(STRATEGIES) * len(LEVELS)
    again = run(data, seed=3, replications=2)
    assert again.levels == found.levels
    assert again.coverage == found.coverage
    state = found.errors["employment", "pnc", "state"]
    county = found.errors["employment", "pnc", "county"]
    assert state[:, 0] == pytest.approx(county.sum(axis=1), abs=1e-6)


def test_thousands_are_the_same_wages():
    data = made_up(STATES["rhode-island"], 200, 1)
    dollars, thousands = (data.measures[name] for name in MEASURES[1:])
    assert np.abs(thousands - dollars / 1000).max() <= 0.5


def test_intervals_of_direct_answers_hold_the_truth_as_often_as_they_say():
    """2·2·120 intervals at 95%; an average below .80 has a probability below 1e-9 (Hoeffding)."""
    found = run(made_up(STATES["rhode-island"], 120, 4), seed=4, replications=4)
    own = [r for r in found.coverage if (r.measure, r.query) == ("employment", "establishment")]
    covered = sum(r.covered * r.intervals for r in own) / sum(r.intervals for r in own)
    assert sum(r.intervals for r in own) == 960
    assert covered > 0.80
    assert all(r.low <= r.covered <= r.high for r in found.coverage)


def test_true_variances_give_the_closed_forms_of_table_11():
    """√, 50 counties, Act: 335.422 (claim webb2025/table-11-total), within 6 standard errors."""
    rows = estimated_variances.run(seed=1, trials=300)
    act = {r.query: r for r in rows if (r.setting, r.psi, r.strategy) == ("as Table 11", "√", "Act")}
    assert abs(act["Total"].mean_squared_error - 335.422) < 6 * act["Total"].se
    assert abs(act["Total"].bias) < 6 * act["Total"].bias_se
    estimated = next(
        r for r in rows if (r.setting, r.psi, r.strategy, r.query) == ("as Table 11", "log", "Est", "Total")
    )
    assert estimated.bias < -6 * estimated.bias_se
