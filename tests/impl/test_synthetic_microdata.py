"""The numpy generator of establishments: as the specification for the same draws, and of the stated law.

A mean of N independent values in an interval of length L is farther than L·√(ln(2/α)/(2N)) from its
expectation with probability at most α (Hoeffding); here α = 1e-9.
"""

from fractions import Fraction as F
from math import log, sqrt

import numpy as np
import pytest
from scipy.stats import beta, gamma, norm

from establish.impl.synthetic.divider import Groups, divided
from establish.impl.synthetic.microdata import Totals, establishments, month_2, month_2_scale, with_dominant
from establish.proofs_check.engine.methods.statistical import follows_law
from establish.spec.synthetic import divider as spec_divider
from establish.spec.synthetic import microdata as spec_microdata
from establish.spec.synthetic import month_2 as spec_month_2

ALPHA = 1e-9
MANY = 1_000_000
"""Groups of two in a statistical test."""


def hoeffding(length, number):
    return length * sqrt(log(2 / ALPHA) / (2 * number))


def whole(values):
    return np.asarray(values, dtype=np.int64)


def spread(rng, groups, high):
    return rng.integers(0, high, groups)


def test_groups_are_consecutive_rows():
    groups = Groups(whole([2, 1, 3]))
    assert groups.of_row.tolist() == [0, 0, 1, 2, 2, 2]
    assert groups.starts.tolist() == [0, 2, 3]
    assert groups.sums(np.array([1.0, 2, 3, 4, 5, 6])).tolist() == [3, 3, 15]


@pytest.mark.parametrize("seed", range(5))
def test_parts_are_those_of_the_specification_for_the_same_draws(seed):
    rng = np.random.default_rng(seed)
    groups = Groups(rng.integers(1, 6, 200))
    weights = rng.standard_gamma(2.0, groups.of_row.size)
    totals, offsets = rng.integers(0, 50, 200), rng.random(200)
    parts = divided(weights, groups, totals, offsets)
    for number, start in enumerate(groups.starts):
        rows = slice(start, start + groups.sizes[number])
        expected = spec_divider.divided(
            [F(w) for w in weights[rows]], int(totals[number]), F(offsets[number])
        )
        assert tuple(parts[rows]) == expected


def test_a_group_of_zero_weights_is_divided_evenly_beside_others():
    groups = Groups(whole([2, 3]))
    parts = divided(np.array([0.0, 0, 1, 0, 3]), groups, whole([8, 4]), np.array([0.0, 0.5]))
    assert parts.tolist() == [4, 4, 1, 0, 3]


def test_no_groups_have_no_parts():
    assert divided(np.zeros(0), Groups(whole([])), whole([]), np.zeros(0)).size == 0


def test_large_totals_of_many_groups_are_kept_and_near_their_shares():
    rng = np.random.default_rng(6)
    groups = Groups(rng.integers(1, 30, 60_000))
    weights = rng.standard_gamma(0.5, groups.of_row.size)
    totals = rng.integers(0, 10**9, groups.sizes.size)
    parts = divided(weights, groups, totals, rng.random(groups.sizes.size))
    assert np.array_equal(np.add.reduceat(parts, groups.starts), totals)
    assert parts.min() >= 0
    share = weights / groups.sums(weights)[groups.of_row]
    # Running totals of 1e6 shares are off by far less than 1e-12: less than 1/1000 of a total of 1e9.
    assert np.abs(parts - share * totals[groups.of_row]).max() < 1.001


def test_the_largest_total_is_kept():
    top = 2**53 - 1
    parts = divided(np.array([1.0, 2.0, 4.0]), Groups(whole([3])), whole([top]), np.array([0.25]))
    assert parts.sum() == top
    assert parts.min() > 0


