"""Noise scaled to the local sensitivity of the observed group, and what its scale tells."""

from collections.abc import Iterator
from fractions import Fraction
from math import isinf

from establish import Below, Compares, Equal, Every, Real, claim, enclosure, exact, exhaustive, solver
from establish.proofs_check.engine.verdicts import Verdict, aside, holds, ill_posed
from establish.proofs_check.papers.schmutte2020_slides.groups import (
    FLAT,
    FLATTER,
    GRID,
    HALF,
    NEIGHBORS,
    ONE,
    PREDICTIONS,
    SENSITIVITIES,
    ZERO,
    fewer_than_three_have_no_finite_sensitivity,
    tail_exponent,
    tail_log_ratio,
)
from establish.proofs_check.papers.schmutte2020_slides.laplace_noise import BEYOND_ALL_BOUNDS
from establish.spec.arithmetic import ARB, Number, World, enclosing
from establish.spec.indistinguishability import hockey_stick
from establish.spec.regression.local import local_sensitivity
from establish.spec.regression.neighbors import AddOrRemovePerson
from establish.spec.regression.ols import Points, predict


def released(points: Points, epsilon: Fraction = ONE) -> tuple[Fraction, Fraction]:
    """Center and scale of the prediction at rank 1/2 with noise scaled to the local sensitivity."""
    center, local = predict(points, HALF), local_sensitivity(points, HALF, GRID)
    if center is None or not isinstance(local, Fraction):
        raise ValueError(f"{points} has no line or no finite local sensitivity")
    return center, local / epsilon


def _probability(exponent: Fraction) -> str:
    """½·e^(−exponent), certified digits."""
    with enclosing():
        return enclosure.digits(ARB.exp(ARB.number(-exponent)) / 2, 15)


def _with_line(least: int, most: int) -> Iterator[Points]:
    """The groups that have a prediction at rank 1/2."""
    groups = (group for (group,) in AddOrRemovePerson(GRID, 1, most).datasets())
    return (g for g in groups if len(g) >= least and predict(g, HALF) is not None)


def _ranks_remain(points: Points) -> bool:
    rests = [points[:i] + points[i + 1 :] for i in range(len(points))]
    return all(len({rank for rank, _ in rest}) > 1 for rest in rests)


CHANGE_IS_DEFINED = Every(
    "group with a line",
    lambda: _with_line(1, 3),
    lambda group: not isinf(local_sensitivity(group, HALF, GRID)),
)
DEFINED_WHERE_RANKS_REMAIN = Every(
    "group with a line",
    lambda: _with_line(1, 4),
    lambda group: _ranks_remain(group) is not isinf(local_sensitivity(group, HALF, GRID)),
    wrong=lambda group: not isinf(local_sensitivity(group, HALF, GRID)),
)
"""The local sensitivity is finite: for every group, and exactly where two ranks remain whoever leaves."""


@claim(
    "schmutte2020_slides/local-sensitivity",
    where="Slides, How about local sensitivity?",
    says="The prediction of the observed group changes not as much as from any conceivable dataset.",
    states=(CHANGE_IS_DEFINED, BEYOND_ALL_BOUNDS),
    meant=(DEFINED_WHERE_RANKS_REMAIN, BEYOND_ALL_BOUNDS),
)
def local_sensitivity_may_be_infinite() -> Verdict:
    """From any conceivable dataset the prediction may change by any amount (global-sensitivity), so that what
    is finite is not as much. If two different ranks remain whoever leaves, the local sensitivity is finite on
    a grid of ranks: 1/4 for outcomes 0 at ranks 0, 1/2, 1. In a group of two, and in any group in which all
    ranks but one person's are equal, that person's leaving takes the prediction away, and no change is
    defined. And it is not small where ranks are close: with k people at rank 0, two at rank 1/m, the
    prediction at rank 1 moves by more than m/4 for k = 2 and m = 100.
    """
    pair = ((ZERO, ZERO), (ONE, ZERO))
    return ill_posed(
        exact.compare(released(FLAT)[1], "==", Fraction(1, 4), "outcomes 0 at ranks 0, 1/2, 1"),
        exact.refuted(CHANGE_IS_DEFINED, case=pair),
        solver.proves(BEYOND_ALL_BOUNDS),
        exact.compare(int(predict(pair[:1], HALF) is None), "==", 1, "one person has no line"),
        exhaustive.each(
            DEFINED_WHERE_RANKS_REMAIN, "groups of up to four people, ranks 0, 1/2, 1 and outcomes 0, 1"
        ),
        condition="whoever leaves, two different ranks remain",
        counterexample="outcomes 0 at ranks 0 and 1: without either of them there is no line",
    )


