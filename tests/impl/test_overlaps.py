"""Rows that are one cell, and totals beside their parts, are refused before anything is spent."""

import re
import shlex
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from establish.impl.tables import texts
from establish.impl.tables.formulas import is_formula
from establish.impl.tables.overlaps import codes_with_parts, is_total, suspect
from establish.impl.tables.table import Table

LAW = ("--alpha", "1/10", "--epsilon", "2", "--count", "jobs")


@pytest.fixture
def release(tmp_path: Path):
    """The call that releases a table of these lines."""

    def call(text: str, *options: object) -> tuple[object, ...]:
        (tmp_path / "cells.csv").write_text(text, encoding="utf-8")
        return ("release", "counts", tmp_path / "cells.csv", *LAW, "--out", tmp_path / "o.csv", *options)

    return call


def test_pairs_and_sums_are_those_of_a_plain_loop(tmp_path):
    """Over small tables with absent labels, equal counts, and columns called as the query's own."""
    rng = np.random.default_rng(5)
    found: set[str] = set()
    for _ in range(40):
        rows = [(rng.choice(["", "a", "A ", "b"]), int(rng.integers(2))) for _ in range(rng.integers(1, 9))]
        values = rng.integers(0, 5, len(rows)).astype(float)
        text = "\n".join(["place,n,top", *(f"{place},{n},x" for place, n in rows)])
        (tmp_path / "cells.csv").write_text(f"{text}\n", encoding="utf-8")
        numbers = np.arange(1, len(rows) + 1)
        with Table(tmp_path / "cells.csv") as table:
            plain = [(place.strip().lower(), n) for place, n in rows]
            again = [(plain.index(row) + 1, k) for k, row in enumerate(plain, 1) if plain.index(row) < k - 1]
            assert table.said.alike(["place", "n"]) == min(again, default=None)
            for columns, keys in (
                (["n"], [n for _, n in rows]),
                (["place"], [p for p, _ in rows]),
                ([], [0] * 9),
            ):
                groups = [values[[k == key for k in keys[: len(rows)]]] for key in keys[: len(rows)]]
                sums = [
                    row
                    for row, value, group in zip(numbers, values, groups, strict=True)
                    if value > 0 and len(group) > 2 and 2 * value == group.sum()
                ]
                assert table.said.sum_of_others(columns, values) == min(sums, default=None)
                found |= {f"{len(columns)} {bool(sums)}", f"{bool(again)}"}
            assert table.said.alike(["place", "n"]) == min(again, default=None), "whatever was asked before"
    assert len(found) == 6, "each answer was given"


def test_every_total_and_every_formula_is_among_the_few_labels_that_are_looked_at(tmp_path):
    totals = "total,TOTALS,Grand total,sub-total,sales total,all,All kinds,both sexes,overall,Sum,aggregate"
    totals += ",statewide,Nationwide,national,United  States,U.S.,us,U.S.A.,"
    totals += " \u00a0 all,\u2003total,\x1call,\u017fum"
    formulas = "=1,+a,-b,@c,\td"
    labels = [*totals.split(","), *formulas.split(","), "01", "mill", "-5", "house", "Rhode Island"]
    lines = "".join(f'"{label}",{n}\n' for n, label in enumerate(labels))
    (tmp_path / "cells.csv").write_text(f"label,n\n{lines}", encoding="utf-8")
    with Table(tmp_path / "cells.csv") as table:
        found = suspect(table, "label")
        assert {label for label in labels if is_total(label) or is_formula(label)} <= {*found}
        assert not {"01", "mill", "Rhode Island"} & {*found}
        assert suspect(table, "n") == []


@pytest.mark.parametrize(
    ("label", "other"),
    [("07", "07X"), ("mill", "millX"), ("Mill town", " mill  townx"), ("M\u00fchle", "M\u00dcHLEX")],
)
def test_two_rows_alike_are_found_among_many(label, other, tmp_path, monkeypatch):
    """Whatever is read of a column first: few rows, a pattern, a hash."""
    monkeypatch.setattr(texts, "SOME", 8)
    places = [f"{label}{n}" for n in range(30)]
    places[23], places[27] = f"{label}x", other
    lines = "".join(f"{place},{n % 3}\n" for n, place in enumerate(places))
    (tmp_path / "cells.csv").write_text(f"places,n\n{lines}", encoding="utf-8")
    with Table(tmp_path / "cells.csv") as table:
        assert table.said.alike(["places", "n"]) is None
        assert table.said.alike(["places"]) == (24, 28)
        table.choose(np.array([n for n in range(1, 31) if n != 24]))
        assert table.said.alike(["places"]) is None


