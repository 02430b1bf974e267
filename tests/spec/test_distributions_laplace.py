"""The Laplace law: density, distribution function, quantiles and moments, by integration."""

from fractions import Fraction as F

import flint
import mpmath
import pytest
import sympy

from establish.spec.arithmetic import ARB, EXACT, MP, SYM, enclosing
from establish.spec.distributions import laplace
from establish.spec.distributions.laplace import Laplace

CASES = [(F(0), F(1)), (F(3), F(1, 5)), (F(-7, 2), F(40))]
each = pytest.mark.parametrize(("center", "scale"), CASES, ids=str)
OFFSETS = (F(-20), F(-3), F(-1, 7), F(0), F(1, 7), F(3), F(20))


def law(center, scale, c=MP):
    return Laplace(c.number(center), c.number(scale), c)


@each
def test_the_distribution_function_is_the_rigorous_integral_of_the_density(center, scale):
    # ½·e^(∓z) on either side of the center, written anew; below center − 120 scales less than e^-120.
    with enclosing():
        for offset in OFFSETS:
            x = center + offset * scale
            integral = flint.arb(0, "1e-52")
            for low, high, sign in ((-120, min(offset, 0), 1), (0, max(offset, 0), -1)):
                integral += flint.acb.integral(
                    lambda z, _, s=sign: (s * z).exp() / 2, flint.acb(low), flint.acb(ARB.number(F(high)))
                ).real
            value = law(center, scale, ARB).cdf(x)
            assert value.overlaps(integral)
            assert value.rad() < flint.arb("1e-50")
            assert integral.rad() < flint.arb("1e-50")


@each
def test_the_tails_are_what_the_distribution_function_leaves(center, scale):
    with enclosing():
        made = law(center, scale, ARB)
        for offset in OFFSETS:
            x = ARB.number(center + abs(offset) * scale)
            y = ARB.number(center - abs(offset) * scale)
            assert made.above(x).overlaps(1 - made.cdf(x))
            assert made.below(y).overlaps(made.cdf(y))


@each
def test_the_density_is_the_derivative_of_the_distribution_function(center, scale):
    distribution = law(center, scale)
    for offset in OFFSETS:
        if offset:
            x = MP.number(center + offset * scale)
            slope = MP.mp.diff(distribution.cdf, x, h=MP.mp.mpf(10) ** -25)
            density = MP.exp(distribution.log_density(x))
            assert abs(slope - density) < MP.mp.mpf(10) ** -20 * density


@each
def test_quantiles_invert_the_distribution_function(center, scale):
    distribution = law(center, scale)
    for p in (F(1, 10**9), F(1, 5), F(1, 2), F(2, 3), 1 - F(1, 10**9)):
        assert abs(distribution.cdf(distribution.quantile(p)) - MP.number(p)) < MP.mp.mpf(10) ** -55
    assert distribution.quantile(F(1, 2)) == MP.number(center)
    # P(X > center + scale·ln 4) = 1/8
    upper = MP.number(center) + MP.number(scale) * MP.log(MP.number(4))
    assert abs(distribution.quantile(F(7, 8)) - upper) < MP.mp.mpf(10) ** -55


def test_moments_are_the_integrals_of_the_density():
    z = sympy.Symbol("z", positive=True)
    scale = sympy.Symbol("scale", positive=True)
    density = sympy.exp(-z / scale) / scale  # both sides together, the law of |X − center|
    for k in range(6):
        integral = sympy.integrate(z**k * density, (z, 0, sympy.oo))
        assert sympy.simplify(integral - laplace.absolute_moment(k, scale)) == 0


@pytest.mark.parametrize("k_scale", [F(-9, 10), F(1, 10), F(1, 2), F(99, 100)], ids=str)
def test_exponential_moments_are_the_integrals_of_the_density(k_scale):
    # at scale 2: ½∫_0^∞ (e^(kz) + e^(−kz))·e^(−z/2)/2 dz
    scale, k = MP.number(2), MP.number(k_scale) / 2

    def both_sides(z):
        return (MP.exp((k - 1 / scale) * z) + MP.exp(-(k + 1 / scale) * z)) / (2 * scale)

    with MP.mp.workdps(30):
        integral = MP.mp.quad(both_sides, [0, 1, 10, 100, 1000, 20000])
        assert abs(integral - laplace.exponential_moment(k, scale)) < MP.mp.mpf(10) ** -20


@each
def test_balls_contain_the_high_precision_value_and_are_narrow(center, scale):
    for offset in OFFSETS:
        x = center + offset * scale
        for read in (lambda d, x=x: d.log_density(x), lambda d, x=x: d.cdf(x)):
            value = read(law(center, scale))
            with enclosing():
                ball = read(law(center, scale, ARB))
                assert abs(ball - flint.arb(mpmath.nstr(value, 60))) < flint.arb("1e-54")
                assert ball.rad() < flint.arb("1e-55")


def test_a_ball_that_straddles_the_center_covers_both_branches():
    with enclosing():
        value = laplace.cdf(ARB.number(-1).union(ARB.number(1)), ARB.number(0), ARB.number(1), ARB)
        for x in (-1, 0, 1):
            assert value.contains(laplace.cdf(ARB.number(x), ARB.number(0), ARB.number(1), ARB))


def test_the_lower_tail_keeps_all_its_digits():
    distribution = law(F(0), F(1))
    tail = MP.exp(MP.number(-1000)) / 2
    assert abs(distribution.cdf(-1000) / tail - 1) < MP.mp.mpf(10) ** -50
    p = F(1, 10**200)
    assert abs(distribution.quantile(p) / MP.log(2 * MP.number(p)) - 1) < MP.mp.mpf(10) ** -50
    with enclosing():
        assert law(F(0), F(1), ARB).cdf(-1000).rel_accuracy_bits() > 180


def test_the_support_is_the_real_line():
    distribution = law(F(0), F(1))
    assert 0 < distribution.cdf(-100) < MP.mp.mpf(10) ** -40
    assert distribution.cdf(100) < 1
    assert distribution.log_density(10**6) == -(10**6) - MP.log(MP.number(2))


def test_the_symbolic_law_integrates_to_one():
    z = sympy.Symbol("z", positive=True)
    density = sympy.exp(Laplace(0, sympy.Symbol("scale", positive=True), SYM).log_density(z))
    assert sympy.simplify(2 * sympy.integrate(density, (z, 0, sympy.oo))) == 1


def test_floats_and_the_exact_world_are_refused():
    with pytest.raises(TypeError, match="binary float"):
        law(F(0), F(1)).cdf(0.5)
    with pytest.raises(TypeError, match="no exact rational value"):
        law(F(0), F(1), EXACT).cdf(1)
