"""Earnings bins: membership, edges, and the log-normal formula in its worlds."""

from fractions import Fraction as F
from itertools import pairwise
from statistics import NormalDist

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from establish.spec.arithmetic import ARB, EXACT, MP, SYM, enclosing
from establish.spec.distributions import gaussian
from establish.spec.earnings.bins import (
    BOTTOM,
    PSEO_BINS,
    STATED_MEAN,
    STATED_SD,
    STATED_SHARES,
    TABLE_1,
    Bins,
    equal_log_normal_shares,
    even_edges,
    log_normal_edges,
    log_normal_quantile,
    log_normal_share,
)
from establish.spec.parameters import ParameterError


def test_an_open_top_bin_takes_everything_above_and_nothing_below():
    bins = Bins((0, 10, 20))
    assert bins.bin_of(20) == bins.bin_of(10**9) == 2
    assert bins.bin_of(F(-1, 100)) is None


@given(st.integers(-5, 40))
def test_a_value_lies_in_at_most_one_bin(value):
    edges = (0, 7, 11, 30)
    held = [j for j in (1, 2, 3) if edges[j - 1] <= value < edges[j]]
    assert Bins(edges, open_top=False).bin_of(value) == (held[0] if held else None)
    assert len(held) <= 1


@pytest.mark.parametrize("edges", [(), (1,), (1, 1), (2, 1), (0, 5, 4), (0.0, 1.0)])
def test_edges_must_be_exact_and_increase(edges):
    with pytest.raises(ParameterError, match="edges"):
        Bins(edges)


def test_table_1_has_21_bins_from_10000():
    assert len(PSEO_BINS) == 21
    assert PSEO_BINS.bin_of(BOTTOM) == 1
    assert PSEO_BINS.bin_of(BOTTOM - 1) is None
    assert PSEO_BINS.bin_of(700_000) == 21


def test_even_edges_are_equally_spaced():
    assert even_edges(0, 4, 3, EXACT) == (0, F(4, 3), F(8, 3), 4)
    with pytest.raises(ParameterError, match="bins"):
        even_edges(0, 4, 0, EXACT)


def test_equal_shares_leave_equal_probabilities():
    assert equal_log_normal_shares(4) == (F(1, 4), F(1, 2), F(3, 4))
    assert equal_log_normal_shares(1) == ()
    with pytest.raises(ParameterError, match="bins"):
        equal_log_normal_shares(0)


@pytest.mark.parametrize("share", STATED_SHARES, ids=str)
def test_the_quantile_agrees_with_the_standard_library(share):
    # statistics.NormalDist has double precision
    expected = 2.718281828459045 ** NormalDist(11.003, 0.753).inv_cdf(float(share))
    mean, sd = F(11003, 1000), F(753, 1000)
    assert abs(float(log_normal_quantile(share, mean, sd, MP)) / expected - 1) < 1e-12
    with enclosing():
        ball = log_normal_quantile(share, mean, sd, ARB)
        assert abs(float(ball) / expected - 1) < 1e-12
        assert float(ball.rad()) < 1e-40


def test_share_and_quantile_are_inverse_to_each_other():
    value = log_normal_quantile(F(1, 20), 11, F(3, 4), MP)
    assert abs(log_normal_share(value, 11, F(3, 4), MP) - MP.number(F(1, 20))) < MP.number(10) ** -50


def test_the_median_is_e_to_the_mean_symbolically():
    assert sympy.simplify(log_normal_quantile(F(1, 2), 11, F(3, 4), SYM)) == sympy.exp(11)
    assert gaussian.cdf(0, SYM) == sympy.Rational(1, 2)


def test_edges_start_at_the_bottom_and_increase():
    edges = log_normal_edges(BOTTOM, STATED_SHARES, F(11003, 1000), F(753, 1000), MP)
    assert len(edges) == len(TABLE_1)
    assert all(low < high for low, high in pairwise(edges))


@pytest.mark.parametrize("bins", range(1, 41))
def test_equal_log_normal_bins_have_one_share_each_the_first_from_0_on_and_the_last_open(bins):
    law = MP.number(STATED_MEAN), MP.number(STATED_SD), MP
    _, *inner = log_normal_edges(BOTTOM, equal_log_normal_shares(bins), *law)
    through = [MP.number(0), *(log_normal_share(edge, *law) for edge in inner), MP.number(1)]
    share, tiny = MP.number(F(1, bins)), MP.number(10) ** -40
    assert all(abs(high - low - share) < tiny for low, high in pairwise(through))
