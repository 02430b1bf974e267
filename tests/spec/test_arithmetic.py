"""One formula read in four worlds: the values agree, exactness is kept, precision comes back."""

from fractions import Fraction as F

import flint
import mpmath
import pytest
import sympy

from establish.spec.arithmetic import ARB, BITS, DIGITS, EXACT, MP, SYM, enclosing

x = sympy.Symbol("x", positive=True)
HALF = F(1, 2)

FORMULAS = {
    "a rational function": lambda c, z: (1 + z) ** 3 / (2 + z * z),
    "a logarithm": lambda c, z: c.log(1 + z) / 7,
    "an exponential": lambda c, z: c.exp(-z) * c.pi,
    "a root": lambda c, z: c.sqrt(z) + c.sqrt(c.number(3)),
    "a sine": lambda c, z: c.sin(c.pi * z / 3),
    "an error function": lambda c, z: 1 - c.erf(-z / 3),
    "an inverse error function": lambda c, z: c.erfinv(1 / (1 + z)) - c.erfinv(-z / (1 + z)),
    "a whole power": lambda c, z: c.power(z, 5) + c.power(z, -3),
    "a fractional power": lambda c, z: c.power(z, F(3, 4)) + c.power(z, F(-7, 3)),
    "a power of a number": lambda c, z: c.power(c.number(2), F(1, 3)) + c.power(3, 2) + z,
    "an absolute value": lambda c, z: c.absolute(z - 2) * c.sign(z - 2),
    "a maximum": lambda c, z: c.maximum(z, c.number(F(1, 3))) + c.maximum(c.number(2), z),
    "a beta share": lambda c, z: c.beta_share(z / (1 + z), c.number(HALF), c.number(HALF)),
}
POINTS = (F(1, 10), F(1), F(7, 3), F(25))
each_formula = pytest.mark.parametrize("formula", FORMULAS.values(), ids=FORMULAS)


@each_formula
@pytest.mark.parametrize("point", POINTS, ids=str)
def test_the_high_precision_value_lies_in_the_ball_and_the_ball_is_small(formula, point):
    value = formula(MP, MP.number(point))
    with enclosing():
        ball = formula(ARB, ARB.number(point))
        assert ball.rel_accuracy_bits() > BITS - 20
        shown = flint.arb(mpmath.nstr(value, DIGITS + 5))  # a ball that contains what is written
        assert abs(ball - shown) < flint.arb(10) ** (5 - DIGITS) * (1 + abs(ball))


@each_formula
@pytest.mark.parametrize("point", POINTS, ids=str)
def test_the_symbolic_expression_evaluates_to_the_high_precision_value(formula, point):
    expression = formula(SYM, x).subs(x, sympy.Rational(point.numerator, point.denominator))
    value = formula(MP, MP.number(point))
    evaluated = MP.mp.mpf(str(sympy.N(expression, DIGITS)))
    assert abs(evaluated - value) < MP.mp.mpf(10) ** (5 - DIGITS) * (1 + abs(value))


def test_rational_formulas_have_exact_values():
    rational = FORMULAS["a rational function"]
    # at 1/10: 1.331/2.01 = 1331/2010
    assert rational(EXACT, EXACT.number(F(1, 10))) == F(1331, 2010)
    assert FORMULAS["a whole power"](EXACT, F(2)) == F(32) + F(1, 8)
    assert FORMULAS["an absolute value"](EXACT, F(1, 2)) == F(-3, 2)
    assert FORMULAS["a maximum"](EXACT, F(1, 10)) == F(1, 3) + 2
    assert EXACT.sign(F(-2)) == -1
    assert EXACT.sign(F(0)) == 0
    assert EXACT.sign(F(1, 9)) == 1


def test_the_worlds_agree_with_known_decimals():
    # e = 2.71828182845904523536, ln 2 = 0.69314718055994530942 (tabulated)
    assert mpmath.nstr(MP.exp(MP.number(1)), 21) == "2.71828182845904523536"
    assert mpmath.nstr(MP.log(MP.number(2)), 20) == "0.69314718055994530942"
    with enclosing():
        assert ARB.log(ARB.number(2)).str(20, radius=False) == "0.69314718055994530942"


@pytest.mark.parametrize("world", [MP, ARB, SYM, EXACT], ids=["MP", "ARB", "SYM", "EXACT"])
@pytest.mark.parametrize("value", [0.1, 1.0, float("nan"), float("inf")])
def test_binary_floats_are_refused_in_every_world(world, value):
    with pytest.raises(TypeError, match="binary float"):
        world.number(value)


@pytest.mark.parametrize(
    "value", [sympy.Integer(3), sympy.Rational(1, 2), sympy.Symbol("x"), mpmath.mpf(2), "1/2"]
)
def test_balls_are_not_made_from_numbers_of_other_worlds_or_texts(value):
    with pytest.raises(TypeError, match=r"is not of this number system .*: pass an int or a Fraction"):
        ARB.number(value)


