"""Section 8's opening and Theorem 7.5: what releasing all cells of a marginal costs."""

from fractions import Fraction
from itertools import product

from establish import Every, Evidence, Verdict, aside, claim, exact, exhaustive, fails, holds, rules, symbolic
from establish.proofs_check.engine.statements import InTurn, OfParts
from establish.spec.earnings.chosen_by_size import jointly
from establish.spec.indistinguishability import Distribution, likelihood_ratio_bound
from establish.spec.relations.strong import Strong
from establish.spec.relations.universes import ShapeUniverse, SizeUniverse
from establish.spec.relations.weak import Weak

C = Fraction(2)
"""e^ε in the examples of this module."""


def threshold_mechanism(count: int, threshold: int) -> Distribution:
    """Tells whether count > threshold, with a loss of exactly ln C: (α, ln 2)-private for every α."""
    truth, lie = C / (1 + C), 1 / (1 + C)
    return {"more": truth, "not": lie} if count > threshold else {"more": lie, "not": truth}


def _both_sexes(before: tuple[int, int], after: tuple[int, int]) -> Fraction:
    """The joint e^loss when men and women are released by thresholds at their counts before."""

    def release(counts: tuple[int, int]) -> Distribution:
        return jointly(list(map(threshold_mechanism, counts, before)))

    return Fraction(likelihood_ratio_bound(release(before), release(after)))


def _single_loss() -> Fraction:
    return Fraction(likelihood_ratio_bound(threshold_mechanism(1, 1), threshold_mechanism(2, 1)))


OF_WORKERS = OfParts("strong", "workers", level=lambda c, level, delta: level)
"""Parallel composition over the workers of establishments."""

OF_CELLS = OfParts("strong", "establishments", level=lambda c, level, delta: level)
"""And over the cells of a marginal over establishment attributes."""


def one_more_of_each(kinds: int) -> Evidence:
    """At α = 1 an establishment of one worker of each kind takes on one more of each."""
    return exact.refuted(
        OF_WORKERS,
        α=1,
        c=C,
        δ=0,
        universe=ShapeUniverse(1, kinds, 2),
        **{"D": ((1,) * kinds,), "D'": ((2,) * kinds,), "speaks": (((1,),),) * kinds},
    )


@claim(
    "haney2017/thm-7.5-strong",
    where="Section 7.3, Theorem 7.5",
    says="Under strong neighbors, releasing M1 on some workers and M2 on other workers of the same "
    "establishment, each (α, ε)-private, is (α, ε)-private.",
    states=OF_WORKERS,
)
def parallel_composition_over_workers_fails() -> Verdict:
    """Strong neighbors bound the growth of the whole workforce, and new workers may be of both kinds.
    At α = 1 one man and one woman may become two and two: M1 and M2 each lose ε, together 2ε. Smaller α
    needs 2/α workers. The proof's counterexample claims that growth by α on both parts is too much for
    a neighbor, but αE + αE is exactly α times the whole workforce 2E. If each release is private as one
    of the whole data, 2ε is what sequential composition gives. The theorem gives M1 its part only, and
    there the growth of the whole may be many steps: at α = 1, 7 women and 1 man may become 7 and 9, and
    from 1 to 9 men it takes four. So no multiple of ε is enough, even for M1 alone.
    """
    before, after = (1, 1), (2, 2)
    universe = ShapeUniverse(1, 2, 3)
    related = Strong(universe, 1).related((before,), (after,))
    tenth = Strong(ShapeUniverse(1, 2, 12), Fraction(1, 10))
    many = Strong(ShapeUniverse(1, 2, 9), 1)
    men = Strong(SizeUniverse(1, 17), 1)
    steps = [int(men.distance((1,), (n,))) for n in (2, 3, 5, 9, 17)]
    return fails(
        one_more_of_each(2),
        exact.compare(int(related), "==", 1, "α = 1: (1, 1) and (2, 2) are strong neighbors"),
        exact.compare(_single_loss(), "==", C, "e^loss of each release alone"),
        exact.compare(_both_sexes(before, after), "==", C**2, "e^loss of both together"),
        aside(
            exact.compare(
                int(tenth.related(((10, 10),), ((11, 11),))), "==", 1, "α = 1/10: (10,10) and (11,11)"
            )
        ),
        aside(
            exhaustive.for_all(
                [((m, f),) for m, f in product(range(2), repeat=2) if m + f < 2],
                lambda d: all(
                    sum(a != b for a, b in zip(d[0], e[0], strict=True)) < 2
                    for e in Strong(universe, 1).neighbors(d)
                    if sum(e[0]) >= sum(d[0])
                ),
                "with fewer than two workers no neighbor grows in both kinds",
                "α = 1, fewer than two workers",
            )
        ),
        aside(exact.compare(int(many.related(((1, 7),), ((9, 7),))), "==", 1, "α = 1: (1,7), (9,7)")),
        aside(exact.compare(steps[-1], "==", 5, f"α = 1: steps from 1 man to 2, 3, 5, 9, 17 are {steps}")),
        counterexample="α = 1, e^ε = 2: 1 man, 1 woman → 2 and 2; thresholds at 1 answer 'more' twice with "
        "probability (1/3)² = 1/9 and (2/3)² = 4/9: ratio 4 = e^(2ε)",
        value="2ε if both are private as releases of the whole data, else no finite multiple of ε",
    )


def _one_of_each() -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """One man and one woman at one establishment, who become two and two."""
    return [((1, 1), (2, 2))]


