"""Which mechanism a statement speaks of: a class, and its parameters as formulas of the statement's.

A function that makes the mechanism is run once at names, with a note-taker in the place of each class of the
specification. So a parameter that is cut off somewhere, or chosen by a condition, is refused: the rules read
the law as a formula for all parameters, and it must be the law of the same mechanism.
"""

import dis
import inspect
import types
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from establish.proofs_check.engine.statements.terms import Term, unkept
from establish.proofs_check.terms.content import said


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
    made = at_names(mechanism, *map(Term, names))
    if not isinstance(made, Made):
        raise NotReadError(f"it makes {type(made).__name__}, by more than a call of one class")
    return made


def at_names(function: Callable[..., Any], *names: Any) -> Any:
    """What a function gives at names, with a note of each class of which it makes something. Raises
    NotReadError where it branches, compares, or needs numbers.
    """
    if not isinstance(function, type | types.FunctionType | partial):
        raise NotReadError(f"{function!r} is neither a class nor a function")
    try:
        return _noted(function)(*names)
    except NotReadError:
        raise
    except NameError as error:
        raise NotReadError(f"it uses {error.name}, so no formula says what it makes") from error
    except Exception as error:
        raise NotReadError(f"it cannot be read at names: {type(error).__name__}: {error}") from error


UNIVERSE, GROWTH = "universe", "α"


def made_of_universe(function: Callable[..., Any]) -> type:
    """The one class of which a relation or a requirement of a universe, and of its growth α, is made, for
    all α. Raises NotReadError for another function.
    """
    with unkept():
        made = made_by(function, (UNIVERSE, GROWTH))
    told = tuple(text for _, text in made.parameters)
    if told not in ((UNIVERSE,), (UNIVERSE, GROWTH)):
        raise NotReadError(f"it makes {made}, not of the universe and α alone")
    return made.kind


DECIDING = ("COMPARE_OP", "IS_OP", "CONTAINS_OP", "POP_JUMP", "JUMP_IF")
"""How the instructions begin by which a function does one thing or another."""


def decides(function: Callable[..., Any]) -> bool:
    """Whether the code of a function branches or compares anything."""
    codes = _codes(function.__code__) if isinstance(function, types.FunctionType) else ()
    return any(step.opname.startswith(DECIDING) for code in codes for step in dis.get_instructions(code))


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """The code of a function, and of those that are written in it."""
    yield code
    for one in code.co_consts:
        if isinstance(one, types.CodeType):
            yield from _codes(one)


def _note(kind: type) -> Callable[..., Made]:
    """A stand-in for a class, which notes with what it is called."""

    def called(*given: Any, **more: Any) -> Made:
        taken = inspect.signature(kind).bind(*given, **more).arguments
        return Made(kind, tuple((name, str(value)) for name, value in taken.items()))

    called.of = kind  # type: ignore[attr-defined]
    return called


def _noted(value: Any) -> Any:
    """The stand-in for what a function names: for a class, a function, and what a module holds."""
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


LISTING = {one.__name__: one for one in (enumerate, list, range, tuple, zip)}
"""Built-in functions that a function may use that is run at names: they compare nothing."""


def _with_notes(function: types.FunctionType) -> Callable[..., Any]:
    """The function with note-takers for the classes that it names, and so for functions that it calls."""
    if decides(function):
        raise NotReadError("it branches or compares, so no formula says what it makes")
    code = function.__code__
    names = {name for one in _codes(code) for name in one.co_names}
    read = {name: _noted(of) for name, of in function.__globals__.items() if name in names}
    cells = tuple(types.CellType(_noted(cell.cell_contents)) for cell in function.__closure__ or ())
    scope = {"__builtins__": LISTING, **read}
    found = types.FunctionType(code, scope, function.__name__, function.__defaults__, cells)
    found.__kwdefaults__ = function.__kwdefaults__
    return found
