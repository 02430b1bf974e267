"""Packages whose names are loaded when they are first used."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any


def loader(package: str) -> Callable[[str], Any]:
    """The ``__getattr__`` of a package: it has the names that it imports from modules of its own below
    TYPE_CHECKING. So they stand once, and type checkers read the same lines.
    """

    @cache
    def homes() -> dict[str, str]:
        text = Path(sys.modules[package].__file__ or "").read_text("utf-8")
        lines = ast.walk(ast.parse(text))
        imports = [line for line in lines if isinstance(line, ast.ImportFrom)]
        return {
            alias.name: line.module
            for line in imports
            if line.module and line.module.startswith(f"{package}.")
            for alias in line.names
        }

    def load(name: str) -> Any:
        if name not in homes():
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(homes()[name]), name)

    return load
