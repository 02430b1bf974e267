"""The documentation runs: every block of code, in the order of its page, prints what the page shows."""

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = ROOT / "docs" / "pages"
RUN = sorted(
    page
    for page in PAGES.rglob("*.md")
    if re.search(r"^```(?:python|console)", page.read_text("utf-8"), re.MULTILINE)
    and page.name != "reviewer.md"  # test_tutorial.py
)


LONG = {
    *("index.md", "how_to/law.md", "how_to/plan.md", "how_to/relation.md", "how_to/own_claim.md"),
    *("how_to/agency.md", "how_to/experiments.md", "tutorials/author.md", "tutorials/maintainer.md"),
    *("how_to/release_counts.md", "how_to/release_earnings.md", "how_to/verify.md", "how_to/imply.md"),
}
"""Pages that take more than two seconds each."""


def blocks(page: Path) -> Iterator[tuple[str, str, str]]:
    """Language, title and content of every block of a page."""
    text = page.read_text("utf-8")
    yield from re.findall(r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```', text, re.MULTILINE | re.DOTALL)


def calls(content: str) -> Iterator[tuple[str, list[str]]]:
    """Every command of a block, and the lines that are shown after it."""
    for part in re.split(r"^\$ ", content, flags=re.MULTILINE)[1:]:
        command, _, shown = part.replace("\\\n", " ").partition("\n")
        yield command, shown.splitlines()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which a page runs: it has the samples, as that of a clone has."""
    shutil.copytree(ROOT / "impl" / "sample", tmp_path / "impl" / "sample")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def printed_by(command: str, run) -> str:
    if command.startswith("establish "):
        status, out, err = run(*shlex.split(command)[1:])
        limited = command.startswith("establish audit ")  # a law may be certified for what was tried only: 3
        assert status in ((0, 1, 3) if limited else (0, 1)), err
        return out
    arguments = [sys.executable, "-m", *shlex.split(command), "-p", "no:cacheprovider"]
    return subprocess.run(arguments, capture_output=True, text=True, check=False).stdout


def assert_shown(lines: list[str], printed: str) -> None:
    """Every line that is shown is printed, in this order; "..." stands for any lines."""
    rest = iter(printed.splitlines())
    for line in lines:
        if line not in ("", "..."):
            assert any(line in candidate for candidate in rest), f"{line!r} not in:\n{printed}"


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(PAGES / name, id=name, marks=[pytest.mark.small_campaign] * (name in LONG))
        for name in (page.relative_to(PAGES).as_posix() for page in RUN)
    ],
)
@pytest.mark.usefixtures("settled_once")
def test_every_block_of_a_page_runs(page, folder, run, monkeypatch):
    scope: dict[str, object] = {"__name__": page.stem}
    modules = set(sys.modules)
    for language, title, content in blocks(page):
        if language == "python" and title:
            (folder / title).write_text(content, "utf-8")
        elif language == "python":
            exec(compile(content, str(page), "exec"), scope)
        elif language == "console":
            for command, shown in calls(content):
                assert_shown(shown, printed_by(command, run))
    for name in set(sys.modules) - modules:
        if (folder / f"{name}.py").exists():
            monkeypatch.delitem(sys.modules, name)


@pytest.mark.parametrize(
    "samples",
    [
        pytest.param(100_000, marks=pytest.mark.small_campaign),
        pytest.param(400_000, marks=pytest.mark.campaign),
    ],
)
def test_the_gallery_is_as_its_table_says(folder, run, samples):
    page = PAGES / "gallery.md"
    ((_, title, content),) = [block for block in blocks(page) if block[1]]
    (folder / title).write_text(content, "utf-8")
    told = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", page.read_text("utf-8"), re.MULTILINE))
    assert set(told) == set(re.findall(r"^def (\w+)", content, re.MULTILINE))
    assert len(told) == 10
    asked = ("--definition", "dp", "--epsilon", 1, "--samples", samples, "--seconds", 30)
    for name, words in told.items():
        status, out, err = run("audit", f"{title}:{name}", *asked)
        assert (status == 1) == (words == "violated"), (name, out, err)


def test_a_line_that_is_not_printed_is_noticed():
    with pytest.raises(AssertionError, match="not in"):
        assert_shown(["first", "...", "third"], "third\nfirst\n")


@pytest.mark.small_campaign
def test_the_pages_build_without_a_warning(tmp_path):
    pytest.importorskip("mkdocs", reason="mkdocs comes with the extra dev")
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "mkdocs",
            "build",
            "-q",
            "-f",
            str(ROOT / "docs" / "mkdocs.yml"),
            "--site-dir",
            str(tmp_path / "site"),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    reference = (tmp_path / "site" / "reference" / "audit.html").read_text("utf-8")
    assert "Look for neighbors" in reference
    assert "mechanism: Any" in re.sub(r"<[^>]*>", "", reference)
    pages = [page.read_text("utf-8") for page in (tmp_path / "site").rglob("*.html")]
    assert not [found for page in pages for found in re.findall(r":\w+:<code>.{0,40}", page)]
    assert not [page for page in pages if '<script src="http' in page], (
        "search works from the disk, without a network"
    )
    assert (tmp_path / "site" / "search" / "search_index.js").is_file()
