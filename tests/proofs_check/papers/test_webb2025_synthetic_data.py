"""Appendix A of Webb et al. by second methods; faults in the algorithms as corrected are noticed."""

import re
from dataclasses import replace
from fractions import Fraction as F

import numpy as np
import pytest
from scipy import stats

from establish import UnsettledError, exact, solver
from establish.proofs_check.engine import ledger
from establish.proofs_check.engine.register import claims
from establish.proofs_check.papers.webb2025 import (
    county_employment,
    declared_inputs,
    divider,
    month_2,
    payroll_bound,
    shape_and_scale,
    six_digit,
)
from establish.proofs_check.papers.webb2025 import county_wages as wage_claims
from establish.spec.arithmetic import ARB, MP, enclosing
from establish.spec.synthetic import county_wages
from establish.spec.synthetic.divider import divided


def scaled(function, factor):
    return lambda *arguments, **options: function(*arguments, **options) * factor


def first_gets_all(gammas, total, offset):
    return (total, *(0 for _ in gammas[1:])) if gammas else ()


def rounded_each(gammas, total, offset):
    return tuple(round(total * g / sum(gammas)) if any(gammas) else 0 for g in gammas)


def without_offset(gammas, total, offset):
    return divided(gammas, total, F(0))


def least_of_both(code, county):
    """The smaller of the two remainders, although the sector's leaves a published NAICS-3 out."""
    found = county_wages.bound(code, county)
    if code[:2] in county.sector:
        parts = sum(w for three, w in county.three.items() if three.startswith(code[:2]))
        return min(found, county.sector[code[:2]] - parts)
    return found


def from_the_county(code, county):
    """The county's total as soon as anything of the NAICS-3 cell is published."""
    parts = any(four.startswith(code[:3]) for four in county.four)
    return county.total if parts else county_wages.bound(code, county)


FAULTS = [
    (county_employment, "start", lambda cell: (F(3), F(5)), ["alg-1-lines"]),
    (county_employment, "adjusted", county_employment.adjusted_as_published, ["alg-1-county-total"]),
    (county_employment, "employment", county_employment.employment_as_published, ["alg-1-stable"]),
    (month_2, "mean_above_middle", lambda c: c.number(F(1, 5)), ["alg-2-mean"]),
    (payroll_bound, "bound", scaled(county_wages.bound, F(19, 20)), ["alg-4-bound"]),
    (payroll_bound, "bound", least_of_both, ["alg-4-bound"]),
    (payroll_bound, "bound", from_the_county, ["alg-4-finest"]),
    (six_digit, "receivers", lambda cells: list(cells), ["alg-5-cells"]),
    (divider, "divided", first_gets_all, ["alg-6-whole"]),
    (divider, "divided", rounded_each, ["alg-6-whole"]),
    (divider, "divided", without_offset, ["alg-6-whole"]),
    (divider, "variance_share", scaled(divider.variance_share, F(21, 20)), ["alg-6-proportional"]),
    (divider, "covariance_share", lambda b, o, t: -b * o / t**2, ["alg-6-proportional"]),
    (
        shape_and_scale,
        "variance_share",
        scaled(shape_and_scale.variance_share, F(21, 20)),
        ["alg-7-scale", "alg-7-alike"],
    ),
    (shape_and_scale, "SCALE", 100, ["alg-7-alike"]),
    (shape_and_scale, "SCALE", 1, ["alg-7-low-shape"]),
    (divider, "divided_as_published", lambda gammas, total: [total] * len(gammas), ["alg-6-rounded-down"]),
]


def test_the_objects_on_month_2_notice_a_scaled_variance():
    # Their formulas were read as trees when the module was loaded: a fault is put into the object.
    reached = month_2.BOUNDED[1]
    more = replace(reached, left=lambda c, eta, m3: month_2.variance(eta, c.number(0), m3, c) * 21 / 20)
    assert solver.proves(reached).established
    assert not solver.proves(more).established
    doubled = replace(
        month_2.DISPLAYED, left=lambda c, eta, m1, m3: 2 * month_2.variance_in_text(eta, m1, m3, c)
    )
    assert exact.refuted(month_2.DISPLAYED, η=1, m1=0, m3=1).established
    assert not exact.refuted(doubled, η=1, m1=0, m3=1).established
    assert solver.proves(doubled).established


OBJECTS = [
    county_employment.BOUNDED_FIRST,
    county_employment.DRAWN_LAST,
    county_employment.EVERY_INDUSTRY_IN,
    county_employment.BY_NUMBER,
    six_digit.LINE_15_WITH_L,
    payroll_bound.LINE_12_OVER_SECTORS,
    divider.PART_AND_REST,
    *six_digit.POSITIVE_SCALE,
    *six_digit.KEPT_WITH_SCALE,
    six_digit.DIVIDED,
    *wage_claims.KEEPS_SUM_OF_PARTS,
    wage_claims.QUARTER_OF_EQUAL_MONTHS,
    payroll_bound.WITH_NAICS_4,
    six_digit.SUMMED_5,
    *payroll_bound.SUMS,
    divider.ADDS_UP.term,
    divider.NOT_NEGATIVE,
]


@pytest.mark.few(6)
@pytest.mark.parametrize("statement", OBJECTS)
def test_the_objects_on_lines_notice_a_line_that_gives_less(statement):
    # What a line gives is left of an equation, and right of an inequality.
    side = "left" if statement.relation == "==" else "right"
    line = getattr(statement, side)
    less = replace(statement, **{side: lambda c, *x: line(c, *x) - c.number(F(1, 20))})
    assert solver.proves(statement).established
    assert not solver.proves(less).established


