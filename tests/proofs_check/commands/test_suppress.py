"""``establish suppress`` on invented tables: intervals, refusals, certificates, and what is printed."""

import stat
from fractions import Fraction

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.proofs_check.commands.cells import BY, HEADER, READ, SQUARE, intervals, of_one_column
from tests.proofs_check.files import read_json


def test_the_json_has_the_promised_shape_and_is_private(table, succeeds, tmp_path):
    out = tmp_path / "out.json"
    printed = succeeds("suppress", "audit", table(SQUARE), *READ, "--json", out)
    found = read_json(out)
    # N·A ≤ 40, the total of A; N·B = 50 − N·A.
    assert found[0] == {
        "cell": {"region": "N", "industry": "A"},
        "lower": "0",
        "upper": "40",
        "exact": False,
        "certified": True,
        "attained": True,
        "attacker": "nonnegative; dash=unknown",
        "verdict": "wide",
    }
    assert intervals(out)[("N", "B")] == ("10", "50")
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    assert "tells the publisher first" in printed
    assert "777" not in printed
    assert "4 intervals certified and attained" in printed


def test_parquet_gives_the_same_intervals(table, succeeds, tmp_path):
    columns = dict(zip(HEADER, zip(*SQUARE, strict=True), strict=True))
    columns["jobs"] = [int(text or 0) for text in columns["jobs"]]
    pq.write_table(pa.table(columns), tmp_path / "cells.parquet")
    files = tmp_path / "a.json", tmp_path / "b.json"
    for path, out in zip((table(SQUARE), tmp_path / "cells.parquet"), files, strict=True):
        succeeds("suppress", "audit", path, *READ, "--json", out)
    assert intervals(files[0]) == intervals(files[1])


def test_an_exact_cell_ends_with_one_and_is_not_printed(audited):
    rows = [row if row[:2] != ("S", "B") else ("S", "B", "31", "") for row in SQUARE]
    status, found, printed = audited(rows, HEADER, *READ)
    assert status == 1
    assert found == {("N", "A"): ("21",) * 2, ("N", "B"): ("29",) * 2, ("S", "A"): ("19",) * 2}
    assert "outsider: 3 exact" in printed
    assert not any(value in printed for value in ("21", "29"))


def test_decimals_come_back_as_decimals(audited):
    rows = [("All", "100.5", ""), ("A", "", "u"), ("B", "", "u"), ("C", "30.25", "")]
    status, found, _ = audited(rows, ("k", "v", "s"), *of_one_column("k"))
    assert (status, found) == (0, {("A",): ("0", "70.25"), ("B",): ("0", "70.25")})


FLAT = (*of_one_column("k"), "--true", "true")
THREE = [("All", "60", "", "60"), ("A", "", "u", "10"), ("B", "", "u", "20"), ("C", "", "m", "30")]


@pytest.mark.parametrize(
    ("attacker", "expected"),
    [
        ("sums", [(None, None)] * 3),
        ("nonnegative", [("0", "60")] * 3),
        ("box", [("10", "40")] * 3),  # from 10, the least, to 60; two others at least 10 each
        ("within:10", [("9", "11"), ("18", "22"), ("27", "33")]),
        ("within:15", [("8", "12"), ("17", "23"), ("25", "35")]),  # 8.5 and 25.5 are rounded outward
        ("bounds", [("5", "15"), ("15", None), (None, "40")]),  # C may be as far below 0 as B is high
    ],
)  # fmt: skip
def test_attackers_differ_in_what_they_know(attacker, expected, audited):
    known = [("", ""), ("5", "15"), ("15", ""), ("", "40")]
    rows = [(*row, *ends) for row, ends in zip(THREE, known, strict=True)]
    bounds = ("--lower", "lb", "--upper", "ub", "--attacker", attacker)
    status, found, _ = audited(rows, ("k", "v", "s", "true", "lb", "ub"), *FLAT, *bounds)
    assert (status, list(found.values())) == (0, expected)


def test_an_owner_knows_its_own_cell(audited):
    rows, header = [*THREE[:3], ("C", "30", "", "30")], ("k", "v", "s", "true")
    assert audited(rows, header, *FLAT)[0] == 0
    assert audited(rows, header, *FLAT, "--knows", "k=A")[:2] == (1, {("B",): ("20", "20")})


