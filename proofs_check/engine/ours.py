"""Our own source files: where a module's file lies, what a file is called, and all of them."""

import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

FLOORS = ("spec", "impl", "proofs_check")
"""The folders of a clone, and the packages below ``establish`` that they install as."""


@cache
def home(floor: str) -> Path:
    """The folder of the package ``establish.<floor>``, wherever it is installed."""
    return Path(next(iter(import_module(f"establish.{floor}").__path__)))


@cache
def file_of(module: str) -> Path | None:
    """The source file of a module of ours; None for another module. Nothing of it is imported."""
    top, *parts = module.split(".")
    if top != "establish":
        return None
    if not parts or parts[0] not in FLOORS:
        front = Path(import_module("establish").__file__ or "")
        return front if not parts and front.is_file() else None
    folder = home(parts[0]).joinpath(*parts[1:])
    for file in (folder / "__init__.py", folder.with_suffix(".py")):
        if file.is_file():
            return file
    return None


@cache
def name_of(file: Path) -> str:
    """``file`` as a clone of the project calls it, ``spec/gaussian.py``; its path if it is not ours."""
    for floor in FLOORS:
        if file.is_relative_to(home(floor)):
            return f"{floor}/{file.relative_to(home(floor)).as_posix()}"
    return str(file)


def module_of(file: Path) -> str:
    """The module that a file of ours is: ``establish.spec.gaussian``."""
    parts = name_of(file).removesuffix(".py").removesuffix("/__init__").split("/")
    return ".".join(["establish", *parts])


def path_of(name: str) -> Path:
    """The file that `name_of` calls ``name``."""
    floor, _, rest = name.partition("/")
    return home(floor) / rest if floor in FLOORS else Path(name)


def is_own(module: str) -> bool:
    """Whether a module is neither ours, nor of Python, nor of an installed package: a user's own."""
    top = module.partition(".")[0]
    return top != "establish" and top not in sys.stdlib_module_names and not _is_installed(top)


@cache
def _is_installed(top: str) -> bool:
    """Whether the module comes from a folder that packages are installed into, wherever that lies.

    Such a folder is called site-packages or dist-packages, or holds the record of an installed package:
    a user's site, a folder on PYTHONPATH, and one that a ``.pth`` file names are like the rest.
    """
    try:
        root = find_spec(top)
    except (ImportError, ValueError, AttributeError):
        return False
    if root is None:
        return False
    folders = [Path(folder) for folder in root.submodule_search_locations or ()]
    if root.origin is not None and not folders:
        folders = [Path(root.origin)]
    return not folders or any(_is_shelf(folder.parent) for folder in folders)


def _is_shelf(folder: Path) -> bool:
    return folder.name in ("site-packages", "dist-packages") or any(folder.glob("*.dist-info"))


def sources(*floors: str) -> Iterator[Path]:
    """Every Python file of these floors, all by default, in the order of their names."""
    for floor in floors or FLOORS:
        yield from sorted(home(floor).rglob("*.py"))
