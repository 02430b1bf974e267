"""Noise infusion in numpy against the exact mechanism, and samples against their laws.

Critical values: for n draws P(sup|F_n − F| > sqrt(ln(2/a)/(2n))) <= a (Dvoretzky, Kiefer, Wolfowitz
with Massart's constant); for n draws in [0, 1] P(|mean − E| > sqrt(ln(2/a)/(2n))) <= a (Hoeffding).
"""

import math
from fractions import Fraction as F

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from establish.impl.mechanisms.noise_infusion import NoiseInfusion
from establish.spec.mechanisms import noise_infusion as ideal
from establish.spec.parameters import ParameterError

FALSE_ALARM = 1e-9
DRAWS = 400_000
CRITICAL = math.sqrt(math.log(2 / FALSE_ALARM) / (2 * DRAWS))

DYADIC = [F(n, 8) for n in (5, 6, 7, 9, 10, 11)]
"""Factors that floats hold exactly, within 1/8 <= |f − 1| <= 3/8: products and sums are exact."""


def rng(seed: int = 20170514) -> np.random.Generator:
    return np.random.default_rng(seed)


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[tuple[int, ...]], list[int], list[F]]:
    """Histograms of two cells, the group of each establishment, and its factor."""
    size = draw(st.integers(1, 6))
    cell = st.one_of(st.integers(0, 4), st.integers(0, 10**6))
    histograms = draw(st.lists(st.tuples(cell, cell), min_size=size, max_size=size))
    groups = draw(st.lists(st.integers(0, 2), min_size=size, max_size=size))
    return histograms, groups, draw(st.lists(st.sampled_from(DYADIC), min_size=size, max_size=size))


@given(tables(), st.booleans())
def test_every_published_table_is_possible_under_the_exact_mechanism(case, rounding):
    histograms, groups, factors = case
    law = NoiseInfusion("1/8", "3/8", rounding=rounding)
    exact = ideal.NoiseInfusion(ideal.FactorRange("1/8", "3/8"), rounding=rounding)
    floats = np.array([float(f) for f in factors])
    released = law.release(np.array(histograms), np.array(groups), rng(), floats)
    assert released.published.shape == (max(groups) + 1, 2)
    for group in range(max(groups) + 1):
        rows = [i for i, g in enumerate(groups) if g == group]
        if not rows:
            assert np.all(released.published[group] == 0)
            continue
        possible = exact.published([histograms[i] for i in rows], [factors[i] for i in rows])
        assert tuple(map(F, released.published[group])) in possible
        true = np.array(histograms)[rows].sum(axis=0)
        assert released.drawn[group].tolist() == [exact.is_small(int(n)) for n in true]


def test_small_cells_are_uniform_or_follow_the_given_law():
    groups, factors = np.arange(DRAWS), np.full(DRAWS, 1.25)
    ones = np.ones((DRAWS, 1), dtype=int)
    for law, share in (
        (NoiseInfusion("1/8", "3/8"), 0.5),
        (NoiseInfusion("1/8", "3/8", small_cells=[0.2, 0.8]), 0.2),
    ):
        published = law.release(ones, groups, rng(), factors).published[:, 0]
        assert set(published) == {1.0, 2.0}
        assert abs(np.mean(published == 1) - share) <= CRITICAL
        assert abs(np.mean(published == 1) - (share + 0.02)) > CRITICAL


def test_drawn_factors_follow_the_uniform_law_on_the_union():
    law, exact = NoiseInfusion("1/10", "1/2"), ideal.FactorRange("1/10", "1/2")
    sample = np.sort(law.draw_factors(DRAWS, rng()))
    distance = np.abs(sample - 1)
    assert distance.min() >= 0.1 - 1e-12
    assert distance.max() <= 0.5 + 1e-12
    grid = [F(n, 100) for n in range(45, 156)]
    empirical = np.searchsorted(sample, [float(x) for x in grid], side="right") / DRAWS
    model = np.array([float(exact.uniform_cdf(x)) for x in grid])
    assert np.max(np.abs(empirical - model)) <= CRITICAL
    # Planted fault: a range 5% wider is noticed.
    wider = ideal.FactorRange("1/10", "21/40")
    fault = np.array([float(wider.uniform_cdf(x)) for x in grid])
    assert np.max(np.abs(empirical - fault)) > CRITICAL