NO_LEVEL = Below(
    Real("k", least=1),
    left=lambda c, k: k,
    right=lambda c, k: (
        (k + 1) / c.number(Fraction(local_sensitivity(FLATTER, HALF, GRID)))
        - (k + 1) / c.number(Fraction(local_sensitivity(FLAT, HALF, GRID)))
    ),
)
"""At every multiple k of ε = 1 the event {Y > k + 1} has a larger loss: both predict 0 at rank 1/2, and
P(Y > t) = ½·e^(−t/LS).
"""


@claim(
    "schmutte2020_slides/ls-not-dp",
    where="Slides, New Method",
    says="Noise with scale Δ_LS/ε does not satisfy ε-differential privacy.",
    states=(NEIGHBORS, PREDICTIONS, *SENSITIVITIES, NO_LEVEL),
    tight=NO_LEVEL,
)
def local_scales_tell_neighbors_apart() -> Verdict:
    """Neighbors have different local sensitivities, so different scales, and far out in the tails the ratio
    of probabilities exceeds every bound: no ε at all is satisfied. Smallest pair: outcomes 0 at ranks
    0, 1/2, 1, and the same with one more at (1/2, 0). Both predict 0 at rank 1/2; their local sensitivities
    are 1/4 and 1/5. P(Y > t) = ½·e^(−4εt) against ½·e^(−5εt): the ratio is e^(εt), more than e^(kε) from
    t = k on. With two people or fewer the local sensitivity is infinite or undefined.
    """
    t = Fraction(2)
    wide, narrow = released(FLAT), released(FLATTER)
    first, second = tail_exponent(*wide, t), tail_exponent(*narrow, t)
    return holds(
        solver.proves(NO_LEVEL),
        *map(exact.decided, (NEIGHBORS, PREDICTIONS, *SENSITIVITIES)),
        exact.compare(narrow[1], "==", Fraction(1, 5), "local sensitivity of four"),
        exact.compare(tail_log_ratio(wide, narrow, t), ">", 1, "ε = 1: ln ratio of P(Y > 2)"),
        aside(fewer_than_three_have_no_finite_sensitivity()),
        value="∞",
        condition="smallest pair, ε = 1: outcomes 0 at ranks 0, 1/2, 1, and one more at (1/2, 0); P(Y > 2) = "
        f"½·e^(−{first}) = {_probability(first)} against ½·e^(−{second}) = {_probability(second)}, "
        "ratio e² > e",
    )


SCALES_DIFFER = Compares(
    left=lambda c: c.number(Fraction(local_sensitivity(FLAT, HALF, GRID))),
    relation="!=",
    right=lambda c: c.number(Fraction(local_sensitivity(FLATTER, HALF, GRID))),
)
"""The published scale of two neighboring groups, each a single number."""


def _told_apart(c: World) -> Number:
    """The least δ at e^ε = 10⁶ of publishing the two scales."""
    first, second = ({local_sensitivity(group, HALF, GRID): Fraction(1)} for group in (FLAT, FLATTER))
    return c.number(hockey_stick(first, second, 10**6))


COSTS_ALL = Equal(left=_told_apart, right=1)
"""They have no event in common, so that it is 1 at any ε."""


@claim(
    "schmutte2020_slides/ls-statistic",
    where="Slides, This won't work, either",
    says="The variance of the noise is a statistic of D_g, whose publication has a privacy cost.",
    states=(NEIGHBORS, SCALES_DIFFER, COSTS_ALL),
)
def exact_scale_separates_neighbors() -> Verdict:
    """Published exactly, the scale alone tells some neighbors apart with certainty: three people have 1/4,
    the four 1/5. No (ε, δ) with δ < 1 is satisfied, whatever is spent on the predictions.
    """
    return holds(
        *map(exact.decided, (NEIGHBORS, SCALES_DIFFER, COSTS_ALL)),
        value="δ = 1 at every ε",
        condition="outcomes 0 at ranks 0, 1/2, 1: scale 1/(4ε); one more at (1/2, 0): 1/(5ε)",
    )
