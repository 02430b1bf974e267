"""Weights that depend on the answers (Webb et al., cases 2 and 3), by simulation."""

from fractions import Fraction as F
from math import isclose, sqrt

import numpy as np

from establish.proofs_check.papers.webb2025 import (
    data_dependent_variances,
    error_factor,
    gamma,
    least_squares,
)
from establish.spec.arithmetic import MP
from establish.spec.least_squares import estimate, objective

RNG_DRAWS = 400_000
"""Draws of a comparison by simulation; its tolerance is six standard errors (false alarm 2e-9)."""


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
    assert isclose(data_dependent_variances._mean_of_guess(MP, n, x, c), x * printed)


def test_shares_of_case_2_have_the_corrected_mean_and_variance():
    shares = np.random.default_rng(3).dirichlet([3.0, 3.0], RNG_DRAWS)[:, 0]
    mean, room = sample_mean(shares)
    assert abs(mean - 1 / 2) < room
    spread, room = sample_mean((shares - 0.5) ** 2)
    assert abs(spread - 1 / (4 * 7)) < room  # (n − 1)/(n²(1 + nα)) at n = 2, α = 3
    assert gamma.MEAN_AS_PRINTED.at({"n": 2, "α": 3}).value is False
    assert gamma.MEAN_AS_MEANT.at({"n": 2, "α": 3}).value is True


def test_the_weighted_mean_solves_equation_1_for_five_answers():
    answers, variances, one = [F(3), F(-1), F(4), F(0), F(7)], [F(1), F(2), F(1, 3), F(5), F(9)], [(1,)] * 5
    weights, weighted = (
        sum(1 / v for v in variances),
        sum(a / v for a, v in zip(answers, variances, strict=True)),
    )
    squares = sum(a * a / v for a, v in zip(answers, variances, strict=True))
    assert estimate(one, answers, variances) == (weighted / weights,)
    at = {"Σ1/v": weights, "Σa/v": weighted, "Σa²/v": squares}
    for m in (F(0), F(3), F(10)):
        expanded = least_squares._objective(MP, weights, m, weighted, squares)
        assert expanded == objective(one, answers, variances, [m])
        assert least_squares.LEAST.at({"m": m, **at}).value is True
    assert least_squares.SQUARES.at({"m": 3, "terms": [(1, 3), (2, -1)]}).value is True
