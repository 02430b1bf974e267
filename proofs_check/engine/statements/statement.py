"""What every statement object offers: a text, a value at a point, planted neighbors, a search.

A statement is written once, over formulas of ``establish.spec``, and is the thing that is checked: its
text is what a reader sees, a counterexample is a point at which it evaluates itself, and an adversary
searches its domain.
"""

from __future__ import annotations

import builtins
import inspect
import types
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, Self, TypeVar

from establish.proofs_check.engine.statements.inexact import what_rounds
from establish.proofs_check.engine.statements.lasting import (
    bound,
    imported,
    names,
    steps_of,
    what_varies,
    with_parts,
)
from establish.proofs_check.terms.asking import asks
from establish.proofs_check.terms.trees import Program

T = TypeVar("T")

KINDS = "establish.proofs_check.engine.statements."
"""Where kinds of statements are defined."""

Formula = Callable[..., Any]
"""A function of a world and of the quantified variables, in their order."""

Side = Formula | Program | int | str | Fraction
"""What an author may write as a side of a comparison; a text is that of a rational."""

Point = Mapping[str, Any]
"""Values of the quantified variables, by name, in plain rationals."""


PLAIN, THOROUGH = 60, 120
"""About how many points an adversary tries in a plain check and in a thorough one."""


class StatementError(ValueError):
    """A statement that says nothing, or cannot be evaluated; the message tells file and line."""


@dataclass(frozen=True)
class Truth:
    """How a statement comes out at one point, with the arithmetic that shows it.

    ``value`` is True or False where that is certain, and None where the sides agree to all digits
    tried. ``exact``: whether rationals decided, and not balls.
    """

    value: bool | None
    shown: str
    exact: bool

    @property
    def refutes(self) -> str:
        """The arithmetic where the statement is certainly false there; else empty."""
        return self.shown if self.value is False else ""


@dataclass(frozen=True)
class Search:
    """What an adversary tried against a statement.

    tried: over what it searched. refuted: the counterexample, empty if there is none. found and
    missed: the planted neighbors that the same search refuted, and those that it did not, which may be true
    where the statement has room. effort: about
    how many points it was to try.
    """

    statement: str
    tried: str
    refuted: str = ""
    found: tuple[str, ...] = ()
    missed: tuple[str, ...] = ()
    effort: int = PLAIN

    @property
    def sees(self) -> bool:
        """Whether the search found at least one false neighbor, so that it is worth something."""
        return bool(self.found)


