"""What a check reads: the definitions of ``spec/`` that its source reaches, and the classes of its statement
objects, found without running it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import establish
from establish.proofs_check.engine.ours import file_of, home, name_of, path_of

STOPS = ("establish.spec.arithmetic", "establish.spec.parameters", "establish.spec.requirements.number_of")
"""What of ``spec/`` says nothing about confidentiality: the worlds, how numbers are read, and wording."""

FOLLOWED = ("establish.spec", "establish.proofs_check.papers", "establish.proofs_check.engine.statements")
"""The packages whose definitions are told or followed."""

_Place = tuple[Path, int]
_Defining = ast.FunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign


@dataclass(frozen=True, order=True)
class Definition:
    """A formula or definition of ``spec/``: its module and name, its file, and the line it begins at."""

    name: str
    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.name}  {self.file}:{self.line}"


@dataclass(frozen=True)
class Reached:
    """From one function: the definitions, the lines (by file) of the functions, and the texts in them."""

    definitions: tuple[Definition, ...]
    functions: frozenset[_Place]
    texts: frozenset[str]

    def to_json(self) -> dict[str, Any]:
        """Lists of texts and numbers, which `from_json` reads."""
        return {
            "definitions": [[one.name, one.file, one.line] for one in self.definitions],
            "functions": sorted([name_of(file), line] for file, line in self.functions),
            "texts": sorted(self.texts),
        }

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Reached:
        """What `to_json` wrote. Raises KeyError or TypeError when ``data`` is something else."""
        definitions = tuple(Definition(*one) for one in data["definitions"])
        functions = frozenset((path_of(name), line) for name, line in data["functions"])
        return Reached(definitions, functions, frozenset(data["texts"]))


@dataclass
class _Module:
    """One file: what it defines at its top, what its imports stand for, and its functions by first line.

    entering: by the name of a function, the loops and calls at the top that enter it for claims.
    """

    defined: dict[str, _Defining] = field(default_factory=dict)
    imported: dict[str, tuple[str, str]] = field(default_factory=dict)
    beginning: dict[int, list[ast.FunctionDef]] = field(default_factory=dict)
    entering: dict[str, list[ast.stmt]] = field(default_factory=dict)


@dataclass(frozen=True)
class _Step:
    """What the text of one definition names: definitions of ``spec/``, helpers to follow, and texts."""

    definitions: set[Definition]
    helpers: list[tuple[Path, _Defining]]
    texts: set[str]


class Reading:
    """Files are read and parsed once for all functions that are asked about."""

    def __init__(self) -> None:
        self._modules: dict[Path, _Module] = {}
        self._steps: dict[_Defining, _Step] = {}

    def reached(self, file: Path, line: int) -> Reached:
        """What the function of ``file`` whose first line, with its decorators, is ``line`` reaches.

        Helpers among the papers and the classes of statements are followed, through imports; definitions of
        ``spec/`` are not. Of a loop that enters the function for claims, what it names is read, but for other
        checks; of a table that a class of statements has by names, what stands under the names in the texts.
        """
        definitions: set[Definition] = set()
        texts: set[str] = set()
        seen: dict[_Defining, Path] = {}
        module = self._read(file)
        waiting: list[tuple[Path, _Defining]] = []
        for function in module.beginning.get(line, ()):
            waiting.append((file, function))
            for loop in module.entering.get(function.name, ()):
                entered = self._step(file, loop)
                definitions |= entered.definitions
                waiting += [helper for helper in entered.helpers if not _is_check(helper[1])]
        tables: list[tuple[Path, ast.Dict]] = []
        while waiting or tables:
            if not waiting:  # all texts are known
                at, table = tables.pop()
                for value in _under(table, texts):
                    named = self._step(at, value)
                    definitions |= named.definitions
                    waiting += named.helpers
                continue
            at, node = waiting.pop()
            if node in seen:
                continue
            seen[node] = at
            if (found := _table(at, node)) is not None:
                tables.append((at, found))
                continue
            if node not in self._steps:
                self._steps[node] = self._step(at, node)
            step = self._steps[node]
            definitions |= step.definitions
            if not _is_of_statements(at):
                texts |= step.texts
            waiting += [helper for helper in step.helpers if helper[1] not in seen]
        functions = frozenset((at, _first_line(node)) for node, at in seen.items())
        return Reached(tuple(sorted(definitions)), functions, frozenset(texts))

    def _step(self, at: Path, node: ast.AST) -> _Step:
        """What one function, class, constant, loop or value names itself."""
        parts = walk(node)
        constants = (part.value for part in parts if isinstance(part, ast.Constant))
        texts = {value for value in constants if isinstance(value, str)}
        definitions: set[Definition] = set()
        helpers: list[tuple[Path, _Defining]] = []
        for module, found, name in self._names(at, parts):
            where = file_of(module) if module else at
            if where is None or module in STOPS or f"{module}.{name}" in STOPS:
                continue
            if module.startswith("establish.spec"):
                qualified = f"{module.removeprefix('establish.')}.{name}"
                definitions.add(Definition(qualified, name_of(where), _first_line(found)))
            else:
                helpers.append((where, found))
        return _Step(definitions, helpers, texts)

    def _read(self, file: Path) -> _Module:
        if file not in self._modules:
            self._modules[file] = _parsed(file.read_text("utf-8"))
        return self._modules[file]

    def _names(self, file: Path, parts: list[ast.AST]) -> Iterator[tuple[str, _Defining, str]]:
        """What the names in ``parts`` stand for: module ("" for this file), definition, its name there."""
        own = {**self._read(file).imported, **_imports(parts)}
        inside = _bound(parts)
        for part in parts:
            if isinstance(part, ast.Name) and part.id not in inside:
                if part.id in own:
                    yield from self._resolved(*own[part.id])
                elif part.id in self._read(file).defined:
                    yield "", self._read(file).defined[part.id], part.id
            elif isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
                source, name = own.get(part.value.id, ("", ""))
                module = f"{source}.{name}" if name else source
                if module and file_of(module):
                    yield from self._resolved(module, part.attr)

    def _resolved(self, module: str, name: str) -> Iterator[tuple[str, _Defining, str]]:
        """The definition of ``module.name`` where it is written, through what passes it on: the front door
        and packages.
        """
        if module == "establish":
            home = establish._homes().get(name)
            module = f"establish.{home}" if home else module
        if not module.startswith(FOLLOWED):
            return
        file = file_of(module)
        if file is None:
            return
        found = self._read(file)
        if name in found.defined:
            yield module, found.defined[name], name
        elif name in found.imported:
            yield from self._resolved(*found.imported[name])


@cache
def _parsed(text: str) -> _Module:
    """The module of this text."""
    tree, module = ast.parse(text), _Module()
    for node in tree.body:
        for name in _defines(node):
            assert isinstance(node, _Defining)
            module.defined[name] = node
    for node in tree.body:
        if isinstance(node, ast.For | ast.Expr):
            named = [part for part in walk(node) if isinstance(part, ast.Name | ast.FunctionDef)]
            for name in {part.id if isinstance(part, ast.Name) else part.name for part in named}:
                module.entering.setdefault(name, []).append(node)
    parts = walk(tree)
    module.imported.update(_imports(parts))
    for part in parts:
        if isinstance(part, ast.FunctionDef):
            module.beginning.setdefault(_first_line(part), []).append(part)
    return module


def walk(node: ast.AST) -> list[ast.AST]:
    """The node and all below it but operators and contexts, as ``ast.walk`` orders them, in half the time."""
    found = [node]
    for part in found:
        for name in part._fields:
            below = getattr(part, name, None)
            if isinstance(below, list):
                found += [each for each in below if isinstance(each, ast.AST)]
            elif isinstance(below, ast.AST) and below._fields:
                found.append(below)
    return found


@cache
def _is_of_statements(file: Path) -> bool:
    return home("proofs_check") / "engine" / "statements" in file.parents


@cache
def _table(file: Path, node: _Defining) -> ast.Dict | None:
    """The table by names that a constant of the modules of statements is."""
    value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
    if not (_is_of_statements(file) and isinstance(value, ast.Dict)):
        return None
    names = [key.value for key in value.keys if isinstance(key, ast.Constant)]
    by_names = len(names) == len(value.keys) and all(isinstance(name, str) for name in names)
    return value if by_names else None


def _under(table: ast.Dict, texts: set[str]) -> list[ast.expr]:
    """What a table has under the names that are among ``texts``."""
    return [
        value
        for key, value in zip(table.keys, table.values, strict=True)
        if isinstance(key, ast.Constant) and key.value in texts
    ]


def _is_check(node: _Defining) -> bool:
    """Whether it is a function that returns a verdict."""
    returns = node.returns if isinstance(node, ast.FunctionDef) else None
    return isinstance(returns, ast.Name) and returns.id == "Verdict"


@cache
def _first_line(node: _Defining) -> int:
    """As the compiled function says it: the line of the first decorator, if there is one."""
    decorators = node.decorator_list if isinstance(node, ast.FunctionDef | ast.ClassDef) else ()
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def _defines(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else []
    if isinstance(node, ast.AnnAssign):
        targets = [node.target]
    return [n.id for target in targets for n in ast.walk(target) if isinstance(n, ast.Name)]


def _imports(parts: Iterable[ast.AST]) -> dict[str, tuple[str, str]]:
    """Name → (module, name there) for what is taken from our modules; "" for a module itself."""
    found: dict[str, tuple[str, str]] = {}
    for part in parts:
        if isinstance(part, ast.ImportFrom) and (part.module or "").startswith("establish"):
            for alias in part.names:
                found[alias.asname or alias.name] = (str(part.module), alias.name)
        elif isinstance(part, ast.Import):
            for alias in part.names:
                if alias.name.startswith("establish.") and alias.asname:
                    found[alias.asname] = (alias.name, "")
    return found


def _bound(parts: list[ast.AST]) -> set[str]:
    """The names that a function, which comes first, binds itself: they hide those of its module."""
    if not isinstance(parts[0], ast.FunctionDef):
        return set()
    names = {part.arg for part in parts if isinstance(part, ast.arg)}
    return names | {n.id for n in parts if isinstance(n, ast.Name) and not _is_read(n)}


def _is_read(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Load)
