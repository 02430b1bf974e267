"""Certificates of audits, what ``verify`` refuses, and JJ files, on invented tables."""

import ast
import hashlib
import json
import stat
import sys
from pathlib import Path

import pytest

from establish.impl.suppression import verify
from tests.proofs_check.commands.cells import HEADER, READ, SQUARE, intervals, sealed


@pytest.fixture
def proved(table, succeeds, tmp_path) -> tuple[Path, Path]:
    path, proof = table(SQUARE), tmp_path / "proof"
    succeeds("suppress", "audit", path, *READ, "--certificates", proof)
    return path, proof


def test_a_certificate_is_verified_and_private(proved, succeeds):
    path, proof = proved
    assert "8 ends of 4 cells certified, 8 of them attained" in succeeds("suppress", "verify", proof, path)
    assert stat.S_IMODE(proof.stat().st_mode) == 0o600


def test_every_changed_digit_is_refused(proved, run):
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


def test_no_changed_digit_changes_an_end_though_the_seal_is_renewed(table, run, tmp_path):
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
                    assert said(proof.read_text("utf-8").splitlines()[1:-1]) == said(facts)
    assert changed > 100
    assert refused > 0.9 * changed


def test_a_changed_fact_is_refused_though_its_seal_is_renewed(proved, run):
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


def test_a_missing_end_and_a_changed_table_are_refused(proved, run):
    path, proof = proved
    lines = proof.read_text("utf-8").splitlines()[:-1]
    ends = [line for line in lines if line.startswith('["end"')]
    proof.write_text(sealed([line for line in lines if line != ends[-1]]), "utf-8")
    assert "not every end" in run("suppress", "verify", proof, path)[1]
    proof.write_text(sealed(lines), "utf-8")
    path.write_text(path.read_text("utf-8").replace("777", "778"), "utf-8")
    assert run("suppress", "verify", proof, path)[0] == 1


def test_no_end_is_reached_before_a_table_that_gives_every_cell(run, tmp_path):
    path, proof = tmp_path / "cells.csv", tmp_path / "proof"
    path.write_text("r,jobs,status,least,most\nAll,5,,,\na,,u,,\nb,,u,,2\n", "utf-8")
    command = ("suppress", "audit", path, "--by", "r", "--total", "r=All", "--value", "jobs")
    given = ("--status", "status", "--lower", "least", "--upper", "most")
    assert run(*command, *given, "--attacker", "nonnegative,bounds", "--certificates", proof)[0] == 0
    head, *facts = proof.read_text("utf-8").splitlines()[:-1]
    first = ["end", {}, "lower", 1, 0, 0]  # a is at least 3: 0 is a bound, and no table has it
    others = [fact for fact in facts if json.loads(fact)[1:4] != [{"0": -1}, "lower", 1]]
    assert len(others) == len(facts) - 1
    proof.write_text(sealed([head, json.dumps(first), *others]), "utf-8")
    assert run("suppress", "verify", proof, path)[0] == 1
    partial = ["table", {"1": 5}]  # b would be 0 without having been said
    proof.write_text(sealed([head, json.dumps(partial), *facts[1:]]), "utf-8")
    assert run("suppress", "verify", proof, path)[0] == 1


def test_cells_without_a_table_are_refused(run, tmp_path):
    path, proof = tmp_path / "cells.csv", tmp_path / "proof"
    path.write_text("r,jobs,status\nAll,0,\na,,u\nb,,u\n", "utf-8")
    command = ("suppress", "audit", path, "--by", "r", "--total", "r=All", "--value", "jobs")
    given = ("--status", "status", "--attacker", "sums", "--certificates", proof)
    assert run(*command, *given)[0] == 0
    head, *facts = proof.read_text("utf-8").splitlines()[:-1]
    without = [fact for fact in facts if json.loads(fact)[0] == "direction"]
    assert 0 < len(without) < len(facts)
    for left in (without, []):
        proof.write_text(sealed([head, *left]), "utf-8")
        assert run("suppress", "verify", proof, path)[0] == 1


