"""Rebuilt individuals, true percentiles, relative accuracy and its confidence limits."""

import math

import numpy as np
import pytest
from scipy import stats

from establish.impl.earnings import bins
from establish.impl.earnings.accuracy import mean_of, relative_accuracy, true_percentiles
from establish.impl.earnings.percentiles import Percentiles
from establish.impl.earnings.rebuild import rebuilt
from establish.spec.parameters import ParameterError

QUARTILES = bins.percentages((25, 50, 75))


def test_ranks_that_are_whole_have_the_quartiles_that_were_given():
    # (N+1)/4 is whole for N = 3 and 7; N = 1 has the median only.
    cells, earnings = rebuilt([3, 7, 1], [20_000, 31_000, 15_000], [40_000] * 3, [50_000] * 3)
    assert cells.tolist() == [0] * 3 + [1] * 7 + [2]
    assert earnings[:3].tolist() == [20_000, 40_000, 50_000]
    assert earnings[3:10][[1, 3, 5]].tolist() == [31_000, 40_000, 50_000]
    assert earnings[10] == 40_000
    assert np.all(np.diff(earnings[3:10]) > 0)


def test_both_halves_are_log_normal():
    _, earnings = rebuilt([99], [20_000], [40_000], [50_000])
    z = stats.norm.ppf(np.arange(1, 100) / 100)
    slopes = np.diff(np.log(earnings)) / np.diff(z)
    z75 = stats.norm.ppf(0.75)
    assert slopes[15:49] == pytest.approx(math.log(2) / z75, rel=0.01)
    assert slopes[49:] == pytest.approx(math.log(1.25) / z75, rel=0.01)
    assert earnings[0] == bins.BOTTOM, "20,000·… at 1% would be below the bottom cutoff"


@pytest.mark.parametrize(
    ("count", "quartiles"), [(-1, (1, 2, 3)), (1, (2, 1, 3)), (1, (1, 3, 2)), (1, (0, 1, 2))]
)
def test_cells_that_cannot_be_are_refused(count, quartiles):
    with pytest.raises(ParameterError, match="a cell needs a count >= 0 and quartiles"):
        rebuilt([count], *([q] for q in quartiles))


def test_true_percentiles_are_those_of_numpy_at_the_same_rank():
    rng = np.random.default_rng(2)
    sizes = np.array([3, 4, 50, 7])
    cells = np.repeat(np.arange(4), sizes)
    earnings = np.concatenate([np.sort(rng.lognormal(11, 1, n)) for n in sizes])
    found = true_percentiles(cells, earnings, 4, QUARTILES)
    for cell in range(4):
        expected = np.percentile(earnings[cells == cell], [25, 50, 75], method="weibull")
        assert found[cell] == pytest.approx(expected, rel=1e-12)
    with pytest.raises(ParameterError, match="empty cell"):
        true_percentiles(np.array([0, 2]), np.array([1.0, 2.0]), 3, QUARTILES)


def test_relative_accuracy_is_one_when_exact_and_zero_without_percentiles():
    protected = Percentiles(np.array([True, False]), np.array([[100.0, 150.0, 50.0]]))
    accuracy = relative_accuracy(protected, np.full((2, 3), 100.0))
    assert accuracy.tolist() == [[1.0, 0.5, 0.5], [0.0, 0.0, 0.0]]


def test_confidence_limits_are_student_s():
    mean = mean_of(np.array([1.0, 2.0, 3.0]))
    # t at 97.5% with 2 degrees of freedom is 4.302653; the standard error is 1/√3.
    assert mean.value == 2
    assert mean.limits == pytest.approx((2 - 4.302653 / 3**0.5, 2 + 4.302653 / 3**0.5))
    with pytest.raises(ParameterError, match="two repetitions"):
        mean_of(np.array([1.0]))