class Statement(ABC):
    """One assertion over quantified variables."""

    made_with: tuple[str, ...] = ()
    """The methods that show, before it is settled, that what it speaks of is finite."""

    searched: tuple[str, ...] = ()
    """What was searched, with {} for the number of cases; the last text where none refutes the statement."""

    tells: str = ""
    """What it says in words that may be typed as a value; formulas that it tells need none."""

    def require_value(self) -> None:  # noqa: B027 - most statements have a value at every point
        """Raises StatementError where it is not shown that what the statement speaks of is finite."""

    def __init_subclass__(cls) -> None:
        """Raises TypeError for a kind that is defined elsewhere: of itself it could say what it likes."""
        if not cls.__module__.startswith(KINDS):
            raise TypeError(f"{cls.__qualname__} is no kind of statement of the engine's own")

    @property
    @abstractmethod
    def text(self) -> str:
        """The whole statement in words and formulas, quantifiers and domains first."""

    @cached_property
    def identity(self) -> str:
        """What names the statement: the digest of all that it is made of, trees and the code of functions."""
        from establish.proofs_check.terms.content import digest_of  # loads libraries that no help needs

        return digest_of(self)

    @property
    def content(self) -> str:
        """The digest of its functions as they are now, with what these read: it must stay what it was."""
        from establish.proofs_check.terms.content import digest_of  # loads libraries that no help needs

        return digest_of([written_as(formula) for formula in self.formulas])

    @property
    def formulas(self) -> tuple[Formula, ...]:
        """The functions that the statement is made of: those among its fields, also in tuples."""
        own = fields(self)  # type: ignore[arg-type]  # every kind is a dataclass
        return tuple(_functions(getattr(self, field.name) for field in own))

    @abstractmethod
    def at(self, point: Point) -> Truth:
        """The statement at one point of its domain. Raises StatementError outside the domain."""

    def refutations(self, effort: int) -> Iterator[str]:
        """What refutes the statement at each case that an adversary tries; empty where nothing does."""
        raise NotImplementedError

    def counterexample(self, effort: int) -> tuple[str, str]:
        """(what was searched, the point that refutes or the empty text)."""
        return self.first_of(self.refutations(effort), *self.searched)

    @staticmethod
    def first_of(refutations: Iterable[str], *searched: str) -> tuple[str, str]:
        """(what was searched, the first refutation that is not empty), with the words of ``searched``."""
        number = 0
        for refuted in refutations:
            number += 1
            if refuted:
                return searched[0].format(number), refuted
        return searched[-1].format(number), ""

    @staticmethod
    def deepened(effort: int, plain: tuple[T, ...], more: tuple[T, ...]) -> tuple[T, ...]:
        """What an adversary tries: ``plain``, and in a thorough search what is ``more``."""
        return (*plain, *more) if effort >= THOROUGH else plain

    @staticmethod
    def above(found: Any, most: Any, said: str, name: str = "") -> str:
        """In words that a finite ball, which is what is ``said``, is certainly above another; else empty."""
        if not (found.is_finite() and found > most):
            return ""
        return f"{said} {found.str(9, radius=False)} > {name}{most.str(9, radius=False)}"

    @staticmethod
    def in_words(point: Point) -> str:
        """A point in words; functions and mechanisms by their names."""
        return ", ".join(f"{name} = {getattr(value, 'name', value)}" for name, value in point.items())

    def taken(self, point: Point, *names: str) -> tuple[Any, ...]:
        """What a point gives, in this order. Raises StatementError for one that gives anything else."""
        if set(point) != set(names):
            wanted = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
            raise self.refused(f"a point gives {wanted}, not {', '.join(point)}")
        return tuple(point[name] for name in names)

    def refused(self, words: str = "") -> StatementError:
        """The error for a point at which the statement says nothing."""
        return StatementError(words or f"outside the domain: {self.text}")

    def of_spec(self, by: Callable[[Self], Any] | None = None) -> Self:
        """The statement as an author writes it. Raises StatementError for formulas that read more than
        ``establish.spec``, and where ``by`` cannot evaluate it, with the place of its first formula.
        """
        for formula in self.formulas:
            require_spec_only(formula)
        try:
            if by is not None:
                by(self)
        except Exception as error:
            place = where(self.formulas[0])
            raise StatementError(f"{place}: cannot be evaluated: {type(error).__name__}: {error}") from error
        return self

    def simple_counterexample(self, effort: int) -> tuple[str, str]:
        """A part of the same search that is enough for planted neighbors."""
        return self.counterexample(effort)

    @abstractmethod
    def planted(self) -> Iterator[tuple[str, Statement]]:
        """False neighbors of a true statement, the closest first, each with its name."""

    def search(self, effort: int = PLAIN) -> Search:
        """Search the domain for a counterexample, and show that the search can see one.

        effort: about how many points are tried. The planted neighbors are tried one after the
        other until one is refuted.
        """
        tried, refuted = self.counterexample(effort)
        found: list[str] = []
        missed: list[str] = []
        for name, neighbor in () if refuted else self.planted():
            if neighbor.simple_counterexample(effort)[1]:
                found.append(name)
                break
            missed.append(name)
        return Search(self.text, tried, refuted, tuple(found), tuple(missed), effort)

    @property
    def defines(self) -> tuple[Any, ...]:
        """Definitions of ``establish.spec`` that the statement names otherwise than by its formulas."""
        return ()

    @property
    def reads(self) -> tuple[str, ...]:
        """The qualified names of what the statement reads from ``establish.spec``, sorted."""
        return tuple(sorted({name for f in self.formulas for name in _read_by(f)}))


def _functions(values: Iterable[Any]) -> Iterator[Formula]:
    for value in values:
        if isinstance(value, tuple):
            yield from _functions(value)
        elif callable(value):
            yield value


def require(statement: object, kind: type, made_by: str) -> None:
    """Refuse what a method cannot decide. Raises TypeError for anything but a statement of this kind.

    made_by: the functions by which authors make one.
    """
    if not isinstance(statement, kind):
        given = statement.text if isinstance(statement, Statement) else repr(statement)
        raise TypeError(f"statement = {given} must be made by {made_by}")


def require_spec_only(formula: Formula, *, by_kind: bool = False) -> None:
    """Refuse a formula that reads anything but ``establish.spec``, constants and plain arithmetic.

    So no statement can call the check that settles it, its evidence, or a method; nor can it say one thing
    first and another later, by what it changes, or one thing to who prints it and another to who proves it,
    by what it is asked with. by_kind: that is looked at elsewhere, as the formula is read as a tree, or does
    not matter, as it runs at values alone. Raises StatementError with the name, the file and the line.
    """
    formula = written_as(formula)
    told = "" if by_kind or _is_of_spec(formula) else asks(formula, True)
    if told:
        raise StatementError(
            f"{where(formula)}: {told}: a formula says the same wherever it is read, and keeps no state"
        )
    if varies := what_varies(formula):
        raise StatementError(
            f"{where(formula)}: a statement says the same whenever it is asked, but {varies}"
        )
    if rounds := what_rounds(formula):
        raise StatementError(
            f"{where(formula)}: a statement computes exactly, and it uses {rounds}: write Fraction(1, 10), "
            "math.isqrt(n) or c.sqrt(x), a function of the world"
        )
    plain = isinstance(formula, types.FunctionType | partial | type)
    for name, value in _globals_of(formula) if plain else [(repr(formula), formula)]:
        home = _home(value)
        if home and not home.startswith(("establish.spec", "fractions", "math", "itertools", "builtins")):
            raise StatementError(
                f"{where(formula)}: a statement reads only establish.spec, not {name} of {home}"
            )


