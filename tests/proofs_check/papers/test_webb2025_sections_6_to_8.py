"""Sections 6 to 8 and Tables 7 to 9 of Webb et al. by second methods; evidence can come out otherwise.

How claims come out is read from the ledger, with which ``make check`` compares every claim.
"""

from fractions import Fraction as F
from math import isclose, sqrt
from statistics import NormalDist

import numpy as np
import pytest
import sympy

from establish.proofs_check.engine import ledger
from establish.proofs_check.engine.methods import exact
from establish.proofs_check.engine.register import claims
from establish.proofs_check.engine.verdicts import Grade, UnsettledError
from establish.proofs_check.papers.webb2025 import (
    bias_by_level,
    data_dependent_variances,
    error_factor,
    gamma,
    plan_budget,
    probably_no_clipping,
    psi_mechanism,
    published_totals,
    rounding,
)
from establish.proofs_check.papers.webb2025 import psi_estimators as estimates
from establish.spec.arithmetic import MP
from establish.spec.mechanisms import psi_estimators
from establish.spec.mechanisms.probably_no_clipping import ProbablyNoClipping
from establish.spec.neighbor_functions.functions import Expression, U, X, root

RNG_DRAWS = 400_000
"""Draws of a comparison by simulation; its tolerance is six standard errors (false alarm 2e-9)."""

EXPECTED = {
    "def-6.1": "holds",
    "def-6.2": "ill_posed",
    "thm-6.3": "holds",
    "thm-6.5": "holds",
    "thm-6.6-sqrt-law": "holds",
    "thm-6.6-sqrt-mean": "holds",
    "thm-6.6-sqrt-var": "holds",
    "thm-6.6-sqrt-cons": "holds",
    "thm-6.6-sqrt-var-estimate-positive": "fails",
    "thm-6.6-log-law": "misprint",
    "thm-6.6-log-mean": "holds",
    "thm-6.6-log-var": "holds",
    "thm-6.6-log-noncons": "holds",
    "sec6.1-ci": "ill_posed",
    "sec6.1-mle": "ill_posed",
    "thm-6.7": "holds",
    "def-6.8": "misprint",
    "thm-6.9": "misprint",
    "sec6.2-clip": "fails",
    "sec6.2-total": "holds",
    "case-1": "holds",
    "case-2-ig": "holds",
    "case-2-dirmean": "misprint",
    "case-2-dirvar": "misprint",
    "case-2-second": "holds",
    "case-2-factor": "holds",
    "case-2-14": "holds",
    "case-3-mom": "holds",
    "case-3-v": "misprint",
    "case-3-mean": "misprint",
    "case-3-slight": "ill_posed",
    "sec8.1-099": "holds",
    "sec8.1-mu": "holds",
    "sec8.2-mu": "holds",
    "sec8.2-rescaled": "fails",
    "sec8.2-njmean": "misprint",
    "sec8.2-ri": "holds",
    "sec8.2-nj-naics": "fails",
    "sec8.2-ri-naics": "misprint",
    "appC-baseline": "fails",
    "appC-range": "fails",
    "sec8.2-noise": "holds",
    "case-2-gamma": "holds",
    "case-3-sum": "holds",
    "appB-level": "misprint",
    "appB-subdivided": "misprint",
    "appC-one-and-two-cells": "holds",
    "sec5.4.1-firm": "holds",
    "def-G.2": "holds",
    "thm-6.5-firm": "holds_loosely",
    "thm-6.9-cost": "holds",
    "sec6.2-total-firm": "holds_loosely",
    "sec6.2-total-attained": "holds",
    "sec6.2-total-log": "holds",
    "tab-7-cost": "holds",
    "tab-7-firm": "holds_loosely",
    "tab-7-mu": "holds",
    **{f"tab-7-{label}": "holds" for label in ("I", "S", "N5", "C", "CN5")},
    **{
        f"tab-{table}-{code}": "holds"
        for table in (8, 9)
        for code in (*range(52, 59), 71, *range(73, 79))
    },
}
"""How each claim comes out, by our derivations in the docstrings of the checks."""


@pytest.mark.parametrize("label", EXPECTED)
def test_claim_is_recorded_as_derived(label):
    entry = ledger.recorded()[f"webb2025/{label}"]
    assert entry.verdict == EXPECTED[label]
    assert entry.evidence not in (Grade.STATISTICAL, "")


def sample_mean(values):
    """Mean and six standard errors."""
    return values.mean(), 6 * values.std() / sqrt(values.size)


