"""Lemma 8.5: the smooth sensitivity of a count."""

from fractions import Fraction

import z3

from establish import Evidence, ShapeUniverse, SizeUniverse, Verdict, aside, claim, fails, holds
from establish.proofs_check.engine.methods import exact, exhaustive, solver
from establish.proofs_check.engine.statements import AtMost, Below, Equal, Integer, Rational, Real, computed
from establish.spec.arithmetic import Number, World
from establish.spec.relations.growth import growth_bound, largest_after, largest_growth, largest_growth_real
from establish.spec.relations.strong import Strong
from establish.spec.relations.weak import Weak
from establish.spec.sensitivity import (
    counting_smooth_sensitivity,
    local_sensitivity,
    printed_counting_smooth_sensitivity,
    smooth_sensitivity,
)

TENTH = Fraction(1, 10)


def _after(c: World, alpha: Number, s: Number, *_: Number) -> Number:
    """The most workers of an establishment in a neighbor."""
    return largest_after(s, alpha, c)


NEIGHBORS = (
    Real("α", above=0),
    Real("s", least=0),
    Real("t", least=lambda c, alpha, s: s, most=_after),
    Real("others", least=0),
)
"""One establishment of s or t workers in two neighbors, and the largest of the others in the cell."""


def _bound_before(c: World, alpha: Number, s: Number, t: Number, others: Number) -> Number:
    return growth_bound(c.maximum(s, others), alpha, c)


def _bound_after(c: World, alpha: Number, s: Number, t: Number, others: Number) -> Number:
    return growth_bound(c.maximum(t, others), alpha, c)


LOCAL = AtMost(*NEIGHBORS, left=lambda c, alpha, s, t, others: t - s, right=_bound_before)
"""A count changes by at most max(αx, 1), with x the largest establishment of the smaller dataset."""

RISES = AtMost(*NEIGHBORS, left=_bound_before, right=_bound_after)
"""So it does with that of the larger dataset."""

SMOOTH = AtMost(
    *NEIGHBORS,
    Real("e^b", least=lambda c, alpha, *_: 1 + alpha),
    left=lambda c, alpha, s, t, others, growth: _bound_after(c, alpha, s, t, others),
    right=lambda c, alpha, s, t, others, growth: growth * _bound_before(c, alpha, s, t, others),
)
"""The bound grows by at most e^b between neighbors."""

ATTAINED = Equal(
    Real("α", above=0),
    Real("x", least=0),
    left=lambda c, alpha, x: largest_after(x, alpha, c) - x,
    right=lambda c, alpha, x: growth_bound(x, alpha, c),
)
"""The largest establishment may grow by the bound itself."""


def _real_counts() -> tuple[Evidence, ...]:
    return tuple(map(solver.proves, (LOCAL, RISES, SMOOTH)))


_POWERS = Real("α", above=0), Real("y", least=lambda c, alpha: 1 / alpha), Real("j", least=0)


def _after_steps(c: World, alpha: Number, y: Number, j: Number) -> Number:
    """(1+α)^j·y."""
    return c.power(1 + alpha, j) * y


HIRED = AtMost(
    Real("α", above=0),
    Real("x", least=0),
    left=lambda c, alpha, x: x + 1,
    right=lambda c, alpha, x: largest_after(x, alpha, c),
)
"""From every count one step leads to one worker more, and so in the end to a y ≥ 1/α."""

IN_STEPS = Equal(
    *_POWERS,
    left=lambda c, alpha, y, j: largest_after(_after_steps(c, alpha, y, j), alpha, c),
    right=lambda c, alpha, y, j: (1 + alpha) * _after_steps(c, alpha, y, j),
)
"""From there on (1+α)^j·y workers are j steps away."""

NO_BOUND = Below(
    Real("α", above=0),
    Real("e^b", above=0, below=lambda c, alpha: 1 + alpha),
    Real("y", least=lambda c, alpha, smooth: 1 / alpha),
    Real("bound", above=0),
    Real("j", least=lambda c, alpha, smooth, y, bound: bound / ((1 - smooth / (1 + alpha)) * alpha * y)),
    left=lambda c, alpha, smooth, y, bound, j: bound,
    right=lambda c, alpha, smooth, y, bound, j: c.power((1 + alpha) / smooth, j) * growth_bound(y, alpha, c),
)
"""Whatever bound is named, e^(−jb)·max(α·(1+α)^j·y, 1) is above it from some j on."""


