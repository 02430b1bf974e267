"""Whether a function gives the same answer whenever it is asked, as far as its code shows."""

import dis
import inspect
import types
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache, partial
from typing import Any, NamedTuple

ASSIGNS = {"STORE_GLOBAL", "DELETE_GLOBAL", "STORE_ATTR", "DELETE_ATTR"}
"""Instructions that change a name of the module, or an attribute."""

ENCLOSING = {"STORE_DEREF", "DELETE_DEREF"}
"""Instructions that change a variable that functions share."""

CHANGING = {name for kind in (list, dict, set, bytearray) for name in dir(kind)} - {
    name for kind in (tuple, frozenset, bytes, types.MappingProxyType) for name in dir(kind)
}
"""The methods by which containers are changed."""

AS_METHODS = {
    "STORE_SUBSCR": "__setitem__",
    "STORE_SLICE": "__setitem__",
    "DELETE_SUBSCR": "__delitem__",
    "+=": "__iadd__",
    "*=": "__imul__",
    "|=": "__ior__",
    "&=": "__iand__",
    "-=": "__isub__",
    "^=": "__ixor__",
}
"""The method that an instruction, or an operation in place, uses to change a container."""

OUTSIDE = {"globals", "setattr", "delattr", "exec", "eval", "open", "input", "__import__"}
"""The built-in functions that reach what no code shows."""

OF_THE_PROCESS = {"id", "hash"}
"""The built-in functions that answer otherwise in another process."""


def what_varies(function: Any) -> str:
    """What makes the answers of ``function`` depend on when it is asked; empty where nothing is seen.

    It is what it changes outside of itself: a name of its module or of a function around it, an attribute,
    or a container that it did not make. Helpers of its module, methods of its object, defaults and arguments
    that are bound are followed. A container that is read from outside must not be one that could be changed
    in the ways in which any is, as an alias is not told from a new one.
    """
    kept: dict[str, type] = {}
    changes: dict[str, str] = {}
    for each, owner in _followed(function):
        for name, value in _read_by(each, owner):
            kind = type(value)
            if hasattr(kind, "__next__"):
                return f"it draws from {name}"
            if kind.__hash__ is None:
                kept[name] = kind
        if isinstance(each, partial):
            continue
        named = names(each.__code__)
        if reached := OUTSIDE & named - each.__globals__.keys():
            return f"it calls {min(reached)}"
        ways = CHANGING & named
        for step in _steps(each.__code__):
            if step.opname == "LOAD_GLOBAL" and step.argval in OF_THE_PROCESS - each.__globals__.keys():
                return f"it calls {step.argval}"
            shared = step.opname in ENCLOSING and step.argval in each.__code__.co_freevars
            if step.opname in ASSIGNS or shared:
                return f"it changes {step.argval}"
            ways |= {AS_METHODS.get(step.opname, ""), AS_METHODS.get(step.argrepr, "")} - {""}
        changes |= dict.fromkeys(sorted(ways), each.__name__)
    for name, kind in kept.items():
        for way, changer in changes.items():
            if hasattr(kind, way):
                return f"it reads {name}, which {changer} may change by {way}: make it a tuple"
    return ""


def names(code: types.CodeType) -> set[str]:
    """The names of modules and attributes that the code of a function uses, and that of those within."""
    return {name for inner in _codes(code) for name in inner.co_names}


def names_used(function: Any) -> set[str]:
    """The names that the code of ``function`` uses, and that of all it is followed into."""
    codes = (each.__code__ for each, _ in _followed(function) if not isinstance(each, partial))
    return {name for code in codes for name in names(code)}


def codes_used(function: Any) -> Iterator[tuple[types.CodeType, dict[str, Any]]]:
    """All code that ``function`` runs of its module, each with what its names stand for."""
    for each, _ in _followed(function):
        if not isinstance(each, partial):
            scope = each.__globals__ | dict(bound(each))
            yield from ((code, scope) for code in _codes(each.__code__))


def values_used(function: Any) -> Iterator[tuple[str, Any]]:
    """All values that ``function`` and what it is followed into read from outside, by name."""
    for each, owner in _followed(function):
        yield from _read_by(each, owner)


def imported(code: types.CodeType) -> set[str]:
    """The modules that the code of a function imports when it is called."""
    return {str(step.argval) for step in _steps(code) if step.opname == "IMPORT_NAME"}


def bound(function: types.FunctionType) -> Iterator[tuple[str, Any]]:
    """The variables of functions around this one, and its defaults, each by name, with their values."""
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            yield name, cell.cell_contents
        except ValueError:  # a name that is not bound yet
            continue
    yield from _shown(*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())


def _shown(*values: Any) -> Iterator[tuple[str, Any]]:
    for value in values:
        yield f"{value!r:.40}", value


def _read_by(function: Any, owner: Any) -> Iterator[tuple[str, Any]]:
    """What a function, a method of ``owner`` or a partial function reads from outside, with its parts."""
    for name, value in _named_in(function, owner):
        yield from with_parts(name, value)


def _named_in(function: Any, owner: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(function, partial):
        yield from _shown(function.func, *function.args, *function.keywords.values())
        return
    for name in sorted(names(function.__code__)):
        if name in function.__globals__:
            yield name, function.__globals__[name]
        value = None if owner is None else inspect.getattr_static(owner, name, None)
        if value is not None:
            yield name, value
    yield from bound(function)


def with_parts(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """A value, and under its name what it holds where it is a tuple or a table, but numbers and texts."""
    yield name, value
    if type(value) in (tuple, frozenset, dict, types.MappingProxyType) and name != "__builtins__":
        for one in value.values() if isinstance(value, Mapping) else value:
            if type(one) not in (int, bool, str, Fraction, type(None)):
                yield from with_parts(name, one)


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """The code of a function, and that of all functions within."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _codes(constant)


class Step(NamedTuple):
    """An instruction: its name, what it is given, and how that is written."""

    opname: str
    argval: Any
    argrepr: str


@cache
def steps_of(code: types.CodeType) -> tuple[Step, ...]:
    """The instructions of a code object, without those within."""
    return tuple(Step(one.opname, one.argval, one.argrepr) for one in dis.get_instructions(code))


def _steps(code: types.CodeType) -> Iterator[Step]:
    for inner in _codes(code):
        yield from steps_of(inner)


def _followed(function: Any) -> Iterator[tuple[Any, Any]]:
    """The function, and those that it reads of its module and its object, each once, with the object."""
    waiting: list[tuple[Any, Any]] = [(function, None)]
    seen: set[int] = set()
    while waiting:
        each, owner = waiting.pop()
        if isinstance(each, types.MethodType):
            owner, each = each.__self__, each.__func__
        if not isinstance(each, types.FunctionType | partial) or id(each) in seen:
            continue
        seen.add(id(each))
        yield each, owner
        home = getattr(each, "__module__", None)
        for _, value in _read_by(each, owner):
            if isinstance(each, partial) or getattr(value, "__module__", None) == home:
                waiting.append((value, owner))
