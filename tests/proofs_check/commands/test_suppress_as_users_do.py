"""Tables as users bring them to ``establish suppress``: codes, other dialects, statuses, values left in."""

import gzip
import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.proofs_check.commands.cells import ends, of_one_column, sealed

INTO = of_one_column("r", status="st")
PLAN = (*INTO[:-2], "--upl", "upl")
DOMAINS = [
    ("10", "100", ""), ("101", "60", ""), ("102", "", "N"), ("1011", "25", ""), ("1012", "", "N"),
    ("1024", "", "N"), ("11", "25", ""), ("23", "", "N"), ("54", "", "N"),
]  # fmt: skip
PADDED = [
    ("------", "100", ""), ("11----", "", "N"), ("23----", "40", ""), ("113110", "", "N"),
    ("115112", "10", ""),
]  # fmt: skip
CODES = ("code", "v", "st")


@pytest.mark.parametrize(
    ("rows", "system", "exact"),
    [
        (DOMAINS, "qcew", {"102": "40", "1012": "35", "1024": "40", "23": "35", "54": "40"}),
        (PADDED, "cbp", {"11----": "60", "113110": "50"}),
    ],
)
def test_codes_are_audited_by_their_rule_and_verified(rows, system, exact, table, run, tmp_path):
    path, out, proof = table(rows, CODES), tmp_path / "out.json", tmp_path / "proof"
    read = of_one_column("code", status="st", total=rows[0][0])
    asked = (*read, "--hierarchy", f"code={system}", "--json", out, "--certificates", proof)
    status, printed, err = run("suppress", "audit", path, *asked)
    assert status == 1, err
    assert ends(out) == {label: (value, value) for label, value in exact.items()}
    assert "code: industries of" in printed
    assert ("code adds up 2 ways" in printed) == (system == "qcew")
    assert run("suppress", "verify", proof, path)[0] == 0


@pytest.mark.parametrize(
    ("rows", "given", "message"),
    [
        (DOMAINS, ("--hierarchy", "code=naics"), "code = 101 is not a code of naics"),
        (DOMAINS, ("--hierarchy", "code=prefix"), "code holds codes of qcew"),
        (DOMAINS, (), "code holds codes of qcew"),
        (PADDED, ("--hierarchy", "code=naics"), "code = 11---- is not a code of naics"),
        (PADDED, ("--hierarchy", "code=prefix"), "code holds codes of cbp"),
        (PADDED, (), "code holds codes of cbp"),
    ],
)
def test_codes_read_by_another_rule_are_refused(rows, given, message, table, refusal):
    read = of_one_column("code", status="st", total=rows[0][0])
    assert message in refusal("suppress", "audit", table(rows, CODES), *read, *given)


def test_a_certificate_over_codes_read_by_another_rule_is_refused(table, run, tmp_path):
    path, proof = table(DOMAINS, CODES), tmp_path / "proof"
    read = ("--by", "code", "--hierarchy", "code=qcew", "--value", "v", "--status", "st")
    assert run("suppress", "audit", path, *read, "--certificates", proof)[0] == 1
    lines = proof.read_text("utf-8").splitlines()[:-1]
    head = json.loads(lines[0])
    head["layout"] |= {"hierarchies": [["code", "naics"]], "totals": {"code": "10"}}
    proof.write_text(sealed([json.dumps(head), *lines[1:]]), "utf-8")
    status, printed, _ = run("suppress", "verify", proof, path)
    assert status == 1
    assert "101 is not a code of naics" in printed


CODE_LIST = "11\n111\n112\n1111\n23\n236\n54\n"
LISTED = [("All", "100", ""), ("11", "", "u"), ("112", "9", ""), ("23", "", "u")]


def test_a_list_of_codes_tells_what_the_table_leaves_out(table, run, tmp_path):
    # 111 beside 112, and 54 beside 11 and 23; nothing of 23 is in the table, so 236 is not missed.
    read = (*of_one_column("code", status="st"), "--hierarchy", "code=naics")
    for text in (CODE_LIST, "title,code\n" + "".join(f"x,{code}\n" for code in CODE_LIST.split())):
        (tmp_path / "codes.csv").write_text(text, "utf-8")
        given = ("--codes", f"code={tmp_path / 'codes.csv'}")
        status, printed, err = run("suppress", "audit", table(LISTED, CODES), *read, *given)
        assert status in (0, 1), err
        assert "code: the table leaves out 2 codes of the list" in printed


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("11\n23\n", "code = 112 is not in the list of codes"),
        ("a,b\n11,x\n", "has several columns, and none is named code"),
        ("\n", "has no code"),
        ("code;title\n11;x\n", "has semicolons between its columns"),
    ],
)
def test_codes_beyond_the_list_are_refused_by_name(text, message, table, refusal, tmp_path):
    (tmp_path / "codes.csv").write_text(text, "utf-8")
    read = (*of_one_column("code", status="st"), "--hierarchy", "code=naics")
    given = ("--codes", f"code={tmp_path / 'codes.csv'}")
    assert message in refusal("suppress", "audit", table(LISTED, CODES), *read, *given)


