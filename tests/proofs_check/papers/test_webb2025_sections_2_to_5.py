"""The claims on Sections 2 to 5 and Appendices C to E by second methods."""

import math
from fractions import Fraction as F
from itertools import combinations, product
from statistics import NormalDist

import mpmath
import pytest

from establish.proofs_check.engine import ledger
from establish.proofs_check.engine.methods import exact
from establish.proofs_check.engine.verdicts import Grade, Outcome, UnsettledError, holds
from establish.proofs_check.papers.webb2025 import (
    background,
    four_points,
    intervals,
    neighbor_functions,
    persons,
    printed_intervals,
    semantics,
    smoothness,
    suppression,
)

# What the derivations in the docstrings of the checks arrive at.
EXPECTED = {
    "sec2-54": Outcome.HOLDS,
    "sec2-brittle": Outcome.HOLDS,
    "sec2-linear": Outcome.HOLDS,
    "sec2-p-percent": Outcome.ILL_POSED,
    "sec4-ezs-small": Outcome.HOLDS,
    "sec4-ezs-large": Outcome.ILL_POSED,
    "sec3-split": Outcome.HOLDS,
    "sec3-compose": Outcome.HOLDS,
    "sec3-perfect": Outcome.HOLDS,
    "sec3-postprocessing": Outcome.HOLDS,
    "def-3.1": Outcome.HOLDS,
    "def-3.1-fnr": Outcome.HOLDS,
    "fn1-equivalent": Outcome.HOLDS,
    "lem-3.2": Outcome.HOLDS,
    "sec4-unbiased": Outcome.FAILS,
    "def-5.1-class": Outcome.ILL_POSED,
    "def-5.1-precise": Outcome.HOLDS,
    "fn2-log-a": Outcome.ILL_POSED,
    "def-5.2": Outcome.MISPRINT,
    "sec5.1-iff": Outcome.HOLDS,
    "thm-5.3-1": Outcome.HOLDS,
    "thm-5.3-2": Outcome.HOLDS,
    "thm-5.3-3": Outcome.HOLDS,
    "thm-5.3-4": Outcome.ILL_POSED,
    "rem-5.4": Outcome.HOLDS,
    "def-5.5": Outcome.HOLDS,
    "def-5.6": Outcome.HOLDS,
    "thm-5.7": Outcome.HOLDS,
    "rem-5.8": Outcome.ILL_POSED,
    "ex-5.9": Outcome.HOLDS,
    "ex-D.1": Outcome.HOLDS,
    "sec5.3-disney": Outcome.MISPRINT,
    "sec5.3-firmprinciple": Outcome.HOLDS,
    "sec5.3-crossover": Outcome.HOLDS,
    "sec5.3-log-10pct": Outcome.MISPRINT,
    "sec5.3-log-len": Outcome.HOLDS,
    "sec5.3-simul": Outcome.HOLDS,
    "sec5.3-sqrt-len": Outcome.HOLDS,
    "sec5.3-three": Outcome.HOLDS,
    "sec5.3-tpr": Outcome.HOLDS,
    "sec5.4.1-ell": Outcome.MISPRINT,
    "sec5.4.2-1m": Outcome.HOLDS,
    "sec5.4.2-20000": Outcome.HOLDS,
    "sec5.4.2-one": Outcome.HOLDS,
    "sec5.4.2-recenter": Outcome.HOLDS,
    "sec5.4.2-recenter-k": Outcome.ILL_POSED,
    "sec5.4.3-dp": Outcome.HOLDS,
    "sec5.4.4-closed": Outcome.HOLDS,
    "sec5.4.5": Outcome.HOLDS,
    "tab-2-3": Outcome.HOLDS,
    "tab-2-36": Outcome.HOLDS,
    "tab-2-360": Outcome.HOLDS,
    "tab-2-36000": Outcome.MISPRINT,
    "thm-5.10": Outcome.HOLDS,
    "thm-5.10-smooth": Outcome.HOLDS_LOOSELY,
    "thm-5.11": Outcome.HOLDS,
    "appC-sd": Outcome.HOLDS,
    "appC-relative": Outcome.MISPRINT,
    "appE-recover": Outcome.HOLDS,
    "appE-rank": Outcome.FAILS,
    "appE-50": Outcome.FAILS,
    "appE-safe": Outcome.ILL_POSED,
}

FINITE = {"def-5.5", "sec5.3-simul", "appC-sd"}


