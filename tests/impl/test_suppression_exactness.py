"""Exact fractions out of floats that are off, and out of floats that are wrong."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from establish.impl.suppression.basis import solved
from establish.impl.suppression.programs import Matrix, Ratios, scaled, whole
from establish.impl.suppression.search import _apart
from establish.impl.suppression.vertices import rounded

SIZE = 6


def matrix(values: np.ndarray) -> Matrix:
    return Matrix.of([{k: v for k, v in enumerate(row) if v} for row in values.tolist()], SIZE)


@pytest.mark.parametrize("off", [0, 1e-13, 1e-11])
def test_a_square_system_is_solved_exactly_by_a_solver_whose_floats_are_off(off):
    draw = np.random.default_rng(1)
    for _ in range(20):
        dense = draw.integers(-2, 3, (SIZE, SIZE)) + 5 * np.eye(SIZE, dtype=int)
        right = draw.integers(-(10**17), 10**17, SIZE)
        found = solved(matrix(dense), right, lambda v, a=dense: np.linalg.solve(a, v) * (1 + off))
        assert found is not None
        assert (matrix(dense).times(found.numbers) == scaled(right, found.denominator)).all()


@pytest.mark.parametrize("solve", [lambda v: v * 0, lambda v: -v, lambda v: v * np.nan, lambda v: v + 1e99])
def test_a_solver_that_is_wrong_leads_nowhere(solve):
    assert solved(matrix(3 * np.eye(SIZE, dtype=int)), whole(range(1, SIZE + 1)), solve) is None


def test_a_determinant_that_floats_cannot_tell_is_found_by_more_digits():
    # A cycle x_k + 2·x_{k+1} = 1 with k = 0 ... 39: the determinant is 1 − 2^40.
    size = 40
    square = Matrix.of([{k: 1, (k + 1) % size: 2} for k in range(size)], size)
    right = whole([1] + [0] * (size - 1))
    dense = square.content.toarray().astype(float)
    found = solved(square, right, lambda v: np.linalg.solve(dense, v))
    assert found is not None
    assert found.denominator == 2**size - 1
    assert found[0] == Fraction(-1, 2**size - 1)


@settings(max_examples=25)
@given(st.lists(st.fractions(-100, 100, max_denominator=60), min_size=1, max_size=3))
def test_fractions_are_read_from_floats(values):
    floats = np.array([float(v) for v in values])
    assert [near[k] for near in list(rounded(floats))[-1:] for k in range(len(values))] == values


def test_numbers_beyond_64_bits_are_multiplied_exactly():
    large = whole([2**61, 2**61 + 1])
    assert scaled(large, 4).tolist() == [2**63, 2**63 + 4]
    both = Matrix.of([{0: 3, 1: -3}, {}], 2)
    assert both.times(large).tolist() == [-3, 0]
    assert both.times(whole([2**70, 1])).tolist() == [3 * 2**70 - 3, 0]
    assert Ratios.of([Fraction(1, 6), Fraction(3, 4)]).numbers.tolist() == [2, 9]


@settings(max_examples=25)
@given(st.lists(st.sets(st.integers(0, 7), min_size=1, max_size=3), min_size=1, max_size=12), st.randoms())
def test_places_apart_stand_in_no_common_sum_and_no_more_fit(users, draw):
    rows = [{k: 1 for k, own in enumerate(users) if row in own} for row in range(8)]
    order = draw.sample(range(len(users)), len(users))
    chosen = _apart(np.array(order), Matrix.of(rows, len(users)).content.tocsc()).tolist()
    used = [row for k in chosen for row in users[k]]
    assert len(used) == len(set(used))
    assert all(k in chosen or not users[k].isdisjoint(used) for k in order)
    assert order[0] in chosen
