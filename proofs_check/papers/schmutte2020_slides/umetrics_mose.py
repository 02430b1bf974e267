"""UMETRICS average earnings: what each reading of the "modified MOSE" with an "upper bound" satisfies."""

from collections.abc import Callable
from fractions import Fraction

import z3

from establish import Evidence, Verdict, aside, claim, exact, exhaustive, fails, holds, solver
from establish.proofs_check.engine.rules import exceeding, no_constant
from establish.proofs_check.engine.statements import AtMost, Below, Bounded, Comparison, Equal, OfOrder, Real
from establish.proofs_check.papers.schmutte2020_slides.groups import tail_log_ratio
from establish.spec.arithmetic import EXACT, Number, World
from establish.spec.distributions.laplace import Laplace
from establish.spec.earnings.neighbors import Earnings, EarningsOfOne, PresenceOfOne
from establish.spec.mechanisms.laplace import privacy_loss
from establish.spec.sensitivity import global_sensitivity
from establish.spec.umetrics import (
    Range,
    employment_law,
    mean,
    mean_local_sensitivity,
    mose_law,
    mose_scale,
    observed_chi,
    public_chi,
    total_law,
)

METHODS = "Slides, UMETRICS, Methods (modified MOSE, upper bound MOSE, title-by-sector level)"
LEGAL: Range = (0, 2)
CELLS = PresenceOfOne(range(LEGAL[0], LEGAL[1] + 1), 0, 4)
UNIVERSE = "2 or 3 persons of a cell who earn 0, 1 or 2"


def center_and_scale(
    earnings: Earnings, chi: Fraction | int, size: int | None = None
) -> tuple[Fraction, Fraction]:
    """Of the protected average at ε_earn = 1."""
    law = mose_law(earnings, chi, 1, size, EXACT)
    return Fraction(law.center), Fraction(law.scale)


_LEGAL = Real("low"), Real("high", above=lambda c, low: low)
_EARNS = {"least": lambda c, low, *_: low, "most": lambda c, low, high, *_: high}


def _leaves(c: World, low: Number, high: Number, n: Number, x: Number, rest: Number) -> Number:
    """N times the change of the mean of x and of N − 1 others with the average ``rest``, without x."""
    return n * c.absolute((x + (n - 1) * rest) / n - rest)


def _joins(c: World, low: Number, high: Number, n: Number, x: Number, rest: Number) -> Number:
    """N times the change of the mean ``rest`` of N, with x."""
    return n * c.absolute((x + n * rest) / (n + 1) - rest)


def _width(change: Callable[..., Number], least: int) -> Comparison:
    return AtMost(
        *_LEGAL,
        Real("N", least=least),
        Real("x", **_EARNS),
        Real("rest", **_EARNS),
        left=change,
        right=lambda c, low, high, n, x, rest: high - low,
    )


WIDTH_BOUNDS = _width(_leaves, 2), _width(_joins, 2)
"""N·LS is at most high − low: for one person less, and for one more."""

WIDTH_ATTAINED = Equal(
    *_LEGAL,
    Real("N", least=2),
    left=lambda c, low, high, n: _leaves(c, low, high, n, high, low),
    right=lambda c, low, high, n: high - low,
)
"""One earns the high end, all others the low one."""


@claim(
    "schmutte2020_slides/umetrics-mose/public-chi",
    origin="implied",
    where=METHODS,
    says="The width high − low of the legal earnings is an upper bound of N·LS of every cell.",
    states=WIDTH_BOUNDS,
    tight=(*WIDTH_BOUNDS, WIDTH_ATTAINED),
    scope="cells of at least two persons; one person more or less",
)
def the_range_bounds_every_mean() -> Verdict:
    """For an average, unlike for a regression, there is a public χ. One person more at x moves the mean by
    |x − mean|/(N+1) ≤ (high − low)/(N+1); one less by |x − mean|/(N−1), and |x − mean| is at most
    (high − low)·(N−1)/N because x is part of the mean. So N·LS ≤ high − low, attained when one of N ≥ 2
    earns one end and all others the other. In a cell of one person, who may leave nobody, LS is infinite.
    """
    return holds(
        *(solver.proves(one) for one in (*WIDTH_BOUNDS, WIDTH_ATTAINED)),
        aside(
            exhaustive.for_all(
                [d for d in CELLS.datasets() if 2 <= len(d) < CELLS.most],
                lambda d: (
                    max(abs(mean(e) - mean(d)) for e in CELLS.neighbors(d))
                    == mean_local_sensitivity(d, LEGAL)
                ),
                "LS by search is the closed form",
                UNIVERSE,
            )
        ),
        value="high − low, attained",
        condition="cells of at least 2 persons",
    )


