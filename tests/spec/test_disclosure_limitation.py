"""p% rule, cell suppression and multiplicative noise, against second methods and by hand."""

from fractions import Fraction as F
from itertools import combinations, product

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from establish.spec.disclosure_limitation.hierarchy import naics_parent, sums_over
from establish.spec.disclosure_limitation.multiplicative_noise import MultiplicativeNoise
from establish.spec.disclosure_limitation.p_percent import (
    estimate_of_largest,
    nk_sensitive,
    p_percent_sensitive,
    pq_sensitive,
    remainder,
)
from establish.spec.disclosure_limitation.simplex import maximum
from establish.spec.disclosure_limitation.suppression import (
    SuppressedTable,
    formulas,
    secondary_suppression,
)
from establish.spec.mechanisms.noise_infusion import FactorRange
from establish.spec.parameters import ParameterError

TENTH = MultiplicativeNoise(FactorRange("1/20", "1/10"))
ROUNDED = MultiplicativeNoise(FactorRange("1/20", "1/10"), rounding=True)


# --- rules -----------------------------------------------------------------------------------------


def test_the_p_percent_rule_compares_the_remainder_with_the_largest():
    # 100, 50, 9, 1: remainder 10, that is 10% of 100: sensitive for p above 10 only
    cell = [50, 100, 1, 9]
    assert remainder(cell) == 10
    assert not p_percent_sensitive(cell, 10)
    assert p_percent_sensitive(cell, F(101, 10))
    assert p_percent_sensitive([5, 5], F(1, 100)), "each of two knows the other"
    assert p_percent_sensitive([5], 1)
    assert not p_percent_sensitive([0, 0, 0], 50)
    assert not p_percent_sensitive([], 50)


def test_the_pq_rule_with_everything_to_learn_is_the_p_percent_rule():
    cell = [100, 50, 9, 1]
    assert not pq_sensitive(cell, 10, 100)
    assert not pq_sensitive(cell, 5, 50)
    assert pq_sensitive(cell, 6, 50), "who knows all to 50% errs by 5 of 100"


def test_the_nk_rule_looks_at_the_share_of_the_largest():
    # 100 + 50 of 160 are 93.75%
    assert nk_sensitive([100, 50, 9, 1], 2, F(9374, 100))
    assert not nk_sensitive([100, 50, 9, 1], 2, F(9375, 100))
    assert not nk_sensitive([0, 0], 1, 50)


@given(st.lists(st.integers(0, 50), min_size=2, max_size=6), st.integers(1, 60))
def test_a_cell_is_sensitive_when_some_contributor_estimates_the_largest_to_p_percent(values, p):
    largest = max(values)
    errors = [estimate_of_largest(values, i) - largest for i in range(2, len(values) + 1)]
    assert min(errors) == errors[0], "nobody knows more than the second largest"
    assert p_percent_sensitive(values, p) == (100 * min(errors) < p * largest)


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: p_percent_sensitive([1], 0), "p = 0"),
        (lambda: pq_sensitive([1], 1, -1), "q = -1"),
        (lambda: p_percent_sensitive([1, -1], 1), "at least 0"),
        (lambda: nk_sensitive([1], 0, 50), "n = 0"),
        (lambda: nk_sensitive([1], 1, 100), "k = 100"),
        (lambda: estimate_of_largest([1, 2], 3), "attacker = 3"),
        (lambda: estimate_of_largest([1, 2], 1), "attacker = 1"),
    ],
)
def test_rules_refuse_what_lies_outside_their_domain(call, named):
    with pytest.raises(ParameterError, match=named):
        call()


# --- linear programs -------------------------------------------------------------------------------


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_the_exact_maximum_is_that_of_another_solver(data):
    m, n = data.draw(st.integers(1, 3)), data.draw(st.integers(1, 5))
    small = st.integers(-2, 2)
    rows = data.draw(st.lists(st.lists(small, min_size=n, max_size=n), min_size=m, max_size=m))
    right = data.draw(st.lists(st.integers(-3, 3), min_size=m, max_size=m))
    aim = data.draw(st.lists(small, min_size=n, max_size=n))
    other = linprog(-np.array(aim), A_eq=rows, b_eq=right, bounds=(0, None))
    try:
        found = maximum(list(map(F, aim)), [list(map(F, row)) for row in rows], list(map(F, right)))
    except ValueError:
        assert other.status == 2
        return
    if found is None:
        # HiGHS may call an unbounded program "infeasible or unbounded": a bound must make it tight
        capped = linprog(-np.array(aim), A_eq=rows, b_eq=right, bounds=(0, 1e6))
        assert capped.status == 0
        assert -capped.fun > 1e4
    else:
        assert other.status == 0
        assert float(found) == pytest.approx(-other.fun, abs=1e-7)


# --- suppression -----------------------------------------------------------------------------------

GRID = [
    *((("row", i), [(i, j) for j in range(3)]) for i in range(3)),
    *((("column", j), [(i, j) for i in range(3)]) for j in range(3)),
    ("all", [("row", i) for i in range(3)]),
    ("all", [("column", j) for j in range(3)]),
]
"""A table of 3 by 3 cells with its margins."""

