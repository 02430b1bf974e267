"""Sections 2 and 7.3: Theorems 2.1, 7.3 and 7.4, and the proof of Theorem 7.5."""

import math
from collections.abc import Hashable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from establish import Outcome, Verdict, aside, claim, exact, exhaustive, fails, holds, misprint
from establish.proofs_check.engine.conventions import by_convention
from establish.proofs_check.engine.rules import PAIR, beside_the_others, in_one_part, settled
from establish.proofs_check.engine.statements import Below, Every, OfParts, Real
from establish.proofs_check.papers.haney2017.marginals import threshold_mechanism
from establish.proofs_check.papers.haney2017.privacy import coin
from establish.spec.earnings.chosen_by_size import jointly
from establish.spec.indistinguishability import (
    Distribution,
    hockey_stick,
    is_indistinguishable,
    likelihood_ratio_bound,
)
from establish.spec.relations import growth
from establish.spec.relations.relation import NeighborRelation
from establish.spec.relations.strong import Strong
from establish.spec.relations.universes import ShapeUniverse, Sizes, SizeUniverse

Distances = Iterator[tuple[Any, Any, tuple[int, int]]]
"""Two datasets, the distances of their parts added up, and their distance."""

C = Fraction(2)
"""e^ε in the examples of this module."""


@claim(
    "haney2017/thm-7.3",
    states=PAIR,
    where="Section 7.3, Theorem 7.3",
    says="(α, ε1)- and (α, ε2)-private releases of the same data are together (α, ε1+ε2)-private; the same "
    "for weak privacy.",
)
def sequential_composition() -> Verdict:
    """For each pair of neighbors, strong or weak, the joint probabilities of independent releases are
    products: p1·p2 ≤ e^ε1·e^ε2·q1·q2. Attained by two threshold answers on the same count.
    """
    joint = likelihood_ratio_bound(*(jointly([threshold_mechanism(count, 2)] * 2) for count in (2, 3)))
    return holds(
        settled(PAIR),
        exact.compare(Fraction(joint), "==", C**2, "e^loss of two answers on one count"),
        value="ε1 + ε2",
        condition=by_convention("own coins", "haney2017"),
    )


OF_RECORDS = tuple(
    OfParts("edge", parts, level=lambda c, level, delta: level) for parts in ("workers", "establishments")
)
"""Parallel composition over records, which are divided by what they tell of the worker or of the employer."""

OF_ESTABLISHMENTS = tuple(
    OfParts(neighbors, "establishments", level=lambda c, level, delta: level)
    for neighbors in ("strong", "weak")
)
"""Parallel composition over establishments."""


def _first_if_it_is_1(records: tuple[int, ...]) -> Distribution:
    """A (ln 2)-private answer on at most one record."""
    yes = {(): Fraction(1, 4), (1,): Fraction(1, 2)}.get(records, Fraction(1, 8))
    return {"yes": yes, "no": 1 - yes}


@claim(
    "haney2017/sec7.3-parallel-dp",
    where="Section 7.3, before Theorem 7.4",
    states=OF_RECORDS,
    says="Releases of ε-differentially private algorithms on disjoint sets of records D1 and D2 are together "
    "ε-differentially private.",
)
def parallel_composition_over_records() -> Verdict:
    """Neighboring tables differ in one record, which belongs to one of the two sets: the other release sees
    the same records, and its law cancels. That needs a rule by which a record belongs to D1 or D2 whatever
    the others are. If D1 is the least record and D2 the rest, {2, 3} and {1, 2, 3} give {2} and {1} for D1,
    two neighbors apart, and {3} and {2, 3} for D2: together 3ε.
    """

    def split(d: tuple[int, ...]) -> Distribution:
        return jointly([_first_if_it_is_1(d[:1]), threshold_mechanism(len(d[1:]), 1)])

    alone = max(
        Fraction(likelihood_ratio_bound(_first_if_it_is_1(a), _first_if_it_is_1(b)))
        for one in ((1,), (2,), (3,))
        for a, b in (((), one), (one, ()))
    )
    joint = Fraction(likelihood_ratio_bound(split((1, 2, 3)), split((2, 3))))
    return holds(
        *(in_one_part(s, settled(beside_the_others(s))) for s in OF_RECORDS),
        aside(exact.compare(alone, "==", C, "e^loss of the answer on the least record alone")),
        aside(exact.compare(joint, "==", C**3, "the least record and the rest: {1, 2, 3} and {2, 3}")),
        value="ε",
        condition=f"{by_convention('own coins', 'haney2017')}; {by_convention('rows', 'haney2017')}",
    )