def _tail(c: World, earnings: Earnings, chi: Fraction, size: int, t: Number) -> Number:
    """k with P(Y > t) = ½·e^(−k), for the protected average at ε_earn = 1."""
    law = mose_law(earnings, chi, 1, size, EXACT)
    return (t - c.number(law.center)) / c.number(law.scale)


LOSS_OF_OWN_SIZE = Bounded(
    Real("t", least=0),
    left=lambda c, t: (
        _tail(c, (0, 0, 0), public_chi(LEGAL), 3, t) - _tail(c, (0, 0), public_chi(LEGAL), 2, t)
    ),
    by=lambda c, t: c.number(1),
)
"""One level is enough at all outputs t, for three persons with the least earnings and for two."""

_CHIS = tuple(Fraction(observed_chi([earnings, (1, 1)], LEGAL)) for earnings in ((0, 0, 0), (0, 0, 2)))
LOSS_OF_OBSERVED_CHI = Bounded(
    Real("t", least=1),
    left=lambda c, t: _tail(c, (1, 1), _CHIS[0], 2, t) - _tail(c, (1, 1), _CHIS[1], 2, t),
    by=lambda c, t: c.number(1),
)
"""The same for year 2 with earnings 1, 1, when in year 1 one of 0, 0, 0 comes to earn 2."""


_LEVEL = Real("C", least=1)
NO_LEVEL_OF_OWN_SIZE = Below(
    _LEVEL,
    left=lambda c, level: level,
    right=lambda c, level: (
        _tail(c, (0, 0, 0), public_chi(LEGAL), 3, 12 * level + 1)
        - _tail(c, (0, 0), public_chi(LEGAL), 2, 12 * level + 1)
    ),
)
NO_LEVEL_OF_OBSERVED_CHI = Below(
    _LEVEL,
    left=lambda c, level: level,
    right=lambda c, level: (
        _tail(c, (1, 1), _CHIS[0], 2, 12 * level + 1) - _tail(c, (1, 1), _CHIS[1], 2, 12 * level + 1)
    ),
)
"""Whatever C is, the event {Y > 12C + 1} has a larger loss."""


def no_level(statement: OfOrder) -> Evidence:
    """Evidence against it, far out: at t = 12C + 1."""
    path = {"t": lambda c, level: 12 * level + 1}
    return no_constant(statement, path, *(solver.proves(one) for one in exceeding(statement, path)))


@claim(
    "schmutte2020_slides/umetrics-mose/own-size",
    where=METHODS,
    says="With that public χ, noise of scale χ/(N·ε_earn) with the cell's own N is private at some level.",
    states=LOSS_OF_OWN_SIZE,
    tight=NO_LEVEL_OF_OWN_SIZE,
    origin="ours",
)
def the_size_shows_in_the_scale() -> Verdict:
    """N changes with the person who joins, and with it the scale: far out in the tails the ratio exceeds
    every level. It needs no other change: two and three persons who all earn the low end.
    """
    two, three = (0, 0), (0, 0, 0)
    wide, narrow = (center_and_scale(d, public_chi(LEGAL)) for d in (two, three))
    return fails(
        solver.proves(NO_LEVEL_OF_OWN_SIZE),
        no_level(LOSS_OF_OWN_SIZE),
        exact.compare(int(CELLS.related(two, three)), "==", 1, f"{two}, {three}: neighbors"),
        exact.compare(tail_log_ratio(wide, narrow, Fraction(4)), "==", 2, "ε = 1: ln P(Y>4)/P'(Y>4)"),
        counterexample="earnings 0, 0 and 0, 0, 0, range 0 to 2, ε = 1: P(Y > t) = ½·e^(−t) against "
        "½·e^(−3t/2), ratio e^(t/2)",
        value="∞",
    )