LEFT = [("All", "30", "s"), ("a", "12", "u"), ("b", "8", "m"), ("c", "10", "s")]
R = ("r", "v", "st")


def test_values_left_in_suppressed_cells_are_counted_and_not_told(table, succeeds):
    path = table([*LEFT[:3], ("c", "0", "N"), ("d", "10", ""), ("e", "", "u"), ("f", "(D)", "u")], R)
    printed = succeeds("suppress", "audit", path, *INTO)
    assert "2 suppressed cells still hold a value other than 0 in v" in printed
    assert not any(value in printed.split() for value in ("12", "8"))
    without = [(r, v if st == "s" else ("0" if r == "a" else ""), st) for r, v, st in LEFT]
    assert "still hold" not in succeeds("suppress", "audit", table(without, R), *INTO)


def test_a_column_of_true_values_is_no_leftover(table, succeeds):
    assert "still hold" not in succeeds("suppress", "audit", table(LEFT, R), *INTO, "--true", "v")


TEXT = "r,v,st\nAll,30,s\nÎle,,u\nb,,m\nc,10,s\n"
DIALECTS = {
    "not UTF-8 text (line 3), perhaps Latin-1 or Windows-1252": TEXT.encode("latin-1"),
    "is UTF-16 text": TEXT.encode("utf-16"),
    "UTF-16 text without a mark": TEXT.encode("utf-16-le"),
    "has semicolons between its columns": TEXT.replace(",", ";").encode(),
    "has tabs between its columns": TEXT.replace(",", "\t").encode(),
    "semicolons between": TEXT.replace(",", ";").replace("30", "30,5").encode(),
    "its v is not a finite number: it has a comma": TEXT.replace("30", '"30,5"').encode(),
    "it has a comma: write a point before decimals": TEXT.replace("30", '"1,030"').encode(),
    "a workbook or another zip archive": b"PK\x03\x04\x14\x00\x06\x00" + bytes(200),
}


@pytest.mark.parametrize("message", DIALECTS)
@pytest.mark.parametrize("zipped", [False, True])
def test_separator_and_encoding_are_named(message, zipped, refusal, tmp_path):
    path = tmp_path / ("cells.csv.gz" if zipped else "cells.csv")
    path.write_bytes(gzip.compress(DIALECTS[message]) if zipped else DIALECTS[message])
    told = refusal("suppress", "audit", path, *INTO)
    assert message in told
    assert "30" not in told


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("tree.csv", b"label;parent\na;All\n", "has semicolons between its columns"),
        ("tree.hrc", "Île\n".encode("latin-1"), "not UTF-8 text (line 1)"),
    ],
)
def test_a_tree_in_another_dialect_is_named(name, content, message, table, refusal, tmp_path):
    (tmp_path / name).write_bytes(content)
    tree = ("--hierarchy", f"r={tmp_path / name}")
    assert message in refusal("suppress", "audit", table(LEFT, R), *INTO, *tree)


