"""Neighbors and parallel composition in the slides."""

from fractions import Fraction
from math import ceil, isinf

import z3

from establish import Outcome, Universe, Verdict, aside, claim, exact, exhaustive, fails, misprint, solver
from establish.proofs_check.engine.statements import AtMost, Equal, Implies, Integer, Real
from establish.proofs_check.papers.haney2017.attacker import at, dataset, universe
from establish.proofs_check.papers.haney2017.composition import DISTANCES_OF_KINDS
from establish.proofs_check.papers.haney2017.implications.theorems import individuals, shapes, sizes
from establish.spec.priors import two_point_prior, weak_prior
from establish.spec.relations import growth
from establish.spec.relations.relation import NeighborRelation
from establish.spec.relations.weak_without_hire import WeakWithoutHire
from establish.spec.requirements import Comparison, RecordIs, SizeIs, bayes_factor
from establish.spec.tables import Tables

TENTH = Fraction(1, 10)


SAME_BOUND = Equal(
    Real("α", above=0),
    Integer("x", least=0),
    left=lambda c, alpha, x: (1 + alpha) * x,
    right=lambda c, alpha, x: x + growth.growth_bound(c.number(x), alpha, c),
)
"""Closed after 1+α, the maximum is the growth bound."""

A_HIRE = AtMost(
    Real("α", above=0),
    Real("x", least=0),
    left=lambda c, alpha, x: x + 1,
    right=lambda c, alpha, x: x + growth.growth_bound(x, alpha, c),
)
"""Every size has its hire as a neighbor."""


BOUND_OF_THE_SLIDES, BOUND_OF_THE_PAPER = (
    Equal(
        Real("α", above=0),
        Real("φ(E)", least=0),
        left=lambda c, alpha, x, times=times: c.maximum((1 + alpha) * x, times * x + c.number(1)),
        right=lambda c, alpha, x: x + growth.growth_bound(x, alpha, c),
    )
    for times in (0, 1)
)
"""max((1+α)φ(E), 1), or with φ(E) + 1, is the growth bound of weak neighbors."""


@claim(
    "haney2016_slides/def-7.1",
    where="Slides, Definition 7.1",
    says="Strong α-neighbors: E ⊆ E' and |E| ≤ |E'| ≤ max(1+α)|E|, |E|+1).",
    states=SAME_BOUND,
    meant=A_HIRE,
    origin="implied",
)
def parenthesis_of_the_maximum_is_missing() -> Verdict:
    """The parentheses do not match. Closed after 1+α it would read max(1+α)·|E|, without the second term:
    then small establishments have no neighbors and a single hire is not protected. The 2017 text has
    max((1+α)|E|, |E|+1).
    """
    return misprint(
        exact.refuted(SAME_BOUND, α="1/10", x=1),
        solver.proves(A_HIRE),
        reading="max((1+α)|E|, |E|+1)",
        reading_is=Outcome.HOLDS,
        counterexample="α = 1/10, 1 and 2 workers: max((1+α)·1) = 1.1 < 2, max(1.1, 2) = 2",
    )


@claim(
    "haney2016_slides/def-7.3",
    origin="implied",
    where="Slides, Definition 7.3",
    says="Weak α-neighbors: φ(E) ≤ φ(E') ≤ max((1+α)φ(E), 1) for every property φ.",
    states=BOUND_OF_THE_SLIDES,
    meant=BOUND_OF_THE_PAPER,
)
def one_worker_is_unprotected_beside_another() -> Verdict:
    """Definition 7.1 of the slides has |E|+1 there, and so has the 2017 text. With 1 in place of φ(E)+1
    a count between 1 and 1/α cannot grow at all. Between 1 and 1/α workers every count may be released
    exactly, so who joins an establishment of one worker is not protected (haney2016_slides/thm-7.2).
    """
    return misprint(
        exact.refuted(BOUND_OF_THE_SLIDES, **{"α": "1/10", "φ(E)": 1}),
        aside(
            exhaustive.for_all(
                range(1, 10),
                lambda x: max((1 + TENTH) * x, Fraction(1)) < x + 1,
                "no count from 1 to 9 may grow",
                "α = 1/10, counts 1 to 9",
            )
        ),
        solver.proves(BOUND_OF_THE_PAPER),
        counterexample="α = 1/10: φ(E) = 1 and φ(E') = 2 are not neighbors, since max(1.1, 1) = 1.1 < 2; "
        "a mechanism may tell 1 from 2 exactly",
        reading="max((1+α)φ(E), φ(E)+1)",
        reading_is=Outcome.HOLDS,
    )


