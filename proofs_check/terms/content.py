"""What an object says, as bytes: two with the same digest say the same, whatever they are called."""

from __future__ import annotations

import hashlib
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import partial
from typing import Any

from establish.proofs_check.terms.formula import Tree

PLAIN = (int, str, bytes, float, Fraction, complex, type(None), type(Ellipsis))


def digest_of(value: Any) -> str:
    """The digest of an object: of its trees, numbers and texts, and of the code of its functions."""
    return hashlib.sha256("\x1f".join(_content(value, {})).encode("utf-8", "backslashreplace")).hexdigest()


def _content(value: Any, seen: dict[int, tuple[int, Any]]) -> Iterator[str]:
    """seen: what was told, by id; it is held, as another object may be given the id of one that is gone."""
    kind = type(value)  # not asked: what stands for a dataset answers no isinstance
    if issubclass(kind, PLAIN) and not issubclass(kind, Enum):
        yield f"{type(value).__name__} {value!r}"
        return
    if issubclass(kind, Tree):
        yield f"tree {value.digest}"
        return
    if id(value) in seen:  # a circle, or what was told before
        yield f"as {seen[id(value)][0]}"
        return
    seen[id(value)] = (len(seen), value)
    yield f"{type(value).__name__}("
    for part in _parts(value):
        yield from _content(part, seen)
    yield ")"


def _parts(value: Any) -> Iterator[Any]:
    kind = type(value)
    if issubclass(kind, Enum):
        yield from (type(value).__qualname__, value.name)
    elif issubclass(kind, tuple | list):
        yield from value
    elif issubclass(kind, Mapping):
        yield from (part for pair in value.items() for part in pair)
    elif issubclass(kind, set | frozenset):
        yield from sorted(map(digest_of, value))
    elif issubclass(kind, types.CodeType):
        yield from (value.co_code, value.co_consts, value.co_names, value.co_varnames, value.co_freevars)
    elif issubclass(kind, partial):
        yield from (value.func, value.args, value.keywords)
    elif issubclass(kind, types.MethodType):
        yield from (value.__func__, value.__self__)
    elif issubclass(kind, types.FunctionType):
        yield from _of_function(value)
    elif issubclass(kind, type | types.ModuleType):
        yield from (getattr(value, "__module__", ""), getattr(value, "__qualname__", value.__name__))
        if issubclass(kind, type):
            yield from (f for _, f in sorted(vars(value).items()) if isinstance(f, types.FunctionType))
    elif is_dataclass(kind):
        yield type(value).__qualname__
        yield from (getattr(value, field.name) for field in fields(value) if field.compare)
    elif hasattr(value, "__dict__"):
        yield type(value).__qualname__
        yield from sorted(vars(value).items())
    else:
        yield repr(value)


def _of_function(function: Callable[..., Any]) -> Iterator[Any]:
    """Its code, what it holds, and what it reads of its own file; another file's by name."""
    assert isinstance(function, types.FunctionType)
    yield from (function.__code__, function.__defaults__, function.__kwdefaults__)
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # a name that is not bound yet
            yield "unbound"
    for name in sorted(_names(function.__code__)):
        if name in function.__globals__:
            read = function.__globals__[name]
            own = getattr(read, "__module__", function.__module__) == function.__module__
            yield name
            yield (
                read if own else f"{read.__module__}.{getattr(read, '__qualname__', type(read).__qualname__)}"
            )


def _names(code: types.CodeType) -> set[str]:
    inner = (one for one in code.co_consts if isinstance(one, types.CodeType))
    return set(code.co_names).union(*map(_names, inner))
