"""The algorithms of Appendix A of Webb et al. as functions of their draws; values worked out by hand."""

from fractions import Fraction as F

import pytest

from establish.spec.parameters import ParameterError
from establish.spec.synthetic import UnsetError, divider, six_digit
from establish.spec.synthetic.county_employment import (
    Industry,
    adjusted,
    adjusted_as_published,
    employment,
    employment_as_published,
    start,
    start_as_published,
)
from establish.spec.synthetic.county_wages import CountyPayroll, bound, bound_as_published, wage_as_published
from establish.spec.synthetic.microdata import Draws, Totals, establishments, key, with_dominant
from establish.spec.synthetic.month_2 import (
    month_2,
    month_2_as_published,
    nearest,
    variance,
    variance_in_text,
)

ONES = (F(1), F(1))


def test_a_total_is_divided_into_whole_parts_at_its_cumulative_totals():
    # Shares 1/4, 1/4, 1/2 of 5 reach 1.25, 2.5, 5; with offset 1/2 the floors are 1, 3, 5.
    assert divider.divided([F(1), F(1), F(2)], 5, F(1, 2)) == (1, 2, 2)
    assert divider.divided([F(1), F(1), F(2)], 5, F(0)) == (1, 1, 3)
    assert divider.divided([F(1), F(1), F(2)], 5, F(4, 5)) == (2, 1, 2)


def test_zero_weights_divide_evenly_and_no_parts_take_nothing():
    assert divider.divided([F(0), F(0), F(0)], 6, F(0)) == (2, 2, 2)
    assert divider.divided([F(0), F(3)], 4, F(1, 2)) == (0, 4)
    assert divider.divided([], 0, F(0)) == ()


@pytest.mark.parametrize(
    ("weights", "total", "offset"), [(ONES, -1, F(0)), ((), 3, F(0)), (ONES, 1, F(1)), (ONES, 1, F(-1, 9))]
)
def test_a_total_that_cannot_be_divided_is_refused(weights, total, offset):
    with pytest.raises(ParameterError, match="is not allowed"):
        divider.divided(weights, total, offset)


def test_as_published_parts_are_real_numbers_and_no_parts_are_an_error():
    assert divider.divided_as_published([F(1), F(2)], F(1)) == (F(1, 3), F(2, 3))
    with pytest.raises(ZeroDivisionError):
        divider.divided_as_published([], F(1))


def test_dirichlet_moments_of_a_uniform_simplex_of_three():
    # Dirichlet(1, 1, 1): one share is Beta(1, 2), mean 1/3, variance 1/18; the variance of p1 + p2 is that of
    # p3, so the covariance is (1/18 − 2/18)/2.
    assert divider.mean_share(F(1), F(3)) == F(1, 3)
    assert divider.variance_share(F(1), F(3)) == F(1, 18)
    assert divider.covariance_share(F(1), F(1), F(3)) == F(-1, 36)


def test_variances_of_month_2():
    # |8 − 2|/(8 + 2) = 3/5.
    assert variance(F(1, 2), F(2), F(8)) == F(3, 5)
    assert variance_in_text(F(1, 2), F(2), F(8)) == F(3, 10)
    assert variance(F(1), F(4), F(4)) == 0


def test_month_2_is_zero_between_zeros_and_at_least_one_between_jobs():
    assert month_2_as_published(F(0), F(0), F(9)) == 0
    assert month_2_as_published(F(2), F(5), F(1)) == F(9, 2)
    assert month_2_as_published(F(2), F(4), F(-3)) == 1
    assert month_2_as_published(F(0), F(4), F(-3)) == 0
    assert month_2_as_published(F(2), F(4), F(-11, 4)) == F(1, 4)
    assert month_2(2, 4, F(-11, 4)) == 1
    assert month_2(2, 5, F(0)) == 4  # 3.5, halves up
    assert [nearest(F(n, 4)) for n in (-2, 1, 2, 3)] == [0, 0, 1, 1]


def test_the_published_start_leaves_months_unset_where_one_end_is_missing():
    both, none = Industry(F(4), F(6), F(5)), Industry(None, None, F(5), model=F(3))
    assert start_as_published(both) == start(both) == (4, 6)
    assert start_as_published(none) == start(none) == (3, 5)
    with pytest.raises(UnsetError, match="m3emp"):
        start_as_published(Industry(None, F(6), F(5)))
    with pytest.raises(UnsetError, match="m1emp"):
        start_as_published(Industry(F(4), None, F(5)))
    assert start(Industry(None, F(6), F(5), model=F(3))) == (3, 6)
    assert start(Industry(F(4), None, F(5))) == (4, 5)


def test_the_county_total_is_overshot_as_published_and_met_as_corrected():
    assert adjusted_as_published([F(1), F(3)], F(8)) == [3, 9]
    assert adjusted([F(1), F(3)], F(8)) == [2, 6]
    assert adjusted_as_published([F(0), F(0)], F(8)) == adjusted([F(0), F(0)], F(8)) == [4, 4]
    assert adjusted([F(1), F(3)], F(-8)) == [0, 0]