UNBOUNDED = (HIRED, IN_STEPS, NO_BOUND)
"""Where e^b < 1 + α."""


def in_steps_evidence() -> Evidence:
    """(1+α)^j ≥ 1 for j ≥ 0."""
    return solver.proves(
        IN_STEPS,
        lambda c, alpha, y, j: c.log(c.power(1 + alpha, j)),
        lambda c, alpha, y, j: c.log(1 + alpha),
        lambda c, alpha, y, j: c.log(c.number(1)),
    )


def _no_bound_evidence() -> Evidence:
    """r^j ≥ 1 + j·ln r, and ln r ≥ 1 − 1/r."""
    return solver.proves(
        NO_BOUND,
        lambda c, alpha, smooth, y, bound, j: c.log(c.power((1 + alpha) / smooth, j)),
        lambda c, alpha, smooth, y, bound, j: c.log((1 + alpha) / smooth),
        lambda c, alpha, smooth, y, bound, j: c.log(smooth / (1 + alpha)),
    )


def _unbounded_evidence() -> tuple[Evidence, ...]:
    return solver.proves(HIRED), in_steps_evidence(), _no_bound_evidence()


_WHOLE = (Rational("α", above=0), Rational("e^b", least=lambda c, alpha: 1 + alpha), Integer("x", least=0))


def _smooth(c: World, alpha: Fraction, growth: Fraction, x: int) -> Number:
    """By Definition 8.2, on whole counts."""
    return c.number(counting_smooth_sensitivity(x, alpha, growth))


ON_COUNTS = Equal(
    *_WHOLE,
    left=computed(_smooth),
    right=lambda c, alpha, growth, x: growth_bound(x, alpha, c) + 0 * c.number(growth),
)
"""Equation 12 at whole counts, where e^b ≥ 1+α."""


@claim(
    "haney2017/lemma-8.5",
    where="Section 8.2, Lemma 8.5, equation 12",
    says="The b-smooth sensitivity of a count is max(αx, 1) if e^b ≥ 1+α, for the largest establishment "
    "count x.",
    states=(ON_COUNTS, *UNBOUNDED),
    scope="strong neighbors and counts of all workers",
)
def formula_is_not_reached_at_whole_counts() -> Verdict:
    """On real counts it is exact (haney2017/lemma-8.5-real). Employment counts are integers; there the
    local sensitivity is max(⌊αx⌋, 1) and the smooth sensitivity is smaller than the formula at some x.
    The formula stays a b-smooth upper bound, which is all that Theorem 8.4 needs. The value on integers
    is that of strong neighbors, and of weak ones where all matching workers are alike. Of several kinds
    fewer may join: at α = 1/2 four matching workers of four kinds may be joined by one only, as two of
    different kinds would take these two from 2 to 4 > 3.
    """
    kinds = Weak(ShapeUniverse(1, 4, 2), Fraction(1, 2))
    return fails(
        exact.refuted(ON_COUNTS, **{"α": TENTH, "e^b": 1 + TENTH, "x": 11}),
        *_real_counts(),
        *_unbounded_evidence(),
        exact.compare(
            smooth_sensitivity(lambda d: sum(d[0]), kinds, ((1, 1, 1, 1),), Fraction(2, 3), 4),
            "<",
            largest_growth(4, Fraction(1, 2)),
            "α = 1/2, weak neighbors, one matching worker of each of four kinds: S* within 8 workers, at "
            "e^b = 3/2, against ⌊α·4⌋",
        ),
        aside(
            exhaustive.for_all(
                [(x, a) for x in range(60) for a in (TENTH, Fraction(1, 7), Fraction(1, 2))],
                lambda case: (
                    counting_smooth_sensitivity(*case, 1 + case[1])
                    <= printed_counting_smooth_sensitivity(*case, 1 + case[1])
                ),
                "the integer smooth sensitivity, a supremum over fewer neighbors, never exceeds the formula",
                "x below 60, α in {1/10, 1/7, 1/2}, e^b = 1+α",
            )
        ),
        value="on integers sup over j of e^(−jb)·max(⌊α·x_j⌋, 1), with x_0 = x and x_(j+1) = x_j + "
        "max(⌊α·x_j⌋, 1), under strong neighbors; at most that under weak ones",
        counterexample="α = 1/10, e^b = 1.1, x = 11: S* = 1 on integers, the formula gives 11/10",
        condition="true on real counts, and as an upper bound on whole ones, which Theorem 8.4 needs",
    )