def _is_of_spec(formula: Formula) -> bool:
    return str(getattr(formula, "__module__", "")).startswith("establish.spec")


def written_as(formula: Formula | Program) -> Formula:
    """The function from which a tree was read; another formula as it is."""
    if isinstance(formula, Program):
        return formula.function
    source: Formula | None = getattr(formula, "source", None)  # of a tree
    return source or formula


def where(formula: Formula | Program) -> str:
    """The file and line at which a formula is written."""
    formula = written_as(formula)
    plain = formula.func if isinstance(formula, partial) else formula
    code = getattr(plain, "__code__", None)
    return f"{code.co_filename}:{code.co_firstlineno}" if code else repr(formula)


def unused(formula: Formula, names: tuple[str, ...], before: int = 1) -> set[str]:
    """The variables, by the names of the statement, that a formula takes and never looks at.

    before: how many arguments stand before them, such as the world.
    """
    formula = written_as(formula)
    code = getattr(formula, "__code__", None)
    if code is None:
        return set()
    inner = [code, *(c for c in code.co_consts if isinstance(c, types.CodeType))]
    seen = {name for c in inner for i in steps_of(c) for name in _named(i.argval)}
    taken = code.co_varnames[before : code.co_argcount]
    looked_at = {name for name, own in zip(names, taken, strict=False) if own in seen}
    if code.co_flags & inspect.CO_VARARGS and code.co_varnames[code.co_argcount] in seen:
        looked_at |= set(names[len(taken) :])
    return set(names) - looked_at


def _named(argument: Any) -> tuple[str, ...]:
    """The names in an instruction's argument: since Python 3.13 one instruction may load two variables."""
    several = argument if isinstance(argument, tuple) else (argument,)
    return tuple(name for name in several if isinstance(name, str))


def _globals_of(formula: Formula, depth: int = 0) -> Iterator[tuple[str, Any]]:
    """Names outside a function that it reads, with their values; helpers of one file are followed."""
    formula = written_as(formula)
    if isinstance(formula, partial):
        yield from _globals_of(formula.func, depth)
        return
    if not isinstance(formula, types.FunctionType):
        return
    for name in sorted(names(formula.__code__)):
        if name in formula.__globals__:
            yield from _followed(name, formula.__globals__[name], formula, depth)
    for name, value in bound(formula):
        yield from _followed(name, value, formula, depth)
    for name in imported(formula.__code__):
        yield name, types.ModuleType(name)


def _followed(name: str, whole: Any, reader: Formula, depth: int) -> Iterator[tuple[str, Any]]:
    for _, value in with_parts(name, whole):
        same_file = isinstance(value, types.FunctionType) and value.__globals__ is reader.__globals__
        if same_file and depth < 8:
            yield from _globals_of(value, depth + 1)
        else:
            yield name, value


def _home(value: Any) -> str:
    """The module that a value comes from; empty for numbers, texts and containers of them."""
    if isinstance(value, types.ModuleType):
        return value.__name__
    if isinstance(value, (int, str, Fraction, tuple, frozenset)) or value is None:
        return ""
    if getattr(builtins, getattr(value, "__name__", ""), None) is value:
        return ""
    owner = getattr(value, "__self__", None)
    if isinstance(value, types.BuiltinFunctionType) and not isinstance(owner, types.ModuleType | None):
        return type(owner).__module__  # a method of an object, such as a generator of random numbers
    return getattr(value, "__module__", None) or type(value).__module__


def _read_by(formula: Formula) -> Iterator[str]:
    for name, value in _globals_of(formula):
        home = _home(value)
        if home.startswith("establish.spec"):
            if isinstance(value, types.ModuleType):
                yield from (f"{home}.{n}" for n in _attributes(formula, value))
            else:
                yield f"{home}.{getattr(value, '__qualname__', name)}"


def _attributes(formula: Formula, module: types.ModuleType) -> Iterator[str]:
    """The functions and classes of a module that the code names."""
    formula = written_as(formula)
    plain = formula.func if isinstance(formula, partial) else formula
    code = getattr(plain, "__code__", None)
    if code is None:
        return
    for name in names(code):
        if callable(getattr(module, name, None)):
            yield name
