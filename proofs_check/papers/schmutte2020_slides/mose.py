"""MOSE: what it satisfies as published."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import isinf

from establish import Verdict, aside, claim, enclosure, exact, exhaustive, fails, holds, ill_posed, solver
from establish.proofs_check.engine.statements import AtMost, Below, Comparison, Equal, Every, Real
from establish.proofs_check.papers.foote2019.composition import BY_OWN_ATTRIBUTES, parts_compose
from establish.proofs_check.papers.schmutte2020_slides.groups import (
    BENT,
    FLAT,
    FLATTER,
    GRID,
    HALF,
    KINK,
    KINK_MORE,
    NEIGHBORS,
    PREDICTIONS,
    are_neighbors,
    fewer_than_three_have_no_finite_sensitivity,
    tail_log_ratio,
)
from establish.proofs_check.papers.schmutte2020_slides.releases import chi, law, public_scale_loss, published
from establish.spec.arithmetic import ARB, enclosing
from establish.spec.indistinguishability import Distribution, hockey_stick
from establish.spec.regression.local import local_sensitivity, neighbors
from establish.spec.regression.mose import Groups, Mose, envelope, maximum_observed_sensitivity
from establish.spec.regression.neighbors import AddOrRemovePerson
from establish.spec.regression.ols import Points, predict


def _tails(epsilon: int, wide: Groups, narrow: Groups, g: int = 0) -> Comparison:
    """ln of P(Y > t)/P'(Y > t) is at most ε for all t from 1 on, for two datasets and MOSE as published."""
    made = Mose(epsilon, HALF, GRID)
    return AtMost(
        Real("t", least=1),
        left=lambda c, t: made.tail_exponent(narrow, g, t) - made.tail_exponent(wide, g, t),
        right=epsilon,
    )


UNCHANGED_GROUP = _tails(1, (FLATTER, FLAT), (FLAT, FLAT), 1)
"""Group 2, in which nothing happens, when a person joins group 1."""

AT_EIGHT = _tails(8, (FLAT,), (FLATTER,))

NO_LEVEL = Below(
    Real("k", least=1),
    left=lambda c, k: k,
    right=lambda c, k: (
        Mose(1, HALF, GRID).tail_exponent((FLATTER,), 0, k + 1)
        - Mose(1, HALF, GRID).tail_exponent((FLAT,), 0, k + 1)
    ),
)
"""At every multiple k of ε = 1 the neighbors FLAT and FLATTER have an event with a larger loss: Y > k + 1."""


ABOVE_EVERY_GROUP = AtMost(
    Real("N", least=1),
    Real("LS", least=0),
    Real("others", least=0),
    left=lambda c, size, local, others: local,
    right=lambda c, size, local, others: c.maximum(size * local, others) / size,
)
"""χ is the maximum of N·LS of a group and of the others."""


ATTAINED = Equal(
    left=lambda c: c.number(
        envelope(Fraction(maximum_observed_sensitivity((FLAT, BENT), HALF, GRID)), len(BENT))
    ),
    right=lambda c: c.number(Fraction(local_sensitivity(BENT, HALF, GRID))),
)
"""By the group that determines χ."""


@claim(
    "schmutte2020_slides/mose-envelope",
    where="Slides, Maximum Observed Sensitivity",
    says="χ/N_g is at least the local sensitivity of every group g, for χ = max_g N_g·LS_g.",
    states=ABOVE_EVERY_GROUP,
    tight=(ABOVE_EVERY_GROUP, ATTAINED),
    origin="implied",
)
def envelope_lies_above_every_group() -> Verdict:
    """N_g·LS_g ≤ χ, divided by N_g. It is attained by the group that determines χ. It speaks of the observed
    data only: in a neighboring dataset the local sensitivity may exceed it.
    """
    more = max(
        Fraction(local_sensitivity(other, HALF, GRID))
        for other in neighbors(FLATTER, GRID)
        if predict(other, HALF) is not None and not isinf(local_sensitivity(other, HALF, GRID))
    )
    return holds(
        exact.decided(ATTAINED),
        solver.proves(ABOVE_EVERY_GROUP),
        aside(
            exact.compare(more, ">", envelope(chi(FLATTER), 4), "a neighbor's local sensitivity against χ/N")
        ),
        value="χ/N_g, attained",
        condition="for the observed dataset",
    )


SCALES = (
    Equal(left=lambda c: c.number(Mose(1, HALF, GRID).scale((FLAT,), 0)), right=Fraction(1, 4)),
    Equal(left=lambda c: c.number(Mose(1, HALF, GRID).scale((FLATTER,), 0)), right=Fraction(1, 5)),
)
"""Of MOSE at ε = 1, for a dataset of one group."""


