"""The law of (n+γ)·e^η − γ, η ~ Laplace(λ): checked against integrals over η and over outputs."""

from fractions import Fraction as F
from itertools import pairwise

import flint
import mpmath
import pytest

from establish.spec.arithmetic import ARB, MP, enclosing
from establish.spec.distributions import log_laplace
from establish.spec.distributions.log_laplace import LogLaplace

CASES = [(F(0), F(10), F(1, 10)), (F(90), F(10), F(1, 3)), (F(5), F(1), F(7, 5))]
"""Count, shift γ and scale λ; the last law has no mean."""
each = pytest.mark.parametrize(("count", "shift", "scale"), CASES, ids=str)
SMALL = MP.mp.mpf(10) ** -30


def law(count, shift, scale, c=MP):
    return LogLaplace(c.number(count), c.number(shift), c.number(scale), c)


def outputs(count, shift):
    """Outputs from close to the end of the support to far above the count."""
    total = count + shift
    return [total * factor - shift for factor in (F(1, 1000), F(1, 2), F(9, 10), 1, 2, 50)]


def by_hand(x, count, shift, scale):
    """P((n+γ)e^η − γ ≤ x): with t = (x+γ)/(n+γ), ½·t^(1/λ) for t ≤ 1 and 1 − ½·t^(−1/λ) above."""
    t = MP.number(x + shift) / MP.number(count + shift)
    power = t ** (1 / MP.number(scale))
    return power / 2 if t <= 1 else 1 - 1 / (2 * power)


@each
def test_the_distribution_function_is_a_power_law_on_either_side_of_the_count(count, shift, scale):
    for x in outputs(count, shift):
        assert abs(law(count, shift, scale).cdf(x) - by_hand(x, count, shift, scale)) < SMALL


@each
def test_the_density_integrates_to_the_distribution_function(count, shift, scale):
    distribution = law(count, shift, scale)
    for low, high in pairwise(outputs(count, shift)):
        integral = MP.mp.quad(
            lambda x: MP.exp(distribution.log_density(x)),
            [MP.number(low), MP.number(low + high) / 2, MP.number(high)],
        )
        assert abs(integral - (distribution.cdf(high) - distribution.cdf(low))) < SMALL


@each
def test_quantiles_invert_the_distribution_function(count, shift, scale):
    distribution = law(count, shift, scale)
    for p in (F(1, 10**6), F(1, 3), F(1, 2), F(9, 10), 1 - F(1, 10**6)):
        x = distribution.quantile(p)
        assert x > -MP.number(shift)
        assert abs(distribution.cdf(x) - MP.number(p)) < SMALL
    assert abs(distribution.quantile(F(1, 2)) - MP.number(count)) < SMALL


def expectation(function, scale):
    """∫ f(η)·e^(−|η|/λ)/(2λ) dη by quadrature, the two sides apart."""
    lam = MP.number(scale)
    ends = [0, lam, 5 * lam, 25 * lam, 125 * lam, 1200 * lam]

    def both(eta):
        return (function(eta) + function(-eta)) * MP.exp(-eta / lam) / (2 * lam)

    return MP.mp.quad(both, ends)


@pytest.mark.parametrize(("count", "shift", "scale"), CASES[:2], ids=str)
def test_expected_errors_are_integrals_over_the_noise(count, shift, scale):
    n, gamma, lam = MP.number(count), MP.number(shift), MP.number(scale)
    total = n + gamma

    def error(eta):
        return total * MP.mp.expm1(eta)

    with MP.mp.workdps(35):
        small = MP.mp.mpf(10) ** -22
        assert abs(expectation(error, scale) - log_laplace.bias(n, gamma, lam)) < small * total
        absolute = expectation(lambda eta: abs(error(eta)), scale)
        assert abs(absolute - log_laplace.mean_absolute_error(n, gamma, lam)) < small * total
        squared = expectation(lambda eta: error(eta) ** 2, scale)
        assert abs(squared - log_laplace.mean_squared_error(n, gamma, lam)) < small * total**2


def test_the_bias_formula_is_exact_at_a_rational_scale():
    # λ = 1/2, n + γ = 12: E e^η = 1/(1 − 1/4) = 4/3, so the bias is 4.
    assert log_laplace.bias(F(2), F(10), F(1, 2)) == 4
    # λ = 1/4: E e^2η = 4/3, E e^η = 16/15; 4/3 − 32/15 + 1 = 1/5
    assert log_laplace.mean_squared_error(F(0), F(10), F(1, 4)) == 20
    # λ = 1/2: ½·(2 − 1) + ½·(1 − 2/3) = 2/3
    assert log_laplace.mean_absolute_error(F(2), F(10), F(1, 2)) == 8


def test_the_mean_grows_without_bound_beyond_scale_one():
    # E min(X, e^T·n) over η ≤ T has the part ½∫_0^T e^(η(1−1/λ))/λ dη, which diverges for λ ≥ 1.
    def truncated(top, scale):
        return MP.mp.quad(lambda eta: MP.exp(eta * (1 - 1 / MP.number(scale))), [0, top])

    assert truncated(40, F(7, 5)) > 100 * truncated(20, F(7, 5))
    assert truncated(40, F(1, 2)) < truncated(20, F(1, 2)) + SMALL + MP.exp(MP.number(-19))


@each
def test_balls_contain_the_high_precision_value_and_are_narrow(count, shift, scale):
    for x in outputs(count, shift):
        for read in (lambda d, x=x: d.log_density(x), lambda d, x=x: d.cdf(x)):
            value = read(law(count, shift, scale))
            with enclosing():
                ball = read(law(count, shift, scale, ARB))
                assert abs(ball - flint.arb(mpmath.nstr(value, 60))) < flint.arb("1e-50")
                assert ball.rad() < flint.arb("1e-50")


@each
def test_the_support_starts_at_minus_the_shift(count, shift, scale):
    distribution = law(count, shift, scale)
    inside = -MP.number(shift) + MP.mp.mpf(10) ** -30
    # t = 10^-30/(n+γ) in the power law of the lower tail
    expected = (MP.mp.mpf(10) ** -30 / MP.number(count + shift)) ** (1 / MP.number(scale)) / 2
    assert abs(distribution.cdf(inside) / expected - 1) < MP.mp.mpf(10) ** -25
    with enclosing():
        for x in (-shift, -shift - 1):
            assert not law(count, shift, scale, ARB).cdf(x).is_finite()
