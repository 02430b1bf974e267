"""What is done to protected counts: isotonic regression, and percentiles of cumulative counts."""

from fractions import Fraction as F
from itertools import product

import pytest

from establish.spec.earnings.percentiles import NoPercentile, percentile
from establish.spec.earnings.post_processing import isotonic, monotone_cumulative, percentile_of
from establish.spec.parameters import ParameterError

HALF = F(1, 2)
QUARTILES = (F(1, 4), HALF, F(3, 4))
SIGNED = [c for n in range(1, 5) for c in product(range(-2, 3), repeat=n)]


def test_isotonic_regression_agrees_with_its_closed_form():
    # Robertson, Wright and Dykstra: the j-th value is max over i ≤ j of min over k ≥ j of a mean.
    for values in SIGNED:
        n = len(values)
        expected = tuple(
            max(min(F(sum(values[i : k + 1]), k + 1 - i) for k in range(j, n)) for i in range(j + 1))
            for j in range(n)
        )
        assert isotonic(values) == expected


def test_isotonic_regression_is_nearer_than_other_monotone_lists():
    steps = [F(k, 2) for k in range(-4, 5)]
    monotone = [m for m in product(steps, repeat=3) if list(m) == sorted(m)]

    def far(first, second):
        return sum((a - b) ** 2 for a, b in zip(first, second, strict=True))

    for values in product(range(-2, 3), repeat=3):
        fit = isotonic(values)
        assert list(fit) == sorted(fit)
        assert all(far(fit, values) <= far(other, values) for other in monotone)


def test_the_monotone_cumulative_counts_rise_from_zero_and_keep_those_of_true_counts():
    for counts in SIGNED:
        fit = monotone_cumulative(counts)
        assert fit[0] >= 0
        assert list(fit) == sorted(fit)
    assert monotone_cumulative((2, 0, 3)) == (2, 2, 5)
    assert monotone_cumulative((2, -1, 3)) == (F(3, 2), F(3, 2), 4)


def test_a_percentile_of_cumulative_counts_is_that_of_the_counts_they_sum():
    for counts in SIGNED:
        edges = range(len(counts) + 1)
        cumulative = [sum(counts[: j + 1]) for j in range(len(counts))]
        for share in QUARTILES:
            assert percentile_of(edges, cumulative, share) == percentile(edges, counts, share)


def test_no_percentile_is_said_and_a_wrong_number_of_edges_is_refused():
    assert percentile_of((0, 1, 2), (1, 0), HALF) is NoPercentile.ZERO_TOTAL
    assert percentile_of((0, 1, 2), (1, -1), HALF) is NoPercentile.NEGATIVE_TOTAL
    with pytest.raises(ParameterError, match="2 edges do not bound 2 bins"):
        percentile_of((0, 1), (1, 2), HALF)