@claim(
    "haney2017/thm-7.4",
    where="Section 7.3, Theorem 7.4",
    states=OF_ESTABLISHMENTS,
    says="Releases of data on distinct sets of establishments, each (α, ε)-private, are together "
    "(α, ε)-private; the same for weak privacy.",
)
def parallel_composition_over_establishments() -> Verdict:
    """Neighbors differ in the workforce of one establishment, which is in at most one of the two sets. The
    other release sees the same data: its law is the same on both sides and cancels.
    """
    return holds(
        *(in_one_part(s, settled(beside_the_others(s))) for s in OF_ESTABLISHMENTS),
        value="ε",
        condition=by_convention("own coins", "haney2017"),
    )


def _split_distance(relation: NeighborRelation[Sizes], a: Sizes, b: Sizes) -> tuple[int, int]:
    """d(A∩D1, B∩D1) + d(A∩D2, B∩D2) and d(A, B), for D1 and D2 the two establishments."""
    first = relation.distance((a[0], 0), (b[0], 0))
    second = relation.distance((0, a[1]), (0, b[1]))
    return int(first + second), int(relation.distance(a, b))


def _of_establishments() -> Distances:
    relation = Strong(SizeUniverse(2, 2), Fraction(1))
    for a, b in product(relation.datasets(), repeat=2):
        yield a, b, _split_distance(relation, a, b)


def _of_kinds() -> Distances:
    """One establishment, whose workers of two kinds are the two parts."""
    whole, part = (Strong(ShapeUniverse(1, kinds, 2), Fraction(1)) for kinds in (2, 1))
    for a, b in product(whole.datasets(), repeat=2):
        parts = sum(int(part.distance(((x,),), ((y,),))) for x, y in zip(a[0], b[0], strict=True))
        yield a, b, (parts, int(whole.distance(a, b)))


SPLITS = {"two establishments": _of_establishments, "two kinds of workers": _of_kinds}
"""Ways to split the data in two, each with A, B and (the distances of the parts added up, the distance)."""


def _is_enough_as_printed(split: str) -> bool:
    """If for all A some B meets the inequality, then all A and B do, and the loss is at most ε·d(A, B)."""
    found = list(SPLITS[split]())
    printed = all(any(x == a and d[0] <= d[1] for x, _, d in found) for a, _, _ in found)
    return not printed or all(parts <= whole for _, _, (parts, whole) in found)


FOR_SOME_B = Every("way to split the data into", lambda: SPLITS, _is_enough_as_printed)
"""The printed condition is enough."""

DISTANCES_OF_KINDS = Every(
    "two datasets and their distances, split by two kinds of workers of one establishment,",
    lambda: _of_kinds(),
    lambda found: found[2][0] <= found[2][1],
)

FOR_ALL_B = Every(
    "two datasets and their distances, split by establishments,",
    lambda: _of_establishments(),
    lambda found: found[2][0] <= found[2][1],
    wrong=lambda found: found[2][0] < found[2][1],
)


@claim(
    "haney2017/eq-32",
    origin="implied",
    where="Appendix B, proof of Theorems 7.3 to 7.5, equation 32",
    says="Parallel composition needs: for all A there exists a B with d(A∩D1, B∩D1) + d(A∩D2, B∩D2) ≤ "
    "d(A, B).",
    states=FOR_SOME_B,
    meant=FOR_ALL_B,
)
def inequality_is_needed_for_all_pairs() -> Verdict:
    """With B = A both sides are 0, so as printed the condition always holds, also where parallel
    composition fails (haney2017/thm-7.5-strong). What is needed is the inequality for all A and B: then
    the loss of the two releases, ε·(d1 + d2), is at most ε·d(A, B). Over distinct establishments it is
    an equality, because each step changes one establishment.
    """
    workers = Strong(ShapeUniverse(1, 2, 2), Fraction(1))
    split = Strong(ShapeUniverse(1, 1, 2), Fraction(1))
    parts = 2 * int(split.distance(((1,),), ((2,),)))
    whole = int(workers.distance(((1, 1),), ((2, 2),)))
    return misprint(
        exact.refuted(FOR_SOME_B, case="two kinds of workers"),
        exhaustive.each(FOR_ALL_B, "two establishments of up to 2 workers, α = 1"),
        exact.compare(int(workers.distance(((1, 1),), ((1, 1),))), "==", 0, "d(A, A), where B = A"),
        exact.compare(parts, ">", whole, "A = (1, 1), B = (2, 2) by kind, α = 1: Σ of parts against d"),
        aside(
            exhaustive.for_all(
                _of_establishments(),
                lambda found: found[2][0] == found[2][1],
                "over two establishments the distances of the parts add up to the distance",
                "all pairs of datasets, two establishments of up to 2 workers, α = 1",
            )
        ),
        reading="for all A and all B",
        reading_is=Outcome.HOLDS,
        counterexample="as printed B = A satisfies it; for A = (1, 1), B = (2, 2) by kind at one "
        "establishment, α = 1, the parts are 1 + 1 > 1 = d(A, B)",
    )


