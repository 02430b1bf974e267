"""``establish suppress`` on invented tables: intervals, refusals, certificates, and what is printed."""

import ast
import csv
import hashlib
import json
import stat
import sys
from fractions import Fraction
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from establish.impl.suppression import verify

BY = ("--by", "region,industry", "--total", "region=All", "--total", "industry=All")
READ = (*BY, "--value", "jobs", "--status", "status")

# North and South by A and B, all four inner cells hidden.
SQUARE = [
    ("All", "All", "100", ""),
    ("All", "A", "40", ""),
    ("All", "B", "60", ""),
    ("N", "All", "50", "s"),
    ("S", "All", "50", "z"),
    ("N", "A", "777", "u"),
    ("N", "B", "", "m"),
    ("S", "A", "0", "N"),
    ("S", "B", "", "m"),
]
HEADER = ("region", "industry", "jobs", "status")


@pytest.fixture
def table(tmp_path: Path):
    def write(rows, header=HEADER, name="cells.csv") -> Path:
        path = tmp_path / name
        with path.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([header, *rows])
        return path

    return write


def intervals(path: Path) -> dict[tuple[str, ...], tuple[str | None, str | None]]:
    return {
        tuple(one["cell"].values()): (one["lower"], one["upper"])
        for one in json.loads(path.read_text("utf-8"))
    }


def test_the_json_has_the_promised_shape_and_is_private(table, succeeds, tmp_path) -> None:
    out = tmp_path / "out.json"
    printed = succeeds("suppress", "audit", table(SQUARE), *READ, "--json", out)
    found = json.loads(out.read_text("utf-8"))
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


def test_parquet_gives_the_same_intervals(table, succeeds, tmp_path) -> None:
    columns = dict(zip(HEADER, zip(*SQUARE, strict=True), strict=True))
    columns["jobs"] = [int(text or 0) for text in columns["jobs"]]
    pq.write_table(pa.table(columns), tmp_path / "cells.parquet")
    files = tmp_path / "a.json", tmp_path / "b.json"
    for path, out in zip((table(SQUARE), tmp_path / "cells.parquet"), files, strict=True):
        succeeds("suppress", "audit", path, *READ, "--json", out)
    assert intervals(files[0]) == intervals(files[1])


def test_an_exact_cell_ends_with_one_and_is_not_printed(table, run, tmp_path) -> None:
    rows = [row if row[:2] != ("S", "B") else ("S", "B", "31", "") for row in SQUARE]
    out = tmp_path / "out.json"
    status, printed, _ = run("suppress", "audit", table(rows), *READ, "--json", out)
    assert status == 1
    assert intervals(out) == {
        ("N", "A"): ("21",) * 2,
        ("N", "B"): ("29",) * 2,
        ("S", "A"): ("19",) * 2,
    }
    assert "outsider: 3 exact" in printed
    assert not any(value in printed for value in ("21", "29"))


def test_decimals_come_back_as_decimals(table, succeeds, tmp_path) -> None:
    rows = [("All", "100.5", ""), ("A", "", "u"), ("B", "", "u"), ("C", "30.25", "")]
    out = tmp_path / "out.json"
    read = ("--by", "k", "--total", "k=All", "--value", "v", "--status", "s")
    succeeds("suppress", "audit", table(rows, ("k", "v", "s")), *read, "--json", out)
    assert intervals(out) == {("A",): ("0", "70.25"), ("B",): ("0", "70.25")}


FLAT = ("--by", "k", "--total", "k=All", "--value", "v", "--status", "s", "--true", "true")
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
def test_attackers_differ_in_what_they_know(attacker, expected, table, succeeds, tmp_path) -> None:
    rows = [
        (*row, *ends)
        for row, ends in zip(THREE, [("", ""), ("5", "15"), ("15", ""), ("", "40")], strict=True)
    ]
    out = tmp_path / "out.json"
    path = table(rows, ("k", "v", "s", "true", "lb", "ub"))
    bounds = ("--lower", "lb", "--upper", "ub", "--attacker", attacker)
    succeeds("suppress", "audit", path, *FLAT, *bounds, "--json", out)
    assert list(intervals(out).values()) == expected


