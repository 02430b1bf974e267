"""Who is a neighbor of whom: what is enumerated in small universes is what the definitions say."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, combinations, product
from typing import Any

from establish import Every, ShapeUniverse, SizeUniverse, Universe, Verdict, claim, exhaustive, holds
from establish.spec.relations.edge import Edge
from establish.spec.relations.history import ChangeOfHistory, PresenceOfHistory, histories_up_to
from establish.spec.relations.node import Node
from establish.spec.relations.psi import Psi
from establish.spec.relations.record import AddOrRemove
from establish.spec.relations.strong import Strong
from establish.spec.relations.substitution import JobSubstitution
from establish.spec.relations.weak import Weak
from establish.spec.tables import Tables, Workplace

PLACE = "Neighbors in small universes"
KINDS = (("F",), ("M",))
"""Two values of one worker attribute."""

TWO_PLACES = (Workplace("e", ("north",)), Workplace("f", ("south",)))
TABLES = Universe(TWO_PLACES, ("v", "w"), KINDS)
LARGER = Universe(TWO_PLACES, ("u", "v", "w"), KINDS)
SHAPES, SIZES = ShapeUniverse(2, 2, 2), SizeUniverse(2, 4)
ALPHAS = tuple(map(Fraction, ("1/3", "1/2", "1", "2")))


def _relations() -> Iterator[Any]:
    for universe in (SIZES, SHAPES, TABLES):
        yield Edge(universe)
        yield Node(universe)
        for alpha in ALPHAS:
            yield Strong(universe, alpha)
            yield Weak(universe, alpha)
    yield JobSubstitution(TABLES)
    records = histories_up_to([("2019",), ("2020",)], 2)
    yield PresenceOfHistory(("p", "q"), records)
    yield ChangeOfHistory(("p", "q"), records)
    yield AddOrRemove(("a", "b"), 3)
    yield Psi("sqrt", "1/2", (0, 1, 2, 4), 2)
    yield Psi("identity", 1, (0, 1, 2, 3), 2)


def _lists_exactly_its_neighbors(relation: Any) -> bool:
    everything = list(relation.datasets())
    for d in everything:
        listed = list(relation.neighbors(d))
        related = {other for other in everything if relation.related(d, other)}
        if set(listed) != related or len(listed) != len(related) or d in related:
            return False
    return True


def _lists_no_more_than_the_strong_ones(relation: Any) -> bool:
    return isinstance(relation, Strong)


LISTED = Every(
    "relation in its universe",
    _relations,
    _lists_exactly_its_neighbors,
    wrong=_lists_no_more_than_the_strong_ones,
)


Pair = tuple[Tables, Tables]


def _pairs() -> Iterator[Pair]:
    yield from product(TABLES.datasets(), repeat=2)


def _changed(pair: Pair) -> list[tuple[frozenset[Any], frozenset[Any]]]:
    """The workforces of the one or more workplaces that differ."""
    both = ((pair[0].workforce(place.id), pair[1].workforce(place.id)) for place in TWO_PLACES)
    return [(first, second) for first, second in both if first != second]


def _grown(pair: Pair) -> tuple[frozenset[Any], frozenset[Any]] | None:
    """E and E' where one workplace's workforce is a part of what it is in the other table."""
    changed = _changed(pair)
    if len(changed) != 1:
        return None
    small, large = sorted(changed[0], key=len)
    return (small, large) if small < large else None


def _may_grow(x: int, y: int, alpha: Fraction) -> bool:
    return x <= y <= max((1 + alpha) * x, Fraction(x + 1))


def _are_neighbors_as_defined(pair: Pair) -> bool:
    """Edge, node, strong and weak neighbors, each by its sentence; with multiplicities of one."""
    grown = _grown(pair)
    if Node(TABLES).related(*pair) != (len(_changed(pair)) == 1):
        return False
    more = len(grown[1]) - len(grown[0]) if grown else 0
    if Edge(TABLES).related(*pair) != (more == 1):
        return False
    for alpha in ALPHAS:
        strong = grown is not None and _may_grow(len(grown[0]), len(grown[1]), alpha)
        weak = grown is not None and all(
            _may_grow(
                sum(w.attributes in values for w in grown[0]),
                sum(w.attributes in values for w in grown[1]),
                alpha,
            )
            for values in chain(combinations(KINDS, 1), combinations(KINDS, 2))
        )
        if (strong, weak) != tuple(relation(TABLES, alpha).related(*pair) for relation in (Strong, Weak)):
            return False
    return True


DEFINED = Every("two tables", _pairs, _are_neighbors_as_defined)


def _substitutes_one_job(pair: Pair) -> bool:
    """Whether a job taken away and another one added lead from one table to the other."""
    relation, (d, d2) = JobSubstitution(TABLES), pair
    edge, fewer = Edge(TABLES), {len(d.jobs) - 1}
    below = [
        {other for other in TABLES.datasets() if edge.related(t, other) and len(other.jobs) in fewer}
        for t in pair
    ]
    by_two_steps = d != d2 and len(d.jobs) == len(d2.jobs) and bool(below[0] & below[1])
    return relation.related(d, d2) == by_two_steps


def _has_equally_many_jobs(pair: Pair) -> bool:
    same = len(pair[0].jobs) == len(pair[1].jobs) and pair[0] != pair[1]
    return JobSubstitution(TABLES).related(*pair) == same


SUBSTITUTED = Every("two tables", _pairs, _substitutes_one_job, wrong=_has_equally_many_jobs)


Place = tuple[Any, Any, int]


def _places() -> Iterator[Place]:
    for universe in (SIZES, SHAPES, TABLES):
        yield from ((universe, d, e) for d in universe.datasets() for e in (0, 1))


def _has_every_workforce_once(place: Place) -> bool:
    """Additions and removals of a universe are the possible workforces that include or lie in one's own."""
    universe, d, e = place
    own, others = universe.workforces(d)[e], list(universe.possible(d, e))
    if own not in others or len(set(others)) < len(others):
        return False
    for count in (1, 2):
        apart = {w for w in others if universe.headcount(w) - universe.headcount(own) == count}
        more = {w for w in apart if universe.includes(w, own)}
        fewer = {
            w
            for w in others
            if universe.headcount(own) - universe.headcount(w) == count and universe.includes(own, w)
        }
        lists = [list(universe.additions(d, e, count)), list(universe.removals(d, e, count))]
        if [set(found) for found in lists] != [more, fewer]:
            return False
        if [len(found) for found in lists] != [len(more), len(fewer)]:
            return False
    for workforce in others:
        changed = universe.with_workforce(d, e, workforce)
        rest = universe.workforces(changed)
        kept = all(rest[k] == universe.workforces(d)[k] for k in range(len(rest)) if k != e)
        if rest[e] != workforce or not kept or not universe.comparable(d, changed):
            return False
        if sum(universe.shape(workforce)) != universe.headcount(workforce):
            return False
    return True


