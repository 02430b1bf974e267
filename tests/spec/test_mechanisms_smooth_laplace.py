"""The ideal Smooth Laplace mechanism: its exact δ against integrals of output densities."""

from fractions import Fraction as F
from itertools import pairwise
from math import floor

import pytest

from establish.spec.arithmetic import ARB, EXACT, MP, enclosing
from establish.spec.distributions.laplace import Laplace
from establish.spec.mechanisms import smooth_laplace
from establish.spec.mechanisms.smooth_laplace import SmoothLaplaceMechanism
from establish.spec.parameters import ParameterError

SMALL = MP.mp.mpf(10) ** -25
POINTS = [(F(1, 10), F(2)), (F(1, 100), F(1, 4)), (F(1, 5), F(4)), (F(1), F(10))]
each_point = pytest.mark.parametrize(("alpha", "epsilon"), POINTS, ids=str)


def excess(q, p, epsilon):
    """∫ (q − e^ε·p)₊ for two Laplace laws.

    ln(q/p) is linear between the centers and beyond them, so on each of the three pieces the
    integrand is positive on one interval, whose end is found by bisection.
    """
    reach = 3000 * max(p.scale, q.scale)
    low, high = sorted((p.center, q.center))
    ends = [low - reach, low, high, high + reach]

    def gain(o):
        return q.log_density(o) - p.log_density(o) - epsilon

    def density(o):
        return MP.exp(q.log_density(o)) - MP.exp(epsilon + p.log_density(o))

    total = MP.number(0)
    for a, b in pairwise(ends):
        left, right = gain(a) > 0, gain(b) > 0
        if not (left or right):
            continue
        if left != right:
            inside, outside = (a, b) if left else (b, a)
            for _ in range(200):
                middle = (inside + outside) / 2
                inside, outside = (middle, outside) if gain(middle) > 0 else (inside, middle)
            a, b = (a, inside) if left else (inside, b)
        # from the end nearer to the centers outward, in growing steps
        near, far, step = (a, b, q.scale) if a >= low else (b, a, -q.scale)
        steps = [near + step * m for m in (1, 4, 16, 64, 256)]
        parts = [near, *(o for o in steps if a < o < b), far]
        total += abs(MP.mp.quad(density, parts))
    return total


def mechanism_of(alpha, epsilon):
    """The mechanism with the largest δ there is, for its output laws."""
    return SmoothLaplaceMechanism(alpha, epsilon, F(99, 100))


def both_ways(mechanism, first, second):
    p, q = mechanism.output(first), mechanism.output(second)
    epsilon = MP.number(mechanism.epsilon)
    return max(excess(q, p, epsilon), excess(p, q, epsilon))


@pytest.mark.few(2)
@each_point
def test_the_extreme_pair_attains_the_exact_delta(alpha, epsilon):
    mechanism = mechanism_of(alpha, epsilon)
    exact = smooth_laplace.exact_delta(alpha, epsilon, MP)
    size = int(1 / alpha)
    for first, second in (((size,), (size + 1,)), ((20 * size,), (20 * size + 20,))):
        assert abs(both_ways(mechanism, first, second) / exact - 1) < SMALL


@pytest.mark.few(1)
@each_point
def test_no_other_neighbors_need_a_larger_delta(alpha, epsilon):
    mechanism = mechanism_of(alpha, epsilon)
    exact = smooth_laplace.exact_delta(alpha, epsilon, MP)
    size = int(1 / alpha)
    for first in ((0,), (3 * size + 1,), (size, 3), (size, size), (size, 2 * size), (1, 10 * size)):
        for more in {1, max(floor(alpha * first[0]), 1)}:
            assert both_ways(mechanism, first, (first[0] + more, *first[1:])) <= exact * (1 + SMALL)


@pytest.mark.small_campaign
def test_real_sizes_between_the_integers_need_no_larger_delta():
    alpha, epsilon = F(1, 10), F(2)
    mechanism = mechanism_of(alpha, epsilon)
    exact = smooth_laplace.exact_delta(alpha, epsilon, MP)
    found = [
        both_ways(mechanism, (x,), (x + share * max(alpha * x, 1),))
        for x in (F(19, 2), F(39, 4), F(21, 2))
        for share in (F(1, 2), F(9, 10), F(1))
    ]
    assert max(found) <= exact * (1 + SMALL)
    assert min(found) < exact / 2


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("slide", "ratio", "epsilon"),
    [(F(0), F(2), F(1)), (F(1, 2), F(3, 2), F(1)), (F(1), F(11, 10), F(1)), (F(2), F(5), F(3))],
    ids=str,
)
def test_the_formula_for_a_pair_is_the_integral_of_its_excess(slide, ratio, epsilon):
    p = Laplace(MP.number(0), MP.number(1))
    q = Laplace(MP.number(slide), MP.number(ratio))
    stated = MP.exp(smooth_laplace.log_pair_delta(MP.number(slide), MP.number(ratio), MP.number(epsilon), MP))
    assert abs(excess(q, p, MP.number(epsilon)) / stated - 1) < SMALL