def test_an_owner_knows_its_own_cell(table, run, tmp_path) -> None:
    rows = [*THREE[:3], ("C", "30", "", "30")]
    out = tmp_path / "out.json"
    path = table(rows, ("k", "v", "s", "true"))
    assert run("suppress", "audit", path, *FLAT, "--json", out)[0] == 0
    assert run("suppress", "audit", path, *FLAT, "--knows", "k=A", "--json", out)[0] == 1
    assert intervals(out) == {("B",): ("20", "20")}


def test_an_owner_with_its_value_sees_more_than_sums_alone_tell(table, run, tmp_path) -> None:
    # A + B + C = 60: who owns A = 58 knows that B and C are at most 2, though no sum determines them.
    rows = [
        ("All", "60", "", "60", "9"), ("A", "", "u", "58", "1"),
        ("B", "", "m", "1.5", "3"), ("C", "", "m", "0.5", "4"),
    ]  # fmt: skip
    path, out = table(rows, ("k", "v", "s", "true", "n")), tmp_path / "out.json"
    read = (*FLAT, "--count", "n", "--owners", "--narrow", "250", "--explain", out)
    status, printed, _ = run("suppress", "audit", path, *read)
    assert status == 0
    assert "one owner: 0 other cells are learned" in printed
    assert "the 1 owners with their own values" in printed
    seen = [one.get("owner") for one in json.loads(out.read_text("utf-8"))]
    assert seen == [None, "narrow", "narrow"]  # [0, 2]: as wide as twice its middle


def test_owners_of_one_establishment_cells_are_counted(table, run) -> None:
    rows = [("All", "60", "", "9"), ("A", "", "u", "1"), ("B", "", "m", "5"), ("C", "30", "", "3")]
    read = (*FLAT[:-2], "--count", "n", "--owners")
    status, printed, _ = run("suppress", "audit", table(rows, ("k", "v", "s", "n")), *read)
    assert status == 1
    assert "one owner: 1 other cells are learned, 1 of them not of one establishment" in printed


def test_rounded_tables_are_audited_as_boxes(table, succeeds, tmp_path) -> None:
    rows = [("All", "15", ""), ("A", "5", ""), ("B", "5", "")]
    out = tmp_path / "out.json"
    read = (*FLAT[:-2], "--attacker", "nonnegative,integers,random:5")
    succeeds("suppress", "audit", table(rows, ("k", "v", "s")), *read, "--json", out)
    # The total is 11 to 19, each part 1 to 9: a part is at least 11 − 9 and the total at most 18.
    assert intervals(out) == {("All",): ("11", "18"), ("A",): ("2", "9"), ("B",): ("2", "9")}


def test_a_dash_is_unknown_or_zero_as_the_attacker_is_told(table, run, tmp_path) -> None:
    rows = [("All", "9", ""), ("A", "", "u"), ("B", "0", "-")]
    out = tmp_path / "out.json"
    path = table(rows, ("k", "v", "s"))
    for dash, upper in (
        ("unknown", {("A",): ("0", "9"), ("B",): ("0", "9")}),
        ("zero", {("A",): ("9", "9")}),
    ):
        run("suppress", "audit", path, *FLAT[:-2], "--dash", dash, "--json", out)
        assert intervals(out) == upper


def test_protection_that_a_rule_asks_for_is_judged(table, run) -> None:
    # p = 10%: x1 = 80 of 100, the rest beyond the two largest is 2: 8 − 2 = 6 is asked for.
    sensitive = ("A", "", "u", "100", "80", "18")
    read = (*FLAT, "--rule", "p:10", "--contributions", "x1,x2")
    for other, status, word in (("5", 1, "1 underprotected"), ("6", 0, "1 protected")):
        total = str(100 + int(other))
        rows = [("All", total, "", total, "", ""), sensitive, ("B", "", "m", other, "1", "1")]
        path = table(rows, ("k", "v", "s", "true", "x1", "x2"))
        found = run("suppress", "audit", path, *read)
        assert found[0] == status
        assert word in found[1]