WORKFORCES = Every("universe, table and establishment", _places, _has_every_workforce_once)


def _counted() -> Iterator[tuple[Any, int]]:
    """Universes, and how many datasets they have by their parameters."""
    yield SIZES, 5**2
    yield SHAPES, 3**4
    yield TABLES, 5**2
    yield LARGER, 5**3
    yield Universe(TWO_PLACES[:1], ("w",)), 2


def _has_each_dataset_once(case: tuple[Any, int]) -> bool:
    universe, size = case
    everything = list(universe.datasets())
    counted = getattr(universe, "size", size)
    return len(everything) == len(set(everything)) == size == counted


COUNTED = Every("universe", _counted, _has_each_dataset_once)


def _shapes_of_tables() -> Iterator[tuple[Tables, str]]:
    yield from ((d, place.id) for d in TABLES.datasets() for place in TWO_PLACES)


def _shape_counts_each_value(case: tuple[Tables, str]) -> bool:
    d, place = case
    workforce = d.workforce(place)
    return TABLES.shape(workforce) == tuple(
        sum(worker.attributes == value for worker in workforce) for value in KINDS
    )


BY_VALUE = Every("table and workplace", _shapes_of_tables, _shape_counts_each_value)
SMALL = "two establishments, two workers or up to 2 of each of two kinds, α = 1/3, 1/2, 1, 2"


@claim(
    "establish/neighbors-are-listed",
    where=PLACE,
    says="Every neighbor relation lists exactly the datasets of its universe that are related, each once.",
    states=(LISTED, COUNTED),
)
def every_relation_lists_its_neighbors() -> Verdict:
    """What is enumerated and what is decided for two given datasets are written apart from each other."""
    return holds(exhaustive.each(LISTED, SMALL), exhaustive.each(COUNTED, "five universes"))


@claim(
    "establish/neighbors-are-as-defined",
    where=PLACE,
    says="Edge, node, strong and weak neighbors are those of Definitions 7.1 and 7.3 and of Section 6, on "
    "tables whose workers have two attribute values.",
    states=DEFINED,
)
def neighbors_are_as_defined() -> Verdict:
    """The sentences of the definitions, one workplace after the other; for weak neighbors every set of
    values.
    """
    return holds(exhaustive.each(DEFINED, SMALL))


@claim(
    "establish/substitution-is-two-edge-steps",
    where=PLACE,
    says="Tables that differ by a substituted job are those with equally many jobs that one job taken away "
    "and another one added lead to.",
    states=SUBSTITUTED,
)
def a_substitution_is_two_edge_steps() -> Verdict:
    """The way between is a table with one job fewer, an edge neighbor of both."""
    return holds(exhaustive.each(SUBSTITUTED, "two workplaces, two workers of two kinds, all pairs"))


@claim(
    "establish/workforces-are-listed",
    where=PLACE,
    says="A universe lists every workforce with more or fewer workers than the present one once, and "
    "replacing a workforce changes no other.",
    states=(WORKFORCES, BY_VALUE),
)
def workforces_are_listed() -> Verdict:
    """For sizes, for counts of two kinds of workers, and for tables with two attribute values."""
    return holds(exhaustive.each(WORKFORCES, SMALL), exhaustive.each(BY_VALUE, "the tables with two values"))
