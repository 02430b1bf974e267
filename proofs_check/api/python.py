"""Functions as users call them from Python: errors name arguments, where commands name options."""

import re
from collections.abc import Callable, Iterable
from functools import wraps
from os import PathLike
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from establish.impl.certificate import CertificateError
from establish.proofs_check.engine.misuse import Misuse
from establish.spec.parameters import ParameterError, Rational, exact

P = ParamSpec("P")
R = TypeVar("R")

FilePath = str | PathLike[str]
"""What may stand for a file."""

Names = str | Iterable[str]
"""One name, or several."""

_OPTION = re.compile(r"establish [a-z].*?(?=[;:,)]|$)|--[a-z][a-z-]*")
"""An option that a message names, but for one of a command that it tells to type."""

_ARGUMENTS = {
    "INPUT": "table",
    "TABLE": "tables",
    "PLAN": "plan",
    "DIR": "folder",
    "α": "alpha",
    "ε": "epsilon",
    "δ": "delta",
    "μ": "mu",
    "ρ": "rho",
}
"""What begins a message about an argument, and how that is called here."""

_FIRST = re.compile(rf"^({'|'.join(_ARGUMENTS)})(?= )|(INPUT|PLAN|TABLE)(?= = )")

_SWITCHES = (
    *("disjoint", "drop_others", "force", "margins", "no_fit", "nonnegative", "owners"),
    "without_ledger",
)
"""Arguments that are true or false."""

_GIVEN = re.compile(r"(?<=with )--([a-z-]+) (\w+)(?=[,;:.]|$)")
"""An option with its value, in what a message tells to type."""


def in_python(text: str) -> str:
    """A message about a command's options, about the arguments of a function of the same names."""
    text = _FIRST.sub(lambda found: _ARGUMENTS[found[0]], text)
    text = _GIVEN.sub(r"\1='\2'", text)
    return _OPTION.sub(lambda found: _argument(found[0]), text)


def _argument(words: str) -> str:
    if not words.startswith("--") or words == "--resume":  # which only commands do
        return words
    name = words.removeprefix("--").replace("-", "_")
    return f"{name}=True" if name in _SWITCHES else name


def for_python(function: Callable[P, R]) -> Callable[P, R]:
    """The function with errors that name its arguments; the commands call it without that."""

    @wraps(function)
    def called(*given: P.args, **named: P.kwargs) -> R:
        try:
            return function(*given, **named)
        except (ParameterError, Misuse, CertificateError) as error:
            error.args = tuple(in_python(one) if isinstance(one, str) else one for one in error.args)
            raise

    return called


def path_of(argument: str, given: Any) -> Path:
    """The path. Raises ParameterError for what is none."""
    if isinstance(given, str | PathLike) and str(given):
        return Path(given)
    raise ParameterError(f"{argument} = {given!r:.60} is not a path")


def optional_path(argument: str, given: Any) -> Path | None:
    return None if given is None else path_of(argument, given)


def names_of(argument: str, given: Any) -> list[str]:
    """The names of columns: one, or several. Raises ParameterError for others."""
    names = [given] if isinstance(given, str) else list(given) if isinstance(given, Iterable) else [given]
    for name in names:
        if not isinstance(name, str) or not name:
            raise ParameterError(f"{argument} = {name!r:.60} is not a name: give a text, or a list of texts")
    return names


def name_of(argument: str, given: Any) -> str:
    """The name of one column. Raises ParameterError for what is no text."""
    if isinstance(given, str) and given:
        return given
    raise ParameterError(f"{argument} = {given!r:.60} is not a name: give a text")


def number_of(argument: str, given: Rational) -> str:
    """The rational as an option would write it, exactly. Raises ParameterError for what is none."""
    return given if isinstance(given, str) else str(exact(argument, given))


def optional_number(argument: str, given: Rational | None) -> str | None:
    return None if given is None else number_of(argument, given)