def test_a_county_as_published_and_as_corrected():
    cells = [Industry(F(6), F(4), F(4)), Industry(None, F(2), F(2), model=F(4), emp_s=F(1))]
    # R = 8 − 6 = 2: as published 4 + 2·4/4 = 6, and month 2 is (4 + 2)/2; as corrected 2, month 2 is 2.
    assert employment_as_published(cells, F(8)) == [(6, 5, 4), (6, 3, 2)]
    assert employment(cells, F(8)) == [(6, 5, 4), (2, 2, 2)]
    assert employment(cells, None) == [(6, 5, 4), (4, 3, 2)]
    # R = 0 leaves nothing, but stable employment is 1.
    assert employment(cells, F(6))[1] == (1, F(3, 2), 2)
    with pytest.raises(ZeroDivisionError):
        employment_as_published([Industry(None, F(1), F(1), model=F(-1))], None)


COUNTY = CountyPayroll(
    four={"111a": F(3)}, three={"111": F(10), "112": F(5)}, sector={"11": F(20)}, total=F(50)
)


def test_wage_bounds_come_from_the_lowest_published_level():
    assert bound("111b", COUNTY) == bound_as_published("111b", COUNTY) == 7  # 10 − 3
    assert bound("113a", COUNTY) == bound_as_published("113a", COUNTY) == 5  # 20 − 10 − 5
    assert bound("221a", COUNTY) == 30  # 50 − 20
    with pytest.raises(UnsetError, match="j′"):
        bound_as_published("221a", COUNTY)
    with pytest.raises(UnsetError, match="suppressed"):
        bound("221a", CountyPayroll({}, {}, {}, None))


def test_wages_of_algorithm_3():
    common = {"job_months": F(6), "root": F(-3), "known": F(2), "upper": F(10)}
    assert wage_as_published(published=F(99), earnings=F(1), **common) == 99
    assert wage_as_published(published=None, earnings=F(1), **common) == 6
    assert wage_as_published(published=None, earnings=F(0), **common) == 2
    assert wage_as_published(published=None, earnings=None, **common) == 10  # min(10, 9 + 2)


def test_six_digit_employment_is_scaled_to_the_cell():
    imputed = [F(1), F(3)]
    assert six_digit.months_3_as_published(imputed, F(4), F(8)) == six_digit.months_3(imputed, F(8)) == [2, 6]
    assert six_digit.months_3_as_meant(imputed, F(4), F(0)) == [1, 3]
    assert six_digit.months_3(imputed, F(0)) == [0, 0]
    assert six_digit.months_3([F(0), F(0)], F(5)) == [F(5, 2), F(5, 2)]
    assert six_digit.scale_in_text(F(4), F(8)) == F(1, 2)
    assert six_digit.scale_in_text(F(4), F(0)) == 1
    with pytest.raises(UnsetError, match="line 15"):
        six_digit.months_3_as_published(imputed, F(4), F(0))


def test_suppressed_cells_receive_what_is_left():
    cells = {"a": F(2), "b": None, "c": None}
    assert six_digit.receivers(cells) == ["b", "c"]
    assert six_digit.receivers_as_published(cells) == []
    assert six_digit.left_over(cells, F(7)) == 5


def test_keys_count_on_across_cells():
    assert [key(0, 1), key(0, 2), key(2, 1)] == [1, 2, 3]


def test_a_dominant_establishment_has_its_share_of_the_concentration():
    # 3/4 against the 1 + 2 of the others: 9 of 12.
    assert with_dominant([F(1), F(7), F(2)], 1, F(3, 4)) == (1, 9, 2)
    assert with_dominant([F(7)], 0, F(3, 4)) == (7,)
    with pytest.raises(ParameterError, match="dominant"):
        with_dominant([F(1), F(7)], 1, 1)


def test_establishments_of_a_small_cell():
    cell = Totals(establishments=2, month_1=6, month_2=6, month_3=3, wages=11)
    draws = Draws(
        month_1=(F(3), F(2)),
        month_3=ONES,
        wages=ONES,
        noise=(F(0), F(1, 2)),
        offsets=(F(0), F(1, 2), F(3, 4), F(1, 4)),
    )
    first, second = establishments(cell, draws)
    # Month 1: ⌊3.6 + 0⌋ = 3 of 6. Month 3: ⌊1.5 + 0.75⌋ = 2 of 3. Month 2: 2.5 and 2 + 0.5 are 3 and 3 with
    # halves up, which give ⌊3 + 0.5⌋ = 3 of 6. Wages: ⌊5.5 + 0.25⌋ = 5 of 11.
    assert (first.month_1, first.month_2, first.month_3, first.wages) == (3, 3, 2, 5)
    assert (second.month_1, second.month_2, second.month_3, second.wages) == (3, 3, 1, 6)
    # Without the noise the second has weight 2, and the first ⌊3.6 + 0.5⌋ = 4 of 6.
    quiet = Draws(draws.month_1, draws.month_3, draws.wages, (F(0), F(0)), draws.offsets)
    assert [row.month_2 for row in establishments(cell, quiet)] == [4, 2]


def test_impossible_cells_and_draws_of_another_length_are_refused():
    with pytest.raises(ParameterError, match="without establishments"):
        Totals(0, 1, 0, 0, 0)
    with pytest.raises(ParameterError, match=">= 0"):
        Totals(1, 0, -1, 0, 0)
    draws = Draws(ONES, ONES, ONES, ONES, (F(0),) * 4)
    with pytest.raises(ParameterError, match="one value per establishment"):
        establishments(Totals(3, 1, 1, 1, 1), draws)


def test_values_are_rounded_to_the_nearest_whole_number_and_halves_upward():
    for value in (F(k, 6) for k in range(-20, 21)):
        found = nearest(value)
        assert found == int(found)
        assert -F(1, 2) < found - value <= F(1, 2)
