"""``establish release earnings`` from end to end, and on bad input."""

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import duckdb
import numpy as np
import pytest

from establish.impl.earnings.bins import Bins, bins_of, even, log_normal, percentages
from establish.impl.earnings.histogram_percentiles import RESTS_ON, HistogramPercentiles
from establish.impl.earnings.percentiles import NOT_POSITIVE, RELEASED
from establish.impl.publish.earnings import EXACT, release_earnings
from establish.impl.sampling.bits import Bits
from establish.spec.arithmetic import MP
from establish.spec.earnings.histogram import total_noise_mass
from establish.spec.parameters import ParameterError

SECRETS = (81927, 30173, 64553, 998877665, 4321, 27182)
TABLE = """person,college,year,note,earned
a1,North,05,,81927
a2,North,05,x,30173
a3,South,05,,64553
a4,South,01,,998877665
a5,North,01,,4321
a6,"East, or ""E"" side",01,,27182
"""
CELLS = ("--cell", "college", "--cell", "year")
GOOD = ("--mechanism", "histogram-percentiles", "--epsilon", "1", "--earnings", "earned", *CELLS)
QUARTILES = percentages((25, 50, 75))


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    path.write_text(TABLE, encoding="utf-8")
    return path


@pytest.fixture
def refused(refusal: Callable[..., str], changed) -> Callable[..., str]:
    """The line that the command says to a table and options in place of the good ones."""

    def told(source: Path, out: Path, *options: object) -> str:
        message = refusal("release", "earnings", source, *changed(GOOD, *options), "--out", out)
        shown = message.replace(str(source.parent), "")
        assert not [secret for secret in (*SECRETS, 77123) if str(secret) in shown]
        return message

    return told


@pytest.fixture
def released(source: Path, tmp_path: Path, succeeds, changed, rows_of):
    """Releases the table with options beside the good ones: what was printed, the rows and the record."""

    def release(*options: object, out: str = "o.csv"):
        path = tmp_path / out
        printed = succeeds("release", "earnings", source, *changed(GOOD, *options), "--out", path)
        return printed, rows_of(path), json.loads(Path(f"{path}.json").read_text("utf-8"))

    return release


def test_one_row_per_cell_is_written_in_the_order_of_the_labels(released):
    printed, rows, _ = released()
    assert list(rows[0]) == ["college", "year", "count", "p25", "p50", "p75", "status"]
    assert [(r["college"], r["year"]) for r in rows] == [
        *(('East, or "E" side', "01"), ("North", "01"), ("North", "05"), ("South", "01")),
        ("South", "05"),
    ]
    assert "5 cells released by histogram-percentiles" in printed


def test_a_cell_without_a_positive_count_has_empty_fields_and_says_so(tmp_path, succeeds, rows_of):
    source, out = tmp_path / "p.csv", tmp_path / "o.csv"
    lines = "".join(f"{cell},20000\n" for cell in range(300))
    source.write_text("cell,earned\n" + lines, encoding="utf-8")
    options = ("--mechanism", "histogram-percentiles", "--epsilon", "1/10", "--earnings", "earned")
    succeeds("release", "earnings", source, *options, "--cell", "cell", "--seed", 1, "--out", out)
    rows = rows_of(out)
    assert len(rows) == 300
    # The total's noise is symmetric with deviation √(21·2ρ)/(1−ρ) = 65, so many of 300 are below 0;
    # none is with probability below P(positive)^300 < 0.6^300 < 1e-66.
    assert 0 < len([r for r in rows if int(str(r["count"])) <= 0]) < 300
    for row in rows:
        values = [row[name] for name in ("p25", "p50", "p75")]
        if int(str(row["count"])) <= 0:
            assert values == [""] * 3
            assert row["status"] == NOT_POSITIVE
        else:
            numbers = [float(str(value)) for value in values]
            assert 10_000 <= numbers[0] <= numbers[1] <= numbers[2] <= 614_597
            assert row["status"] == RELEASED


