"""What a user installs: the wheel holds every module and data file, and works on its own."""

import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("spec", "impl", "proofs_check")
ALSO = ("pyproject.toml", "setup.py", "README.md", "LICENSE")


def run(*command: str, cwd: Path, **environment: str) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, env={**os.environ, **environment})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy so that nothing is left in the checkout."""
    sources = tmp_path_factory.mktemp("sources")
    for folder in FOLDERS:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / folder, sources / folder, ignore=ignored)
    for name in ALSO:
        shutil.copy(ROOT / name, sources / name)
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", cwd=sources)
    (built,) = (sources / "dist").glob("establish-*.whl")
    return built


FRONT_DOOR = "proofs_check/front_door/"
"""What lies here is installed as ``establish`` itself."""


SUFFIXES = (".py", ".pyi", ".csv", ".gz", ".toml", ".json", ".v", ".html", ".css", ".js", ".seal")


def expected() -> set[str]:
    """Every module, stub, table, seal and template of the three folders, under the import name."""
    return {
        f"establish/{file.relative_to(ROOT).as_posix().removeprefix(FRONT_DOOR)}"
        for folder in FOLDERS
        for file in (ROOT / folder).rglob("*")
        if file.suffix in SUFFIXES or file.name == "py.typed"
    }


@pytest.mark.small_campaign
def test_the_wheel_holds_every_file_and_nothing_else(wheel):
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert held == expected()
    assert {f"establish/{folder}/py.typed" for folder in FOLDERS} <= held
    assert "establish/proofs_check/ledger.csv" in held


@pytest.mark.small_campaign
def test_the_wheel_carries_the_license_and_the_command(wheel):
    with zipfile.ZipFile(wheel) as archive:
        info = {n.partition(".dist-info/")[2]: n for n in archive.namelist() if ".dist-info/" in n}
        assert archive.read(info["licenses/LICENSE"]) == (ROOT / "LICENSE").read_bytes()
        commands = archive.read(info["entry_points.txt"]).decode()
    assert "establish = establish.proofs_check.commands.cli:main" in commands


@pytest.mark.small_campaign
def test_the_installed_wheel_imports_and_runs_from_its_own_files(wheel, tmp_path):
    target = tmp_path / "installed"
    install = (sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--quiet")
    run(*install, "--no-deps", "--target", str(target), str(wheel), cwd=tmp_path)
    places = run(
        sys.executable,
        "-c",
        "import establish, establish.spec, establish.impl, establish.proofs_check.commands.cli as cli\n"
        "print(*(m.__file__ for m in (establish, establish.spec, establish.impl, cli)), sep='\\n')",
        cwd=tmp_path,
        PYTHONPATH=str(target),
    ).split()
    assert [Path(place).is_relative_to(target) for place in places] == [True] * 4
    said = run(sys.executable, *("-m", "establish", "--version"), cwd=tmp_path, PYTHONPATH=str(target))
    assert said.splitlines()[0].split() == ["establish", wheel.name.split("-")[1]]


def test_there_is_one_version_number():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    cited = re.findall(r"^version: (.*)$", (ROOT / "CITATION.cff").read_text("utf-8"), re.MULTILINE)
    headings = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert cited == [project["version"]]
    assert headings[0] == project["version"]
    assert importlib.metadata.version("establish") == project["version"]
