"""Definition 4.2 and strong α-neighbors as the slides copy them."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from establish import Every, Evidence, Outcome, Verdict, aside, claim, exact, exhaustive, ill_posed, misprint
from establish.proofs_check.engine.statements.cases import EveryCase
from establish.proofs_check.papers.haney2017.attacker import at, dataset, universe
from establish.spec.priors import place_of, two_point_prior
from establish.spec.relations.growth import may_grow
from establish.spec.relations.strong import Strong
from establish.spec.requirements import SizeRequirement
from establish.spec.tables import Tables, Worker, Workplace
from establish.spec.universe import Universe

TENTH = Fraction(1, 10)


def _two_workers() -> tuple[Universe, Tables, Tables]:
    """w1 at e, and w2 absent or at e."""
    space = Universe((Workplace("e"),), ("w1", "w2"), ((),))
    w1, w2 = Worker("w1", ()), Worker("w2", ())
    one = Tables(space.workplaces, (w1,), (("w1", "e"),))
    two = Tables(space.workplaces, (w1, w2), (("w1", "e"), ("w2", "e")))
    return space, one, two


def _probability(size: int, *, of_records: bool) -> Fraction:
    """Pr[w = size], the largest of both workers', or Pr[|e| = size]; w2 is absent or at e with 1/2 each."""
    space, one, two = _two_workers()
    support = two_point_prior(space, one, two).support()
    if not of_records:
        return sum((p for d, p in support.items() if len(d.workforce("e")) == size), Fraction(0))
    value: object = size
    return max(
        sum((p for d, p in support.items() if place_of(d, worker) == value), Fraction(0))
        for worker in space.worker_ids
    )


def _are_possible(sizes: tuple[int, int], *, of_records: bool) -> bool:
    return all(_probability(size, of_records=of_records) > 0 for size in sizes)


def _sizes_are_compared(of_records: bool) -> EveryCase:
    return Every(
        "pair of sizes x < y ≤ ⌈(1+α)x⌉ at α = 1",
        SizeRequirement(_two_workers()[0], 1).sizes,
        lambda pair: _are_possible(pair, of_records=of_records),
        wrong=lambda pair: _probability(0, of_records=of_records) > 0,
    )


AS_RECORDS, AS_SIZES = map(_sizes_are_compared, (True, False))
"""With w2 in doubt the condition admits each pair that the definition compares: as records, or as sizes."""


@claim(
    "schmutte2020_slides/def-4.2",
    where="Slides, Definition 4.2",
    says="The size requirement compares x ≤ y ≤ ⌈(1+α)x⌉ where Pr[w = x], Pr[w = y] > 0.",
    states=AS_RECORDS,
    meant=AS_SIZES,
)
def sizes_are_not_values_of_a_record() -> Verdict:
    """x and y are numbers of workers, w is the record of a worker, whose value is a place and attributes.
    Pr[w = x] is 0, and as printed nothing is compared: publishing the data would meet the requirement.
    Meant is Pr[|e| = x], Pr[|e| = y] > 0. An attacker who knows w1 at e and gives w2 the probability 1/2
    there has 1/2 for the sizes 1 and 2, and 0 for the size 0, whose Bayes factor would be 0/0.
    """
    space = universe(2, ("e",))
    one, two = dataset(space, at("e"), None), dataset(space, at("e"), at("e"))
    support = two_point_prior(space, one, two).support()
    values = {place_of(d, worker) for d in support for worker in space.worker_ids}
    sizes = {n: sum(p for d, p in support.items() if len(d.workforce("e")) == n) for n in range(3)}
    return misprint(
        exact.refuted(AS_RECORDS, case=(1, 2)),
        exhaustive.each(AS_SIZES, "w1 at e, w2 at e or absent"),
        exact.compare(len(values & set(sizes)), "==", 0, "sizes among the possible records"),
        exact.compare(sizes[1] * sizes[2], ">", 0, "Pr[|e| = 1]·Pr[|e| = 2]"),
        exact.compare(sizes[0], "==", 0, "Pr[|e| = 0], which the condition leaves out"),
        reading="Pr[|e| = x], Pr[|e| = y] > 0",
        reading_is=Outcome.HOLDS,
        counterexample="w1 at e, w2 at e or absent: a record is 'at e' or 'absent', never 1 or 2",
    )