@pytest.mark.few(2)
@pytest.mark.parametrize("ending", [".csv", ".csv.gz", ".parquet"])
def test_no_true_amount_appears_anywhere_and_formats_agree(ending, source, tmp_path, run, shows, rows_of):
    given = tmp_path / "people.parquet"
    with duckdb.connect() as db:
        db.execute(
            "COPY (SELECT person, college, year, earned::INTEGER AS earned FROM "
            f"read_csv('{source}', all_varchar = true)) TO '{given}' (FORMAT parquet)"
        )
    tables = []
    for place, table in enumerate((source, given)):
        out = tmp_path / f"o{place}{ending}"
        options = ("--person", "person", "--seed", 3)
        status, printed, err = run("release", "earnings", table, *GOOD, *options, "--out", out)
        assert status == 0
        rows = rows_of(out)
        tables.append([[str(value) for value in row.values()] for row in rows])
        record = (tmp_path / f"{out.name}.json").read_text(encoding="utf-8")
        for text in (str(rows), record, printed, err):
            assert not [secret for secret in SECRETS if shows(text, secret)]
    assert tables[0] == tables[1]


def test_the_numbers_written_are_those_of_the_mechanism(source, tmp_path, rows_of):
    mechanism = HistogramPercentiles(1, log_normal(), QUARTILES)
    out = tmp_path / "o.csv"
    release_earnings(source, out, mechanism, earnings="earned", cells=["year"], seed=7)
    earned = np.array([81927, 30173, 64553, 998877665, 4321, 27182], dtype=float)
    expected = mechanism.release(np.array([1, 1, 1, 0, 0, 0]), earned, 2, Bits.seeded(7))
    rows = rows_of(out)
    assert [int(str(r["count"])) for r in rows] == expected.count.tolist()
    written = [float(str(r["p50"])) for r in rows if r["status"] == RELEASED]
    assert written == pytest.approx(expected.percentiles.of_defined[:, 1], abs=0.005)


@pytest.mark.parametrize("name", ["clamp", "isotonic"])
def test_post_processing_keeps_the_count_and_gives_ordered_percentiles(name, released):
    _, before, _ = released("--seed", 5)
    _, after, record = released("--seed", 5, "--post-process", name, out="better.csv")
    assert [r["count"] for r in before] == [r["count"] for r in after]
    assert [r["p50"] for r in before] != [r["p50"] for r in after]
    for row in after:
        if row["status"] == RELEASED:
            values = [float(str(row[label])) for label in ("p25", "p50", "p75")]
            assert 10_000 <= values[0] <= values[1] <= values[2] <= 614_597
    assert record["parameters"]["post_process"] == name
    assert "establish/post-processing-loss" in [entry["claim"] for entry in record["rests_on"]]


def people(path: Path, sizes: dict[str, int]) -> Path:
    """A table with so many persons per cell, who earn 40000 and up by a dollar."""
    lines = [f"{cell},{40_000 + k}" for cell, size in sizes.items() for k in range(size)]
    path.write_text("\n".join(["cell,earned", *lines]) + "\n", encoding="utf-8")
    return path


def test_chosen_by_size_releases_small_and_large_cells_and_says_how(tmp_path, succeeds, rows_of):
    source, out = people(tmp_path / "p.csv", {"a": 10, "b": 120, "c": 3_000}), tmp_path / "o.csv"
    options = ("--mechanism", "chosen-by-size", "--epsilon", "1", "--earnings", "earned")
    printed = succeeds("release", "earnings", source, *options, "--cell", "cell", "--seed", 2, "--out", out)
    assert "3 cells released by chosen-by-size (ours calibration)" in printed
    rows = {str(row["cell"]): row for row in rows_of(out)}
    # The count of the third has noise with ε/5: farther off than 150 with probability 2·e^(−30) < 2e-13.
    assert abs(int(str(rows["c"]["count"])) - 3_000) < 150
    assert 38_000 < float(str(rows["c"]["p50"])) < 45_000
    record = json.loads((tmp_path / "o.csv.json").read_text(encoding="utf-8"))
    classes = record["parameters"]["classes"]
    assert [c["epsilon_times_noisy_total_from"] for c in classes] == ["any", 25, 60, 250, 600]
    assert [c["shares_of_epsilon"] for c in classes] == [["1/20", "19/20"]] * 4 + [["1/20", "1/5", "3/4"]]
    assert [g["definition"] for g in record["satisfies"]] == [
        *("differential privacy with ε = 1", "differential privacy with 2ε = 2")
    ]
    named = [entry["claim"] for entry in record["rests_on"]]
    assert {f"establish/{label}" for label in OURS} <= set(named)
    # ρ = e^(−0.95): 2ρ/(1−ρ²) = 0.909517; √(6·2ρ)/(1−ρ) = 3.51283 in the first class.
    assert "0.9095" in record["expected_error"]["mean absolute error"]
    assert record["expected_error"]["standard deviation"].startswith("3.513, ")


