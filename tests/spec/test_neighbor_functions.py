"""Neighbor functions, the conditions of Definition 5.1, intervals, combinations and distances."""

import math
from fractions import Fraction as F
from itertools import combinations_with_replacement

import mpmath
import pytest
import sympy

from establish.spec.arithmetic import ARB, MP, SYM, enclosing
from establish.spec.neighbor_functions.combinations import combined
from establish.spec.neighbor_functions.conditions import (
    Conditions,
    conditions,
    conditions_of,
    positive_everywhere,
    vanishes,
)
from establish.spec.neighbor_functions.distance import close_records, firm_steps, record_steps, steps
from establish.spec.neighbor_functions.functions import Expression, U, X, identity, logarithm, root
from establish.spec.neighbor_functions.intervals import (
    clipped,
    length,
    rational_root_interval,
    relative_length,
    uncertainty_interval,
)
from establish.spec.parameters import ParameterError

CUBE_ROOT = Expression("cube root", X ** sympy.Rational(1, 3), U**3)

# The definition by hand: real at 0, increasing, continuous, concave, ψ∘exp convex.
BY_HAND = {
    X**2: (True, True, True, False, True),
    X / (1 + X): (True, True, True, True, False),
    -X: (True, False, True, True, False),
    -1 / X: (False, True, True, True, False),
    sympy.exp(X): (True, True, True, False, True),
    sympy.log(X): (False, True, True, True, True),
    sympy.sqrt(X) + sympy.log(1 + X): (True, True, True, True, True),
    1 / (X - 1): (True, False, False, None, None),
}


@pytest.mark.parametrize("psi", [root(), root(F(1, 3)), logarithm(F(1, 2)), logarithm(2), identity()])
def test_the_named_functions_are_neighbor_functions(psi):
    assert conditions(psi).neighbor_function is True


def test_log_is_none_because_it_is_not_real_at_zero():
    assert conditions(logarithm()) == Conditions(False, True, True, True, True)
    assert conditions(logarithm()).neighbor_function is False


@pytest.mark.parametrize("expression", BY_HAND, ids=str)
def test_each_condition_is_seen_true_and_seen_false(expression):
    found = conditions_of(expression)
    values = (found.real_at_zero, found.increasing, found.continuous, found.concave, found.log_convex)
    for value, expected in zip(values, BY_HAND[expression], strict=True):
        assert expected is None or value is expected


def test_a_sign_that_nobody_knows_stays_undecided():
    # 1 + (x − 3/2)² − 1 is 0 at 3/2 only: no probe is negative, and it is not positive everywhere
    assert positive_everywhere(sympy.log(1 + (X - sympy.Rational(3, 2)) ** 2)) is not True
    assert positive_everywhere(X - 1) is False


@pytest.mark.parametrize("psi", [root(), root(2), logarithm(F(1, 2)), logarithm(), CUBE_ROOT])
def test_inverse_and_slope_agree_with_numerical_ones(psi):
    for x in (F(1, 7), F(1), F(50)):
        at = MP.number(x)
        assert abs(psi.inverse(psi.value(x, MP), MP) - at) < mpmath.mpf(10) ** -45
        with mpmath.workdps(40):
            numeric = mpmath.diff(lambda t, f=psi: mpmath.mpf(f.value(t, MP)), mpmath.mpf(at))
        assert abs(psi.slope(x, MP) - numeric) < mpmath.mpf(10) ** -15


def _mpf(x):
    return mpmath.mpf(x.numerator) / x.denominator


def test_closeness_agrees_with_a_second_way_to_decide_it():
    # for x ≥ y, √x ≤ √y + γ squares to x − y − γ² ≤ 2γ√y and squares once more; ln by mpmath
    values = [F(0), F(1, 4), F(1), F(9, 4), F(3), F(4)]
    for gamma in (F(0), F(1, 2), F(1)):
        for y, x in combinations_with_replacement(values, 2):
            beyond = x - y - gamma**2
            squared = beyond <= 0 or beyond**2 <= 4 * gamma**2 * y
            assert root().close(x, y, gamma) is root().close(y, x, gamma) is squared
            with mpmath.workdps(40):
                near = x == y or (y > 0 and mpmath.log(_mpf(x / y)) <= _mpf(gamma))
            assert logarithm().close(x, y, gamma) is bool(near)


def test_zero_is_close_to_zero_alone_under_log_but_not_under_log_of_x_plus_one_half():
    assert logarithm().close(0, 0, 1)
    assert not logarithm().close(0, F(1, 10**9), 100)
    assert logarithm(F(1, 2)).close(0, F(1, 2), 1)  # ln 2 < 1
    assert not logarithm(F(1, 2)).close(0, 1, 1)  # ln 3 > 1


