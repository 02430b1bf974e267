"""The law ∝ 1/(1+|z|^γ): rigorous integration of the kernel, partial fractions, maximization."""

from fractions import Fraction as F

import flint
import mpmath
import pytest

from establish.spec.arithmetic import ARB, MP, enclosing
from establish.spec.distributions import heavy_tailed
from establish.spec.distributions.heavy_tailed import HeavyTailed
from establish.spec.parameters import ParameterError

GAMMAS = (2, 3, 4, 6)
each_gamma = pytest.mark.parametrize("gamma", GAMMAS)
SMALL = MP.mp.mpf(10) ** -45


def kernel_integral(gamma, low, high):
    """∫ dz/(1+z^γ) for 0 ≤ low ≤ high and an integer γ, as a ball that contains it."""
    return flint.acb.integral(
        lambda z, _: 1 / (1 + z**gamma), flint.acb(low), flint.acb(high), rel_tol=flint.arb("1e-55")
    ).real


def from_one(gamma):
    """∫_1^∞ dz/(1+z^γ) = ∫_0^1 u^(γ−2)/(1+u^γ) du, with u = 1/z."""
    return flint.acb.integral(lambda u, _: u ** (gamma - 2) / (1 + u**gamma), flint.acb(0), flint.acb(1)).real


@each_gamma
def test_the_normalizer_is_one_over_the_rigorous_integral(gamma):
    with enclosing():
        total = 2 * (kernel_integral(gamma, 0, 1) + from_one(gamma))
        product = total * heavy_tailed.normalizer(gamma, ARB)
        assert product.contains(1)
        assert product.rad() < flint.arb("1e-50")


def test_known_normalizers():
    # The integral is π at γ = 2 (arctan) and π/√2 at γ = 4 (partial fractions).
    assert abs(heavy_tailed.normalizer(2, MP) - 1 / MP.pi) < SMALL
    assert abs(heavy_tailed.normalizer(4, MP) - MP.sqrt(MP.number(2)) / MP.pi) < SMALL


@each_gamma
@pytest.mark.parametrize("z", [F(1, 10), F(1), F(5, 2), F(40)], ids=str)
def test_the_distribution_function_is_the_rigorous_integral_of_the_density(gamma, z):
    with enclosing():
        share = kernel_integral(gamma, 0, ARB.number(z)) * heavy_tailed.normalizer(gamma, ARB)
        half = flint.arb(1) / 2
        upper = heavy_tailed.cdf(ARB.number(z), gamma, ARB)
        lower = heavy_tailed.cdf(ARB.number(-z), gamma, ARB)
        assert upper.overlaps(half + share)
        assert lower.overlaps(half - share)
        for ball in (upper, lower, share):
            assert ball.rad() < flint.arb("1e-45")


@pytest.mark.parametrize("gamma", [F(3, 2), F(7, 2)], ids=str)
def test_a_fractional_exponent_integrates_to_its_distribution_function_too(gamma):
    g = MP.number(gamma)
    for z in (F(1, 3), F(2)):
        with MP.mp.workdps(40):
            share = MP.mp.quad(lambda t: 1 / (1 + t**g), [0, MP.number(z) / 2, MP.number(z)])
            expected = MP.number(F(1, 2)) + share * heavy_tailed.normalizer(gamma, MP)
            assert abs(heavy_tailed.cdf(MP.number(z), gamma, MP) - expected) < 1e-15


def test_the_law_of_algorithm_2_has_a_distribution_function_by_partial_fractions():
    # 1+t⁴ = (t²+√2t+1)(t²−√2t+1)
    root = MP.sqrt(MP.number(2))
    for z in map(MP.number, (F(-30), F(-1), F(0), F(1, 3), F(7))):
        logs = MP.log((z * z + root * z + 1) / (z * z - root * z + 1)) / (4 * MP.pi)
        arcs = (MP.mp.atan(root * z + 1) + MP.mp.atan(root * z - 1)) / (2 * MP.pi)
        expected = MP.number(F(1, 2)) + logs + arcs
        assert abs(heavy_tailed.cdf(z, 4, MP) - expected) < SMALL


@pytest.mark.parametrize(("gamma", "k"), [(3, 0), (3, 1), (4, 0), (4, 1), (4, 2), (6, 3), (6, 4)])
def test_moments_are_rigorous_integrals(gamma, k):
    # ∫_1^∞ z^k/(1+z^γ) dz = ∫_0^1 u^(γ−2−k)/(1+u^γ) du
    with enclosing():
        near = flint.acb.integral(lambda z, _: z**k / (1 + z**gamma), flint.acb(0), flint.acb(1))
        far = flint.acb.integral(
            lambda u, _: u ** (gamma - 2 - k) / (1 + u**gamma), flint.acb(0), flint.acb(1)
        )
        integral = 2 * (near + far).real * heavy_tailed.normalizer(gamma, ARB)
        moment = heavy_tailed.absolute_moment(k, gamma, ARB)
        assert moment.overlaps(integral)
        assert integral.rad() < flint.arb("1e-45")
        assert moment.rad() < flint.arb("1e-50")


