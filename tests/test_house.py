"""The house rules that a machine can check: who imports whom, what is packaged, what is named."""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import establish
from establish.proofs_check.engine.extras import EXTRAS, how_to_install, library_of
from establish.proofs_check.engine.fingerprint import LIBRARIES
from establish.proofs_check.engine.ours import home
from establish.proofs_check.engine.register import claims

ROOT = Path(__file__).parents[1]
FOLDERS = ("spec", "impl", "proofs_check")
HIGH_PRECISION = ("flint", "mpmath", "sympy", "z3")
HOMES = establish._homes()


@cache
def imports(text: str) -> frozenset[str]:
    """Absolute names that Python source imports anywhere: modules, and what is taken from them, also
    through the front door.
    """
    names: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports would escape these tests"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
            if node.module == "establish":
                taken = [alias.name for alias in node.names]
                names |= {f"establish.{home}.{name}" for name, home in HOMES.items() if name in taken}
    return frozenset(names)


def forbidden(names: frozenset[str], roots: tuple[str, ...]) -> list[str]:
    return sorted(name for name in names if any(f"{name}.".startswith(f"{r}.") for r in roots))


def offenders(folder: str, roots: tuple[str, ...]) -> Iterator[str]:
    files = sorted((ROOT / folder).rglob("*.py"))
    assert files, f"{folder} holds no Python file"
    for file in files:
        for name in forbidden(imports(file.read_text("utf-8")), roots):
            yield f"{file.relative_to(ROOT)} imports {name}"


def test_an_import_inside_a_function_is_seen():
    text = "def f():\n    import numpy.random\n    from establish.impl import mechanisms\n"
    assert imports(text) == {"numpy.random", "establish.impl.mechanisms"}
    assert forbidden(imports(text), ("numpy", "establish.impl")) == [
        "establish.impl.mechanisms",
        "numpy.random",
    ]
    assert forbidden(imports("from establish import solver"), ("establish.proofs_check",)) != []
    assert forbidden(frozenset({"numpydoc", "establish.implicit"}), ("numpy", "establish.impl")) == []


def test_spec_imports_nothing_of_ours_above_it_and_no_numpy():
    roots = ("establish.impl", "establish.proofs_check", "numpy", "scipy")
    assert list(offenders("spec", roots)) == []


def test_impl_does_not_import_the_proofs():
    assert list(offenders("impl", ("establish.proofs_check",))) == []


def test_running_mechanisms_do_not_import_high_precision_libraries():
    assert list(offenders("impl/mechanisms", HIGH_PRECISION)) == []


def test_ours_is_imported_by_its_full_name_only():
    roots = (*FOLDERS, *(f"establish_{folder}" for folder in FOLDERS))
    assert [line for folder in (*FOLDERS, "tests") for line in offenders(folder, roots)] == []
    assert [folder for folder in FOLDERS if folder in sys.modules] == []


FRONT_DOOR = "proofs_check/front_door"
"""The folder that is installed as ``establish`` itself."""


def inits(folder: Path) -> set[Path]:
    """The folders below it with an init file, but for what is installed as ``establish`` itself."""
    found = {init.parent.relative_to(folder) for init in folder.rglob("__init__.py")}
    return found - {Path("front_door")}


def test_every_folder_with_an_init_is_installed_under_its_name():
    for folder in FOLDERS:
        assert inits(home(folder)) == inits(ROOT / folder), folder
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]
    assert settings["package-dir"] == {
        "establish": FRONT_DOOR,
        **{f"establish.{folder}": folder for folder in FOLDERS},
    }


def test_the_folder_of_links_leads_editors_to_the_files_of_the_clone():
    links = ROOT / ".editor" / "establish"
    if not links.is_dir():
        pytest.skip("not a clone: the folder of links for editors is not here")
    found = {link.name: link.resolve() for link in links.iterdir() if link.name != "__pycache__"}
    door = {path.name: path for path in (ROOT / FRONT_DOOR).iterdir() if path.is_file()}
    assert found == {**{folder: ROOT / folder for folder in FOLDERS}, **door}
    assert all(link.is_symlink() for link in links.iterdir() if link.name != "__pycache__")


