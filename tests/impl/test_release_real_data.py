"""``establish release counts`` on public data of the Quarterly Census of Employment and Wages."""

import json
import math
import shutil
from pathlib import Path

WHERE = "own_code = '5' AND agglvl_code = '74' AND disclosure_code <> 'N'"


def test_private_employment_of_rhode_island_by_county_and_sector(rhode_island, tmp_path, succeeds, rows_of):
    out = tmp_path / "rhode_island.csv.gz"
    source = Path(shutil.copy(rhode_island, tmp_path))  # what was spent is remembered beside the data
    succeeds(
        *("release", "counts", source, "--mechanism", "log-laplace", "--alpha", "1/10"),
        *("--epsilon", "2", "--count", "month3_emplvl", "--where", WHERE),
        *("--public", "own_code", "--public", "agglvl_code", "--keep", "disclosure_code"),
        *("--keep", "area_fips", "--keep", "industry_code", "--keep", "area_title", "--drop-others"),
        *("--out", out),
    )

    # The same choice of rows by the csv module, which reads every field as text.
    true = [
        row
        for row in rows_of(rhode_island)
        if row["own_code"] == "5" and row["agglvl_code"] == "74" and row["disclosure_code"] != "N"
    ]
    assert {row["disclosure_code"] for row in true} == {"", "-"}
    noisy = rows_of(out)
    assert len(noisy) == len(true) == 101
    for released, row in zip(noisy, true, strict=True):
        for label in ("area_fips", "industry_code", "area_title", "disclosure_code"):
            assert released[label] == row[label]
        assert not {"month1_emplvl", "total_qtrly_wages", "qtrly_estabs_count"} & set(released)

    assert [r["month3_emplvl"] for r in noisy] != [row["month3_emplvl"] for row in true]

    # |ln((ñ+10)/(n+10))| is exponential with mean ln 1.1; their sum over m cells is Gamma(m), and
    # P(Gamma(m) > 2m) <= (2/e)^m by Chernoff: below 1e-13 for m = 101.
    sizes = [
        abs(math.log((float(r["month3_emplvl"]) + 10) / (int(t["month3_emplvl"]) + 10)))
        for r, t in zip(noisy, true, strict=True)
    ]
    assert 0 < sum(sizes) < 2 * len(sizes) * math.log(1.1)

    record = json.loads((tmp_path / "rhode_island.csv.gz.json").read_text(encoding="utf-8"))
    assert record["where"] == WHERE
    assert record["rows"] == 101
    assert "month1_emplvl" in record["left_out_columns"]
