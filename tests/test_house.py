"""The house rules that a machine can check: who imports whom, what is packaged, what is named."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from establish.proofs_check.engine.fingerprint import LIBRARIES

ROOT = Path(__file__).parents[1]
FOLDERS = ("spec", "impl", "proofs_check")
HIGH_PRECISION = ("flint", "mpmath", "sympy", "z3")


@cache
def imports(text: str) -> frozenset[str]:
    """Absolute names that Python source imports anywhere: modules, and what is taken from them."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports would escape these tests"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
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
    assert (
        forbidden(frozenset({"numpydoc", "establish.implicit"}), ("numpy", "establish.impl")) == []
    )


def test_spec_imports_nothing_of_ours_above_it_and_no_numpy():
    roots = ("establish.impl", "establish.proofs_check", "numpy", "scipy")
    assert list(offenders("spec", roots)) == []


def test_impl_does_not_import_the_proofs():
    assert list(offenders("impl", ("establish.proofs_check",))) == []


def test_running_mechanisms_do_not_import_high_precision_libraries():
    assert list(offenders("impl/mechanisms", HIGH_PRECISION)) == []


def test_ours_is_imported_by_its_full_name_only():
    roots = (*FOLDERS, *(f"establish_{folder}" for folder in FOLDERS))
    found = [line for folder in (*FOLDERS, "tests") for line in offenders(folder, roots)]
    assert found == []
    assert [folder for folder in FOLDERS if folder in sys.modules] == []


def test_the_packages_of_the_project_are_the_folders_with_an_init():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    found = {
        ".".join(("establish", *init.parent.relative_to(ROOT).parts))
        for folder in FOLDERS
        for init in (ROOT / folder).rglob("__init__.py")
    }
    front_door = project["tool"]["setuptools"]["package-dir"]["establish"].replace("/", ".")
    found = (found - {f"establish.{front_door}"}) | {"establish"}
    assert set(project["tool"]["setuptools"]["packages"]) == found


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


HOSTS = re.compile(r"pypi\.org|pythonhosted\.org|npmjs\.(?:org|com)|deb\.debian\.org")
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
            found += [
                f"{file.relative_to(ROOT)}: {hit[0].strip()}" for hit in pattern.finditer(text)
            ]
    assert found == []


# Distributions whose modules have another name, as their documentation gives them.
MODULE_OF = {"ibis-framework": "ibis", "python-flint": "flint", "z3-solver": "z3"}


def test_every_dependency_is_used_and_every_library_used_is_declared():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    names = [re.split(r"[<>=~!;\[ ]", line)[0] for line in project["dependencies"]]
    declared = {MODULE_OF.get(name, name) for name in names}
    used = {
        name.partition(".")[0]
        for folder in FOLDERS
        for file in (ROOT / folder).rglob("*.py")
        for name in imports(file.read_text("utf-8"))
    }
    assert used - sys.stdlib_module_names - {"establish"} == declared


def test_results_are_cached_by_the_versions_of_libraries_that_are_dependencies():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    names = {re.split(r"[<>=~!;\[ ]", line)[0] for line in project["dependencies"]}
    assert set(LIBRARIES) <= names
    assert {"mpmath", "python-flint", "sympy", "z3-solver"} <= set(LIBRARIES)
