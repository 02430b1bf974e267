"""What requirements compare, at their boundary, and what a violation of privacy tells."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from math import inf
from typing import Any

from establish import Every, ParameterError, Universe, Verdict, claim, exhaustive, holds
from establish.spec.indistinguishability import (
    hockey_stick,
    hockey_stick_over_events,
    holds_on_every_event,
    is_indistinguishable,
    likelihood_ratio_bound,
    worst_event,
)
from establish.spec.priors import ProductPrior, place_of, possible_places, two_point_prior, weak_prior
from establish.spec.privacy import PrivacyDefinition
from establish.spec.relations.record import AddOrRemove
from establish.spec.requirements import (
    Comparison,
    IndividualRequirement,
    RecordIs,
    ShapeIs,
    ShapeRequirement,
    SizeIs,
    SizeRequirement,
    bayes_factor,
)
from establish.spec.tables import Tables, Workplace

PLACE = "What requirements compare"
KINDS = (("F",), ("M",), ("X",))
WORKPLACES = (Workplace("e"), Workplace("f"))
ALPHAS = tuple(map(Fraction, ("1/3", "1/2", "2/3", "1", "2")))

Case = tuple[int, Fraction]


def _cases() -> Iterator[Case]:
    yield from product((1, 2, 3, 4), ALPHAS)


def _universe(workers: int, kinds: int = 2) -> Universe:
    return Universe(WORKPLACES, tuple(f"w{k}" for k in range(workers)), KINDS[:kinds])


def _shares_up_to_the_bound(case: Case) -> bool:
    """Definition 4.3: 0 < p < q ≤ min(1, (1 + α)p), shares of z workers."""
    workers, alpha = case
    expected = {
        (j, i, z)
        for z in range(1, workers + 1)
        for j, i in product(range(z + 1), repeat=2)
        if 0 < Fraction(j, z) < Fraction(i, z) <= min(Fraction(1), (1 + alpha) * Fraction(j, z))
    }
    requirement = ShapeRequirement(_universe(workers), alpha)
    found = list(requirement.counts())
    enough = workers >= requirement.least_workers
    return set(found) == expected and len(found) == len(expected) and bool(found) == enough


def _shares_below_the_bound(case: Case) -> bool:
    workers, alpha = case
    return all(i < (1 + alpha) * j for j, i, _ in ShapeRequirement(_universe(workers), alpha).counts())


def _sizes_up_to_the_bound(case: Case) -> bool:
    """Definition 4.2: x < y ≤ ⌈(1 + α)x⌉."""
    workers, alpha = case
    expected = {(x, y) for x, y in product(range(workers + 1), repeat=2) if x < y and y - 1 < (1 + alpha) * x}
    found = list(SizeRequirement(_universe(workers), alpha).sizes())
    return set(found) == expected and len(found) == len(expected)


def _sizes_below_the_bound(case: Case) -> bool:
    workers, alpha = case
    return all(y < (1 + alpha) * x for x, y in SizeRequirement(_universe(workers), alpha).sizes())


SHARES = Every("workers and α", _cases, _shares_up_to_the_bound, wrong=_shares_below_the_bound)
SIZES = Every("workers and α", _cases, _sizes_up_to_the_bound, wrong=_sizes_below_the_bound)


def _all_requirements() -> Iterator[Any]:
    for workers, kinds in ((2, 1), (2, 2), (3, 2), (2, 3)):
        universe = _universe(workers, kinds)
        yield IndividualRequirement(universe)
        for alpha in (Fraction(1), Fraction(1, 2)):
            yield SizeRequirement(universe, alpha)
            yield ShapeRequirement(universe, alpha)


def _expected(requirement: Any) -> set[Comparison]:
    universe = requirement.universe
    if isinstance(requirement, IndividualRequirement):
        values = [None, *product(("e", "f"), universe.domain)]
        return {
            Comparison(RecordIs(worker, a), RecordIs(worker, b))
            for worker in universe.worker_ids
            for a, b in product(values, repeat=2)
            if a != b
        }
    if isinstance(requirement, SizeRequirement):
        return {
            Comparison(SizeIs(place, a), SizeIs(place, b))
            for place in ("e", "f")
            for pair in requirement.sizes()
            for a, b in (pair, pair[::-1])
        }
    properties = [
        values for size in range(1, len(universe.domain)) for values in combinations(universe.domain, size)
    ]
    return {
        Comparison(ShapeIs(place, values, a, z), ShapeIs(place, values, b, z))
        for place, values in product(("e", "f"), properties)
        for j, i, z in requirement.counts()
        for a, b in ((j, i), (i, j))
    }


def _compares_each_pair_in_both_orders(requirement: Any) -> bool:
    found, expected = list(requirement.comparisons()), _expected(requirement)
    some = list(requirement.representatives())
    stands_for_all = (len(some) > 0) == (len(found) > 0) and set(some) <= expected
    return set(found) == expected and len(found) == len(expected) and stands_for_all


COMPARED = Every("requirement", _all_requirements, _compares_each_pair_in_both_orders)


def _events() -> Iterator[tuple[Tables, str, tuple[tuple[str, ...], ...], int, int]]:
    for d in _universe(2).datasets():
        for place, values in product(("e", "f"), (KINDS[:1], KINDS[1:2], KINDS[:2])):
            yield from ((d, place, values, j, z) for j, z in product((0, 1, 2), repeat=2))


def _events_are_about_the_workforce(case: tuple[Tables, str, tuple[tuple[str, ...], ...], int, int]) -> bool:
    d, place, values, j, z = case
    at = [w for w, workplace in d.jobs if workplace == place]
    having = [w.id for w in d.workers if w.id in at and w.attributes in values]
    places = dict.fromkeys(("w0", "w1")) | {w.id: (dict(d.jobs)[w.id], w.attributes) for w in d.workers}
    records = all(
        RecordIs(worker, (place, value))(d) == (places[worker] == (place, value))
        and RecordIs(worker, None)(d) == (places[worker] is None)
        for worker in places
        for value in values
    )
    return (
        records
        and SizeIs(place, z)(d) == (len(at) == z)
        and ShapeIs(place, values, j, z)(d) == (len(at) == z and len(having) == j)
    )


EVENTS = Every("table, workplace, property, and numbers", _events, _events_are_about_the_workforce)
SMALL = "up to 4 workers at two workplaces, one to three attribute values, α = 1/3 to 2"


@claim(
    "establish/requirements-compare-up-to-their-bound",
    where=PLACE,
    says="Requirements compare exactly the sizes and shares of Definitions 4.2 and 4.3, those at the bound "
    "(1 + α) too, for every workplace and every property, in both orders.",
    states=(SHARES, SIZES, COMPARED, EVENTS),
)
def requirements_compare_up_to_their_bound() -> Verdict:
    """Shares are compared as fractions. Definition 4.3 has the bound itself; rounding up in Definition 4.2
    is that y − 1 < (1 + α)x.
    """
    return holds(
        exhaustive.each(SHARES, SMALL),
        exhaustive.each(SIZES, SMALL),
        exhaustive.each(COMPARED, SMALL),
        exhaustive.each(EVENTS, "two workers at two workplaces, two attribute values"),
    )


def _laws() -> Iterator[tuple[dict[Any, Fraction], dict[Any, Fraction], Fraction]]:
    parts = tuple(Fraction(k, 4) for k in range(5))
    some = [
        dict(zip("abc", (x, y, 1 - x - y), strict=True)) for x, y in product(parts, repeat=2) if x + y <= 1
    ]
    for p, q in product(some, repeat=2):
        yield from ((p, q, c) for c in map(Fraction, (1, 2, 3)))


def _told_apart_as_events_do(case: tuple[dict[Any, Fraction], dict[Any, Fraction], Fraction]) -> bool:
    p, q, c = case

    def gain(event: Any) -> Fraction:
        return sum((p[o] - c * q[o] for o in event), Fraction(0))

    every = [frozenset(some) for size in range(4) for some in combinations("abc", size)]
    most, event = max(map(gain, every)), worst_event(p, q, c)
    attained = gain(event) == most and all(gain(event - {o}) < most for o in event)
    deltas = tuple(map(Fraction, ("0", "1/4", "1/2", "3/4")))
    bounded = all((gain(s) <= 0) and sum((q[o] - c * p[o] for o in s), Fraction(0)) <= 0 for s in every)
    ratio = likelihood_ratio_bound(p, q)
    two_sided = [max(most, hockey_stick(q, p, c)) <= delta for delta in deltas]
    return (
        attained
        and hockey_stick(p, q, c) == most == hockey_stick_over_events(p, q, c)
        and (ratio <= c) == bounded
        and [is_indistinguishable(p, q, c, delta) for delta in deltas] == two_sided
        and [holds_on_every_event(p, q, c, delta) for delta in deltas] == two_sided
    )


def _told_apart_by_one_output(case: tuple[dict[Any, Fraction], dict[Any, Fraction], Fraction]) -> bool:
    p, q, c = case
    return hockey_stick(p, q, c) == max(Fraction(0), *(p[o] - c * q[o] for o in "abc"))


def _mechanisms() -> Iterator[tuple[Fraction, Fraction, Fraction]]:
    """P(yes) without and with a record, and δ."""
    parts = tuple(Fraction(k, 8) for k in range(9))
    yield from product(parts, parts, map(Fraction, ("0", "1/8", "1/4")))


def _violation_is_told(case: tuple[Fraction, Fraction, Fraction]) -> bool:
    without, with_one, delta = case
    laws: list[dict[Any, Fraction]] = [{"yes": share, "no": 1 - share} for share in (without, with_one)]
    definition = PrivacyDefinition(AddOrRemove(("a",), 1), 2, delta)
    found = definition.violation(lambda d: laws[len(d)])
    excess = max(p[answer] - 2 * q[answer] for p, q in (laws, laws[::-1]) for answer in ("yes", "no"))
    if found is None:
        return excess <= delta and definition.satisfied_by(lambda d: laws[len(d)])
    first, second = laws[len(found.first)], laws[len(found.second)]
    gain = sum((first[o] - 2 * second[o] for o in found.event), Fraction(0))
    return excess > delta and found.excess == gain > delta and found.first != found.second


APART = Every("two laws and level", _laws, _told_apart_as_events_do, wrong=_told_apart_by_one_output)
VIOLATION = Every("two answers and δ", _mechanisms, _violation_is_told)


@claim(
    "establish/violations-attain-their-excess",
    where="What privacy definitions decide",
    says="A privacy definition is violated exactly where an event exceeds c·Q + δ, the event that is told is "
    "the smallest one that exceeds it most, and its excess is told.",
    states=(APART, VIOLATION),
)
def violations_attain_their_excess() -> Verdict:
    """All events of three outputs, one after the other, against what is computed output by output; a
    mechanism with exactly δ is private.
    """
    return holds(
        exhaustive.each(APART, "laws with quarters on three outputs, e^ε = 1, 2, 3"),
        exhaustive.each(VIOLATION, "answers with eighths, e^ε = 2, δ = 0, 1/8, 1/4"),
    )


def _beliefs() -> Iterator[tuple[Tables, Fraction]]:
    for d in _universe(2).datasets():
        yield from ((d, share) for share in map(Fraction, ("0", "1/4", "1")))


def _beliefs_multiply(case: tuple[Tables, Fraction]) -> bool:
    """θ(D) = ∏ π_w(D): every worker alike and attributes uniform, and knowledge of all but one."""
    d, share = case
    universe = _universe(2)
    prior = weak_prior(universe, {"e": share, None: 1 - share})
    expected = Fraction(1)
    for worker in universe.worker_ids:
        place = place_of(d, worker)
        expected *= 1 - share if place is None else share / 2 if place[0] == "e" else 0
    other = next(iter(universe.datasets()))
    known = two_point_prior(universe, d, other)
    differing = sum(place_of(d, w) != place_of(other, w) for w in universe.worker_ids)
    return (
        prior.probability(d) == expected == prior.support().get(d, 0)
        and sum(prior.support().values()) == 1
        and known.probability(d) == Fraction(1, 2**differing)
        and len(known.support()) == 2**differing
        and len(possible_places(universe)) == len(set(possible_places(universe))) == 5
    )


def _likelihoods() -> Iterator[tuple[Fraction, Fraction, Fraction]]:
    yield from product(map(Fraction, ("0", "1/3", "1")), repeat=3)


def _factor_is_posterior_over_prior_odds(case: tuple[Fraction, Fraction, Fraction]) -> bool:
    """One worker of three places, believed 1/2, 1/3, 1/6; the output has these likelihoods."""
    universe = Universe(WORKPLACES, ("w0",))
    places = (None, ("e", ()), ("f", ()))
    belief: dict[Any, Any] = dict(zip(places, map(Fraction, ("1/2", "1/3", "1/6")), strict=True))
    prior = ProductPrior(universe, {"w0": belief})
    tables = {place_of(d, "w0"): d for d in universe.datasets()}
    likelihood = {tables[place]: p for place, p in zip(places, case, strict=True)}
    first, second = RecordIs("w0", places[1]), SizeIs("e", 0)
    inside = (case[1], (case[0] / 2 + case[2] / 6) / Fraction(2, 3))
    try:
        found = bayes_factor(prior, likelihood, Comparison(first, second))
    except ParameterError:
        return not any(inside)
    requirement = IndividualRequirement(universe)
    worst = max((factor for _, factor in requirement.factors(prior, likelihood)), default=1)
    met = worst == inf or (
        requirement.met(prior, likelihood, worst)
        and not requirement.met(prior, likelihood, worst * Fraction(99, 100))
    )
    return met and (found == inside[0] / inside[1] if inside[1] else found == inf)


BELIEFS = Every("table and share", _beliefs, _beliefs_multiply)
FACTORS = Every("three likelihoods", _likelihoods, _factor_is_posterior_over_prior_odds)


@claim(
    "establish/bayes-factors-are-odds",
    where=PLACE,
    says="Beliefs about workers multiply, and a requirement is met exactly where no posterior odds exceed c "
    "times the prior odds.",
    states=(BELIEFS, FACTORS),
)
def bayes_factors_are_posterior_over_prior_odds() -> Verdict:
    """Worked out by hand for one worker who is absent, at e or at f with probability 1/2, 1/3 and 1/6."""
    return holds(
        exhaustive.each(BELIEFS, "two workers, two workplaces, two attribute values"),
        exhaustive.each(FACTORS, "one worker and three likelihoods 0, 1/3 or 1"),
    )