def test_decimals_rounded_to_the_nearest_are_audited(table, succeeds, tmp_path):
    # 10.11 + 20.22 is 30.33, and 30.34 is published: the parts are at most half a hundredth up each.
    path, out = table([("All", "30.34", "s"), ("a", "10.11", "s"), ("b", "20.22", "s")], R), tmp_path / "o"
    proof = tmp_path / "proof"
    asked = ("--attacker", "nonnegative,nearest:0.01", "--json", out, "--certificates", proof)
    succeeds("suppress", "audit", path, *INTO, *asked)
    assert ends(out) == {
        "All": ("30.335", "30.34"), "a": ("10.11", "10.115"), "b": ("20.22", "20.225"),
    }  # fmt: skip
    assert "6 ends of 3 cells certified, 6 of them attained" in succeeds("suppress", "verify", proof, path)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("integers,random:0.05", "by 100 where that makes true values whole, and say random:5"),
        ("integers,controlled:2.5", "multiply every value by 10 where that makes true values whole"),
        ("integers,random:1", "the base 1 must be a whole number of at least 2"),
        ("nearest:0", "the base 0 must be a number greater than 0"),
        ("nearest:x", "the base x must be a number greater than 0"),
    ],
)  # fmt: skip
def test_a_base_that_is_not_allowed_says_how_to_rescale(words, message, table, refusal):
    assert message in refusal("suppress", "audit", table(LEFT, R), *INTO, "--attacker", words)


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("audit", (*INTO, "--json", "out")),
        ("audit", (*INTO, "--explain", "out")),
        ("audit", (*INTO, "--attacker", "nonnegative,integers,random:2", "--likelihood", "out")),
        ("plan", (*PLAN, "--out", "out")),
        ("noise", ("--by", "r", "--value", "v", "--count", "n", "--factors", "1/20,1/10", "--json", "out")),
    ],
)
def test_a_closed_pipe_loses_no_file(command, options, table, tmp_path):
    path = table([(*row, "1" if row[0] == "a" else "", "1") for row in LEFT], (*R, "upl", "n"))
    program = (
        "import os, sys\n"
        "read, write = os.pipe()\nos.close(read)\nos.dup2(write, 1)\n"  # nobody reads what is printed
        "from establish.proofs_check.commands.cli import main\n"
        "main(sys.argv[1:])\n"
    )
    run = [sys.executable, "-c", program, "suppress", command, str(path), *options]
    subprocess.run(run, cwd=tmp_path, capture_output=True, check=False, timeout=120)
    assert (tmp_path / "out").stat().st_size > 0


PLANNED = [
    ("All", "15", "", "z", "9"), ("a", "10", "", "", "5"), ("b", "5", "", "z", "1"),
    ("c", "0", "1", "", "0"), ("d", "0", "", "", "7"), ("e", "1", "", "m", "3"),
]  # fmt: skip


def pattern(path: Path) -> dict[str, str]:
    return {line.split(",")[0]: line.split(",")[-1] for line in path.read_text("utf-8").splitlines()[1:]}


def planned(rows, table, succeeds, tmp_path, *more: str) -> dict[str, str]:
    path, out = table(rows, ("r", "v", "upl", "st", "cost")), tmp_path / "out.csv"
    succeeds("suppress", "plan", path, *PLAN, "--out", out, "--force", *more)
    return pattern(out)


def test_a_plan_publishes_what_it_must_and_keeps_what_is_suppressed(table, succeeds, tmp_path):
    rows = [("All", "16", *PLANNED[0][2:]), *PLANNED[1:]]
    # Without statuses the cheapest helper of c is e, worth 1; with them e is kept, and is enough.
    assert planned(rows, table, succeeds, tmp_path) == {
        **dict.fromkeys(("All", "a", "b", "d"), "s"),
        "c": "u",
        "e": "m",
    }
    kept = [row if row[0] != "e" else ("e", "1", "", "z", "3") for row in rows]
    found = planned(kept, table, succeeds, tmp_path, "--status", "st")
    assert found == {"All": "z", "a": "m", "b": "z", "c": "u", "d": "s", "e": "z"}  # b is cheaper, and forced
    both = [row if row[0] != "b" else ("b", "5", "", "m", "1") for row in rows]
    assert planned(both, table, succeeds, tmp_path, "--status", "st")["b"] == "m"  # needless, and kept


def test_a_plan_reads_costs(table, succeeds, tmp_path):
    rows = [("All", "16", *PLANNED[0][2:]), *PLANNED[1:]]
    assert planned(rows, table, succeeds, tmp_path, "--cost", "cost")["b"] == "m"  # 1 is less than 3 and 5


@pytest.mark.parametrize(
    ("row", "more", "message"),
    [
        (("c", "0", "1", "z", "0"), ("--status", "st"), "r=c must be published (status z), and is sensitive"),
        (("c", "0", "1", "u", ""), ("--cost", "cost"), "r=c: its cost must be at least 0"),
        (("c", "0", "1", "u", "-1"), ("--cost", "cost"), "r=c: its cost must be at least 0"),
        (("c", "0", "1", "-", "0"), ("--status", "st"), "its st is not a status"),
        (("c", "", "1", "u", "0"), ("--status", "st"), "a plan needs the value of every cell: c has none"),
        (("c", "0", "1", "", "0"), ("--cost", "cost", "--price", "one"), "--price and --cost exclude"),
    ],
)
def test_statuses_and_costs_that_make_no_sense_are_refused(row, more, message, table, refusal, tmp_path):
    rows = [("All", "16", *PLANNED[0][2:]), *(row if old[0] == "c" else old for old in PLANNED[1:])]
    path = table(rows, ("r", "v", "upl", "st", "cost"))
    assert message in refusal("suppress", "plan", path, *PLAN, "--out", tmp_path / "out.csv", *more)