GRID_CELLS = list(dict.fromkeys(cell for whole, parts in GRID for cell in (whole, *parts)))


def as_forms():
    """Every cell as a linear form in the nine inner ones."""
    inner = [(i, j) for i in range(3) for j in range(3)]
    forms = {cell: [int(cell == c) for c in inner] for cell in inner}
    for whole, parts in GRID:
        forms[whole] = [sum(column) for column in zip(*(forms[p] for p in parts), strict=True)]
    return forms


@settings(deadline=None, max_examples=60)
@given(st.sets(st.sampled_from(GRID_CELLS)))
def test_a_cell_has_a_formula_exactly_when_it_lies_in_the_span_of_the_published_ones(published):
    forms, found = as_forms(), formulas(GRID, published)
    known = sympy.Matrix([forms[cell] for cell in published]) if published else sympy.zeros(1, 9)
    for cell in GRID_CELLS:
        spanned = known.col_join(sympy.Matrix([forms[cell]])).rank() == known.rank()
        assert spanned == (cell in published or cell in found), cell
    for cell, formula in found.items():
        assert set(formula) <= published
        combination = [
            sum(weight * forms[name][k] for name, weight in formula.items()) for k in range(9)
        ]
        assert combination == forms[cell]


@settings(deadline=None, max_examples=40)
@given(
    st.lists(st.integers(0, 9), min_size=9, max_size=9),
    st.sets(st.sampled_from(GRID_CELLS), min_size=8),
)
def test_recovered_values_are_the_true_ones_and_intervals_those_of_another_solver(inner, published):
    values = {
        cell: sum(a * x for a, x in zip(form, inner, strict=True))
        for cell, form in as_forms().items()
    }
    table = SuppressedTable(GRID, {cell: values[cell] for cell in published})
    for cell, value in table.recovered().items():
        assert value == values[cell]
        assert table.interval(cell) == (value, value)
    names = {cell: k for k, cell in enumerate(GRID_CELLS)}
    equations, right = [], []
    for whole, parts in GRID:
        equations.append([0] * len(names))
        equations[-1][names[whole]] = 1
        for part in parts:
            equations[-1][names[part]] -= 1
        right.append(0)
    bounds = [(values[c], values[c]) if c in published else (0, None) for c in GRID_CELLS]
    for cell in table.suppressed[:4]:
        low, high = table.interval(cell)
        aim = np.eye(len(names))[names[cell]]
        assert float(low) == pytest.approx(
            linprog(aim, A_eq=equations, b_eq=right, bounds=bounds).fun, abs=1e-6
        )
        other = linprog(-aim, A_eq=equations, b_eq=right, bounds=bounds)
        assert (high is None) == (other.status != 0)
        assert high is None or float(high) == pytest.approx(-other.fun, abs=1e-6)


def test_a_suppressed_square_hides_each_of_its_cells_and_only_to_an_interval():
    # rows 3 + 5 and 2 + 7, columns 5 and 12: the corner a lies between 5 − 9 → 0 and min(8, 5)
    sums = [("r1", "ab"), ("r2", "cd"), ("c1", "ac"), ("c2", "bd")]
    table = SuppressedTable(sums, {"r1": 8, "r2": 9, "c1": 5, "c2": 12})
    assert table.recovered() == {}
    assert table.interval("a") == (0, 5)
    assert table.interval("b") == (3, 8)
    assert table.interval("d") == (4, 9)


def test_a_cell_without_any_total_has_no_upper_bound():
    table = SuppressedTable([("whole", ["a", "b"])], {"a": 2})
    assert table.interval("whole") == (2, None)
    assert table.suppressed == ("whole", "b")


def test_a_total_of_zero_discloses_its_parts_although_no_formula_does():
    table = SuppressedTable([("whole", ["a", "b"])], {"whole": 0})
    assert table.recovered() == {}
    assert table.interval("a") == (0, 0)


def test_the_fewest_cells_are_suppressed_in_addition():
    sums = [("r1", "ab"), ("r2", "cd"), ("c1", "ac"), ("c2", "bd"), ("all", ["r1", "r2"])]
    margins = ["r1", "r2", "c1", "c2", "all"]
    # each of the row and the column of a, and the rest of the table, gives a formula of its own
    chosen = secondary_suppression(sums, ["b", "c", "d", *margins], ["a"])
    assert len(chosen) == 3
    for others in combinations(["b", "c", "d", *margins], 2):
        left = [cell for cell in ("b", "c", "d", *margins) if cell not in others]
        assert "a" in formulas(sums, left)
    left = [cell for cell in ("b", "c", "d", *margins) if cell not in chosen]
    assert "a" not in formulas(sums, left)
    assert secondary_suppression(sums, margins, ["a"]) == frozenset()


