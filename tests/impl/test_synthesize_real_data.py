"""``establish synthesize`` on public data of the Quarterly Census of Employment and Wages."""

import csv
import gzip
import json
from collections import Counter
from pathlib import Path

import duckdb
import pytest

from establish.impl.synthetic.industries import SECTOR, SUPERSECTOR

TOTALS = {
    "m1emp": "month1_emplvl",
    "m2emp": "month2_emplvl",
    "m3emp": "month3_emplvl",
    "wage": "total_qtrly_wages",
}


@pytest.fixture(scope="module")
def published(rhode_island: Path) -> list[dict[str, str]]:
    with gzip.open(rhode_island, "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("dominant", [(), ("--dominant", "3/4")])
def test_rhode_island_has_26956_establishments_and_302951_jobs(
    rhode_island, published, tmp_path, succeeds, dominant
):
    out = tmp_path / "establishments.parquet"
    options = ("--out", out, "--seed", 1, "--json", *dominant)
    record = json.loads(succeeds("synthesize", rhode_island, *options))
    assert (record["cells"], record["suppressed cells left out"]) == (1131, 2047)
    assert (record["rows"], record["jobs in month 3 per copy"]) == (26956, 302951)

    sums = ", ".join(f"sum({column})::BIGINT" for column in TOTALS)
    found = duckdb.sql(f"SELECT cnty, naics, own, count(*), {sums} FROM '{out}' GROUP BY ALL").fetchall()
    # The same cells by the csv module, which reads every field as text.
    expected = {
        (row["area_fips"], row["industry_code"], "5"): tuple(
            int(row[column]) for column in ("qtrly_estabs_count", *TOTALS.values())
        )
        for row in published
        if row["own_code"] == "5" and row["agglvl_code"] == "78" and row["disclosure_code"] != "N"
    }
    assert len(expected) == 1131
    assert {row[:3]: row[3:] for row in found} == {k: v for k, v in expected.items() if v[0]}
    bad = " OR ".join(f"{column} < 0 OR {column} IS NULL" for column in TOTALS)
    assert duckdb.sql(f"SELECT count(*) FROM '{out}' WHERE {bad}").fetchall() == [(0,)]


def test_a_dominant_share_makes_the_largest_establishment_of_a_cell_large(rhode_island, tmp_path, succeeds):
    shares = []
    for options in ((), ("--dominant", "3/4")):
        out = tmp_path / f"{len(options)}.parquet"
        succeeds("synthesize", rhode_island, "--out", str(out), "--seed", "2", *options)
        ((share,),) = duckdb.sql(
            f"SELECT avg(top / jobs) FROM (SELECT max(m3emp) AS top, sum(m3emp) AS jobs FROM '{out}' "
            "GROUP BY cnty, naics HAVING count(*) >= 20 AND sum(m3emp) >= 100)"
        ).fetchall()
        shares.append(share)
    # Without: 20 to 600 shares with a coefficient of variation of 1/3 stay below 1/5. With: 3/4 on average.
    assert shares[0] < 0.2
    assert 0.7 < shares[1] < 0.8


def test_sectors_and_supersectors_are_those_of_the_published_levels(published):
    def counts(level: str) -> dict[str, int]:
        return {
            row["industry_code"].split()[0]: int(row["qtrly_estabs_count"])
            for row in published
            if row["own_code"] == "5" and row["agglvl_code"] == level
        }

    six, sectors, supersectors = counts("58"), counts("54"), counts("53")
    of_sector: Counter[str] = Counter()
    of_supersector: Counter[str] = Counter()
    for code, number in six.items():
        of_sector[SECTOR[code[:2]]] += number
        of_supersector[SUPERSECTOR[code[:2]]] += number
    assert sum(six.values()) == 35796
    assert dict(of_sector) == sectors
    assert dict(of_supersector) == supersectors


def test_one_county_and_four_quarters_as_downloaded(public_data, tmp_path, succeeds):
    raw = public_data("qcew_2016q1-q4_44001_bristol_ri_raw.csv")
    out = tmp_path / "bristol.csv"
    succeeds("synthesize", raw, "--out", out, "--seed", 3)
    assert duckdb.sql(f"SELECT DISTINCT qtr FROM '{out}' ORDER BY 1").fetchall() == [(1,), (2,), (3,), (4,)]
