"""Levels as users write them, and factors as multiples of ε."""

import math
from fractions import Fraction as F

import mpmath
import pytest

from establish.proofs_check.implications.levels import (
    IrrationalLevelError,
    multiple_of_epsilon,
    rational_level,
)
from establish.spec.parameters import ParameterError


@pytest.mark.parametrize(
    ("text", "c"), [("ln 2", F(2)), ("ln 3/2", F(3, 2)), ("ln(3/2)", F(3, 2)), (" ln 1.5", F(3, 2))]
)
def test_the_logarithm_of_a_rational_is_an_exact_level(text, c):
    assert rational_level(text) == c


@pytest.mark.parametrize("text", ["ln 1", "ln 1/2", "ln 0", "ln", "ln x", "0", "-1", "nan", "ln 2)"])
def test_levels_that_are_not_positive_numbers_are_refused(text):
    with pytest.raises(ParameterError) as refusal:
        rational_level(text)
    assert not isinstance(refusal.value, IrrationalLevelError)


@pytest.mark.parametrize("epsilon", ["1", "2", "1/10", "0.5", "4"])
def test_an_irrational_level_is_answered_with_its_nearest_rationals(epsilon):
    with pytest.raises(IrrationalLevelError, match="irrational") as refusal:
        rational_level(epsilon)
    below, above = refusal.value.below, refusal.value.above
    exact = mpmath.exp(mpmath.mpf(F(epsilon).numerator) / F(epsilon).denominator)
    # The closest fractions with denominators up to 100, by looking at each denominator.
    lower = max(F(int(mpmath.floor(exact * q)), q) for q in range(1, 101))
    assert (below, above) == (lower, min(F(int(mpmath.ceil(exact * q)), q) for q in range(1, 101)))


@pytest.mark.parametrize("text", ["log 2", "2 percent", "ε"])
def test_a_level_that_is_no_number_is_answered_with_how_levels_are_written(text):
    with pytest.raises(ParameterError, match="write it as 'ln 2' or 'ln 3/2'"):
        rational_level(text)


def test_a_level_whose_exponential_is_huge_is_refused():
    with pytest.raises(ParameterError, match="at most 20"):
        rational_level("21")


def test_powers_are_whole_multiples_and_other_factors_are_bracketed():
    assert str(multiple_of_epsilon(F(9, 4), F(3, 2))) == "2"
    assert str(multiple_of_epsilon(F(1), F(3, 2))) == "0"
    assert str(multiple_of_epsilon(math.inf, F(3, 2))) == "∞"
    found = multiple_of_epsilon(F(24, 11), F(2))
    exact = mpmath.log(mpmath.mpf(24) / 11) / mpmath.log(2)
    assert mpmath.mpf(found.low) < exact < mpmath.mpf(found.high)
    assert F(found.high) - F(found.low) == F(1, 10**15)
    assert str(found) == "1.1255…"
