"""What the README shows is what comes out."""

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from establish.proofs_check.engine import ledger, register

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = dict(enumerate(re.findall(r"```python\n(.*?)```", README, re.DOTALL)))


def shown_code() -> list[str]:
    """The blocks of commands, without what they print, and the blocks of Python."""
    blocks = re.findall(r"```(?:sh|console)\n(.*?)```", README, re.DOTALL)
    calls = [
        call
        for block in blocks
        for call in re.findall(r"^(?:\$ )?(?:establish|python) (?:.*\\\n)*.*", block, re.MULTILINE)
    ]
    return [*calls, *BLOCKS.values()]


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which the command runs: it has the samples, as that of a clone has."""
    shutil.copytree(ROOT / "impl" / "sample", tmp_path / "impl" / "sample")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def commands(word: str) -> list[list[str]]:
    """The arguments of every ``$ establish <word> ...`` that the README shows."""
    shown = re.findall(r"^\$ establish ((?:.*\\\n)*.*)", README, re.MULTILINE)
    return [args for text in shown if (args := shlex.split(text.replace("\\\n", " ")))[0] == word]


@pytest.mark.parametrize("claim", ["haney2017/alg-2-loss/a.1-e2", "haney2017/alg-2-multiplier/a.1-e2"])
def test_quoted_numbers_are_the_recorded_ones(claim: str):
    assert ledger.recorded()[claim].value in README


def test_the_first_verdict_is_shown_as_it_is_printed(succeeds):
    """Line by line, but where three dots stand for lines, or for the end of one."""
    printed = succeeds("show", "haney2017/lemma-9.2")
    shown = README.partition("$ establish show haney2017/lemma-9.2\n")[2].partition("```")[0]
    pattern = "".join(
        r"(?:.*\n)+" if line == "..." else re.sub(r"\\\.\\\.\\\.$", ".*", re.escape(line)) + r"\n"
        for line in shown.splitlines()
    )
    assert re.fullmatch(pattern, printed)
    assert len(shown.splitlines()) > 8


def test_the_reviewers_file_comes_out_as_told(tmp_path, run, monkeypatch):
    monkeypatch.setattr(register, "_claims", register.claims())  # a copy, for this test
    (tmp_path / "my_paper.py").write_text(BLOCKS[0], encoding="utf-8")
    status, table, _ = run("check", str(tmp_path / "my_paper.py"), "--jobs", "1")
    assert status == 1
    assert re.search(r"rounding .*holds +proof", table)
    assert re.search(r"hire .*fails +enclosure", table)
    assert re.search(r"hire-somewhere .*unsettled", table)
    assert re.search(r"mine/hire-somewhere: the adversary refutes .*n = 1: 0\.693", table)


def test_the_example_of_an_audit_in_a_test_passes():
    exec(compile(BLOCKS[1], "README.md", "exec"), {})


def test_the_python_example_runs():
    scope: dict[str, object] = {}
    exec(compile(BLOCKS[2], "README.md", "exec"), scope)
    relation = scope["relation"]
    assert relation.related((20, 3), (22, 3))
    assert not relation.related((20, 3), (23, 3))


def test_every_example_of_a_release_of_one_table_prints_what_is_shown(clone, succeeds):
    """Each from the folder of a clone, on the samples that it ships with."""
    examples = [a for a in commands("release") if a[1] in ("counts", "earnings")]
    assert len(examples) == 3
    for arguments in examples:
        printed = succeeds(*arguments).splitlines()
        out = Path(arguments[arguments.index("--out") + 1])
        shown = shown_after(f"--out {out}")
        assert [line for line in shown if line not in printed] == []
        assert {path.name for path in clone.glob(f"{out}*")} == {out.name, f"{out.name}.json"}


def test_no_example_needs_a_file_that_a_clone_does_not_have():
    made = {
        *("my_paper.py", "plan.toml", "small/plan.toml", "small/published/release.json"),
        *("noisy.csv", "private.csv", "percentiles.csv", "establishments.parquet"),
        *("claims.json", "noisy.csv.json"),
    }
    words = re.findall(r"[\w./-]+\.(?:csv|gz|parquet|toml|json|py)\b", "\n".join(shown_code()))
    assert len(words) > 15
    assert [word for word in words if word not in made and not (ROOT / word).is_file()] == []


def test_what_the_examples_write_is_ignored_by_git():
    outs = [a[a.index("--out") + 1] for w in ("release", "synthesize") for a in commands(w)]
    assert len(outs) == 6
    tables = [out for out in outs if Path(out).suffix]
    folders = [f"{out}/" for out in outs if not Path(out).suffix]
    others = ["my_paper.py", "plan.toml", "small/", "quarterly.ledger", "claims.json"]
    written = {*tables, *(f"{table}.json" for table in tables), *folders, *others}
    done = subprocess.run(
        ["git", "check-ignore", *written], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode == 128:
        pytest.skip("not a git checkout, so what it ignores is not known")
    assert set(done.stdout.split()) == written


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


@pytest.mark.usefixtures("as_recorded")
def test_a_plan_on_job_tables_is_made_costed_released_and_verified_as_shown(tmp_path, monkeypatch, succeeds):
    monkeypatch.chdir(tmp_path)
    for word, last in (
        ("synthesize-jobs", "--places 50 --seed 1"),
        ("budget", "$ establish budget small/plan.toml"),
        ("release", "$ establish release plan small/plan.toml --out small/published"),
        ("verify", "$ establish verify small/published/release.json"),
    ):
        (arguments,) = [a for a in commands(word) if any("small" in part for part in a)]
        printed = [line.rstrip() for line in succeeds(*arguments).splitlines()]
        assert [line for line in shown_after(last) if line not in printed] == []


def test_the_microdata_of_the_readme_are_synthesized_and_released_as_shown(clone, succeeds):
    (arguments,) = commands("synthesize")
    printed = succeeds(*arguments).splitlines()
    shown = shown_after(f"$ establish {shlex.join(arguments)}")
    assert len(shown) == 2
    assert [line for line in shown if line not in printed] == []
    (script,) = re.findall(r'^\$ python -c "(.*)"$', README, re.MULTILINE)
    exec(script, {})
    (arguments,) = [a for a in commands("release") if "plan.toml" in a]
    printed = succeeds(*arguments).splitlines()
    shown = shown_after("$ establish release plan plan.toml --out published")
    assert len(shown) == 2
    assert [line for line in shown if line not in printed] == []
