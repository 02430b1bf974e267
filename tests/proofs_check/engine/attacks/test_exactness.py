"""What a binary float rounds, a name that reads as a formula, and an empty premise show nothing."""

import math
from fractions import Fraction as F
from random import Random

import pytest

from establish import AtMost, Every, Integer, Printed, Real, StatementError, computed, exhaustive, solver
from establish.proofs_check.engine.rules.rule import RuleError
from establish.proofs_check.engine.rules.substitution import obligations, substitute
from establish.proofs_check.engine.statements.sums import EverySum

drawn = Random(1).random


def test_a_program_computes_exactly():
    with pytest.raises(StatementError, match=r"math\.sqrt"):
        computed(lambda c, n: int(math.sqrt(n * n - 1) == n))


def test_whole_functions_of_the_library_are_exact():
    bounds = Every("n", lambda: range(20), lambda n: math.comb(n, 2) == n * (n - 1) // 2 <= math.isqrt(n**4))
    assert exhaustive.each(bounds, "0 to 19").established


def test_a_generator_of_random_numbers_is_not_read_by_its_method():
    with pytest.raises(StatementError, match="not drawn of random"):
        Every("n", lambda: range(3), lambda n: drawn() < n + 1)


@pytest.mark.parametrize("digits", ["1/2", "1e3", "1_0", "²", "", "-", "inf", "٣", 12])
def test_a_printed_number_is_a_decimal(digits):
    with pytest.raises(StatementError, match="not a printed decimal number"):
        Printed(lambda c: c.number(F(3, 4)), digits)


def test_a_name_that_reads_as_a_formula_is_not_taken_for_it():
    """The variable is bounded from below, and the formula vanishes at √2."""
    least = F(1, 10**90)
    general = AtMost(Real("u", least=least), left=least / 10, right=lambda c, u: u)
    named = AtMost(
        Real("x", least=0),
        Real("(x·x − 2)^2", least=least),
        left=lambda c, x, y: least / 10 + 0 * y,
        right=lambda c, x, y: (x * x - 2) ** 2,
    )
    values = {"u": lambda c, x, y: y}
    with pytest.raises(RuleError, match="the sides differ"):
        substitute(named, general, values, *map(solver.proves, obligations(named, general, values)))


def test_sums_under_a_constraint_that_none_meets_say_nothing():
    term = AtMost(Real("x", least=0), left=lambda c, x: x, right=lambda c, x: x * x)
    with pytest.raises(StatementError, match="no sum meets the constraint"):
        EverySum(term, under=(lambda c, x: x + 1, lambda c, x: x))


def test_a_whole_case_of_a_program_is_still_decided():
    table = AtMost(Integer("n", least=0, most=2), left=computed(lambda c, n: (1, 2, 9)[n]), right=9)
    assert exhaustive.proves(table).established
