"""The growth bound: one text for integers, fractions and the solver."""

from fractions import Fraction

import pytest
import z3

from establish.spec.parameters import ParameterError
from establish.spec.relations.growth import growth_conditions, largest_growth, largest_growth_real, may_grow

TENTH = Fraction(1, 10)


@pytest.mark.parametrize(
    ("x", "y", "alpha", "allowed"),
    [
        (0, 0, TENTH, True),
        (0, 1, TENTH, True),  # by one
        (0, 2, TENTH, False),
        (19, 20, TENTH, True),  # by one; the share is 20.9
        (19, 21, TENTH, False),
        (20, 22, TENTH, True),  # exactly the share: in floats 1.1 × 20 = 22.000000000000004
        (20, 23, TENTH, False),
        (30, 33, TENTH, True),
        (5, 4, TENTH, False),  # a loss
        (Fraction(5), Fraction(11, 2), TENTH, True),  # real sizes: within one
        (Fraction(40), Fraction(89, 2), TENTH, False),  # 44.5 > 44
        (2, 5, Fraction(3, 2), True),
        (2, 6, Fraction(3, 2), False),
    ],
)
def test_growth_is_allowed_up_to_the_share_or_by_one(x, y, alpha, allowed):
    assert may_grow(x, y, alpha) is allowed


@pytest.mark.parametrize("alpha", [TENTH, Fraction(1, 3), Fraction(1), Fraction(3, 2)])
def test_the_largest_growth_is_the_last_one_allowed(alpha):
    for x in range(60):
        allowed = [g for g in range(200) if may_grow(x, x + g, alpha)]
        assert allowed == list(range(largest_growth(x, alpha) + 1))


@pytest.mark.parametrize(
    ("x", "integer", "real"),
    [(0, 1, 1), (9, 1, 1), (10, 1, 1), (15, 1, Fraction(3, 2)), (20, 2, 2), (39, 3, 39 * TENTH)],
)
def test_the_largest_growth_at_one_tenth(x, integer, real):
    assert largest_growth(x, TENTH) == integer
    assert largest_growth_real(x, TENTH) == real


def test_a_negative_size_is_refused():
    with pytest.raises(ParameterError, match="x = -1"):
        largest_growth(-1, TENTH)
    with pytest.raises(ParameterError, match="x = -1/2"):
        largest_growth_real(Fraction(-1, 2), TENTH)


def _allowed(x, y, alpha):
    conditions = growth_conditions(x, y, alpha)
    return z3.And(conditions.not_less, z3.Or(conditions.by_share, conditions.by_one))


def test_the_solver_reads_the_same_text_with_an_exact_share():
    x, y = z3.Reals("x y")
    solver = z3.Solver()
    solver.add(x >= 10, _allowed(x, y, TENTH))
    assert solver.check(y > x + x / 10) == z3.unsat
    assert solver.check(y == x + x / 10) == z3.sat


def test_the_solver_finds_the_only_growth_beyond_the_share_below_one_over_alpha():
    x, y, alpha = z3.Reals("x y alpha")
    solver = z3.Solver()
    solver.add(x >= 0, alpha > 0, _allowed(x, y, alpha), y > (1 + alpha) * x)
    assert solver.check(alpha * x < 1) == z3.sat
    assert solver.check(alpha * x >= 1) == z3.unsat
