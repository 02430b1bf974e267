"""Input noise infusion, worked out by hand at s = 1/10, t = 1/2 and S = 5/2."""

from fractions import Fraction as F
from itertools import product

import pytest

from establish.spec.mechanisms.noise_infusion import FactorRange, NoiseInfusion, rounded
from establish.spec.parameters import ParameterError

RANGE = FactorRange("1/10", "1/2")
INFUSION = NoiseInfusion(RANGE)
ONE = F(1)


def test_factors_lie_on_both_sides_of_one_and_the_ends_are_included():
    inside = [F(1, 2), F(3, 4), F(9, 10), F(11, 10), F(3, 2)]
    outside = [F(49, 100), F(91, 100), ONE, F(109, 100), F(151, 100)]
    assert [f in RANGE for f in inside] == [True] * 5
    assert [f in RANGE for f in outside] == [False] * 5


@pytest.mark.parametrize(("s", "t"), [(0, F(1, 2)), (F(1, 2), F(1, 2)), (F(3, 5), F(1, 2)), (F(1, 2), 1)])
def test_a_range_without_a_gap_or_that_reaches_zero_is_refused(s, t):
    with pytest.raises(ParameterError, match=f"s = {s}, t = {t}"):
        FactorRange(s, t)


def test_the_uniform_law_has_half_its_mass_on_each_interval():
    # [1/2, 9/10] and [11/10, 3/2], each 2/5 long: density 5/4.
    values = {F(1, 2): 0, F(7, 10): F(1, 4), F(9, 10): F(1, 2), ONE: F(1, 2)}
    values |= {F(11, 10): F(1, 2), F(13, 10): F(3, 4), F(3, 2): 1, F(0): 0, F(2): 1}
    assert {x: RANGE.uniform_cdf(x) for x in values} == values


def test_the_table_of_one_establishment_is_its_histogram_times_the_factor():
    assert INFUSION.distorted(F(11, 10), (0, 1, 10)) == (0, F(11, 10), 11)
    assert INFUSION.published([(0, 3, 10)], [F(11, 10)]) == {(0, F(33, 10), 11): 1}


def test_the_table_of_several_establishments_is_the_sum_of_their_distorted_histograms():
    # 9/10·10 + 11/10·10 = 20 equals the true sum: only single counts are bounded away.
    assert INFUSION.infused([(10, 2), (10, 0)], [F(9, 10), F(11, 10)]) == (20, F(9, 5))


def test_small_true_counts_are_replaced_by_one_or_two_whatever_was_infused():
    half = F(1, 2)
    assert INFUSION.published([(2,)], [F(3, 2)]) == {(1,): half, (2,): half}
    assert INFUSION.published([(1,), (1,)], [F(3, 2), F(3, 2)]) == {(1,): half, (2,): half}
    assert INFUSION.published([(2,), (1,)], [F(3, 2), F(3, 2)]) == {(F(9, 2),): 1}


def test_small_cells_are_drawn_independently():
    law = INFUSION.published([(1, 2, 3)], [F(3, 2)])
    assert law == {(a, b, F(9, 2)): F(1, 4) for a, b in product((1, 2), repeat=2)}


def test_the_law_of_the_draw_can_be_chosen():
    faithful = NoiseInfusion(RANGE, small_cells=lambda count, limit: {count: ONE})
    assert faithful.published([(1, 2)], [F(3, 2)]) == {(1, 2): 1}


@pytest.mark.parametrize("law", [{0: ONE}, {3: ONE}, {1: F(1, 2)}, {1: F(3, 2), 2: F(-1, 2)}])
def test_a_draw_that_is_not_a_law_on_one_to_the_floor_of_the_limit_is_refused(law):
    infusion = NoiseInfusion(RANGE, small_cells=lambda count, limit: law)
    with pytest.raises(ParameterError, match="small_cells"):
        infusion.published([(1,)], [F(3, 2)])


def test_a_limit_of_at_most_one_replaces_nothing_and_an_integer_limit_not_itself():
    assert NoiseInfusion(RANGE, 1).published([(1,)], [F(3, 2)]) == {(F(3, 2),): 1}
    three = NoiseInfusion(RANGE, 3)
    assert [three.is_small(n) for n in range(5)] == [False, True, True, False, False]
    assert set(three.published([(2,)], [F(3, 2)])) == {(1,), (2,), (3,)}


def test_rounding_is_to_the_nearest_integer_with_halves_up():
    assert [rounded(F(n, 4)) for n in range(9)] == [0, 0, 1, 1, 1, 1, 2, 2, 2]
    infusion = NoiseInfusion(RANGE, rounding=True)
    assert infusion.published([(3, 5, 10)], [F(11, 10)]) == {(3, 6, 11): 1}


def test_unknown_factors_average_the_laws_of_the_table():
    low, high = F(1, 2), F(3, 2)
    law = INFUSION.output([(4,), (4,)], {low: F(1, 4), high: F(3, 4)})
    assert law == {(4,): F(1, 16), (8,): F(6, 16), (12,): F(9, 16)}


@pytest.mark.parametrize(
    ("histograms", "factors", "message"),
    [
        ([(3,)], [F(1)], "factor = 1"),
        ([(3,)], [], "one distortion factor"),
        ([(3,), (3, 4)], [F(3, 2)] * 2, "same cells"),
        ([], [], "same cells"),
        ([()], [F(3, 2)], "same cells"),
        ([(-1,)], [F(3, 2)], "at least 0"),
    ],
)
def test_bad_input_is_refused(histograms, factors, message):
    with pytest.raises(ParameterError, match=message):
        INFUSION.published(histograms, factors)


def test_a_negative_limit_is_refused():
    with pytest.raises(ParameterError, match="limit = -1"):
        NoiseInfusion(RANGE, -1)