OURS = (
    "post-processing-loss",
    "quantile-draw-loss",
    "quantile-tree-loss",
    "chosen-by-size-loss",
    "chosen-by-size-budget",
)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--bins", "even"), "--bins is not used by chosen-by-size"),
        (("--post-process", "clamp"), "--post-process is not used by chosen-by-size"),
        (("--percentiles", "50,25"), "percentiles must increase: write 25,50,75"),
        (("--epsilon", "1/100000"), "ε for the total = 1/2000000 is not allowed"),
    ],
)
def test_what_chosen_by_size_does_not_use_is_refused(options, message, source, tmp_path, refused):
    chosen = ("--mechanism", "chosen-by-size", *options)
    assert message in refused(source, tmp_path / "o.csv", *chosen)


def test_the_record_says_what_was_done_and_what_it_rests_on(released):
    printed, rows, record = released("--percentiles", "10,97.5", "--json")
    assert json.loads(printed) == record
    assert record["parameters"]["percentiles"] == ["10", "97.5"]
    assert record["parameters"]["bin_end_points"][:3] == [10000, 17403, 22876]
    assert [g["definition"] for g in record["satisfies"]] == [
        *("differential privacy with ε = 1", "differential privacy with 2ε = 2")
    ]
    assert "absence of a cell reveals" in record["satisfies"][0]["scope"]
    assert record["cells"] == "from the data"
    # ρ = 1/e: 2ρ/(1−ρ²) = 0.850918, √(21·2ρ)/(1−ρ) = 6.21842.
    assert "0.8509" in record["expected_error"]["mean absolute error"]
    assert record["expected_error"]["standard deviation"].startswith("6.218 ")
    assert {entry["claim"] for entry in record["rests_on"]} == set(RESTS_ON)
    assert "below the first end point" in record["domain"]
    assert list(rows[0])[3:5] == ["p10", "p97.5"]
    assert {"establish", "numpy", "python-flint", "cryptography"} < set(record["versions"])
    assert EXACT in record["notes"]


def test_the_stated_deviation_of_the_count_is_that_of_its_law():
    mechanism = HistogramPercentiles("1/2", even(10), QUARTILES)
    stated = float(mechanism.expected_error["standard deviation"].split()[0])
    ratio = MP.exp(-MP.number(Fraction(1, 2)))
    masses = [float(total_noise_mass(k, 10, ratio, MP)) for k in range(-300, 301)]
    variance = sum(k * k * mass for k, mass in zip(range(-300, 301), masses, strict=True))
    assert sum(masses) == pytest.approx(1, abs=1e-12)
    assert variance**0.5 == pytest.approx(stated, rel=1e-3)  # four digits are printed


