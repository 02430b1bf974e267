"""What the README shows is what comes out."""

import re
import shlex
from pathlib import Path

import pytest

from establish.proofs_check import ledger, register

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = dict(enumerate(re.findall(r"```python\n(.*?)```", README, re.DOTALL)))


def commands(word: str) -> list[list[str]]:
    """The arguments of every ``$ establish <word> ...`` that the README shows."""
    shown = re.findall(r"^\$ establish ((?:.*\\\n)*.*)", README, re.MULTILINE)
    return [args for text in shown if (args := shlex.split(text.replace("\\\n", " ")))[0] == word]


@pytest.mark.parametrize(
    "claim", ["haney2017/alg-2-loss/a.1-e2", "haney2017/alg-2-multiplier/a.1-e2"]
)
def test_quoted_numbers_are_the_recorded_ones(claim: str):
    assert ledger.recorded()[claim].value in README


def test_the_first_verdict_shown_is_the_recorded_one(succeeds):
    printed = " ".join(succeeds("show", "haney2017/lemma-9.2").split())
    shown = README.partition("```console")[2].partition("```")[0]
    for line in ("fails (evidence: enclosure)", "true where δ*(α, ε) ≤ δ", "(S = 1 or 2)"):
        assert line in shown
        assert line in printed


def test_the_reviewers_file_comes_out_as_told(tmp_path, run, monkeypatch):
    monkeypatch.setattr(register, "_claims", dict(register._claims))  # for this test only
    (tmp_path / "my_paper.py").write_text(BLOCKS[0], encoding="utf-8")
    status, table, _ = run("check", str(tmp_path / "my_paper.py"), "--jobs", "1")
    assert status == 1
    assert re.search(r"rounding .*holds +proof", table)
    assert re.search(r"hire .*unsettled .*2 > 2", table)


def test_the_example_of_an_audit_in_a_test_passes():
    exec(compile(BLOCKS[1], "README.md", "exec"), {})


def test_the_python_example_runs():
    scope: dict[str, object] = {}
    exec(compile(BLOCKS[2], "README.md", "exec"), scope)
    relation = scope["relation"]
    assert relation.related((20, 3), (22, 3))
    assert not relation.related((20, 3), (23, 3))


def test_the_suppressed_sample_gives_away_what_is_shown(run):
    ((_, *arguments),) = commands("suppress")
    arguments[arguments.index("impl/sample/suppressed.csv")] = str(
        ROOT / "impl/sample/suppressed.csv"
    )
    status, printed, _ = run("suppress", *arguments)
    assert status == 1
    shown = README.partition("$ establish suppress audit")[2].partition("```")[0].splitlines()[2:]
    lines = [line for line in shown if line and line != "..."]
    assert len(lines) == 3
    assert all(line in printed.splitlines() for line in lines)


def test_the_sample_release_runs_as_shown(tmp_path, monkeypatch, succeeds):
    (arguments,) = [a for a in commands("release") if "impl/sample/cells.csv" in a]
    arguments[arguments.index("impl/sample/cells.csv")] = str(ROOT / "impl/sample/cells.csv")
    monkeypatch.chdir(tmp_path)
    assert "24 rows released by smooth-gamma" in succeeds(*arguments)
    assert {p.name for p in tmp_path.iterdir()} == {"noisy.csv", "noisy.csv.json"}


def test_the_real_release_prints_what_is_shown(tmp_path, monkeypatch, succeeds):
    (arguments,) = [a for a in commands("release") if "qcew" in a[1]]
    data = ROOT / arguments[1]
    if not data.is_file():
        pytest.skip(f"the public data are no part of the project and are not at {data}")
    arguments[1] = str(data)
    monkeypatch.chdir(tmp_path)
    printed = succeeds(*arguments)
    shown = README.partition("--out rhode_island.csv\n")[2].partition("\n```")[0]
    for line in shown.splitlines():
        assert line == "..." or line in printed


def test_table_1_is_printed_as_shown(succeeds):
    printed = [line.rstrip() for line in succeeds("table1").splitlines()]
    shown = README.partition("$ establish table1\n")[2].partition("\n```")[0]
    assert all(line in printed for line in shown.splitlines())


def test_imply_answers_as_shown(run):
    (arguments,) = commands("imply")
    status, printed, _ = run(*arguments)
    assert status == 1
    shown = README.partition('--universe "workers=2,employers=2"\n')[2].partition("\n...")[0]
    assert shown in printed


def test_the_audit_finds_what_is_shown(run, monkeypatch):
    (arguments,) = commands("audit")
    monkeypatch.chdir(ROOT)
    status, printed, _ = run(*arguments)
    assert status == 1
    shown = README.partition("--alpha 1/10 --epsilon 2 --seed 1\n")[2].partition("\n...")[0]
    assert shown in printed


def shown_after(line: str) -> list[str]:
    """The lines that the README shows after a command's last line, up to the next command."""
    text = "\n" + README.partition(f"{line}\n")[2]
    text = text.partition("\n```")[0].partition("\n$ ")[0]
    return [shown for shown in text.splitlines() if shown not in ("", "...")]


def test_a_plan_on_job_tables_is_made_costed_released_and_verified_as_shown(
    tmp_path, monkeypatch, succeeds
):
    monkeypatch.chdir(tmp_path)
    for word, last in (
        ("synthesize-jobs", "--places 50 --seed 1"),
        ("budget", "$ establish budget small/plan.toml"),
        ("release", "$ establish release small/plan.toml --out small/published"),
        ("verify", "$ establish verify small/published/release.json"),
    ):
        (arguments,) = [a for a in commands(word) if any("small" in part for part in a)]
        printed = [line.rstrip() for line in succeeds(*arguments).splitlines()]
        assert [line for line in shown_after(last) if line not in printed] == []


def test_the_microdata_of_the_readme_are_synthesized_and_released_as_shown(
    tmp_path, monkeypatch, succeeds
):
    (arguments,) = commands("synthesize")
    data = ROOT / arguments[1]
    if not data.is_file():
        pytest.skip(f"the public data are no part of the project and are not at {data}")
    arguments[1] = str(data)
    monkeypatch.chdir(tmp_path)
    printed = succeeds(*arguments)
    assert all(line in printed for line in shown_after("    --out establishments.parquet --seed 1"))
    (tmp_path / "plan.toml").write_bytes((ROOT / "impl/sample/plan_gedp.toml").read_bytes())
    (arguments,) = [a for a in commands("release") if a[1] == "plan.toml"]
    printed = succeeds(*arguments)
    assert all(
        line in printed for line in shown_after("$ establish release plan.toml --out published")
    )