def test_an_owner_with_its_value_sees_more_than_sums_alone_tell(table, run, tmp_path):
    # A + B + C = 60: who owns A = 58 knows that B and C are at most 2, though no sum determines them.
    rows = [
        ("All", "60", "", "60", "9"), ("A", "", "u", "58", "1"),
        ("B", "", "m", "1.5", "3"), ("C", "", "m", "0.5", "4"),
    ]  # fmt: skip
    path, out = table(rows, ("k", "v", "s", "true", "n")), tmp_path / "out.json"
    read = (*FLAT, "--count", "n", "--owners", "--narrow", "250", "--explain", out)
    status, printed, _ = run("suppress", "audit", path, *read)
    assert status == 0
    assert "one owner can learn 0 other cells" in printed
    assert "the 1 owners, who know their own values" in printed
    seen = [one.get("owner") for one in read_json(out)]
    assert seen == [None, "narrow", "narrow"]  # [0, 2]: as wide as twice its middle


def test_owners_of_one_establishment_cells_are_counted(table, run):
    rows = [("All", "60", "", "9"), ("A", "", "u", "1"), ("B", "", "m", "5"), ("C", "30", "", "3")]
    read = (*FLAT[:-2], "--count", "n", "--owners")
    status, printed, _ = run("suppress", "audit", table(rows, ("k", "v", "s", "n")), *read)
    assert status == 1
    assert "one owner can learn 1 other cells, 1 of them with several establishments" in printed


def test_rounded_tables_are_audited_as_boxes(audited):
    rows = [("All", "15", ""), ("A", "5", ""), ("B", "5", "")]
    read = (*FLAT[:-2], "--attacker", "nonnegative,integers,random:5")
    # The total is 11 to 19, each part 1 to 9: a part is at least 11 − 9 and the total at most 18.
    expected = {("All",): ("11", "18"), ("A",): ("2", "9"), ("B",): ("2", "9")}
    assert audited(rows, ("k", "v", "s"), *read)[:2] == (0, expected)


@pytest.mark.parametrize(
    ("dash", "expected"),
    [("unknown", {("A",): ("0", "9"), ("B",): ("0", "9")}), ("zero", {("A",): ("9", "9")})],
)
def test_a_dash_is_unknown_or_zero_as_the_attacker_is_told(dash, expected, audited):
    rows = [("All", "9", ""), ("A", "", "u"), ("B", "0", "-")]
    assert audited(rows, ("k", "v", "s"), *FLAT[:-2], "--dash", dash)[1] == expected


@pytest.mark.parametrize(
    ("rule", "short", "enough"),
    [
        ("p:10", 5, 6),  # 10% of 80, less the 2 beyond the two largest
        ("pq:10,50", 13, 14),  # 10/50 of 80, less 2
        ("nk:2,85", 15, 16),  # 98 are 85% of 115.3
    ],
)
def test_protection_that_a_rule_asks_for_is_judged(rule, short, enough, table, run):
    sensitive = ("A", "", "u", "100", "80", "18")
    read = (*FLAT, "--rule", rule, "--contributions", "x1,x2")
    for other, status, word in ((short, 1, "1 underprotected"), (enough, 0, "1 protected")):
        # The other cell has many small contributors: no rule asks anything for it.
        rows = [
            ("All", str(100 + other), "", str(100 + other), "", ""),
            sensitive,
            ("B", "", "m", str(other), "1", "1"),
        ]
        found = run("suppress", "audit", table(rows, ("k", "v", "s", "true", "x1", "x2")), *read)
        assert found[0] == status
        assert word in found[1]


@pytest.mark.parametrize("command", ["audit", "plan"])
@pytest.mark.parametrize("rule", ["p:10", "pq:10,50", "nk:1,85", "nk:2,85"])
@pytest.mark.parametrize(
    ("blank", "message"),
    [(("80", ""), "needs the 2 largest"), (("", "18"), "a larger one is not"), (("", ""), "largest")],
)
def test_a_blank_contribution_is_no_protection(command, rule, blank, message, table, refusal, tmp_path):
    if rule == "nk:1,85" and blank[0]:
        return  # the largest is all that this rule reads
    rows = [
        ("All", "200", "", "200", "1", "1"),
        ("A", "100", "u", "100", *blank),
        ("B", "100", "m", "100", "1", "1"),
    ]
    path = table(rows, ("k", "v", "s", "true", "x1", "x2"))
    reads = {"audit": FLAT, "plan": (*FLAT[:6], "--out", tmp_path / "pattern.csv")}
    told = refusal("suppress", command, path, *reads[command], "--rule", rule, "--contributions", "x1,x2")
    assert "the cell k=A: " in told
    assert message in told


