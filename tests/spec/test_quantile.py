"""Quantiles by bisection, and their certified balls."""

from fractions import Fraction as F

import flint
import mpmath
import pytest

from establish.spec.arithmetic import EXACT, MP, enclosing
from establish.spec.distributions import gaussian
from establish.spec.distributions.geometric import Geometric
from establish.spec.distributions.heavy_tailed import HeavyTailed
from establish.spec.distributions.laplace import Laplace
from establish.spec.distributions.log_laplace import LogLaplace
from establish.spec.distributions.quantile import quantile, quantile_ball
from establish.spec.parameters import ParameterError


def heavy(gamma, center=0, scale=1):
    return lambda c: HeavyTailed(c.number(center), c.number(scale), gamma, c)


def test_the_cauchy_law_has_its_known_quantiles():
    # γ = 2: the quantile of the Cauchy law is tan(π(p − ½)); at 3/4 it is 1.
    assert abs(quantile(heavy(2)(MP), F(3, 4)) - 1) < MP.mp.mpf(10) ** -50
    for p in (F(1, 100), F(1, 3), F(5, 7)):
        expected = MP.mp.tan(MP.pi * (MP.number(p) - MP.number(F(1, 2))))
        assert abs(quantile(heavy(2)(MP), p) - expected) < MP.mp.mpf(10) ** -50


def test_a_closed_quantile_is_found_again():
    law = Laplace(MP.number(F(7, 3)), MP.number(5))
    for p in (F(1, 1000), F(1, 2), F(4, 5)):
        assert abs(quantile(law, p) - law.quantile(p)) < MP.mp.mpf(10) ** -50


@pytest.mark.parametrize("p", [F(1, 100), F(1, 2), F(9, 10)], ids=str)
def test_the_distribution_function_at_the_quantile_is_p(p):
    law = heavy(4, 40, F(5, 2))(MP)
    assert abs(law.cdf(quantile(law, p)) - MP.number(p)) < MP.mp.mpf(10) ** -50


@pytest.mark.parametrize("digits", [10, 40])
def test_a_certified_ball_contains_the_known_quantile_and_is_small(digits):
    found = quantile_ball(heavy(2), F(5, 7), digits)
    with enclosing(300):
        truth = (flint.arb.pi() * flint.arb(flint.fmpq(5, 7) - flint.fmpq(1, 2))).tan()
        assert found.contains(truth)
        assert found.rad() < flint.arb(10) ** (1 - digits)


def test_certified_digits_of_algorithm_2_noise_agree_with_partial_fractions():
    # 1+t⁴ = (t²+√2t+1)(t²−√2t+1) gives the distribution function; mpmath's root finder inverts it.
    def distribution(z):
        s = mpmath.sqrt(2)
        logs = mpmath.log((z * z + s * z + 1) / (z * z - s * z + 1)) / (4 * mpmath.pi)
        return mpmath.mpf(1) / 2 + logs + (mpmath.atan(s * z + 1) + mpmath.atan(s * z - 1)) / (2 * mpmath.pi)

    with mpmath.workdps(45):
        root = mpmath.findroot(lambda z: distribution(z) - mpmath.mpf(9) / 10, 1)
        written = mpmath.nstr(root, 42)
    with enclosing():
        assert abs(quantile_ball(heavy(4), F(9, 10)) - flint.arb(written)) < flint.arb("1e-38")


def test_more_digits_than_can_be_certified_are_refused():
    with pytest.raises(ArithmeticError, match="not certified to 70 digits"):
        quantile_ball(heavy(4), F(1, 3), digits=70)


WAYS = {
    "by bisection": lambda p: quantile(heavy(4)(MP), p),
    "as a ball": lambda p: quantile_ball(heavy(4), p),
    "geometric": Geometric(0, F(1, 2), EXACT).quantile,
    "Laplace": Laplace(MP.number(3), MP.number(5)).quantile,
    "log-Laplace": LogLaplace(MP.number(0), MP.number(10), MP.number(F(1, 10))).quantile,
    "normal": lambda p: gaussian.quantile(p, MP),
}


@pytest.mark.parametrize("p", [F(0), F(1), F(-1, 3), F(3, 2)], ids=str)
@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_a_probability_must_lie_strictly_between_0_and_1(way, p):
    with pytest.raises(ParameterError, match=r"p .*strictly between 0 and 1"):
        way(p)
