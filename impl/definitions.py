"""What a source file of ours defines, name by name: a digest of what each definition says, and what it names.

A definition is a function, a class or a constant at the top of a file. Its digest is over its syntax,
without comments, docstrings and layout, and over what the names in it stand for. What runs when a file is
imported and is none of these stands under the name of the file alone. Versions of Python agree on a digest:
fields that a version has and leaves empty are left out.
"""

from __future__ import annotations

import ast
import hashlib
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.util import resolve_name
from pathlib import Path

FLOORS = ("spec", "impl", "proofs_check")

ALL = "*"
"""In place of a name: everything that a module defines."""

_WITHOUT_MEANING = ("ctx", "kind", "type_comment", "type_ignores", "type_params")

Named = tuple[str, str]
"""A module, and a name in it; empty for the module."""


@dataclass(frozen=True)
class Definition:
    """digest: sha256. names: what it uses of ours, as `node_of` calls it."""

    digest: str
    names: tuple[str, ...]


def path_of(source: str) -> Path:
    """Where the installed file called ``source``, such as ``impl/counts.py``, lies."""
    floor, _, rest = source.partition("/")
    return Path(str(files(f"establish.{floor}"))) / rest


def digest_of(source: str) -> str:
    """sha256 of that file; empty when there is none."""
    try:
        return hashlib.sha256(path_of(source).read_bytes()).hexdigest()
    except (OSError, ValueError, ImportError):  # also for what is no file name, or no folder of ours
        return ""


@cache
def source_of(module: str) -> str:
    """The name of a module's file; empty for one that is not ours."""
    top, _, rest = module.partition(".")
    if top != "establish" or rest.partition(".")[0] not in FLOORS:
        return ""
    stem = rest.replace(".", "/")
    tried = (f"{stem}/__init__.py", *([f"{stem}.py"] if "/" in stem else []))
    return next((source for source in tried if path_of(source).is_file()), "")


def node_of(module: str, name: str) -> str:
    """``impl/counts.py expanded`` for a name in a module of ours, ``impl/counts.py *`` for a whole module,
    the file alone for what runs when it is imported; empty for what is not ours.
    """
    if name not in ("", ALL) and (whole := source_of(f"{module}.{name}")):
        return f"{whole} {ALL}"
    source = source_of(module)
    return f"{source} {name}".rstrip() if source else ""


def defined(source: str) -> Mapping[str, Definition]:
    """What the file ``source`` defines, by name; under the empty name what else runs when it is imported, and
    under ALL the names that it defines itself.

    Empty where there is no such file, or it is not Python.
    """
    try:
        return _defined(path_of(source).read_bytes(), source)
    except (OSError, ValueError, ImportError, SyntaxError):
        return {}


@cache
def _defined(content: bytes | str, source: str) -> Mapping[str, Definition]:
    tree = ast.parse(content)  # bytes, so that a first line that names an encoding counts, as in an import
    package = f"establish.{source}".rpartition("/")[0].replace("/", ".")
    for part in ast.walk(tree):
        if isinstance(part, ast.ImportFrom) and part.level:
            part.module, part.level = resolve_name("." * part.level + (part.module or ""), package), 0
    return _File(tree, source).definitions()


