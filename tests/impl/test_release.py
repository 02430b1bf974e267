"""``establish release counts`` on good input: what is written, what is kept, and what never appears."""

import gzip
import hashlib
import json
import shutil
from importlib.resources import files
from pathlib import Path

import duckdb
import numpy as np
import pytest

from establish.impl.mechanisms.log_laplace import LogLaplace
from establish.impl.publish.counts import release_table
from establish.impl.sampling.bits import Bits

SAMPLE = Path(str(files("establish.impl"))) / "sample" / "cells.csv"

CONFIDENTIAL = (918273, 6455375, 30281947, 7140626)
LARGEST = (817263, 5344264, 29170836, 6039515)
WAGES = (202531, 8080917, 51627384, 4937251)
TABLE = f"""code,place,sector,mixed,wages,note,jobs,largest
00,Place A,x,(D),{WAGES[0]},,{CONFIDENTIAL[0]},{LARGEST[0]}
01,Place B,x,"4,4",{WAGES[1]},-,{CONFIDENTIAL[1]},{LARGEST[1]}
02,Place C,y,(D),{WAGES[2]},,{CONFIDENTIAL[2]},{LARGEST[2]}
03,Place D,y,5,{WAGES[3]},,{CONFIDENTIAL[3]},{LARGEST[3]}
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "cells.csv"
    path.write_text(TABLE, encoding="utf-8")
    return path


DROPPED = [word for column in ("code", "mixed", "wages", "largest") for word in ("--drop", column)]
LOG_LAPLACE = ("--mechanism", "log-laplace", "--alpha", "1/10", "--epsilon", "2", "--count", "jobs")


def test_the_sample_is_released_with_its_labels_and_without_its_largest(tmp_path, succeeds, rows_of):
    out, sample = tmp_path / "noisy.csv", shutil.copy(SAMPLE, tmp_path)
    succeeds("release", "counts", sample, *LOG_LAPLACE, "--largest", "largest", "--out", out)
    before, after = rows_of(SAMPLE), rows_of(out)
    assert list(after[0]) == ["place", "sector", "ownership", "jobs"]
    for old, new in zip(before, after, strict=True):
        assert [old[c] for c in ("place", "sector", "ownership")] == list(new.values())[:3]
        assert int(str(new["jobs"])) >= -10
    assert [old["jobs"] for old in before] != [new["jobs"] for new in after]


@pytest.mark.parametrize("ending", [".csv", ".csv.gz", ".parquet"])
def test_the_name_of_a_folder_is_no_value_of_a_column(ending, tmp_path, succeeds, rows_of):
    folder = tmp_path / "sector=x" / "state=1"
    folder.mkdir(parents=True)
    (tmp_path / "cells.csv").write_text(TABLE, encoding="utf-8")
    duckdb.read_csv(str(tmp_path / "cells.csv"), all_varchar=True).write_parquet(
        str(folder / "cells.parquet")
    )
    (folder / "cells.csv").write_text(TABLE, encoding="utf-8")
    (folder / "cells.csv.gz").write_bytes(gzip.compress(TABLE.encode()))
    out = tmp_path / "noisy.csv"
    succeeds("release", "counts", folder / f"cells{ending}", *LOG_LAPLACE, *DROPPED, "--out", out)
    assert [list(row)[:2] for row in rows_of(out)] == [["place", "sector"]] * 4
    assert [row["sector"] for row in rows_of(out)] == ["x", "x", "y", "y"]


def test_the_sample_has_no_establishment_above_its_cell(rows_of):
    assert all(0 <= int(str(r["largest"])) <= int(str(r["jobs"])) for r in rows_of(SAMPLE))


def test_the_noise_added_is_that_of_the_mechanism(source, tmp_path, rows_of):
    law = LogLaplace("1/10", 2, "published")
    release_table(source, tmp_path / "o.csv", law, count="jobs", drop_others=True, keep=["place"], seed=3)
    expected = LogLaplace("1/10", 2, "published").release(np.array(CONFIDENTIAL), Bits.seeded(3))
    assert [float(str(r["jobs"])) for r in rows_of(tmp_path / "o.csv")] == expected.tolist()


@pytest.fixture
def released(source: Path, tmp_path: Path, succeeds, rows_of):
    """Releases the counts by log-Laplace into a file: what was told, and the rows."""

    def release(*options: object, out: str = "o.csv") -> tuple[str, list[dict[str, object]]]:
        told = succeeds("release", "counts", source, *LOG_LAPLACE, *options, "--out", tmp_path / out)
        return told, rows_of(tmp_path / out)

    return release


def test_columns_are_kept_or_dropped_as_they_are_named(released, tmp_path):
    told, rows = released("--largest", "largest", *DROPPED[:6])
    assert list(rows[0]) == ["place", "sector", "note", "jobs"]
    record = json.loads((tmp_path / "o.csv.json").read_text(encoding="utf-8"))
    assert record["left_out_columns"] == ["code", "mixed", "wages"]
    assert "kept: place, sector, note\n" in told
    assert "dropped: code, mixed, wages\n" in told
    _, rows = released("--largest", "largest", "--keep", "code", "--drop-others", "--force")
    assert list(rows[0]) == ["code", "jobs"]


def test_keep_keeps_leading_zeros_and_empty_fields(released):
    _, kept = released("--keep", "code", "--keep", "mixed", "--keep", "note", "--drop-others")
    assert [r["code"] for r in kept] == ["00", "01", "02", "03"]
    assert [r["mixed"] for r in kept] == ["(D)", "4,4", "(D)", "5"]
    assert [r["note"] for r in kept] == ["", "-", "", ""]


MECHANISMS = {
    "log-laplace": ("--alpha", "1/10", "--epsilon", "2"),
    "smooth-gamma": ("--alpha", "1/10", "--epsilon", "2", "--calibration", "tight"),
    "smooth-laplace": ("--alpha", "1/10", "--epsilon", "2", "--delta", "1/1000"),
    "growth-laplace": ("--alpha", "1/10", "--epsilon", "2"),
    "growth-staircase": ("--alpha", "1/10", "--epsilon", "2"),
    "growth-staircase-unbiased": ("--alpha", "1/10", "--epsilon", "2"),
    "smooth-lomax": ("--alpha", "1/10", "--epsilon", "2"),
    "smooth-path": ("--alpha", "1/10", "--epsilon", "2"),
    "smooth-staircase-unbiased": ("--alpha", "1/10", "--epsilon", "2"),
    "smooth-staircase": ("--alpha", "1/10", "--epsilon", "2"),
    "whole-staircase": ("--alpha", "1/10", "--epsilon", "2"),
    "laplace": ("--epsilon", "1/10000"),  # noise of 10,000 jobs, so no leading digits coincide
}


@pytest.mark.few(3)
@pytest.mark.parametrize("ending", [".csv", ".csv.gz", ".parquet"])
@pytest.mark.parametrize("name", MECHANISMS)
def test_no_true_count_appears_anywhere(name, ending, source, tmp_path, run, shows, rows_of):
    out = tmp_path / f"o{ending}"
    options = (*MECHANISMS[name], "--count", "jobs", "--largest", "largest", "--seed", 5)
    given = ("--mechanism", name, *options, "--keep", "code", *DROPPED[2:6], "--out", out)
    status, printed, err = run("release", "counts", source, *given)
    assert status == 0
    table = "\n".join(str(list(row.values())) for row in rows_of(out))
    for text in (table, (tmp_path / f"o{ending}.json").read_text(encoding="utf-8"), printed, err):
        for secret in (*CONFIDENTIAL, *LARGEST, *WAGES):
            assert not shows(text, secret)
    noisy = np.array([float(str(row["jobs"])) for row in rows_of(out)])
    assert not np.any(noisy == np.array(CONFIDENTIAL))


def test_where_chooses_rows_by_text_and_keeps_empty_text(released):
    condition = "code <> '02' AND note <> '-'"
    _, rows = released("--where", condition, "--keep", "code", "--keep", "note", "--drop-others")
    assert [r["code"] for r in rows] == ["00", "03"]


def test_bad_rows_that_where_leaves_out_do_not_matter(source, released):
    source.write_text(TABLE + "04,Place E,y,(D),0,,suppressed,\n", encoding="utf-8")
    released("--where", "code <> '04'", "--public", "code", *DROPPED[2:])


def test_the_same_seed_gives_the_same_files_and_no_seed_gives_others(source, tmp_path, succeeds):
    outs = [tmp_path / f"{i}" / "o.csv" for i in range(4)]
    for out, seed in zip(outs, [("--seed", 4), ("--seed", 4), (), ()], strict=True):
        out.parent.mkdir()
        succeeds("release", "counts", source, *LOG_LAPLACE, *DROPPED, *seed, "--out", out)
    tables = [out.read_text(encoding="utf-8") for out in outs]
    assert tables[0] == tables[1]
    assert len(set(tables)) == 3
    seeds = [json.loads(Path(f"{out}.json").read_text(encoding="utf-8"))["seed"] for out in outs]
    assert seeds[0] == "seeded: reproducible, for tests, not secret"
    assert seeds[2] == "operating-system entropy"


def test_the_three_formats_hold_the_same_table(released, tmp_path):
    tables = [
        [(r["place"], r["note"], float(str(r["jobs"]))) for r in rows]
        for _, rows in (
            released(*DROPPED, "--seed", 4, out=f"o{end}") for end in (".csv", ".csv.gz", ".parquet")
        )
    ]
    assert tables[0] == tables[1] == tables[2]
    with gzip.open(tmp_path / "o.csv.gz", "rt", encoding="utf-8") as zipped:
        assert zipped.read() == (tmp_path / "o.csv").read_text(encoding="utf-8")


def test_parquet_is_read_with_its_types(tmp_path, succeeds, rows_of):
    source, out = tmp_path / "cells.parquet", tmp_path / "o.parquet"
    with duckdb.connect() as db:
        db.execute(
            "COPY (SELECT 'P' || i AS place, i::INTEGER AS jobs, DATE '2016-01-01' AS day, "
            f"[i] AS months FROM range(1, 4) r(i)) TO '{source}' (FORMAT parquet)"
        )
    named = ("--keep", "place", "--keep", "day", "--drop", "months", "--where", "place <> 'P2'")
    succeeds("release", "counts", source, *LOG_LAPLACE, *named, "--out", out)
    kept = rows_of(out)
    assert [r["place"] for r in kept] == ["P1", "P3"]
    assert [str(r["day"]) for r in kept] == ["2016-01-01"] * 2
    assert "months" not in kept[0]


def test_json_prints_the_record_that_is_written(released, tmp_path):
    printed, _ = released(*DROPPED, "--json")
    written = json.loads((tmp_path / "o.csv.json").read_text(encoding="utf-8"))
    assert json.loads(printed) == written


def test_the_record_says_what_was_done_and_what_it_rests_on(source, tmp_path):
    released = release_table(
        source,
        tmp_path / "o.csv",
        LogLaplace("0.1", 2, "published"),
        count="jobs",
        keep=["place"],
        drop_others=True,
        verdicts={"haney2017/thm-8.1-strong": "holds_loosely"},
    )
    record = json.loads(released.sidecar.read_text(encoding="utf-8"))
    assert record["parameters"] == {"alpha": "1/10", "epsilon": "2"}
    assert record["rows"] == 4
    claims = {entry["claim"]: entry["verdict"] for entry in record["rests_on"]}
    assert claims["haney2017/thm-8.1-strong"] == "holds_loosely"
    assert claims["haney2017/lemma-8.2"] == "not recorded"
    # λ = ln 1.1 = 0.0953102; λ/(1 − λ²) = 0.0961840.
    assert record["expected_error"]["mean absolute error"] == "E|noisy − n| = 0.09618·(n + 10)"
    assert [g["definition"].split(" ")[0] for g in record["satisfies"]] == ["strong", "weak"]
    assert all("disjoint" in g["scope"] for g in record["satisfies"])
    assert any("drawn exactly" in note for note in record["notes"])
    assert set(record["versions"]) >= {"python", "establish", "numpy", "cryptography", "python-flint"}
    assert record["tables"] == {"o.csv": hashlib.sha256(released.table.read_bytes()).hexdigest()}


def test_laplace_says_that_it_is_edge_privacy_and_does_not_use_alpha(source, tmp_path, succeeds):
    options = ("--mechanism", "laplace", "--epsilon", "1/2", "--count", "jobs", *DROPPED)
    told = succeeds("release", "counts", source, *options, "--alpha", "1/10", "--out", tmp_path / "a.csv")
    assert "edge differential privacy with ε = 1/2" in told
    assert "laplace does not use α" in told
    assert "ER-EE" not in told
    told = succeeds("release", "counts", source, *options, "--out", tmp_path / "b.csv")
    assert "does not use α" not in told


def test_force_replaces_both_files(released, tmp_path):
    sidecar = tmp_path / "o.csv.json"
    for path in (tmp_path / "o.csv", sidecar):
        path.write_text("old", encoding="utf-8")
    _, rows = released(*DROPPED, "--force")
    assert len(rows) == 4
    assert json.loads(sidecar.read_text(encoding="utf-8"))["rows"] == 4


def test_names_with_quotes_spaces_and_wildcards_are_just_names(tmp_path, succeeds, rows_of):
    source, out = tmp_path / "a[1]*.csv", tmp_path / "o'.csv"
    (tmp_path / "a1b.csv").write_text("place,jobs\nother,1\n", encoding="utf-8")
    source.write_text('"the ""place""","all jobs"\n# one,5\n', encoding="utf-8")
    options = ("--mechanism", "laplace", "--epsilon", 1, "--count", "all jobs", "--keep", 'the "place"')
    succeeds("release", "counts", source, *options, "--out", out)
    assert [next(iter(r.items())) for r in rows_of(out)] == [('the "place"', "# one")]
