"""What an object says, as a digest: two functions of one name that differ in a number have two digests.

Numbers, texts and containers count by their content, functions by their code, by what they hold and by what
they read of their own module, and what other modules define by its name. It tells objects of one process
apart; another Python compiles to other code.
"""

from __future__ import annotations

import hashlib
import sys
import types
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import partial
from typing import Any

from establish.proofs_check.engine.statements.lasting import bound, names

PLAIN = (int, float, complex, str, bytes, Fraction, type(None), type(Ellipsis))

SHOWN = 12
"""Of a digest in a text."""


def digest_of(value: Any) -> str:
    """SHA-256 of what an object says."""
    return hashlib.sha256("\x1f".join(_content(value, {})).encode("utf-8", "backslashreplace")).hexdigest()


def named(value: Any) -> str:
    """``spec.mechanisms.laplace.LaplaceMechanism`` for what a module defines under that name; else ""."""
    home, name = getattr(value, "__module__", None), getattr(value, "__qualname__", "")
    if not (isinstance(value, type | types.FunctionType) and home and "<" not in name):
        return ""
    found: Any = sys.modules.get(home)
    for part in name.split("."):
        found = getattr(found, part, None)
    return f"{home}.{name}".removeprefix("establish.") if found is value else ""


def said(value: Any) -> str:
    """The name of a definition of the specification; of any other object its digest."""
    name = named(value)
    return name if name.startswith("spec.") else f"the function {digest_of(value)[:SHOWN]}"


def _content(value: Any, seen: dict[int, tuple[int, Any]]) -> Iterator[str]:
    """seen: what was told, by id; it is held, as another object may be given the id of one that is gone."""
    if isinstance(value, PLAIN) and not isinstance(value, Enum):
        yield f"{type(value).__name__} {value!r}"
    elif id(value) in seen:  # a circle, or what was told before
        yield f"as {seen[id(value)][0]}"
    elif name := _elsewhere(value):
        yield name
    else:
        seen[id(value)] = (len(seen), value)
        yield f"{type(value).__name__}("
        for part in _parts(value):
            yield from _content(part, seen)
        yield ")"


def _elsewhere(value: Any) -> str:
    """The name of what the specification or a library defines."""
    if isinstance(value, types.ModuleType):
        return value.__name__
    name = named(value)
    return "" if name.startswith(("establish_user_", "__main__.")) else name


def _parts(value: Any) -> Iterator[Any]:
    if isinstance(value, Enum):
        yield from (type(value).__qualname__, value.name)
    elif isinstance(value, tuple | list):
        yield from value
    elif isinstance(value, Mapping):
        yield from (part for pair in value.items() for part in pair)
    elif isinstance(value, set | frozenset):
        yield from sorted(map(digest_of, value))
    elif isinstance(value, types.CodeType):
        yield from (value.co_code, value.co_consts, value.co_names, value.co_varnames, value.co_freevars)
    elif isinstance(value, partial):
        yield from (value.func, value.args, value.keywords)
    elif isinstance(value, types.MethodType):
        yield from (value.__func__, value.__self__)
    elif isinstance(value, types.FunctionType):
        yield from _of_function(value)
    elif isinstance(value, type):
        yield from (value.__qualname__, *value.__bases__)
        yield from ((name, f) for name, f in sorted(vars(value).items()) if not name.startswith("__weakref"))
    elif wrapped := getattr(value, "__wrapped__", None):
        yield wrapped
    elif is_dataclass(value):
        yield type(value)
        yield from (getattr(value, field.name) for field in fields(value) if field.compare)
    elif hasattr(value, "__dict__"):
        yield type(value)
        yield from sorted(vars(value).items())
    else:
        yield repr(value)


def _of_function(function: types.FunctionType) -> Iterator[Any]:
    yield from (function.__module__, function.__code__)
    yield from bound(function)
    for name in sorted(names(function.__code__)):
        if name in function.__globals__:
            yield (name, function.__globals__[name])