def test_weights_of_case_2_increase_the_error_as_derived():
    draws = np.random.default_rng(1)
    n, tau = 3, 0.5
    answers = draws.normal(10, 2, (RNG_DRAWS, n))
    weights = draws.gamma(2 + tau, 1, (RNG_DRAWS, n))
    guesses = (answers * weights).sum(1) / weights.sum(1)
    mean, room = sample_mean((guesses - 10) ** 2 / (4 / n))
    factor = error_factor.error_factor().subs({gamma.N: n, gamma.TAU: F(1, 2)})
    assert abs(mean - float(factor)) < room < 0.05
    assert isclose(float(factor), n * 3.5 / (1 + n * 2.5))


def test_the_guess_of_case_3_has_x_times_the_printed_fraction_as_mean():
    draws, n, x, c = np.random.default_rng(2), 3, 2.0, 0.5
    answers = 1 / draws.gamma(2 + x / c, 1 / (x + x**2 / c), (RNG_DRAWS, n))
    mean, room = sample_mean(n / (1 / answers).sum(1))
    printed = (n * (2 + x / c) - n) / (n * (2 + x / c) - 1)
    assert abs(mean - x * printed) < room < 0.05
    assert abs(mean - printed) > room
    at = {
        gamma.N: n,
        data_dependent_variances.X: 2,
        data_dependent_variances.C: F(1, 2),
    }
    assert isclose(float(data_dependent_variances.expected_guess().subs(at)), x * printed)


def test_shares_of_case_2_have_the_corrected_mean_and_variance():
    shares = np.random.default_rng(3).dirichlet([3.0, 3.0], RNG_DRAWS)[:, 0]
    mean, room = sample_mean(shares)
    assert abs(mean - 1 / 2) < room
    spread, room = sample_mean((shares - 0.5) ** 2)
    assert abs(spread - 1 / (4 * 7)) < room  # (n − 1)/(n²(1 + nα)) at n = 2, α = 3
    assert gamma.MEAN_AS_PRINTED.at({"n": 2, "α": 3}).value is False
    assert gamma.MEAN_AS_MEANT.at({"n": 2, "α": 3}).value is True


def test_means_over_the_noise_agree_with_quadrature():
    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    for expression in (estimates.root_estimate() ** 2, estimates.logarithm_estimate()):
        value = estimates.mean(sympy.expand(expression)).subs(
            {estimates.X: 3, estimates.SD: F(1, 2)}
        )
        function = sympy.lambdify(
            estimates.NOISE, expression.subs({estimates.X: 3, estimates.SD: F(1, 2)})
        )
        assert isclose(float(value), weights @ function(nodes) / sqrt(2 * np.pi), rel_tol=1e-9)


@pytest.mark.parametrize(
    ("transform", "estimate", "variance", "narrows"),
    [
        (np.sqrt, psi_estimators.unbiased_from_root, psi_estimators.variance_from_root, True),
        (
            np.log,
            psi_estimators.unbiased_from_logarithm,
            psi_estimators.variance_from_logarithm,
            False,
        ),
    ],
    ids=["sqrt", "log"],
)
def test_the_quartiles_of_the_variance_ratio_close_up_for_the_root_only(
    transform, estimate, variance, narrows
):
    sd, gaps = F(1, 2), []
    for x in (100, 10_000, 1_000_000):
        ratios = []
        for share in (0.25, 0.75):
            answer = MP.mp.mpf(float(transform(x)) + float(sd) * NormalDist().inv_cdf(share))
            ratios.append(variance(estimate(answer, sd, MP), sd, MP) / variance(x, sd, MP))
        gaps.append(float(ratios[1] - ratios[0]))
    if narrows:
        assert gaps[0] > 5 * gaps[1] > 25 * gaps[2]
    else:
        assert gaps == pytest.approx([gaps[0]] * 3)
        assert gaps[0] > 0.1


@pytest.mark.parametrize(
    "wrong",
    [{"budget": "1.23"}, {"share": "0.280"}, {"wage_share": "0.016"}, {"employment": "0.71"}],
)
def test_a_wrong_digit_in_a_table_entry_is_noticed(wrong):
    row = plan_budget.ROWS["I"]
    found = [exact.decided(entry).established for entry in plan_budget.entries(row)]
    changed = [
        exact.decided(entry).established for entry in plan_budget.entries(row._replace(**wrong))
    ]
    assert all(found)
    assert not all(changed)


def changed(table, code, number, **values):
    """A level of Table 8 or 9 with other values of one variable."""
    level = published_totals.TABLES[table][code]
    variables = list(level.variables)
    variables[number] = variables[number]._replace(**values)
    return level._replace(variables=tuple(variables))


