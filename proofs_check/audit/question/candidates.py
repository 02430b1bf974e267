"""Which neighbors are worth trying: where small and large establishments, zeros and ties differ."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from establish.proofs_check.audit.question.boundaries import BESIDE, SCALED, THRESHOLDS, TYPES, steps
from establish.proofs_check.audit.question.result import Dataset, Pair, total
from establish.spec.neighbor_functions.functions import NeighborFunction
from establish.spec.neighbor_functions.intervals import farthest_floats
from establish.spec.parameters import Rational
from establish.spec.relations.psi import Psi

MANY = 100
"""Establishments with more workers change in fewer ways where worker attributes are told apart."""

VALUES = (10.0, 100.0, 1000.0, 10_000.0, 100_000.0, 1_000_000.0)
"""Establishment values that change, besides the smallest ones."""

SEVERAL = 4
"""So many kinds of records are tried in several tables, at most."""

REACHED = (5, 10, 20, 50, 100)
"""Counts of one kind of records at which they are suppressed or change their class, besides small ones: of
a kind that is neither the first nor the last a scan sees no threshold."""

BETWEEN = 12
"""Of the other kinds so many are tried in one table, at most: all of them, or at equal distances."""

Related = Callable[[Dataset, Dataset], bool]


def size(pair: Pair) -> float:
    """The larger of the two datasets' totals; records count 1 each."""
    return max(total(pair[0]), total(pair[1]))


def order(pair: Pair) -> tuple[float, float, str]:
    """Simpler pairs first: by size, then by the number of establishments, then by their text."""
    length = len(pair[0]) if isinstance(pair[0], tuple) else 0
    return size(pair), float(length), repr(pair)


def counts(most: int) -> Iterator[Pair]:
    """A count and the next one."""
    for step in steps((Fraction(1, 10**12),), most):
        if step.after == step.before + 1 and not step.others:
            yield step.before, step.after


def records(domain: Sequence[str], most: int, related: Related) -> Iterator[Pair]:
    """Tables that hold one record many times or all records in turn, and what is next to them.

    Of many kinds of records it is the first three and the last: a loop may end too early. Then come
    counts of one kind that reach a threshold, and one record of each kind in between.
    """
    every = sorted(domain)
    values = every if len(every) <= SEVERAL else [*every[: SEVERAL - 1], every[-1]]
    between = every[SEVERAL - 1 : -1]
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
    for value in values:
        for count in REACHED:
            full = (value,) * count
            for other in (full[1:], *(tuple(sorted((*full[1:], one))) for one in values[:2])):
                if count <= most and related(other, full):
                    yield other, full
    kinds = [between[at * len(between) // BETWEEN] for at in range(BETWEEN)] if between else []
    for kind in dict.fromkeys(kinds):
        for other in ((), (values[0],)):
            if most >= 1 and related(other, (kind,)):
                yield other, (kind,)


def establishments(
    related: Related, share: tuple[Fraction, ...], attributes: int | None, most: int
) -> Iterator[Pair]:
    """One establishment changes, alone and beside others, as ``boundaries`` lists it."""
    for number, step in enumerate(steps(share, most)):
        others: tuple[Any, ...] = step.others
        if attributes is None:
            changes: Iterator[tuple[Any, Any]] = iter([(step.before, step.after)])
        else:
            more = step.after - step.before
            simple = bool(others) or step.before > MANY
            changes = _shapes(step.before, more, attributes, simple)
            others = tuple(_at(attributes, {0: other}) for other in step.others)
        for before, after in changes:
            if related((before,), (after,)):
                first = number % 2 == 0  # an establishment may be treated by where it stands
                yield (
                    ((before, *others), (after, *others)) if first else ((*others, before), (*others, after))
                )


def _at(attributes: int, entries: dict[int, int]) -> tuple[int, ...]:
    return tuple(entries.get(value, 0) for value in range(attributes))


def _shapes(x: int, more: int, attributes: int, simple: bool) -> Iterator[tuple[Any, Any]]:
    """Growth in the same value, in a value that nobody had, and in two values at once."""
    last = attributes - 1
    yield _at(attributes, {0: x}), _at(attributes, {0: x + more})
    if not last:
        return
    yield _at(attributes, {0: x}), _at(attributes, {0: x, last: more})
    if simple:
        return
    yield _at(attributes, {last: x}), _at(attributes, {0: more, last: x})
    yield _at(attributes, {0: x, last: x}), _at(attributes, {0: x + more, last: x + more})
    yield _at(attributes, {0: x, last: x}), _at(attributes, {0: x + more, last: x})
    yield _at(attributes, {0: x, last: 1}), _at(attributes, {0: x, last: 2})
    if more > 1:
        half = more // 2
        yield _at(attributes, {0: x}), _at(attributes, {0: x + more - half, last: half})


def values(relation: Psi, most: int) -> Iterator[Pair]:
    """A value and the farthest that are still close, on both sides, and a point in between.

    The least value is tried beside several establishments, too, since rules count those that are not
    empty; the ends of integer types come last.
    """
    least = 0.0 if all(psi.real_at_zero for psi, _ in relation.attributes) else 1.0
    for x in (least, 0.25, 1.0, 4.0, *VALUES, *map(float, THRESHOLDS)):
        before = _record(relation, x)
        for after in _moved(relation, x):
            if after == before or not relation.close(before, after):
                continue
            yield (before,), (after,)
            if x in THRESHOLDS and x not in VALUES:
                continue
            for other in (before, _scaled(before, 0.1), _scaled(before, 10.0)):
                yield (before, other), (after, other)
            for others in BESIDE if x == least else ():
                rest = tuple(_record(relation, float(other)) for other in others)
                yield (before, *rest), (after, *rest)
    for end in (*TYPES, *SCALED):
        before, below = _record(relation, float(end)), _moved(relation, float(end))[0]
        if before != below and relation.close(before, below):
            yield (below,), (before,)


def _record(relation: Psi, x: float) -> Any:
    return (x,) * len(relation.attributes) if relation.several else x


def _moved(relation: Psi, x: float) -> list[Any]:
    """What an establishment of value x, in each attribute, may become; first the least."""
    ends = [_ends(psi, x, gamma) for psi, gamma in relation.attributes]
    if not relation.several:
        return [*ends[0]]
    before = (x,) * len(ends)
    moved: list[Any] = [tuple(end[side] for end in ends) for side in (0, 1, 2)]
    if len(ends) > 1:
        moved.append(tuple(end[i % 2] for i, end in enumerate(ends)))
        moved += [(*before[:i], end[1], *before[i + 1 :]) for i, end in enumerate(ends)]
    return moved


def _ends(psi: NeighborFunction, x: float, gamma: Rational) -> tuple[float, float, float]:
    low, high = farthest_floats(psi, x, gamma)
    return low, high, (x + high) / 2


def _scaled(record: Any, factor: float) -> Any:
    return tuple(v * factor for v in record) if isinstance(record, tuple) else record * factor