@claim(
    "haney2017/lemma-8.5-real",
    where="Section 8.2, Lemma 8.5",
    says="On real counts the b-smooth sensitivity is max(αx, 1) if e^b ≥ 1+α.",
    states=(LOCAL, RISES, SMOOTH, ATTAINED),
    scope="strong neighbors and counts of all workers, weak neighbors and counts of matching ones",
    origin="implied",
)
def formula_is_exact_on_real_counts() -> Verdict:
    """The local sensitivity max(αx, 1) satisfies max(αy, 1) ≤ e^b·max(αx, 1) for all neighbors, so no
    farther dataset contributes more, and growth by max(αx, 1) attains it.
    """
    return holds(*_real_counts(), solver.proves(ATTAINED), value="max(αx, 1)")


@claim(
    "haney2017/lemma-8.5-unbounded",
    where="Section 8.2, Lemma 8.5, equation 12",
    says="If e^b < 1+α the smooth sensitivity is unbounded.",
    states=UNBOUNDED,
    tight=NO_BOUND,
    scope="real counts, as in the lemma; strong neighbors",
)
def smooth_sensitivity_is_infinite_below_the_growth_rate() -> Verdict:
    """Growing by the largest allowed step, a size y past 2/α reaches at least (1+α)·y − 1 on integers
    (and (1+α)·y on reals), so y − 1/α grows by the factor 1+α at least, faster than e^(b·j). It needs
    arbitrarily many workers: in a finite universe the smooth sensitivity is finite.
    """
    alpha, y, floor = z3.Reals("alpha y floor")
    universe = SizeUniverse(1, 30)
    bounded = smooth_sensitivity(sum, Strong(universe, TENTH), (0,), Fraction(20, 21), 40)
    return holds(
        *_unbounded_evidence(),
        aside(
            solver.for_all(
                [alpha > 0, y >= 2 / alpha, floor > alpha * y - 1, floor <= alpha * y],
                y + floor - 1 / alpha > (1 + alpha) * (y - 1 / alpha),
                "y' − 1/α > (1+α)·(y − 1/α) for the integer step y' = y + ⌊αy⌋",
            )
        ),
        exact.compare(bounded, "<=", 3, "with at most 30 workers, α = 1/10, e^b = 1.05"),
        value="∞",
        condition="the number of workers is unbounded",
    )


LOCAL_IS_SMOOTH = Equal(
    *_WHOLE,
    left=computed(lambda c, alpha, growth, x: c.number(largest_growth(x, alpha) + 0 * growth)),
    right=computed(_smooth),
)


@claim(
    "haney2017/sec8.2-local-is-smooth",
    where="Section 8.2",
    says="For counts the local sensitivity itself is the smooth sensitivity.",
    states=LOCAL_IS_SMOOTH,
    scope="whole counts, strong neighbors, e^b ≥ 1+α, without which the smooth sensitivity is infinite",
)
def local_sensitivity_is_not_smooth_on_integers() -> Verdict:
    """True on real counts (e^b ≥ 1+α). On integers ⌊αx⌋ jumps: at α = 1/10 up to 19 workers have local
    sensitivity 1, and 20 have 2. From 13 workers seven hires reach 20, so with e^b = 1.1 the smooth
    sensitivity at 13 is at least 2/1.1⁷ = 1.026...; at 19 it is 2/1.1 = 20/11.
    """
    growth = 1 + TENTH
    smooth = Fraction(counting_smooth_sensitivity(13, TENTH, growth))
    relation = Strong(SizeUniverse(1, 24), TENTH)
    return fails(
        exact.refuted(LOCAL_IS_SMOOTH, **{"α": TENTH, "e^b": growth, "x": 13}),
        *map(aside, _real_counts()),
        exact.compare(smooth, "==", 2 / growth**7, "S* at 13 workers"),
        exact.compare(local_sensitivity(sum, relation, (13,)), "<", smooth, "local against smooth at x = 13"),
        counterexample="α = 1/10, e^b = 1.1, x = 13: LS = 1, S* = 2/1.1⁷ = 20000000/19487171",
        condition="true on real counts when e^b ≥ 1+α",
    )