def test_a_sensitive_cell_that_is_published_is_told(table, run):
    rows = [
        ("All", "200", "", "200", "", ""),
        ("A", "100", "s", "100", "80", "18"),
        ("B", "", "m", "60", "1", "1"),
        ("C", "", "m", "40", "1", "1"),
    ]
    path = table(rows, ("k", "v", "s", "true", "x1", "x2"))
    status, printed, _ = run("suppress", "audit", path, *FLAT, "--rule", "p:10", "--contributions", "x1,x2")
    assert status == 1
    assert "1 cells are published although a rule makes them sensitive" in printed


def test_levels_that_columns_ask_for_are_judged_on_both_sides(table, run):
    for lpl, upl, status in (("10", "50", 0), ("11", "50", 1), ("10", "51", 1)):
        rows = [(*THREE[0], "", ""), (*THREE[1], lpl, upl), (*THREE[2], "", ""), (*THREE[3], "", "")]
        path = table(rows, ("k", "v", "s", "true", "lpl", "upl"))
        assert run("suppress", "audit", path, *FLAT, "--lpl", "lpl", "--upl", "upl")[0] == status


def test_an_explained_sum_is_told_with_all_its_parts(table, run, tmp_path):
    rows = [("All", "60", ""), ("A", "", "u"), ("B", "10", ""), ("C", "20", ""), ("D", "5", "")]
    out = tmp_path / "out.json"
    asked = table(rows, ("k", "v", "s"))
    assert run("suppress", "audit", asked, *FLAT[:-2], "--explain", out)[0] in (0, 1)
    assert "sum of [k=A] [k=B] [k=C] [k=D]" in out.read_text("utf-8")


def test_the_formula_of_an_end_is_in_the_explained_file(table, succeeds, tmp_path):
    out = tmp_path / "out.json"
    succeeds("suppress", "audit", table(SQUARE), *READ, "--explain", out)
    first = read_json(out)[0]
    assert first["verdict"] == "wide"
    ((factor, what),) = first["upper_by"]
    assert abs(Fraction(factor)) == 1
    assert what.startswith("[region=All, industry=A] = sum of")


HRC = "Trade\n@Food\n@Clothes\nMining\n"
TREES = {
    "tree.hrc": HRC,
    "named.csv": "level,name\n@,All\n@@,Trade\n@@@,Food\n@@@,Clothes\n@@,Mining\n",
    "levels.csv": "@,All\n@@,Trade\n@@@,Food\n@@@,Clothes\n@@,Mining\n",
    "parents.csv": "label,parent\nTrade,All\nFood,Trade\nClothes,Trade\nMining,All\nAll,\n",
}
TREE_ROWS = [
    ("All", "50", ""),
    ("Trade", "30", ""),
    ("Food", "", "u"),
    ("Clothes", "", "u"),
    ("Mining", "", "m"),
]


@pytest.mark.parametrize("name", TREES)
def test_hierarchies_of_each_form_find_the_lone_unknown(name, audited, run, tmp_path):
    (tmp_path / name).write_text(TREES[name], "utf-8")
    read = (*of_one_column("k"), "--hierarchy", f"k={tmp_path / name}", "--certificates", tmp_path / "proof")
    status, found, _ = audited(TREE_ROWS, ("k", "v", "s"), *read)
    assert status == 1
    assert found == {("Food",): ("0", "30"), ("Clothes",): ("0", "30"), ("Mining",): ("20", "20")}
    assert run("suppress", "verify", tmp_path / "proof", tmp_path / "cells.csv")[0] == 0


