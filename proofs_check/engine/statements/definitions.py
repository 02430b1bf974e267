"""The definitions behind a statement: every function and class that its formulas reach, each with a digest.

Digests are of the syntax tree without docstrings, so that neither the layout of a file nor the version of
Python changes them.
"""

import ast
import hashlib
import inspect
import sys
import types
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache, partial
from typing import Any

from establish.proofs_check.engine.statements.lasting import bound, names
from establish.proofs_check.engine.statements.statement import Statement

FOLLOWED = ("establish.spec", "establish.proofs_check.papers")
STOPS = ("establish.spec.arithmetic", "establish.spec.parameters")
"""The worlds and how numbers are read: what of them a statement uses is not told apart."""

PLAIN = (int, str, bytes, Fraction, type(None))


def definitions_behind(values: Iterable[Any]) -> Mapping[str, str]:
    """By name, the digests of the definitions that formulas, classes and statements reach; of several of one
    name, as lambdas are, a digest of all.
    """
    found: dict[str, set[str]] = {}
    seen: set[int] = set()
    waiting = list(values)
    kept = list(waiting)  # so that no id is used twice
    while waiting:
        value = waiting.pop()
        if id(value) in seen or isinstance(value, PLAIN):
            continue
        seen.add(id(value))
        kept.append(value)
        if isinstance(value, types.FunctionType | type):
            if not value.__module__.startswith(FOLLOWED) or value.__module__.startswith(STOPS):
                continue
            name = f"{value.__module__}.{value.__qualname__}".removeprefix("establish.")
            if digests := _digests(value):
                found.setdefault(name, set()).update(digests)
        waiting += _below(value)
    return {name: _hashed(" ".join(sorted(digests))) for name, digests in sorted(found.items())}


def _hashed(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _below(value: Any) -> Iterator[Any]:
    """What a value holds or names."""
    if isinstance(value, types.FunctionType):
        yield from (held for _, held in bound(value))
        yield from _named(value)
    elif isinstance(value, type):
        yield from value.__bases__
        yield from vars(value).values()
    elif isinstance(value, Statement):
        yield from (*value.formulas, *value.defines, *vars(value).values())
    elif isinstance(value, partial):
        yield from (value.func, *value.args, *value.keywords.values())
    elif isinstance(value, property):
        yield from (value.fget, value.fset)
    elif isinstance(value, types.MethodType):
        yield from (value.__func__, value.__self__)
    elif isinstance(value, staticmethod | classmethod) or hasattr(value, "__wrapped__"):
        yield value.__wrapped__
    elif hasattr(value, "func"):  # a cached property
        yield value.func
    elif isinstance(value, tuple | list | set | frozenset):
        yield from value
    elif isinstance(value, Mapping):
        yield from value.values()


def _named(function: types.FunctionType) -> Iterator[Any]:
    """What the names in a function stand for in its module, and in modules that it names."""
    used = names(function.__code__)
    for name in sorted(used & function.__globals__.keys()):
        value = function.__globals__[name]
        if isinstance(value, types.ModuleType):
            if value.__name__.startswith(FOLLOWED):
                yield from (vars(value)[each] for each in sorted(used & vars(value).keys()))
        else:
            yield value


def _digests(value: Any) -> list[str]:
    """Of the definitions that begin on the line of a function: of two lambdas in one line both."""
    try:
        file = inspect.getfile(value)
        code = getattr(value, "__code__", None)
        line = code.co_firstlineno if code else _line_of(value)
    except (OSError, TypeError):  # made by a program
        return []
    if file != getattr(sys.modules.get(value.__module__), "__file__", ""):  # as dataclasses make theirs
        return []
    return sorted(_by_line(file).get(line, []))


@cache
def _line_of(kind: type) -> int:
    """The first line of a class. Raises OSError and TypeError for one that no file has."""
    return inspect.getsourcelines(kind)[1] or 1


@cache
def _by_line(file: str) -> Mapping[int, list[str]]:
    """The digests of the functions, lambdas and classes of a file, by their first line."""
    found: dict[int, list[str]] = {}
    try:
        with open(file, encoding="utf-8") as text:
            tree = ast.parse(text.read())
    except (OSError, SyntaxError):
        return found
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Lambda):
            first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
            found.setdefault(first, []).append(_digest(node))
    return found


def _digest(node: ast.AST) -> str:
    """A class counts by its own lines; its methods are reached by themselves."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
        if isinstance(node, ast.ClassDef):
            body = [line for line in body if not isinstance(line, ast.FunctionDef)]
            node = ast.ClassDef(node.name, node.bases, node.keywords, body, node.decorator_list)
        else:
            node = ast.FunctionDef(node.name, node.args, body, node.decorator_list, None)
    return _hashed(dumped(node))


def dumped(node: Any) -> str:
    """The tree as text, the same in every version of Python: fields that are empty are left out."""
    if isinstance(node, ast.AST):
        fields = ((name, getattr(node, name, None)) for name in node._fields if name not in _SILENT)
        inner = ", ".join(f"{name}={dumped(v)}" for name, v in fields if v not in (None, []))
        return f"{type(node).__name__}({inner})"
    if isinstance(node, list):
        return f"[{', '.join(map(dumped, node))}]"
    return repr(node)


_SILENT = {"ctx", "kind", "type_comment", "returns", "annotation", "type_params"}
