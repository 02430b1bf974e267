"""What Webb et al. say of readers of an answer, and of datasets between two, by second methods."""

from statistics import NormalDist

import mpmath

from establish.proofs_check.papers.webb2025 import semantics


def test_a_randomized_reading_of_a_gaussian_answer_stays_under_its_trade_off():
    # A answers 1 with probability y clipped to [0, 1]: E φ under N(0, 1) and N(1, 1) by quadrature
    def rate(mean):
        return mpmath.quad(lambda y: y * mpmath.npdf(y, mean), [0, 1]) + mpmath.ncdf(mean - 1)

    first, second = NormalDist().inv_cdf(float(rate(0))), NormalDist().inv_cdf(float(rate(1)))
    assert 0 < second - first < 1


def test_changes_by_coins_keep_what_is_meant_and_break_what_is_printed():
    # Φ(z) on D_0, …, D_d with z one further each time: a mechanism with two outputs, of ψ-neighbors.
    coins = {"μ": 1, "chain": (0, 1, 2, 3)}
    assert semantics.ONE_BY_ONE.at(coins).value is True
    assert semantics.CHANGES.at(coins).value is False