@claim(
    "schmutte2020_slides/umetrics-mose/observed-chi",
    where=METHODS,
    says="With public sizes, noise of scale χ/(N·ε_earn) with the largest observed N·LS of a title and "
    "sector is private at some level.",
    states=LOSS_OF_OBSERVED_CHI,
    tight=NO_LEVEL_OF_OBSERVED_CHI,
    origin="ours",
)
def the_observed_maximum_shows_in_the_scale() -> Verdict:
    """χ is a function of the data: when one person's earnings change, sizes kept, it changes in every year
    of the title and sector. Year 1 has earnings 0, 0, 0, or 0, 0, 2; year 2 has 1, 1. Not even year 2,
    where nothing changed, keeps its law.
    """
    relation = EarningsOfOne(range(LEGAL[0], LEGAL[1] + 1), 3, 3)
    before, after, other_year = (0, 0, 0), (0, 0, 2), (1, 1)
    chi = [Fraction(observed_chi([d, other_year], LEGAL)) for d in (before, after)]
    narrow, wide = (center_and_scale(other_year, x, 2) for x in chi)
    return fails(
        solver.proves(NO_LEVEL_OF_OBSERVED_CHI),
        no_level(LOSS_OF_OBSERVED_CHI),
        exact.compare(int(relation.related(before, after)), "==", 1, f"{before}, {after}: neighbors"),
        exact.compare(chi[0], "<", chi[1], "χ before and after"),
        exact.compare(tail_log_ratio(wide, narrow, Fraction(13)), ">", 3, "ε = 1: ln P'(Y>13)/P(Y>13)"),
        counterexample=f"earnings 0, 0, 0 or 0, 0, 2 in year 1 and 1, 1 in year 2, range 0 to 2: χ = "
        f"{chi[0]} or {chi[1]}, the scale of year 2 is {narrow[1]} or {wide[1]} at ε = 1",
        value="∞",
    )


COSTS_ATTAINED = Equal(
    Real("ε", above=0),
    Real("scale", above=0),
    Real("m"),
    left=lambda c, e, s, m: Laplace(m, s, c).log_density(m) - Laplace(m + s * e, s, c).log_density(m),
    right=lambda c, e, s, m: e,
)
"""A change of the mean by ε scales costs ε."""


PUBLIC_SIZE_IS_PRIVATE = AtMost(
    *_LEGAL,
    Real("x", **_EARNS),
    Real("y", **_EARNS),
    *(Real("N", least=1), Real("ε", above=0), Real("total"), Real("o")),
    left=lambda c, low, high, x, y, n, e, total, o: (
        Laplace((total + x) / n, (high - low) / (n * e), c).log_density(o)
        - Laplace((total + y) / n, (high - low) / (n * e), c).log_density(o)
    ),
    right=lambda c, low, high, x, y, n, e, total, o: e,
)
"""The log-ratio of the densities of the protected means before and after one person's x becomes y."""


@claim(
    "schmutte2020_slides/umetrics-mose/public-size",
    where=METHODS,
    says="With χ = high − low and public sizes, it is ε_earn-private when one person's earnings change.",
    states=PUBLIC_SIZE_IS_PRIVATE,
    tight=(PUBLIC_SIZE_IS_PRIVATE, COSTS_ATTAINED),
    scope="public sizes, one person's earnings changed",
    origin="ours",
)
def public_sizes_and_range_suffice_for_changes() -> Verdict:
    """The mean changes by (x' − x)/N at most, the width over N, and the scale not at all: the loss is at
    most ε_earn, attained when one of them goes from the low end to the high one. That somebody is in the
    cell is then public: neighbors by a whole history, which the slides ask for, change N.
    """
    relation = EarningsOfOne(range(LEGAL[0], LEGAL[1] + 1), 3, 3)
    largest = global_sensitivity(mean, relation)
    return holds(
        solver.proves(PUBLIC_SIZE_IS_PRIVATE),
        solver.proves(COSTS_ATTAINED),
        exact.compare(
            Fraction(privacy_loss(largest, mose_scale(public_chi(LEGAL), 3, 1))),
            "==",
            1,
            "3 persons, range 0 to 2, ε = 1: the loss",
        ),
        condition="sizes are public and neighbors keep them, contrary to the privacy requirements slide",
        value="ε_earn, attained",
    )


