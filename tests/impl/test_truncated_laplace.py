"""Truncated Laplace in numpy: counts against the exact ones, samples against the exact law."""

import math
from fractions import Fraction as F

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from establish import ParameterError, TruncatedLaplace
from establish.impl.sampling.bits import Bits
from establish.spec.mechanisms.truncated_laplace import (
    Boundary,
    TightTruncatedLaplaceMechanism,
    TruncatedLaplaceMechanism,
    truncated_count,
)

FALSE_ALARM = 1e-9
DRAWS = 400_000
CRITICAL = math.sqrt(math.log(2 / FALSE_ALARM) / (2 * DRAWS))
"""For n draws P(sup|F_n − F| > sqrt(ln(2/a)/(2n))) <= a (Dvoretzky, Kiefer, Wolfowitz, Massart)."""


def bits() -> Bits:
    return Bits.seeded(20170514)


shapes = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=8)


@given(shapes, st.data(), st.integers(2, 8), st.sampled_from(list(Boundary)))
def test_truncated_counts_are_the_exact_ones_cell_by_cell(workforces, data, theta, boundary):
    cells = [data.draw(st.integers(0, 2)) for _ in workforces]
    counts = TruncatedLaplace(1, theta, boundary.value).truncated(
        [sum(w) for w in workforces], cells, [w[0] for w in workforces]
    )
    expected = [
        truncated_count([w for w, c in zip(workforces, cells, strict=True) if c == k], theta, boundary)
        for k in range(max(cells) + 1)
    ]
    assert counts.tolist() == expected


def test_the_boundary_decides_about_establishments_of_exactly_theta():
    sizes, cells = [999, 1000, 1001, 7], [0, 0, 0, 1]
    assert TruncatedLaplace(1, 1000).truncated(sizes, cells).tolist() == [999, 7]
    assert TruncatedLaplace(1, 1000, "at-most").truncated(sizes, cells).tolist() == [1999, 7]


@pytest.mark.parametrize("boundary", list(Boundary))
def test_noise_scales_are_the_exact_ones(boundary):
    for calibration, ideal in (
        ("published", TruncatedLaplaceMechanism),
        ("tight", TightTruncatedLaplaceMechanism),
    ):
        law = TruncatedLaplace("1/4", 50, boundary.value, calibration)
        assert F(law.noise_scale) == ideal("1/4", 50, boundary).noise_scale


def test_samples_follow_the_exact_law_and_a_scale_off_by_5_percent_is_noticed():
    # Every cell holds establishments of 3 and 20 workers; θ = 20 removes the second.
    # P(output ≤ k) is the exact law at k + 1/2.
    law = TruncatedLaplace(2, 20, calibration="published")
    sample = law.release(np.tile([3, 20], DRAWS), np.repeat(np.arange(DRAWS), 2), bits())
    values, counts = np.unique(sample, return_counts=True)

    def distance(scale: float) -> float:
        z = (values + 0.5 - 3) / scale
        model = np.where(z < 0, np.exp(-np.abs(z)) / 2, 1 - np.exp(-np.abs(z)) / 2)
        return float(np.max(np.abs(np.cumsum(counts) / DRAWS - model)))

    assert distance(10) <= CRITICAL
    assert distance(10.5) > CRITICAL
    assert distance(9.5) > CRITICAL


def test_counts_that_were_truncated_before_get_the_noise_of_a_release():
    law = TruncatedLaplace("1/2", 20)
    sizes, cells = [3, 20, 7, 12, 40], [0, 0, 1, 1, 2]
    assert law.noisy([3, 19, 0], bits()).tolist() == law.release(sizes, cells, bits()).tolist()
    for counts in ([1.5], [-1], [[1]]):
        with pytest.raises(ParameterError, match="counts must be"):
            law.noisy(counts, bits())


def test_the_same_seed_gives_the_same_release():
    law = TruncatedLaplace(1, 5)
    assert np.array_equal(law.release([1, 2], [0, 1], bits()), law.release([1, 2], [0, 1], bits()))


def test_no_establishments_give_no_cells():
    empty = np.zeros(0, dtype=int)
    assert TruncatedLaplace(1, 5).release(empty, empty, bits()).shape == (0,)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 5), "ε = 0"),
        ((1, 0), "θ = 0"),
        ((1, 2.0), "θ = 2.0"),
        ((1, 1), "θ = 1"),
        ((1, 5, "above"), "boundary = above"),
        ((1, 5, "below", "loose"), "calibration = loose"),
    ],
)
def test_parameters_outside_their_domain_are_refused(arguments, message):
    with pytest.raises(ParameterError, match=message):
        TruncatedLaplace(*arguments)  # type: ignore[arg-type]  # wrong on purpose


@pytest.mark.parametrize(
    ("sizes", "cells", "matching", "message"),
    [
        ([-3], [0], None, "sizes must be a whole number"),
        ([3], [0, 0], None, "cells"),
        ([3], [-1], None, "cells"),
        ([3], [0], [4], "matching"),
        ([3], [0], [1, 2], "matching"),
    ],
)
def test_bad_data_is_refused(sizes, cells, matching, message):
    with pytest.raises(ParameterError, match=message):
        TruncatedLaplace(1, 5).release(sizes, cells, bits(), matching)
