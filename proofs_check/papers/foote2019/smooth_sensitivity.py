"""Section 4.2, Definition 4.1 and (4.3) to (4.6): local and smooth sensitivity of percentiles."""

from collections.abc import Sequence
from fractions import Fraction

import z3

from establish import Every, Evidence, ParameterError, Real, Verdict, aside, claim, fails, holds, ill_posed
from establish.proofs_check.engine.conventions import by_convention
from establish.proofs_check.engine.methods import exact, exhaustive, solver, symbolic
from establish.proofs_check.engine.rules import no_maximum, rising, term_by_term
from establish.proofs_check.engine.statements import AtMost, Below, Equal, EverySum, HasMaximum, given
from establish.spec.arithmetic import Number, World
from establish.spec.earnings.neighbors import Earnings, EarningsOfOne, PresenceOfOne
from establish.spec.earnings.order_sensitivity import (
    local_by_definition,
    order_statistic,
    printed_local,
    printed_smooth,
    rank,
    smooth_by_definition,
    windows,
)

HALF = Fraction(1, 2)
ENDS = (0, 4)
"""The public range of earnings in the finite universes of this module."""

DOLLARS = range(ENDS[0], ENDS[1] + 1)
DISCOUNTS = (HALF, Fraction(9, 10))
"""Values of e^(−β)."""


def _with_ends(size: int, share: Fraction, most: int) -> Evidence:
    """(4.4) and (4.6) with public end points against brute force, changed earnings."""
    relation, ends = EarningsOfOne(range(most + 1), size, size), (0, most)

    def agree(d: Earnings) -> bool:
        return local_by_definition(relation, d, share, ends) == printed_local(d, share, ends) and all(
            smooth_by_definition(relation, d, share, ends, discount, size + 1)
            == printed_smooth(d, share, ends, discount)
            for discount in DISCOUNTS
        )

    return exhaustive.for_all(
        relation.datasets(),
        agree,
        f"N = {size}, X = {100 * share}: local and smooth sensitivity are as printed, with end points",
        f"{size} earnings from 0 to {most}, X = {100 * share}, e^(−β) = 1/2 and 9/10, one changes",
    )


def _more(c: World, earnings: Number) -> Number:
    return earnings + 1


def _median_of_one(earnings: Number) -> Number:
    """e_M of one individual, of whose earnings nothing is known."""
    return order_statistic((earnings,), int(rank(1, HALF)), None)


LARGEST_CHANGE = HasMaximum(
    Real("earnings", least=0), of=lambda c, earnings: _median_of_one(earnings) - _median_of_one(0)
)
"""By so much the median of one individual who earns 0 moves when that individual may earn any amount."""


@claim(
    "foote2019/def-4.1-smooth",
    where="Section 4.2, Definition 4.1, (4.3)",
    says="The β-smooth sensitivity max over d' of LS(d')·e^(−mβ), m the distance, is a smooth upper bound.",
    states=LARGEST_CHANGE,
    origin="implied",
)
def smooth_sensitivity_needs_a_bounded_range() -> Verdict:
    """It is the least function that satisfies (4.3): any other one U has U(d) ≥ e^(−mβ)·U(d') ≥
    e^(−mβ)·LS(d'). But the local sensitivity of a percentile grows with the range of earnings, and with
    unbounded earnings there is no maximum: of one individual the median changes by the whole range. The
    text also bounds LS of the median for every percentile, where LS of that percentile is meant.
    """
    relation = EarningsOfOne(DOLLARS, 3, 3)
    smooth = {d: smooth_by_definition(relation, d, HALF, ENDS, HALF, 4) for d in relation.datasets()}
    u, u2, ls, ls2, c = z3.Reals("U U2 LS LS2 c")
    return ill_posed(
        no_maximum(LARGEST_CHANGE, _more, *map(solver.proves, rising(LARGEST_CHANGE, _more))),
        exhaustive.for_all(
            relation.datasets(),
            lambda d: (
                smooth[d] >= local_by_definition(relation, d, HALF, ENDS)
                and all(smooth[d] <= 2 * smooth[e] for e in relation.neighbors(d))
            ),
            "in a bounded range it satisfies (4.3)",
            "3 earnings from 0 to 4, the median, e^β = 2, one changes",
        ),
        solver.for_all(
            [c >= 1, u2 >= ls2, u2 <= c * u, ls >= 0, ls2 >= 0, u >= ls],
            u * c >= ls2,
            "every smooth upper bound is at least LS(d')/e^β at a neighbor",
        ),
        condition="earnings lie in a bounded public range; LS of the percentile X, not of the median",
        counterexample="one individual who earns 0: the median may change by any amount",
    )