def _loses_twice(case: tuple[tuple[int, int], tuple[int, int]]) -> bool:
    """They are weak neighbors at α = 1; the counts of men and of women, each released at e^ε = 2, lose more
    together.
    """
    before, after = case
    alone = [
        likelihood_ratio_bound(*(threshold_mechanism(n, before[0]) for n in kind))
        for kind in zip(*case, strict=True)
    ]
    together = likelihood_ratio_bound(*(jointly(list(map(threshold_mechanism, n, before))) for n in case))
    related = Weak(ShapeUniverse(1, 2, 3), 1).related((before,), (after,))
    return related and max(alone) <= C < together


TWICE = Every("workforce before and after", cases=_one_of_each, holds=_loses_twice)
"""Two releases on disjoint kinds of workers, each private at e^ε, that are not so together."""


@claim(
    "haney2017/thm-7.5-weak",
    states=TWICE,
    where="Section 7.3, Theorem 7.5",
    says="Under weak neighbors parallel composition over workers of one establishment does not hold.",
)
def parallel_composition_over_workers_fails_weakly_too() -> Verdict:
    """Weak neighbors let every part grow by its share at once: at α = 1 one man and one woman become two
    and two, 2 ≤ 2·1 for each and 4 ≤ 2·2 for both. The two releases lose 2ε.
    """
    return holds(
        exhaustive.each(TWICE, "one counterexample, which is what the sentence says exists"),
        exact.compare(_both_sexes((1, 1), (2, 2)), "==", C**2, "e^loss of both together"),
        value="2ε",
    )


@claim(
    "haney2017/sec8-parallel-all-marginals",
    where="Section 8",
    says="Single-count algorithms can be parallel-composed under (α, ε)-ER-EE privacy for all marginals.",
    states=(OF_WORKERS, OF_CELLS),
)
def worker_marginals_do_not_compose_in_parallel() -> Verdict:
    """It rests on Theorem 7.5 and fails with it, for marginals with worker attributes. With d cells d new
    workers, one per cell, are a strong neighbor as soon as α·|E| ≥ d, and the losses add up to d·ε. For
    marginals over establishment attributes only one cell changes, and it holds.
    """
    before, after = (1, 1, 1), (2, 2, 2)

    def release(counts: tuple[int, ...]) -> Distribution:
        return jointly(list(map(threshold_mechanism, counts, before)))

    related = Strong(ShapeUniverse(1, 3, 3), 1).related((before,), (after,))
    joint = Fraction(likelihood_ratio_bound(release(before), release(after)))
    return fails(
        one_more_of_each(3),
        rules.in_one_part(OF_CELLS, rules.settled(rules.beside_the_others(OF_CELLS))),
        exact.compare(int(related), "==", 1, "α = 1: (1, 1, 1) and (2, 2, 2) are strong neighbors"),
        exact.compare(joint, "==", C**3, "e^loss of the three cells together"),
        counterexample="α = 1, e^ε = 2, three cells of one worker each → two each: the joint ratio is 8 = "
        "e^(3ε)",
        value="d·ε for d cells of worker attributes",
        condition="true for marginals over establishment attributes",
    )


WEAK_CELLS = OfParts("weak", "establishments", level=lambda c, level, delta: level)
"""The cells of a marginal over establishment attributes are disjoint parts of the establishments."""


@claim(
    "haney2017/sec8-parallel-weak-establishment",
    where="Section 8",
    states=WEAK_CELLS,
    says="Under weak privacy single counts can be parallel-composed for marginals over establishment "
    "attributes.",
)
def establishment_marginals_compose_in_parallel() -> Verdict:
    """Each establishment lies in one cell, and neighbors differ in one establishment (Definition 7.3 as
    Definition 7.1). So one cell changes: all other releases have equal laws, whose ratio is 1.
    """
    return holds(rules.in_one_part(WEAK_CELLS, rules.settled(rules.beside_the_others(WEAK_CELLS))), value="ε")


ALL_CELLS = InTurn(level=lambda c, level, d: c.power(level, d))
"""d counts, each private as a release of the same data, cost e^(dε)."""


@claim(
    "haney2017/sec8-d-eps",
    states=(WEAK_CELLS, ALL_CELLS),
    scope="weak neighbors, each count private as a release of the establishments that it counts",
    where="Section 8",
    says="Releasing a marginal with worker attributes by single counts costs d·ε under weak privacy, d the "
    "domain size of the worker attributes.",
)
def worker_marginals_cost_the_domain_size() -> Verdict:
    """Neighbors change one establishment, that is d cells, each of which costs at most ε: d·ε by sequential
    composition. Cells of other establishments are other parts of the data, and add nothing. It is attained:
    weak neighbors may grow by the share α in every cell at once, so d mechanisms that lose ε each lose d·ε
    together. (With Algorithm 1 as printed each cell loses at most ε/2, so d·ε/2.)
    """
    before, after = (1, 1, 1), (2, 2, 2)
    related = Weak(ShapeUniverse(1, 3, 3), 1).related((before,), (after,))

    def release(counts: tuple[int, ...]) -> Distribution:
        return jointly(list(map(threshold_mechanism, counts, before)))

    return holds(
        rules.in_one_part(WEAK_CELLS, rules.settled(rules.beside_the_others(WEAK_CELLS))),
        rules.one_after_another(
            ALL_CELLS, rules.settled(rules.PAIR), *map(symbolic.proves, rules.turns_of(ALL_CELLS)[1:])
        ),
        exact.compare(int(related), "==", 1, "α = 1: (1, 1, 1) and (2, 2, 2) are weak neighbors"),
        exact.compare(
            Fraction(likelihood_ratio_bound(release(before), release(after))),
            "==",
            C**3,
            "e^loss of d = 3 cells together",
        ),
        value="d·ε",
    )
