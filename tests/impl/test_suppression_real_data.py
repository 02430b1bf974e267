"""Audits of the Quarterly Census of Employment and Wages: how many cells are known, never a value.

Rhode Island, first quarter of 2016, private employment.
"""

import csv
import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from establish.impl.suppression.audit import audit
from establish.impl.suppression.cells import read_cells
from establish.impl.suppression.certificate import certificate_file
from establish.impl.suppression.engines import highs
from establish.impl.suppression.layout import Layout, attacker
from establish.impl.suppression.sums import problem
from establish.impl.suppression.verdicts import intervals
from establish.impl.suppression.verify import verify
from establish.spec.disclosure_limitation.suppression import SuppressedTable

SECTORS = {"51", "54", "71", "74"}
NAICS = {f"{area}{digit}" for area in "57" for digit in "145678"}

pytestmark = pytest.mark.skipif(highs() is None, reason="highspy is not installed")


@pytest.fixture
def private(rhode_island: Path, tmp_path: Path) -> Callable[..., Path]:
    """Writes the cells of some levels of aggregation."""

    def written(levels: set[str], value: str = "month3_emplvl") -> Path:
        path = tmp_path / "cells.csv"
        with gzip.open(rhode_island, "rt", encoding="utf-8", newline="") as source, path.open("w") as out:
            writer = csv.writer(out)
            writer.writerow(("area", "industry", "jobs", "status"))
            for row in csv.DictReader(source):
                if row["own_code"] == "5" and row["agglvl_code"] in levels:
                    names = ("area_fips", "industry_code", value, "disclosure_code")
                    writer.writerow([row[name] for name in names])
        return path

    return written


def layout(dash: str) -> Layout:
    totals = {"area": "44000", "industry": "10"}
    naics = (("industry", "naics"),)
    return Layout(("area", "industry"), "jobs", totals, naics, status="status", dash=dash)


@pytest.mark.small_campaign
def test_all_intervals_are_certified_and_attained_and_checked_without_a_solver(private, tmp_path):
    # 4,956 suppressed cells and 35 determined by linear algebra are known from tests of spec; 24 more are
    # determined as values are at least 0 (19 of the 59 are 0).
    path, known = private(NAICS), attacker("nonnegative")
    asked = problem(read_cells([path], layout("zero")), layout("zero"), known)
    assert (len(asked.cells), len(asked.sums), len(asked.unknown)) == (9440, 7245, 4956)
    proof = tmp_path / "proof"
    with certificate_file(proof, [path], layout("zero"), known, asked) as sink:
        found = intervals(asked, audit(asked, False, [sink]))
    assert len(found) == 4956
    assert all(one.attained for one in found)
    assert sum(one.exact for one in found) == 59
    assert sum(one.exact and one.lower == 0 for one in found) == 19
    checked = verify(proof, [path])[1]
    assert len(checked.proved) == 2 * 4956
    assert all(checked.proved.values())


def test_sums_alone_determine_thirty_five_cells(private):
    path, known = private(NAICS), attacker("sums")
    asked = problem(read_cells([path], layout("zero")), layout("zero"), known)
    found = intervals(asked, audit(asked, False))
    assert sum(one.exact for one in found) == 35
    assert all(one.exact or (one.lower is None and one.upper is None) for one in found)


def test_the_sectors_have_the_intervals_of_spec(private):
    path, known = private(SECTORS), attacker("nonnegative")
    asked = problem(read_cells([path], layout("zero")), layout("zero"), known)
    names = asked.cells
    sums = [(names[s.whole], [names[p] for p, _ in s.terms[1:]]) for s in asked.sums]
    table = SuppressedTable(sums, {names[p]: value for p, value in asked.known.items()})
    found = intervals(asked, audit(asked, False))
    assert len(found) == 18
    for one in found:
        assert (one.lower, one.upper) == table.interval(names[one.place])


def test_a_dash_that_is_unknown_adds_162_cells(private):
    path, known = private(NAICS), attacker("nonnegative,integers")
    asked = problem(read_cells([path], layout("unknown")), layout("unknown"), known)
    found = intervals(asked, audit(asked, True))
    assert len(found) == 4956 + 162
    assert all(one.attained for one in found)


EVERY = {f"{area}{digit}" for area in "57" for digit in "12345678"}
"""With domains and supersectors."""


def of_two_ways(dash: str, status: str = "status") -> Layout:
    rules = (("area", "fips"), ("industry", "qcew"))
    return Layout(("area", "industry"), "jobs", {"area": "44000"}, rules, status=status, dash=dash)


def test_published_counts_of_establishments_add_up_by_fips_and_by_qcew_in_every_sum(private):
    # Counts are published of every cell, so that each derived sum is a fact that may be false.
    path, rules = private(EVERY, "qtrly_estabs_count"), of_two_ways("zero", status="")
    asked = problem(read_cells([path], rules), rules, attacker("sums"))
    assert asked.ways["industry"] == ["qcew by sector", "qcew by supersector and domain"]
    assert not asked.unknown
    assert len(asked.sums) > 7000
    assert all(sum(factor * asked.known[place] for place, factor in one.terms) == 0 for one in asked.sums)


@pytest.mark.small_campaign
def test_domains_and_supersectors_open_no_fewer_cells_and_are_checked_without_a_solver(private, tmp_path):
    path, known, rules = private(EVERY), attacker("nonnegative"), of_two_ways("zero")
    asked = problem(read_cells([path], rules), rules, known)
    proof = tmp_path / "proof"
    with certificate_file(proof, [path], rules, known, asked) as sink:
        found = intervals(asked, audit(asked, False, [sink]))
    assert len(found) == 4962
    assert all(one.attained for one in found)
    assert sum(one.exact for one in found) >= 59  # those that sectors alone open
    assert all(verify(proof, [path])[1].proved.values())