THREE = Universe((Workplace("e"), Workplace("f")), ("w1", "w2"), (("a",), ("b",)))
"""Two workers of two kinds, and two establishments."""


def _as_printed(d: Tables, d2: Tables, *, within: bool) -> bool:
    """One establishment changes, and grows as the slide says; ``within``: and keeps its workers."""
    pairs = [(d.workforce(place.id), d2.workforce(place.id)) for place in d.workplaces]
    changed = [(old, new) for old, new in pairs if old != new]
    return len(changed) == 1 and all(
        may_grow(len(old), len(new), Fraction(1)) and (old <= new or not within) for old, new in changed
    )


def _agrees(pair: tuple[Tables, Tables], *, within: bool) -> bool:
    either = _as_printed(*pair, within=within) or _as_printed(*reversed(pair), within=within)
    return either == Strong(THREE, 1).related(*pair)


def _pairs() -> Iterator[tuple[Tables, Tables]]:
    yield from product(list(THREE.datasets()), repeat=2)


AS_PRINTED = Every("pair of datasets", _pairs, lambda pair: _agrees(pair, within=False))
WITH_INCLUSION = Every(
    "pair of datasets, E ⊆ E' being asked for as well",
    _pairs,
    lambda pair: _agrees(pair, within=True),
    wrong=lambda pair: _agrees(pair, within=False),
)
"""What the slide says, in either order, is Definition 7.1: at α = 1."""


@claim(
    "schmutte2020_slides/strong-neighbors",
    where="Slides, Goldilocks Solution, Strong α-Neighbors",
    says="Databases that differ in the employment attribute of exactly one record e, with numbers of workers "
    "x ≤ x' ≤ max((1+α)x, x+1), are the strong α-neighbors.",
    states=AS_PRINTED,
    meant=WITH_INCLUSION,
)
def inclusion_of_workforces_is_missing() -> Verdict:
    """Definition 7.1 of Haney et al. also asks E ⊆ E'. Without it an establishment may exchange its whole
    workforce in one step, as long as the number stays in the bound: one with w1 and the same one with w2
    are neighbors on the slide, and two steps apart in the definition. The slide's relation is wider, so
    its privacy is stronger. With E ⊆ E' added, and pairs taken in either order, it is the definition's.
    """
    space = universe(2, ("e",))
    relation = Strong(space, TENTH)
    first, second = dataset(space, at("e"), None), dataset(space, None, at("e"))
    exchanged = tuple(
        Tables(THREE.workplaces, (Worker(worker, ("a",)),), ((worker, "e"),)) for worker in THREE.worker_ids
    )
    return ill_posed(
        exact.refuted(AS_PRINTED, case=exchanged),
        exhaustive.each(WITH_INCLUSION, "two workers of two kinds, two establishments, α = 1"),
        exact.compare(int(may_grow(1, 1, TENTH)), "==", 1, "x = x' = 1 meet the printed bound"),
        exact.compare(int(relation.related(first, second)), "==", 0, "neighbors in Definition 7.1"),
        exact.compare(int(relation.distance(first, second)), "==", 2, "steps between them there"),
        aside(_inclusion_is_all_that_is_missing()),
        condition="the workforce of D is part of that of D'",
        counterexample="α = 1/10: e employs w1 in D and w2 in D'; x = x' = 1",
    )


def _inclusion_is_all_that_is_missing() -> Evidence:
    space, alpha = universe(3, ("e", "f"), ("a", "b")), Fraction(2)
    relation = Strong(space, alpha)

    def printed_and_included(d: Tables, d2: Tables) -> bool:
        pairs = [(d.workforce(e), d2.workforce(e)) for e in ("e", "f")]
        changed = [(old, new) for old, new in pairs if old != new]
        return len(changed) == 1 and all(
            old <= new and may_grow(len(old), len(new), alpha) for old, new in changed
        )

    datasets = list(space.datasets())
    return exhaustive.for_all(
        [(d, d2) for d in datasets for d2 in datasets],
        lambda pair: (
            (printed_and_included(*pair) or printed_and_included(*reversed(pair))) == relation.related(*pair)
        ),
        "with E ⊆ E' the printed condition, in either order, is Definition 7.1",
        "three workers of two kinds, two establishments, α = 2",
    )