def test_a_sensitive_cell_that_is_published_is_told(table, run) -> None:
    rows = [
        ("All", "200", "", "200", "", ""),
        ("A", "100", "s", "100", "80", "18"),
        ("B", "", "m", "60", "1", "1"),
        ("C", "", "m", "40", "1", "1"),
    ]
    path = table(rows, ("k", "v", "s", "true", "x1", "x2"))
    status, printed, _ = run(
        "suppress", "audit", path, *FLAT, "--rule", "p:10", "--contributions", "x1,x2"
    )
    assert status == 1
    assert "published, though a rule calls them sensitive: 1 cells" in printed


def test_levels_that_columns_ask_for_are_judged_on_both_sides(table, run) -> None:
    for lpl, upl, status in (("10", "50", 0), ("11", "50", 1), ("10", "51", 1)):
        rows = [
            (*THREE[0], "", ""),
            (*THREE[1], lpl, upl),
            (*THREE[2], "", ""),
            (*THREE[3], "", ""),
        ]
        path = table(rows, ("k", "v", "s", "true", "lpl", "upl"))
        assert run("suppress", "audit", path, *FLAT, "--lpl", "lpl", "--upl", "upl")[0] == status


def test_the_formula_of_an_end_is_in_the_explained_file(table, succeeds, tmp_path) -> None:
    out = tmp_path / "out.json"
    succeeds("suppress", "audit", table(SQUARE), *READ, "--explain", out)
    first = json.loads(out.read_text("utf-8"))[0]
    assert first["verdict"] == "wide"
    ((factor, what),) = first["upper_by"]
    assert abs(Fraction(factor)) == 1
    assert what.startswith("[region=All, industry=A] = sum of")


HRC = "@Trade\n".replace("@", "") + "@Food\n@Clothes\nMining\n"
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
def test_hierarchies_of_each_form_find_the_lone_unknown(name, table, run, tmp_path) -> None:
    (tmp_path / name).write_text(TREES[name], "utf-8")
    out, proof = tmp_path / "out.json", tmp_path / "proof"
    read = (
        "--by",
        "k",
        "--total",
        "k=All",
        "--hierarchy",
        f"k={tmp_path / name}",
        "--value",
        "v",
        "--status",
        "s",
    )
    path = table(TREE_ROWS, ("k", "v", "s"))
    status, _, err = run("suppress", "audit", path, *read, "--json", out, "--certificates", proof)
    assert status == 1, err
    assert intervals(out) == {
        ("Food",): ("0", "30"),
        ("Clothes",): ("0", "30"),
        ("Mining",): ("20", "20"),
    }
    assert run("suppress", "verify", proof, path)[0] == 0


def test_naics_knows_sectors_of_several_codes(table, run, tmp_path) -> None:
    rows = [
        ("10", "50", ""),
        ("31-33", "", "u"),
        ("311", "12", ""),
        ("332", "8", ""),
        ("44-45", "30", ""),
    ]
    out, proof = tmp_path / "out.json", tmp_path / "proof"
    read = ("--by", "k", "--hierarchy", "k=naics", "--value", "v", "--status", "s")
    path = table(rows, ("k", "v", "s"))
    assert run("suppress", "audit", path, *read, "--json", out, "--certificates", proof)[0] == 1
    assert intervals(out) == {("31-33",): ("20", "20")}
    assert run("suppress", "verify", proof, path)[0] == 0