@pytest.mark.parametrize("world", [MP, ARB, SYM], ids=["MP", "ARB", "SYM"])
def test_a_float_exponent_is_refused(world):
    with pytest.raises(TypeError, match="binary float"):
        world.power(world.number(2), 0.5)


def test_a_tenth_is_a_tenth_in_every_world():
    tenth = F(1, 10)
    assert EXACT.number(tenth) == tenth
    assert SYM.number(tenth) == sympy.Rational(1, 10)
    assert abs(10 * MP.number(tenth) - 1) < MP.mp.mpf(10) ** -DIGITS
    with enclosing():
        assert (10 * ARB.number(tenth)).contains(1)
        assert not (10 * ARB.number(tenth)).contains(flint.arb(10) * flint.arb(0.1))


def test_integers_pass_exactly():
    with enclosing():
        assert ARB.number(10**40) == flint.arb(10**40)
    assert EXACT.number(10**80) == 10**80
    assert SYM.number(10**80) == 10**80


def test_numbers_of_a_world_pass_through_unchanged():
    with enclosing():
        third = ARB.number(F(1, 3))
        assert ARB.number(third) is third
    assert SYM.number(x) is x
    assert MP.number(MP.pi) == MP.pi


@pytest.mark.parametrize("function", ["log", "exp", "sqrt", "sin", "erf", "erfinv", "log_gamma"])
def test_the_exact_world_refuses_transcendental_functions(function):
    with pytest.raises(TypeError, match="no exact rational value"):
        getattr(EXACT, function)(F(1, 2))


def test_the_exact_world_refuses_pi_fractional_powers_and_beta_shares():
    with pytest.raises(TypeError, match="no exact rational value"):
        _ = EXACT.pi
    with pytest.raises(TypeError, match="no exact rational value"):
        EXACT.power(F(4), HALF)
    with pytest.raises(TypeError, match="no exact rational value"):
        EXACT.beta_share(HALF, HALF, HALF)


def test_whole_powers_of_balls_that_contain_zero_are_finite_and_right():
    with enclosing():
        ball = ARB.number(-1).union(ARB.number(2))
        for exponent in (1, 2, 3, 4, 7, F(6)):
            power = ARB.power(ball, exponent)
            assert power.is_finite()
            for point in (-1, 0, F(1, 3), 2):
                assert power.contains(ARB.number(F(point) ** int(exponent)))
        assert not ARB.power(ball, -2).is_finite()


def test_the_power_zero_is_one_and_a_number_of_the_world():
    with enclosing():
        for base in (ARB.number(-1).union(ARB.number(2)), ARB.number(3), 5):
            assert ARB.log(ARB.power(base, 0)) == 0
    assert MP.power(MP.number(0), 0) == 1
    assert EXACT.power(F(0), 0) == 1


def test_functions_outside_their_domain_are_nan_in_the_enclosure_world():
    with enclosing():
        ball = ARB.number(-1).union(ARB.number(2))
        for value in (ARB.log(ball), ARB.sqrt(ball), 1 / ball, ARB.power(ball, HALF)):
            assert not value.is_finite()
            assert not value < 10
            assert not value > -10


def test_sign_absolute_value_and_maximum_of_balls_cover_both_cases():
    with enclosing():
        ball = ARB.number(-1).union(ARB.number(2))
        for point in (-1, 0, 1, 2):
            assert ARB.absolute(ball).contains(abs(point))
            assert ARB.sign(ball).contains((point > 0) - (point < 0))
            assert ARB.maximum(ball, ARB.number(F(1, 2))).contains(ARB.number(max(point, HALF)))


def test_working_precision_is_restored_by_every_world():
    before = mpmath.mp.prec, flint.ctx.prec
    for formula in FORMULAS.values():
        formula(MP, MP.number(2))
        with enclosing(400):
            assert flint.ctx.prec == 400
            formula(ARB, ARB.number(2))
        formula(SYM, x)
    assert (mpmath.mp.prec, flint.ctx.prec) == before


def test_precision_is_restored_after_an_error_and_after_a_nested_block():
    before = flint.ctx.prec
    with pytest.raises(ZeroDivisionError), enclosing(300):
        _ = 1 // 0
    assert flint.ctx.prec == before
    with enclosing(300):
        with enclosing(100):
            assert flint.ctx.prec == 100
        assert flint.ctx.prec == 300


def test_the_high_precision_world_does_not_follow_the_global_precision():
    with mpmath.workdps(5):
        assert mpmath.nstr(MP.log(MP.number(2)), 30) == "0.693147180559945309417232121458"


def test_the_logarithm_of_gamma_of_five_is_that_of_24_in_every_world():
    assert SYM.log_gamma(SYM.number(5)) == SYM.log(24)
    assert abs(MP.log_gamma(MP.number(5)) - MP.log(24)) < MP.number(10) ** -50
    with enclosing():
        gap = ARB.log_gamma(ARB.number(5)) - ARB.log(ARB.number(24))
        assert gap.contains(0)
        assert abs(gap) < ARB.number(10) ** -50