EVENTS = EverySum(
    AtMost(
        Real("e^ε", above=1),
        Real("p", above=0),
        Real("q", above=0),
        left=lambda c, level, p, q: p,
        right=lambda c, level, p, q: level * q,
        given=[given(lambda c, level, p, q: p / q, "<", lambda c, level, p, q: level)],
    ),
    shared=("e^ε",),
)
"""The probability of an event, of outputs X with Pr(q(d) = X) = p and Pr(q(d') = X) = q."""


@claim(
    "foote2019/fn20",
    where="Section 4.2, footnote 20",
    says="If ln(Pr(q(d) = X)/Pr(q(d') = X)) < ε for neighbors d, d', then q is ε-differentially private.",
    states=EVENTS,
)
def bounds_at_points_bound_events() -> Verdict:
    """Bounds at points add up, or integrate, to bounds of events. The outputs of Section 4.2 are continuous:
    what is compared there is densities.
    """
    return holds(
        term_by_term(EVENTS, solver.proves(EVENTS.term)),
        condition=by_convention("possible outcomes", "foote2019"),
    )


def _median_as_printed(d: Earnings) -> bool:
    """Whether (4.4), which needs an odd number, is the largest change of the median when one changes."""
    relation = EarningsOfOne(DOLLARS, len(d), len(d))
    return len(d) % 2 == 1 and (local_by_definition(relation, d, HALF, ENDS) == printed_local(d, HALF, None))


PRINTED_LOCAL = Every("list of earnings", lambda: EarningsOfOne(DOLLARS, 2, 3).datasets(), _median_as_printed)
ODD_LOCAL = Every(
    "list of earnings",
    lambda: (d for n in (3, 5) for d in EarningsOfOne(DOLLARS, n, n).datasets()),
    _median_as_printed,
    wrong=lambda d: (
        2 * local_by_definition(PresenceOfOne(DOLLARS, 0, 6), d, HALF, ENDS)
        < (printed_local(d, HALF, None) or 0)
    ),
)
"""(4.4) for every list, and for those of 3 or 5."""


_LESS, _MIDDLE, _MORE = (
    Real("e_(M−1)", least=0),
    Real("e_M", least=lambda c, less: less),
    Real("e_(M+1)", least=lambda c, less, middle: middle),
)


def _between(c: World, x: Number, low: Number, high: Number) -> Number:
    """x, or the end that it lies beyond."""
    return -c.maximum(-c.maximum(x, low), -high)


def _largest(c: World, less: Number, middle: Number, more: Number) -> Number:
    """(4.4)."""
    return c.maximum(middle - less, more - middle)


MOVES_AT_MOST = tuple(
    AtMost(
        _LESS,
        _MIDDLE,
        _MORE,
        Real("x", least=0),
        left=lambda c, less, middle, more, x, ends=ends: c.absolute(
            _between(c, x, *ends(less, middle, more)) - middle
        ),
        right=lambda c, less, middle, more, x: _largest(c, less, middle, more),
    )
    for ends in (
        lambda less, middle, more: (middle, more),
        lambda less, middle, more: (less, more),
        lambda less, middle, more: (less, middle),
    )
)
MOVES_AS_FAR = Equal(
    _LESS,
    _MIDDLE,
    _MORE,
    left=lambda c, less, middle, more: c.maximum(
        c.absolute(_between(c, less, less, more) - middle), c.absolute(_between(c, more, less, more) - middle)
    ),
    right=_largest,
)
"""Of an odd number of earnings one becomes x, which was below, at or above the median: that moves to x, or to
the next order statistic. It moves as far as (4.4) says when that at the median becomes one of these.
"""