@pytest.fixture(scope="module")
def verdicts():
    """As recorded: ``make check`` compares every claim with the ledger."""
    return {label: ledger.recorded()[f"webb2025/{label}"] for label in EXPECTED}


def test_every_claim_is_recorded_as_expected(verdicts):
    assert {label: entry.verdict for label, entry in verdicts.items()} == EXPECTED


def test_only_relations_on_finite_universes_are_exhaustive(verdicts):
    weaker = {Grade.EXHAUSTIVE, Grade.STATISTICAL}
    assert {label for label, entry in verdicts.items() if entry.evidence in weaker} == FINITE


def numbers(text):
    return [float(word) for word in text.replace("[", " ").replace("]", " ").split(", ") if word]


@pytest.mark.parametrize("x", [3, 36, 360, 36000])
def test_the_rows_of_table_2_in_floating_point(x, verdicts):
    found = verdicts[f"tab-2-{x}"].value
    roots, logs = found.removeprefix("√ ").split(", log ")
    by_root = (math.sqrt(x) - 0.5) ** 2, (math.sqrt(x) + 0.5) ** 2
    by_log = x * math.exp(-0.1), x * math.exp(0.1)
    assert numbers(roots) == pytest.approx(by_root, rel=1e-13)
    assert numbers(logs) == pytest.approx(by_log, rel=1e-13)
    printed = [float(number) for number in printed_intervals.PRINTED[x]]
    assert printed == [round(end, 1) for end in (*by_root, *by_log)]


@pytest.mark.parametrize(("end", "wrong"), [(0, "1.6"), (1, "4.9"), (2, "2.8"), (3, "3.4")])
def test_a_wrong_digit_in_a_row_of_table_2_is_noticed(end, wrong):
    printed = list(printed_intervals.PRINTED[3])
    printed[end] = wrong
    found = [exact.decided(one).established for one in printed_intervals.row(3, printed)]
    assert found == [k != end for k in range(4)]


def test_no_more_than_half_a_unit_is_rounded_off():
    assert all(exact.decided(one).established for one in intervals.FACTORS)
    assert exact.decided(intervals.FACTORS_AS_PRINTED[1]).established is False


def test_the_bias_of_clipping_by_quadrature(verdicts):
    with mpmath.workdps(30):
        t = mpmath.sqrt(2) * mpmath.erfinv(mpmath.mpf("0.98"))
        shortfall = mpmath.quad(
            lambda z: (1 - (1 + (z + t) / 2) ** 2) * mpmath.npdf(z), [-2 - t, -1 - t, -t]
        )
    stated = mpmath.mpf(verdicts["sec4-unbiased"].value.split()[-1])
    assert abs(stated + shortfall) < mpmath.mpf(10) ** -16


def test_the_bound_is_too_small_with_the_stated_probability():
    assert NormalDist().cdf(-NormalDist().inv_cdf(0.99)) == pytest.approx(float(background.ZETA))


def test_the_four_point_inequality_on_a_concave_and_on_a_convex_function():
    points = [(p, q, t) for p, q, t in product([1, 2, 5, 9], repeat=3) if p < q]
    assert all(
        math.sqrt(q + t) - math.sqrt(q) <= math.sqrt(p + t) - math.sqrt(p) for p, q, t in points
    )
    assert not any((q + t) ** 2 - q**2 <= (p + t) ** 2 - p**2 for p, q, t in points)
    assert all(piece.established for piece in four_points.concave_steps_shrink())


def test_conditions_that_fail_are_named():
    convex = neighbor_functions.conditions_of(neighbor_functions.X**2)
    assert neighbor_functions.without(convex) == ["concave"]


def test_a_recommended_function_that_is_none_is_refuted():
    evidence = neighbor_functions.is_true(False, "a condition")
    with pytest.raises(UnsettledError):
        holds(evidence)


def test_sizes_close_to_three_by_floating_point():
    by_log = [y for y in range(1, 10) if abs(math.log(y / 3)) <= 0.1]
    by_root = [y for y in range(10) if abs(math.sqrt(y) - math.sqrt(3)) <= 0.5]
    assert intervals.whole_numbers_close_to_three(intervals.logarithm(), F(1, 10)) == by_log == [3]
    assert intervals.whole_numbers_close_to_three(intervals.root(), F(1, 2)) == by_root == [2, 3, 4]


def test_lengths_relative_to_disneyland():
    assert round(1000 / 36000 * 100, 1) == 2.8
    assert round(100 / 36000 * 100, 1) == 0.3
    assert round(500 / 36000 * 100, 1) == 1.4
    assert round(50 / 36000 * 100, 1) == 0.1