def _as_on_the_slides(universe: Universe, alpha: Fraction) -> NeighborRelation[Tables]:
    return WeakWithoutHire(universe, alpha)


OF_INDIVIDUALS, OF_SHAPES, OF_SIZES = (
    Implies(
        "weak (α, ε)-ER-EE privacy as on the slides",
        neighbors=_as_on_the_slides,
        requirement=requirement,
        attackers=attackers,
    )
    for requirement, attackers in ((individuals, "informed"), (shapes, "informed"), (sizes, "weak"))
)


@claim(
    "haney2016_slides/thm-7.2",
    where="Slides, Theorem 7.2 with the slides' Definition 7.3",
    says="Weak (α, ε)-ER-EE privacy implies the individual requirement at level ε, the shape requirement at "
    "(ε, α), and the size requirement at (ε, α) for weak adversaries.",
    states=(OF_INDIVIDUALS, OF_SHAPES, OF_SIZES),
)
def weak_neighbors_of_the_slides_reveal_a_worker() -> Verdict:
    """For φ = 1 the slides' bound is max((1+α)|E|, 1), which no establishment of at most one worker leaves
    when α < 1: to answer whether two or more work there is weakly private at every ε. An attacker who
    knows w1 at e, and w2 at e or not with 1/2 each, is told which: the Bayes factor is infinite. So it is
    for |e| = 2 against 1, also for a weak attacker, who gives 1/2 to either worker. (With φ(E)+1 it is
    finite for the record: haney2017/thm-7.2-req1.)
    """
    x, y = z3.Ints("x y")
    alpha = z3.Real("alpha")
    top = z3.If((1 + alpha) * x >= 1, (1 + alpha) * x, z3.RealVal(1))
    space = universe(2, ("e",))
    both, first = dataset(space, at("e"), at("e")), dataset(space, at("e"), None)
    told = {d: Fraction(len(d.workforce("e")) >= 2) for d in space.datasets()}
    attacks = (
        (
            OF_INDIVIDUALS,
            two_point_prior(space, both, first),
            Comparison(RecordIs("w2", at("e")), RecordIs("w2", None)),
        ),
        (
            OF_SIZES,
            weak_prior(space, dict.fromkeys(("e", None), Fraction(1, 2))),
            Comparison(SizeIs("e", 2), SizeIs("e", 1)),
        ),
    )
    return fails(
        solver.for_all(
            [alpha > 0, alpha < 1, x >= 0, x <= y, y <= top],
            (x >= 2) == (y >= 2),
            "neighbors of the slides lie on one side of 'two or more'",
        ),
        exact.compare(2, "<=", ceil((1 + TENTH) * 1), "sizes 1 and 2 are compared at α = 1/10"),
        *(
            exact.refuted(
                statement, α=TENTH, c=2, universe=space, likelihood=told, prior=prior, comparison=comparison
            )
            for statement, prior, comparison in attacks
        ),
        *(
            exact.compare(
                int(isinf(bayes_factor(prior, told, comparison))),
                "==",
                1,
                f"infinite Bayes factor after 'two or more' of: {comparison}",
            )
            for _, prior, comparison in attacks
        ),
        counterexample="α = 1/10, one establishment, w1 there, w2 there or not with 1/2 each: 'do two or "
        "more work there?' is answered truly at every ε, and tells it",
        value="no finite level",
        condition="with φ(E)+1 as in the 2017 text: haney2017/thm-7.2-req1, -req2, -req3",
    )


@claim(
    "haney2016_slides/thm-7.5-distances",
    where="Slides, Theorem 7.5, intuition for the proof",
    says="d(A∩D1, B∩D1) + d(A∩D2, B∩D2) ≤ d(A, B) for parts D1 and D2 of distinct workers of one "
    "establishment.",
    states=DISTANCES_OF_KINDS,
)
def distances_of_kinds_add_up_to_more() -> Verdict:
    """Both kinds may grow in one step, each by the share α of its own and the whole by the share α of its
    own: one worker of each kind becomes two at α = 1. Each part is one step away then, and so is the whole.
    """
    return fails(
        exact.refuted(DISTANCES_OF_KINDS, case=(((1, 1),), ((2, 2),), (2, 1))),
        counterexample="α = 1, A = (1, 1), B = (2, 2) by kind, strong neighbors: 1 + 1 > 1 = d(A, B)",
        condition="true for parts of distinct establishments (haney2017/eq-32)",
    )