@pytest.mark.few(10)
@pytest.mark.parametrize(("module", "name", "fault", "labels"), FAULTS)
def test_claims_notice_a_fault_in_what_they_run(module, name, fault, labels, monkeypatch):
    monkeypatch.setattr(module, name, fault)
    for label in labels:
        try:
            found = claims()[f"webb2025/{label}"].check()
        except (UnsettledError, ArithmeticError):
            continue
        known = ledger.recorded()[f"webb2025/{label}"]
        assert (found.outcome, found.value) != (known.verdict, known.value)


def test_excess_of_month_2_by_simulation():
    draws = np.maximum(0, 0.5 + np.random.default_rng(1).standard_normal(1_000_000)) - 0.5
    value = float(claims()["webb2025/alg-2-mean"].check().value)
    # 6.5 standard errors of a mean of a million: 8e-11 by the normal law, which the draws' skewness of 1
    # changes by the factor e^(6.5³/6000) < 1.1. False alarm below 1e-10.
    assert abs(draws.mean() - value) < 6.5 * draws.std() / 1000


def test_probabilities_of_small_shares_by_another_library():
    value = claims()["webb2025/alg-7-zero"].check().value
    found = [float(number) for number in re.findall(r"[01]\.\d+|\d\.\d+e-\d+", value)]
    assert found == pytest.approx([stats.beta(10, 90).cdf(share) for share in (0.1, 0.02)], rel=1e-5)
    with enclosing():
        at_shape_1 = float(shape_and_scale.NEAR_ZERO[0].left(ARB).mid())
    assert at_shape_1 == pytest.approx(stats.beta(1, 9).cdf(0.01), rel=1e-12)


def test_correlation_and_skewness_by_simulation():
    rng = np.random.default_rng(2)
    a = rng.gamma(10, 200, (400_000, 2))
    one, other = (rng.beta(a[:, 0], a[:, 1]) for _ in range(2))
    # A correlation near 0.9948 varies as the mean of xy − ρ(x² + y²)/2 does, x and y standardized: standard
    # error 1.7e-5 for 400,000 pairs ((1 − ρ²)/√n, and 1% more as shares are not quite normal). 1.3e-4 is
    # more than 7: below 3e-12, which a skewness below 1 at most doubles.
    assert 190 / 191 - 1.3e-4 < np.corrcoef(one, other)[0, 1] < 4001 / 4021 + 1.3e-4
    # Skewness g varies as the mean of z³ − g − 3z − 3g(z² − 1)/2 does, whose variance for Gamma(10) is 9.9:
    # standard error 0.005. 0.05 is ten: 2e-23, times e^(17·10³/(6√n)) < 100 for the skewness 17 of z³.
    assert stats.skew(a[:, 0]) == pytest.approx(2 / np.sqrt(10), abs=0.05)
    assert stats.gamma(10).sf(30) < 1e-5


@pytest.mark.parametrize(("shape", "scale"), [(1, 1), (1, 200), (10, 1)])
def test_variation_between_applications_by_simulation(shape, scale):
    """E(P − P')²/2 for two shares with the same concentrations, at d = 10."""
    rng = np.random.default_rng(3)
    a = rng.gamma(shape, scale, (400_000, 10))
    one, other = (rng.beta(a[:, 0], a[:, 1:].sum(1)) for _ in range(2))
    squares = (one - other) ** 2 / 2
    low, high = shape_and_scale.between(shape, scale)
    # 6.5 standard errors: below 1e-10; the squares' skewness, below 12, adds the factor
    # e^(12·6.5³/(6·632)) < 3.
    room = 6.5 * squares.std() / np.sqrt(squares.size)
    assert stats.skew(squares) < 12
    assert float(low) - room < squares.mean() < float(high) + room
    assert room < 0.05 * squares.mean()


def test_pay_per_job_of_the_tables_by_hand():
    # (56,870,451 + 74,472,630)/(389,796 + 2,638,126) and (5,985,933 + 5,992,321)/(57,050 + 318,981).
    assert float(wage_claims._pay_per_job(8)) == pytest.approx(43.377, abs=0.001)
    assert float(wage_claims._pay_per_job(9)) == pytest.approx(31.854, abs=0.001)


def test_prediction_errors_by_numpy():
    x, y = np.array([-1.0, 0, 1]), np.array([1.0, -2, 1])
    design = np.stack([np.ones(3), x], axis=1)
    coefficients, (squares,), *_ = np.linalg.lstsq(design, y)
    inverse = np.linalg.inv(design.T @ design)
    assert coefficients == pytest.approx([0, 0])
    for at, expected in ((0, 8), (1, 11)):
        row = np.array([1.0, at])
        entries = inverse[0, 0], inverse[0, 1], inverse[1, 1]
        found = county_employment._squared_error(MP, squares, *entries, *row)
        assert float(found) == pytest.approx(squares * (1 + row @ inverse @ row)) == pytest.approx(expected)


def test_rows_of_table_6_round_to_their_percentages():
    for count, percent in (*declared_inputs.QWI_CELLS.values(), *declared_inputs.CBP_PAYROLL.values()):
        low, high = declared_inputs.rows_range(count, percent)
        assert round(100 * count / float(low + 1)) == round(100 * count / float(high - 1)) == percent
        assert round(100 * count / float(low - 100)) != percent
        assert round(100 * count / float(high + 100)) != percent