def test_forced_cells_that_leave_no_protection_are_refused(table, refusal, tmp_path):
    rows = [("All", "15", "", "z"), ("a", "15", "", "z"), ("c", "0", "1", "")]
    read = (*PLAN, "--status", "st", "--out", tmp_path / "out.csv")
    told = refusal("suppress", "plan", table(rows, ("r", "v", "upl", "st")), *read)
    assert "r=c cannot be protected, whatever else is suppressed, while 2 cells must be published" in told


def test_a_cell_of_status_u_without_a_level_that_is_known_is_told(table, run, tmp_path):
    rows = [("All", "15", "", ""), ("a", "10", "", ""), ("b", "5", "", "u"), ("c", "0", "", "z")]
    rows += [("d", "0", "", "")]
    read = (*PLAN, "--status", "st", "--out", tmp_path / "out.csv")
    status, printed, _ = run("suppress", "plan", table(rows, ("r", "v", "upl", "st")), *read)
    assert status == 1
    assert "1 cells of status u have no protection level" in printed
    assert "knows 1 of them exactly" in printed


@pytest.mark.parametrize("rule", ["p:10", "pq:10,50", "nk:2,85"])
@pytest.mark.parametrize("blank", [("-50", "-8"), ("", "")])
def test_rules_of_concentration_refuse_negative_totals(rule, blank, table, refusal, tmp_path):
    rows = [("All", "-120", *blank), ("a", "-60", *blank), ("b", "-60", *blank)]
    read = ("--by", "r", "--total", "r=All", "--value", "v", "--contributions", "x,y", "--attacker", "sums")
    path = table(rows, ("r", "v", "x", "y"))
    told = refusal("suppress", "plan", path, *read, "--rule", rule, "--out", tmp_path / "out.csv")
    assert "the cell r=All: the rule needs contributions of at least 0, and so a total of at least 0" in told


@pytest.fixture
def proved(table, run, tmp_path) -> tuple[Path, list[str]]:
    path, proof = table(LEFT, R), tmp_path / "proof"
    assert run("suppress", "audit", path, *INTO, "--certificates", proof)[0] == 0
    return path, proof.read_text("utf-8").splitlines()[:-1]


@pytest.mark.parametrize("number", ["1e99999999", "1/0", "9" * 5000, "1e-99999999", "٣", "nan", "1/0_0"])
@pytest.mark.parametrize("where", ["end", "table", "within", "data"])
def test_numbers_that_nobody_can_read_are_refused_at_once(where, number, proved, run, tmp_path):
    path, (first, *facts) = proved
    head = json.loads(first)
    told = [json.loads(fact) for fact in facts]
    if where == "end":
        next(fact for fact in told if fact[0] == "end")[4] = number
    elif where == "table":
        told[0][1] = dict.fromkeys(told[0][1], number)
    elif where == "within":
        head["attacker"]["within"] = number
    else:
        path.write_text(path.read_text("utf-8").replace("10,s", f"{number},s"), "utf-8")
        head["inputs"] = [hashlib.sha256(path.read_bytes()).hexdigest()]
    proof = tmp_path / "other"
    proof.write_text(sealed([json.dumps(head), *map(json.dumps, told)]), "utf-8")
    status, printed, err = run("suppress", "verify", proof, path)
    assert (status, err) == (1, "")
    assert printed.startswith("refused")


@pytest.mark.parametrize("line", ["[" * 100_000, '["end", {}, "lower", 1, 1e999, 0]', '{"a": 1}', "[]", "3"])
def test_lines_that_are_no_facts_are_refused(line, proved, run, tmp_path):
    path, (head, *facts) = proved
    proof = tmp_path / "other"
    for lines in ([head, *facts, line], [line, *facts]):
        proof.write_text(sealed(lines), "utf-8")
        status, _, err = run("suppress", "verify", proof, path)
        assert (status, err) == (1, "")


@pytest.mark.parametrize("name", ["value", "status", "count", "lower", "upper", "true"])
def test_a_layout_with_a_column_that_the_table_lacks_is_refused(name, proved, run, tmp_path):
    path, (first, *facts) = proved
    head = json.loads(first)
    head["layout"][name] = "nowhere"
    proof = tmp_path / "other"
    proof.write_text(sealed([json.dumps(head), *facts]), "utf-8")
    status, printed, _ = run("suppress", "verify", proof, path)
    assert status == 1
    assert "the table has no column nowhere" in printed