@pytest.mark.parametrize("psi", [root(), identity()])
def test_closeness_refuses_negative_arguments(psi):
    for arguments in ((-1, 1, 1), (1, -1, 1), (1, 1, -1)):
        with pytest.raises(ParameterError, match="at least 0"):
            psi.close(*arguments)


def test_root_intervals_are_squares_of_shifted_roots():
    # (6 ± 1/2)² and, clipped, (0 + 1/2)²
    assert rational_root_interval(36, F(1, 2)) == (F(121, 4), F(169, 4))
    assert rational_root_interval(F(1, 16), F(1, 2)) == (0, F(9, 16))
    assert rational_root_interval(3, 1, a=1) == (0, 8)  # (√4 ± 1)² − 1, clipped at √1
    with pytest.raises(ParameterError, match="irrational"):
        rational_root_interval(3, 1)


def test_intervals_in_every_world_contain_each_other():
    for y in (0, F(1, 100), 4, 9):
        exact = rational_root_interval(y, F(1, 2))
        symbolic = uncertainty_interval(root(), y, F(1, 2), SYM)
        assert [sympy.simplify(s - SYM.number(e)) for s, e in zip(symbolic, exact, strict=True)] == [0, 0]
        with enclosing():
            balls = uncertainty_interval(root(), y, F(1, 2), ARB)
            assert all(b.contains(ARB.number(e)) for b, e in zip(balls, exact, strict=True))


def test_an_interval_is_clipped_exactly_below_the_distance_from_zero():
    assert clipped(root(), F(1, 4), F(1, 2))  # the lower end is 0 either way
    assert clipped(root(), F(1, 5), F(1, 2))
    assert not clipped(root(), F(1, 3), F(1, 2))
    assert not clipped(logarithm(), F(1, 10**6), 50)
    assert clipped(logarithm(F(1, 2)), F(1, 10), 1)


def test_log_leaves_zero_alone():
    assert uncertainty_interval(logarithm(), 0, 1) == (0, 0)


def test_lengths_grow_and_relative_lengths_shrink():
    for psi in (root(), root(1), logarithm(F(1, 2)), CUBE_ROOT):
        sizes = [F(1, 10), F(1, 3), F(1), F(5), F(200)]
        absolute = [length(psi, y, F(1, 2)) for y in sizes]
        relative = [relative_length(psi, y, F(1, 2)) for y in sizes]
        assert absolute == sorted(absolute)
        assert relative == sorted(relative, reverse=True)


def test_relative_lengths_grow_where_condition_four_fails():
    # ψ = log(1 + log(1 + x)) grows too slowly at infinity: U(y)/y = e^(ψ+t) − 1 over y
    slow = Expression("log of log", sympy.log(1 + sympy.log(1 + X)), sympy.exp(sympy.exp(U) - 1) - 1)
    assert conditions(slow).log_convex is False
    assert relative_length(slow, 10**6, 1) > relative_length(slow, 100, 1)


@pytest.mark.few(1)
@pytest.mark.parametrize("contains", [True, False])
def test_a_combination_has_the_derivative_of_the_smaller_or_larger_slope(contains):
    star = combined(root(), F(1, 2), logarithm(1), F(1, 4), contains=contains)
    pick = min if contains else max
    assert star.name.startswith(f"{pick.__name__} of ")
    for x in (F(1, 50), F(1, 3), F(2), F(13), F(14), F(400)):
        slopes = root().slope(x, MP) * 2, logarithm(1).slope(x, MP) * 4
        assert abs(star.slope(x, MP) - pick(slopes)) < mpmath.mpf(10) ** -40
    assert conditions(star).neighbor_function is True
    assert star.value(0, MP) == 0


@pytest.mark.parametrize("contains", [True, False])
def test_intervals_of_a_combination_are_nested(contains):
    star = combined(root(), F(1, 2), identity(), 1, contains=contains)
    for y in (0, F(1, 4), F(1), F(9, 4), F(30)):
        low, high = uncertainty_interval(star, y, 1)
        for psi, gamma in ((root(), F(1, 2)), (identity(), 1)):
            inner = uncertainty_interval(psi, y, gamma)
            if not contains:
                (low, high), inner = inner, (low, high)
            assert low <= inner[0] + mpmath.mpf(10) ** -40
            assert inner[1] <= high + mpmath.mpf(10) ** -40
            if not contains:
                (low, high), inner = inner, (low, high)


def test_the_combination_of_root_and_identity_is_the_closed_form():
    # by hand, d = 3, γ = 1/2: x/3 up to 9, then 2√x − 3
    star = combined(root(), F(1, 2), identity(), 3, contains=True)
    assert [piece.start for piece in star.pieces] == [0, 9]
    assert star.value(6, SYM) == 2
    assert star.value(25, SYM) == 7
    assert [star.inverse(sympy.Integer(u), SYM) for u in (0, 3, 7)] == [0, 9, 25]
    with enclosing():
        assert star.inverse(ARB.number(3), ARB).contains(ARB.number(9))


