"""The growth scale: one step for the largest growth, at most one for any neighbor, and its inverse."""

from fractions import Fraction
from itertools import pairwise

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from establish.spec.arithmetic import ARB, MP, enclosing
from establish.spec.growth_scale import inverse, joints, piece, scale
from establish.spec.mechanisms.growth_laplace import GrowthLaplaceMechanism, mean_errors
from establish.spec.mechanisms.growth_staircase import (
    GrowthStaircaseMechanism,
    UnbiasedGrowthStaircaseMechanism,
    flat_part,
    large_error,
)
from establish.spec.mechanisms.growth_staircase import mean_errors as staircase_errors
from establish.spec.relations.growth import largest_growth_real

ALPHAS = st.fractions(Fraction(1, 40), 3, max_denominator=60)
COUNTS = st.fractions(0, 200, max_denominator=50)


@settings(max_examples=settings().max_examples // 4)
@given(alpha=ALPHAS, count=COUNTS)
def test_the_largest_growth_is_exactly_one_step(alpha, count):
    step = scale(count + largest_growth_real(count, alpha), alpha, MP) - scale(count, alpha, MP)
    assert abs(step - 1) < MP.mp.mpf(10) ** -50


@settings(max_examples=settings().max_examples // 4)
@given(alpha=ALPHAS, own=COUNTS, rest=COUNTS, share=st.fractions(0, 1, max_denominator=30))
def test_no_neighbor_moves_the_scale_by_more_than_one_step(alpha, own, rest, share):
    before, grown = own + rest, own + rest + share * largest_growth_real(own, alpha)
    with enclosing():
        step = scale(grown, alpha, ARB) - scale(before, alpha, ARB)
        assert not step < 0
        assert not step > 1


@settings(max_examples=settings().max_examples // 4)
@given(alpha=ALPHAS, count=COUNTS)
def test_the_scale_is_the_largest_of_its_pieces_and_has_an_inverse(alpha, count):
    value = scale(count, alpha, MP)
    near = joints(count, alpha)[0]
    others = (j for j in range(max(0, near - 3), near + 4) if count + j > 0)
    tiny = MP.mp.mpf(10) ** -48
    assert all(piece(MP.number(count), j, alpha, MP) <= value + tiny for j in others)
    assert abs(inverse(value, alpha, MP) - MP.number(count)) < tiny


@pytest.mark.parametrize("output", [Fraction(-7, 3), Fraction(1, 3), Fraction(40, 3), Fraction(1000, 3)])
@pytest.mark.parametrize("epsilon", [Fraction(1, 2), 3])
def test_the_density_is_the_slope_of_the_distribution_function(epsilon, output):
    law = GrowthLaplaceMechanism(Fraction(1, 10), epsilon).output((20,))
    slope = mpmath.diff(lambda x: law.cdf(x), MP.number(output))
    assert mpmath.exp(law.log_density(MP.number(output))) == pytest.approx(slope, rel=1e-8)


def test_a_ball_that_straddles_a_joint_is_carried_over_and_back():
    alpha = Fraction(1, 10)
    with enclosing():
        there = scale(ARB.number(9).union(ARB.number(Fraction(901, 100))), alpha, ARB)
        assert scale(Fraction(9), alpha, ARB) in there
        assert scale(Fraction(901, 100), alpha, ARB) in there
        assert 9 in inverse(there, alpha, ARB)


@pytest.mark.few(3)
@pytest.mark.parametrize(("alpha", "epsilon"), [("1/10", 2), ("1/5", "1/4"), ("7/3", 2)])
@pytest.mark.parametrize("count", [0, 1, 9, 10, 25])
def test_the_expected_errors_are_the_integrals_of_the_law(alpha, epsilon, count):
    mechanism = GrowthLaplaceMechanism(alpha, epsilon)
    law, mp = mechanism.output((count,)), MP.mp
    kinks = sorted({MP.number(1 / mechanism.alpha - j) for j in range(20)} | {mp.mpf(count)})
    inside = [k for k in kinks if 0 < k < count]
    beyond = [k for k in kinks if k > count]
    with mp.workdps(25):
        below = mp.quad(law.cdf, [0, *inside, count]) if count else 0
        tail = mp.quad(lambda t: 1 - law.cdf(t), [count, *beyond, 2 * count + 50, 10**4, mp.inf])
    above, found = mean_errors(Fraction(count), mechanism.alpha, mechanism.epsilon)
    assert abs(found - below) < 1e-9
    if above == mp.inf:
        assert mechanism.epsilon < mp.log(1 + MP.number(mechanism.alpha)) * 1.0001
    else:
        assert abs(above - tail) < 1e-6 * (1 + above)


@pytest.mark.parametrize(("alpha", "count"), [("1/10", 0), ("1/10", 7), ("1/40", 30), ("2/3", 25)])
def test_the_errors_of_the_staircase_are_the_sums_over_its_steps(alpha, count):
    """Step by step and joint by joint, to e^(−42) of the mass, by Gauss's rule for the area of e^(L·y)."""
    made, mp = GrowthStaircaseMechanism(alpha, 3), MP.mp
    law, found = made.output((count,)).noisy, {1: mp.mpf(0), -1: mp.mpf(0)}
    for side, end in ((1, made.up), (-1, made.down)):
        edges = [law.center, *(law.center + side * MP.number(end + k) for k in range(15))]
        for near, far in pairwise(edges):
            low, high = sorted((near, far))
            density = mp.exp(law.log_density((low + high) / 2))
            joint = min(max(mp.ceil(low), low), high)
            for a, b in ((low, joint), (joint, high)):
                with mp.workdps(25):
                    area = mp.quad(
                        lambda y: max(0, inverse(y, made.alpha, MP)), _signs(a, b, made.alpha), maxdegree=4
                    )
                found[side] += side * density * (area - count * (b - a))
    stated = staircase_errors(Fraction(count), made.alpha, made.epsilon, made.down, made.up)
    assert stated == pytest.approx((found[1], found[-1]), rel=1e-15)


def _signs(low: object, high: object, alpha: Fraction) -> list[object]:
    """The ends of an interval, and where outputs are 0 in it."""
    zero = scale(Fraction(0), alpha, MP)
    return [low, zero, high] if low < zero < high else [low, high]


@pytest.mark.parametrize("epsilon", ["1/100", "1"])
def test_a_small_alpha_gives_the_errors_of_noise_in_whole_workers(epsilon):
    """As α falls, errors of counts below 1/α tend to those of a staircase law with whole steps."""
    alpha, n = Fraction(1, 10**6), Fraction(5)
    made, law = GrowthStaircaseMechanism(alpha, epsilon), GrowthLaplaceMechanism(alpha, epsilon)
    above, below = staircase_errors(n, alpha, made.epsilon, made.down, made.up)
    assert above < 1 / MP.number(made.epsilon)
    assert below < min(above * (1 + MP.number(10 * alpha) / made.epsilon), 5)
    unbiased = UnbiasedGrowthStaircaseMechanism(alpha, epsilon)
    assert 2 * above == pytest.approx(unbiased.mean_absolute_error(n), rel=1e-3)
    assert mean_errors(n, alpha, law.epsilon)[0] == pytest.approx(1 / (2 * MP.number(law.epsilon)), rel=1e-3)


@pytest.mark.parametrize(
    ("alpha", "epsilon", "most"), [("10", "8", "0.0123"), ("2", "2", "0.288"), ("1", "1", "0.9")]
)
def test_the_flat_part_is_the_best_where_no_flat_part_is_worse_than_the_constant(alpha, epsilon, most):
    """Errors that ends on a coarse grid have, and those near the ones that are taken."""
    α, ε = Fraction(alpha), Fraction(epsilon)
    down, up = flat_part(α, ε)
    least = large_error(α, ε, down, up, MP)
    assert least <= MP.number(Fraction(most))
    for a, b in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        ends = [max(Fraction(0), end + step / Fraction(100)) for end, step in ((down, a), (up, b))]
        assert large_error(α, ε, *ends, MP) >= least - MP.number(Fraction(1, 10**9))