def test_naics_knows_sectors_of_several_codes(audited, run, tmp_path):
    rows = [("10", "50", ""), ("31-33", "", "u"), ("311", "12", ""), ("332", "8", ""), ("44-45", "30", "")]
    read = (*of_one_column("k", total="10"), "--hierarchy", "k=naics", "--certificates", tmp_path / "proof")
    assert audited(rows, ("k", "v", "s"), *read)[:2] == (1, {("31-33",): ("20", "20")})
    assert run("suppress", "verify", tmp_path / "proof", tmp_path / "cells.csv")[0] == 0


def test_linked_tables_share_their_totals(table, run, tmp_path):
    # By region the margin of A is hidden; by size it is published.
    one = table([("All", "All", "10", ""), ("N", "All", "", "u"), ("S", "All", "", "m")], name="one.csv")
    header = ("region", "size", "jobs", "status")
    two = table(
        [("N", "1", "3", ""), ("N", "2", "4", ""), ("S", "1", "", "u"), ("S", "2", "", "m")],
        header,
        name="two.csv",
    )
    out, proof = tmp_path / "out.json", tmp_path / "proof"
    sizes = ("--by", "region,industry,size", *BY[2:], "--total", "size=All")
    read = (*sizes, *READ[-4:])
    status, _, err = run("suppress", "audit", one, two, *read, "--json", out, "--certificates", proof)
    assert status == 1, err
    found = intervals(out)
    assert found["N", "All", "All"] == ("7", "7")
    assert found["S", "All", "All"] == ("3", "3")
    assert found["S", "All", "1"] == ("0", "3")
    assert run("suppress", "verify", proof, one, two)[0] == 0


def test_a_table_without_a_label_column_is_at_its_total_which_must_be_named(table, refusal):
    one = table([("All", "5", "s"), ("N", "", "u"), ("S", "", "u")], ("k", "v", "s"), name="one.csv")
    two = table([("5", "s")], ("v", "s"), name="two.csv")
    read = ("--by", "k", "--total", "k=", "--value", "v", "--status", "s")
    assert "two.csv has no column k" in refusal("suppress", "audit", one, two, *read)


def test_what_two_tables_say_of_one_cell_must_agree(table, refusal):
    header, rows = ("k", "v", "s", "low"), [("All", "10", "", ""), ("A", "", "u", "1"), ("B", "", "u", "")]
    one = table(rows, header, name="one.csv")
    two = table([rows[0], ("A", "", "u", "9"), rows[2]], header, name="two.csv")
    told = refusal("suppress", "audit", one, two, *FLAT[:-2], "--lower", "low", "--attacker", "bounds")
    assert "the cell k=A has a different low in two tables" in told


@pytest.mark.parametrize("status", ["s", "z", ""])
def test_a_plan_does_not_publish_what_one_table_suppresses(status, table, refusal, tmp_path):
    header = ("k", "v", "s", "low")
    one = [("All", "30", status, "0"), ("A", "10", "", "5"), ("B", "20", "", "0")]
    two = [("All", "30", "u", "0"), *one[1:]]
    paths = (table(one, header, name="one.csv"), table(two, header, name="two.csv"))
    options = (*FLAT[:-2], "--lpl", "low", "--out", tmp_path / "pattern.csv")
    for pair in (paths, paths[::-1]):
        told = refusal("suppress", "plan", *pair, *options)
        assert "the cell All is suppressed in one table and published in another" in told


def changed(row: int, column: int, value: str):
    rows = [list(line) for line in SQUARE]
    rows[row][column] = value
    return rows


FAULTS = {
    "the published parts of": changed(1, 2, "41"),  # 41 + 60 is not 100
    "is given twice": [*SQUARE, SQUARE[3]],
    "is not a finite number": changed(1, 2, "nan"),
    "its jobs is not a finite number": changed(1, 2, "many"),
    "is negative, which the attacker excludes": changed(0, 2, "-100"),
    "a float beyond 2^53": changed(0, 2, "9007199254740993.5"),
    "its status is not a status": changed(3, 3, "q"),
    "line 2 has 3 fields": [SQUARE[0][:3], *SQUARE[1:]],
    "has status z, published, and no jobs": changed(4, 2, ""),
    "column region: a label has no space at its ends: not so in row 6": changed(5, 0, "N "),
    "total: region = All is not a label of the table": SQUARE[5:],
}


