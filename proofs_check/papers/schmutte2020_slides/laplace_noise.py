"""Laplace noise on regression predictions: calibration, parallel composition, one draw for two ranks."""

from fractions import Fraction
from itertools import product

import sympy

from establish import Verdict, claim, exact, fails, holds, ill_posed, solver, symbolic
from establish.proofs_check.engine.rules import PAIR, beside_the_others, in_one_part, settled
from establish.proofs_check.engine.statements import Below, Equal, Every, Moment, OfParts, Real
from establish.proofs_check.papers.schmutte2020_slides.groups import FLAT, ONE, ZERO
from establish.spec.arithmetic import Number, World
from establish.spec.distributions import laplace
from establish.spec.distributions.laplace import Laplace
from establish.spec.earnings.chosen_by_size import jointly
from establish.spec.indistinguishability import Distribution, hockey_stick, likelihood_ratio_bound
from establish.spec.regression.local import change_by_adding
from establish.spec.regression.ols import Line, Moments, Points, fit


def _turned(c: World, people: Number, eta: Number) -> Number:
    """How far one more person at (η, 1) moves the prediction at rank 1 of people at (0, 0) and one at
    (η, 0).
    """
    zero = c.number(0)
    crowd = Moments(people, zero, zero, zero, zero).plus(eta, zero)
    return change_by_adding(crowd, 1, eta, 1)


BEYOND_ALL_BOUNDS = Below(
    Real("C", least=1),
    Real("k", least=1),
    left=lambda c, bound, k: bound,
    right=lambda c, bound, k: _turned(c, k, 1 / (4 * bound)),
)
MULTIPLES = Equal(
    Real("k", least=1),
    Real("m", least=1),
    left=lambda c, k, m: _turned(c, k, 1 / m),
    right=lambda c, k, m: m / 2,
)
"""For every bound there is a rank η ≤ 1/4 at which a neighbor moves the prediction by more."""


@claim(
    "schmutte2020_slides/global-sensitivity",
    where="Slides, The (global) sensitivity is too dang high",
    says="The global sensitivity of a regression prediction is a lot.",
    states=BEYOND_ALL_BOUNDS,
    tight=(BEYOND_ALL_BOUNDS, MULTIPLES),
)
def predictions_have_unbounded_sensitivity() -> Verdict:
    """Two people at rank 0 and rank η with outcome 0 predict 0 everywhere. A third at rank 0 with outcome 1
    turns the line: at rank 1 it predicts 1/2 − 1/(2η), without bound as η → 0, although all outcomes lie
    in [0, 1]. More people do not help: k people at rank 0 and one at rank η, all with outcome 0; one more
    at rank η with outcome 1 moves the prediction at rank 1 to 1/(2η), whatever k is. On ranks in percent
    (η = 1/100) the sensitivity is at least 50.
    """
    return holds(
        solver.proves(BEYOND_ALL_BOUNDS),
        symbolic.proves(MULTIPLES),
        value="∞; at least m/2 when ranks are multiples of 1/m",
    )


VARIANCE_IS_THE_SCALE = Equal(
    Real("Δ_LS/ε", above=0),
    left=lambda c, scale: laplace.absolute_moment(2, scale),
    right=lambda c, scale: scale,
)
"""The variance of the Laplace law is what the slide prints, its scale."""


TWICE_THE_SQUARE = Moment(
    Real("Δ_LS/ε", above=0),
    law=lambda c, scale: Laplace(c.number(0), scale, c),
    of=lambda c, noise: noise * noise,
    closed=lambda c, scale: 2 * scale * scale,
    breaks=(lambda c, scale: c.number(0),),
)


@claim(
    "schmutte2020_slides/var-omega",
    where="Slides, This won't work, either",
    says="The noise ω_g has variance Δ_LS/ε.",
    states=VARIANCE_IS_THE_SCALE,
    tight=TWICE_THE_SQUARE,
)
def variance_is_twice_the_square_of_the_scale() -> Verdict:
    """Δ/ε = b is the scale of the Laplace law, whose variance is 2b². The two agree at b = 1/2 only. What
    the slide needs is true of either: both are functions of the local sensitivity.
    """
    return fails(
        symbolic.integrates(TWICE_THE_SQUARE),
        exact.refuted(VARIANCE_IS_THE_SCALE, **{"Δ_LS/ε": 1}),
        counterexample="Δ = 1, ε = 1: the variance is 2, printed is 1",
        value="2·(Δ_LS/ε)²",
    )


def coin(c: Fraction, truth: bool) -> Distribution:
    """Answers a yes-or-no question with the loss ln c exactly."""
    right, wrong = c / (1 + c), 1 / (1 + c)
    return {"yes": right, "no": wrong} if truth else {"yes": wrong, "no": right}


def _answers(present: tuple[bool, ...], levels: tuple[Fraction, ...]) -> Distribution:
    return jointly([coin(c, truth) for c, truth in zip(levels, present, strict=True)])


LEVELS = (Fraction(2), Fraction(3), Fraction(5))
"""e^ε_g of three groups in the examples."""


OF_GROUPS = OfParts("edge", "workers", level=lambda c, level, delta: level)
OF_GROUPS_ATTAINED = Equal(
    left=lambda c: c.number(
        Fraction(
            likelihood_ratio_bound(
                _answers((False, False, False), LEVELS), _answers((False, False, True), LEVELS)
            )
        )
    ),
    right=max(LEVELS),
)
"""Releases of the groups, each of which costs at most ε = max_g ε_g, cost that together."""