def test_published_cells_that_do_not_add_up_are_refused_where_no_table_is_given(run, tmp_path):
    path, proof = tmp_path / "cells.csv", tmp_path / "proof"
    path.write_text("r,jobs\nAll,5\na,2\nb,3\n", "utf-8")
    command = ("suppress", "audit", path, "--by", "r", "--total", "r=All", "--value", "jobs")
    assert run(*command, "--attacker", "sums", "--certificates", proof)[0] == 0
    head = json.loads(proof.read_text("utf-8").splitlines()[0])
    for total, status in ((5, 0), (6, 1)):
        path.write_text(f"r,jobs\nAll,{total}\na,2\nb,3\n", "utf-8")
        head["inputs"] = [hashlib.sha256(path.read_bytes()).hexdigest()]
        proof.write_text(sealed([json.dumps(head)]), "utf-8")
        assert run("suppress", "verify", proof, path)[0] == status


def test_the_checker_is_one_short_file_of_the_standard_library():
    text = Path(verify.__file__).read_text("utf-8")
    assert len(text.splitlines()) <= 240
    names = {
        name.split(".")[0]
        for node in ast.walk(ast.parse(text))
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for name in ([a.name for a in node.names] if isinstance(node, ast.Import) else [node.module])
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


def test_a_jj_file_is_audited_with_its_bounds_and_levels(run, tmp_path):
    path, out = tmp_path / "table.jj", tmp_path / "out.json"
    path.write_text(JJ, "utf-8")
    status, printed, _ = run("suppress", "audit", path, "--attacker", "nonnegative,bounds", "--json", out)
    assert intervals(out) == {("1",): ("20", "40"), ("2",): ("35", "55")}
    assert status == 0
    assert "1 protected" in printed
    path.write_text(JJ.replace("20 40 5 10", "20 40 5 11"), "utf-8")
    assert run("suppress", "audit", path, "--attacker", "nonnegative,bounds")[0] == 1


def test_certificates_of_a_jj_file_are_verified_against_its_own_sums(run, tmp_path):
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


def test_a_sum_of_a_jj_file_may_be_a_fraction_unless_values_are_whole(run, tmp_path):
    path, out, proof = tmp_path / "table.jj", tmp_path / "out.json", tmp_path / "proof"
    path.write_text("0\n2\n0 0 1 u 0 9 0 0 0\n1 0 1 u 0 9 0 0 0\n1\n0.5 2 : 0 (1) 1 (1)\n", "utf-8")
    assert run("suppress", "audit", path, "--json", out, "--certificates", proof)[0] == 0
    assert intervals(out) == {("0",): ("0", "0.5"), ("1",): ("0", "0.5")}
    assert run("suppress", "verify", proof, path)[0] == 0
    status, _, told = run("suppress", "audit", path, "--attacker", "integers")
    assert status == 2
    assert "is not a whole number, as the attacker assumes" in told


def test_the_width_that_a_jj_file_asks_for_is_judged(run, tmp_path):
    path = tmp_path / "table.jj"
    known = ("--attacker", "nonnegative,bounds")
    for width, status in (("20", 0), ("21", 1)):
        path.write_text(JJ.replace("20 40 5 10 0", f"20 40 5 10 {width}"), "utf-8")
        assert run("suppress", "audit", path, *known)[0] == status


def test_a_table_written_as_a_jj_file_gives_the_same_intervals(table, succeeds, tmp_path):
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
def test_a_bad_line_of_a_jj_file_is_named(old, new, line, refusal, tmp_path):
    path = tmp_path / "table.jj"
    path.write_text(JJ.replace(old, new, 1), "utf-8")
    assert f"line {line} is not one of a JJ file" in refusal("suppress", "audit", path)


def test_the_checker_refuses_tables_outside_sums_or_bounds(proved):
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


def test_the_checker_refuses_a_cell_with_two_published_values(proved):
    path, proof = proved
    head, _ = verify.verify(proof, [path])
    rows = list(verify.csv_rows(path))
    column = head["layout"]["value"]
    shown = next(row for row in rows if verify.entry(head["layout"], row)[0] is not None)
    verify.Check(head["layout"], head["attacker"], [*rows, shown])  # said twice alike
    other = {**shown, column: str(int(shown[column]) + 1)}
    with pytest.raises(verify.Refused, match="has two published values"):
        verify.Check(head["layout"], head["attacker"], [*rows, other])