def _loss(c: World, *v: Number) -> Number:
    """The log-ratio of protected count and total, without against with one person at x."""
    low, high, x, emp, earn, count, total, o, p = v
    scales = 1 / emp, (high - low) / earn
    without = Laplace(count, scales[0], c).log_density(o)
    without += Laplace(total, scales[1], c).log_density(p)
    person = Laplace(count + 1, scales[0], c).log_density(o)
    person += Laplace(total + (x - low), scales[1], c).log_density(p)
    return without - person


def _joint_loss(sign: int) -> Comparison:
    """Its bound, in one of the two orders."""
    return AtMost(
        *_LEGAL,
        Real("x", **_EARNS),
        *(Real("ε_emp", above=0), Real("ε_earn", above=0)),
        *(Real("count"), Real("total"), Real("o"), Real("p")),
        left=lambda c, *v: sign * _loss(c, *v),
        right=lambda c, low, high, x, emp, earn, *_: emp + earn,
    )


COUNT_AND_TOTAL = _joint_loss(1), _joint_loss(-1)

BOTH_ATTAINED = Equal(
    *_LEGAL,
    *(Real("ε_emp", above=0), Real("ε_earn", above=0), Real("count"), Real("total")),
    left=lambda c, low, high, emp, earn, count, total: _loss(
        c, low, high, high, emp, earn, count, total, count, total
    ),
    right=lambda c, low, high, emp, earn, count, total: emp + earn,
)
"""By a person at the high end, at the outputs that are count and total without that person."""


@claim(
    "schmutte2020_slides/umetrics-mose/total",
    where="Slides, UMETRICS, Methods (what could take the place of MOSE)",
    says="Averages as a protected total over a protected count cost ε_emp + ε_earn per person and year.",
    states=COUNT_AND_TOTAL,
    tight=(*COUNT_AND_TOTAL, BOTH_ATTAINED),
    scope="one person more or less; the average is a function of the two",
    origin="ours",
)
def totals_have_a_public_sensitivity() -> Verdict:
    """The repair with no public size: the sum of what is earned above the low end changes by at most
    high − low with one person more or less, the count by 1; both get Laplace noise, the quotient is a
    function of the two. A person at the high end uses up both budgets; one at the low end ε_emp only. It is
    loose by nothing, and defined in empty cells. The cost: the noise of the total over N is that of MOSE
    with χ = high − low, and the noise of the count comes on top. (Ours; the slides do not state it.)
    """
    emp, earn = Fraction(1), Fraction(1, 2)
    scales = [
        Fraction(law.scale) for law in (employment_law(0, emp, EXACT), total_law((), LEGAL, earn, EXACT))
    ]
    loss = {
        x: privacy_loss(1, scales[0]) + privacy_loss(x - LEGAL[0], scales[1])
        for x in range(LEGAL[0], LEGAL[1] + 1)
    }
    p, q, r, s, a, b = z3.Reals("p q r s a b")
    return holds(
        *(solver.proves(one) for one in (*COUNT_AND_TOTAL, BOTH_ATTAINED)),
        exact.compare(global_sensitivity(len, CELLS), "==", 1, "sensitivity of the count"),
        exact.compare(
            global_sensitivity(lambda d: sum(x - LEGAL[0] for x in d), CELLS),
            "==",
            public_chi(LEGAL),
            "sensitivity of the total above the low end",
        ),
        exact.compare(loss[LEGAL[1]], "==", emp + earn, "loss of one more at the high end"),
        exact.compare(loss[LEGAL[0]], "==", emp, "loss of one more at the low end"),
        solver.for_all(
            [p >= 0, q >= 0, r >= 0, s >= 0, a >= 1, b >= 1, p <= a * q, r <= b * s],
            p * r <= (a * b) * (q * s),
            "both together cost the sum, and functions of both no more",
        ),
        exact.compare(
            scales[1] / 3, "==", mose_scale(public_chi(LEGAL), 3, earn), "3 persons: total's scale over N"
        ),
        value="ε_emp + ε_earn, attained",
        condition="earnings are winsorized to a public range",
    )
