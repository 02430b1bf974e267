"""Table 3 and the other statements of Sections 8, B and C of Webb et al., by second methods."""

from fractions import Fraction as F
from math import sqrt

import numpy as np
import pytest
import z3

from establish.proofs_check.engine import ledger
from establish.proofs_check.engine.methods import exact, solver
from establish.proofs_check.engine.register import claims
from establish.proofs_check.engine.verdicts import UnsettledError
from establish.proofs_check.papers.webb2025 import bias_by_level, caption_levels, published_totals
from establish.spec.arithmetic import MP
from establish.spec.mechanisms.probably_no_clipping import sensitivity
from establish.spec.mechanisms.psi_estimators import variance_from_root
from establish.spec.neighbor_functions.functions import root

EXPECTED = {
    "tab-3-county": "fails",
    "tab-3-county-supersector": "fails",
    "tab-3-county-naics-5": "fails",
    "tab-3-state": "holds",
    "tab-3-bias": "holds",
    "tab-3-supersector": "fails",
}


@pytest.mark.parametrize("label", EXPECTED)
def test_claim_is_recorded_as_derived(label):
    assert ledger.recorded()[f"webb2025/{label}"].verdict == EXPECTED[label]


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


@pytest.mark.parametrize("gamma", [F(1, 2), F(2)])
@pytest.mark.parametrize("mu", [F(1, 5), F(7, 10)])
@pytest.mark.parametrize("total", [1, 30, 1000])
def test_pnc_noise_crosses_that_of_the_root_where_derived(gamma, mu, total):
    def less(bound):
        by_root = variance_from_root(total, gamma / mu, MP)
        return float(sensitivity(root(), bound, gamma, MP)) / mu < sqrt(by_root)

    edge = F((float(gamma) / 2 + sqrt(total + gamma**2 / (2 * mu**2))) ** 2)
    assert edge > total
    assert less(total)
    assert less(F("0.999") * edge)
    assert not less(F("1.001") * edge)


def test_twice_the_total_as_bound_can_be_noisier():
    w, r = z3.Reals("w r")
    found = solver.for_all(
        [w >= 1, r >= 0, w * w <= 2 * r * r], (2 * w - 1) ** 2 < 4 * r**2 + 2, ""
    )
    assert found.established is False


def test_a_caption_with_level_77_would_not_be_a_misprint():
    assert exact.refuted(caption_levels.LEVEL_57, case=(57, 57)).established
    assert caption_levels.LEVEL_57.holds((77, 57))


def test_exchanged_levels_would_make_the_text_on_figure_6_right(monkeypatch):
    for levels in published_totals.TABLES.values():
        state, county = levels[55], levels[75]
        monkeypatch.setitem(levels, 55, county)
        monkeypatch.setitem(levels, 75, state)
    with pytest.raises(UnsettledError, match="levels"):
        caption_levels.the_left_plot_is_the_coarser_one()


def test_a_third_cell_at_level_52_leaves_its_claim_unsettled(monkeypatch):
    monkeypatch.setitem(
        published_totals.TABLES[8], 52, published_totals.TABLES[8][52]._replace(cells=3)
    )
    with pytest.raises(UnsettledError, match="3 > 2"):
        claims()["webb2025/appC-one-and-two-cells"].check()
