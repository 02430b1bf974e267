"""The one name from which users import: its table, what editors are told, and what is there."""

import ast
import os
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import establish

ROOT = Path(__file__).parents[1]
FOLDERS = ("spec", "impl", "proofs_check")
TOLD = ROOT / "proofs_check" / "front_door" / "__init__.pyi"


def told() -> dict[str, str]:
    """The module that the stub names, by public name."""
    return {
        alias.asname: f"{node.module}"
        for node in ast.parse(TOLD.read_text("utf-8")).body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.asname == alias.name
    }


def table() -> dict[str, str]:
    return {name: f"establish.{home}" for name, home in establish._homes().items()}


def test_editors_are_told_what_the_table_says():
    assert told() == table()
    assert sorted([*told(), "__version__"]) == dir(establish)


def test_all_names_at_once_leave_the_given_of_hypothesis_alone():
    space: dict[str, object] = {}
    exec("from hypothesis import given as kept, given\nfrom establish import *", space)
    assert space["given"] is space["kept"]
    assert set(dir(establish)) - set(establish.__all__) == {"given"}


@pytest.mark.parametrize(
    ("call", "error"),
    [
        ("check('no/such')", "Misuse"),
        ("assert_private(5, dp(1))", "AuditError"),
        ("claim('mine', where='Section 1', says='So.')(lambda: None)", "RegisterError"),
        ("Real('x', above=0, least=0)", "StatementError"),
        ("holds()", "UnsettledError"),
        ("dp(-1)", "ParameterError"),
    ],
)
def test_what_users_catch_is_a_public_name(call, error):
    space: dict[str, object] = {}
    exec("from establish import *", space)
    with pytest.raises(space[error]):
        eval(call, space)


@pytest.mark.parametrize("name", sorted(table()))
def test_a_public_name_is_the_one_of_its_home(name):
    home = import_module(table()[name])
    found = getattr(establish, name)
    if name in vars(home):
        assert found is vars(home)[name]
    else:
        assert found.__name__ == f"{home.__name__}.{name}"


@pytest.mark.parametrize("folder", ["spec", "impl", "proofs_check"])
def test_the_three_folders_hang_on_the_name_too(folder):
    assert establish.__getattr__(folder) is import_module(f"establish.{folder}")


def test_other_names_are_refused_as_of_any_module():
    with pytest.raises(AttributeError, match="module 'establish' has no attribute 'frobnicate'"):
        establish.frobnicate  # noqa: B018


def test_importing_the_front_door_loads_nothing_of_ours_or_heavy():
    script = "import establish, sys; print(*sorted(m for m in sys.modules if '.' not in m))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "establish" in done.stdout.split()
    assert not {"numpy", "sympy", "mpmath", "flint", "z3", "typer"} & set(done.stdout.split())


def test_a_type_checker_finds_definitions_in_a_clone_through_its_folder_of_links(tmp_path):
    """As CONTRIBUTING says, with nothing installed: the checker is given no other place to look."""
    links = ROOT / ".editor"
    if not links.is_dir():
        pytest.skip("not a clone: the folder of links for editors is not here")
    clone = tmp_path / "clone"
    for folder in FOLDERS:
        ignored = shutil.ignore_patterns("__pycache__", "*.json", "*.csv")
        shutil.copytree(ROOT / folder, clone / folder, ignore=ignored)
    shutil.copytree(links, clone / ".editor", symlinks=True)
    mine = tmp_path / "mine.py"
    mine.write_text(
        "from establish import ParameterError\n"
        "from establish.spec.parameters import exact\n"
        'reveal_type(exact("α", "1/10"))\n'
        "reveal_type(ParameterError)\n"
        "exact(1)\n",
        "utf-8",
    )
    parameters = clone / ".editor" / "establish" / "spec" / "parameters.py"
    options = ("--no-incremental", "--no-site-packages", "--follow-imports=skip", "--config-file=")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *options, str(mine), str(parameters)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "MYPYPATH": str(clone / ".editor")},
    )
    assert done.stdout.splitlines() == [
        'mine.py:3: note: Revealed type is "fractions.Fraction"',
        'mine.py:4: note: Revealed type is "def (*args: object) -> establish.spec.parameters.ParameterError"',
        'mine.py:5: error: Missing positional argument "value" in call to "exact"  [call-arg]',
        'mine.py:5: error: Argument 1 to "exact" has incompatible type "int"; expected "str"  [arg-type]',
        "Found 2 errors in 1 file (checked 2 source files)",
    ]