def test_factors_are_drawn_afresh_only_when_they_are_not_given():
    law = NoiseInfusion("1/8", "3/8")
    counts, groups = np.full((5, 1), 80), np.arange(5)
    given_factors = np.full(5, 0.75)
    for seed in (1, 2):
        assert np.all(law.release(counts, groups, rng(seed), given_factors).published == 60)
    first, again, other = (law.release(counts, groups, rng(s)).published for s in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.any(first == other)


def test_one_factor_serves_all_cells_of_an_establishment():
    published = NoiseInfusion("1/8", "3/8").release([[30, 60], [40, 80]], [0, 1], rng()).published
    assert np.allclose(published[:, 1] / published[:, 0], 2, rtol=1e-14)
    assert not math.isclose(published[0, 0] / 30, published[1, 0] / 40)


def test_a_limit_of_at_most_one_draws_nothing():
    released = NoiseInfusion("1/8", "3/8", limit=0).release([[1, 2]], [0], rng(), [1.25])
    assert released.published.tolist() == [[1.25, 2.5]]
    assert not released.drawn.any()


def test_an_integer_limit_is_not_replaced_itself():
    released = NoiseInfusion("1/8", "3/8", limit=3).release([[2, 3]], [0], rng(), [1.25])
    assert released.drawn.tolist() == [[True, False]]
    assert released.published[0, 1] == 3.75


def test_no_establishments_give_no_groups():
    released = NoiseInfusion("1/8", "3/8").release(np.zeros((0, 3)), np.zeros(0, dtype=int), rng())
    assert released.published.shape == (0, 3)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"s": 0, "t": "1/2"}, "s = 0"),
        ({"s": "1/2", "t": 1}, "t = 1"),
        ({"s": "1/8", "t": "1/2", "limit": -1}, "limit = -1"),
        ({"s": "1/8", "t": "1/2", "small_cells": [1.0]}, "small_cells"),
        ({"s": "1/8", "t": "1/2", "small_cells": [0.5, 0.6]}, "small_cells"),
        ({"s": "1/8", "t": "1/2", "small_cells": [-0.5, 1.5]}, "small_cells"),
    ],
)
def test_parameters_outside_their_domain_are_refused(arguments, message):
    with pytest.raises(ParameterError, match=message):
        NoiseInfusion(**arguments)  # type: ignore[arg-type]  # wrong on purpose


@pytest.mark.parametrize(
    ("histograms", "groups", "factors", "message"),
    [
        ([1, 2], [0, 0], None, "matrix"),
        ([[1], [-2]], [0, 0], None, "histograms must be a whole number"),
        ([[1], [2.5]], [0, 0], None, "histograms must be a whole number"),
        ([[1], [2]], [0], None, "groups"),
        ([[1], [2]], [0, -1], None, "groups"),
        ([[1], [2]], [0.0, 1.0], None, "groups"),
        ([[1], [2]], [0, 1], [1.25], "one distortion factor"),
        ([[1], [2]], [0, 1], [1.25, 1.0], "<= |f"),
        ([[1], [2]], [0, 1], [1.25, 1.5], "<= |f"),
        ([[1], [2]], [0, 1], [1.25, math.nan], "<= |f"),
    ],
)
def test_bad_tables_are_refused_without_showing_a_value(histograms, groups, factors, message):
    with pytest.raises(ParameterError) as refusal:
        NoiseInfusion("1/8", "3/8").release(histograms, groups, rng(), factors)  # type: ignore[arg-type]  # wrong on purpose
    assert message in str(refusal.value)
    assert "1.5" not in str(refusal.value)
    assert "-2" not in str(refusal.value)
