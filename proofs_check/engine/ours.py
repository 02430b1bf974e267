"""Our own source files: where a module's file lies, what a file is called, and all of them."""

from collections.abc import Iterator
from functools import cache
from importlib import import_module
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


def sources(*floors: str) -> Iterator[Path]:
    """Every Python file of these floors, all by default, in the order of their names."""
    for floor in floors or FLOORS:
        yield from sorted(home(floor).rglob("*.py"))
