"""Totals that Webb et al. publish (Tables 8 and 9, Appendix C); wrong numbers are noticed."""

import numpy as np
import pytest

from establish.proofs_check.engine import ledger
from establish.proofs_check.engine.register import claims
from establish.proofs_check.engine.shared import forget
from establish.proofs_check.engine.verdicts import UnsettledError
from establish.proofs_check.papers.webb2025 import published_totals


def changed(table, code, number, **values):
    """A level of Table 8 or 9 with other values of one variable."""
    level = published_totals.TABLES[table][code]
    variables = list(level.variables)
    variables[number] = variables[number]._replace(**values)
    return level._replace(variables=tuple(variables))


@pytest.mark.parametrize(
    ("number", "field", "value"),
    [
        (0, "mean", 366),
        (0, "most", 30_000),
        (0, "deviation", 200),
        (1, "least", 1_600),
        (1, "median", 20_000),
        (2, "deviation", 9_000_000),
    ],
)
def test_a_wrong_number_in_table_8_is_noticed(monkeypatch, number, field, value):
    assert published_totals.rows_are_consistent().outcome == "holds"
    wrong = changed(8, 57, number, **{field: value})
    monkeypatch.setitem(published_totals.TABLES[8], 57, wrong)
    forget()
    with pytest.raises(UnsettledError):
        published_totals.rows_are_consistent()


# 571 cells of 5-digit NAICS: a smaller deviation leaves fewer squares than their county parts have.
def test_squares_that_grow_from_a_coarser_to_a_finer_level_are_noticed():
    level = changed(8, 57, 0, deviation=600)
    broken = [says for says, true in published_totals.relations(8, level) if not true]
    assert "squares of the coarser 57" in broken


def test_a_wrong_deviation_of_two_cells_is_noticed(monkeypatch):
    monkeypatch.setitem(published_totals.TABLES[9], 52, changed(9, 52, 2, deviation=4518))
    forget()
    with pytest.raises(UnsettledError):
        published_totals.rows_are_consistent()


def test_the_power_of_consistency_is_stated_as_it_is():
    # a mean that is 20% off is always noticed; most medians are not, and a third of the deviations is
    assert published_totals.noticed(8, 57, "mean") == (6, 6)
    assert published_totals.noticed(8, 57, "median") == (0, 6)
    told = published_totals.rows_are_consistent().condition
    for field in ("mean", "deviation", "median"):
        found, tried = published_totals.power(field)
        assert f"{field} {found} of {tried}" in told
    assert published_totals.power("mean") == (168, 168)


@pytest.mark.parametrize("cells", [3, 10, 50])
def test_the_relations_hold_for_the_statistics_of_drawn_cells(cells):
    draws = np.random.default_rng(cells)
    for _ in range(200):
        values = np.sort(draws.lognormal(5, 1.5, cells).astype(int))
        row = published_totals.Summary(
            int(values[0]),
            round(float(np.median(values))),
            int(values[-1]),
            round(float(values.mean())),
            round(float(values.std(ddof=1))),
        )
        broken = [says for says, true in published_totals.one_variable(row, cells) if not true]
        assert not broken, (row, broken)


def test_two_cell_deviations_are_the_sample_deviations():
    for table in published_totals.TABLES.values():
        for row in table[52].variables:
            assert round(np.std([row.least, row.most], ddof=1)) == row.deviation


def test_both_tables_have_the_levels_of_the_paper_and_42_summaries():
    for table, levels in published_totals.TABLES.items():
        assert list(levels) == [*range(52, 59), 71, *range(73, 79)], table
        assert sum(len(level.variables) for level in levels.values()) == 42


def test_five_counties_of_rhode_island_are_as_printed():
    counties = [1102, 2375, 3354, 4175, 14414]
    assert sum(counties) == 25_420
    assert round(np.std(counties, ddof=1)) == 5340


def test_rows_whose_deviation_exceeds_the_mean():
    # read off the tables by hand: all but levels 53, 71 in New Jersey and 52, 53 in Rhode Island
    assert ledger.recorded()["webb2025/appC-sd"].value == "12 of 14, 12 of 14"


def test_a_third_cell_at_level_52_leaves_its_claim_unsettled(monkeypatch):
    monkeypatch.setitem(published_totals.TABLES[8], 52, published_totals.TABLES[8][52]._replace(cells=3))
    with pytest.raises(UnsettledError, match="3 == 2"):
        claims()["webb2025/appC-sd"].check()
