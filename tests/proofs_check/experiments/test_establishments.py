"""The experiments on establishments: fitted microdata, estimated variances, and what protection costs."""

from fractions import Fraction
from math import inf

import numpy as np
import pytest

from establish.impl.microdata.neighbor_functions import neighbor_function
from establish.impl.microdata.psi_mechanism import PsiMechanism
from establish.proofs_check.experiments import cost, estimated_variances, webb2025
from establish.proofs_check.experiments.establishment_data import MEASURES, STATES, made_up
from establish.spec.arithmetic import MP
from establish.spec.mechanisms.psi_estimators import variance_from_root


@pytest.fixture(autouse=True)
def uncertified(monkeypatch: pytest.MonkeyPatch) -> None:
    """Experiments are no releases: whether certificates are current is tested elsewhere."""
    monkeypatch.setenv("ESTABLISH_UNCERTIFIED", "1")


def test_exact_variances_are_those_of_spec_at_the_true_sum():
    mechanism = PsiMechanism(neighbor_function("sqrt"), Fraction(1, 2), Fraction(1))
    for true in (0, 1, 50, 10**6):
        here = webb2025.variance_at(mechanism, np.array([float(true)]))[0]
        ideal = variance_from_root(MP.number(true), MP.number(Fraction(1, 2)), MP)
        assert here == pytest.approx(float(ideal), rel=1e-9)


def test_a_run_has_every_measure_strategy_and_level_and_is_the_same_again():
    data = made_up(STATES["rhode-island"], 120, 3)
    found = webb2025.run(data, seed=3, replications=2)
    keys = {(r.measure, r.strategy, r.level) for r in found.levels}
    assert len(keys) == len(MEASURES) * len(webb2025.STRATEGIES) * len(webb2025.LEVELS)
    again = webb2025.run(data, seed=3, replications=2)
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
    found = webb2025.run(made_up(STATES["rhode-island"], 120, 4), seed=4, replications=4)
    own = [r for r in found.coverage if (r.measure, r.query) == ("employment", "establishment")]
    covered = sum(r.covered * r.intervals for r in own) / sum(r.intervals for r in own)
    assert sum(r.intervals for r in own) == 960
    assert covered > 0.80
    assert all(r.low <= r.covered <= r.high for r in found.coverage)


def test_true_variances_give_the_closed_forms_of_table_11():
    """√, 50 counties, Act: 335.422 (claim webb2025/table-11-total-root-act), within 6 standard errors."""
    rows = estimated_variances.run(seed=1, trials=300)
    act = {
        r.query: r for r in rows if (r.setting, r.psi, r.strategy) == ("as Table 11", "√", "Act")
    }
    assert abs(act["Total"].mean_squared_error - 335.422) < 6 * act["Total"].se
    assert abs(act["Total"].bias) < 6 * act["Total"].bias_se
    estimated = next(
        r
        for r in rows
        if (r.setting, r.psi, r.strategy, r.query) == ("as Table 11", "log", "Est", "Total")
    )
    assert estimated.bias < -6 * estimated.bias_se


@pytest.fixture(scope="module")
def costs() -> dict[str, cost.CostRow]:
    table = cost.made_up(150, 3000, 4, 4, 2)
    rows, cells = cost.run(table, seed=2, trials=50)
    assert len(cells) == 16 * len(rows)
    return {row.protection.split(",")[0].split()[0]: row for row in rows}


def test_only_employer_employee_privacy_bounds_what_is_gained(costs: dict[str, cost.CostRow]):
    bounded = {name for name, row in costs.items() if row.gain_large < inf}
    assert bounded == {"ER-EE"}
    assert costs["cell"].delta_large == costs["coarsening"].delta_large == 1
    assert costs["coarsening"].published == 0
    assert costs["input"].published == costs["input"].cells == 16


def test_gaussian_privacy_protects_the_share_of_a_large_establishment_less(
    costs: dict[str, cost.CostRow],
):
    row = costs["GEDP"]
    assert row.gain_small == row.gain_large == inf
    assert row.delta_small < 1e-5 < 0.5 < row.delta_large < 1


def test_the_delta_of_noise_infusion_is_the_mass_that_tells_sizes_apart():
    """f·20 and f·22, f in [3/4, 19/20] ∪ [21/20, 5/4]: [15, 19] ∪ [21, 25] and [16.5, 20.9] ∪ [23.1, 27.5].

    Of the first 1.5 and 2.1 of 8 lie outside; of the second, 2 of [19, 20.9] to 21 and [25, 27.5] of 8.8.
    """
    first, second = (
        Fraction(15 + 21, 10) / 8,
        (Fraction(19, 10) + Fraction(25, 10)) / Fraction(88, 10),
    )
    assert cost.infusion_delta(20, 22, Fraction(2)) == pytest.approx(float(max(first, second)))
    with pytest.raises(ValueError, match="within"):
        cost.infusion_delta(1, 20, Fraction(2))


def test_the_table_with_margins_adds_up():
    table = cost.made_up(150, 3000, 4, 4, 2)
    cells, _ = cost.published_table(table)
    assert len(cells) == 25
    assert cells[cost.ALL, cost.ALL].value == 3000
    inner = [cells[f"place {p:03}", f"sector {s:02}"].value for p in range(4) for s in range(4)]
    assert inner == table.true.tolist()


def test_published_cells_of_a_pattern_are_those_without_error(costs: dict[str, cost.CostRow]):
    row = costs["cell"]
    assert 0 < row.published < row.cells
