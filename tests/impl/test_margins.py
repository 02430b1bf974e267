"""Intervals for true counts: they hold as often as they say, and are told from what is released alone."""

import json

import numpy as np
import pytest
from scipy.stats import binom

from establish import DiscreteGaussian, Laplace, LogLaplace, ParameterError, SmoothGamma
from establish.impl.publish.margins import margins
from establish.impl.sampling.bits import Bits

DRAWS = 40_000
FALSE_ALARM = 1e-9


@pytest.mark.parametrize(
    "law",
    [
        *(Laplace("1/5"), LogLaplace("1/10", 2, "published"), LogLaplace("1/2", 1, "published")),
        DiscreteGaussian("1/5000"),
    ],
)
@pytest.mark.parametrize("count", [0, 1, 7, 5_000])
def test_an_interval_holds_the_true_count_as_often_as_it_says_and_not_much_more(law, count):
    """At least 19/20; and where the noise is wide beside the rounding, at most 0.97.

    The number of hits is binomial; each bound is passed by chance with probability FALSE_ALARM at most.
    """
    low, high = margins(law, law.release(np.full(DRAWS, count), Bits.seeded(11)))
    hits = int(np.sum((low <= count) & (count <= high)))
    assert hits >= binom.ppf(FALSE_ALARM, DRAWS, 19 / 20)
    if count == 5_000:
        assert hits <= binom.isf(FALSE_ALARM, DRAWS, 0.97)
    assert np.all(low >= 0)


def test_the_ends_are_those_of_the_formula():
    low, high = margins(LogLaplace("1/10", 2, "published"), np.array([990, -10]))
    factor = 20 ** LogLaplace("1/10", 2, "published").noise_scale  # e^(λ·ln 20), and γ = 10
    assert low.tolist() == [int(np.ceil(999.5 / factor - 10)), 0]
    assert high.tolist() == [int(np.floor(1000.5 * factor - 10)), 0]


def test_noise_with_a_confidential_scale_has_no_interval():
    with pytest.raises(ParameterError, match="depends on confidential numbers"):
        margins(SmoothGamma("1/10", 2, "published"), np.array([5]))


def test_the_interval_stands_beside_the_released_count(tmp_path, succeeds, refusal, rows_of):
    (tmp_path / "in.csv").write_text("place,jobs\nNorth,40\nSouth,50\n")
    law = ("--alpha", "1/10", "--epsilon", "2", "--count", "jobs", "--margins")
    call = ("release", "counts", tmp_path / "in.csv", *law, "--out", tmp_path / "o.csv")
    assert "--margins cannot be told for smooth-gamma" in refusal(*call, "--mechanism", "smooth-gamma")
    succeeds(*call, "--mechanism", "log-laplace")
    rows = rows_of(tmp_path / "o.csv")
    assert list(rows[0]) == ["place", "jobs", "jobs_low", "jobs_high"]
    assert all(int(row["jobs_low"]) <= max(int(row["jobs"]), 0) <= int(row["jobs_high"]) for row in rows)
    record = json.loads((tmp_path / "o.csv.json").read_text("utf-8"))
    assert record["intervals"] == {"columns": ["jobs_low", "jobs_high"], "level": "19/20"}
