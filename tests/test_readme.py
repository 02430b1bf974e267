"""What the README shows is what comes out."""

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from establish.proofs_check.engine import register

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
CONSOLE = re.findall(r"```console\n(.*?)```", README, re.DOTALL)
PICTURE = ROOT / "docs" / "pages" / "pictures" / "lemma-9.2.svg"


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which the command runs: it has the samples, as that of a clone has."""
    shutil.copytree(ROOT / "impl" / "sample", tmp_path / "impl" / "sample")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def examples() -> list[tuple[list[str], list[str]]]:
    """Every command that the README shows, and the lines that it shows after it."""
    return [
        (shlex.split(command.replace("\\\n", " "))[1:], shown.splitlines())
        for block in CONSOLE
        for command, shown in re.findall(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
    ]


@pytest.mark.usefixtures("as_recorded")
def test_every_command_prints_what_is_shown(clone, run):
    """Line by line, but where three dots stand for lines, or for the rest of one."""
    shown_commands = examples()
    assert [arguments[0] for arguments, _ in shown_commands] == [
        "show",
        "audit",
        "release",
        "verify",
        "suppress",
    ]
    for arguments, shown in shown_commands:
        status, printed, err = run(*arguments)
        assert status == (arguments[0] in ("audit", "suppress")), err  # 1: something was found
        pattern = "".join(
            r"(?:.*\n)*?" if line == "..." else re.sub(r"\\\.\\\.\\\.", ".*", re.escape(line)) + r" *\n"
            for line in shown
        )
        assert re.fullmatch(pattern, printed), f"{shown} is not what {arguments} prints:\n{printed}"


def test_the_picture_shows_what_its_words_say():
    pytest.importorskip("matplotlib", reason="matplotlib comes with the extra report")
    scope: dict[str, object] = {"__file__": str(ROOT / "docs" / "pictures.py"), "__name__": "pictures"}
    exec(compile((ROOT / "docs" / "pictures.py").read_text("utf-8"), "pictures.py", "exec"), scope)
    words, drawn = (
        re.findall(r">([^<>\n]+)<", text) for text in (PICTURE.read_text("utf-8"), scope["drawn"]())
    )
    assert words == drawn
    (told,) = re.findall(r"!\[.* is (0\.\d+), more than δ", README)
    assert f"shaded: {told}, more than δ = 0.00075" in words


def test_the_reviewers_file_comes_out_as_told(tmp_path, run, monkeypatch):
    monkeypatch.setattr(register, "_claims", register.claims())  # a copy, for this test
    (tmp_path / "my_paper.py").write_text(BLOCKS[0], encoding="utf-8")
    status, table, _ = run("check", str(tmp_path / "my_paper.py"), "--jobs", "1")
    assert status == 1
    assert re.search(r"squares .*holds +proof", table)
    assert re.search(r"hire .*fails +enclosure", table)
    assert re.search(r"wishful .*unsettled", table)
    assert re.search(r"mine/wishful: the adversary refutes .*n = 1: 0\.693", table)


def test_the_example_of_an_audit_in_a_test_passes():
    exec(compile(BLOCKS[1], "README.md", "exec"), {})


@pytest.mark.usefixtures("as_recorded")
def test_the_example_of_a_release_gives_a_frame_and_a_record_that_holds(tmp_path, monkeypatch):
    pandas = pytest.importorskip("pandas", reason="pandas comes with the extra dev")
    monkeypatch.chdir(tmp_path)
    scope: dict[str, object] = {}
    exec(compile(f"{BLOCKS[2]}\nfound = verify(released)", "README.md", "exec"), scope)
    table = scope["released"].table
    assert isinstance(table, pandas.DataFrame)
    assert list(table["county"]) == ["Adams", "Brown", "Clark"]
    assert len(list((tmp_path / "published").iterdir())) == 2
    assert (tmp_path / "jobs.ledger").is_file()
    assert scope["found"].holds


def test_the_python_example_runs():
    scope: dict[str, object] = {}
    exec(compile(BLOCKS[3], "README.md", "exec"), scope)
    relation = scope["relation"]
    assert relation.related((20, 3), (22, 3))
    assert not relation.related((20, 3), (23, 3))


def test_every_link_of_the_readme_leads_somewhere():
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert len(links) > 10
    assert [link for link in links if not (ROOT / link).is_file()] == []
    headings = {
        re.sub(r"[^\w -]", "", line.lower()).replace(" ", "-")
        for line in re.findall(r"^## (.*)$", README, re.M)
    }
    assert set(re.findall(r"\]\(#([^)]+)\)", README)) <= headings


def test_the_readme_is_short():
    assert len(README.encode()) <= 9_000


def test_what_the_examples_write_is_ignored_by_git():
    written = ["my_paper.py", "private.csv", "private.csv.json", "site/", "jobs.ledger", "published/a.csv"]
    done = subprocess.run(
        ["git", "check-ignore", *written], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode == 128:
        pytest.skip("not a git checkout, so what it ignores is not known")
    assert set(done.stdout.split()) == set(written)