def test_numbers_that_stand_in_another_order_than_the_rows_are_not_written(tmp_path):
    (tmp_path / "cells.csv").write_text("place,n\na,1\nb,2\n", encoding="utf-8")
    with Table(tmp_path / "cells.csv") as table:
        values = np.array([5, 6])
        table.write(tmp_path / "o.csv", ".csv", ["place", "n"], "n", values)
        assert (tmp_path / "o.csv").read_text("utf-8") == "place,n\na,5\nb,6\n"
        table.said._rows = np.array([2, 1])
        with pytest.raises(duckdb.Error, match="out of order"):
            table.write(tmp_path / "o.csv", ".csv", ["place", "n"], "n", values)


@pytest.mark.parametrize("suffix", ["", "_0", "_1", "_again"])
@pytest.mark.parametrize("parquet", [False, True])
def test_no_column_of_an_input_is_taken_for_one_that_is_put_beside_it(
    suffix, parquet, release, refusal, tmp_path
):
    name = f"Establish_Row_Number{suffix}"
    asked = list(release(f"state,{name},jobs\nRI,12,5\nMA,34,6\n", "--drop", name))
    if parquet:
        columns = {"state": ["RI", "MA"], name: [12, 34], "jobs": [5, 6]}
        asked[2] = tmp_path / "cells.parquet"
        pq.write_table(pa.table(columns), asked[2])
    assert (
        "column 2 has a name that begins with establish_row_number, which is reserved: rename it"
        in refusal(*asked)
    )


@pytest.mark.parametrize("other", ["RI", "ri", " RI", "RI\u00a0", "R\u200bI", "\ufeffRI"])
def test_two_rows_of_one_cell_are_refused(release, refusal, other):
    told = refusal(*release(f"state,jobs\nMA,34\nRI,12\n{other},12\n"))
    assert "rows 2 and 3 have the same labels (state" in told


def test_composed_and_decomposed_letters_are_the_same_label(release, refusal):
    assert "same labels" in refusal(*release("state,jobs\nQu\u00e9bec,34\nQue\u0301bec,34\n"))


@pytest.mark.parametrize(
    ("one", "other"), [("Fish", "\ufb01sh"), ("Retail", "\uff32etail"), ("\uff21B", "A\uff22")]
)
def test_a_label_in_two_forms_of_letters_is_refused(one, other, release, refusal, succeeds):
    told = refusal(*release(f"kind,jobs\n{one},34\n{other},12\n"))
    assert "one label in two forms of letters" in told
    succeeds(*release(f"kind,jobs\nMine,34\n{other},12\n"))


def test_a_file_joined_to_itself_is_refused_wherever_its_rows_are_repeated(release, refusal):
    rows = [f"{place},{sector},{n}" for n, place in enumerate("ABC") for sector in ("x", "y")]
    told = refusal(*release("\n".join(["place,sector,jobs", *rows, *rows]) + "\n"))
    assert "rows 1 and 7 have the same labels (place, sector" in told


def test_rows_that_only_a_dropped_column_tells_apart_are_refused(release, refusal, succeeds):
    text = "state,year,jobs\nRI,2016,12\nRI,2017,12\n"
    assert "keep a column that tells them apart" in refusal(*release(text, "--drop", "year"))
    succeeds(*release(text, "--keep", "year"))


def test_rows_without_any_label_are_refused_and_one_number_is_not(release, refusal, succeeds):
    told = refusal(*release("naics,fips,jobs\n01,01001,12\n11,06037,34\n", "--drop-others"))
    assert "rows 1 and 2 have no label, so no budget is spent" in told
    succeeds(*release("jobs\n46\n"))


def test_rows_that_the_condition_leaves_out_do_not_count(release, succeeds):
    succeeds(*release("state,kind,jobs\nRI,a,12\nRI,b,12\n", "--where", "kind = 'a'"))


def test_a_total_beside_its_parts_is_refused_with_the_condition_to_type(
    release, refusal, succeeds, rows_of, tmp_path
):
    text = "state,kind,jobs\nRI,mill,12\nMA,shop,34\nTotal,All kinds,46\n"
    told = refusal(*release(text, "--where", "kind <> 'bank'"))
    assert "a total beside its parts (state = Total; kind = All kinds)" in told
    typed = shlex.split(re.search(r"--where .*? and release", told)[0].removesuffix(" and release"))
    succeeds(*release(text, *typed))
    assert [row["state"] for row in rows_of(tmp_path / "o.csv")] == ["RI", "MA"]
    alone = release(text, "--where", "state = 'Total'", "--force")
    assert "spent (ε = 4)" in succeeds(*alone)  # by itself, and added up


def test_a_label_that_is_no_total_is_said_to_be_none(release, refusal, succeeds):
    text = "state,jobs\nAll Saints,12\nMA,34\n"
    assert "--disjoint if they are not totals" in refusal(*release(text))
    succeeds(*release(text, "--disjoint"))