def test_root_is_relatively_wider_than_log_below_a_hundred_employees(verdicts):
    def wider(x):
        return (math.sqrt(x) + 0.5) ** 2 - max(math.sqrt(x) - 0.5, 0) ** 2 > 2 * x * math.sinh(0.1)

    assert [x for x in (3, 36, 99, 100, 360, 36000) if wider(x)] == [3, 36, 99]
    assert float(verdicts["sec5.3-crossover"].value.split()[-1]) == pytest.approx(
        1 / math.sinh(0.1) ** 2
    )


def test_floors_of_shifted_roots_move_by_one_between_close_values_and_by_two_at_three_halves():
    def floor(x):
        return math.floor(math.sqrt(x) + 0.25)

    grid = [(n / 8) ** 2 for n in range(40)]
    close = [(x, y) for x, y in product(grid, repeat=2) if abs(math.sqrt(x) - math.sqrt(y)) <= 1]
    assert max(abs(floor(x) - floor(y)) for x, y in close) == 1
    assert floor(4) - floor(0.25) == 2
    assert math.sqrt(4) - math.sqrt(0.25) == 1.5


def test_no_chain_of_whole_numbers_leads_from_one_employee_to_none():
    assert persons.whole_numbers_close_to_none() == []
    assert [y for y in range(50) if math.sqrt(y) <= 0.5] == [0]
    assert (max(math.sqrt(1) - 1, 0)) ** 2 == 0  # but 0 is in the interval of 1 at twice γ


def test_a_randomized_reading_of_a_gaussian_answer_stays_under_its_trade_off():
    # A answers 1 with probability y clipped to [0, 1]: E φ under N(0, 1) and N(1, 1) by quadrature
    def rate(mean):
        return mpmath.quad(lambda y: y * mpmath.npdf(y, mean), [0, 1]) + mpmath.ncdf(mean - 1)

    first, second = NormalDist().inv_cdf(float(rate(0))), NormalDist().inv_cdf(float(rate(1)))
    assert 0 < second - first < 1


def test_the_kinked_function_is_concave_and_not_convex_after_the_exponential():
    kinked = smoothness.kinked
    assert all(
        2 * kinked((x + y) / 2) >= kinked(x) + kinked(y) for x, y in [(F(1, 2), F(2)), (0, 3)]
    )
    assert 2 * kinked(F(1)) > kinked(F(4, 5)) + kinked(F(5, 4))


def test_a_sequence_of_datasets_has_one_step_less_than_datasets():
    assert [semantics.telescoping(n) for n in (1, 2, 5)] == [0, 1, 4]


def test_the_rank_of_the_four_equations_by_determinant():
    # columns ℂ, 𝔾, 𝔽, 𝔸; rows County Y, County Z, Sector 23, Sector 11
    matrix = [[1, 1, 0, 0], [0, 0, 1, 1], [1, 0, 1, 0], [0, 1, 0, 1]]
    assert mpmath.det(mpmath.matrix(matrix)) == 0


def test_recoverable_cells_by_search_over_small_coefficients():
    def row(cell):
        return [int(name in suppression.CELLS.get(cell, cell)) for name in suppression.WAGES]

    def spans(target, published):
        rows = [row(cell) for cell in published]
        return any(
            all(
                sum(w * row[i] for w, row in zip(weights, rows, strict=True)) == row_of_target[i]
                for i in range(5)
            )
            for row_of_target in [row(target)]
            for weights in product((-1, 0, 1), repeat=len(rows))
        )

    cells = [cell for cell in suppression.CELLS if cell not in ("County X", "Sector 52")]
    for size in (1, 2, 3, 4, 5):
        for published in combinations(cells, size):
            for target in ("B", "C", "County Y", "total"):
                found = suppression.recoverable(target, list(published))
                assert found == spans(target, published), (target, published)


def test_an_establishment_that_is_published_leaves_the_safety_of_the_rest_unsettled(monkeypatch):
    monkeypatch.setattr(suppression, "SUPPRESSED", ("Sector 52", "total", "County Y"))
    with pytest.raises(UnsettledError, match="an outsider can compute"):
        suppression.remaining_cells_are_sensitive_themselves()


def test_rows_whose_deviation_exceeds_the_mean(verdicts):
    # read off the tables by hand: all but levels 53, 71 in New Jersey and 52, 53 in Rhode Island
    assert verdicts["appC-sd"].value == "12 of 14, 12 of 14"
