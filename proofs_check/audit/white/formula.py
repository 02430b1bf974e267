"""A law that moves in proportion to the count, read once, for every count.

The law is called with a count that is no number: it can be calculated with, and whatever asks what it is ends
the reading, be it a comparison, a truth value, a hash, a type or a text. So nothing was decided by the count,
and the formula that comes out is the law of every dataset. Of establishments the law may take their sum, by
the built-in function ``sum`` of the dataset itself, and nothing else.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from operator import add, mul, sub, truediv
from types import FrameType
from typing import Any, NoReturn

from establish.proofs_check.audit.white.laws import NotComparableError
from establish.proofs_check.engine.statements.lasting import names_used
from establish.spec.arithmetic import ARB, Number, World
from establish.spec.distributions.geometric import Geometric
from establish.spec.distributions.heavy_tailed import HeavyTailed
from establish.spec.distributions.laplace import Laplace
from establish.spec.distributions.log_laplace import LogLaplace

MOVING = {Laplace: "center", LogLaplace: "count", HeavyTailed: "center", Geometric: "center"}
"""The laws that are read, and which of their numbers may depend on the count."""

UNSEEN = {"type", "id"}
"""Built-in functions that tell what something is without asking it."""

At = Callable[[World, Number], Number]
"""The value of a formula in a world, at a count."""

Line = tuple[Fraction, Fraction]
"""A number that is the first plus the second times the count."""


class AskedError(BaseException):
    """The law asks what the count is; a BaseException, so that its own ``except`` lets it through."""


@dataclass(frozen=True)
class CountLaw:
    """A law whose place is start + slope·count, and whose other numbers are the same at every count.

    at: the law at a count, in a world.
    """

    kind: type
    start: Fraction
    slope: Fraction
    at: Callable[[Number, World], Any]


def law_of_count(law: Callable[[Any, World], Any], establishments: bool) -> CountLaw:
    """The law at every count.

    establishments: whether the dataset is a tuple of sizes, whose sum the count is. Raises
    NotComparableError, with the reason, where the law is no such formula.
    """
    if seen := sorted(UNSEEN & names_used(law)):
        raise NotComparableError(f"it calls {seen[0]}")
    made = _Reader().made(law, establishments)
    if type(made) not in MOVING:
        raise NotComparableError(f"{type(made).__name__} is none of the laws of which formulas are read")
    numbers = {one.name: getattr(made, one.name) for one in fields(made) if one.name != "c"}
    for name, number in numbers.items():
        if _depends(number) and name != MOVING[type(made)]:
            raise NotComparableError(f"its {name} depends on the count")
    line = _line(numbers[MOVING[type(made)]])
    if line is None:
        raise NotComparableError(
            f"its {MOVING[type(made)]} is not a rational plus a rational times the count"
        )

    def at(count: Number, c: World) -> Any:
        return replace(made, **{name: _value(one, c, count) for name, one in numbers.items()}, c=c)

    return CountLaw(type(made), *line, at)


def agrees(law: Callable[[Any, World], Any], read: CountLaw, datasets: Iterable[Any]) -> bool:
    """Whether formula and law give the same balls on these datasets: a second look at the reading."""
    for d in datasets:
        own, other = law(d, ARB), read.at(sum(d) if isinstance(d, tuple) else d, ARB)
        if type(own) is not type(other):
            return False
        for one in fields(own):
            if one.name != "c":
                first, second = (ARB.number(getattr(each, one.name)) for each in (own, other))
                if not (first - second).contains(0):
                    return False
    return True


class _Reader:
    """One reading. why: what the law asked, when it asked something."""

    def __init__(self) -> None:
        self.why = ""
        self._called: Any = None

    def asked(self, what: str) -> NoReturn:
        self.why = self.why or what
        raise AskedError

    def made(self, law: Callable[[Any, World], Any], establishments: bool) -> Any:
        count = Formula(self, lambda c, n: n, (Fraction(0), Fraction(1)), True)
        before = sys.getprofile()
        sys.setprofile(self._watch)
        try:
            asked = law(_Sizes(self, count) if establishments else count, _Formulas(self))
        except AskedError:
            asked = None
        except Exception as error:
            self.why = self.why or f"it raises {type(error).__name__} for a count that is not a number"
            asked = None
        finally:
            sys.setprofile(before)
        if self.why:  # even where the law went on
            raise NotComparableError(self.why)
        return asked

    def _watch(self, frame: FrameType, event: str, called: Any) -> None:
        if event != "call":
            self._called = called if event == "c_call" else None

    @property
    def summing(self) -> bool:
        """Whether the built-in function ``sum`` asks for what is to be added."""
        return self._called is sum


class _Asks:
    """What answers no question. Its own names begin with an underscore."""

    def __init__(self, reader: _Reader) -> None:
        object.__setattr__(self, "_reader", reader)

    def _refuse(self, what: str) -> NoReturn:
        reader: _Reader = object.__getattribute__(self, "_reader")
        reader.asked(what)

    def __getattr__(self, name: str) -> NoReturn:
        self._refuse(f"it asks the dataset for {name}")

    @property  # type: ignore[misc]  # a class is no property elsewhere
    def __class__(self) -> type:
        self._refuse("it asks for the type of the dataset or of the count")


def _refuses(words: str) -> Callable[..., NoReturn]:
    def refuse(self: _Asks, *_: Any) -> NoReturn:
        self._refuse(words)

    return refuse


for _names, _words in (
    ("lt le gt ge eq ne", "it compares the count, or the dataset"),
    ("bool", "it asks whether the count is true"),
    ("hash index int float complex round trunc floor ceil", "it asks for the number that the count is"),
    ("str repr format bytes", "it asks for the text of the count"),
    (
        "len iter getitem contains reversed next call",
        "it looks into the dataset otherwise than by sum(sizes)",
    ),
    ("floordiv rfloordiv mod rmod divmod rdivmod", "it divides the count as a whole number"),
    (
        "and or xor rand ror rxor lshift rshift rlshift rrshift invert matmul",
        "it reads the bits of the count",
    ),
    ("setattr delattr reduce_ex copy deepcopy dir", "it changes or copies the count"),
):
    for _name in _names.split():
        setattr(_Asks, f"__{_name}__", _refuses(_words))


class _Sizes(_Asks):
    """A dataset of establishments, of which nothing but the sum is told."""

    def __init__(self, reader: _Reader, total: Formula) -> None:
        super().__init__(reader)
        object.__setattr__(self, "_total", total)

    def __iter__(self) -> Iterator[Formula]:
        if not object.__getattribute__(self, "_reader").summing:
            self._refuse("it looks into the dataset otherwise than by sum(sizes)")
        return iter((object.__getattribute__(self, "_total"),))


class Formula(_Asks):
    """A number: how it follows from the count, its start and slope on a line, and whether it depends."""

    def __init__(self, reader: _Reader, at: At, line: Line | None, depends: bool) -> None:
        super().__init__(reader)
        for name, value in (("_at", at), ("_line", line), ("_depends", depends)):
            object.__setattr__(self, name, value)


def _value(number: Any, c: World, count: Number) -> Number:
    if type(number) is Formula:
        return object.__getattribute__(number, "_at")(c, count)
    return c.number(number)


def _line(number: Any) -> Line | None:
    if type(number) is Formula:
        found: Line | None = object.__getattribute__(number, "_line")
        return found
    return Fraction(number), Fraction(0)


def _depends(number: Any) -> bool:
    return type(number) is Formula and bool(object.__getattribute__(number, "_depends"))


def _on_a_line(operation: Callable[[Any, Any], Any], first: Line | None, second: Line | None) -> Line | None:
    """The line of a sum, a difference, a multiple or a share."""
    if first is None or second is None:
        return None
    if operation in (add, sub):
        return operation(first[0], second[0]), operation(first[1], second[1])
    if operation is mul and not first[1]:
        first, second = second, first
    if second[1] or (operation is truediv and not second[0]):
        return None
    return operation(first[0], second[0]), operation(first[1], second[0])


def _joined(operation: Callable[[Any, Any], Any], swapped: bool) -> Callable[[Formula, Any], Formula]:
    def join(self: Formula, other: Any) -> Formula:
        if not (type(other) is Formula or isinstance(other, int | Fraction)):
            self._refuse("it calculates with something else than exact numbers")
        first, second = (other, self) if swapped else (self, other)
        return Formula(
            object.__getattribute__(self, "_reader"),
            lambda c, n: operation(_value(first, c, n), _value(second, c, n)),
            _on_a_line(operation, _line(first), _line(second)),
            _depends(first) or _depends(second),
        )

    return join


for _operation in (add, sub, mul, truediv):
    setattr(Formula, f"__{_operation.__name__}__", _joined(_operation, False))
    setattr(Formula, f"__r{_operation.__name__}__", _joined(_operation, True))
for _name, _method in (
    ("neg", lambda self: self * -1),
    ("pos", lambda self: self),
    ("abs", _refuses("it takes |count|: write c.absolute")),
    ("pow", _refuses("it takes a power of the count: write c.power")),
):
    setattr(Formula, f"__{_name}__", _method)


class _Formulas:
    """The world in which a law is read as a formula."""

    def __init__(self, reader: _Reader) -> None:
        self._reader = reader

    @property
    def pi(self) -> Formula:
        return Formula(self._reader, lambda c, n: c.pi, None, False)

    def number(self, value: Any) -> Any:
        if type(value) is Formula:
            return value
        if not isinstance(value, int | Fraction):
            self._reader.asked("it calculates with something else than exact numbers")
        exact = Fraction(value)
        return Formula(self._reader, lambda c, n: c.number(exact), (exact, Fraction(0)), False)

    def __getattr__(self, name: str) -> Callable[..., Formula]:
        if not callable(getattr(ARB, name, None)):
            raise AttributeError(name)

        def apply(*inputs: Any) -> Formula:
            lifted = [self.number(each) for each in inputs]
            return Formula(
                self._reader,
                lambda c, n: getattr(c, name)(*(_value(one, c, n) for one in lifted)),
                None,
                any(map(_depends, lifted)),
            )

        return apply