@claim(
    "foote2019/eq-4.4",
    where="Section 4.2, (4.4)",
    says="LS of the median is max(e_M − e_{M−1}, e_{M+1} − e_M) for M = (N+1)/2.",
    states=PRINTED_LOCAL,
    meant=(*MOVES_AT_MOST, MOVES_AS_FAR, ODD_LOCAL),
)
def median_moves_to_the_next_order_statistic() -> Verdict:
    """Change one of an odd number N ≥ 3 of earnings to x: the new median is x moved into [e_M, e_{M+1}],
    [e_{M−1}, e_M] or [e_{M−1}, e_{M+1}], as the changed one was below, above or at the median. That is
    (4.4). For even N there is no e_M. For N = 1 there is no e_0, and the median may go to the ends of the
    range. Under Definition 2.2 (one row more or less), the number of rows becomes even, the median goes
    half of the way at most, and LS is half of (4.4).
    """
    presence = PresenceOfOne(DOLLARS, 0, 4)
    spread = (0, 2, 4)
    return ill_posed(
        exact.refuted(PRINTED_LOCAL, case=(0, 2)),
        exact.compare(rank(2, HALF), "==", Fraction(3, 2), "M for N = 2"),
        exact.compare(
            local_by_definition(presence, spread, HALF, ENDS),
            "!=",
            Fraction(printed_local(spread, HALF, None) or 0),
            "(0, 2, 4) in the range 0 to 4: LS by presence against (4.4)",
        ),
        *map(solver.proves, (*MOVES_AT_MOST, MOVES_AS_FAR)),
        exhaustive.each(ODD_LOCAL, "3 or 5 earnings from 0 to 4, one changes"),
        aside(
            exhaustive.for_all(
                list(EarningsOfOne(DOLLARS, 3, 3).datasets()),
                lambda d: 2 * local_by_definition(presence, d, HALF, ENDS) == printed_local(d, HALF, None),
                "by presence LS is half of (4.4)",
                "3 earnings from 0 to 4",
            )
        ),
        condition="N odd and at least 3, and neighbors change the earnings of one individual",
        counterexample="N = 2: M = 3/2; and (0, 2, 4) by presence: LS = 1, (4.4) gives 2",
        value="half of (4.4) under Definition 2.2",
    )


WITHOUT_ENDS = Every(
    "list of earnings",
    lambda: EarningsOfOne(DOLLARS, 3, 3).datasets(),
    lambda d: (
        printed_smooth(d, HALF, None, HALF)
        == smooth_by_definition(EarningsOfOne(DOLLARS, 3, 3), d, HALF, ENDS, HALF, 4)
    ),
)
"""(4.5) without end points is the smooth sensitivity of the median, e^β = 2."""