@pytest.mark.parametrize("message", FAULTS)
def test_bad_cells_are_refused_by_name(message, table, refusal):
    told = refusal("suppress", "audit", table(FAULTS[message]), *READ)
    assert message in told
    assert any(place in told for place in ("region=", "region =", "line", "row"))


@pytest.mark.parametrize(
    "swapped",
    [
        ("--value", "jobs", "--status", "secret"),
        ("--value", "secret", "--status", "status"),
        (*READ[-4:], "--true", "secret", "--attacker", "box"),
    ],
)
def test_no_error_shows_what_a_column_holds(swapped, table, refusal):
    path = table([(*row, "918273x ") for row in SQUARE], (*HEADER, "secret"))
    told = refusal("suppress", "audit", path, *READ[:-4], *swapped)
    assert "its secret is not a" in told
    assert "918273" not in told


def test_parts_that_exceed_their_total_are_refused(table, refusal):
    rows = [("All", "10", ""), ("A", "11", ""), ("B", "", "u")]
    told = refusal("suppress", "audit", table(rows, ("k", "v", "s")), *FLAT[:-2])
    assert "the published parts of [k=All] cannot add up to it" in told


CYCLE = "label,parent\nA,B\nB,A\n"
BAD_TREES = {
    "is part of itself": CYCLE,
    "is not in a hierarchy": "label,parent\nA,All\n",
    "named twice": "label,parent\nA,All\nA,All\n",
    "k = All and k =  All are two spellings": "label, parent\nA, All\nB, All\n",
    "k = All and k = all are two spellings": "label,parent\nA,all\nB,all\n",
    "k = All is not the total of a hierarchy of k: it leads to Every": "label,parent\nA,Every\nB,Every\n",
}


@pytest.mark.parametrize("message", BAD_TREES)
def test_bad_hierarchies_are_refused(message, table, refusal, tmp_path):
    (tmp_path / "tree.csv").write_text(BAD_TREES[message], "utf-8")
    rows = [("All", "10", ""), ("A", "", "u"), ("B", "", "u")]
    tree = ("--hierarchy", f"k={tmp_path / 'tree.csv'}")
    assert message in refusal("suppress", "audit", table(rows, ("k", "v", "s")), *FLAT[:-2], *tree)


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (("--attacker", "clever"), "attacker = clever is not one of"),
        (("--attacker", "bounds"), "attacker = bounds needs a column of bounds"),
        (("--attacker", "counts"), "attacker = counts needs a column count"),
        (("--attacker", "random:5"), "attacker = random:5 needs integers"),
        (("--narrow", "-1"), "--narrow -1 is not allowed"),
        (("--json", "cells.csv"), "is the file of another argument"),
        (("--json", "new.json", "--explain", "new.json"), "is the file of another argument"),
        (("--dash", "none"), "dash = none is not unknown or zero"),
        (("--total", "size=All"), "size is not one of the label columns"),
        (("--owners",), "--owners needs --count"),
        (("--rule", "p:10"), "--rule and --contributions need each other"),
        (("--rule", "p:10", "--contributions", "first"), "need the two largest contributions"),
        (("--rule", "pq:5,50", "--contributions", "first,first"), "need the two largest"),
        (("--json", "no/such/folder"), "there is no folder"),
        (("--knows", "region=N"), "must give each of region, industry"),
    ],
)
def test_misuse_is_refused(option, message, table, refusal, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert message in refusal("suppress", "audit", table(SQUARE), *READ, *option)


@pytest.mark.parametrize(("ends", "words"), [(("4", "2"), ""), (("1.25", "1.75"), ",integers")])
def test_bounds_that_exclude_every_value_are_refused_by_name(ends, words, table, refusal):
    rows = [("All", "5", "", "", ""), ("A", "", "u", *ends), ("B", "", "u", "", "")]
    path = table(rows, ("k", "v", "s", "low", "high"))
    given = ("--lower", "low", "--upper", "high", "--attacker", f"bounds{words}")
    told = refusal("suppress", "audit", path, *FLAT[:-2], *given)
    assert "what the attacker knows of the cell k=A excludes every value" in told


@pytest.mark.parametrize(("attacker", "true"), [("nonnegative", "12"), ("sums,integers", "2.5")])
def test_an_owner_whose_value_cannot_be_is_named(attacker, true, table, refusal):
    rows = [
        ("All", "10", "", "10", ""),
        ("A", "", "u", true, "1"),
        ("B", "", "u", "4", "2"),
        ("C", "", "m", "1", "3"),
    ]
    owners = ("--owners", "--count", "n", "--attacker", attacker)
    told = refusal("suppress", "audit", table(rows, ("k", "v", "s", "true", "n")), *FLAT, *owners)
    assert "the cell k=A: no table with its true value fits the published cells" in told


def test_the_smallest_and_largest_value_of_the_table_bound_no_total_that_it_leaves_out(audited, tmp_path):
    (tmp_path / "tree.csv").write_text("label,parent\nA1,A\nA2,A\nB1,B\n", "utf-8")
    rows = [("A1", "", "u", "10"), ("A2", "", "u", "10"), ("B1", "12", "", "12")]
    read = ("--by", "k", "--hierarchy", f"k={tmp_path / 'tree.csv'}", "--value", "v", "--status", "s")
    status, found, _ = audited(rows, ("k", "v", "s", "true"), *read, "--true", "true", "--attacker", "box")
    assert (status, found) == (0, {("A1",): ("10", "12"), ("A2",): ("10", "12")})  # A is 20, and not listed


ROUNDED = [("All", "25", "26"), ("N", "10", "12"), ("S", "15", "14")]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (("--attacker", "nonnegative,integers,random:5,box"), [("24", "26"), ("12", "14"), ("12", "14")]),
        (("--attacker", "integers,random:5,within:10"), [("23", "29"), ("10", "14"), ("12", "16")]),
        (("--attacker", "nonnegative,integers,random:5", "--knows", "k=N"), [("23", "29"), ("11", "17")]),
    ],
)  # fmt: skip
def test_of_a_rounded_table_the_true_values_are_those_of_their_column(given, expected, table, run, tmp_path):
    path, out, proof = table(ROUNDED, ("k", "v", "true")), tmp_path / "out.json", tmp_path / "proof"
    read = ("--by", "k", "--total", "k=All", "--value", "v", *given)
    assert (
        run("suppress", "audit", path, *read, "--true", "true", "--json", out, "--certificates", proof)[0]
        == 0
    )
    assert [*intervals(out).values()] == expected
    assert run("suppress", "verify", proof, path)[0] == 0
    status, _, told = run("suppress", "audit", path, *read)
    assert status == 2
    assert "has no true value, which is needed here" in told