@pytest.mark.parametrize(
    ("labels", "wholes"),
    [
        (["44-45", "441", "445", "722"], ["44-45"]),
        (["441", "4411", "441110", "722511"], ["441", "4411"]),
        (["10", "102", "1022", "51"], ["10", "102", "1022"]),
        (["------", "31----", "311///", "3111//"], ["------", "31----", "311///"]),
        (["01000", "01001", "06037"], ["01000"]),
        (["US000", "01000", "06000"], ["US000"]),
        (["01", "06", "06037"], ["06"]),
        (["441", "445", "722"], []),
        (["01001", "06037"], []),
        (["11", "113", "7"], []),  # 7 is no code of any system
        (["44-45", "441", "retail"], []),
        ([], []),
    ],
)
def test_a_code_of_which_others_are_a_part_is_a_total(labels, wholes):
    assert codes_with_parts(labels) == wholes


def test_codes_beside_their_parts_are_refused_and_one_level_is_released(release, refusal, succeeds):
    text = "naics,jobs\n44-45,46\n441,12\n445,34\n"
    assert "a total beside its parts (naics = 44-45)" in refusal(*release(text, "--keep", "naics"))
    succeeds(*release(text, "--keep", "naics", "--where", "naics IS DISTINCT FROM '44-45'"))


@pytest.mark.parametrize("kind", [pa.int16(), pa.uint64(), pa.float64(), pa.string()])
@pytest.mark.parametrize("several", [1, 9])
def test_codes_are_totals_whatever_their_column_is_of(kind, several, release, refusal, succeeds, tmp_path):
    wholes = [441 + k for k in range(several)]
    codes = [code for whole in wholes for code in (whole, 10 * whole + 1)]
    column = pa.array([*codes, None]).cast(kind)
    pq.write_table(pa.table({"naics": column, "jobs": [4] * len(column)}), tmp_path / "cells.parquet")
    asked = (
        "release",
        "counts",
        tmp_path / "cells.parquet",
        *LAW,
        "--out",
        tmp_path / "o.csv",
        "--keep",
        "naics",
    )
    told = refusal(*asked)
    assert "a total beside its parts (naics = 441" in told
    succeeds(*asked, "--where", re.search('--where "(.*?)"', told)[1])


def test_a_row_without_a_code_hides_no_total(release, refusal):
    assert "naics = 52)" in refusal(*release("naics,jobs\n52,9\n521,5\n,4\n", "--keep", "naics"))


def test_many_codes_are_left_out_by_their_length(release, refusal):
    rows = [f"{code},{4}" for first in range(441, 450) for code in (first, f"{first}1")]
    told = refusal(*release("\n".join(["naics,jobs", *rows]) + "\n", "--keep", "naics"))
    assert "448 and 1 more" in told
    assert "length(naics) > 3" in told


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("state,jobs\nRI,12\nMA,34\nNE,46\n", "row 3 equals the sum of the rows"),
        ("state,kind,jobs\nRI,a,1\nRI,b,2\nMA,a,5\nMA,b,6\nMA,c,11\n", "differ from it only in kind"),
    ],
)
def test_a_row_that_could_be_a_total_by_its_count_is_told_to_whoever_releases_alone(
    release, succeeds, tmp_path, text, row
):
    assert row in succeeds(*release(text))
    assert "equals the sum" not in (tmp_path / "o.csv.json").read_text("utf-8")
    assert "equals the sum" not in succeeds(*release(text, "--disjoint", "--force"))


@pytest.mark.parametrize("rows", ["RI,12\nMA,12", "RI,0\nMA,0\nNE,0", "RI,12\nMA,34\nNE,47"])
def test_rows_that_are_no_sum_of_two_others_are_not_told(release, succeeds, rows):
    assert "equals the sum" not in succeeds(*release(f"state,jobs\n{rows}\n"))


def test_a_table_of_totals_only_is_released(release, succeeds):
    succeeds(*release("state,sex,jobs\nRI,All,12\nMA,All,34\n"))


@pytest.mark.parametrize(
    "label",
    [
        *("Total", "TOTAL", " total ", "Totals", "Grand total", "Sub-total", "Total, all industries", "All"),
        *("All sectors", "Both sexes", "U.S. total", "U.S.", "United States", "Overall", "Statewide"),
    ],
)
def test_what_reads_like_a_total(label):
    assert is_total(label)


@pytest.mark.parametrize("label", ["Allen", "Mall", "Totality", "Bothell", "Mill", "", "Summit", "US Steel"])
def test_what_does_not(label):
    assert not is_total(label)


def test_the_input_is_opened_once(release, run, tmp_path, monkeypatch):
    """With a condition and a number of establishments, which once read it four times."""
    from establish.impl.tables import table

    opened, real = [], table.load

    def counted(connection, path, *rest, **named):
        opened.append(path)
        real(connection, path, *rest, **named)
        path.write_text("exchanged meanwhile")

    call = release(
        "place,firms,jobs\nNorth,1,5\nSouth,1,7\n", "--where", "place = 'North'", "--establishments", "firms"
    )
    monkeypatch.setattr(table, "load", counted)
    status, _, err = run(*call)
    assert opened == [tmp_path / "cells.csv"]
    assert (status, "changed while it was read, and nothing is released or spent" in err) == (2, True)
