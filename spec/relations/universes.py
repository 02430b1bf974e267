"""Finite universes of establishment sizes, and of shapes (counts by worker attribute value)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from numbers import Integral

from establish.spec import strategies as st
from establish.spec.parameters import ParameterError

Sizes = tuple[int, ...]
"""The number of workers of each establishment."""

Shape = tuple[int, ...]
"""The number of workers of one establishment by value of the worker attributes."""

Shapes = tuple[Shape, ...]
"""The shape of each establishment."""


def is_count(value: object) -> bool:
    """Whether ``value`` is a whole number of at least 0; True and 1.0 are none."""
    if type(value) is int:  # as most are
        return value >= 0
    return isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= 0


def require_counts(values: Iterable[object]) -> None:
    """Raise ParameterError for a number of workers, or of records, that is not a whole one of at least 0."""
    for value in values:
        if not is_count(value):
            raise ParameterError(f"{value!r} is not a count: counts are whole numbers of at least 0")


def _at_least(least: int, **named: int) -> None:
    for name, value in named.items():
        if not isinstance(value, Integral) or isinstance(value, bool):
            raise ParameterError(f"{name} = {value!r} is not allowed: {name} is a whole number")
        if value < least:
            raise ParameterError(f"{name} = {value} is not allowed: {name} is at least {least}")


@dataclass(frozen=True)
class SizeUniverse:
    """All tuples of ``establishments`` sizes between 0 and ``most``.

    Raises ParameterError for establishments < 1 or most < 0.
    """

    establishments: int
    most: int

    def __post_init__(self) -> None:
        _at_least(1, establishments=self.establishments)
        _at_least(0, most=self.most)

    def datasets(self) -> Iterator[Sizes]:
        yield from product(range(self.most + 1), repeat=self.establishments)

    def strategy(self) -> st.SearchStrategy[Sizes]:
        return st.tuples(*[st.integers(0, self.most) for _ in range(self.establishments)])

    def workforces(self, d: Sizes) -> Sizes:
        return d

    def comparable(self, d: Sizes, d2: Sizes) -> bool:
        require_counts((*d, *d2))
        return len(d) == len(d2)

    def with_workforce(self, d: Sizes, e: int, workforce: int) -> Sizes:
        return (*d[:e], workforce, *d[e + 1 :])

    def possible(self, d: Sizes, e: int) -> Iterator[int]:
        yield from range(self.most + 1)

    def additions(self, d: Sizes, e: int, count: int) -> Iterator[int]:
        if d[e] + count <= self.most:
            yield d[e] + count

    def removals(self, d: Sizes, e: int, count: int) -> Iterator[int]:
        if d[e] >= count:
            yield d[e] - count

    def includes(self, large: int, small: int) -> bool:
        return small <= large

    def headcount(self, workforce: int) -> int:
        return workforce

    def shape(self, workforce: int) -> Shape:
        return (workforce,)


@dataclass(frozen=True)
class ShapeUniverse:
    """All tuples of ``establishments`` shapes of ``values`` counts between 0 and ``most``.

    Raises ParameterError for establishments < 1, values < 1 or most < 0.
    """

    establishments: int
    values: int
    most: int

    def __post_init__(self) -> None:
        _at_least(1, establishments=self.establishments, values=self.values)
        _at_least(0, most=self.most)

    def datasets(self) -> Iterator[Shapes]:
        yield from product(self._shapes(), repeat=self.establishments)

    def strategy(self) -> st.SearchStrategy[Shapes]:
        shape = st.tuples(*[st.integers(0, self.most) for _ in range(self.values)])
        return st.tuples(*[shape for _ in range(self.establishments)])

    def _shapes(self) -> Iterator[Shape]:
        yield from product(range(self.most + 1), repeat=self.values)

    def workforces(self, d: Shapes) -> Shapes:
        return d

    def comparable(self, d: Shapes, d2: Shapes) -> bool:
        require_counts(count for shape in (*d, *d2) for count in shape)
        return [len(shape) for shape in d] == [len(shape) for shape in d2]

    def with_workforce(self, d: Shapes, e: int, workforce: Shape) -> Shapes:
        return (*d[:e], workforce, *d[e + 1 :])

    def possible(self, d: Shapes, e: int) -> Iterator[Shape]:
        yield from self._shapes()

    def additions(self, d: Shapes, e: int, count: int) -> Iterator[Shape]:
        room = tuple(self.most - n for n in d[e])
        for split in _splits(count, room):
            yield tuple(n + more for n, more in zip(d[e], split, strict=True))

    def removals(self, d: Shapes, e: int, count: int) -> Iterator[Shape]:
        for split in _splits(count, d[e]):
            yield tuple(n - fewer for n, fewer in zip(d[e], split, strict=True))

    def includes(self, large: Shape, small: Shape) -> bool:
        return all(s <= n for s, n in zip(small, large, strict=True))

    def headcount(self, workforce: Shape) -> int:
        return sum(workforce)

    def shape(self, workforce: Shape) -> Shape:
        return workforce


def _splits(total: int, room: Shape) -> Iterator[Shape]:
    """Every way to write ``total`` as one summand per entry of ``room``, none beyond its entry."""
    if not room:
        if total == 0:
            yield ()
        return
    for first in range(min(total, room[0]) + 1):
        for rest in _splits(total - first, room[1:]):
            yield (first, *rest)