def test_rounding_errors_never_make_a_part_negative():
    top = 2**53 - 1
    # 1·(2^53 − 1) + 0.75 rounds up to 2^53, one more than the total; ten shares of 0.1 add up to a little
    # less than 1, so that the next group starts below 0.
    over = divided(np.array([1.0, 0, 0]), Groups(whole([3])), whole([top]), np.array([0.75]))
    assert over.tolist() == [top, 0, 0]
    weights = np.array([1.0] * 10 + [0, 1])
    under = divided(weights, Groups(whole([10, 2])), whole([10, top]), np.array([0.5, 0]))
    assert under.tolist() == [1] * 10 + [0, top]


def test_one_job_goes_to_the_first_of_two_with_the_probability_of_its_share():
    rng = np.random.default_rng(7)
    groups = Groups(np.full(MANY, 2))
    parts = divided(np.tile([3.0, 7.0], MANY), groups, np.ones(MANY, dtype=np.int64), rng.random(MANY))
    assert abs(parts[::2].mean() - 0.3) < hoeffding(1, MANY)


@pytest.mark.parametrize(("first", "rest"), [((2.0), (1.0, 0.5)), ((0.3), (0.3, 0.3))])
def test_shares_of_gamma_weights_are_beta(first, rest):
    rng = np.random.default_rng(8)
    number = 200_000
    groups = Groups(np.full(number, 1 + len(rest)))
    weights = rng.standard_gamma(np.tile([first, *rest], number))
    parts = divided(weights, groups, np.full(number, 10**12), rng.random(number))
    shares = (parts[groups.starts] + rng.random(number)) / (10**12 + 1)
    law = beta(first, sum(rest))
    # The grid of 1e-12 moves a distribution function with density x^(-0.7) near 0 by less than 1e-3.
    assert follows_law(shares, law.cdf, "a share is Beta(b, b_0 − b)", ALPHA).established
    assert not follows_law(shares, beta(1.05 * first, sum(rest)).cdf, "5% more", ALPHA).established


def two_each(month_1, number=MANY, dominant=None, seed=9):
    cells = Totals(*(np.full(number, value) for value in (2, month_1, month_1, month_1, 10**12)))
    return establishments(cells, np.random.default_rng(seed), dominant)


@pytest.mark.small_campaign
def test_shares_have_the_variance_and_the_correlation_of_the_papers_parameters():
    rows = two_each(10**9)
    jobs, wages = rows.month_1[::2] / 10**9 - 0.5, rows.wages[::2] / 10**12 - 0.5
    # d = 2, shape 10: mean shares Beta(10, 10), variance 1/84. The covariance of two applications is that of
    # their common mean; the variance of one is larger by a factor 1 + r, r from 20/4001 to 1/190.
    assert abs(jobs.mean()) < hoeffding(1, MANY)
    assert abs((jobs * wages).mean() - 1 / 84) < hoeffding(0.5, MANY)
    slack = hoeffding(0.25, MANY)
    assert (1 + 20 / 4001) / 84 - slack < (jobs**2).mean() < (1 + 1 / 190) / 84 + slack
    # Given a, the difference of the shares has variance 2W(1 − W)/(s + 1), with s ~ Gamma(20, scale 200)
    # independent of W. The mean of a million is near normal: beyond 6.5 standard errors lie fewer than 1e-10.
    squares = (jobs - wages) ** 2
    expected = 2 * (1 / 2 - 1 / 4 - 1 / 84) * gamma(20, scale=200).expect(lambda s: 1 / (s + 1))
    assert abs(squares.mean() - expected) < 6.5 * squares.std() / sqrt(MANY)
    assert 6.5 * squares.std() / sqrt(MANY) < 0.02 * expected