@claim(
    "schmutte2020_slides/mose-not-dp",
    where="Slides, Maximum Observed Sensitivity, Properties",
    says="MOSE is not ε-differentially private.",
    states=(NEIGHBORS, PREDICTIONS, *SCALES, NO_LEVEL),
    tight=NO_LEVEL,
)
def recomputed_scale_breaks_every_level() -> Verdict:
    """χ and N_g change with one person, and with them the scale; far out in the tails the ratio exceeds every
    bound. Smallest pair: one group, outcomes 0 at ranks 0, 1/2, 1, where χ = 3/4, and one more at (1/2, 0),
    where χ = 4/5: scales 1/(4ε) and 1/(5ε) about the same prediction 0. So ε at no level is satisfied, also
    not kε for some k. (With one group the envelope is its local sensitivity.)
    """
    t = Fraction(2)
    wide, narrow = law(published(), (FLAT,)), law(published(), (FLATTER,))
    return holds(
        *map(exact.decided, (NEIGHBORS, PREDICTIONS, *SCALES)),
        exact.compare(tail_log_ratio(wide, narrow, t), "==", 2, "ε = 1: ln ratio of P(Y > 2)"),
        solver.proves(NO_LEVEL),
        aside(fewer_than_three_have_no_finite_sensitivity()),
        value="∞",
        condition="smallest pair, ε = 1: outcomes 0 at ranks 0, 1/2, 1, and one more at (1/2, 0); "
        "P(Y > t) = ½·e^(−4t) against ½·e^(−5t), ratio e^t; at t = 2 it is e² > e",
    )


def _scale_told(points: Points) -> Distribution:
    """The law of the published scale of MOSE for one group."""
    return {Mose(1, HALF, GRID).scale((points,), 0): Fraction(1)}


SCALE_MAY_BE_PUBLISHED = Every(
    "pair of neighboring groups",
    lambda: ((FLAT, FLATTER),),
    lambda pair: hockey_stick(_scale_told(pair[0]), _scale_told(pair[1]), 10**6) < 1,
)


@claim(
    "schmutte2020_slides/mose-not-dp/exported-scale",
    where="Slides, Maximum Observed Sensitivity, with This won't work, either",
    says="Unlike the local scale, χ/N_g may be published, so that users know the variance of the noise "
    "(implied).",
    states=SCALE_MAY_BE_PUBLISHED,
    origin="implied",
)
def exported_scale_separates_neighbors() -> Verdict:
    """Published without noise, it tells the two datasets of mose-not-dp apart with certainty: 1/4 and 1/5.
    Then no δ < 1 is satisfied, even in the sense of approximate privacy. A group whose N_g is public tells
    χ, and χ tells of the one group that determines it.
    """
    scales: list[Distribution] = [
        {published().scale((points,), 0): Fraction(1)} for points in (FLAT, FLATTER)
    ]
    return fails(
        exact.refuted(SCALE_MAY_BE_PUBLISHED, case=(FLAT, FLATTER)),
        are_neighbors((FLAT,), (FLATTER,)),
        exact.compare(hockey_stick(scales[0], scales[1], 10**6), "==", 1, "least δ at e^ε = 10⁶"),
        counterexample="outcomes 0 at ranks 0, 1/2, 1: 1/(4ε); one more at (1/2, 0): 1/(5ε)",
        value="δ = 1 at every ε",
        condition="true for a public χ and public N_g",
    )


GIVEN_CHI = Mose(1, HALF, GRID, chi=2)
"""MOSE with the public χ = 2."""


def _pairs() -> Iterator[tuple[Points, Points, Points]]:
    """A group, what one person more or less makes of it, and another group, both with a line."""
    groups = [g for (g,) in AddOrRemovePerson(GRID, 1, 2).datasets() if predict(g, HALF) is not None]
    for first, second in product(groups, repeat=2):
        for other in neighbors(first, GRID):
            yield first, other, second


OTHER_GROUPS_KEEP_THEIR_LAW = Every(
    "case (group 1, its neighbor, group 2)",
    _pairs,
    lambda case: (
        GIVEN_CHI.center((case[1], case[2]), 1) == GIVEN_CHI.center((case[0], case[2]), 1)
        and GIVEN_CHI.scale((case[1], case[2]), 1) == GIVEN_CHI.scale((case[0], case[2]), 1)
    ),
    wrong=lambda case: GIVEN_CHI.scale((case[1], case[2]), 0) == GIVEN_CHI.scale((case[0], case[2]), 0),
)
"""With χ public, the release of group 2 is the same whatever one person does in group 1."""


