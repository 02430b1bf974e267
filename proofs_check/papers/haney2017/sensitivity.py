"""Sections 2 and 8.1: global, local and smooth sensitivity, Definitions 2.3, 8.1 and 8.2."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import z3

from establish.proofs_check.engine.methods import enclosure, exact, exhaustive, solver, symbolic
from establish.proofs_check.engine.register import claim
from establish.proofs_check.engine.rules import no_maximum, rising
from establish.proofs_check.engine.statements import (
    AtMost,
    Equal,
    HasMaximum,
    Integer,
    Rational,
    Real,
    computed,
    given,
)
from establish.proofs_check.engine.verdicts import Outcome, Verdict, aside, fails, holds, ill_posed, misprint
from establish.proofs_check.papers.haney2017.growth import grows
from establish.proofs_check.papers.haney2017.smooth_sensitivity import ATTAINED, LOCAL
from establish.spec.arithmetic import Number, World
from establish.spec.relations.growth import growth_bound, largest_after, largest_growth
from establish.spec.relations.record import UnitCount
from establish.spec.relations.strong import Strong
from establish.spec.relations.universes import SizeUniverse
from establish.spec.sensitivity import (
    counting_smooth_sensitivity,
    global_sensitivity,
    local_sensitivity,
    smooth_sensitivity,
)

TENTH = Fraction(1, 10)


UNBOUNDED_GROWTH = AtMost(
    Real("α", above=0),
    Real("limit", above=0),
    Real("x", least=lambda c, alpha, limit: limit / alpha),
    left=lambda c, alpha, limit, x: x + limit,
    right=lambda c, alpha, limit, x: largest_after(x, alpha, c),
)
"""For every limit, an establishment of limit/α workers or more may grow by the limit."""


@claim(
    "haney2017/sec8.1-gs",
    where="Section 8.1",
    says="The global sensitivity of a count under both neighbor definitions is unbounded.",
    states=UNBOUNDED_GROWTH,
    scope="one establishment; under weak neighbors all its workers match the query's property",
)
def count_has_unbounded_global_sensitivity() -> Verdict:
    """A single establishment of x ≥ 1/α workers may grow by ⌊αx⌋ > αx − 1, which exceeds every bound. If
    all of them match the query's property, the neighbors are weak as well as strong.
    """
    return holds(solver.proves(UNBOUNDED_GROWTH), value="∞")


AT_MOST_SHARE = AtMost(
    Rational("α", above=0),
    Integer("x", least=0),
    left=computed(lambda c, alpha, x: c.number(largest_growth(x, Fraction(alpha)))),
    right=lambda c, alpha, x: c.number(alpha * x),
)
"""The sensitivity of a count x at one establishment is at most αx."""


@claim(
    "haney2017/sec8.1-gs-alpha-x",
    where="Section 8.1",
    says="If the count is x, the sensitivity can be as large as αx.",
    states=AT_MOST_SHARE,
)
def sensitivity_of_a_small_count_exceeds_its_share() -> Verdict:
    """One worker may always be hired, so below x = 1/α the sensitivity is 1 > αx. On real counts it is
    max(αx, 1), on integers max(⌊αx⌋, 1), when one establishment has all x workers. So αx is neither the
    largest value at each x nor always reached: at x = 15, α = 1/10 it is 3/2, and the sensitivity 1.
    """
    universe = SizeUniverse(1, 17)
    ones = Strong(universe, TENTH)
    return fails(
        exact.refuted(AT_MOST_SHARE, α=TENTH, x=1),
        exact.compare(local_sensitivity(sum, ones, (1,)), ">", TENTH * 1, "one worker, α = 1/10: against αx"),
        exact.compare(local_sensitivity(sum, ones, (15,)), "<", TENTH * 15, "15 workers"),
        aside(
            exhaustive.for_all(
                [(x,) for x in range(13)],
                lambda d: local_sensitivity(sum, ones, d) == largest_growth(d[0], TENTH),
                "the local sensitivity of the count is max(⌊αx⌋, 1)",
                "one establishment with up to 12 workers in a universe of 17, α = 1/10",
            )
        ),
        counterexample="α = 1/10, x = 1: hiring one worker changes the count by 1 > 1/10",
        value="max(⌊αx⌋, 1)",
    )


LOG_CHANGE = AtMost(
    Rational("α", above=0),
    Integer("n", least=1),
    Integer("m", least=1),
    left=lambda c, alpha, n, m: c.log(c.number(m)) - c.log(c.number(n)),
    right=lambda c, alpha, n, m: c.log(1 + c.number(alpha)),
    given=[given(lambda c, alpha, n, m: m, "<=", lambda c, alpha, n, m: largest_after(n, alpha, c))],
)
"""The logarithm of a count of at least 1 grows by ln(1+α) at most in one step."""


@claim(
    "haney2017/sec8.1-log-sens",
    where="Section 8.1",
    says="The logarithm of the count has global sensitivity ln(1+α).",
    states=LOG_CHANGE,
)
def log_count_is_more_sensitive() -> Verdict:
    """From one worker to two the logarithm changes by ln 2, and at an empty cell it is undefined. What has
    sensitivity ln(1+α) is ln(n + 1/α), the quantity that Algorithm 1 uses.
    """
    alpha, s, n, k = z3.Reals("alpha s n k")
    shifted = solver.for_all(
        [alpha > 0, s >= 0, n >= s, k >= 0, grows(s, s + k, alpha)],
        alpha * (n + k) + 1 <= (1 + alpha) * (alpha * n + 1),
        "(n' + 1/α)/(n + 1/α) ≤ 1 + α for all neighbors",
    )
    return fails(
        shifted,
        exact.refuted(LOG_CHANGE, α=TENTH, n=1, m=2),
        counterexample="counts 1 and 2, α = 1/10: ln 2 − ln 1 = 0.693... > ln 1.1 = 0.0953...",
        value="ln(1+α) is the sensitivity of ln(n + 1/α)",
    )


def _of_a_hire(c: World, k: Number) -> Number:
    """What worker k adds to the query q(D) = Σ (1 − 1/(k+1)) over the workers k of D."""
    return 1 - 1 / (k + c.number(1))


def _next(c: World, k: Number) -> Number:
    return k + 1


LARGEST_HIRE = HasMaximum(Integer("k", least=1), of=_of_a_hire)
"""The largest change of that query from the empty establishment to a neighbor, which has one worker k."""


@claim(
    "haney2017/def-8.1",
    where="Section 8.2, Definition 8.1",
    says="The local sensitivity at x is the largest L1 change of the query to a neighbor.",
    states=LARGEST_HIRE,
    meant=(LOCAL, ATTAINED),
)
def local_sensitivity_is_a_supremum() -> Verdict:
    """Definition 7.1 bounds the size of a neighbor, not how many there are: the proof of Lemma 8.5
    needs databases without a fixed size, so the workers in question are infinitely many, any one of
    whom may be hired, and a query may depend on who it is. Then the maximum need not exist. It does
    when there are finitely many workers, or for a count, where it is max(αx, 1) on real counts.
    """
    relation = Strong(SizeUniverse(2, 5), Fraction(1, 2))
    datasets = list(relation.datasets())
    return ill_posed(
        no_maximum(LARGEST_HIRE, _next, *map(solver.proves, rising(LARGEST_HIRE, _next))),
        solver.proves(LOCAL),
        solver.proves(ATTAINED),
        aside(
            exhaustive.for_all(
                datasets,
                lambda d: (
                    local_sensitivity(sum, relation, d)
                    == max(abs(sum(d) - sum(e)) for e in datasets if relation.related(d, e))
                ),
                "the largest change to a neighbor",
                "two establishments of up to 5 workers, α = 1/2",
            )
        ),
        condition="a supremum with values in [0, ∞]; a maximum for finitely many workers, or for a count",
        counterexample="an empty establishment, workers 1, 2, 3, … who may be hired, q(D) = Σ_(k∈D) "
        "(1 − 1/(k+1)): the neighbors change it by 1/2, 2/3, 3/4, …, which has no maximum",
    )


def _local(c: World, alpha: Number, x: Number) -> Number:
    return growth_bound(x, alpha, c)


def _larger(c: World, alpha: Number, x: Number) -> Number:
    return x + 2 / alpha


LARGEST_LOCAL = HasMaximum(Real("α", above=0), Real("x", least=0), of=_local)
"""The maximum over all databases of the local sensitivity max(αx, 1) of a count, one establishment of x
workers.
"""


@claim(
    "haney2017/def-8.1-global",
    where="Section 8.2, after Definition 8.1",
    says="Global sensitivity is the maximum local sensitivity over all databases.",
    states=LARGEST_LOCAL,
    meant=UNBOUNDED_GROWTH,
)
def global_sensitivity_is_a_supremum() -> Verdict:
    """Over infinitely many databases the maximum need not exist, and for the counts of the paper it
    does not: their local sensitivities have no bound (haney2017/sec8.1-gs). Read as a supremum with
    values in [0, ∞] it is right: the largest local sensitivity is the largest change over all
    neighboring pairs.
    """
    cases = [
        (establishments, most, alpha)
        for establishments, most in ((1, 5), (2, 4), (3, 2))
        for alpha in (TENTH, Fraction(1, 2), Fraction(1))
    ]

    def agree(case: tuple[int, int, Fraction]) -> bool:
        establishments, most, alpha = case
        relation = Strong(SizeUniverse(establishments, most), alpha)
        over_pairs = max(
            abs(sum(d) - sum(e)) for d, e in product(relation.datasets(), repeat=2) if relation.related(d, e)
        )
        return over_pairs == global_sensitivity(sum, relation)

    return ill_posed(
        no_maximum(LARGEST_LOCAL, _larger, *map(solver.proves, rising(LARGEST_LOCAL, _larger))),
        *count_has_unbounded_global_sensitivity().evidence,
        aside(
            exhaustive.for_all(
                cases,
                agree,
                "the largest local sensitivity is the largest change over all neighboring pairs",
                "size universes with up to 3 establishments of up to 5 workers, α in {1/10, 1/2, 1}",
            )
        ),
        condition="a supremum with values in [0, ∞]",
        counterexample="α = 1/10, one establishment of 10, 20, 30, … workers: local sensitivities 1, 2, 3, … "
        "have no maximum",
        value="∞ for a count",
    )


def _discounted(steps: int, growth: Fraction) -> Fraction:
    """e^(−jb)·A^(j) at j = ``steps`` for e^b = ``growth``: one worker at first, α = 1/10."""
    size = 1
    for _ in range(steps):
        size += largest_growth(size, TENTH)
    return largest_growth(size, TENTH) / growth**steps


@claim(
    "haney2017/def-8.2",
    where="Section 8.2, Definition 8.2",
    says="The b-smooth sensitivity max_j e^(−jb)·A^(j)(x), with d(x,y) 'the smaller' chain length, is the "
    "smallest b-smooth upper bound on the local sensitivity.",
)
def smooth_sensitivity_is_the_least_smooth_bound() -> Verdict:
    """'Smaller integer' should be 'smallest', and the maximum over j need not exist (it is +∞ when
    e^b < 1+α), so read a supremum. Any b-smooth upper bound S has S(x) ≥ e^(−b·d(x,y))·S(y) ≥
    e^(−b·d(x,y))·LS(y) for all y, hence S ≥ S*; and S* is itself a b-smooth upper bound.
    """
    growth = Fraction(21, 20)
    infinite = counting_smooth_sensitivity(1, TENTH, growth)
    universe = SizeUniverse(2, 4)
    relation = Strong(universe, Fraction(1, 2))
    discount = Fraction(2, 3)
    values = {d: smooth_sensitivity(sum, relation, d, discount, 8) for d in universe.datasets()}

    def smooth_bound_and_least(d: tuple[int, ...]) -> bool:
        at_d = values[d]
        smooth = all(values[e] >= discount * at_d for e in relation.neighbors(d))
        least = at_d == max(
            discount ** int(relation.distance(d, y)) * local_sensitivity(sum, relation, y)
            for y in universe.datasets()
        )
        return smooth and at_d >= local_sensitivity(sum, relation, d) and least

    s, t, u, c = z3.Reals("Sx Sy LSy c")
    step = solver.for_all(
        [c > 0, c <= 1, s >= c * t, t >= u, u >= 0],
        s >= c * u,
        "S(x) ≥ c·S(y) and S(y) ≥ LS(y) give S(x) ≥ c·LS(y): every smooth bound is at least S*",
    )
    return misprint(
        exhaustive.for_all(
            universe.datasets(),
            smooth_bound_and_least,
            "S* is a smooth upper bound and equals max over y of e^(−b·d(x,y))·LS(y)",
            "two establishments of up to 4 workers, α = 1/2, e^(−b) = 2/3",
        ),
        step,
        exact.compare(int(math.isinf(infinite)), "==", 1, "at e^b = 1.05 < 1.1 the supremum is ∞"),
        *(
            enclosure.compare(
                enclosure.rational(_discounted(far, growth)),
                ">",
                enclosure.rational(_discounted(near, growth)),
                f"e^(−jb)·A^(j) from one worker, j = {far} against j = {near}",
            )
            for near, far in ((20, 40), (40, 80), (80, 160))
        ),
        reading="'smallest integer', and a supremum over j with values in [0, ∞]",
        reading_is=Outcome.HOLDS,
        counterexample="α = 1/10, e^b = 1.05, one worker: e^(−jb)·A^(j) has no maximum over j",
    )


def _growth(c: World, k: Number) -> Number:
    """What the (k+1)-th record adds to the answer: 1/2, 2/3, 3/4, …."""
    return 1 - 1 / (k + c.number(2))


def _next_change(c: World, k: Number) -> Number:
    return k + 1


LARGEST_CHANGE = HasMaximum(Integer("k", least=0), of=_growth)
"""The maximum over neighboring tables, for the query q(D) = Σ_(k<|D|) (1 − 1/(k+2))."""

SUPREMUM = AtMost(Integer("k", least=0), left=_growth, right=1)
APPROACHED = Equal(
    Real("gap", above=0, below=1), left=lambda c, gap: 1 - gap, right=lambda c, gap: _growth(c, 1 / gap - 2)
)
"""No change is above 1, and every smaller number is reached by the growth at k = 1/gap − 2."""


@claim(
    "haney2017/def-2.3",
    states=LARGEST_CHANGE,
    meant=(SUPREMUM, APPROACHED),
    where="Section 2, Definition 2.3",
    says="The sensitivity is the maximum of ‖q(D) − q(D')‖₁ over neighboring tables.",
)
def sensitivity_needs_a_supremum() -> Verdict:
    """Over infinitely many tables the maximum need not exist. A query that grows by 1 − 1/(n+2) when the
    n-th record arrives has the supremum 1, which no pair attains; a query n² has none at all. For a count
    the maximum exists and is 1.
    """
    return ill_posed(
        no_maximum(LARGEST_CHANGE, _next_change, *map(solver.proves, rising(LARGEST_CHANGE, _next_change))),
        solver.proves(SUPREMUM),
        symbolic.proves(APPROACHED),
        exact.compare(global_sensitivity(lambda d: d, UnitCount(6)), "==", 1, "the sensitivity of a count"),
        condition="read a supremum, with values in [0, ∞]",
        counterexample="q(D) = Σ_(k<|D|) (1 − 1/(k+2)): changes 1/2, 2/3, 3/4, … have no maximum",
    )
