"""Gaussian levels of tuples of independent parts, and of rounded outputs."""

import math
from fractions import Fraction

import pytest
from scipy import stats

from establish.proofs_check.audit.white.composed import rounded
from establish.proofs_check.audit.white.made_laws import normal
from establish.spec.distributions.laplace import Laplace
from tests.proofs_check.audit.test_gaussian_level import LITTLE, refuted_below, shown

# Laplace laws one scale apart: the best event is x ≤ 1/2, with 1 − e^(−1/2)/2 against e^(−1/2)/2.
ALONE = -2 * stats.norm.ppf(math.exp(-0.5) / 2)


def laplace(n, c):
    return Laplace(c.number(n), c.number(1), c)


def two(n, c):
    return laplace(n, c), laplace(n, c)


def test_parts_keep_the_root_of_the_sum_of_squares():
    assert shown(two, Fraction(math.sqrt(2) * ALONE) * (1 + LITTLE)).outcome == "certified"
    open_one = shown(two, Fraction(math.sqrt(2) * ALONE) * (1 - LITTLE))
    assert open_one.outcome == "no_violation_found"
    assert any("parts together" in note for note in open_one.notes)


def test_parts_are_refuted_by_an_event_of_both():
    # Both outputs below 1/2: the squares of the probabilities of one.
    likely = 1 - math.exp(-0.5) / 2
    gap = stats.norm.ppf(likely**2) - stats.norm.ppf((1 - likely) ** 2)
    assert gap > ALONE
    result = shown(two, Fraction(gap) * (1 - LITTLE))
    assert result.violated
    assert result.event == "output[0] ≤ 0.5 and output[1] ≤ 0.5"
    (p, _), (_, q) = result.probabilities
    assert (p, q) == pytest.approx((likely**2, (1 - likely) ** 2))


def test_a_part_that_does_not_move_costs_nothing():
    law = lambda n, c: (laplace(0, c), laplace(n, c))  # noqa: E731
    assert refuted_below(law, Fraction(ALONE)).event.startswith("output[1]")


def test_normal_noise_beside_other_noise():
    def law(n, c):
        return normal(c.number(n), c.number(2), c), laplace(n, c)

    assert shown(law, Fraction(math.hypot(0.5, ALONE)) * (1 + LITTLE)).outcome == "certified"
    assert shown(law, Fraction(ALONE) * (1 - LITTLE)).violated


@pytest.mark.parametrize(("noise", "least"), [("laplace", ALONE), ("normal", 1.0)])
def test_rounding_to_whole_numbers_hides_nothing_where_the_best_event_ends_at_a_half(noise, least):
    def law(n, c):
        inner = laplace(n, c) if noise == "laplace" else normal(c.number(n), c.number(1), c)
        return rounded(inner, 1)

    result = refuted_below(law, Fraction(least))
    assert result.event in ("output ≤ 0.5", "0.5 ≤ output")
    assert float(result.epsilon_lower_bound) == pytest.approx(least)


def test_rounding_that_hides_most_of_the_noise_is_not_decided():
    # To multiples of 100 only far half-lines survive, which tell little.
    law = lambda n, c: rounded(laplace(n, c), 100)  # noqa: E731
    result = shown(law, Fraction(ALONE) * (1 - LITTLE))
    assert result.outcome == "no_violation_found"
    assert float(result.epsilon_lower_bound) < ALONE
