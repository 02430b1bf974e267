"""establish export writes proofs, establish recheck tells what is rechecked, believed or refused."""

import json
from pathlib import Path

import pytest

from establish.proofs_check.engine.register import claims
from establish.proofs_check.export.lines import CORE, KINDS, kinds_of, lines_of, lines_of_code, lines_to_read
from establish.proofs_check.export.proofs import proof_of

CLAIMS = ("haney2017/lemma-8.6-above-1", "haney2017/alg-2-epsilon-1")


@pytest.fixture
def folder(run, tmp_path: Path) -> Path:
    status, out, err = run("export", *CLAIMS, "--out", tmp_path / "proofs")
    assert status == 0, err
    assert f"proofs in {tmp_path / 'proofs'}: " in out
    return tmp_path / "proofs"


@pytest.mark.small_campaign
def test_claims_are_exported_and_rechecked(run, folder):
    status, out, _ = run("recheck", folder, "--json", "-")
    rows = {row["id"]: row for row in json.loads(out)}
    assert status == 0
    assert set(rows) == {
        "/".join(file.relative_to(folder).with_suffix("").parts) for file in folder.rglob("*.json")
    }
    assert all(
        not row["refused"] and (row["result"] == "believed") == bool(row["believed"]) for row in rows.values()
    )

    file = next(folder.rglob("*.json"))
    file.write_text(file.read_text("utf-8").replace('"version":1', '"version":2'), "utf-8")
    status, out, _ = run("recheck", folder)
    assert status == 1
    assert "refused: it is of version 2, and this program reads 1" in out
    assert out.splitlines()[-1].startswith(f"{len(rows)} claims: ")


def test_a_proof_of_another_sentence_is_refused_under_the_name_of_a_claim(run, tmp_path):
    proof = proof_of(claims()["haney2017/alg-2-epsilon-1"])
    for name, result in {
        "haney2017/alg-2-epsilon-1": f"rechecked, {lines_to_read(proof)} lines of code to read",
        "haney2017/lemma-9.2": "refused: its objects are not those that haney2017/lemma-9.2 has here",
        "mine/own": f"rechecked, {lines_to_read(proof)} lines of code to read "
        "(no claim of this name is known here)",
    }.items():
        (tmp_path / "proof.json").write_text(json.dumps(proof | {"claim": name}), "utf-8")
        status, out, _ = run("recheck", tmp_path)
        assert out.splitlines()[0] == f"{name}: {result}"
        assert status == ("refused" in result)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("recheck", "nowhere"), "nowhere is not a folder: give one that establish export wrote"),
        (("recheck", "."), ". holds no exported proof"),
        (("export", "--out", "."), "--out . must be a new or an empty folder"),
    ],
)
def test_misuse_is_told_in_one_line(arguments, told, refusal, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if arguments[0] == "export":
        (tmp_path / "a.txt").write_text("a")
    assert told in refusal(*arguments)


def test_lines_of_code_are_neither_empty_nor_prose():
    lines = ['"""A file.', "", 'Says this."""', "", "import a  # that", "", "# a remark", "def f():"]
    lines += ['    """Does."""', "    return (", "        1", "    )"]
    assert lines_of_code("\n".join(lines)) == 5
    assert lines_of("proofs_check.recheck")["sentences.py"] > 100


def test_the_core_of_recheck_is_short_and_each_kind_counts_where_it_is_used():
    core, kinds = (sum(lines_of(folder).values()) for folder in (CORE, KINDS))
    assert core <= 900
    page = (Path(__file__).parents[3] / "docs/pages/methods.md").read_text("utf-8")
    assert f"a core of {core} lines" in page
    assert all(f"({n} lines)" in page or f"({n})" in page for n in lines_of(KINDS).values() if n)
    step = {"by": "solver", "sentence": {"nodes": [["number", "1"], ["+", 0, 0]]}}
    assert lines_to_read({"steps": [step]}) == core
    needs = {"by": "slope_and_end", "identities": {"0:": []}, "sentence": {"nodes": [["log", 0]]}}
    assert kinds_of({"steps": [step, needs]}) == {"slopes", "identities", "functions"}
    assert lines_to_read({"steps": [step, needs, {"by": "chain"}]}) == core + kinds
