"""Exact linear programs and cell suppression, against other solvers and by hand."""

from fractions import Fraction as F
from itertools import combinations

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from establish.spec.disclosure_limitation.simplex import maximum
from establish.spec.disclosure_limitation.suppression import SuppressedTable, formulas, secondary_suppression
from establish.spec.parameters import ParameterError


@settings(max_examples=settings().max_examples // 4)
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


@settings(max_examples=settings().max_examples // 4)
@given(st.sets(st.sampled_from(GRID_CELLS)))
def test_a_cell_has_a_formula_exactly_when_it_lies_in_the_span_of_the_published_ones(published):
    forms, found = as_forms(), formulas(GRID, published)
    known = sympy.Matrix([forms[cell] for cell in published]) if published else sympy.zeros(1, 9)
    rank = known.rank()
    for cell in GRID_CELLS:
        spanned = known.col_join(sympy.Matrix([forms[cell]])).rank() == rank
        assert spanned == (cell in published or cell in found), cell
    for cell, formula in found.items():
        assert set(formula) <= published
        combination = [sum(weight * forms[name][k] for name, weight in formula.items()) for k in range(9)]
        assert combination == forms[cell]


@settings(max_examples=settings().max_examples // 4)
@given(st.lists(st.integers(0, 9), min_size=9, max_size=9), st.sets(st.sampled_from(GRID_CELLS), min_size=8))
def test_recovered_values_are_the_true_ones_and_intervals_those_of_another_solver(inner, published):
    values = {cell: sum(a * x for a, x in zip(form, inner, strict=True)) for cell, form in as_forms().items()}
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