TOP = {
    *("spec", "impl", "proofs_check", "tests", "docs"),
    *("CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "LICENSE", "Makefile", "README.md", "SECURITY.md"),
    *("pyproject.toml", "setup.py"),
}
"""What stands at the top of the project, beside files that begin with a dot."""


def test_nothing_else_stands_at_the_top():
    command = ["git", "-C", str(ROOT), "ls-files"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    if found.returncode:
        pytest.skip("no clone")
    assert {name.partition("/")[0] for name in found.stdout.splitlines() if name[0] != "."} == TOP


def test_every_folder_of_code_is_a_package():
    bare = {
        file.parent.relative_to(ROOT)
        for folder in FOLDERS
        for file in (ROOT / folder).rglob("*.py")
        if not (file.parent / "__init__.py").is_file()
    }
    assert bare == set()


def project_files() -> list[Path]:
    """The files under version control, and those that would be added to it."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"not a git checkout, so its files are not known: {error}")
    return [ROOT / name for name in done.stdout.split("\0") if name and (ROOT / name).is_file()]


HOSTS = re.compile(r"p[y]pi\.org|p[y]thonhosted\.org|n[p]mjs\.(?:org|com)|deb\.d[e]bian\.org")
MACHINE = re.compile(r"(?:^|[^A-Za-z0-9_.])/(?:work|farm|root|tmp|home|Users)/", re.MULTILINE)


def test_machine_paths_and_hosts_are_recognized():
    assert HOSTS.search("https://" + "pypi" + ".org/simple")
    assert MACHINE.search('open("/' + 'work/main/x")')
    assert not MACHINE.search("../shared/work/x and framework/work/")


def test_no_file_names_a_package_registry_or_a_path_of_one_machine():
    found = []
    for file in project_files():
        text = file.read_bytes().decode("utf-8", errors="ignore")
        for pattern in (HOSTS, MACHINE):
            found += [f"{file.relative_to(ROOT)}: {hit[0].strip()}" for hit in pattern.finditer(text)]
    assert found == []


# Distributions whose modules have another name, as their documentation gives them.
MODULE_OF = {"python-flint": "flint", "z3-solver": "z3"}


UNUSED = {"highspy"}
"""Declared, and imported by name only: HiGHS where it is there."""


def distributions(requirements: list[str]) -> set[str]:
    """The names of distributions other than ours."""
    return {re.split(r"[<>=~!;\[ ]", line)[0] for line in requirements} - {"establish"}


def declared(*extras: str) -> set[str]:
    """The modules that the base and these extras bring."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    named = [*project["dependencies"]]
    for extra in extras:
        named += project["optional-dependencies"][extra]
    return {MODULE_OF.get(name, name) for name in distributions(named)}


FOR_DEVELOPERS = {"dev", "peers"}
"""The extras whose libraries the package itself never imports."""


def extras_of_users() -> set[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return set(project["optional-dependencies"]) - FOR_DEVELOPERS


def test_every_dependency_is_used_and_every_library_used_is_declared():
    used = {
        name.partition(".")[0]
        for folder in FOLDERS
        for file in (ROOT / folder).rglob("*.py")
        for name in imports(file.read_text("utf-8"))
    }
    needed = declared(*extras_of_users()) - UNUSED
    assert used - sys.stdlib_module_names - {"establish"} == needed


def test_every_library_of_an_extra_is_named_with_its_extra():
    for extra in extras_of_users():
        own = declared(extra) - declared()
        assert own, extra
        assert all(extra == EXTRAS[library] for library in own), extra


def test_a_library_that_is_not_installed_is_told_with_the_extra_that_brings_it():
    missing = ModuleNotFoundError("No module named 'duckdb'", name="duckdb")
    assert how_to_install(library_of(missing)) == "pip install '.[release]'"
    assert library_of(ModuleNotFoundError(name="establish.spec.none")) == ""
    assert library_of(ModuleNotFoundError(name="sympy.none")) == ""
    assert how_to_install("sympy") == "pip install 'sympy'"


WITHOUT_EXTRAS = """
import importlib, sys
for library in {libraries}:
    sys.modules[library] = None
import establish
for name in establish.__all__:
    getattr(establish, name)
importlib.import_module("establish.proofs_check.audit.selftest")
importlib.import_module("establish.impl.mechanisms")
(record,) = establish.check("haney2017/def-2.1-sql", jobs=1)
print(len(importlib.import_module("establish.proofs_check.engine.register").claims()))
print(record.verdict, "|", record.condition)
from establish.proofs_check.commands.cli import main
main(["check", "haney2017/def-2.1*", "--jobs", "1"])
"""


@pytest.mark.small_campaign
def test_without_extras_all_claims_are_known_and_one_that_needs_a_library_is_not_run(
    kept_index, tmp_path, monkeypatch
):
    shutil.copy(kept_index, tmp_path)
    monkeypatch.setenv("ESTABLISH_CACHE", str(tmp_path))
    missing = sorted(declared(*extras_of_users()) - declared())
    assert {"duckdb", "pyarrow"} <= set(missing) <= EXTRAS.keys()
    code = WITHOUT_EXTRAS.format(libraries=missing)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    known, settled, *printed = done.stdout.splitlines()
    assert int(known) == len(claims())
    reason = "duckdb is not installed: pip install '.[release]'"
    assert settled == f"not_run | {reason}"
    assert f"1 not run, because {reason} (haney2017/def-2.1-sql)" in printed
    assert not any("Differences" in line for line in printed)


def test_results_are_cached_by_the_versions_of_libraries_that_are_dependencies():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    named = [*project["dependencies"], *project["optional-dependencies"]["release"]]
    assert set(LIBRARIES) <= distributions(named)
    assert {"mpmath", "python-flint", "sympy", "z3-solver"} <= set(LIBRARIES)