@pytest.mark.parametrize("gamma", [F(3, 2), 2, 3, 4, F(11, 2)], ids=str)
def test_the_sliding_constant_is_the_largest_slope_of_the_log_density(gamma):
    # Golden-section search over u = ln z, in which the slope is log-concave.
    g = MP.number(gamma)

    def slope(u):
        z = MP.exp(u)
        return g * z ** (g - 1) / (1 + z**g)

    low, high = MP.number(-12), MP.number(12)
    share = (MP.sqrt(MP.number(5)) - 1) / 2
    for _ in range(130):
        a, b = high - share * (high - low), low + share * (high - low)
        low, high = (low, b) if slope(a) > slope(b) else (a, high)
    assert abs(slope((low + high) / 2) - heavy_tailed.sliding_constant(gamma, MP)) < SMALL


@pytest.mark.parametrize("gamma", [F(3, 2), 2, 3, 4, F(11, 2)], ids=str)
def test_the_dilation_constant_bounds_the_log_ratio_and_is_approached(gamma):
    g, constant = MP.number(gamma), heavy_tailed.dilation_constant(gamma, MP)
    worst = MP.number(0)
    for lam in map(MP.number, (F(-1), F(-1, 3), F(1, 3), F(1))):
        for z in (MP.number(0), *(MP.number(10) ** e for e in (-9, -3, -1, 0, 1, 3, 20, 60))):
            loss = MP.log((1 + (MP.exp(lam) * z) ** g) / (1 + z**g)) - lam
            assert abs(loss) <= constant * abs(lam) * (1 + SMALL)
            worst = max(worst, abs(loss) / abs(lam))
    assert worst > constant * (1 - MP.mp.mpf(10) ** -8)


def test_known_constants_at_4():
    assert abs(heavy_tailed.sliding_constant(4, MP) - MP.mp.root(27, 4)) < SMALL
    assert heavy_tailed.dilation_constant(4, MP) == 3
    assert heavy_tailed.dilation_constant(F(3, 2), MP) == 1


def test_center_and_scale_move_and_stretch_the_law():
    law = HeavyTailed(MP.number(7), MP.number(F(5, 2)))
    for z in map(MP.number, (F(-3), F(0), F(1, 3))):
        x = 7 + MP.number(F(5, 2)) * z
        assert abs(law.cdf(x) - heavy_tailed.cdf(z, 4, MP)) < SMALL
        density = MP.sqrt(MP.number(2)) / MP.pi / (1 + z**4) / MP.number(F(5, 2))
        assert abs(MP.exp(law.log_density(x)) - density) < SMALL


@pytest.mark.parametrize("x", [F(-100), F(-1), F(0), F(1, 3), F(30)], ids=str)
def test_balls_contain_the_high_precision_value_and_are_narrow(x):
    def law(c):
        return HeavyTailed(c.number(1), c.number(F(2, 3)), 4, c)

    for read in (lambda d: d.log_density(x), lambda d: d.cdf(x)):
        value = read(law(MP))
        with enclosing():
            ball = read(law(ARB))
            assert abs(ball - flint.arb(mpmath.nstr(value, 60))) < flint.arb("1e-50")
            assert ball.rad() < flint.arb("1e-45")


def test_a_ball_around_the_center_has_an_enclosure_of_the_density():
    with enclosing():
        value = heavy_tailed.log_density(ARB.number(F(-1, 2)).union(ARB.number(F(1, 2))), 4, ARB)
        assert value.is_finite()
        for z in (F(-1, 2), 0, F(1, 3), F(1, 2)):
            assert value.contains(heavy_tailed.log_density(ARB.number(F(z)), 4, ARB))


@pytest.mark.parametrize("gamma", [1, 0, -4, F(1, 2), F(1)], ids=str)
def test_there_is_no_law_for_exponents_up_to_1(gamma):
    with pytest.raises(ParameterError, match="only for γ > 1"):
        HeavyTailed(MP.number(0), MP.number(1), gamma)


def test_the_least_exponents_are_accepted():
    law = HeavyTailed(MP.number(0), MP.number(1), F(11, 10))
    assert law.cdf(0) == F(1, 2)
    assert 0 < law.cdf(-(10**6)) < law.cdf(-1) < law.cdf(0)
