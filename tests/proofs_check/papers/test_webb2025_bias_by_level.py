"""Bias by level (Webb et al., Table 3) and captions of figures; wrong numbers are noticed."""

import numpy as np
import pytest

from establish import UnsettledError, exact
from establish.proofs_check.papers.webb2025 import bias_by_level, caption_levels, published_totals


def sizes(name, mechanism):
    """The numbers of groups, up to 20,000, whose rounded mean and sum are as printed."""
    total, mean = bias_by_level.TOTALS[mechanism], bias_by_level.ROWS[name][mechanism].mean
    return [k for k in range(1, 20_000) if bias_by_level.reaches(total, mean, k)]


def test_the_numbers_of_groups_by_search():
    assert sizes("county total", 0) == sizes("county total", 1) == []
    assert sizes("county supersector", 0) == sizes("county supersector", 1) == []
    assert sizes("county NAICS-5", 0) == [*range(591, 653)]
    assert sizes("county NAICS-5", 1) == [13]
    assert sizes("state supersector", 0) == sizes("state supersector", 1) == [11]
    assert sizes("state NAICS-5", 0) == [*range(653, 730)]
    assert sizes("state NAICS-5", 1)[0] == 235


def test_eleven_rounded_numbers_with_the_printed_mean_have_the_printed_sum():
    numbers = [-563.45] * 11
    assert round(np.mean(numbers)) == -563
    assert round(sum(numbers)) == -6198


def test_a_county_mean_that_adds_up_leaves_the_claim_unsettled(monkeypatch):
    root_row, pnc = bias_by_level.ROWS["county total"]
    right = (root_row._replace(mean=-6198), pnc._replace(mean=-118))
    monkeypatch.setitem(bias_by_level.ROWS, "county total", right)
    statement = bias_by_level._adds_up("county total")
    monkeypatch.setitem(bias_by_level.ADDS_UP, "county total", statement)
    with pytest.raises(UnsettledError):
        bias_by_level.row_does_not_add_up("county total")


def test_a_larger_mean_under_pnc_leaves_the_bias_unsettled(monkeypatch):
    root_row, pnc = bias_by_level.ROWS["county NAICS-5"]
    monkeypatch.setitem(bias_by_level.ROWS, "county NAICS-5", (root_row, pnc._replace(mean=10)))
    with pytest.raises(UnsettledError, match="county NAICS-5"):
        bias_by_level.differences_are_nearer_to_zero_under_pnc()


def test_table_3_says_which_changes_it_notices():
    """The sums over groups read the means only; the comparison of mechanisms reads all, and sees little."""
    state, bias = (
        bias_by_level.state_rows_add_up(),
        (bias_by_level.differences_are_nearer_to_zero_under_pnc()),
    )
    assert "first 0 of 12, median 0 of 10, mean 10 of 10, third 0 of 12" in state.condition
    assert "median 0 of 18, mean 6 of 22" in bias.condition


def test_a_caption_with_level_77_would_not_be_a_misprint():
    assert exact.refuted(caption_levels.AS_NAMED, case="NAICS-5 by county").established
    assert caption_levels.AS_NAMED.holds("NAICS-5")


def test_exchanged_levels_would_make_the_text_on_figure_6_right(monkeypatch):
    for levels in published_totals.TABLES.values():
        state, county = levels[55], levels[75]
        monkeypatch.setitem(levels, 55, county)
        monkeypatch.setitem(levels, 75, state)
    with pytest.raises(UnsettledError, match="levels"):
        caption_levels.a_level_is_printed_twice_and_two_plots_are_exchanged()