def test_the_integral_that_these_tests_use_is_right_on_a_known_pair():
    # P = Laplace(0, 1), Q = Laplace(0, 2), ε = 0: q > p beyond |z| = 2·ln 2, where Q has 1/2 and P 1/4.
    p, q = Laplace(MP.number(0), MP.number(1)), Laplace(MP.number(0), MP.number(2))
    assert abs(excess(q, p, MP.number(0)) - MP.number(F(1, 4))) < SMALL
    assert abs(excess(p, q, MP.number(0)) - MP.number(F(1, 4))) < SMALL


@each_point
def test_the_opposite_direction_loses_what_is_stated_and_no_more(alpha, epsilon):
    mechanism = mechanism_of(alpha, epsilon)
    size = int(1 / alpha)
    p, q = mechanism.output((size,)), mechanism.output((size + 1,))
    stated = smooth_laplace.opposite_loss(alpha, epsilon, MP)
    found = [p.log_density(o) - q.log_density(o) for o in (size + F(k, 8) for k in range(-80, 81))]
    assert abs(max(found) - stated) < SMALL
    assert stated <= MP.number(epsilon)


def test_the_least_parameters_of_the_printed_condition():
    # 2·ln 20·ln 1.1 = 0.57104756..., and back
    least = smooth_laplace.least_epsilon(F(1, 10), F(1, 20), MP)
    assert abs(least - (2 * MP.log(MP.number(20)) * MP.log(MP.number(F(11, 10))))) < SMALL
    growth = MP.log(MP.number(F(11, 10)))
    assert abs(smooth_laplace.log_least_delta(F(1, 10), F(2), MP) + 1 / growth) < SMALL


@pytest.mark.parametrize("sizes", [(), (3,), (40, 7)], ids=str)
def test_the_expected_error_is_the_integral_of_the_density(sizes):
    law = SmoothLaplaceMechanism("0.1", 2, "1/1000").output(sizes)
    count, largest = sum(sizes), max(sizes, default=0)
    ends = [MP.number(m) * law.scale for m in (0, 1, 5, 25, 125)]
    error = 2 * MP.mp.quad(lambda t: t * MP.exp(law.log_density(count + t)), ends)
    stated = smooth_laplace.mean_absolute_error(largest, F(1, 10), F(2), EXACT)
    assert stated == max(F(largest, 10), 1)
    assert abs(error - MP.number(stated)) < SMALL


@each_point
def test_the_domain_ends_at_the_exact_delta_and_the_error_says_so(alpha, epsilon):
    exact = smooth_laplace.exact_delta(alpha, epsilon, MP)
    digits = 10 ** (12 - int(MP.mp.floor(MP.mp.log10(exact))))
    below = F(int(exact * digits), digits)
    with pytest.raises(ParameterError, match=r"needs exact δ\* <= δ"):
        SmoothLaplaceMechanism(alpha, epsilon, below)
    assert SmoothLaplaceMechanism(alpha, epsilon, below + F(1, digits)).noise_multiplier == (2 / epsilon)


def test_a_budget_below_the_growth_is_refused_and_the_inequality_named():
    # α = 1: ε/4 + ln 2 ≤ ε from ε = (4/3)·ln 2 = 0.92419...
    with pytest.raises(ParameterError, match=r"needs ε/\(2\(1 \+ α\)\) \+ ln\(1 \+ α\) <= ε"):
        SmoothLaplaceMechanism(1, "0.9241", F(1, 2))
    assert SmoothLaplaceMechanism(1, "0.9242", F(1, 2)).epsilon == F("0.9242")


def test_exact_delta_is_enclosed_narrowly():
    with enclosing():
        assert smooth_laplace.exact_delta(F(1, 10), F(2), ARB).rel_accuracy_bits() > 150
