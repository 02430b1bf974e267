"""Equation 1 gives the cells that minimize it, their covariance, and refuses what has no minimum."""

from fractions import Fraction as F

import flint
import numpy as np
import pytest
import sympy

from establish.spec.arithmetic import ARB, MP, SYM, enclosing
from establish.spec.least_squares import (
    covariance,
    covariance_at_true,
    estimate,
    estimator,
    group_by,
    mean_variance,
    objective,
    variance_of,
)
from establish.spec.parameters import ParameterError

LABELS = ("a", "b", "a", "c", "b")
QUERIES = (*group_by(range(5)), *group_by(LABELS), *group_by([0] * 5))
RNG = np.random.default_rng(7)
VARIANCES = [F(int(v)) for v in RNG.integers(1, 9, len(QUERIES))]
ANSWERS = [F(int(a)) for a in RNG.integers(-9, 30, len(QUERIES))]


def test_group_by_sums_the_cells_that_share_a_label():
    assert group_by(LABELS) == ((1, 0, 1, 0, 0), (0, 1, 0, 0, 1), (0, 0, 0, 1, 0))
    assert group_by(range(2)) == ((1, 0), (0, 1))
    assert group_by([0, 0]) == ((1, 1),)


def test_the_estimate_is_that_of_numpys_least_squares():
    roots = np.sqrt([float(v) for v in VARIANCES])
    solved, *_ = np.linalg.lstsq(
        np.array(QUERIES) / roots[:, None], np.array(ANSWERS, dtype=float) / roots, rcond=None
    )
    assert np.allclose([float(x) for x in estimate(QUERIES, ANSWERS, VARIANCES)], solved, atol=1e-10)
    in_mp = estimate(QUERIES, ANSWERS, VARIANCES, MP)
    assert np.allclose([float(x) for x in in_mp], solved, atol=1e-10)


def test_moving_any_cell_raises_the_objective():
    cells = estimate(QUERIES, ANSWERS, VARIANCES)
    least = objective(QUERIES, ANSWERS, VARIANCES, cells)
    for cell in range(5):
        for step in (F(1, 1000), F(-1, 1000)):
            moved = [x + step * (i == cell) for i, x in enumerate(cells)]
            assert objective(QUERIES, ANSWERS, VARIANCES, moved) > least


def test_answers_without_noise_come_back_under_any_variances():
    cells = [F(3), F(1, 2), F(0), F(7), F(-2)]
    answers = [sum(q * x for q, x in zip(query, cells, strict=True)) for query in QUERIES]
    assert list(estimate(QUERIES, answers, VARIANCES)) == cells


def test_the_covariance_is_that_of_the_matrix_that_takes_answers_to_cells():
    true = [F(int(v)) for v in RNG.integers(1, 9, len(QUERIES))]
    matrix = np.array(estimator(QUERIES, VARIANCES), dtype=float)
    dense = matrix @ np.diag([float(v) for v in true]) @ matrix.T
    ours = covariance(QUERIES, VARIANCES, true)
    assert np.allclose(np.array(ours, dtype=float), dense, atol=1e-12)
    total = np.ones(5)
    assert float(variance_of(QUERIES[-1], ours)) == pytest.approx(total @ dense @ total)


def test_with_the_true_variances_it_is_the_inverse_of_the_normal_matrix():
    queries = np.array(QUERIES, dtype=float)
    normal = queries.T @ np.diag([1 / float(v) for v in VARIANCES]) @ queries
    ours = np.array(covariance(QUERIES, VARIANCES, VARIANCES), dtype=float)
    assert np.allclose(ours @ normal, np.eye(5), atol=1e-12)


def test_two_answers_of_one_value_by_hand():
    twice = ((1,), (1,))
    assert estimate(twice, (1, 3), (1, 3)) == (F(3, 2),)  # (1 + 1)/(1 + 1/3)
    assert covariance(twice, (1, 3), (1, 1)) == ((F(5, 8),),)  # (9 + 1)/16
    a, b = sympy.symbols("a b", positive=True)
    assert sympy.simplify(covariance(twice, (a, b), (a, b), SYM)[0][0] - a * b / (a + b)) == 0


def test_queries_that_do_not_determine_the_cells_are_refused():
    with pytest.raises(ParameterError, match="queries do not determine the cells"):
        estimate(group_by([0, 0]), (1,), (1,))
    with pytest.raises(ParameterError, match="queries do not determine the cells"):
        estimate((*group_by(LABELS), *group_by([0] * 5)), (1, 2, 3, 4), (1, 1, 1, 1))


@pytest.mark.parametrize("variance", [0, -1])
def test_a_variance_that_is_not_positive_is_refused(variance):
    with pytest.raises(ParameterError, match=r"variances\[1\] must be greater than 0"):
        estimator(((1,), (1,)), (1, variance))


def test_lengths_that_do_not_fit_are_refused():
    with pytest.raises(ParameterError, match="variances has 1 entries for 2 queries"):
        estimator(((1,), (1,)), (1,))
    with pytest.raises(ParameterError, match="answers has 1 entries for 2 queries"):
        estimate(((1,), (1,)), (1,), (1, 1))
    with pytest.raises(ParameterError, match="every query must have a coefficient for each cell"):
        estimator(((1, 0), (1,)), (1, 1))
    with pytest.raises(ParameterError, match="queries must not be empty"):
        estimator((), ())


def test_covariances_with_the_true_variances_are_those_of_the_estimator():
    labels = [0, 0, 1, 1, 1]
    queries = [*group_by(range(5)), *group_by(labels), *group_by([0] * 5)]
    variances = [F(k + 2, k + 1) for k in range(len(queries))]
    known = covariance(queries, variances, variances)
    assert covariance_at_true(queries, variances) == known
    counties = group_by(labels)
    mean = sum(variance_of(query, known) for query in counties) / 2
    assert mean_variance(counties, known) == mean
    with enclosing():
        balls = covariance_at_true(queries, [ARB.number(v) for v in variances], ARB)
        assert all(
            bool(ball.contains(flint.fmpq(*value.as_integer_ratio())))
            for row, other in zip(balls, known, strict=True)
            for ball, value in zip(row, other, strict=True)
        )
    with pytest.raises(ParameterError, match="rank"):
        covariance_at_true(group_by([0, 0]), [F(1)])