@claim(
    "schmutte2020_slides/parallel-max",
    where="Slides, Calibrating Noise to Sensitivity, Properties",
    says="Releasing every group g with an ε_g-private mechanism costs max_g ε_g in total.",
    states=OF_GROUPS,
    tight=(OF_GROUPS, OF_GROUPS_ATTAINED),
    scope="ε_g ≤ ε for every group; one person more or less, in the group of its own attributes",
)
def groups_compose_in_parallel() -> Verdict:
    """One person added or removed is in one group; the releases of all others have equal laws, which cancel.
    So the total is the loss of that group, at most max_g ε_g, and attained there. It needs one group for
    each person (no one twice), mechanisms that see only their own group, and independent coins. If a
    person may move from one group to another, two groups change; see parallel-max/moves.
    """
    return holds(
        exact.decided(OF_GROUPS_ATTAINED),
        in_one_part(OF_GROUPS, settled(beside_the_others(OF_GROUPS))),
        value="max_g ε_g",
        condition="neighbors add or remove a person, who belongs to one group",
    )


def _only(group: int) -> tuple[bool, ...]:
    return tuple(g == group for g in range(3))


MOVES_COST_THE_LARGEST = Every(
    "groups before and after",
    lambda: product(range(3), repeat=2),
    lambda move: (
        likelihood_ratio_bound(_answers(_only(move[0]), LEVELS), _answers(_only(move[1]), LEVELS))
        <= max(LEVELS)
    ),
)
MOVE_ATTAINS_BOTH = Equal(
    left=lambda c: c.number(
        Fraction(likelihood_ratio_bound(_answers(_only(1), LEVELS), _answers(_only(2), LEVELS)))
    ),
    right=LEVELS[1] * LEVELS[2],
)
"""One person in one of three groups, with e^ε_g of 2, 3 and 5, who may move to another."""


@claim(
    "schmutte2020_slides/parallel-max/moves",
    where="Slides, Calibrating Noise to Sensitivity, Properties",
    says="Read for neighbors in which one person may move to another group: the total loss is max_g ε_g.",
    states=MOVES_COST_THE_LARGEST,
    tight=(PAIR, MOVE_ATTAINS_BOTH),
    origin="ours",
)
def moving_between_groups_costs_two() -> Verdict:
    """A person of another race or tract leaves one group and enters another: two removals or additions, of
    different groups, whose losses add up. The total is the sum of the two largest ε_g.
    """
    return fails(
        settled(PAIR),
        exact.decided(MOVE_ATTAINS_BOTH),
        exact.refuted(MOVES_COST_THE_LARGEST, case=(1, 2)),
        counterexample="e^ε_g = 2, 3, 5: a person moves from group 2 to group 3, P = 3/4·5/6 and 1/4·1/6: "
        "ratio 15 > 5",
        value="the sum of the two largest ε_g",
        condition="true when the group of a person is public",
    )


def _slope_told(points: Points) -> Distribution:
    """The law of θ̃(1) − θ̃(0) when one draw serves both ranks: that of a number without noise."""
    found = fit(points)
    return {None if found is None else found.at(ONE) - found.at(ZERO): ONE}


BOTH_RANKS = Every(
    "pair of neighboring groups",
    lambda: ((FLAT, tuple(sorted((*FLAT, (ONE, ONE))))),),
    lambda pair: hockey_stick(_slope_told(pair[0]), _slope_told(pair[1]), 10**6) < 1,
)
"""Not everything is told at the level e^ε = 10⁶."""


@claim(
    "schmutte2020_slides/one-draw",
    origin="implied",
    where="Slides, Calibrating Noise to Sensitivity",
    says="θ̃_g(rank) = q(D_g, rank) + ω_g, with a noise that does not depend on the rank, is ε-private.",
    states=BOTH_RANKS,
)
def one_draw_for_two_ranks_reveals_the_slope() -> Verdict:
    """At one rank, yes. With the same draw at two ranks the difference θ̃(r) − θ̃(s) = β̂·(r − s) has no
    noise: it tells the slope exactly. Three people on a flat line have slope 0; with one more at (1, 1)
    it is 6/11. Independent draws cost the sum of the ε of the ranks.
    """
    r, s, a, b, noise = sympy.symbols("r s a b omega")
    line = Line(a, b)
    moved = tuple(sorted((*FLAT, (ONE, ONE))))
    flat, steep = fit(FLAT), fit(moved)
    assert flat is not None
    assert steep is not None
    difference: list[Distribution] = [
        {found.at(ONE) - found.at(ZERO): Fraction(1)} for found in (flat, steep)
    ]
    both = jointly([coin(Fraction(2), True)] * 2)
    neither = jointly([coin(Fraction(2), False)] * 2)
    return ill_posed(
        exact.refuted(BOTH_RANKS, case=(FLAT, tuple(sorted((*FLAT, (ONE, ONE)))))),
        symbolic.identity((line.at(r) + noise) - (line.at(s) + noise), b * (r - s), "difference"),
        exact.compare(steep.slope, "==", Fraction(6, 11), "slope with one more person at (1, 1)"),
        exact.compare(hockey_stick(difference[0], difference[1], 10**6), "==", 1, "least δ at e^ε = 10⁶"),
        exact.compare(
            Fraction(likelihood_ratio_bound(both, neither)), "==", 4, "two independent draws, e^loss"
        ),
        condition="one rank for each group, or an independent draw for each rank with its own ε",
        counterexample="outcomes 0 at ranks 0, 1/2, 1, and one more person at (1, 1): "
        "θ̃(1) − θ̃(0) = 0 against 6/11, without noise",
        value="∞ with one draw for two ranks; the sum of their ε with independent draws",
    )