def test_a_cell_without_a_true_value_is_named(table, refusal):
    told = refusal("suppress", "audit", table(SQUARE), *READ, "--attacker", "box")
    assert "the cell region=" in told
    assert "has no true value, which is needed here" in told


def test_sums_that_clash_are_told_and_are_no_protection(table, run, tmp_path):
    # Each sum alone is possible; the bound of S·A makes them clash.
    rows = [
        ("All", "All", "10", "", ""), ("All", "A", "8", "", ""), ("All", "B", "2", "", ""),
        ("N", "All", "1", "", ""), ("S", "All", "9", "", ""),
        ("N", "A", "", "u", ""), ("N", "B", "", "u", ""), ("S", "A", "", "u", "6"), ("S", "B", "", "u", ""),
    ]  # fmt: skip
    out = tmp_path / "out.json"
    extra = ("--upper", "ub", "--attacker", "nonnegative,bounds", "--json", out)
    status, printed, _ = run("suppress", "audit", table(rows, (*HEADER, "ub")), *READ, *extra)
    assert status == 1
    assert printed.startswith("contradiction")
    # N is 1 in all, so A is at most 1 + 6, which is not 8.
    assert "[region=N, industry=All] = sum of" in printed
    assert "[region=All, industry=A] = sum of" in printed
    assert not out.exists()


def test_a_header_that_holds_values_is_not_told(refusal, tmp_path):
    cells = tmp_path / "c.csv"
    cells.write_text("a,b,jobs,sll,All,71935829,\nAll,x,5,,,,\n")
    options = ("--total", "a=All", "--total", "b=All", "--value", "jobs", "--status", "status")
    told = refusal("suppress", "audit", cells, "--by", "a,b", *options)
    assert "it has a, b, jobs, sll, All, (column 6), " in told
