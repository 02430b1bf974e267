"""Neighbor functions that a user gives: names, sympy expressions, functions of Arb balls."""

import math
from fractions import Fraction as F

import flint
import mpmath
import pytest
import sympy

from establish.spec.arithmetic import ARB, EXACT, MP, enclosing
from establish.spec.mechanisms.psi_mechanism import PsiMechanism
from establish.spec.neighbor_functions.conditions import Conditions
from establish.spec.neighbor_functions.distance import steps
from establish.spec.neighbor_functions.enclosed_conditions import conditions_within
from establish.spec.neighbor_functions.evaluated import Evaluated
from establish.spec.neighbor_functions.functions import identity, logarithm, root
from establish.spec.neighbor_functions.halving import inverse_by_halving
from establish.spec.neighbor_functions.intervals import uncertainty_interval
from establish.spec.neighbor_functions.named import conditions_of_given, neighbor_function
from establish.spec.parameters import ParameterError

Z = sympy.Symbol("z")
ROOT = Evaluated("root", lambda x: x.sqrt())
SHIFTED_LOG = Evaluated("ln(x+1/2)", lambda x: (x + flint.arb("0.5")).log())
LOG = Evaluated("ln", lambda x: x.log(), real=False)


@pytest.mark.parametrize(
    ("name", "psi"),
    [
        ("sqrt", root()),
        ("log", logarithm()),
        ("identity", identity()),
        ("sqrt(x+1)", root(1)),
        ("log( x + 1/2 )", logarithm(F(1, 2))),
        ("log(x+0.5)", logarithm(F(1, 2))),
    ],
)
def test_a_name_is_read_and_is_the_name_of_what_it_reads(name, psi):
    assert neighbor_function(name) == psi
    assert neighbor_function(psi.name) == psi


@pytest.mark.parametrize("name", ["cube", "sqrt(x-1)", "identity(x+1)", "sqrt(y+1)", ""])
def test_another_name_is_refused_with_those_that_exist(name):
    with pytest.raises(ParameterError, match="is not known: use sqrt, log, identity"):
        neighbor_function(name)


def test_a_sympy_expression_in_any_symbol_is_a_neighbor_function():
    assert neighbor_function(sympy.sqrt(Z + 1)).expression == root(1).expression
    assert neighbor_function(sympy.sqrt(Z + 1)).inverse_expression == root(1).inverse_expression


def test_an_expression_without_a_formula_for_its_inverse_is_inverted_by_halving():
    # ψ = x + √x = 6 at x = 4 and 12 at x = 9
    psi = neighbor_function(Z + sympy.sqrt(Z))
    assert psi.inverse_expression is None
    assert abs(psi.inverse(MP.number(12), MP) - 9) < mpmath.mpf(10) ** -55
    low, high = uncertainty_interval(psi, 4, 6)
    assert low == 0
    assert abs(high - 9) < mpmath.mpf(10) ** -55


@pytest.mark.parametrize(
    ("psi", "broken"),
    [
        (Z**2, "not concave"),
        (Z / (1 + Z), "not convex after exp"),
        (-Z, "not strictly increasing"),
        (lambda x: x * x, "not concave"),
        (lambda x: x / (1 + x), "not convex after exp"),
        (lambda x: -x, "not strictly increasing"),
        (lambda x: x.atan(), "not convex after exp"),
    ],
)
def test_a_function_that_breaks_a_condition_is_refused_and_the_condition_named(psi, broken):
    with pytest.raises(ParameterError, match=broken):
        neighbor_function(psi)


def test_what_is_no_function_of_balls_is_refused():
    with pytest.raises(ParameterError, match="returns float for an Arb ball"):
        neighbor_function(math.sqrt)
    with pytest.raises(ParameterError, match="cannot be evaluated at an Arb ball"):
        neighbor_function(lambda x: x["value"])
    with pytest.raises(ParameterError, match="in one symbol"):
        neighbor_function(Z + sympy.Symbol("b"))
    with pytest.raises(ParameterError, match="not a name, an expression or a function"):
        neighbor_function(3)


def test_the_value_at_zero_must_be_stated_as_it_is():
    with pytest.raises(ParameterError, match="say real=False"):
        Evaluated("ln", lambda x: x.log())
    with pytest.raises(ParameterError, match="finite"):
        Evaluated("root", lambda x: x.sqrt(), real=False)


