"""The scale of outputs without bias: its mean by quadrature, its inverse, and where it does not exist."""

from fractions import Fraction
from itertools import pairwise

import flint
import mpmath
import pytest

from establish.spec.arithmetic import ARB, MP, enclosing
from establish.spec.growth_scale import scale
from establish.spec.mechanisms import growth_staircase
from establish.spec.parameters import ParameterError
from establish.spec.unbiased_growth import UnbiasedScale, own_places

CASES = [("1/10", "2"), ("1/100", "1/4"), ("1/5", "4"), ("3/10", "1"), ("2/7", "1"), ("1", "2")]


@pytest.mark.small_campaign
@pytest.mark.parametrize(
    ("alpha", "epsilon"),
    [pytest.param(*case, marks=[pytest.mark.campaign] * (case[1] in ("1/4", "1"))) for case in CASES],
)
def test_mean_and_error_are_those_of_quadrature(alpha, epsilon):
    """Over 60/ε + 1 steps on both sides, between all places at which the integrand is not smooth; e^(−60) of
    the mass lies beyond, and its mean is far below 1e-9.
    """
    made = growth_staircase.UnbiasedGrowthStaircaseMechanism(alpha, epsilon)
    outputs, α = made.outputs(MP), made.alpha
    edge = round(1 / α)
    for n in (0, edge - 1, edge, edge + 1, edge + 2, 5 * edge, 1000):
        if n < 0:
            continue
        law = made.noisy(scale(Fraction(n), α, MP))
        steps = range(int(60 / made.epsilon) + 2)
        ends = [law.center + made.up + k for k in steps]
        ends += [law.center - made.down - k for k in steps]
        middle = outputs.position(Fraction(n))
        places = sorted([*ends, middle, *map(MP.number, outputs.breaks)])
        places = [y for y in places if min(ends) <= y <= max(ends)]
        mean = error = 0.0
        with MP.mp.workdps(20):
            for a, b in pairwise(places):
                if b - a < 1e-15:
                    continue
                density = MP.exp(law.log_density((a + b) / 2))
                part = density * (MP.mp.quad(outputs.value, [a, b], maxdegree=4) - n * (b - a))
                mean, error = mean + part, error + abs(part)
        assert abs(mean) < 1e-9 * (n + 1)
        assert float(error) == pytest.approx(float(made.mean_absolute_error(Fraction(n))), rel=1e-9)


@pytest.mark.parametrize("share", [Fraction(2, 3), Fraction(31, 30), Fraction(7, 5)])
def test_the_density_is_the_slope_of_the_distribution_function(share):
    law = growth_staircase.UnbiasedGrowthStaircaseMechanism("1/10", 2).output((100,))
    output = MP.number(100 * share)
    slope = mpmath.diff(law.cdf, output)
    assert mpmath.exp(law.log_density(output)) == pytest.approx(slope, rel=1e-8)


@pytest.mark.parametrize(("alpha", "epsilon"), CASES)
def test_the_limit_of_the_error_is_that_of_a_large_count(alpha, epsilon):
    made = growth_staircase.UnbiasedGrowthStaircaseMechanism(alpha, epsilon)
    n = 10**9
    limit = growth_staircase.large_unbiased_error(made.alpha, made.epsilon, made.down, made.up, MP)
    at_n = made.mean_absolute_error(Fraction(n)) / (MP.number(made.alpha) * n)
    assert float(at_n) == pytest.approx(float(limit), rel=1e-12)
    m = growth_staircase.mean_growth(made.alpha, made.epsilon, made.down, made.up, MP)
    middle = MP.log(m) / MP.log(1 + MP.number(made.alpha))
    assert 0 < middle < MP.number(made.up), "it is on the flat part"


@pytest.mark.parametrize(("alpha", "epsilon"), CASES)
def test_position_and_value_are_inverse_in_balls(alpha, epsilon):
    made = growth_staircase.UnbiasedGrowthStaircaseMechanism(alpha, epsilon)
    with enclosing():
        outputs = made.outputs(ARB)
        for x in map(Fraction, (0, -1000, "1/3", 10, 11, 10**6)):
            place = outputs.position(x)
            assert outputs.value(place).contains(ARB.number(x))
            assert place.rad() < flint.arb(2) ** -120
        for y in outputs.breaks:
            near = Fraction(1, 2**60)
            sides = [outputs.value(ARB.number(y + shift)) for shift in (-near, near)]
            assert 0 < sides[1] - sides[0] < flint.arb(2) ** -45 / ARB.number(made.alpha)


def test_it_is_asked_for_where_it_does_not_exist():
    with pytest.raises(ParameterError, match="outputs that increase"):
        growth_staircase.UnbiasedGrowthStaircaseMechanism("1/5", "1/2")
    low, high = own_places(Fraction(9, 10), Fraction(1, 20), Fraction(1, 20))
    assert low > high, "no place is led to from N alone"
    assert not UnbiasedScale(Fraction(1, 100), Fraction(1, 20), Fraction(2, 3), Fraction(1, 5)).increases()
