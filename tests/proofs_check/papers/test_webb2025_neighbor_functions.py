"""Neighbor functions of Webb et al. by second methods: conditions, four points, and what is none."""

import math
from dataclasses import replace
from fractions import Fraction as F
from itertools import product

import pytest

from establish.proofs_check.engine.verdicts import UnsettledError, holds
from establish.proofs_check.papers.webb2025 import confidence, neighbor_functions, smoothness
from establish.spec.neighbor_functions.functions import Expression, U, X, identity


def test_conditions_that_fail_are_named():
    convex = neighbor_functions.conditions_of(neighbor_functions.X**2)
    assert neighbor_functions.without(convex) == ["concave"]


def test_a_recommended_function_that_is_none_is_refuted():
    evidence = neighbor_functions.is_true(False, "a condition")
    with pytest.raises(UnsettledError):
        holds(evidence)


def test_floors_of_shifted_roots_move_by_one_between_close_values_and_by_two_at_three_halves():
    def floor(x):
        return math.floor(math.sqrt(x) + 0.25)

    grid = [(n / 8) ** 2 for n in range(40)]
    close = [(x, y) for x, y in product(grid, repeat=2) if abs(math.sqrt(x) - math.sqrt(y)) <= 1]
    assert max(abs(floor(x) - floor(y)) for x, y in close) == 1
    assert floor(4) - floor(0.25) == 2
    assert math.sqrt(4) - math.sqrt(0.25) == 1.5


def test_the_kinked_function_is_concave_and_not_convex_after_the_exponential():
    kinked = smoothness.kinked
    assert all(2 * kinked((x + y) / 2) >= kinked(x) + kinked(y) for x, y in [(F(1, 2), F(2)), (0, 3)])
    assert 2 * kinked(F(1)) > kinked(F(4, 5)) + kinked(F(5, 4))


def test_estimates_on_both_sides_are_below_the_value_on_average_without_concavity():
    never_less, often_more = confidence.NEVER_LESS[0], confidence.OFTEN_MORE[0]
    square = Expression("x²", X**2, U ** F(1, 2))
    assert never_less.at({"ψ": square, "x": 2, "z": 3}).value is False
    assert never_less.at({"ψ": identity(), "x": 2, "z": 3}).value is True
    assert often_more.at({"ψ": identity(), "x": 2, "z": 3}).value is True
    assert confidence.never_less(never_less).established
    assert not confidence.never_less(replace(never_less, relation="<")).established