ANY_QUERY = AtMost(
    Real("α", above=0),
    Real("matching", least=0),
    Real("s", least=lambda c, alpha, matching: matching),
    Real("t", least=lambda c, alpha, matching, s: s, most=lambda c, alpha, matching, s: _after(c, alpha, s)),
    left=lambda c, alpha, matching, s, t: t - s,
    right=lambda c, alpha, matching, s, t: growth_bound(matching, alpha, c),
)
"""Of s workers some match a query, and so do the t − s who join under strong neighbors: the count
changes by at most max(αx, 1) with x the matching ones.
"""


@claim(
    "haney2017/lemma-8.5-strong-worker",
    states=ANY_QUERY,
    where="Section 8.2, Lemma 8.5",
    says="Lemma 8.5 covers any query, also one over worker attributes, under the neighbors in use.",
    origin="implied",
)
def formula_needs_weak_neighbors_for_worker_queries() -> Verdict:
    """Under strong neighbors a whole establishment bounds the growth, and every new worker may match the
    query. Twenty workers of whom none matches may be joined by two that match: the count of matching
    workers changes by 2, and the formula gives max(0·α, 1) = 1.
    """
    universe = ShapeUniverse(1, 2, 22)
    matching = local_sensitivity(lambda d: d[0][0], Strong(universe, TENTH), ((0, 20),))
    return fails(
        exact.refuted(ANY_QUERY, α=TENTH, matching=0, s=20, t=22),
        exact.compare(matching, "==", 2, "local sensitivity of the matching count, strong neighbors"),
        exact.compare(matching, ">", largest_growth_real(0, TENTH), "against max(α·0, 1)"),
        counterexample="α = 1/10, one establishment with 0 matching and 20 other workers: two matching "
        "workers may join",
        condition="true for establishment attributes, or under weak neighbors",
    )


COUNTED = (Real("α", above=0), *NEIGHBORS[1:3], Real("rest", least=0))
"""The same with the sum of the others in the cell."""

COUNT_BOUNDS = AtMost(
    *COUNTED,
    left=lambda c, alpha, s, t, rest: t - s,
    right=lambda c, alpha, s, t, rest: growth_bound(s + rest, alpha, c),
)
COUNT_RISES = AtMost(
    *COUNTED,
    left=lambda c, alpha, s, t, rest: growth_bound(s + rest, alpha, c),
    right=lambda c, alpha, s, t, rest: growth_bound(t + rest, alpha, c),
)
COUNT_SMOOTH = AtMost(
    *COUNTED,
    left=lambda c, alpha, s, t, rest: growth_bound(t + rest, alpha, c),
    right=lambda c, alpha, s, t, rest: (1 + alpha) * growth_bound(s + rest, alpha, c),
)


@claim(
    "haney2017/lemma-8.5-count-as-largest",
    where="Section 8.2, Lemma 8.5",
    says="max(α·n, 1) with the count n in place of the largest establishment is b-smooth too.",
    states=(COUNT_BOUNDS, COUNT_RISES, COUNT_SMOOTH),
    origin="ours",
    scope="strong neighbors and counts of all workers, weak neighbors and counts of matching ones",
)
def count_itself_is_a_smooth_bound() -> Verdict:
    """n ≥ x, so it bounds the local sensitivity; and a neighbor has n' ≤ n + max(αs, 1) with s ≤ n, which
    multiplies max(αn, 1) by at most 1+α. It is what a release can use when the largest establishment is
    unknown. (Ours; the paper does not state it.)
    """
    return holds(*map(solver.proves, (COUNT_BOUNDS, COUNT_RISES, COUNT_SMOOTH)), value="max(αn, 1)")