@pytest.mark.parametrize("share", [F(1, 4), F(3, 4), F(9, 10)])
def test_one_establishment_of_each_cell_has_the_dominant_share_on_average(share):
    number = 100_000
    groups = Groups(np.full(number, 3))
    rng = np.random.default_rng(10)
    before = 200 * rng.standard_gamma(10, 3 * number)
    chance = rng.random(number)
    after = with_dominant(before, groups, chance, share)
    place = groups.starts + (3 * chance).astype(int)
    assert np.array_equal(np.flatnonzero(after != before), place)
    parts = divided(rng.standard_gamma(after), groups, np.full(number, 1000), rng.random(number))
    assert abs(parts[place].mean() / 1000 - float(share)) < hoeffding(1, number)
    for number_of_group in range(50):
        rows = slice(3 * number_of_group, 3 * number_of_group + 3)
        expected = spec_microdata.with_dominant(
            [F(x) for x in before[rows]], int(place[number_of_group] % 3), share
        )
        assert after[rows] == pytest.approx([float(x) for x in expected], rel=1e-12)


def test_a_cell_of_one_has_nobody_to_dominate():
    before = np.array([5.0, 1.0, 2.0])
    after = with_dominant(before, Groups(whole([1, 2])), np.array([0.5, 0.9]), F(1, 2))
    assert after.tolist() == [5.0, 1.0, 1.0]


def test_the_generator_uses_the_dominant_share():
    rows = two_each(10**9, 100_000, F(9, 10))
    largest = np.maximum(rows.month_1[::2], rows.month_1[1::2]) / 10**9
    assert abs(largest.mean() - 0.9) < hoeffding(1, 100_000)
    assert two_each(10**9, 100_000).month_1.max() < 0.9 * 10**9


def test_month_2_is_that_of_the_specification_for_the_same_draws():
    rng = np.random.default_rng(11)
    first, third = spread(rng, 4000, 6), spread(rng, 4000, 6)
    noise = np.where(rng.random(4000) < 0.5, rng.integers(-24, 25, 4000) / 4, rng.normal(0, 3, 4000))
    found = month_2(first, third, noise)
    cases = zip(first.tolist(), third.tolist(), noise.tolist(), strict=True)
    assert found.tolist() == [spec_month_2.month_2(a, b, F(z)) for a, b, z in cases]


def test_the_scale_of_month_2_is_the_root_of_the_variance():
    first, third = whole([0, 0, 3, 8]), whole([0, 4, 3, 2])
    variances = [0, *(spec_month_2.variance(F(1, 2), *map(F, c)) for c in ((0, 4), (3, 3), (8, 2)))]
    scales = month_2_scale(first, third, 0.5)
    assert scales**2 == pytest.approx([float(v) for v in variances], abs=1e-15)


def test_every_total_of_every_cell_is_kept():
    rng = np.random.default_rng(12)
    sizes = rng.integers(1, 9, 3000)
    columns = [spread(rng, 3000, high) for high in (30, 30, 30, 10**8)]
    rows = establishments(Totals(sizes, *columns), rng, F(1, 2))
    for values, totals in zip(vars(rows).values(), columns, strict=True):
        assert values.dtype == np.int64
        assert values.min() >= 0
        assert np.array_equal(np.add.reduceat(values, Groups(sizes).starts), totals)


def test_month_2_of_an_establishment_varies_as_algorithm_2_says():
    # Cells of two with months 2 and 0 and month 2 of 100: the first one's part is 100·w/(w + w′) for the
    # drawn weights. With months 1 of 2 and 3 of 0 jobs the weight is max(0, round(m/2 + N(0, 1))).
    number = 200_000
    cells = Totals(*(np.full(number, v) for v in (2, 2, 100, 0, 0)))
    rows = establishments(cells, np.random.default_rng(13))
    alone = rows.month_1[::2] == 2
    # A zero beside 2 jobs has weight 0, so the other gets all, unless its own weight is 0 too: then half.
    # max(0, round(1 + Z)) = 0 when 1 + Z < 1/2: probability Φ(−1/2).
    halves = (rows.month_2[::2][alone] == 50).mean()
    assert abs(halves - norm.cdf(-0.5)) < hoeffding(1, int(alone.sum()))
    assert set(rows.month_2[::2][alone]) == {50, 100}
