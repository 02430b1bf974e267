"""The least-squares line and its prediction, against other ways to compute them."""

from fractions import Fraction as F

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from establish.spec.regression.ols import Line, Moments, fit, line, moments, predict

UNIT = st.sampled_from(sorted({F(part, whole) for whole in range(1, 13) for part in range(whole + 1)}))
POINTS = st.lists(st.tuples(UNIT, UNIT), min_size=2, max_size=7)


def test_three_points_by_hand():
    # Ranks 0, 1/2, 1 and outcomes 0, 0, 1: mean 1/3 at rank 1/2, slope (1/2·1)/(1/2) = 1.
    points = ((F(0), F(0)), (F(1, 2), F(0)), (F(1), F(1)))
    assert fit(points) == Line(F(-1, 6), F(1))
    assert predict(points, F(1, 2)) == F(1, 3)
    assert predict(points, F(0)) == F(-1, 6)


def test_two_points_are_met_exactly():
    points = ((F(1, 4), F(1)), (F(3, 4), F(1, 2)))
    assert [predict(points, rank) for rank, _ in points] == [F(1), F(1, 2)]


@pytest.mark.parametrize("points", [(), ((F(1, 2), F(1)),), ((F(1, 2), F(1)), (F(1, 2), F(0)))], ids=len)
def test_without_two_different_ranks_there_is_no_prediction(points):
    assert fit(points) is None
    assert predict(points, F(1, 2)) is None


@given(POINTS, UNIT, UNIT)
def test_no_other_line_has_a_smaller_sum_of_squares(points, a, b):
    found = fit(points)
    if found is None:
        assert len({rank for rank, _ in points}) == 1
        return

    def squares(candidate):
        return sum((y - candidate.at(x)) ** 2 for x, y in points)

    others = [Line(a, b), Line(found.intercept + a, found.slope), Line(found.intercept, found.slope + b)]
    assert all(squares(found) <= squares(other) for other in others)


@given(POINTS, UNIT)
def test_the_prediction_is_the_one_of_numpy(points, rank):
    ranks = [float(x) for x, _ in points]
    if max(ranks) - min(ranks) < 0.05:
        return
    slope, intercept = np.polyfit(ranks, [float(y) for _, y in points], 1)
    assert float(predict(points, rank)) == pytest.approx(intercept + slope * float(rank), abs=1e-8)


@given(POINTS, st.tuples(UNIT, UNIT))
def test_removing_what_was_added_gives_the_moments_back(points, extra):
    before = moments(points)
    after = before.plus(*extra)
    assert after == moments([*points, extra])
    assert after.plus(*extra, times=-1) == before


def test_the_line_solves_the_normal_equations_for_all_moments():
    n, x, y, xx, xy = sympy.symbols("n x y xx xy")
    found = line(Moments(n, x, y, xx, xy))
    assert sympy.simplify(found.intercept * n + found.slope * x - y) == 0
    assert sympy.simplify(found.intercept * x + found.slope * xx - xy) == 0
