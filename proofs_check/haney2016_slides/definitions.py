"""Neighbors and parallel composition in the slides."""

from __future__ import annotations

from fractions import Fraction

import z3

from establish.proofs_check.haney2017.growth import grows
from establish.proofs_check.methods import exact, exhaustive, solver
from establish.proofs_check.register import claim, repeats
from establish.proofs_check.verdicts import Outcome, Verdict, aside, fails, misprint
from establish.spec.relations.strong import Strong
from establish.spec.relations.universes import SizeUniverse

TENTH = Fraction(1, 10)


@claim(
    "haney2016_slides/def-7.1",
    where="Slides, Definition 7.1",
    says="Strong α-neighbors: E ⊆ E' and |E| ≤ |E'| ≤ max(1+α)|E|, |E|+1).",
)
def parenthesis_of_the_maximum_is_missing() -> Verdict:
    """The parentheses do not match. Closed after 1+α it would read max(1+α)·|E|, without the second term:
    then small establishments have no neighbors and a single hire is not protected. The 2017 text has
    max((1+α)|E|, |E|+1).
    """
    alpha, x = z3.Reals("alpha x")
    relation = Strong(SizeUniverse(1, 3), TENTH)
    return misprint(
        exact.compare(
            "max(1+α)|E|, |E|+1)".count("("), "<", "max(1+α)|E|, |E|+1)".count(")"), "parentheses"
        ),
        exact.compare(2, ">", (1 + TENTH) * 1, "without the second term 1 and 2 are no neighbors"),
        exact.compare(int(relation.related((1,), (2,))), "==", 1, "with it they are"),
        solver.for_all(
            [alpha > 0, x >= 0], grows(x, x + 1, alpha), "every size has its hire as a neighbor"
        ),
        reading="max((1+α)|E|, |E|+1)",
        reading_is=Outcome.HOLDS,
        counterexample="α = 1/10, 1 and 2 workers: max((1+α)·1) = 1.1 < 2, max(1.1, 2) = 2",
    )


@claim(
    "haney2016_slides/def-7.3",
    where="Slides, Definition 7.3",
    says="Weak α-neighbors: φ(E) ≤ φ(E') ≤ max((1+α)φ(E), 1) for every property φ.",
)
def one_worker_is_unprotected_beside_another() -> Verdict:
    """With 1 in place of φ(E)+1 a count between 1 and 1/α cannot grow at all: its only neighbors are
    smaller. Between 1 and 1/α workers every count may be released exactly, so who joins an establishment
    of one worker is not protected, and Theorem 7.2 fails.
    """

    def may_grow(x: int, y: int) -> bool:
        return x <= y <= max((1 + TENTH) * x, Fraction(1))

    return fails(
        exact.compare(
            2, ">", max((1 + TENTH) * 1, Fraction(1)), "φ(E) = 1 → φ(E') = 2 against the bound"
        ),
        aside(
            exhaustive.for_all(
                [(x, y) for x in range(1, 10) for y in range(x + 1, 25)],
                lambda pair: not may_grow(*pair),
                "no count from 1 to 9 may grow",
                "α = 1/10, counts 1 to 9 against all larger ones below 25",
            )
        ),
        aside(exact.compare(int(may_grow(10, 11)), "==", 1, "10 → 11 is allowed")),
        counterexample="α = 1/10: φ(E) = 1 and φ(E') = 2 are not neighbors, since max(1.1, 1) = 1.1 < 2; "
        "a mechanism may tell 1 from 2 exactly",
        value="max((1+α)φ(E), φ(E)+1)",
    )


repeats(
    "haney2016_slides/thm-7.5",
    where="Slides, Theorem 7.5",
    says="Parallel composition over workers of one establishment holds under strong and fails under weak "
    "neighbors.",
    same_as="haney2017/thm-7.5-strong",
)
