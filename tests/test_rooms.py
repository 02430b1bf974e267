"""The plan of rooms: between what lies side by side in a folder, no arrow of imports runs back."""

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import establish

ROOT = Path(__file__).parents[1]
FOLDERS = ("spec", "impl", "proofs_check")

Modules = Mapping[str, str]
"""Source by dotted name, without the common ``establish.``."""

BACK = {
    "The register names the folder of papers, and no paper: they enter their claims in it.": (
        "proofs_check.engine.register",
        "proofs_check.papers",
    ),
    "A question with roots, exponentials or logarithms loads their kind, which others need not read.": (
        "proofs_check.recheck.forms",
        "proofs_check.recheck.kinds.functions",
    ),
}
"""Who loads by name what imports it, with the reason first: arrows that may run back."""


def modules() -> dict[str, str]:
    found = {}
    for folder in FOLDERS:
        for file in (ROOT / folder).rglob("*.py"):
            parts = file.relative_to(ROOT).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            found[name] = file.read_text("utf-8")
    return found


def imported(text: str, known: Modules) -> Iterator[str]:
    """The modules of ``known`` that ``text`` imports or loads by name anywhere, inside functions too."""
    for node in ast.walk(ast.parse(text)):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            deeper = [f"{base}.{alias.name}" for alias in node.names]
            taken = base == "establish"
            names = [name if taken or name.partition(".")[2] in known else base for name in deeper]
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            names = [named(node.args[0])]
        for name in names:
            top, _, own = name.partition(".")
            own = homes().get(own, own)  # a public name comes from the module that defines it
            if top == "establish" and own in known:
                yield own


def homes() -> Mapping[str, str]:
    """The module of each name that the front door gives."""
    return establish._homes()


def named(argument: ast.expr) -> str:
    """The module that a string names, or the folder whose modules a formatted one does; "" for another."""
    if isinstance(argument, ast.JoinedStr):
        return named(argument.values[0]).rpartition(".")[0]
    return str(argument.value) if isinstance(argument, ast.Constant) else ""


def circles(known: Modules) -> list[str]:
    """One circle of each folder in which the files and folders directly under it have any."""
    arrows: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for name, text in known.items():
        for other in imported(text, known):
            if (name, other) in BACK.values():
                continue
            here, there = name.split("."), other.split(".")
            shared = 0
            while here[shared : shared + 1] == there[shared : shared + 1] != []:
                shared += 1
            if shared < min(len(here), len(there)):  # neither is the folder of the other
                arrows[".".join(here[:shared])][here[shared]].add(there[shared])
    found = []
    for folder, graph in sorted(arrows.items()):
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as error:
            found.append(f"{folder or 'the top'}: {' → '.join(reversed(error.args[1]))}")
    return found


def test_no_folder_holds_a_circle_of_imports():
    known = modules()
    assert len(known) > 300
    assert circles(known) == []


def test_a_circle_between_folders_is_seen_at_its_level_and_inside_functions():
    a = {
        "impl": "",
        "impl.budget": "",
        "impl.budget.laws": "def f():\n    from establish.impl.microdata import rows\n",
        "impl.budget.plan": "",
        "impl.microdata": "",
        "impl.microdata.rows": "",
        "impl.microdata.answers": "import establish.impl.budget.plan\n",
    }
    assert circles(a) == ["impl: budget → microdata → budget"]
    assert circles({**a, "impl.budget.laws": ""}) == []


@pytest.mark.parametrize(
    "loads",
    [
        'import_module("establish.proofs_check.papers.a")',
        'importlib.import_module(f"establish.proofs_check.papers.{source}")',
    ],
)
def test_a_module_or_a_folder_that_is_loaded_by_name_is_an_arrow(loads):
    known = {
        "proofs_check": "",
        "proofs_check.engine": "",
        "proofs_check.engine.runner": "",
        "proofs_check.papers": "",
        "proofs_check.papers.a": "from establish.proofs_check.engine import claim",
    }
    assert circles(known) == []
    (found,) = circles({**known, "proofs_check.engine.runner": loads})
    assert found.startswith("proofs_check: ")


@pytest.mark.parametrize(("loader", "loaded"), BACK.values())
def test_an_arrow_that_may_run_back_is_there(loader, loaded):
    known = modules()
    assert loaded in imported(known[loader], known)


def test_a_circle_between_floors_and_one_between_files_are_seen():
    floors = {
        "spec": "",
        "spec.a": "import establish.impl.b",
        "impl": "",
        "impl.b": "import establish.spec.a",
    }
    assert circles(floors) in (["the top: spec → impl → spec"], ["the top: impl → spec → impl"])
    files = {
        "spec": "",
        "spec.a": "from establish.spec.b import x",
        "spec.b": "from establish.spec import c",
        "spec.c": "from establish.spec.a import y",
    }
    (found,) = circles(files)
    assert found.startswith("spec: ")
    assert found.count("→") == 3


def test_what_comes_through_the_front_door_comes_from_its_own_room():
    a = {"spec": "", "spec.a": "from establish import solver", "proofs_check": "", "proofs_check.engine": ""}
    methods = {"proofs_check.engine.methods": "import establish.spec.a"}
    assert circles({**a, **methods}) in (
        ["the top: spec → proofs_check → spec"],
        ["the top: proofs_check → spec → proofs_check"],
    )


def test_beside_its_init_the_proofs_hold_two_loose_files_at_most():
    loose = {path.name for path in (ROOT / "proofs_check").iterdir() if path.is_file()}
    assert len(loose - {"__init__.py"}) <= 2, loose


def test_what_is_called_takes_nothing_from_files_of_claims():
    """What computes stands in a room of its own: claims rest on it, and commands do."""
    known = modules()
    above = ("proofs_check.api.", "proofs_check.commands.")
    taken = {
        n for n, text in known.items() if n.startswith(above) for o in imported(text, known) if ".papers" in o
    }
    assert taken == set()
