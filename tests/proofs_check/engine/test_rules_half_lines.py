"""The least error under Gaussian privacy: what the rule derives, and what it leaves open."""

from fractions import Fraction

import pytest

from establish import ParameterError, StatementError, exact
from establish.proofs_check.engine.rules import half_line_terms, half_lines
from establish.proofs_check.engine.statements import NoSmallerStepError
from establish.proofs_check.limits.step_errors import enclosed
from establish.proofs_check.papers.ours.gaussian import two_tails


def derived(mu: str, value: Fraction):
    statement = NoSmallerStepError(mu, value)
    return half_lines(statement, two_tails(), exact.decided(half_line_terms(statement)[1]))


@pytest.mark.parametrize("mu", ["1/4", "1", "3"])
def test_the_value_is_derived_and_none_that_is_larger(mu):
    lower = enclosed(Fraction(mu)).lower
    assert derived(mu, lower).established is True
    assert derived(mu, lower * Fraction(1000001, 1000000)).established is None


def test_a_piece_that_was_not_shown_leaves_it_open():
    statement = NoSmallerStepError("1", "3/4")
    found = half_lines(statement, exact.decided(half_line_terms(statement)[1]))
    assert (found.established, "has no proof" in found.witness) == (None, True)


def test_the_adversary_knows_noise_that_attains_it():
    """Rounded normal noise: a value a little larger is refuted, and smaller noise than allowed is not."""
    lower = enclosed(Fraction(1, 2)).lower
    assert NoSmallerStepError("1/2", lower).counterexample(10)[1] == ""
    assert NoSmallerStepError("1/2", lower * Fraction(1001, 1000)).counterexample(10)[1]
    with pytest.raises(StatementError, match="must be at least 1/μ"):
        NoSmallerStepError("1/2", lower).at({"sd": Fraction(1)})
    with pytest.raises(ParameterError, match="value = 0 is not allowed"):
        NoSmallerStepError("1/2", 0)