@claim(
    "foote2019/eq-4.5-substitution",
    where="Section 4.2, (4.5) and (4.6)",
    says="S*(d) = max_k e^(−kβ)·max_{0≤t≤k+1} (e_{M+t} − e_{M+t−k−1}) is the β-smooth sensitivity.",
    states=WITHOUT_ENDS,
)
def printed_smooth_sensitivity_needs_ends_and_substitution() -> Verdict:
    """The formula is that of Nissim, Raskhodnikova and Smith: neighbors change one entry, the entries lie in
    a public range, e_i is its lower end for i < 1 and its upper end for i > N, and M is an integer. All three
    are missing here. Without end points e_{M+t} does not exist for t > N − M; if such terms are left out,
    three equal earnings get S* = 0 and no noise at all, while a neighbor gets some: infinite loss. Under
    Definition 2.2 (presence) N changes by one, and of two neighbors one has a fractional median rank.
    """
    same = (0, 0, 0)
    return ill_posed(
        exact.compare(
            int(order_statistic(same, 4, None) is None), "==", 1, "N = 3, k = 1, t = 2: e_4 does not exist"
        ),
        exact.compare(printed_smooth(same, HALF, None, HALF), "==", 0, "(0, 0, 0) without end points"),
        exact.refuted(WITHOUT_ENDS, case=same),
        exact.compare(rank(3, HALF).denominator, "!=", rank(4, HALF).denominator, "M for N = 3 and 4"),
        _with_ends(1, HALF, 4),
        _with_ends(3, HALF, 4),
        _with_ends(3, Fraction(1, 4), 3),
        _with_ends(3, Fraction(3, 4), 3),
        _with_ends(5, HALF, 3),
        condition="neighbors change one entry (N fixed), M is an integer, e_i are public end points outside "
        "1 ≤ i ≤ N",
        counterexample="d = (0, 0, 0) with earnings up to 4, e^β = 2: without end points 0, by definition 2",
    )


BY_PRESENCE = Every(
    "list of earnings",
    lambda: PresenceOfOne(DOLLARS, 1, 3).datasets(),
    lambda d: (
        printed_smooth(d, HALF, ENDS, HALF)
        == smooth_by_definition(PresenceOfOne(DOLLARS, 0, 8), d, HALF, ENDS, HALF, 4)
    ),
)
"""(4.5) with end points is the smooth sensitivity when a row is added or removed, up to distance 4."""


@claim(
    "foote2019/eq-4.5-presence",
    where="Section 4.2, (4.5) under Definition 2.2",
    says="(4.5), with public end points, is the smooth sensitivity of the median when a row is added or "
    "removed.",
    states=BY_PRESENCE,
    origin="implied",
)
def printed_smooth_sensitivity_is_another_number_for_presence() -> Verdict:
    """At (2, 2, 2) in the range 0 to 4 with e^β = 2, (4.5) gives 1. By definition, over all tables that rows
    added or removed lead to, it is 1/4: two rows must go before one more row moves the median by 1, three
    before it moves by 2. Tables farther away than 4 count at most 4/2⁵ = 1/8, so the universe of up to 8
    rows decides.
    """
    same = (2, 2, 2)
    return fails(
        exact.refuted(BY_PRESENCE, case=same),
        counterexample="d = (2, 2, 2), range 0 to 4, e^β = 2: (4.5) gives 1, by definition 1/4",
        condition="the median of an even number is the middle of the two middle earnings, of none the middle "
        "of the range",
    )


RANKS = Every(
    "number of individuals",
    lambda: range(2, 50),
    lambda n: all(rank(n, share).denominator == 1 for share in (Fraction(1, 4), HALF, Fraction(3, 4))),
)
QUARTER_RANKS = Every(
    "number of individuals",
    lambda: range(3, 200, 4),
    lambda n: all(rank(n, share).denominator == 1 for share in (Fraction(1, 4), HALF, Fraction(3, 4))),
    larger=lambda: range(203, 500, 4),
)
"""The ranks of X = 25, 50, 75 are integers: for all N, and for those with 4 dividing N + 1."""


