"""What spends a budget: the sums, the remainders, and what one query or another definition costs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from establish.proofs_check.engine.methods import exhaustive, solver, symbolic
from establish.proofs_check.engine.register import claim
from establish.proofs_check.engine.rules import adaptive_normals, composition_lemmas
from establish.proofs_check.engine.statements import Composes, Equal, Every, Integer, Rational
from establish.proofs_check.engine.verdicts import Verdict, holds
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
    counted,
    in_sequence,
    read_definition,
    read_loss,
)
from establish.spec.composition.neighbor_functions import function_of, jointly
from establish.spec.neighbor_functions.named import neighbor_function
from establish.spec.parameters import ParameterError
from establish.spec.relations.edge import Edge
from establish.spec.relations.history import PresenceOfHistory, histories_up_to
from establish.spec.relations.node import Node
from establish.spec.relations.strong import Strong
from establish.spec.relations.universes import ShapeUniverse
from establish.spec.relations.weak import Weak

PLACE = "What spends a budget"

_LOSS = (Rational("ε", least=0), Rational("δ", least=0))
_TWO = (*_LOSS, Rational("ε'", least=0), Rational("δ'", least=0))
_TWO_SQUARES = (Rational("μ²", least=0), Rational("μ'²", least=0))
_RELEASES = Integer("n", least=0)


def _both(e: Any, d: Any, e2: Any, d2: Any) -> Any:
    """Two releases on the same data."""
    return in_sequence([Approximate(e, d), Approximate(e2, d2)])


def _all(squares: Iterable[Any]) -> Any:
    """Releases on the same data, by the squares of their μ."""
    return in_sequence([Gaussian(square) for square in squares])


SUMS = (
    Equal(
        *_TWO,
        left=lambda c, e, d, e2, d2: c.number(_both(e, d, e2, d2).epsilon),
        right=lambda c, e, d, e2, d2: e + e2,
    ),
    Equal(
        *_TWO,
        left=lambda c, e, d, e2, d2: c.number(_both(e, d, e2, d2).delta),
        right=lambda c, e, d, e2, d2: d + d2,
    ),
    Equal(
        _RELEASES,
        *_LOSS,
        left=lambda c, n, e, d: c.number(Approximate(e, d).times(n).epsilon),
        right=lambda c, n, e, d: n * e,
    ),
    Equal(
        _RELEASES,
        *_LOSS,
        left=lambda c, n, e, d: c.number(Approximate(e, d).times(n).delta),
        right=lambda c, n, e, d: n * d,
    ),
    Equal(
        _RELEASES,
        _TWO_SQUARES[0],
        left=lambda c, n, m: c.number(Gaussian(m).times(n).mu_squared),
        right=lambda c, n, m: n * m,
    ),
)
"""Two losses in sequence, and n of the same loss; with μ the second part is `TOTAL`."""

TOTAL = Composes(lambda c, mus: c.sqrt(_all(m * m for m in mus).mu_squared))
"""Adaptive releases with losses of μ_j cost the root of what the budget adds up."""

LEFT = (
    Equal(
        *_TWO,
        left=lambda c, e, d, e2, d2: c.number(
            Approximate(e, d).left(Approximate(e2, d2)).plus(Approximate(e2, d2)).epsilon
        ),
        right=lambda c, e, d, e2, d2: e,
    ),
    Equal(
        *_TWO,
        left=lambda c, e, d, e2, d2: c.number(
            Approximate(e, d).left(Approximate(e2, d2)).plus(Approximate(e2, d2)).delta
        ),
        right=lambda c, e, d, e2, d2: d,
    ),
    Equal(
        *_TWO_SQUARES,
        left=lambda c, m, m2: c.number(
            Gaussian(m).left(Gaussian(m2)).plus(Gaussian(m2)).mu_squared
        ),
        right=lambda c, m, m2: m,
    ),
)
"""What is left of a cap and what was spent are together the cap."""

STEPS = Equal(
    Integer("steps", least=1),
    Rational("μ", least=0),
    left=lambda c, k, m: c.number(Gaussian(m * m).over(k).mu_squared),
    right=lambda c, k, m: (k * m) * (k * m),
)
"""Between datasets that are some steps apart a loss of μ is steps·μ, kept as its square."""


@claim(
    "establish/losses-add-up",
    where=PLACE,
    says="Losses of releases on the same data add up in ε and in δ, and n of one loss cost n times it.",
    states=SUMS,
    tight=SUMS,
)
def losses_add_up() -> Verdict:
    """The sums that a budget is kept by, as the specification writes them; that sums are what releases in
    sequence cost is the matter of haney2017/thm-7.3 and haney2017/sec3-several-releases-delta.
    """
    return holds(*map(solver.proves, SUMS), value="Σε, Σδ, n·ε, n·δ, n·μ²")


@claim(
    "establish/squares-of-mu-add-up",
    where=PLACE,
    says="Adaptive releases with losses of μ_j are together indistinguishable at the root of what the budget "
    "adds up.",
    states=TOTAL,
    tight=TOTAL,
)
def squares_of_mu_add_up() -> Verdict:
    """The sum of squares that a budget keeps is that of webb2025/thm-5.7; the rule has the argument."""
    return holds(
        adaptive_normals(TOTAL, *(symbolic.proves(owed) for owed in composition_lemmas(TOTAL))),
        value="√(Σμ_j²)",
    )


@claim(
    "establish/left-and-spent-are-the-cap",
    where=PLACE,
    says="What is left of a cap after a loss, and that loss, are together the cap, in ε, in δ and in μ².",
    states=LEFT,
    tight=LEFT,
)
def left_and_spent_are_the_cap() -> Verdict:
    """What `establish budget` shows as left. It is the difference, of squares for μ."""
    return holds(*map(solver.proves, LEFT), value="cap − spent")


@claim(
    "establish/steps-times-mu",
    where=PLACE,
    says="Over k neighbor steps a loss of μ is counted as k·μ.",
    states=STEPS,
    tight=STEPS,
)
def a_loss_over_steps_is_steps_times_mu() -> Verdict:
    """The square that is kept is (k·μ)²; that kμ is the loss over k steps is webb2025/sec5.4.1-firm."""
    return holds(solver.proves(STEPS), value="k·μ")


Pair = tuple[Approximate, Approximate] | tuple[Gaussian, Gaussian]

_PARTS = tuple(map(Fraction, ("0", "1/100", "1/10", "1/2")))


def _pairs() -> Iterator[Pair]:
    losses = [Approximate(e, d) for e, d in product(_PARTS, repeat=2)]
    yield from product(losses, repeat=2)
    yield from product([Gaussian(m) for m in _PARTS], repeat=2)


def _parts(loss: Approximate | Gaussian) -> tuple[Fraction, ...]:
    if isinstance(loss, Gaussian):
        return (loss.mu_squared,)
    return loss.epsilon, loss.delta


def _is_least_above_both(pair: Pair) -> bool:
    first, second = pair
    either = first.either(second)
    above = [loss for loss in (first, second) if not loss.within(either)]
    return not above and all(
        part in both
        for part, *both in zip(_parts(either), _parts(first), _parts(second), strict=True)
    )


def _is_within_exactly_when_nothing_is_overdrawn(pair: Pair) -> bool:
    loss, cap = pair
    return loss.within(cap) == all(part >= 0 for part in _parts(cap.left(loss)))


def _adds_nothing(pair: Pair) -> bool:
    return _parts(pair[0].either(pair[1])) == _parts(pair[0])


def _is_less(pair: Pair) -> bool:
    return pair[0].within(pair[1]) == all(part > 0 for part in _parts(pair[1].left(pair[0])))


EITHER = Every("pair of losses", _pairs, _is_least_above_both, wrong=_adds_nothing)
WITHIN = Every("loss and cap", _pairs, _is_within_exactly_when_nothing_is_overdrawn, wrong=_is_less)
GRID = "(ε, δ) and μ² with parts 0, 1/100, 1/10 and 1/2"


@claim(
    "establish/either-is-the-larger",
    where=PLACE,
    says="Releases of which only one changes between neighbors cost the least loss that both are within, and "
    "a loss is within a cap exactly when nothing is left below 0.",
    states=(EITHER, WITHIN),
)
def one_of_two_costs_the_larger() -> Verdict:
    """A cap that is reached exactly is kept; every part of the larger loss is a part of one of the two."""
    return holds(exhaustive.each(EITHER, GRID), exhaustive.each(WITHIN, GRID))


def _written() -> Iterator[tuple[str, str, bool]]:
    """ε, δ, and whether they are a loss; and μ, with δ empty."""
    for epsilon, delta in product(("-1", "-1/1000", "0", "1/3", "7"), ("-1/9", "0", "1/2")):
        yield epsilon, delta, Fraction(epsilon) >= 0 and Fraction(delta) >= 0
    for delta in ("999/1000", "1", "1001/1000", "2"):
        yield "1", delta, Fraction(delta) < 1
    for mu in ("-1", "-1/1000", "0", "1/3", "7"):
        yield mu, "", Fraction(mu) >= 0


def _is_read_as_written(case: tuple[str, str, bool]) -> bool:
    first, second, allowed = case
    try:
        if second:
            found = _parts(Approximate.of(first, second)) == (Fraction(first), Fraction(second))
        else:
            found = _parts(Gaussian.of(first)) == (Fraction(first) ** 2,)
    except ParameterError:
        return not allowed
    return found and allowed


def _definitions() -> tuple[DifferentialPrivacy | ErEe | Gedp, ...]:
    attributes = (
        Attribute.of("jobs", "sqrt", "1/2", "3/8"),
        Attribute.of("jobs", "log", 2, 1),
        Attribute.of("jobs", "identity", 3),
        Attribute.of("wages", "log", "1/10"),
    )
    return (
        DifferentialPrivacy("edge-dp"),
        DifferentialPrivacy("node-dp"),
        DifferentialPrivacy("record-dp"),
        DifferentialPrivacy("record-dp", 3),
        ErEe.of("strong-er-ee", "1/10"),
        ErEe.of("weak-er-ee", "1/10"),
        ErEe.of("weak-er-ee", 1),
        *(Gedp.of([attribute]) for attribute in attributes),
        Gedp.of([attributes[3], attributes[0]]),
    )


Kept = Approximate | Gaussian | DifferentialPrivacy | ErEe | Gedp


def _kept() -> Iterator[Kept]:
    yield from (Approximate(e, d) for e, d in product(_PARTS, repeat=2))
    yield from map(Gaussian, _PARTS)
    yield from _definitions()


def _is_read_back(kept: Kept) -> bool:
    """Whether it comes back from its record, and no other one has that record."""
    record = kept.record()
    loss = isinstance(kept, Approximate | Gaussian)
    same = [other for other in _kept() if other.record() == record]
    return same == [kept] and (read_loss(record) if loss else read_definition(record)) == kept


def _refused_records() -> Iterator[dict[str, object]]:
    yield {}
    yield {"epsilon": "1"}
    yield {"mu_squared": "-1"}
    yield {"epsilon": "1", "delta": "1"}
    yield {"definition": "weak-er-ee", "alpha": "0"}
    yield {"definition": "weak-er-ee"}
    yield {"definition": "gedp", "attributes": {}}
    yield {"definition": "record-dp", "records_per_person": 0}
    yield {"definition": "record-dp", "records_per_person": True}
    yield {"definition": "edge-dp", "records_per_person": 2}
    yield {"definition": "dp"}
    for key, wrong in (("psi", "root"), ("gamma", "0"), ("shift", "-1")):
        one = {"psi": "sqrt", "gamma": "1", "shift": "0", key: wrong}
        yield {"definition": "gedp", "attributes": {"jobs": one}}
    identity = {"psi": "identity", "gamma": "1", "shift": "1"}
    yield {"definition": "gedp", "attributes": {"jobs": identity}}


def _is_refused(record: dict[str, object]) -> bool:
    for read in (read_definition, read_loss):
        try:
            read(record)
        except ParameterError:
            continue
        return False
    return True


READ = Every("loss as it is written", _written, _is_read_as_written)
READ_BACK = Every("loss or definition", _kept, _is_read_back)
REFUSED = Every("record", _refused_records, _is_refused)


@claim(
    "establish/records-say-what-was-spent",
    where=PLACE,
    says="Losses and definitions are read from what a user writes exactly where they are in their domain, "
    "and from their own records as they were; nothing else is read.",
    states=(READ, READ_BACK, REFUSED),
)
def records_are_read_as_they_were_written() -> Verdict:
    """ε ≥ 0, 0 ≤ δ < 1, μ ≥ 0, α > 0, γ > 0, a shift of at least 0, at least one record of a person."""
    return holds(
        exhaustive.each(READ, "24 losses, at and beyond the ends of the domain"),
        exhaustive.each(READ_BACK, "losses on a grid, and definitions of all kinds"),
        exhaustive.each(REFUSED, "records with a part missing or outside its domain"),
    )


Query = tuple[DifferentialPrivacy | ErEe, int, bool]
"""A definition, how many worker cells a marginal has, and whether it names worker attributes."""

_ALPHA = Fraction(1)


def _queries() -> Iterator[Query]:
    for definition in _definitions():
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
DELTA = Every("definition", _definitions, _needs_a_delta_that_is_not_used)
SHAPES = Every(
    "number of worker cells", lambda: product((-1, 0, 1, 2), (False, True)), _shape_of_marginal
)


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
ONLY_PROTECTED = Every("definition", _definitions, _sums_are_refused)


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


_GAMMAS = tuple(map(Fraction, ("1/10", "1/3", "1/2", "1", "3/2", "2")))

Conversion = tuple[Gedp, Gedp]


def _conversions() -> Iterator[Conversion]:
    for psi, made, kept in product(("sqrt", "log", "identity"), _GAMMAS, _GAMMAS):
        first, second = (Gedp.of([Attribute.of("jobs", psi, gamma)]) for gamma in (made, kept))
        yield first, second
    for made, kept, other in product(_GAMMAS[1:4], repeat=3):
        yield (
            Gedp.of([Attribute.of("jobs", "sqrt", made), Attribute.of("wages", "log", 1, 1)]),
            Gedp.of([Attribute.of("jobs", "sqrt", kept), Attribute.of("wages", "log", other, 1)]),
        )


def _is_counted_over_the_least_steps(case: Conversion) -> bool:
    """Whether the loss is n·μ for the least n ≥ 1 whose n steps reach every neighbor of the other."""
    made, kept = case
    reached = 1
    while any(kept.by_name[a.name].gamma > reached * a.gamma for a in made.attributes):
        reached += 1
    mu = Fraction(2, 7)
    return counted(Gaussian(mu**2), made, kept) == Gaussian((reached * mu) ** 2)


def _is_counted_as_it_is(case: Conversion) -> bool:
    loss = Gaussian(Fraction(1))
    return counted(loss, *case) == loss


OVER_STEPS = Every(
    "pair of distance parameters",
    _conversions,
    _is_counted_over_the_least_steps,
    wrong=_is_counted_as_it_is,
)


def _definition_pairs() -> Iterator[
    tuple[DifferentialPrivacy | ErEe | Gedp, DifferentialPrivacy | ErEe | Gedp]
]:
    more = (ErEe.of("strong-er-ee", 1), Gedp.of([Attribute.of("jobs", "sqrt", 1, "3/8")]))
    yield from product((*_definitions(), *more), repeat=2)


def _is_counted_where_it_is_proved(
    case: tuple[DifferentialPrivacy | ErEe | Gedp, DifferentialPrivacy | ErEe | Gedp],
) -> bool:
    made, kept = case
    mu = Gaussian(Fraction(1, 4))
    loss = mu if isinstance(made, Gedp) else Approximate(Fraction(1, 3), Fraction(1, 9))
    same_psi = (
        isinstance(made, Gedp)
        and isinstance(kept, Gedp)
        and [(a.name, a.psi, a.shift) for a in made.attributes]
        == [(a.name, a.psi, a.shift) for a in kept.attributes]
    )
    strong_as_weak = (
        isinstance(made, ErEe)
        and isinstance(kept, ErEe)
        and made.alpha == kept.alpha
        and made.name == "strong-er-ee"
    )
    try:
        found = counted(loss, made, kept)
    except ParameterError:
        return not (made == kept or same_psi or strong_as_weak)
    return found == loss if not same_psi else isinstance(found, Gaussian)


PROVED = Every("pair of definitions", _definition_pairs, _is_counted_where_it_is_proved)


@claim(
    "establish/counted-where-it-is-proved",
    where=PLACE,
    says="A release made for other distances γ is charged n·μ for the least whole n ≥ 1 whose n steps reach "
    "every neighbor that the budget is kept for; a strong release counts as weak at the same α; between all "
    "other definitions nothing is counted.",
    states=(OVER_STEPS, PROVED),
)
def other_definitions_are_counted_where_it_is_proved() -> Verdict:
    """n steps of γ reach the distance nγ because ψ is continuous (webb2025/rem-5.8), in all attributes at
    once. An attribute that only one of the two protects, or each by another ψ, is refused.
    """
    return holds(
        exhaustive.each(OVER_STEPS, "six distances, one attribute of each ψ, and two attributes"),
        exhaustive.each(PROVED, "every pair of twelve definitions"),
        value="⌈γ_kept/γ_made⌉·μ, the largest of the attributes",
    )


Joined = tuple[Attribute, Attribute]

_APART = ((0, 0), (0, 1), (0, 3), (4, 5), (4, 7), (30, 33), (30, 44))
"""Values of which some are neighbors under one ψ and not under another."""


def _joined() -> Iterator[Joined]:
    root, log = Attribute.of("jobs", "sqrt", "1/2"), Attribute.of("jobs", "log", "1/10", 1)
    yield from ((root, root), (root, log), (log, root), (Attribute.of("jobs", "identity", 3), log))


def _are_neighbors_under_both(case: Joined) -> bool:
    a, b = case
    joint = jointly(Gedp.of([a]), Gaussian.of(3), Gedp.of([b]), Gaussian.of(4))
    both = [pair for pair in _APART if joint.psi["jobs"].close(*pair, 1)]
    each = all(_named(one).close(*pair, one.gamma) for pair in both for one in case)
    return joint.loss == Gaussian.of(5) and each and len(both) > 1


def _named(attribute: Attribute) -> Any:
    shift = f"(x+{attribute.shift})" if attribute.shift else ""
    return neighbor_function(f"{attribute.psi}{shift}")


def _is_close_under_the_second(case: Joined) -> bool:
    a, b = case
    return all(
        _named(b).close(*pair, b.gamma) for pair in _APART if _named(a).close(*pair, a.gamma)
    )


def _is_the_named_one(attribute: Attribute) -> bool:
    own, named = function_of(attribute), _named(attribute)
    return all(own.close(*p, attribute.gamma) == named.close(*p, attribute.gamma) for p in _APART)


JOINT = Every(
    "two attributes", _joined, _are_neighbors_under_both, wrong=_is_close_under_the_second
)
NAMED = Every("attribute", lambda: (a for a, _ in _joined()), _is_the_named_one)


@claim(
    "establish/joint-neighbors-are-neighbors-of-both",
    where=PLACE,
    says="Releases under two neighbor functions cost √(μ_A² + μ_B²) for the ψ* whose neighbors at distance 1 "
    "are neighbors under both.",
    states=(JOINT, NAMED),
)
def joint_neighbors_are_neighbors_of_both() -> Verdict:
    """As webb2025/thm-5.11 has it, with the larger slope; 3 and 4 together are 5."""
    return holds(
        exhaustive.each(JOINT, "√, ln(x+1) and x, seven pairs of values"),
        exhaustive.each(NAMED, "the same ψ, by name"),
        value="√(μ_A² + μ_B²)",
    )