def test_equal_functions_combine_to_the_one_with_the_larger_distance():
    # min slope = 1/(2·2√x), so ψ* = √x/2; max slope = ψ at distance 1
    assert combined(root(), 1, root(), 2, contains=True).value(4, SYM) == 1
    assert combined(root(), 1, root(), 2, contains=False).value(4, SYM) == 2


def test_a_slope_that_is_integrable_at_zero_gives_a_function():
    assert combined(root(), 1, logarithm(), 1, contains=True).value(0, MP) == 0


def test_a_jump_between_pieces_is_no_neighbor_function():
    star = combined(root(), F(1, 2), identity(), 1, contains=True)
    first, second = star.pieces
    broken = type(star)("broken", (first, type(second)(second.start, second.value, second.expression + 1, U)))
    assert conditions(broken).continuous is False


def test_steps_on_real_values_are_the_rounded_up_distance():
    assert steps(root(), F(1, 2), 0, 9) == 6  # 3 / (1/2), exactly
    assert steps(root(), F(1, 2), 0, F(901, 100)) == 7
    assert steps(root(), F(1, 2), 4, 4) == 0
    assert steps(identity(), 3, 10, 0) == 4
    assert steps(logarithm(), 1, 1, 1000) == 7  # ln 1000 = 6.9
    assert steps(root(), 0, 1, 2) == math.inf
    assert steps(logarithm(), 1, 0, 1) == math.inf
    assert steps(logarithm(F(1, 2)), 1, 0, 1) == 2  # ln 3 = 1.1


def test_records_move_in_all_attributes_at_once_and_firms_one_establishment_at_a_time():
    attributes = [(root(), F(1, 2)), (identity(), 10)]
    assert close_records(attributes, (4, 100), (F(25, 4), 110))
    assert not close_records(attributes, (4, 100), (F(25, 4), 111))
    assert record_steps(attributes, (0, 0), (9, 20)) == 6
    assert record_steps(attributes, (0, 0), (1, 35)) == 4
    assert firm_steps(attributes, [(0, 0), (4, 0)], [(9, 20), (4, 5)]) == 7
    with pytest.raises(ValueError, match="argument"):
        close_records(attributes, (4,), (4,))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Expression("wrong inverse", sympy.sqrt(X), U**3), "invert"),
        (lambda: Expression("foreign", sympy.sqrt(X) + sympy.Symbol("b"), U**2), "write it in X"),
        (lambda: Expression("arcsinh", sympy.asinh(X), sympy.sinh(U)), "sums, products"),
        (lambda: root(-1), "a = -1"),
        (lambda: logarithm(-1), "a = -1"),
        (lambda: relative_length(root(), 0, 1), "divides"),
        (lambda: combined(root(), 0, identity(), 1, contains=True), "gamma = 0"),
        (lambda: combined(root(), 1, logarithm(), 1, contains=False), "not integrable at 0"),
        (lambda: combined(logarithm(), 1, logarithm(), 2, contains=True), "not integrable at 0"),
        (lambda: steps(root(), 1, -1, 2), "at least 0"),
    ],
)
def test_what_is_no_neighbor_function_or_no_argument_of_one_is_refused(call, message):
    with pytest.raises(ParameterError, match=message):
        call()


NESTED, PLAIN = SYM.sqrt(5 + 2 * SYM.sqrt(SYM.number(6))), SYM.sqrt(SYM.number(2)) + SYM.sqrt(SYM.number(3))
"""√(5 + 2√6), and √2 + √3, which it is."""


@pytest.mark.parametrize(
    ("difference", "said"),
    [
        (SYM.number(0), True),
        (SYM.sqrt(SYM.number(8)) - 2 * SYM.sqrt(SYM.number(2)), True),
        (NESTED - PLAIN, True),
        (NESTED - PLAIN + 1 / SYM.number(10) ** 30, False),
        (SYM.sqrt(SYM.number(2)) - 3, False),
        (SYM.log(SYM.number(6)) - SYM.log(SYM.number(2)), False),
        (SYM.log(NESTED) - SYM.log(PLAIN), None),
    ],
    ids=["0", "√8 − 2√2", "√(5+2√6) − √2 − √3", "10⁻³⁰ more", "√2 − 3", "ln 6 − ln 2", "their logarithms"],
)
def test_a_difference_of_pieces_is_0_where_algebra_shows_it_and_open_where_nothing_does(difference, said):
    assert vanishes(difference) is said