def test_suppression_refuses_bad_input():
    with pytest.raises(ParameterError, match="contradict"):
        SuppressedTable([("t", "ab")], {"t": 3, "a": 1, "b": 1})
    with pytest.raises(ParameterError, match="at least 0"):
        SuppressedTable([("t", "ab")], {"t": -3})
    with pytest.raises(ParameterError, match="no values of at least 0"):
        SuppressedTable([("t", "ab")], {"t": 3, "a": 4}).interval("b")
    with pytest.raises(ParameterError, match="not a suppressed cell"):
        SuppressedTable([("t", "ab")], {"t": 3}).interval("t")
    with pytest.raises(ParameterError, match="none can be protected"):
        secondary_suppression([("t", [])], [], ["t"])


def test_codes_are_part_of_the_sector_that_spans_several():
    chain, code = [], "445110"
    while code is not None:
        chain.append(code)
        code = naics_parent(code)
    assert chain == ["445110", "44511", "4451", "445", "44-45", "10"]
    assert naics_parent("332") == "31-33"
    assert naics_parent("23") == "10"


def test_sums_are_found_in_every_way_that_cells_add_up():
    cells = [(area, code) for area in ("s", "x", "y") for code in ("10", "23")]

    def above(cell):
        area, code = cell
        parent = naics_parent(code)
        return (None if area == "s" else ("s", code), parent and (area, parent))

    assert sorted(sums_over(cells, above)) == [
        (("s", "10"), [("s", "23")]),
        (("s", "10"), [("x", "10"), ("y", "10")]),
        (("s", "23"), [("x", "23"), ("y", "23")]),
        (("x", "10"), [("x", "23")]),
        (("y", "10"), [("y", "23")]),
    ]


# --- multiplicative noise --------------------------------------------------------------------------


def test_a_published_cell_is_the_sum_of_values_times_factors():
    assert TENTH.published([100, 10], ["11/10", "19/20"]) == F(110) + F(19, 2)
    assert ROUNDED.published([100, 10], ["11/10", "19/20"]) == 120
    with pytest.raises(ParameterError, match="factor = 1 "):
        TENTH.published([100], [1])
    with pytest.raises(ParameterError, match="value"):
        TENTH.published([-1], ["11/10"])
    with pytest.raises(ValueError, match="argument"):
        TENTH.published([1, 2], ["11/10"])


def test_the_law_and_the_variance_are_those_of_simulated_factors():
    rng, n, x = np.random.default_rng(5), 400_000, 40
    factors = 1 + rng.uniform(0.05, 0.1, n) * rng.choice([-1, 1], n)
    # 6.2 standard errors of a share, and of a mean of squares: false alarm below 1e-9
    for y in (37, F(77, 2), 41, 43):
        assert abs(np.mean(factors * x <= float(y)) - float(TENTH.cdf(y, x))) < 6.2 * 0.5 / n**0.5
        rounded = np.mean(np.floor(factors * x + 0.5) <= float(y))
        assert abs(rounded - float(ROUNDED.cdf(y, x))) < 6.2 * 0.5 / n**0.5
    squares = (factors - 1) ** 2
    assert abs(squares.mean() - float(TENTH.factor_variance())) < 6.2 * squares.std() / n**0.5
    assert TENTH.variance([3, 4]) == 25 * TENTH.factor_variance()
    # by hand: (1/400 + 1/200 + 1/100)/3 = 7/1200
    assert TENTH.factor_variance() == F(7, 1200)
    with pytest.raises(ParameterError, match="value = 0"):
        TENTH.cdf(0, 0)


@given(st.integers(0, 40), st.integers(0, 40), st.sampled_from(["9/10", "19/20", "21/20", "11/10"]))
def test_the_truth_lies_in_one_of_the_two_intervals(x, rest, factor):
    for noise in (TENTH, ROUNDED):
        for other in ("9/10", "93/100", "11/10"):
            y = noise.published([x, rest], [factor, other])
            inside = [low <= x <= high for low, high in noise.intervals(y, rest)]
            assert inside[0 if F(factor) > 1 else 1]


def test_alone_the_value_is_known_not_to_be_what_is_published():
    above, below = TENTH.intervals(100)
    assert above == (F(1000, 11), F(2000, 21))
    assert below == (F(2000, 19), F(1000, 9))


def test_small_whole_values_are_published_as_they_are():
    # x/10 < 1/2 for x ≤ 4
    for x in range(12):
        answers = {
            ROUNDED.published([x], [f]) for f in ("9/10", "19/20", "21/20", "11/10", "93/100")
        }
        assert ROUNDED.unchanged(x) == (answers == {x}) == (x <= 4)
    assert TENTH.unchanged(0)
    assert not TENTH.unchanged(1)
    assert not ROUNDED.unchanged(F(1, 2))


def test_one_factor_for_all_values_discloses_their_ratio():
    for factor in ("9/10", "21/20"):
        jobs, wages = (TENTH.published([x], [factor]) for x in (7, 91_000))
        assert wages / jobs == 13_000


def test_every_choice_of_factors_is_within_the_relative_range_of_a_total():
    for factors in product(("9/10", "19/20", "21/20", "11/10"), repeat=3):
        total = TENTH.published([5, 8, 13], factors)
        assert F(9, 10) * 26 <= total <= F(11, 10) * 26
