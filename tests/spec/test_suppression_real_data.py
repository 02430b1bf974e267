"""What the suppressed cells of the Quarterly Census of Employment and Wages give away.

Rhode Island, first quarter of 2016, private employment in the third month. The tests state how many cells are
recovered, never a value.
"""

import csv
import gzip
from collections import Counter

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.sparse import csr_array
from scipy.sparse.linalg import lsmr

from establish.spec.disclosure_limitation.hierarchy import naics_parent, sums_over
from establish.spec.disclosure_limitation.suppression import SuppressedTable

STATE = "44000"
SECTORS = {"51", "54", "71", "74"}
"""Aggregation levels: state and county, total and by sector."""
NAICS = {f"{area}{digit}" for area in "57" for digit in "145678"}
"""The same down to six digits; the totals by area are levels 51 and 71."""


def above(cell):
    area, code = cell
    parent = naics_parent(code)
    return (None if area == STATE else (STATE, code), parent and (area, parent))


def private_employment(source, levels):
    """The table, and the aggregation level of each cell."""
    with gzip.open(source, "rt", encoding="utf-8", newline="") as file:
        rows = [
            row for row in csv.DictReader(file) if row["own_code"] == "5" and row["agglvl_code"] in levels
        ]
    level = {(row["area_fips"], row["industry_code"]): row["agglvl_code"] for row in rows}
    values = {
        (row["area_fips"], row["industry_code"]): int(row["month3_emplvl"])
        for row in rows
        if row["disclosure_code"] != "N"
    }
    return SuppressedTable(sums_over(level, above), values), level


@pytest.fixture(scope="module")
def finer(rhode_island):
    """The table down to six digits, its levels, and the cells that are recovered from it."""
    table, level = private_employment(rhode_island, NAICS)
    return table, level, table.recovered()


def recovered_one_by_one(table):
    """The cells that an attacker gets who only ever subtracts from a total all parts but one."""
    known = set(table.values)
    while True:
        new = set()
        for whole, parts in table.sums:
            unknown = [cell for cell in (whole, *parts) if cell not in known]
            new |= set(unknown) if len(unknown) == 1 else set()
        if not new:
            return known - set(table.values)
        known |= new


def test_no_county_by_sector_cell_is_recovered_from_the_margins_but_two_are_nearly(rhode_island):
    table, level = private_employment(rhode_island, SECTORS)
    hidden = [cell for cell in table.suppressed if level[cell] == "74"]
    assert len(hidden) == 16
    assert len(table.suppressed) == 18
    assert table.recovered() == {}
    widths = []
    for cell in hidden:
        low, high = table.interval(cell)
        assert low < high
        widths.append((high - low) / high)
    assert sum(width < 0.03 for width in widths) == 2


def test_the_intervals_are_those_of_another_solver(rhode_island):
    table, _ = private_employment(rhode_island, SECTORS)
    cells = list(dict.fromkeys(cell for whole, parts in table.sums for cell in (whole, *parts)))
    place = {cell: k for k, cell in enumerate(cells)}
    equations = np.zeros((len(table.sums), len(cells)))
    for row, (whole, parts) in zip(equations, table.sums, strict=True):
        row[place[whole]] = 1
        row[[place[part] for part in parts]] -= 1
    bounds = [(table.values.get(cell, 0), table.values.get(cell)) for cell in cells]
    right = np.zeros(len(equations))
    for cell in table.suppressed:
        aim = np.eye(len(cells))[place[cell]]
        ends = [sign * linprog(sign * aim, A_eq=equations, b_eq=right, bounds=bounds).fun for sign in (1, -1)]
        assert ends == pytest.approx([float(end) for end in table.interval(cell)], abs=1e-6)


@pytest.mark.small_campaign
def test_thirty_five_finer_cells_are_recovered_exactly_from_all_published_cells(finer):
    table, level, recovered = finer
    assert len(table.suppressed) == 4956
    assert Counter(level[cell] for cell in recovered) == {"76": 13, "77": 11, "78": 11}
    assert all(value >= 0 and value.denominator == 1 for value in recovered.values())
    assert recovered_one_by_one(table) == set(), "plain subtraction was prevented, combinations not"


def test_the_recovered_cells_are_those_that_no_change_of_the_suppressed_ones_moves(finer):
    # A random vector, projected onto the changes that keep all published cells and sums, is 0 exactly in
    # the cells that are determined; elsewhere it is as good as never below 1e-6.
    table, _, recovered = finer
    place = {cell: k for k, cell in enumerate(table.suppressed)}
    entries = [
        (row, place[cell], sign)
        for row, (whole, parts) in enumerate(table.sums)
        for cell, sign in [(whole, 1), *((part, -1) for part in parts)]
        if cell in place
    ]
    rows, columns, signs = zip(*entries, strict=True)
    matrix = csr_array((signs, (rows, columns)), shape=(len(table.sums), len(place)), dtype=float)
    start = np.random.default_rng(6).normal(size=len(place))
    moves = start - lsmr(matrix, matrix @ start, atol=1e-13, btol=1e-13, maxiter=20_000)[0]
    assert np.abs(matrix @ moves).max() < 1e-8
    assert {cell for cell, k in place.items() if abs(moves[k]) < 1e-6} == set(recovered)


@pytest.mark.small_campaign
def test_cells_hidden_on_purpose_are_recovered_with_their_true_value(finer):
    table, *_ = finer
    complete = [
        parts
        for whole, parts in table.sums
        if len(parts) > 2 and all(cell in table.values for cell in (whole, *parts))
    ]
    hidden = {parts[0] for parts in complete[::7]}
    assert len(hidden) > 10
    left = {cell: value for cell, value in table.values.items() if cell not in hidden}
    found = SuppressedTable(table.sums, left).recovered()
    assert hidden & set(found), "at least one is an only unknown of a sum"
    assert all(found[cell] == table.values[cell] for cell in hidden & set(found))
    assert len(hidden & set(found)) > len(hidden) / 2
