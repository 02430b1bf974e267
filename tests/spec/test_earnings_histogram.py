"""The protected histogram: counts, the law of the noise, and the law of its total."""

from fractions import Fraction as F
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from establish.spec.arithmetic import EXACT, MP
from establish.spec.distributions import geometric
from establish.spec.earnings.bins import Bins
from establish.spec.earnings.histogram import (
    ProtectedHistogram,
    distance,
    histogram,
    joint_mass,
    outside,
    total_noise_mass,
)
from establish.spec.parameters import ParameterError

BINS = Bins((0, 10, 20), open_top=False)


def test_counts_and_those_outside_add_up_to_everybody():
    earnings = (-1, 0, 5, 10, 19, 20, 30)
    assert histogram(earnings, BINS) == (2, 2)
    assert outside(earnings, BINS) == 3


@given(st.lists(st.integers(-5, 25)))
def test_nobody_is_counted_twice(earnings):
    assert sum(histogram(earnings, BINS)) + outside(earnings, BINS) == len(earnings)


def test_the_loss_is_epsilon_times_the_distance():
    # e^ε = 2: from (1, 0) to (0, 1) the ratio at (1, 0) is 2², at (0, 1) it is 1/2²
    half = F(1, 2)
    worst = max(
        joint_mass(o, (1, 0), half, EXACT) / joint_mass(o, (0, 1), half, EXACT)
        for o in product(range(-4, 5), repeat=2)
    )
    assert worst == 2 ** distance((1, 0), (0, 1)) == 4


@pytest.mark.parametrize("bins", [1, 2, 3, 4])
@pytest.mark.parametrize("ratio", [F(1, 3), F(1, 2)])
def test_the_total_noise_is_the_convolution_of_its_parts(bins, ratio):
    reach = 60
    single = {k: geometric.mass(k, ratio, EXACT) for k in range(-reach, reach + 1)}
    law = {0: F(1)}
    for _ in range(bins):
        law_next = {}
        for a, p in law.items():
            for b, q in single.items():
                if abs(a + b) <= reach:
                    law_next[a + b] = law_next.get(a + b, 0) + p * q
        law = law_next
    for k in (0, 1, -1, 2, 5, -9):
        assert abs(law[k] - total_noise_mass(k, bins, ratio, EXACT)) < F(1, 10**10)


def test_the_total_noise_has_probability_one_in_all():
    whole = sum(total_noise_mass(k, 3, F(1, 2), EXACT) for k in range(-80, 81))
    assert 0 < 1 - whole < F(1, 10**15)


def test_there_is_at_least_one_bin():
    with pytest.raises(ParameterError, match="bins"):
        total_noise_mass(0, 0, F(1, 2), EXACT)


def test_the_mechanism_centers_its_noise_at_the_counts():
    laws = ProtectedHistogram(BINS, 1).output((5, 5, 12))
    assert [law.center for law in laws] == [2, 1]
    assert abs(laws[0].mass(2) / laws[0].mass(3) - MP.exp(MP.number(1))) < MP.number(10) ** -50