def test_listed_cells_are_all_released_and_unlisted_ones_refused(source, tmp_path, refused, released):
    listed, out = tmp_path / "cells.csv", tmp_path / "o.csv"
    labels = [f"{c},{y}" for c in ("North", "South", "West", '"East, or ""E"" side"') for y in ("01", "05")]
    listed.write_text("college,year\n" + "\n".join(labels) + "\n", encoding="utf-8")
    printed, rows, _ = released("--cells", listed)
    assert len(rows) == 8
    assert "a cell of it without records is released" in printed
    listed.write_text("college,year\n" + "\n".join(labels[:6]) + "\n", encoding="utf-8")
    assert "row 6 lies in a cell that --cells" in refused(source, out, "--cells", listed, "--force")
    listed.write_text("college,year\n" + "\n".join(labels + labels[:1]) + "\n", encoding="utf-8")
    assert "lists a cell twice" in refused(source, out, "--cells", listed, "--force")
    listed.write_text("college\nNorth\n", encoding="utf-8")
    assert "has no column year" in refused(source, out, "--cells", listed, "--force")


def test_no_records_in_a_listed_domain_are_released_too(source, tmp_path, released):
    source.write_text("college,year,earned\n", encoding="utf-8")
    (tmp_path / "c.csv").write_text("college,year\nNorth,01\n", encoding="utf-8")
    assert len(released("--cells", tmp_path / "c.csv")[1]) == 1


def test_one_person_cells_and_amounts_outside_the_bins_are_released(tmp_path, succeeds, rows_of):
    # ε = 30: noise is 0 but with probability 2e-13 per bin.
    source, out = tmp_path / "p.csv", tmp_path / "o.csv"
    source.write_text("cell,earned\nlow,0\nhigh,9e9\nmid,30000\n", encoding="utf-8")
    options = ("--mechanism", "histogram-percentiles", "--epsilon", "30", "--earnings", "earned")
    given = ("--cell", "cell", "--bins", "10000,20000,40000,50000", "--percentiles", "50")
    succeeds("release", "earnings", source, *options, *given, "--out", out)
    found = {r["cell"]: (r["count"], float(str(r["p50"]))) for r in rows_of(out)}
    assert found == {"low": ("1", 15000.0), "high": ("1", 45000.0), "mid": ("1", 30000.0)}


def test_the_same_seed_gives_the_same_table_and_none_gives_others(released):
    # No percentiles in any of the 5 cells, and equal totals of 20 counts with noise of 1,400 each, have a
    # probability below (1/2 · 1/10,000)^5 < 1e-21; equal percentiles are rarer.
    tables = [
        str(released("--epsilon", "1/1000", *seed, out=f"o{place}.csv")[1])
        for place, seed in enumerate([("--seed", 4), ("--seed", 4), (), ()])
    ]
    assert tables[0] == tables[1]
    assert len(set(tables)) == 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--epsilon", "0"), "ε = 0 is not allowed"),
        (("--epsilon", "1001"), "ε must lie in 1e-06..1000"),
        (("--mechanism", "x"), "mechanism = x is not known: use one of bins-or-gaps"),
        (("--percentiles", "0"), "percentile = 0 is not allowed"),
        (("--percentiles", "25,100"), "percentile = 100 is not allowed"),
        (("--percentiles", "25,25.0"), "each given once"),
        (("--percentiles", "33.33333"), "more than three decimals"),
        (("--percentiles", "x"), "percentile = x is not a finite rational"),
        (("--bins", "20000,10000"), "20000, 10000 … must increase"),
        (("--bins", "10000,10000"), "must increase"),
        (("--bins", "-5,10000"), "must be dollars"),
        (("--bins", "wide"), "bins = wide is not known"),
        (("--earnings", "wage"), "--earnings = wage is not a column"),
        (("--cell", "place"), "--cell = place is not a column"),
        (("--cell", "year"), "--cell = year is given twice"),
        (("--cell", "earned"), "--cell = earned is the earnings column"),
        (("--person", "earned"), "--person = earned is the earnings column"),
        (("--person", "year"), "--person = year forms the cells"),
        (("--person", "nobody"), "--person = nobody is not a column"),
        (("--person", "note"), "column note has no identifier in row 1"),
        (("--seed", "-1"), "seed = -1 is not allowed"),
        (("--cells", "missing.csv"), "--cells = missing.csv is not a file"),
        (("--post-process", "smooth"), "post-process = smooth is not known: use one of none, clamp"),
    ],
)
def test_bad_options_are_refused_in_one_line(options, message, source, tmp_path, refused):
    assert message in refused(source, tmp_path / "o.csv", *options)