@pytest.mark.parametrize(
    "psi",
    [lambda x: ARB.maximum(x, 2 * x - 2**18), lambda x: ARB.maximum(x, ARB.number(F(1, 2**18)))],
    ids=["far above", "far below"],
)
def test_derivatives_that_are_wrong_far_from_1_alone_are_refused(psi):
    with pytest.raises(ParameterError, match="the first one contradicts"):
        Evaluated("bent", psi, (lambda x: flint.arb(1), lambda x: flint.arb(0)))


def test_derivatives_that_contradict_the_function_are_refused():
    def psi(x):
        return x.sqrt()

    def first(x):
        return 1 / (2 * x.sqrt())

    def second(x):
        return -1 / (4 * x * x.sqrt())

    assert conditions_within(Evaluated("root", psi, (first, second)), F(1, 8), 8).concave is True
    with pytest.raises(ParameterError, match="the first one contradicts"):
        Evaluated("root", psi, (lambda x: 2 * first(x), second))
    with pytest.raises(ParameterError, match="the second one contradicts"):
        Evaluated("root", psi, (first, lambda x: -second(x)))


@pytest.mark.parametrize(
    ("psi", "expected"),
    [
        (ROOT, (True, True, True, True, True)),
        (SHIFTED_LOG, (True, True, True, True, True)),
        # xψ' = 1 has slope 0 everywhere, which no ball of positive width shows
        (LOG, (False, True, True, True, None)),
        (Evaluated("square", lambda x: x * x), (True, True, True, False, True)),
        (Evaluated("fraction", lambda x: 1 - 1 / (1 + x)), (True, True, True, True, False)),
        (Evaluated("minus", lambda x: -x), (True, False, True, True, False)),
        # slope 2 + cos x is positive, -sin x changes its sign
        (Evaluated("wave", lambda x: 2 * x + x.sin()), (True, True, True, False, False)),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_conditions_on_a_stretch_are_decided_by_balls(psi, expected):
    assert conditions_within(psi, F(1, 100), 100) == Conditions(*expected)


def test_on_the_whole_half_line_balls_only_refute():
    assert conditions_of_given(ROOT) == Conditions(True, None, None, None, None)
    square = Evaluated("square", lambda x: x * x)
    assert conditions_of_given(square) == Conditions(True, None, None, False, None)
    assert conditions_of_given(root()).neighbor_function is True


def test_a_violation_between_the_points_is_found_where_derivatives_are_known():
    # concave but for a bump around 3/2: √x + 1/(1 + 10⁴(x − 3/2)²)/100
    def bump(x):
        return x.sqrt() + 1 / (1 + 10**4 * (x - flint.arb("1.5")) ** 2) / 100

    assert conditions_within(Evaluated("bump", bump), 1, 2).concave is False
    assert conditions_within(Evaluated("bump", bump), 10, 20).concave is True


def test_a_stretch_has_positive_length():
    with pytest.raises(ParameterError, match="low = 2, high = 2"):
        conditions_within(ROOT, 2, 2)
    with pytest.raises(ParameterError, match="low = 0"):
        conditions_within(ROOT, 0, 2)


@pytest.mark.parametrize(
    ("given", "written"), [(ROOT, root()), (SHIFTED_LOG, logarithm(F(1, 2))), (LOG, logarithm())]
)
def test_a_function_of_balls_agrees_with_the_same_function_written_as_an_expression(given, written):
    tiny = mpmath.mpf(10) ** -50
    for x in (F(1, 3), F(2), F(500)):
        assert abs(given.value(x, MP) - written.value(x, MP)) < tiny
        assert abs(given.slope(x, MP) - written.slope(x, MP)) < tiny
        for one, other in zip(
            uncertainty_interval(given, x, 1), uncertainty_interval(written, x, 1), strict=True
        ):
            assert abs(one - other) < tiny * 10**4
        with enclosing():
            ball = given.inverse(written.value(x, ARB), ARB)
            assert ball.contains(ARB.number(x))
            assert ball.rad() < flint.arb(2) ** -150
        for y in (0, F(1, 3), F(19, 10), F(501)):
            assert given.close(x, y, F(4, 5)) is written.close(x, y, F(4, 5))
            assert steps(given, F(1, 3), x, y) == steps(written, F(1, 3), x, y)


def test_zero_is_a_first_class_value():
    # ψ(0) = −∞: 0 is close to itself only; ψ(0) = ln(1/2) < 0: ln 2 < 1 away from 1/2
    assert LOG.close(0, 0, 1)
    assert not LOG.close(0, F(1, 10**9), 100)
    assert uncertainty_interval(LOG, 0, 1) == (0, 0)
    assert SHIFTED_LOG.close(0, F(1, 2), 1)
    assert not SHIFTED_LOG.close(0, 1, 1)
    assert uncertainty_interval(SHIFTED_LOG, F(1, 10), 1)[0] == 0


def test_a_tie_that_balls_are_exact_about_is_decided_and_another_is_refused():
    assert ROOT.close(4, 9, 1)
    # √8 − √2 = √2: no rational; ln(2/1) against a rational is never a tie. √(1/9) = 1/3 is no dyadic.
    with pytest.raises(ParameterError, match="is not told from the distance"):
        ROOT.close(F(1, 9), F(4, 9), F(1, 3))
    assert root().close(F(1, 9), F(4, 9), F(1, 3))


def test_an_inverse_outside_of_the_range_is_refused():
    bounded = Evaluated("fraction", lambda x: 1 - 1 / (1 + x))
    with enclosing(), pytest.raises(ParameterError, match="above every value"):
        bounded.inverse(flint.arb(2), ARB)


def test_an_inverse_below_the_range_is_next_to_zero():
    with enclosing():
        assert 0 <= ROOT.inverse(flint.arb(-1), ARB).upper() < flint.arb(2) ** -1000


def test_a_fat_ball_is_inverted_to_a_ball_around_all_of_it():
    with enclosing():
        ball = inverse_by_halving(ROOT, flint.arb(2).union(flint.arb(3)), ARB)
        assert ball.contains(flint.arb(4).union(flint.arb(9)))
        assert ball.rad() < flint.arb("2.6")


def test_mechanisms_read_a_function_of_balls_in_the_worlds_that_it_has():
    mechanism = PsiMechanism(ROOT, 1, 2)
    assert abs(mechanism.privacy_cost([4], [9]) - 2) < mpmath.mpf(10) ** -50
    with pytest.raises(TypeError, match="function of balls"):
        mechanism.privacy_cost([4], [9], EXACT)


def ball(x):
    """The ball itself; what has no balls has no maximum either, and so no power series."""
    return ARB.maximum(x, x)


@pytest.mark.parametrize(
    ("name", "psi", "breaks"),
    [
        ("√x", lambda x: ball(x).sqrt(), (False, False, False)),
        ("x²", lambda x: ball(x) * x, (False, True, False)),
        ("x/(1+x)", lambda x: ball(x) / (1 + x), (False, False, True)),
        ("(1+x)/x", lambda x: (1 + ball(x)) / x, (True, True, False)),
        ("x(4−x)", lambda x: ball(x) * (4 - x), (True, False, True)),
        ("√x + x²/8", lambda x: ball(x).sqrt() + x * x / 8, (False, True, False)),
        ("ln(1+x)", lambda x: (1 + ball(x)).log(), (False, False, False)),
        ("−x", lambda x: -ball(x), (True, False, True)),
        ("1", lambda x: 0 * ball(x) + 1, (True, False, False)),
    ],
)
def test_three_points_refute_what_breaks_and_show_no_condition(name, psi, breaks):
    # to increase, to be concave, to be convex in ln x; of 1, 2 and 4 none can be missing
    given = Evaluated(name, psi, real=name != "(1+x)/x")
    said = [False if broken else None for broken in breaks]
    for found in (conditions_within(given, 1, 4), conditions_of_given(given)):
        assert [found.increasing, found.concave, found.log_convex, found.continuous] == [*said, None]
    with pytest.raises(ParameterError, match="give its derivatives"):
        given.slope(1, ARB)


@pytest.mark.parametrize("unit", [1, 9])
@pytest.mark.parametrize("factor", ["1/2", "13/20", "7/10", "1", "13/10", "7/5", "2"])
def test_derivatives_are_accepted_where_the_function_grows_as_they_allow(factor, unit):
    # ln(x/b) with k/x for its derivative: from x to 2x it grows by ln 2, which lies between k/2 and k or not
    k, b = ARB.number(F(factor)), ARB.number(unit)

    def made():
        return Evaluated(
            "log", lambda x: (x / b).log(), (lambda x: k / x, lambda x: -k / (x * x)), real=False
        )

    if F(factor) / 2 < math.log(2) < F(factor):
        made()
    else:
        with pytest.raises(ParameterError):
            made()