def test_linked_tables_share_their_totals(table, run, tmp_path) -> None:
    # By region the margin of A is hidden; by size it is published.
    one = table(
        [("All", "All", "10", ""), ("N", "All", "", "u"), ("S", "All", "", "m")], name="one.csv"
    )
    header = ("region", "size", "jobs", "status")
    two = table(
        [("N", "1", "3", ""), ("N", "2", "4", ""), ("S", "1", "", "u"), ("S", "2", "", "m")],
        header,
        name="two.csv",
    )
    out, proof = tmp_path / "out.json", tmp_path / "proof"
    read = (
        "--by",
        "region,industry,size",
        *BY[2:],
        "--total",
        "size=All",
        "--value",
        "jobs",
        "--status",
        "status",
    )
    status, _, err = run(
        "suppress", "audit", one, two, *read, "--json", out, "--certificates", proof
    )
    assert status == 1, err
    found = intervals(out)
    assert found["N", "All", "All"] == ("7", "7")
    assert found["S", "All", "All"] == ("3", "3")
    assert found["S", "All", "1"] == ("0", "3")
    assert run("suppress", "verify", proof, one, two)[0] == 0


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
    "has status q": changed(3, 3, "q"),
    "line 2 has 3 fields": [SQUARE[0][:3], *SQUARE[1:]],
    "has status z, published, and no jobs": changed(4, 2, ""),
    "a label has no space at its ends": changed(5, 0, "N "),
    "total: region = All is no label of the table": SQUARE[5:],
}


@pytest.mark.parametrize("message", FAULTS)
def test_bad_cells_are_refused_by_name(message, table, refusal) -> None:
    told = refusal("suppress", "audit", table(FAULTS[message]), *READ)
    assert message in told
    assert any(place in told for place in ("region=", "region =", "line"))


def test_parts_that_exceed_their_total_are_refused(table, refusal) -> None:
    rows = [("All", "10", ""), ("A", "11", ""), ("B", "", "u")]
    told = refusal("suppress", "audit", table(rows, ("k", "v", "s")), *FLAT[:-2])
    assert "the published parts of [k=All] cannot add up to it" in told


CYCLE = "label,parent\nA,B\nB,A\n"
BAD_TREES = {
    "is part of itself": CYCLE,
    "is not in a hierarchy": "label,parent\nA,All\n",
    "named twice": "label,parent\nA,All\nA,All\n",
}