@pytest.mark.parametrize("bad", ["-77123", "", "(D)", "nan", "inf", "77123-"])
def test_negative_and_missing_earnings_are_refused_by_row(bad, source, tmp_path, refused):
    source.write_text(TABLE.replace("64553", bad), encoding="utf-8")
    message = refused(source, tmp_path / "o.csv")
    assert "column earned must be dollars from 0 to 2^53 − 1: not so in row 3" in message


@pytest.mark.parametrize("same", ["a1", "a1 ", " a1", "a1\t", "a\u200b1"])
def test_a_person_in_two_cells_is_refused_by_row(same, source, tmp_path, refused):
    source.write_text(TABLE.replace("a4", same), encoding="utf-8")
    message = refused(source, tmp_path / "o.csv", "--person", "person")
    assert "names one person in rows 1 and 4, more often than once: with k records a person" in message
    assert "a1" not in message


def test_a_person_whose_letters_have_two_forms_is_one(source, tmp_path, refused):
    source.write_text(TABLE.replace("a1", "Ren\u00e9").replace("a4", "Rene\u0301"), encoding="utf-8")
    assert "one person in rows 1 and 4" in refused(source, tmp_path / "o.csv", "--person", "person")


def test_a_person_whose_name_does_not_show_has_none(source, tmp_path, refused):
    source.write_text(TABLE.replace("a4", "\t"), encoding="utf-8")
    assert "no identifier in row 4" in refused(source, tmp_path / "o.csv", "--person", "person")


def test_the_confidential_table_is_no_list_of_all_cells(source, tmp_path, refused):
    source.write_text("\n".join(TABLE.splitlines()[:2]) + "\n", encoding="utf-8")
    (tmp_path / "link.csv").symlink_to(source)
    for named in (source, tmp_path / "link.csv"):
        assert "is the confidential table" in refused(source, tmp_path / "o.csv", "--cells", named)


def test_an_input_without_rows_or_a_column_of_ours_is_refused(source, tmp_path, refused):
    source.write_text("college,year,earned\n", encoding="utf-8")
    assert "has no rows" in refused(source, tmp_path / "o.csv")
    source.write_text("college,year,status,earned\nN,1,x,20000\n", encoding="utf-8")
    message = refused(source, tmp_path / "o.csv", "--cell", "status")
    assert "--cell = status has the name of a column that is written" in message


def test_columns_may_have_any_name_but_two(tmp_path, refusal, succeeds, rows_of):
    source, out = tmp_path / "p.csv", tmp_path / "o.csv"
    names = ["times", "CAST(v0", "d0", 'a "b" c', "cells", "establish_cell_number"]
    quoted = ",".join('"' + name.replace('"', '""') + '"' for name in names)
    source.write_text(f"{quoted},earned\n1,2,3,4,5,6,20000\n", encoding="utf-8")
    options = ("--mechanism", "histogram-percentiles", "--epsilon", "1", "--earnings", "earned")
    given = [item for name in names[:5] for item in ("--cell", name)]
    succeeds("release", "earnings", source, *options, *given, "--out", out)
    assert [rows_of(out)[0][name] for name in names[:5]] == ["1", "2", "3", "4", "5"]
    reserved = ("--cell", names[5], "--force", "--out", out)
    assert "has a name that is reserved" in refusal("release", "earnings", source, *options, *reserved)


def test_bins_are_read_from_text_and_refused_where_they_are_none():
    assert bins_of("log-normal") == log_normal()
    assert bins_of("even") == even()
    assert bins_of("1, 2.5,7").edges == (1, 2.5, 7)
    for bad in ((1.0,), (1.0, float("nan")), (2.0, 1.0)):
        with pytest.raises(ParameterError, match="bins = "):
            Bins(bad)
    for make in (even, log_normal):
        with pytest.raises(ParameterError, match="bins = 0 is not allowed"):
            make(0)
    with pytest.raises(ParameterError, match="must be one or more"):
        percentages(())
