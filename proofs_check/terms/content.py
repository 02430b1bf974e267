"""What an object says, as a digest: two with the same digest say the same, whatever they are called.

Numbers, texts, trees and containers count by their content, functions by their code, by what they hold and by
what they read of their own module, and what another module defines by its name. Whether two parts are one
object, or two that are equal, makes no difference; nor does what an object has kept of its own results. It
tells objects of one process apart; another Python compiles to other code.
"""

import hashlib
import sys
import types
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from typing import Any

import flint
import mpmath
import sympy

from establish.proofs_check.terms.formula import Tree

PLAIN = (int, float, complex, str, bytes, Fraction, type(None), type(Ellipsis))

SHOWN = 12
"""Of a digest in a text."""

NAMED = (type, types.FunctionType, types.BuiltinFunctionType, type(lru_cache(len)))
"""The kinds of what modules define by a name."""

OWN = ("establish_user_", "__main__.")
"""How the modules of a user's files are called: what they define counts by its content."""


def digest_of(value: Any) -> str:
    """SHA-256 of what an object says."""
    teller = _Teller()
    first = teller.told(value)
    told: dict[str, str] = {}
    while waiting := sorted(teller.named.keys() - told.keys()):
        told |= {name: teller.told(teller.named[name], inside=True) for name in waiting}
    return _hashed([first, *(f"{name} is {told[name]}" for name in sorted(told))])


def named(value: Any) -> str:
    """``spec.mechanisms.laplace.LaplaceMechanism`` for what a module defines under that name; else ""."""
    if not issubclass(type(value), NAMED):
        return ""
    found: Any = sys.modules.get(value.__module__ or "")
    for part in value.__qualname__.split("."):
        found = getattr(found, part, None)
    return f"{value.__module__}.{value.__qualname__}".removeprefix("establish.") if found is value else ""


def said(value: Any) -> str:
    """The name of a definition of the specification; of any other object its digest."""
    name = named(value)
    return name if name.startswith("spec.") else f"the function {digest_of(value)[:SHOWN]}"


def _hashed(parts: list[str]) -> str:
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "backslashreplace")).hexdigest()


class _Teller:
    """named: what a user's modules define and the object uses, by name. open: the ids of what is being told,
    outermost first. outermost: the place in it of the outermost that was met again. known: what was told, by
    id, with the object, whose id is nobody else's while it is held.
    """

    def __init__(self) -> None:
        self.named: dict[str, Any] = {}
        self.open: list[int] = []
        self.outermost = 0
        self.known: dict[int, tuple[Any, str]] = {}

    def told(self, value: Any, inside: bool = False) -> str:
        """inside: what a named object consists of, and not only its name."""
        kind = type(value)  # not asked: what stands for a dataset answers no isinstance
        if issubclass(kind, PLAIN) and not issubclass(kind, Enum):
            return f"{kind.__name__} {value!r}"
        if issubclass(kind, Tree):
            return f"tree {value.digest}"
        if issubclass(kind, types.ModuleType):
            return f"module {value.__name__}"
        if not inside and (name := named(value)):
            if name.startswith(OWN):
                self.named.setdefault(name, value)
            return name
        if id(value) in self.known:
            return self.known[id(value)][1]
        depth = len(self.open)
        if id(value) in self.open:  # a circle without a name
            place = self.open.index(id(value))
            self.outermost = min(self.outermost, place)
            return f"around {depth - place}"
        above, self.outermost = self.outermost, depth
        self.open.append(id(value))
        parts = [self.told(part) for part in _parts(value)]
        self.open.pop()
        result = _hashed([kind.__name__, *(sorted(parts) if issubclass(kind, set | frozenset) else parts)])
        if self.outermost == depth:  # else it hangs on what is around it
            self.known[id(value)] = value, result
        self.outermost = min(above, self.outermost)
        return result


def _parts(value: Any) -> Iterator[Any]:
    kind = type(value)
    if issubclass(kind, Enum):
        yield from (kind.__qualname__, value.name)
    elif issubclass(kind, tuple | list | set | frozenset):
        yield from value
    elif issubclass(kind, Mapping):
        yield from (part for pair in value.items() for part in pair)
    elif issubclass(kind, types.CodeType):
        yield from (value.co_code, value.co_consts, value.co_names, value.co_varnames, value.co_freevars)
    elif issubclass(kind, partial):
        yield from (value.func, value.args, value.keywords)
    elif issubclass(kind, types.MethodType):
        yield from (value.__func__, value.__self__)
    elif issubclass(kind, types.FunctionType):
        yield from _of_function(value)
    elif issubclass(kind, type):
        yield from (value.__qualname__, *value.__bases__)
        yield from ((name, part) for name, part in sorted(vars(value).items()) if name not in _KEPT)
    elif issubclass(kind, sympy.Basic):
        yield sympy.srepr(value)
    elif issubclass(kind, mpmath.MPContext):
        yield from (kind, value.prec)
    elif issubclass(kind, flint.arb):
        yield from (value.mid().man_exp(), value.rad().man_exp()) if value.is_finite() else (repr(value),)
    elif issubclass(kind, flint.acb):
        yield from (value.real, value.imag)
    elif is_dataclass(kind):
        yield kind
        yield from (getattr(value, field.name) for field in fields(value) if field.compare)
    elif (wrapped := vars(value).get("__wrapped__") if hasattr(value, "__dict__") else None) is not None:
        yield wrapped
    else:
        yield kind
        yield from _state(value)


_KEPT = ("__weakref__", "__dict__", "__doc__", "__firstlineno__", "__static_attributes__")


def _state(value: Any) -> Iterator[Any]:
    """What a copy of an object would be given, but for results that it keeps; its text where it has none."""
    kind = type(value)
    reduce: Any = kind.__reduce_ex__
    if isinstance(reduce, types.FunctionType):  # what stands for a number may answer no question
        yield from sorted(object.__getattribute__(value, "__dict__").items())
        return
    try:
        reduced = reduce(value, 4)
    except TypeError:
        reduced = repr(value)
    if isinstance(reduced, str):
        yield reduced
        return
    parts: tuple[Any, ...] = (*reduced, None, None, None)
    _, arguments, state, *rest = parts
    yield arguments
    if issubclass(type(state), dict):
        state = {k: v for k, v in state.items() if not isinstance(getattr(kind, k, None), cached_property)}
        yield from sorted(state.items())
    else:
        yield state
    yield from (tuple(part) for part in rest[:2] if part is not None)


def _of_function(function: types.FunctionType) -> Iterator[Any]:
    """Its code, what it holds, and what it reads of its own module."""
    yield from (function.__code__, function.__defaults__, function.__kwdefaults__)
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # a name that is not bound yet
            yield "unbound"
    for name in sorted(_names(function.__code__)):
        if name in function.__globals__:
            yield (name, function.__globals__[name])


def _names(code: types.CodeType) -> set[str]:
    inner = (one for one in code.co_consts if isinstance(one, types.CodeType))
    return set(code.co_names).union(*map(_names, inner))
