"""Sections 2 and 8.1: global, local and smooth sensitivity, Definitions 2.3, 8.1 and 8.2."""

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import z3

from establish import Evidence, Outcome, SizeUniverse, Verdict, aside, claim, fails, holds, misprint
from establish.proofs_check.engine.conventions import by_convention
from establish.proofs_check.engine.methods import exact, exhaustive, solver
from establish.proofs_check.engine.rules.constants import no_maximum, rising
from establish.proofs_check.engine.statements import AtMost, Every, HasMaximum, Integer, Rational, Real, given
from establish.proofs_check.papers.haney2017.growth import grows
from establish.spec.arithmetic import Number, World
from establish.spec.relations.growth import growth_bound, largest_after, largest_growth
from establish.spec.relations.record import UnitCount
from establish.spec.relations.relation import NeighborRelation
from establish.spec.relations.strong import Strong
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


AS_LARGE_AS_THE_SHARE = AtMost(
    Real("α", above=0),
    Real("x", least=0),
    left=lambda c, alpha, x: x + alpha * x,
    right=lambda c, alpha, x: largest_after(x, alpha, c),
)
"""A count x at one establishment may grow by αx, on real counts."""


@claim(
    "haney2017/sec8.1-gs-alpha-x",
    where="Section 8.1",
    says="If the count is x, the sensitivity can be as large as αx.",
    states=AS_LARGE_AS_THE_SHARE,
)
def sensitivity_of_a_count_reaches_its_share() -> Verdict:
    """On real counts the sensitivity is max(αx, 1), on whole numbers max(⌊αx⌋, 1), when one establishment has
    all x workers: it is αx where αx is a whole number of at least 1. Below x = 1/α it is 1, as one worker
    may always be hired, so αx is no upper bound. At x = 15, α = 1/10 it is 1, and αx is 3/2.
    """
    universe = SizeUniverse(1, 17)
    ones = Strong(universe, TENTH)
    return holds(
        solver.proves(AS_LARGE_AS_THE_SHARE),
        exact.compare(local_sensitivity(sum, ones, (10,)), "==", TENTH * 10, "10 workers, α = 1/10"),
        aside(
            exhaustive.for_all(
                [(x,) for x in range(13)],
                lambda d: local_sensitivity(sum, ones, d) == largest_growth(d[0], TENTH),
                "the local sensitivity of the count is max(⌊αx⌋, 1)",
                "one establishment with up to 12 workers in a universe of 17, α = 1/10",
            )
        ),
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


def _relations() -> Iterator[Strong[Any, Any]]:
    """Two establishments of up to five workers."""
    yield from (Strong(SizeUniverse(2, 5), alpha) for alpha in (TENTH, Fraction(1, 2), Fraction(1)))


def _over_neighbors(relation: Strong[Any, Any]) -> bool:
    """At every dataset the local sensitivity of the total is its largest change to a neighbor."""
    datasets = list(relation.datasets())
    return all(
        local_sensitivity(sum, relation, d)
        == max(abs(sum(d) - sum(e)) for e in datasets if relation.related(d, e))
        for d in datasets
    )


def _largest_local(relation: Strong[Any, Any]) -> bool:
    """The global sensitivity of the total is its largest local sensitivity."""
    locals_ = (local_sensitivity(sum, relation, d) for d in relation.datasets())
    return global_sensitivity(sum, relation) == max(locals_)


LOCAL_CHANGES = Every("relation", cases=_relations, holds=_over_neighbors)
LARGEST_LOCAL = Every("relation", cases=_relations, holds=_largest_local)

RELATIONS = "two establishments of up to 5 workers, α in {1/10, 1/2, 1}"
"""The universe of the exhaustive checks here, in words."""


@claim(
    "haney2017/def-8.1",
    where="Section 8.2, Definition 8.1",
    says="The local sensitivity at x is the largest L1 change of the query to a neighbor.",
    states=LOCAL_CHANGES,
    origin="implied",
)
def local_sensitivity_is_a_supremum() -> Verdict:
    """Definition 7.1 bounds the size of a neighbor, not how many there are: where any one of infinitely many
    workers may be hired, a query may depend on who it is, and the maximum need not exist. It does when there
    are finitely many workers, or for a count, where it is max(αx, 1) on real counts.
    """
    return holds(exhaustive.each(LOCAL_CHANGES, RELATIONS), condition=by_convention("supremum", "haney2017"))


@claim(
    "haney2017/def-8.1-global",
    where="Section 8.2, after Definition 8.1",
    says="Global sensitivity is the maximum local sensitivity over all databases.",
    states=LARGEST_LOCAL,
    origin="implied",
)
def global_sensitivity_is_a_supremum() -> Verdict:
    """Over infinitely many databases the maximum need not exist, and for the counts of the paper it does not:
    their local sensitivities have no bound (haney2017/sec8.1-gs), and the supremum is ∞.
    """
    return holds(exhaustive.each(LARGEST_LOCAL, RELATIONS), condition=by_convention("supremum", "haney2017"))


LARGEST_TERM = HasMaximum(
    Real("α", above=0),
    Real("e^b", above=0, below=lambda c, alpha: 1 + alpha),
    Real("x", least=lambda c, alpha, smooth: 1 / alpha),
    Real("j", least=0),
    of=lambda c, alpha, smooth, x, j: c.power((1 + alpha) / smooth, j) * growth_bound(x, alpha, c),
)
"""The maximum over j of e^(−jb)·A^(j)(x), for a count of x ≥ 1/α workers: A^(j) = (1+α)^j·αx."""

NONE_BELOW = AtMost(
    Real("e^(−bd)", above=0, most=1),
    Real("LS(y)", least=0),
    Real("S(y)", least=lambda c, discount, local: local),
    Real("S(x)", least=lambda c, discount, local, there: discount * there),
    left=lambda c, discount, local, there, here: discount * local,
    right=lambda c, discount, local, there, here: here,
)
"""A bound S on the local sensitivity that is smooth, S(x) ≥ e^(−b·d(x,y))·S(y), is at least S*."""

TERMS_ARE_SMOOTH = AtMost(
    Real("e^(−b)", above=0, most=1),
    Real("e^(−bj)", above=0, most=1),
    Real("A^(j)(x)", least=0),
    Real("A^(j+1)(y)", least=lambda c, discount, power, reached: reached),
    Real("S*(y)", least=lambda c, discount, power, reached, further: discount * power * further),
    left=lambda c, discount, power, reached, further, there: discount * (power * reached),
    right=lambda c, discount, power, reached, further, there: there,
)
"""Within j steps of x is within j + 1 of its neighbor y, so that S*, the largest e^(−bj)·A^(j), is smooth:
e^(−b)·S*(x) ≤ S*(y).
"""

_SMALL = Strong(SizeUniverse(2, 3), Fraction(1, 2))


def _is_smooth_and_largest(d: tuple[int, ...]) -> bool:
    """At e^(−b) = 2/3, S* of the total bounds LS, is smooth, and is the largest e^(−b·d(x,y))·LS(y)."""
    discount = Fraction(2, 3)
    at_d = smooth_sensitivity(sum, _SMALL, d, discount, 8)
    return (
        at_d >= local_sensitivity(sum, _SMALL, d)
        and all(
            smooth_sensitivity(sum, _SMALL, e, discount, 8) >= discount * at_d for e in _SMALL.neighbors(d)
        )
        and at_d
        == max(
            discount ** int(_SMALL.distance(d, y)) * local_sensitivity(sum, _SMALL, y)
            for y in _SMALL.datasets()
        )
    )


SMOOTH_BOUND = Every("dataset", cases=lambda: list(_SMALL.datasets()), holds=_is_smooth_and_largest)
"""Two establishments of up to three workers, α = 1/2."""


def _one_more(c: World, alpha: Number, smooth: Number, x: Number, j: Number) -> Number:
    return j + 1


def rising_evidence() -> tuple[Evidence, ...]:
    """One more step multiplies by (1+α)/e^b, which is above 1."""

    def powers(c: World, alpha: Number, smooth: Number, x: Number, j: Number) -> None:
        ratio = (1 + alpha) / smooth
        for part in (ratio, c.power(ratio, j), c.power(ratio, j + 1), growth_bound(x, alpha, c)):
            c.log(part)

    larger, *inside = rising(LARGEST_TERM, _one_more)
    return solver.proves(larger, powers), *map(solver.owed, inside)


@claim(
    "haney2017/def-8.2",
    where="Section 8.2, Definition 8.2",
    says="The b-smooth sensitivity max_j e^(−jb)·A^(j)(x), with d(x,y) 'the smaller' chain length, is the "
    "smallest b-smooth upper bound on the local sensitivity.",
    states=(LARGEST_TERM, NONE_BELOW),
    meant=(NONE_BELOW, TERMS_ARE_SMOOTH, SMOOTH_BOUND),
)
def smooth_sensitivity_is_the_least_smooth_bound() -> Verdict:
    """'Smaller integer' should be 'smallest', and the maximum over j need not exist (it is +∞ when
    e^b < 1+α), so read a supremum. Any b-smooth upper bound S has S(x) ≥ e^(−b·d(x,y))·S(y) ≥
    e^(−b·d(x,y))·LS(y) for all y, hence S ≥ S*; and S* is itself a b-smooth upper bound.
    """
    infinite = counting_smooth_sensitivity(1, TENTH, Fraction(21, 20))
    return misprint(
        no_maximum(LARGEST_TERM, _one_more, *rising_evidence()),
        *map(solver.proves, (NONE_BELOW, TERMS_ARE_SMOOTH)),
        exhaustive.each(SMOOTH_BOUND, "two establishments of up to 3 workers, α = 1/2, e^(−b) = 2/3"),
        exact.compare(int(math.isinf(infinite)), "==", 1, "at e^b = 1.05 < 1.1 the supremum is ∞"),
        reading="'smallest integer', and a supremum over j with values in [0, ∞]",
        reading_is=Outcome.HOLDS,
        counterexample="α = 1/10, e^b = 1.05, one worker: e^(−jb)·A^(j) has no maximum over j",
    )


def _universes() -> Iterator[tuple[NeighborRelation[Any], Callable[[Any], int]]]:
    """Tables of up to six records with their count, and two establishments of up to five with their total."""
    yield UnitCount(6), lambda d: d
    for alpha in (TENTH, Fraction(1, 2), Fraction(1)):
        yield Strong(SizeUniverse(2, 5), alpha), sum


def _over_pairs(case: tuple[NeighborRelation[Any], Callable[[Any], int]]) -> bool:
    """The sensitivity is the largest change over all pairs of neighbors."""
    relation, query = case
    pairs = product(relation.datasets(), repeat=2)
    return global_sensitivity(query, relation) == max(
        abs(query(d) - query(e)) for d, e in pairs if relation.related(d, e)
    )


CHANGES = Every("relation, with a count", cases=_universes, holds=_over_pairs)


@claim(
    "haney2017/def-2.3",
    states=CHANGES,
    where="Section 2, Definition 2.3",
    says="The sensitivity is the maximum of ‖q(D) − q(D')‖₁ over neighboring tables.",
    origin="implied",
)
def sensitivity_is_a_supremum() -> Verdict:
    """Over infinitely many tables the maximum need not exist: a query that grows by 1 − 1/(n+2) when the n-th
    record arrives has the supremum 1, which no pair attains. For a count the maximum exists and is 1.
    """
    return holds(
        exhaustive.each(CHANGES, "up to 6 records; two establishments of up to 5, α in {1/10, 1/2, 1}"),
        condition=by_convention("supremum", "haney2017"),
    )
