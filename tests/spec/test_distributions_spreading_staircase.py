"""The law whose steps spread: its density and distribution function of a ball enclose those of its points."""

from fractions import Fraction as F
from itertools import combinations

import pytest

from establish.spec.arithmetic import ARB, enclosing
from establish.spec.distributions.spreading_staircase import SpreadingStaircase

PLACES = tuple(map(F, ("-40", "-9/2", "-1", "-1/3", "0", "1/5", "3/4", "7/2", "60")))


@pytest.mark.parametrize("even", [False, True])
def test_a_ball_encloses_what_its_points_have(even):
    with enclosing():
        law = SpreadingStaircase(ARB.number(0), ARB.number(1), F(1, 10), F(3, 2), F(1, 4), F(2, 5), ARB, even)
        for low, high in combinations(PLACES, 2):
            ball = ARB.number(low).union(ARB.number(high))
            density, through = law.log_density(ball), law.cdf(ball)
            places = [low + (high - low) * F(k, 10) for k in range(11)]
            for x in map(ARB.number, (*places, *(x for x in PLACES if low < x < high))):
                assert law.log_density(x).overlaps(density)
                assert law.cdf(x).overlaps(through)
