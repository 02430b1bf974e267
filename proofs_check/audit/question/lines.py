"""Datasets in a row, one step from the next: where thresholds, classes, caps and shares are looked for.

A line moves one number and leaves all else. Its values are looked at one after the other, and between two
that are no neighbors it may be cut in halves.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from establish.proofs_check.audit.question.result import Dataset
from establish.spec.neighbor_functions.intervals import farthest_floats
from establish.spec.relations.psi import Psi

EVERY = 10_000
"""Every count up to this one is looked at where it is quick."""

LONG = 300
"""Every number of establishments, or of records that are many at once, up to this one."""

APART = 1.02
"""Beyond, about so many times the value before."""

MOST = 2**32
"""No value of a line is larger."""

FINE = 2000
"""So many steps of a distance below 1 are gone one by one."""

BESIDE = (100, 50)
"""The others where one establishment moves."""

RESTS = ((50, 50), (10_000, 5_000), (4_000,) * 3, (5_000,) * 4)
"""The others where shares move: that of the largest from 1/3 to 99%, of the two largest from 1/2, of the
three largest from 3/5, and what all but the two largest hold up to half of the largest."""


class Line(NamedTuple):
    """words: what moves. at: the dataset at a value. values: ascending."""

    words: str
    at: Callable[[Any], Dataset]
    values: Sequence[Any]

    def between(self, low: Any, high: Any) -> Any:
        """A value between two, None where there is none."""
        middle = (low + high) // 2 if isinstance(low, int) else (low + high) / 2
        return middle if low < middle < high else None


def whole(every: int, most: int) -> list[int]:
    """Every number up to ``every``, then APART up to ``most``."""
    if every >= most:
        return list(range(most + 1))
    steps = int(np.log(most / every) / np.log(APART)) + 2
    beyond = np.unique(np.geomspace(every, most, steps).round().astype(np.int64))
    return [*range(every), *beyond.tolist()]


def _beside(place: Callable[[Any], Any], rest: Dataset, value: Any) -> Dataset:
    """What moves, then the others."""
    return (place(value), *rest)


def _among(one: Any, other: Any, total: int, many: int) -> Dataset:
    """So many of the one, and the other in all remaining places."""
    return (one,) * many + (other,) * (total - many)


def _with(one: Any, rest: Dataset, many: int) -> Dataset:
    """So many of the one before the others."""
    return (one,) * many + rest


def counts() -> Iterator[Line]:
    """A count of records."""
    yield Line("the count", lambda n: n, whole(EVERY, MOST))


def records(domain: Sequence[str], substitution: bool) -> Iterator[Line]:
    """One kind of records alone, and beside another; or one in place of another."""
    kinds = sorted(domain)
    first, last = kinds[0], kinds[-1]
    if substitution:
        for total in (LONG, EVERY):
            words = f"records {first!r} among {total:,}"
            yield Line(words, partial(_among, first, last, total), whole(LONG, total))
        return
    for kind in dict.fromkeys((first, last)):
        yield Line(f"records {kind!r} alone", partial(_with, kind, ()), whole(10 * LONG, EVERY))
    if first != last:
        words = f"records {first!r} beside 50 {last!r}"
        yield Line(words, partial(_with, first, (last,) * 50), whole(LONG, EVERY))


def establishments(attributes: int | None) -> Iterator[Line]:
    """The size of one establishment alone and beside others, the number of them, and shares."""
    numbers, largest = whole(EVERY, MOST), list(range(EVERY + 1))

    def place(n: int, at: int = 0, other: int = 0) -> Any:
        if attributes is None:
            return n
        held = [0] * attributes
        held[-1 - at] += other
        held[at] += n
        return tuple(held)

    yield Line("the size of one establishment", lambda n: (place(n),), numbers)
    if attributes is not None and attributes > 1:
        words = "one attribute of one establishment"
        yield Line(words, lambda n: (place(n, attributes - 1),), numbers)
        yield Line(f"{words} with 50 others", lambda n: (place(n, 0, 50),), largest)
    rest = tuple(map(place, BESIDE))
    yield Line(f"the size beside {BESIDE}", lambda n: (*rest, place(n)), numbers)
    empty, one = place(0), place(1)
    for total in (LONG, EVERY):
        words = f"the number of establishments among {total:,}"
        yield Line(words, partial(_among, one, empty, total), whole(LONG, total))
    for others in RESTS:
        beside = tuple(map(place, others))
        yield Line(f"its share beside {others}", partial(_beside, place, beside), largest)


def values(relation: Psi) -> Iterator[Line]:
    """The value of one establishment alone and beside others, the number of them, and shares."""
    psi, gamma = relation.attributes[0]
    steps = _steps(psi, gamma)
    if len(steps) < 2:
        return
    up_to = [x for x in steps if x <= EVERY]

    def place(x: float, at: int = 0) -> Any:
        if not relation.several:
            return float(x)
        held = [100.0] * len(relation.attributes)
        held[at] = float(x)
        return tuple(held)

    yield Line("the value of one establishment", lambda x: (place(x),), steps)
    for at, (other, distance) in enumerate(relation.attributes[1:3], 1):
        moved = _steps(other, distance)
        words = f"attribute {at + 1} of one establishment"
        yield Line(words, partial(_beside, partial(place, at=at), ()), moved)
    rest = tuple(map(place, BESIDE))
    yield Line(f"the value beside {BESIDE}", lambda x: (*rest, place(x)), up_to)
    if steps[0] == 0.0:
        empty, one = place(0.0), place(steps[1])
        for total in (LONG, EVERY):
            words = f"the number of establishments among {total:,}"
            yield Line(words, partial(_among, one, empty, total), whole(LONG, total))
    for others in RESTS:
        beside = tuple(map(place, others))
        yield Line(f"its share beside {others}", partial(_beside, place, beside), up_to)


def _steps(psi: Any, gamma: Any) -> list[float]:
    """From the least value on, as far as neighbors may be but no farther than 1, then whole numbers."""
    x = 0.0 if psi.real_at_zero else 1.0
    found = [x]
    while len(found) < FINE and x < EVERY:
        _, high = farthest_floats(psi, x, gamma)
        if high >= x + 1 or not high > x:
            break
        found.append(x := high)
    following = int(np.floor(found[-1])) + 1
    return [*found, *(float(x) for x in whole(EVERY, MOST) if x >= following)]