class _File:
    """One file. bound: what imported names stand for. own: the statements that define each name. rest: the
    statements that run besides.
    """

    def __init__(self, tree: ast.Module, source: str) -> None:
        self.module = "establish." + source.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        self.bound: dict[str, Named] = {}
        self.own: dict[str, list[ast.stmt]] = {}
        self.rest: list[ast.stmt] = []
        self.imported: set[str] = set()
        for statement in tree.body:
            self._read(statement)

    def _read(self, statement: ast.stmt) -> None:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            self.bound |= _imports(statement)
            self.imported |= {_module(named) or named[0] for named in _imports(statement).values()}
        elif isinstance(statement, ast.If) and getattr(statement.test, "id", "") == "TYPE_CHECKING":
            for each in statement.body:
                if isinstance(each, ast.Import | ast.ImportFrom):
                    self.bound |= _imports(each)
        elif names := _defines(statement):
            for name in names:
                self.own.setdefault(name, []).append(statement)
        elif not _is_text(statement):
            self.rest.append(statement)

    def definitions(self) -> dict[str, Definition]:
        found = {name: self._definition(statements) for name, statements in self.own.items()}
        for name, (module, of) in self.bound.items():
            if name not in found and (node := node_of(module, of or ALL)):
                found[name] = Definition(_hashed([f"{module} {of}"]), (node,))
        registered = [s for lines in self.own.values() for s in lines if self._is_registered(s)]
        rest = self._definition([*self.rest, *registered])
        others = {m for m in self.imported if m.partition(".")[0] not in sys.stdlib_module_names}
        imports = sorted({source_of(module) for module in others} - {""})
        bound = {name for statement in self.rest for name in _stored(statement)} - found.keys()
        told = _hashed([rest.digest, *sorted(others)])
        whole = tuple(sorted(node_of(self.module, name) for name in self.own))
        return {
            **found,
            **{name: Definition(told, ()) for name in bound},
            "": Definition(told, tuple(dict.fromkeys([*rest.names, *imports]))),
            ALL: Definition(_hashed(whole), whole),
        }

    def _is_registered(self, statement: ast.stmt) -> bool:
        """Whether a decorator of ours sees it, or a call of ours made it, which may keep it in a table."""
        seeing = [part for each in _called(statement) for part in ast.walk(each)]
        names = {part.id for part in seeing if isinstance(part, ast.Name)}
        return any(name in self.own or source_of(self.bound.get(name, ("", ""))[0]) for name in names)

    def _definition(self, statements: Iterable[ast.stmt]) -> Definition:
        told: list[str] = []
        names: dict[Named, None] = {}
        for statement in statements:
            told += _told(statement)
            parts = list(ast.walk(statement))
            inside = [_imports(part) for part in parts if isinstance(part, ast.Import | ast.ImportFrom)]
            known = {**self.bound, **{name: named for each in inside for name, named in each.items()}}
            bases = {id(p.value) for p in parts if isinstance(p, ast.Attribute)}
            for part in parts:
                if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
                    module = _module(known.get(part.value.id, ("", "")))
                    if module:
                        names[module, part.attr] = None
                elif isinstance(part, ast.Name) and part.id in known:
                    module = _module(known[part.id])
                    if not module:
                        names[known[part.id]] = None
                    elif id(part) not in bases:
                        names[module, ALL] = None
                elif isinstance(part, ast.Name) and part.id in self.own:
                    names[self.module, part.id] = None
            used = {part.id for part in parts if isinstance(part, ast.Name)}
            told += [f"{name} is {' '.join(known[name])}" for name in sorted(used & known.keys())]
            told += sorted(used & self.own.keys())
        return Definition(_hashed(told), tuple(sorted({node_of(*named) for named in names} - {""})))


def _hashed(parts: Iterable[str]) -> str:
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "backslashreplace")).hexdigest()


def _module(named: Named) -> str:
    """The module of ours that a name stands for; empty where it stands for something else."""
    module, name = named
    whole = f"{module}.{name}" if name else module
    return whole if source_of(whole) else ""


def _imports(statement: ast.Import | ast.ImportFrom) -> dict[str, Named]:
    """What each name that a line imports stands for."""
    if isinstance(statement, ast.ImportFrom):
        return {a.asname or a.name: (statement.module or ".", a.name) for a in statement.names}
    return {a.asname or a.name.partition(".")[0]: (a.name, "") for a in statement.names}


def _defines(statement: ast.stmt) -> list[str]:
    """The names that a function, a class or a constant at the top of a file has."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [statement.name]
    targets: list[ast.expr] = []
    if isinstance(statement, ast.Assign):
        targets = [t for each in statement.targets for t in getattr(each, "elts", [each])]
    elif isinstance(statement, ast.AnnAssign):
        targets = [statement.target]
    names = [target.id for target in targets if isinstance(target, ast.Name)]
    return names if len(names) == len(targets) and "_" not in names else []


def _called(statement: ast.stmt) -> Iterator[ast.expr]:
    """What a definition calls when its file is imported: decorators, and what makes a constant."""
    yield from getattr(statement, "decorator_list", ())
    if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
        yield from (part.func for part in ast.walk(statement.value) if isinstance(part, ast.Call))


def _stored(statement: ast.stmt) -> set[str]:
    parts = ast.walk(statement)
    return {p.id for p in parts if isinstance(p, ast.Name) and isinstance(p.ctx, ast.Store)}


def _is_text(statement: object) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _told(node: object) -> Iterator[str]:
    """The syntax of a statement, part by part, without texts that stand for themselves."""
    if isinstance(node, ast.AST):
        yield type(node).__name__
        for name in sorted(node._fields):
            below = getattr(node, name, None)
            if below is not None and below != [] and name not in _WITHOUT_MEANING:
                yield name
                yield from _told(below)
        yield "."
    elif isinstance(node, list):
        for each in node:
            if not _is_text(each):
                yield from _told(each)
    else:
        yield f"{type(node).__name__} {node!r}"
