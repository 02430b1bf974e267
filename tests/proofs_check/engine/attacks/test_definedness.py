"""Nothing is true where a formula has no value: identities with holes, poles in slopes and in integrals."""

from fractions import Fraction as F

import pytest

from establish import AtMost, Below, Equal, Integer, Real, enclosure, exhaustive, rules, solver, symbolic
from establish.proofs_check.engine.statements import Integral, given

ANY, HALF_LINE, UNIT = Real("x"), Real("x", least=0), Real("x", least=0, most=1)

HOLES = {
    "e^(ln x) = x": Equal(ANY, left=lambda c, x: c.exp(c.log(x)), right=lambda c, x: x),
    "(√x)² = x": Equal(ANY, left=lambda c, x: c.sqrt(x) * c.sqrt(x), right=lambda c, x: x),
    "x/x = 1": Equal(ANY, left=lambda c, x: x / x, right=1),
    "(x² − 1)/(x − 1) = x + 1": Equal(ANY, left=lambda c, x: (x * x - 1) / (x - 1), right=lambda c, x: x + 1),
    "ln x² = 2·ln |x|": Equal(
        ANY, left=lambda c, x: c.log(x * x), right=lambda c, x: 2 * c.log(c.absolute(x))
    ),
    "x·x^(−1) = 1": Equal(HALF_LINE, left=lambda c, x: x * c.power(x, -1), right=1),
    "0·ln x = 0": Equal(ANY, left=lambda c, x: 0 * c.log(x), right=lambda c, x: 0 * x),
    "ln(x/2) + ln 2 = ln x at 0 too": Equal(
        HALF_LINE, left=lambda c, x: c.log(x / 2) + c.log(c.number(2)), right=lambda c, x: c.log(x)
    ),
    "√(x − 1)/√(x − 1) = 1": Equal(
        Real("x", least=1), left=lambda c, x: c.sqrt(x - 1) / c.sqrt(x - 1), right=1
    ),
    "erf⁻¹ x = erf⁻¹ x + 0": Equal(
        ANY, left=lambda c, x: c.erfinv(x) + 0 * x, right=lambda c, x: c.erfinv(x)
    ),
}


@pytest.mark.parametrize("name", HOLES)
def test_an_identity_with_a_hole_is_not_shown(name, believed):
    assert not believed(lambda: symbolic.proves(HOLES[name]))


SOLVED = {
    "0·ln x ≤ 1": AtMost(ANY, left=lambda c, x: 0 * c.log(x), right=1),
    "√x ≥ 0": AtMost(ANY, left=lambda c, x: -c.sqrt(x), right=1).where(
        given(lambda c, x: c.sqrt(x), ">=", -5)
    ),
    "ln x ≤ x − 1 at 0 too": AtMost(HALF_LINE, left=lambda c, x: c.log(x), right=lambda c, x: x - 1),
    "x⁰ through x^(−1)": AtMost(HALF_LINE, left=lambda c, x: 0 * c.power(x, -1), right=1),
    "a bound ln x that has no value": AtMost(
        ANY, Real("y", least=lambda c, x: c.log(x)), left=lambda c, x, y: 0 * y, right=lambda c, x, y: x * x
    ),
    "a guard that raises": AtMost(ANY, left=lambda c, x: 0 * c.log(x) if x != 7 else 1 / (x - 7), right=1),
}


@pytest.mark.parametrize("name", SOLVED)
def test_an_inequality_without_values_is_not_solved(name, believed):
    assert not believed(lambda: solver.proves(SOLVED[name]))


@pytest.mark.parametrize(
    "formula",
    [
        lambda c, x: c.power(c.log(x - F(1, 3)), 0) / 2,
        lambda c, x: c.sign(c.log(x - F(1, 3))) / 2,
        lambda c, x: 0 / (x - F(1, 3)),
        lambda c, x: c.maximum(0 * x, -1 / (x - F(1, 3)) ** 2),
    ],
)
def test_boxes_do_not_pass_a_point_without_value(formula, believed):
    assert not believed(lambda: enclosure.proves(AtMost(UNIT, left=formula, right=2), max_boxes=500))


def test_a_case_without_value_is_no_case_that_is_true(believed):
    at_five = AtMost(Integer("n", least=1, most=9), left=lambda c, n: 1 / (n - 5), right=1)
    assert not believed(lambda: exhaustive.proves(at_five))


def _by_slope(statement):
    at_end, slope = rules.slope_obligations(statement, "x")
    shown = solver.proves(slope)
    return rules.slope_and_end(
        statement, "x", solver.proves(at_end), shown if shown.established else symbolic.signed(slope)
    )


@pytest.mark.parametrize(
    "right",
    [
        lambda c, x: (1500 - x) / c.absolute(x - 1500),
        lambda c, x: c.sqrt((x - 1500) * (x - 1500)) / (1500 - x),
        lambda c, x: 1 / (1500 - x),
        lambda c, x: c.sign(1500 - x),
        lambda c, x: c.number(1) if x < 1500 else c.number(-1),
        lambda c, x: x - 5 * c.sign(x - 1500) - 5,
        lambda c, x: c.power(1500 - x, -3),
    ],
)
def test_a_slope_does_not_pass_a_pole_or_a_jump(right, believed):
    assert not believed(lambda: _by_slope(AtMost(HALF_LINE, left=lambda c, x: 0 * x, right=right)))


def test_an_integral_does_not_pass_a_pole(believed):
    through = Integral(
        slope=lambda c, x: c.exp(-2 * c.log(c.absolute(x - 1500))),
        first=lambda c, x: 1 / (1500 - x) - F(1, 1500),
    )

    def attempt():
        owed = rules.antiderivatives(through)
        shown = [solver.proves(owed[0]), *map(symbolic.proves, owed[1:])]
        return rules.antiderivative(through, *shown)

    assert not believed(attempt)


def test_nothing_follows_from_an_identity_where_it_has_no_value(believed):
    hole = HOLES["e^(ln x) = x"]
    anything = AtMost(Real("y", least=0), left=lambda c, y: y, right=1001)
    given_there = {"x": lambda c, y: c.number(-1)}
    assert not believed(lambda: rules.instances(anything, [(hole, given_there)], symbolic.proves(hole)))


TRUE = {
    "e^(ln x) = x": lambda: symbolic.proves(
        Equal(Real("x", above=0), left=lambda c, x: c.exp(c.log(x)), right=lambda c, x: x)
    ),
    "ln(1 + x) ≤ x": lambda: solver.proves(
        AtMost(HALF_LINE, left=lambda c, x: c.log(1 + x), right=lambda c, x: x)
    ),
    "1/(1 + x²) ≤ 1": lambda: solver.proves(Below(ANY, left=lambda c, x: 1 / (1 + x * x), right=2)),
    "a guard that is not reached": lambda: solver.proves(
        AtMost(HALF_LINE, left=lambda c, x: c.log(x) if x > 0 else x, right=lambda c, x: x)
    ),
    "ln(1 + x) rises from 0": lambda: _by_slope(
        AtMost(HALF_LINE, left=lambda c, x: 0 * x, right=lambda c, x: c.log(1 + x))
    ),
}


@pytest.mark.parametrize("name", TRUE)
def test_what_is_defined_is_shown(name, believed):
    assert believed(TRUE[name])
