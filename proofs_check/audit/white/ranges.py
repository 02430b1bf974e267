"""On which neighbors a law is tried, and in which words a certificate names them.

Laws are cheap: besides a small universe and the pairs that outputs are tried on, one count after the other is
tried up to LINE, alone and beside others.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

from establish.proofs_check.audit.question import candidates
from establish.proofs_check.audit.question.definitions import AuditDefinition, Finite
from establish.proofs_check.audit.question.mechanism import LARGE
from establish.proofs_check.audit.question.result import Pair
from establish.spec.neighbor_functions.intervals import farthest_floats
from establish.spec.relations.growth import largest_growth
from establish.spec.relations.psi import Psi
from establish.spec.relations.universes import ShapeUniverse, SizeUniverse

MOST_SIZE = 15
"""The default universe has sizes up to this; two establishments."""

MOST_KIND = 4
"""With worker attributes it is one establishment of up to so many workers of each kind."""

MOST_COUNT, MOST_RECORDS = 50, 4
"""The default universe has counts up to this, and so many records."""

LINE, SCANNED = 300, 10_000
"""Counts up to this are tried one by one, and then scanned up to this."""

BESIDE = (50, 50)
"""Beside these an establishment grows through every share of the total that is of use to a dominance rule."""


@dataclass(frozen=True)
class Range:
    """Neighbors, and how a certificate names them.

    pairs: each in one order; words: their datasets, to stand behind "certified"; told: which pairs they are.
    complete: whether the definition has no others. optional: pairs of our own list with datasets so large
    that a law need not be defined on them. lines: whether counts are tried one by one afterwards.
    """

    pairs: tuple[Pair, ...]
    words: str
    told: str
    complete: bool = False
    optional: frozenset[Pair] = frozenset()
    lines: bool = False


def range_of(
    definition: AuditDefinition, universe: Finite | None = None, pairs: Iterable[Pair] | None = None
) -> Range:
    """What a law is tried on: the pairs, the universe, or a small universe and the definition's own pairs.

    Raises ParameterError as ``AuditDefinition.listed`` does.
    """
    if universe is not None or pairs is not None:
        listed = tuple(definition.listed(universe, pairs))
        if universe is None:
            return Range(listed, f"on the {_many(len(listed))} given", "pairs of neighbors that are listed")
        return Range(listed, _words(universe), f"neighbors {_among(universe)}")
    own = definition.listed()
    if definition.given:
        drawn = f"on {_many(len(own))} that were drawn"
        told = "pairs of neighbors that are listed"
        return Range(tuple(own), "" if definition.all_given else drawn, told, definition.all_given)
    small = default_universe(definition)
    every = definition.listed(small) if small is not None else []
    seen = {*every, *((second, first) for first, second in every)}
    more = [pair for pair in own if pair not in seen]
    words = f"on the {_many(len(own))} that are listed" if small is None else _words(small)
    told = "neighbors that outputs are tried on"
    if small is not None:
        told = f"neighbors {_among(small)} and {told}"
    optional = frozenset(pair for pair in more if candidates.size(pair) > LARGE)
    return Range((*every, *more), words, told, optional=optional, lines=True)


def default_universe(definition: AuditDefinition) -> Finite:
    """A small universe for a definition of establishments, counts or records; None for the others."""
    if definition.within is None or "psi" in definition.parameters:
        return None
    if "attributes" in definition.parameters:
        attributes = definition.parameters["attributes"]
        return ShapeUniverse(1, attributes, MOST_KIND) if attributes else SizeUniverse(2, MOST_SIZE)
    return MOST_RECORDS if "records" in definition.parameters else MOST_COUNT


def with_line(tried: Range, definition: AuditDefinition, reached: int) -> str:
    """The words of a range whose counts were tried one by one from 0 to ``reached``."""
    if not reached:
        return tried.words
    parameters = definition.parameters
    if not parameters and definition.within is not None:
        return f"up to {max(reached, MOST_COUNT)} records"
    kind = "workers"
    if "records" in parameters or "psi" in parameters:
        kind = "records of one kind" if "records" in parameters else "for each establishment"
    return f"{tried.words}, and in steps of one up to {reached} {kind}"


def line(definition: AuditDefinition, count: int) -> Iterator[Pair]:
    """Neighbors of which the first has a count, a size or a value of ``count``, alone and beside others."""
    for first, second in _line(definition, count):
        if definition.related(first, second):
            yield first, second


def _line(definition: AuditDefinition, n: int) -> Iterator[Pair]:
    parameters = definition.parameters
    if "psi" in parameters and definition.within is not None:
        yield from _values(cast("Psi", definition.within(())), float(n))
    elif "records" in parameters:
        first, last = min(parameters["records"]), max(parameters["records"])
        yield (first,) * n, (first,) * (n + 1)
        yield (first,) * (n + 1), (*(first,) * n, last)
        yield (last,) * n, (last,) * (n + 1)
    elif "attributes" in parameters:
        yield from _sizes(parameters["attributes"], parameters.get("alpha"), n)
    else:
        yield n, n + 1


def scanned(definition: AuditDefinition, count: int) -> Iterator[Pair]:
    """The pairs of a line that are scanned far beyond: those of a step, alone and beside others."""
    if "attributes" not in definition.parameters:
        yield from _beyond(definition, count)
        return
    for shape in _shapes(definition.parameters["attributes"]):
        yield (shape(count),), (shape(count + 1),)
        others = tuple(map(shape, BESIDE))
        yield (shape(count), *others), (shape(count + 1), *others)


def _beyond(definition: AuditDefinition, count: int) -> Iterator[Pair]:
    """Counts, records and values: of long tables it is asked at a short one which pairs are neighbors."""
    pairs = list(_line(definition, count))
    if "psi" in definition.parameters:
        yield from pairs[-1:]
        return
    for pair, (first, second) in zip(pairs, _line(definition, 1), strict=True):
        if definition.related(first, second):
            yield pair


def _values(relation: Psi, x: float) -> Iterator[Pair]:
    """A value and the least and the largest that are close to it, in every attribute at once."""
    if x == 0 and not all(psi.real_at_zero for psi, _ in relation.attributes):
        return
    ends = [farthest_floats(psi, x, gamma) for psi, gamma in relation.attributes]
    before = (x,) * len(ends)
    for after in zip(*ends, strict=True):
        if after != before:
            yield ((before,), (after,)) if relation.several else ((x,), after)


def _sizes(attributes: int | None, alpha: Fraction | None, n: int) -> Iterator[Pair]:
    """An establishment grows by a worker and by the most, alone and beside others; one opens; one closes."""
    most = n + 1 if alpha is None else n + largest_growth(n, alpha)
    for shape in _shapes(attributes):
        for after in dict.fromkeys((n + 1, most)):
            yield (shape(n),), (shape(after),)
        for others in (BESIDE, (2 * n,)):
            beside = tuple(map(shape, others))
            yield (shape(n), *beside), (shape(n + 1), *beside)
        opened = (shape(1),) * n
        yield (shape(0), *opened), (shape(1), *opened)
        yield (shape(0),), (shape(n),)
    if attributes is not None and attributes > 1:
        none = (0,) * (attributes - 2)
        yield ((n, *none, 0),), ((n, *none, 1),)


def _shapes(attributes: int | None) -> tuple[Callable[[int], Any], ...]:
    """So many workers: as a size, or all of the first and all of the last kind."""
    if attributes is None:
        return (lambda x: x,)
    none = (0,) * (attributes - 1)
    first: tuple[Callable[[int], Any], ...] = (lambda x: (x, *none),)
    return (*first, lambda x: (*none, x)) if none else first


def _many(count: int) -> str:
    return f"{count} pairs" if count != 1 else "pair"


def _words(universe: Finite) -> str:
    """A finite universe in the words of a headline."""
    if isinstance(universe, int):
        return f"up to {universe} records"
    if isinstance(universe, SizeUniverse | ShapeUniverse):
        many, of_each = universe.establishments, " of each kind" * isinstance(universe, ShapeUniverse)
        plural = "establishments" if many != 1 else "establishment"
        return f"for {many} {plural} of up to {universe.most} workers{of_each}"
    return _among(universe)


def _among(universe: Finite) -> str:
    if isinstance(universe, int):
        return f"up to {universe}"
    if isinstance(universe, (tuple, list)):  # a grid of values
        return f"with values among {', '.join(map(str, universe))}"
    return f"in {universe!r}"