@claim(
    "foote2019/sec4.2-rank",
    where="Section 4.2, before (4.6)",
    says="For any percentile X the rank is M = (N+1)·X/100.",
    states=RANKS,
    meant=QUARTER_RANKS,
    origin="implied",
)
def rank_is_an_integer_for_a_quarter_of_the_sizes() -> Verdict:
    """e_M needs an integer M. For X = 25, 50, 75 together that is so exactly when 4 divides N + 1; for N = 10
    the ranks are 2 3/4, 5 1/2 and 8 1/4, and (4.6) is not defined. For small N the rank falls outside
    1, …, N: for N = 2 and X = 25 it is 3/4.
    """
    shares = (Fraction(1, 4), HALF, Fraction(3, 4))

    def undefined(d: Earnings) -> bool:
        try:
            windows(d, Fraction(1, 4), ENDS)
        except ParameterError:
            return True
        return False

    n, m = z3.Ints("N m")
    quarter = solver.for_all(
        [n >= 1, 4 * m == n + 1],
        z3.And(4 * (2 * m) == 2 * (n + 1), 4 * (3 * m) == 3 * (n + 1)),
        "if (N+1)/4 is an integer, so are (N+1)/2 and 3(N+1)/4",
    )
    return ill_posed(
        exact.refuted(RANKS, case=10),
        exact.compare(rank(10, shares[0]), "==", Fraction(11, 4), "M for N = 10, X = 25"),
        exact.compare(rank(2, shares[0]), "<", 1, "M for N = 2, X = 25"),
        exact.compare(int(undefined(tuple(range(10)))), "==", 1, "(4.6) is undefined for N = 10"),
        quarter,
        condition="4 divides N + 1, or a rule for fractional ranks",
        counterexample="N = 10, X = 25: M = 11/4",
    )


THIRDS = Equal(Real("ε_x", above=0), left=lambda c, x: x, right=lambda c, x: (x + x + x) / 3)
"""A third of what three equal budgets add up to is each of them."""


NOT_MORE_ERRS_MORE = Below(
    Real("ε_1", above=0),
    Real("ε_2", least=lambda c, first: first),
    Real("S_2(ε_2)", above=0),
    Real("S_2(ε_1)", least=lambda c, first, second, at_second: at_second),
    Real("S_1(ε_1)", above=lambda c, first, second, at_second, at_first: at_first),
    left=lambda c, first, second, at_second, *_: at_second / second,
    right=lambda c, first, second, at_second, at_first, larger: larger / first,
)
"""The more sensitive of two errs more when it gets no more: so for equal errors it gets more."""


_OF_THREE = Real("ε", above=0), *(Real(f"S_{place}", above=0) for place in (1, 2, 3))


def _share(budget: Number, scales: Sequence[Number], place: int) -> Number:
    """The budget of one of three queries, in proportion to its sensitivity."""
    return budget * scales[place] / sum(scales)


IN_PROPORTION = (
    Equal(
        *_OF_THREE,
        left=lambda c, budget, *scales: sum(_share(budget, scales, place) for place in range(3)),
        right=lambda c, budget, *scales: budget,
    ),
    *(
        Equal(
            *_OF_THREE,
            left=lambda c, budget, *scales: scales[0] / _share(budget, scales, 0),
            right=lambda c, budget, *scales, place=place: scales[place] / _share(budget, scales, place),
        )
        for place in (1, 2)
    ),
)
"""Such budgets add up to ε, and all three queries err by the same S_x/ε_x."""


@claim(
    "foote2019/fn19",
    where="Section 4.2, footnote 19",
    says="Equal budgets that add up to ε over three percentiles are ε_x = ε/3; if accuracy is to be similar "
    "across the three queries, more privacy loss could be allocated to more sensitive ones.",
    states=(THIRDS, NOT_MORE_ERRS_MORE, *IN_PROPORTION),
    tight=THIRDS,
)
def more_sensitive_percentiles_need_more() -> Verdict:
    """Three equal numbers with sum ε are thirds; that they add up, and not more, is sequential composition.
    The mean absolute error is in proportion to S(ε_x)/ε_x, S the smooth sensitivity at β = ε_x/4, which
    does not rise with ε_x. Let S of one percentile be above that of another at every budget, and the errors
    be equal. If the first had the smaller budget, or the same, its error would be larger: at its own budget
    the other's S is smaller, and at the other's larger budget no larger than that. Where the sensitivities do
    not depend on the budget, budgets in proportion to them make the errors equal.
    """
    return holds(
        *map(solver.proves, (THIRDS, NOT_MORE_ERRS_MORE)),
        *map(symbolic.proves, IN_PROPORTION),
        value="ε/3",
        condition="more sensitive: the larger smooth sensitivity at every budget; accuracy by mean absolute "
        "error",
    )