TOO_MUCH = Below(
    Real("α", above=0),
    Real("E", above=0),
    left=lambda c, alpha, e: 2 * e + growth.growth_bound(2 * e, alpha, c),
    right=lambda c, alpha, e: (1 + alpha) * e + (1 + alpha) * e,
)
"""What an establishment of 2E workers may become is less than (1+α)E of each kind."""


@claim(
    "haney2017/thm-7.5-proof",
    where="Appendix B, proof of Theorem 7.5",
    says="If both kinds of workers of an establishment grow from E to (1+α)E, the datasets differ in 2αE "
    "workers and so are not strong neighbors.",
    states=TOO_MUCH,
)
def growth_of_both_kinds_is_a_share_of_the_whole() -> Verdict:
    """The establishment has 2E workers, and 2αE is exactly the share α of them: they are strong neighbors.
    The step on which the theorem rests is wrong, and the theorem with it.
    """
    return fails(
        exact.refuted(TOO_MUCH, α=1, E=1),
        counterexample="α = 1, E = 1: one worker of each kind → two of each; 4 ≤ 2·2",
    )


@claim(
    "haney2017/thm-2.1",
    where="Section 2, Theorem 2.1",
    states=PAIR,
    says="Releasing M1(D) and M2(D), ε1- and ε2-private, is (ε1+ε2)-private.",
)
def privacy_losses_add_up() -> Verdict:
    """Algorithms have coins of their own, so at outputs (a, b) the joint probabilities (or densities) are
    products: p1·p2 ≤ e^ε1·q1·e^ε2·q2. Summing (integrating) over an event gives the theorem. It is tight:
    two coins 1/3 and 2/3 with loss ln 2 each have a joint loss of ln 4.
    """
    low, high = coin(Fraction(1, 3)), coin(Fraction(2, 3))
    joint = likelihood_ratio_bound(jointly([low, low]), jointly([high, high]))
    return holds(
        settled(PAIR),
        exact.compare(Fraction(joint), "==", 4, "two coins with c = 2 each: joint c"),
        value="ε1 + ε2",
        condition=by_convention("own coins", "haney2017"),
    )


Told = tuple[int, int, int, int]
"""What an answer tells for x = 0 and Z = 0, 1, and then for x = 1."""


def _with_shared_coin(answers: tuple[Told, ...], x: int) -> Distribution:
    law: dict[Hashable, Fraction] = {}
    for z in (0, 1):
        told = tuple(answer[2 * x + z] for answer in answers)
        law[told] = law.get(told, Fraction(0)) + Fraction(1, 2)
    return law


def _adds_up(case: tuple[Told, Told]) -> bool:
    """If each answer alone is 0-private between x = 0 and 1, so are both together."""

    def private(*answers: Told) -> bool:
        first, second = (_with_shared_coin(answers, x) for x in (0, 1))
        return is_indistinguishable(first, second, 1)

    return not (private(case[0]) and private(case[1])) or private(*case)


SHARED_COINS = Every(
    "pair of answers on a bit x and one fair coin Z",
    cases=lambda: product(product((0, 1), repeat=4), repeat=2),
    holds=_adds_up,
)
"""Theorem 2.1 with ε1 = ε2 = 0 for answers that share a coin."""


@claim(
    "haney2017/thm-2.1-shared-coins",
    states=SHARED_COINS,
    where="Section 2, Theorem 2.1",
    says="Theorem 2.1 is true of two mechanisms that share their coins, too.",
    origin="ours",
)
def shared_coins_break_composition() -> Verdict:
    """M1 outputs x + Z mod 2 with a fair coin Z, M2 outputs Z: each alone is uniform whatever x is, so
    both are 0-private. Together they tell x exactly.
    """
    half = Fraction(1, 2)

    def first(x: int) -> Distribution:
        return {(x + z) % 2: half for z in (0, 1)}

    def both(x: int) -> Distribution:
        return {((x + z) % 2, z): half for z in (0, 1)}

    joint = likelihood_ratio_bound(both(0), both(1))
    return fails(
        exact.refuted(SHARED_COINS, case=((0, 1, 1, 0), (0, 1, 0, 1))),
        exact.compare(Fraction(likelihood_ratio_bound(first(0), first(1))), "==", 1, "c of M1 alone"),
        exact.compare(hockey_stick(both(0), both(1), 10**6), "==", 1, "divergence of both, c = 10⁶"),
        exact.compare(int(math.isinf(joint)), "==", 1, "the joint loss is infinite"),
        counterexample="x = 0 or 1, Z a fair coin: (x + Z mod 2, Z) has disjoint supports",
        condition="true of independent coins",
    )