@claim(
    "schmutte2020_slides/mose-parallel",
    where="Slides, Maximum Observed Sensitivity, Properties",
    says="Conditional on χ, MOSE satisfies parallel composition across groups.",
    states=(BY_OWN_ATTRIBUTES, OTHER_GROUPS_KEEP_THEIR_LAW),
    tight=BY_OWN_ATTRIBUTES,
    scope="χ public: the release of a group is one of its own records; e^ε is the largest of the groups",
)
def groups_compose_given_chi() -> Verdict:
    """The scale χ/(N_g ε) of a group depends on the data through χ and its own size only. So with χ public,
    and also between neighbors that have the same χ, a person changes the law of one group, and the total
    loss is that of this group. (What one group loses is mose-conditional/…; what happens when χ is
    recomputed is mose-parallel/recomputed.)
    """
    same, still_same = (KINK, KINK), (KINK_MORE, KINK)
    return holds(
        parts_compose(),
        exhaustive.each(OTHER_GROUPS_KEEP_THEIR_LAW, "two groups of two people on the grid"),
        are_neighbors(same, still_same),
        exact.compare(published().chi(same), "==", published().chi(still_same), "observed χ"),
        exact.compare(published().scale(same, 1), "==", Fraction(1, 3), "equal χ = 1: scale of group 2"),
        exact.compare(
            published().scale(still_same, 1), "==", Fraction(1, 3), "after a person joined group 1"
        ),
        value="max_g ε_g",
        condition="χ is public, or the same for both neighbors; ε_g is what group g loses",
    )


NO_LEVEL_OF_UNCHANGED = Below(
    Real("k", least=1),
    left=lambda c, k: k,
    right=lambda c, k: (
        Mose(1, HALF, GRID).tail_exponent((FLAT, FLAT), 1, 4 * k + 1)
        - Mose(1, HALF, GRID).tail_exponent((FLATTER, FLAT), 1, 4 * k + 1)
    ),
)
"""Whatever k is, the event {Y > 4k + 1} of the group in which nothing happened has a larger loss."""


@claim(
    "schmutte2020_slides/mose-parallel/recomputed",
    where="Slides, Maximum Observed Sensitivity, Properties",
    says="Conditional on χ, read as 'χ is what the data give', MOSE satisfies parallel composition across "
    "groups.",
    states=UNCHANGED_GROUP,
    tight=NO_LEVEL_OF_UNCHANGED,
    origin="implied",
)
def chi_links_all_groups() -> Verdict:
    """As published χ is a maximum over all groups: one person in group 1 changes the noise of group 2. With
    outcomes 0 at ranks 0, 1/2, 1 in both groups and one more at (1/2, 0) in the first, χ rises from 3/4 to
    4/5, and the scale of the second group, in which nothing happened, from 1/4 to 4/15.
    """
    before, after = (FLAT, FLAT), (FLATTER, FLAT)
    narrow, wide = law(published(), before, 1), law(published(), after, 1)
    return fails(
        solver.proves(NO_LEVEL_OF_UNCHANGED),
        are_neighbors(before, after),
        aside(exact.compare(narrow[1], "==", Fraction(1, 4), "scale of the unchanged group before")),
        aside(exact.compare(wide[1], "==", Fraction(4, 15), "after a person joined the other group")),
        exact.refuted(UNCHANGED_GROUP, t=8),
        exact.compare(tail_log_ratio(wide, narrow, Fraction(8)), "==", 2, "ln ratio of P(Y_2 > 8)"),
        counterexample="ε = 1, two groups with outcomes 0 at ranks 0, 1/2, 1, and one more at (1/2, 0) in "
        "group 1: P(Y_2 > 8) = ½·e^(−32) before, ½·e^(−30) after",
        value="∞",
    )


@claim(
    "schmutte2020_slides/eps-8",
    where="Slides, Implementation details",
    says="The privacy-loss parameter ε = 8 bounds the loss of what is released.",
    states=AT_EIGHT,
    origin="implied",
)
def eight_is_no_loss_as_published() -> Verdict:
    """As published no loss parameter bounds the loss (mose-not-dp): at ε = 8 the ratio of P(Y > 2) is e^16
    already. With public χ and sizes it is one, for each person and each released number: odds may change by
    e^8 = 2980.96, so that an attacker at even odds may become 99.97% sure. Several predictions per group
    (ranks, outcomes) add up.
    """
    with enclosing():
        odds = enclosure.digits(ARB.exp(ARB.number(8)), 17)
    return ill_posed(
        exact.refuted(AT_EIGHT, t=2),
        *public_scale_loss(),
        enclosure.compare(
            lambda c: c.exp(c.number(8)) / (1 + c.exp(c.number(8))),
            ">",
            lambda c: c.number(Fraction(9996, 10000)),
            "posterior from even odds",
        ),
        condition="χ and the sizes are public, and bound every dataset; for one released number",
        counterexample="outcomes 0 at ranks 0, 1/2, 1, and one more at (1/2, 0), ε = 8: P(Y > 2) = ½·e^(−64) "
        "against ½·e^(−80), ratio e^16 > e^8",
        value=odds,
    )