@pytest.mark.parametrize(
    ("number", "field", "value"),
    [
        (0, "mean", 366),
        (0, "most", 30_000),
        (0, "deviation", 200),
        (1, "least", 1_600),
        (1, "median", 20_000),
        (2, "deviation", 9_000_000),
    ],
)
def test_a_wrong_number_in_table_8_is_noticed(monkeypatch, number, field, value):
    assert published_totals.row_of(8, 57).outcome == "holds"
    wrong = changed(8, 57, number, **{field: value})
    monkeypatch.setitem(published_totals.TABLES[8], 57, wrong)
    with pytest.raises(UnsettledError):
        published_totals.row_of(8, 57)


def test_a_wrong_deviation_of_two_cells_is_noticed(monkeypatch):
    monkeypatch.setitem(published_totals.TABLES[9], 52, changed(9, 52, 2, deviation=4518))
    with pytest.raises(UnsettledError):
        published_totals.row_of(9, 52)


def test_the_power_of_consistency_is_stated_as_it_is():
    # a mean that is 20% off is always noticed; most medians and deviations of many cells are not
    assert published_totals.noticed(8, 57, "mean") == (6, 6)
    assert published_totals.noticed(8, 57, "median") == (0, 6)
    assert "mean 6 of 6" in published_totals.row_of(8, 57).condition
    for table, levels in published_totals.TABLES.items():
        for code in levels:
            seen, tried = published_totals.noticed(table, code, "mean")
            assert seen == tried, (table, code)


def test_table_3_says_which_changes_it_notices():
    """The sums over groups read the means only; the comparison of mechanisms reads all, and sees little."""
    state, bias = (
        bias_by_level.state_rows_add_up(),
        (bias_by_level.differences_are_nearer_to_zero_under_pnc()),
    )
    assert "first 0 of 12, median 0 of 10, mean 10 of 10, third 0 of 12" in state.condition
    assert "median 0 of 18, mean 6 of 22" in bias.condition


@pytest.mark.parametrize("cells", [3, 10, 50])
def test_the_relations_hold_for_the_statistics_of_drawn_cells(cells):
    draws = np.random.default_rng(cells)
    for _ in range(200):
        values = np.sort(draws.lognormal(5, 1.5, cells).astype(int))
        row = published_totals.Summary(
            int(values[0]),
            round(float(np.median(values))),
            int(values[-1]),
            round(float(values.mean())),
            round(float(values.std(ddof=1))),
        )
        broken = [says for says, true in published_totals.one_variable(row, cells) if not true]
        assert not broken, (row, broken)


def test_two_cell_deviations_are_the_sample_deviations():
    for table in published_totals.TABLES.values():
        for row in table[52].variables:
            assert round(np.std([row.least, row.most], ddof=1)) == row.deviation


def test_both_tables_have_the_levels_of_the_paper_and_42_summaries():
    for table, levels in published_totals.TABLES.items():
        assert list(levels) == [*range(52, 59), 71, *range(73, 79)], table
        assert sum(len(level.variables) for level in levels.values()) == 42


def test_rounding_evidence_is_refuted_just_outside_half_a_unit():
    assert rounding.rounds(F("1.225"), "1.22", "").established
    assert rounding.rounds(F("1.2251"), "1.22", "").established is False
    assert rounding.root_rounds(F("1.4925"), "1.22", "").established
    assert rounding.root_rounds(F("1.4925"), "1.23", "").established is False
    assert rounding.root_rounds(F("1.4925"), "1.21", "").established is False


def test_five_counties_of_rhode_island_are_as_printed():
    counties = [1102, 2375, 3354, 4175, 14414]
    assert sum(counties) == 25_420
    assert round(np.std(counties, ddof=1)) == 5340


def test_totals_of_the_budgets_agree_with_floating_point():
    assert float(claims()["webb2025/sec8.1-mu"].check().value) == pytest.approx(sqrt(3 * 1.74))
    assert float(claims()["webb2025/sec8.2-mu"].check().value) == pytest.approx(sqrt(4 * 1.329933))
    assert float(claims()["webb2025/tab-7-mu"].check().value) == pytest.approx(sqrt(5.32))


def test_clipped_values_stay_within_the_sensitivity_for_both_ways_to_clip():
    assert probably_no_clipping.clipped_values_stay_within(own=True).established
    assert probably_no_clipping.clipped_values_stay_within(own=False).established


def test_without_concavity_the_clipped_sum_costs_more():
    convex = Expression("x²", X**2, sympy.sqrt(U))
    assert convex.close(0, 1, 1)
    assert ProbablyNoClipping(convex, 1, 1).privacy_cost([0], [1], [2]) > 1
    assert ProbablyNoClipping(root(), 1, 1).privacy_cost([0], [1], [2]) <= 1


def test_shifts_and_sums_are_established():
    pieces = [
        *psi_mechanism.likelihood_of_shifts(),
        *psi_mechanism.sums_move_no_more_than_records(),
    ]
    assert [piece.established for piece in pieces] == [True] * 4
