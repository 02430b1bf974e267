"""What a marginal query costs, and sums of an attribute."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from establish import Every, ParameterError, ShapeUniverse, Verdict, claim, exhaustive, holds
from establish.proofs_check.papers.ours.composition.cases import DEFINITIONS, PLACE
from establish.spec.composition import (
    RULES,
    Approximate,
    Attribute,
    DifferentialPrivacy,
    ErEe,
    Gaussian,
    Gedp,
    Marginal,
    cost_of_marginal,
    cost_of_sums,
)
from establish.spec.relations.edge import Edge
from establish.spec.relations.history import PresenceOfHistory, histories_up_to
from establish.spec.relations.node import Node
from establish.spec.relations.strong import Strong
from establish.spec.relations.weak import Weak

Query = tuple[DifferentialPrivacy | ErEe, int, bool]
"""A definition, how many worker cells a marginal has, and whether it names worker attributes."""

_ALPHA = Fraction(1)


def _queries() -> Iterator[Query]:
    for definition in DEFINITIONS:
        if isinstance(definition, Gedp) or getattr(definition, "alpha", _ALPHA) != _ALPHA:
            continue
        if definition.name != "record-dp":
            yield from ((definition, cells, True) for cells in (1, 2, 3))
            yield definition, 1, False
        elif isinstance(definition, DifferentialPrivacy):
            yield definition, definition.records, True
    yield ErEe.of("strong-er-ee", _ALPHA), 1, False


def _doublings(query: Query) -> int:
    """The k with 2^k the largest ratio of all cells' answers between neighbors, a coin of 2:1 each.

    A cell answers whether its count is above 1. Two establishments of up to two workers of each kind, one
    for three kinds; for records a person's rows in as many cells.
    """
    definition, cells, _ = query
    worst = 0
    if definition.name == "record-dp":
        one_a_cell = histories_up_to([(f"c{k}",) for k in range(cells)], cells)
        relation = PresenceOfHistory(("p", "q"), one_a_cell)
        for d in relation.datasets():
            for e in relation.neighbors(d):
                before, after = ([record for _, record in table] for table in (d, e))
                names = {*before, *after}
                changed = sum((before.count(n) > 1) != (after.count(n) > 1) for n in names)
                worst = max(worst, changed)
        return worst
    universe = ShapeUniverse(1 if cells == 3 else 2, cells, 2)
    relations: dict[str, Callable[[], Any]] = {
        "edge-dp": lambda: Edge(universe),
        "node-dp": lambda: Node(universe),
        "strong-er-ee": lambda: Strong(universe, _ALPHA),
        "weak-er-ee": lambda: Weak(universe, _ALPHA),
    }
    of_shapes = relations[definition.name]()
    for shapes in of_shapes.datasets():
        for near in of_shapes.neighbors(shapes):
            worst = max(
                worst,
                sum(
                    (x > 1) != (y > 1)
                    for own, other in zip(shapes, near, strict=True)
                    for x, y in zip(own, other, strict=True)
                ),
            )
    return worst


def _costs_what_the_worst_neighbors_lose(query: Query) -> bool:
    definition, cells, workers = query
    each = Approximate(Fraction(1, 3))
    charge = cost_of_marginal(definition, each, Marginal(cells, workers))
    known = all(name in RULES for name in charge.rules)
    over_workers = ("cells-of-workers" in charge.rules) == (
        cells > 1 and definition.name in ("node-dp", "weak-er-ee")
    )
    return (
        known
        and over_workers
        and (charge.each, charge.times) == (each, _doublings(query))
        and charge.loss == Approximate(charge.times * each.epsilon)
    )


def _costs_what_one_cell_costs(query: Query) -> bool:
    return _doublings(query) == 1


def _is_not_proved(query: Query) -> bool:
    definition, cells, workers = query
    try:
        cost_of_marginal(definition, Approximate(Fraction(1)), Marginal(cells, workers))
    except ParameterError:
        return True
    return False


MARGINALS = Every(
    "definition and marginal",
    lambda: (query for query in _queries() if not _is_not_proved(query)),
    _costs_what_the_worst_neighbors_lose,
    wrong=_costs_what_one_cell_costs,
)


def _names_workers_under_strong_privacy(query: Query) -> bool:
    return _is_not_proved(query) == (query[2] and query[0].name == "strong-er-ee")


def _needs_a_delta_that_is_not_used(definition: DifferentialPrivacy | ErEe | Gedp) -> bool:
    small = Approximate(Fraction(1), Fraction(1, 100))
    try:
        charge = cost_of_marginal(definition, small, Marginal())
    except ParameterError:
        return not isinstance(definition, ErEe)
    return isinstance(definition, ErEe) and charge.loss == small


def _shape_of_marginal(case: tuple[int, bool]) -> bool:
    cells, workers = case
    try:
        Marginal(cells, workers)
    except ParameterError:
        return cells < 1 or (cells > 1 and not workers)
    return cells == 1 or (cells > 1 and workers)


ONLY_WEAK = Every("definition and marginal", _queries, _names_workers_under_strong_privacy)
DELTA = Every("definition", lambda: DEFINITIONS, _needs_a_delta_that_is_not_used)
SHAPES = Every("number of worker cells", lambda: product((-1, 0, 1, 2), (False, True)), _shape_of_marginal)


@claim(
    "establish/marginals-cost-their-worst-neighbors",
    where=PLACE,
    says="A marginal is charged what its worst neighbors lose: one count under edge and record privacy and "
    "over establishment attributes, as many as a person has records, and d counts over d worker cells under "
    "node and weak privacy; worker attributes are refused under strong privacy, and δ outside ER-EE.",
    states=(MARGINALS, ONLY_WEAK, DELTA, SHAPES),
)
def marginals_cost_what_their_worst_neighbors_lose() -> Verdict:
    """Every cell answers by a coin of 2:1 whether its count is above 1, with a loss of exactly ln 2 where
    the answers differ, and independent coins multiply: the loss of all cells is the most of them that a
    neighbor changes, times ln 2. At α = 1 one worker of each kind may become two, so d cells change at once.
    """
    small = "two establishments of up to two workers of each of 1 or 2 kinds, one of 3; α = 1; 1 or 3 records"
    return holds(
        exhaustive.each(MARGINALS, small),
        exhaustive.each(ONLY_WEAK, "the same definitions and marginals"),
        exhaustive.each(DELTA, "every definition, δ = 1/100"),
        exhaustive.each(SHAPES, "from −1 to 2 worker cells"),
        value="times 1, k or d",
    )


def _sums() -> Iterator[tuple[Gedp, tuple[tuple[str, Fraction], ...]]]:
    jobs, wages = Attribute.of("jobs", "sqrt", 1), Attribute.of("wages", "log", 1, 1)
    for attributes in ([jobs], [wages, jobs]):
        for mus in product(map(Fraction, ("1/2", "3")), repeat=len(attributes)):
            names = [attribute.name for attribute in attributes]
            yield Gedp.of(attributes), tuple(zip(names, mus, strict=True))


def _sums_cost_their_squares(case: tuple[Gedp, tuple[tuple[str, Fraction], ...]]) -> bool:
    definition, mus = case
    charge = cost_of_sums(definition, {name: Gaussian.of(mu) for name, mu in mus})
    squares = Gaussian(sum((mu**2 for _, mu in mus), Fraction(0)))
    known = all(name in RULES for name in charge.rules)
    return known and (charge.each, charge.times, charge.loss) == (squares, 1, squares)


def _sums_are_refused(definition: DifferentialPrivacy | ErEe | Gedp) -> bool:
    try:
        cost_of_sums(definition, {"jobs": Gaussian(Fraction(1))})
    except ParameterError:
        return not isinstance(definition, Gedp) or "jobs" not in definition.by_name
    return isinstance(definition, Gedp) and "jobs" in definition.by_name


OF_SUMS = Every("definition and μ of its attributes", _sums, _sums_cost_their_squares)
ONLY_PROTECTED = Every("definition", lambda: DEFINITIONS, _sums_are_refused)


@claim(
    "establish/sums-cost-the-squares",
    where=PLACE,
    says="The sums of a query cost the sum of the squares of its attributes' μ once, whatever the number of "
    "groups; an attribute that the definition does not protect is refused, and so is another definition.",
    states=(OF_SUMS, ONLY_PROTECTED),
)
def sums_cost_the_squares_of_their_mu() -> Verdict:
    """An establishment is in one group, and may change in all attributes at once (webb2025/sec6.2-total)."""
    return holds(
        exhaustive.each(OF_SUMS, "one or two attributes, μ = 1/2 or 3"),
        exhaustive.each(ONLY_PROTECTED, "every definition, asked for jobs"),
        value="Σμ²",
    )
