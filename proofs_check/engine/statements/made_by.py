"""Which mechanism a statement speaks of: a class, and its parameters as formulas of the statement's.

A function that makes the mechanism is run once at names, with a note-taker in the place of each class of the
specification. So a parameter that is cut off somewhere, or chosen by a condition, is refused: the rules read
the law as a formula for all parameters, and it must be the law of the same mechanism.
"""

import dis
import inspect
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from establish.proofs_check.engine.statements.terms import Term
from establish.proofs_check.terms.content import said
from establish.spec.mechanisms.unguarded import unguarded


@dataclass(frozen=True)
class Made:
    """A class of mechanisms and the texts of its parameters by name, those without a value left out."""

    kind: type
    parameters: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        return f"{said(self.kind)}({', '.join(text for _, text in self.parameters)})"


class NotReadError(ValueError):
    """The function does more than to make a mechanism; the message says what."""


def made_by(mechanism: Callable[..., Any], names: Sequence[str]) -> Made:
    """What ``mechanism`` makes at parameters of these names. Raises NotReadError where that depends on the
    parameters, or is no call of one class.
    """
    if not isinstance(mechanism, type | types.FunctionType | partial):
        raise NotReadError(f"{mechanism!r} is neither a class nor a function")
    try:
        made = _noted(mechanism)(*map(Term, names))
    except NotReadError:
        raise
    except NameError as error:
        raise NotReadError(f"it uses {error.name}, so no formula says what it makes") from error
    except Exception as error:
        raise NotReadError(f"it cannot be read at names: {type(error).__name__}: {error}") from error
    if not isinstance(made, Made):
        raise NotReadError(f"it makes {type(made).__name__}, by more than a call of one class")
    return made


DECIDING = ("COMPARE_OP", "IS_OP", "CONTAINS_OP", "POP_JUMP", "JUMP_IF")
"""How the instructions begin by which a function does one thing or another."""


def decides(function: Callable[..., Any]) -> bool:
    """Whether the code of a function branches or compares anything."""
    steps = dis.get_instructions(function) if hasattr(function, "__code__") else ()
    return any(step.opname.startswith(DECIDING) for step in steps)


def _note(kind: type) -> Callable[..., Made]:
    """A stand-in for a class, which notes with what it is called."""

    def called(*given: Any, **more: Any) -> Made:
        taken = inspect.signature(kind).bind(*given, **more).arguments
        return Made(kind, tuple((name, str(value)) for name, value in taken.items()))

    called.of = kind  # type: ignore[attr-defined]
    return called


def _noted(value: Any) -> Any:
    """The stand-in for what a function names: for a class, a function, and what a module holds."""
    if value is unguarded:
        return lambda kind, **given: Made(kind.of, tuple((n, str(v)) for n, v in given.items()))
    if isinstance(value, type) and value is not Fraction:
        return _note(value)
    if isinstance(value, types.ModuleType):
        return _Module(value)
    if isinstance(value, partial):
        return partial(_noted(value.func), *value.args, **value.keywords)
    return _with_notes(value) if isinstance(value, types.FunctionType) else value


class _Module:
    """The classes of a module, noted."""

    def __init__(self, module: types.ModuleType) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        return _noted(getattr(self._module, name))


def _with_notes(function: types.FunctionType) -> Callable[..., Any]:
    """The function with note-takers for the classes that it names, and so for functions that it calls."""
    if decides(function):
        raise NotReadError("it branches or compares, so no formula says what it makes")
    code = function.__code__
    read = {
        name: _noted(function.__globals__[name]) for name in code.co_names if name in function.__globals__
    }
    cells = tuple(types.CellType(_noted(cell.cell_contents)) for cell in function.__closure__ or ())
    scope = {"__builtins__": {}, **read}
    found = types.FunctionType(code, scope, function.__name__, function.__defaults__, cells)
    found.__kwdefaults__ = function.__kwdefaults__
    return found