@pytest.mark.parametrize("message", BAD_TREES)
def test_bad_hierarchies_are_refused(message, table, refusal, tmp_path) -> None:
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
        (("--json", "no/such/folder"), "there is no folder"),
        (("--knows", "region=N"), "must give each of region, industry"),
    ],
)
def test_misuse_is_refused(option, message, table, refusal, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert message in refusal("suppress", "audit", table(SQUARE), *READ, *option)


def test_sums_that_clash_are_told_and_are_no_protection(table, run, tmp_path) -> None:
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


# --- certificates ---


@pytest.fixture
def proved(table, succeeds, tmp_path) -> tuple[Path, Path]:
    path, proof = table(SQUARE), tmp_path / "proof"
    succeeds("suppress", "audit", path, *READ, "--certificates", proof)
    return path, proof


def test_a_certificate_is_verified_and_private(proved, succeeds) -> None:
    path, proof = proved
    assert "8 ends of 4 cells certified, 8 of them attained" in succeeds(
        "suppress", "verify", proof, path
    )
    assert stat.S_IMODE(proof.stat().st_mode) == 0o600


def sealed(lines: list[str]) -> str:
    body = "".join(line + "\n" for line in lines)
    return body + hashlib.sha256(body.encode()).hexdigest() + "\n"


def test_every_changed_digit_is_refused(proved, run) -> None:
    path, proof = proved
    text = proof.read_text("utf-8")
    digits = [at for at, letter in enumerate(text) if letter.isdigit()]
    assert len(digits) > 100
    for at in digits:
        other = str((int(text[at]) + 1) % 10)
        proof.write_text(text[:at] + other + text[at + 1 :], "utf-8")
        with pytest.raises(REFUSALS):
            verify.verify(proof, [path])
    assert run("suppress", "verify", proof, path)[0] == 1


REFUSALS = (verify.Refused, ValueError, KeyError, TypeError, IndexError, AttributeError)
"""What the command calls a refusal."""


def said(lines: list[str]) -> list[list[object]]:
    """The ends that facts report, without the sums that prove them."""
    return [fact[2:] for fact in map(json.loads, lines) if fact[0] == "end"]


def test_no_changed_digit_changes_an_end_though_the_seal_is_renewed(table, run, tmp_path) -> None:
    """A changed factor may prove the same end, and that alone is accepted. The first line, which
    ``verify`` prints, says what was asked, and is not changed here.
    """
    path, proof = table(SQUARE), tmp_path / "proof"
    known = ("--attacker", "nonnegative,integers", "--certificates", proof)
    assert run("suppress", "audit", path, *READ, *known)[0] == 0
    head, *facts = proof.read_text("utf-8").splitlines()[:-1]
    changed = refused = 0
    for line, fact in enumerate(facts):
        for at in [k for k, letter in enumerate(fact) if letter.isdigit()]:
            for step in (1, 5):
                other = fact[:at] + str((int(fact[at]) + step) % 10) + fact[at + 1 :]
                proof.write_text(sealed([head, *facts[:line], other, *facts[line + 1 :]]), "utf-8")
                changed += 1
                try:
                    verify.verify(proof, [path])
                except REFUSALS:
                    refused += 1
                else:
                    told = proof.read_text("utf-8").splitlines()[1:-1]
                    assert said(told) == said(facts)
    assert changed > 100
    assert refused > 0.9 * changed


def test_a_changed_fact_is_refused_though_its_seal_is_renewed(proved, run) -> None:
    path, proof = proved
    lines = proof.read_text("utf-8").splitlines()[:-1]
    proof.write_text(sealed(lines), "utf-8")
    assert run("suppress", "verify", proof, path)[0] == 0
    facts = [json.loads(line) for line in lines[1:]]
    lies = 0
    for at, fact in enumerate(facts):
        kind, pairs, *rest = fact
        wrong = []
        if kind == "end":
            wrong += [[kind, pairs, rest[0], rest[1], rest[2] + step, rest[3]] for step in (1, -1)]
            wrong += [[kind, pairs, rest[0], rest[1], rest[2], rest[3] + 1]]
            wrong += [[kind, {}, *rest]] if pairs else []
        for place in pairs if kind == "table" else ():
            wrong.append([kind, {**pairs, place: pairs[place] + 1}])
        for lie in wrong:
            told = [lines[0], *map(json.dumps, [*facts[:at], lie, *facts[at + 1 :]])]
            proof.write_text(sealed(told), "utf-8")
            assert run("suppress", "verify", proof, path)[0] == 1, lie
            lies += 1
    assert lies > 20


def test_a_missing_end_and_a_changed_table_are_refused(proved, run) -> None:
    path, proof = proved
    lines = proof.read_text("utf-8").splitlines()[:-1]
    ends = [line for line in lines if line.startswith('["end"')]
    proof.write_text(sealed([line for line in lines if line != ends[-1]]), "utf-8")
    assert "not every end" in run("suppress", "verify", proof, path)[1]
    proof.write_text(sealed(lines), "utf-8")
    path.write_text(path.read_text("utf-8").replace("777", "778"), "utf-8")
    assert run("suppress", "verify", proof, path)[0] == 1


def test_the_checker_is_one_short_file_of_the_standard_library() -> None:
    text = Path(verify.__file__).read_text("utf-8")
    assert len(text.splitlines()) <= 200
    names = {
        name.split(".")[0]
        for node in ast.walk(ast.parse(text))
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for name in (
            [a.name for a in node.names] if isinstance(node, ast.Import) else [node.module]
        )
    }
    assert names <= sys.stdlib_module_names


# --- JJ files ---

# Four cells: 0 = 1 + 2 + 3, 1 and 2 hidden, with the prior bounds and protection levels of cell 1.
JJ = """0
4
0 100 100 s 0 1000 0 0 0
1 30 30 u 20 40 5 10 0
2 45 45 m 0 1000 0 0 0
3 25 25 s 0 1000 0 0 0
1
0 4 : 0 (-1) 1 (1) 2 (1) 3 (1)
"""


def test_a_jj_file_is_audited_with_its_bounds_and_levels(run, tmp_path) -> None:
    path, out = tmp_path / "table.jj", tmp_path / "out.json"
    path.write_text(JJ, "utf-8")
    status, printed, _ = run(
        "suppress", "audit", path, "--attacker", "nonnegative,bounds", "--json", out
    )
    assert intervals(out) == {("1",): ("20", "40"), ("2",): ("35", "55")}
    assert status == 0
    assert "1 protected" in printed
    path.write_text(JJ.replace("20 40 5 10", "20 40 5 11"), "utf-8")
    assert run("suppress", "audit", path, "--attacker", "nonnegative,bounds")[0] == 1


def test_certificates_of_a_jj_file_are_verified_against_its_own_sums(run, tmp_path) -> None:
    path, proof = tmp_path / "table.jj", tmp_path / "proof"
    path.write_text(JJ, "utf-8")
    known = ("--attacker", "integers,bounds")
    assert run("suppress", "audit", path, *known, "--certificates", proof)[0] == 0
    status, printed, _ = run("suppress", "verify", proof, path)
    assert status == 0
    assert "4 ends of 2 cells certified, 4 of them attained" in printed
    lines = proof.read_text("utf-8").splitlines()[:-1]
    # A wider table with the old facts, its digest renewed: the sums are those of the file, so it is refused.
    path.write_text(JJ.replace("3 25 25 s", "3 24 24 s"), "utf-8")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    head = {**json.loads(lines[0]), "inputs": [digest]}
    proof.write_text(sealed([json.dumps(head), *lines[1:]]), "utf-8")
    assert run("suppress", "verify", proof, path)[0] == 1


def test_the_width_that_a_jj_file_asks_for_is_judged(run, tmp_path) -> None:
    path = tmp_path / "table.jj"
    known = ("--attacker", "nonnegative,bounds")
    for width, status in (("20", 0), ("21", 1)):
        path.write_text(JJ.replace("20 40 5 10 0", f"20 40 5 10 {width}"), "utf-8")
        assert run("suppress", "audit", path, *known)[0] == status


def test_a_table_written_as_a_jj_file_gives_the_same_intervals(table, succeeds, tmp_path) -> None:
    inner = {("N", "A"): "19", ("N", "B"): "31", ("S", "A"): "21", ("S", "B"): "29"}
    rows = [(*row, inner.get(row[:2], row[2])) for row in SQUARE]
    path, jj = table(rows, (*HEADER, "true")), tmp_path / "table.jj"
    files = tmp_path / "a.json", tmp_path / "b.json"
    succeeds("suppress", "audit", path, *READ, "--true", "true", "--jj", jj, "--json", files[0])
    succeeds("suppress", "audit", jj, "--json", files[1])
    assert list(intervals(files[0]).values()) == list(intervals(files[1]).values())
    assert stat.S_IMODE(jj.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("1 30 30 u", "1 30 30 q", 4),
        ("3 (1)\n", "3 (1) 9 (1)\n", 8),
        ("0 4 :", "0 5 :", 8),
        ("\n4\n", "\n5\n", 7),
    ],
)
def test_a_bad_line_of_a_jj_file_is_named(old, new, line, refusal, tmp_path) -> None:
    path = tmp_path / "table.jj"
    path.write_text(JJ.replace(old, new, 1), "utf-8")
    assert f"line {line} is not one of a JJ file" in refusal("suppress", "audit", path)


def test_the_checker_refuses_tables_outside_sums_or_bounds(proved) -> None:
    path, proof = proved
    head, check = verify.verify(proof, [path])
    values = dict(check.x)
    first, second = list(values)[:2]  # N·A and N·B: their sum is 50
    for wrong in ({first: values[first] + 1}, {first: -1, second: 51}, {first: 51, second: -1}):
        rows = list(verify.csv_rows(path))
        fresh = verify.Check(head["layout"], head["attacker"], rows)
        fresh.table(values)
        with pytest.raises(verify.Refused, match="sums" if len(wrong) == 1 else "bounds"):
            fresh.table(wrong)
