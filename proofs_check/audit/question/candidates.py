"""Which neighbors are worth trying: where small and large establishments, zeros and ties differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import ceil, floor
from typing import Any

from establish.proofs_check.audit.question.result import Dataset, Pair
from establish.spec.neighbor_functions.functions import NeighborFunction
from establish.spec.neighbor_functions.intervals import farthest_floats
from establish.spec.parameters import Rational
from establish.spec.relations.psi import Psi

MAGNITUDES = (10, 100, 1000, 10_000)
"""Sizes from which an establishment grows, besides the smallest ones."""

BOUNDARIES = (4, 5, 9, 49, 50, 99, 499, 500, 999)
"""Sizes where one more crosses a boundary of rounding to tens, hundreds or thousands."""

Related = Callable[[Dataset, Dataset], bool]


def size(pair: Pair) -> float:
    """The larger of the two datasets' totals; records count 1 each."""
    return max(_total(pair[0]), _total(pair[1]))


def order(pair: Pair) -> tuple[float, float, str]:
    """Simpler pairs first: by size, then by the number of establishments, then by their text."""
    length = len(pair[0]) if isinstance(pair[0], tuple) else 0
    return size(pair), float(length), repr(pair)


def _total(d: Dataset) -> float:
    if isinstance(d, tuple):
        return float(sum(map(_total, d)))
    return abs(float(d)) if isinstance(d, (int, float, Fraction)) else 1.0


def counts(most: int) -> Iterator[Pair]:
    """A count and the next one."""
    for n in sorted({0, 1, 2, 3, *BOUNDARIES, *MAGNITUDES, most - 1}):
        if 0 <= n < most:
            yield n, n + 1


def records(domain: Sequence[str], most: int, related: Related) -> Iterator[Pair]:
    """Tables that hold one record many times or all records in turn, and what is next to them."""
    values = sorted(domain)[:4]
    tables: set[tuple[str, ...]] = {()}
    for length in (1, 2, 3, 10, 100):
        if length <= most:
            tables |= {(value,) * length for value in values}
            tables.add(tuple(sorted((values * length)[:length])))
    for table in sorted(tables, key=lambda table: (len(table), table)):
        grown = [tuple(sorted((*table, value))) for value in values]
        changed = [
            tuple(sorted((*table[:at], value, *table[at + 1 :])))
            for at in dict.fromkeys(map(table.index, dict.fromkeys(table)))
            for value in values
        ]
        yield from ((table, other) for other in (*grown, *changed) if related(table, other))


def establishments(
    related: Related, share: tuple[Fraction, ...], attributes: int | None, most: int
) -> Iterator[Pair]:
    """One establishment changes, alone and beside larger, smaller, equal and empty ones."""
    for before, after in _workforces(share, attributes):
        if not related((before,), (after,)):
            continue
        yield (before,), (after,)
        for others in _companions(before, after, attributes):
            yield (before, *others), (after, *others)
            yield (*others, before), (*others, after)
    if attributes is None:
        crossing = {*BOUNDARIES, *(2 * _growing(share) - 1 for _ in share)}
        yield from (((x,), (x + 1,)) for x in sorted(crossing))


def _growing(share: tuple[Fraction, ...]) -> int:
    """The size 1/α from which more than one worker may join, 9 where there is no α."""
    return ceil(1 / share[0]) if share else 9


def _workforces(share: tuple[Fraction, ...], attributes: int | None) -> Iterator[tuple[Any, Any]]:
    """Workforces before and after a step; those that the relation does not allow are sorted out."""
    first, alpha = _growing(share), share[0] if share else None
    for x in sorted({0, 1, 2, first - 1, first, first + 1, 2 * first, *MAGNITUDES} - {-1}):
        steps = (
            {1, x // 2, 9 * x} if alpha is None else {1, floor(alpha * x) // 2, floor(alpha * x)}
        )
        for more in sorted(steps - {0}):
            if attributes is None:
                yield x, x + more
            else:
                yield from _shapes(x, more, attributes)
        if alpha is None and x:
            yield (0, x) if attributes is None else ((0,) * attributes, _at(attributes, {0: x}))


def _at(attributes: int, entries: dict[int, int]) -> tuple[int, ...]:
    return tuple(entries.get(value, 0) for value in range(attributes))


def _shapes(x: int, more: int, attributes: int) -> Iterator[tuple[Any, Any]]:
    """Growth in the same value, in a value that nobody had, and in two values at once."""
    last = attributes - 1
    yield _at(attributes, {0: x}), _at(attributes, {0: x + more})
    if not last:
        return
    yield _at(attributes, {0: x}), _at(attributes, {0: x, last: more})
    yield _at(attributes, {last: x}), _at(attributes, {0: more, last: x})
    yield _at(attributes, {0: x, last: x}), _at(attributes, {0: x + more, last: x + more})
    yield _at(attributes, {0: x, last: x}), _at(attributes, {0: x + more, last: x})
    yield _at(attributes, {0: x, last: 1}), _at(attributes, {0: x, last: 2})
    if more > 1:
        half = more // 2
        yield _at(attributes, {0: x}), _at(attributes, {0: x + more - half, last: half})


def _companions(before: Any, after: Any, attributes: int | None) -> Iterator[tuple[Any, ...]]:
    """Other establishments of the cell: an empty one, a single worker, an equal, a ten times larger."""
    if attributes is None:
        yield from ((other,) for other in dict.fromkeys((0, 1, after, 10 * max(before, after))))
        if before == 0:
            yield 0, 0
        return
    sizes = max(sum(before), sum(after))
    yield ((0,) * attributes,)
    yield ((10 * sizes,) * attributes,)
    if sizes > 1:
        yield (_at(attributes, {0: 1}),)


def values(relation: Psi, most: int) -> Iterator[Pair]:
    """A value and the farthest that are still close, on both sides, and a point in between."""
    least = 0.0 if all(psi.real_at_zero for psi, _ in relation.attributes) else 1.0
    for x in (least, 0.25, 1.0, 4.0, *map(float, MAGNITUDES)):
        steps = [_ends(psi, x, gamma) for psi, gamma in relation.attributes]
        if not relation.several:
            moved: list[Any] = [*steps[0]]
            before: Any = x
        else:
            before = (x,) * len(steps)
            moved = [tuple(end[side] for end in steps) for side in (0, 1, 2)]
            if len(steps) > 1:
                moved.append(tuple(end[i % 2] for i, end in enumerate(steps)))
                moved += [(*before[:i], end[1], *before[i + 1 :]) for i, end in enumerate(steps)]
        for after in moved:
            if after == before or not relation.close(before, after):
                continue
            yield (before,), (after,)
            for other in (before, _scaled(before, 0.1), _scaled(before, 10.0)):
                yield (before, other), (after, other)


def _ends(psi: NeighborFunction, x: float, gamma: Rational) -> tuple[float, float, float]:
    low, high = farthest_floats(psi, x, gamma)
    return low, high, (x + high) / 2


def _scaled(record: Any, factor: float) -> Any:
    return tuple(v * factor for v in record) if isinstance(record, tuple) else record * factor
