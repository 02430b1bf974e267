"""Sums over the integers hold the true value: closed forms and theta functions, computed otherwise."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from establish.spec.arithmetic import ARB, MP, enclosing
from establish.spec.distributions.discrete_gaussian import DiscreteGaussian
from establish.spec.distributions.geometric import Geometric, variance
from establish.spec.distributions.on_integers import hockey_stick, renyi, total

SQUARES = st.fractions(Fraction(1, 20), 30, max_denominator=20)


@settings(max_examples=settings().max_examples // 5)
@given(SQUARES)
def test_the_weights_sum_to_a_theta_function(square):
    mp = MP.mp
    expected = mp.jtheta(3, 0, mp.exp(-1 / (2 * MP.number(square))))
    assert abs(DiscreteGaussian(0, square).total() - expected) < mp.mpf(10) ** -50 * expected


@settings(max_examples=settings().max_examples // 5)
@given(SQUARES, st.fractions(-3, 3, max_denominator=8))
def test_a_ball_holds_the_value_to_many_digits(square, center):
    with enclosing(200):
        ball = DiscreteGaussian(center, square, ARB).total()
        value = DiscreteGaussian(center, square).total()
        assert ball.contains(ARB.number(Fraction(int(value * 2**120), 2**120))) or ball.rad() < 2**-120
        assert ball.rad() < 2**-150
        assert abs(ball - ARB.number(Fraction(int(value * 2**150), 2**150))) < 2**-140


@settings(max_examples=settings().max_examples // 5)
@given(st.fractions(Fraction(1, 20), Fraction(4, 5), max_denominator=20))
def test_a_geometric_law_has_its_closed_forms(ratio):
    with enclosing(200):
        law = Geometric(0, ratio, ARB)
        assert abs(law.mean(lambda k: k * k, 2) - ARB.number(variance(ratio))) < 2**-120
        assert abs(law.total() - ARB.number((1 + ratio) / (1 - ratio))) < 2**-120


def test_divergences_agree_with_sums_of_masses():
    first, second = DiscreteGaussian(Fraction(1, 3), 1), DiscreteGaussian(2, Fraction(3, 2))
    c = MP
    masses = [(first.mass(k), second.mass(k)) for k in range(-40, 41)]
    order = sum(p**3 / q**2 for p, q in masses)
    assert abs(renyi(first, second, 3) - c.log(order) / 2) < 10**-40
    excess = sum(max(0, p - c.exp(1) * q) for p, q in masses)
    assert abs(hockey_stick(first, second, 1) - excess) < 10**-40


def test_what_does_not_fall_is_refused():
    with pytest.raises(ArithmeticError, match="do not fall fast enough"), enclosing():
        total(lambda k: ARB.number(0), ARB, farthest=50)


def test_a_tail_that_is_left_out_is_in_the_ball():
    """With weights 2^{-|k|} all beyond is known: the ball holds 3 however early the sum ends."""
    with enclosing(20):
        ball = total(lambda k: -abs(k) * ARB.log(ARB.number(2)), ARB)
        assert ball.contains(3)
        assert ball.rad() > 0
