"""Section 2: marginal queries, differential privacy, sensitivity, the Laplace mechanism, composition."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable
from fractions import Fraction
from itertools import product

import sympy
import z3

from establish.proofs_check.engine.methods import exact, exhaustive, solver, symbolic
from establish.proofs_check.engine.register import claim
from establish.proofs_check.engine.rules import (
    added_up,
    coordinatewise,
    no_maximum,
    one_coordinate,
    rising,
)
from establish.proofs_check.engine.statements import (
    Additive,
    AddsNoise,
    AtMost,
    Below,
    Equal,
    Every,
    HasMaximum,
    Integer,
    Moment,
    Real,
    TotalError,
)
from establish.proofs_check.engine.statements.statement import Formula
from establish.proofs_check.engine.statements.variables import Variable
from establish.proofs_check.engine.verdicts import (
    Evidence,
    Verdict,
    aside,
    fails,
    holds,
    ill_posed,
)
from establish.proofs_check.papers.haney2017.log_laplace.error import (
    INFINITE_ERROR,
    infinite_error_evidence,
)
from establish.spec.arithmetic import SYM, Number, World
from establish.spec.cells import MarginalQuery
from establish.spec.distributions import laplace, log_laplace
from establish.spec.indistinguishability import (
    Distribution,
    hockey_stick,
    is_indistinguishable,
    likelihood_ratio_bound,
)
from establish.spec.mechanisms.laplace import LaplaceMechanism, privacy_loss
from establish.spec.mechanisms.unguarded import unguarded
from establish.spec.relations.record import UnitCount
from establish.spec.sensitivity import global_sensitivity
from establish.spec.tables import Workplace
from establish.spec.universe import Universe

SECTORS, DEGREES = ("farm", "mine"), ("none", "degree")


def _small_universe() -> Universe:
    workplaces = (Workplace("e1", ("farm",)), Workplace("e2", ("mine",)))
    return Universe(workplaces, ("w1", "w2", "w3"), tuple((d,) for d in DEGREES))


@claim(
    "haney2017/def-2.1",
    where="Section 2, Definition 2.1",
    says="A marginal query is a vector of |dom(V)| counts, one per cell; with no attribute it is the size of "
    "the table.",
)
def marginal_query_is_a_vector_over_the_domain() -> Verdict:
    """Cells partition the records, so the counts add up to the size of the table, and each equals the count
    of records that match it. The empty product has one element, so q_∅ has one cell, with every record.
    """
    query = MarginalQuery({0: DEGREES}, {0: SECTORS})
    nothing = MarginalQuery({}, {})
    universe = _small_universe()

    def is_as_defined(index: int) -> bool:
        tables = datasets[index]
        counts = query.counts(tables)
        matching = {
            cell: sum(record.attributes == cell for record in tables.worker_full())
            for cell in product(DEGREES, SECTORS)
        }
        return counts == matching and nothing.counts(tables) == {(): len(tables.worker_full())}

    datasets = list(universe.datasets())
    return holds(
        exhaustive.for_all(
            range(len(datasets)),
            is_as_defined,
            "the counts are |dom(V)| numbers, each the number of matching records",
            "3 potential workers, 2 workplaces of different sectors, 2 degrees",
        )
    )


def _rows(table: tuple[str, ...]) -> list[int]:
    """Select Count(*) From D Group By sector: one row for every value that occurs."""
    return [table.count(sector) for sector in SECTORS if sector in table]


def _counts(table: tuple[str, ...]) -> list[int]:
    """The marginal query: one count for every value of the domain (Definition 2.1)."""
    return [table.count(sector) for sector in SECTORS]


AS_IN_SQL = Every(
    "table of records with one attribute of two values",
    cases=lambda: [t for n in range(4) for t in product(SECTORS, repeat=n)],
    holds=lambda table: _rows(table) == _counts(table),
)
IF_ALL_OCCUR = Every(
    "table in which every value occurs",
    cases=lambda: [t for n in range(5) for t in product(SECTORS, repeat=n) if {*t} == {*SECTORS}],
    holds=lambda table: _rows(table) == _counts(table),
    wrong=lambda table: len(_rows(table)) == len(table),
)


@claim(
    "haney2017/def-2.1-sql",
    states=AS_IN_SQL,
    where="Section 2, after Definition 2.1",
    says="The marginal query is 'Select Count(*) From D Group By A1, …, Am'.",
)
def group_by_drops_empty_cells() -> Verdict:
    """GROUP BY returns one row per value that occurs. With one record in a domain of two values the
    marginal has two counts, 1 and 0, and the SQL text one row: its length tells which cells are empty, so
    it cannot stand for the vector that a mechanism adds noise to.
    """
    import duckdb  # of an extra: without it this claim alone is not run

    connection = duckdb.connect()
    connection.execute("create table d (sector text)")
    connection.execute("insert into d values ('farm')")
    rows = connection.execute("select count(*) from d group by sector").fetchall()
    universe = _small_universe()
    one_farmer = next(
        t
        for t in universe.datasets()
        if len(t.worker_full()) == 1 and t.worker_full()[0].workplace.id == "e1"
    )
    marginal = MarginalQuery({}, {0: SECTORS}).counts(one_farmer)
    return fails(
        exact.refuted(AS_IN_SQL, case=("farm",)),
        exhaustive.each(IF_ALL_OCCUR, "up to four records with one of two values, both occurring"),
        exact.compare(len(rows), "==", 1, "rows of the SQL text on one record"),
        exact.compare(len(marginal), "==", 2, "counts of the marginal query on it"),
        counterexample="D = {farm}, dom = {farm, mine}: the marginal is (1, 0), the SQL has one row",
        condition="true if every value of the domain occurs",
    )


def _coin(heads: Fraction) -> Distribution:
    return {"yes": heads, "no": 1 - heads}


@claim(
    "haney2017/def-2.2",
    where="Section 2, Definition 2.2",
    says="M is (ε, δ)-differentially private when P(M(D)∈S) ≤ e^ε·P(M(D')∈S) + δ for tables with "
    "|(D∖D')∪(D'∖D)| = 1.",
)
def differential_privacy_compares_tables_one_record_apart() -> Verdict:
    """The formula says what the words do, the presence or absence of a single record, for tables that are
    sets of distinct records, and for tables with equal records too when differences keep multiplicity, as
    differences of bags do. The relation is symmetric, so both directions are asked, and the inequality
    separates mechanisms: coins with P(heads) = 1/2 and 1/4 meet it at e^ε = 2, with 3/4 and 1/4 not.
    """
    bags = [Counter({"r": k, "s": m}) for k, m in product(range(4), repeat=2)]
    pairs = [(d, e) for d in bags for e in bags]

    def as_worded(pair: tuple[Counter[str], Counter[str]]) -> bool:
        d, e = pair
        one_more = any(d + Counter([r]) == e or e + Counter([r]) == d for r in ("r", "s"))
        printed = ((d - e) | (e - d)).total() == 1
        swapped = ((e - d) | (d - e)).total() == 1
        return printed == one_more == swapped

    grid = [Fraction(k, 4) for k in range(5)]
    half, quarter, most = _coin(Fraction(1, 2)), _coin(Fraction(1, 4)), _coin(Fraction(3, 4))
    return holds(
        exhaustive.for_all(
            pairs,
            as_worded,
            "|(D∖D')∪(D'∖D)| = 1 exactly if one table has one record more, in either order",
            "tables with up to three copies of each of two records",
        ),
        exact.compare(int(is_indistinguishable(half, quarter, 2)), "==", 1, "1/2 against 1/4"),
        exact.compare(int(is_indistinguishable(most, quarter, 2)), "==", 0, "3/4 against 1/4"),
        aside(
            exhaustive.for_all(
                [(p, q) for p in grid for q in grid],
                lambda pq: (
                    is_indistinguishable(_coin(pq[0]), _coin(pq[1]), 2)
                    == is_indistinguishable(_coin(pq[1]), _coin(pq[0]), 2)
                ),
                "the condition over both orders of a pair is symmetric",
                "pairs of coins with probabilities in quarters, e^ε = 2",
            )
        ),
        condition="records are distinct (carry an identifier), or differences count multiplicity",
    )


_CONSTANTS = Real("records", above=0), Integer("n", least=1)

MORE_AT_ONE_OVER_N = Below(
    Real("c", above=0),
    *_CONSTANTS,
    left=lambda c, share, records, n: records,
    right=lambda c, share, records, n: n * (share / c.number(n)),
)
"""With δ = c/n the number n·δ of records on average exceeds every constant."""

MORE_BEYOND = Below(
    *_CONSTANTS,
    Real("nδ", above=lambda c, records, n: records, most=lambda c, records, n: n),
    left=lambda c, records, n, total: records,
    right=lambda c, records, n, total: n * (total / c.number(n)),
)
"""It does where nδ does, which is what ω(1/n) says."""

_PROBABILITIES = (
    Real("δ", least=0, most=1),
    Real("p", least=0, most=1),
    Real("q", least=0, most=1),
)

PUBLISHING_IS_PRIVATE = AtMost(
    *_PROBABILITIES,
    left=lambda c, delta, p, q: (1 - delta) * q + delta * p,
    right=lambda c, delta, p, q: q + delta,
)
"""To publish a record, or all, with probability δ changes no probability by more than δ: p is that of an
event then, and q what it would be otherwise.
"""

NO_MORE_THAN_DELTA = AtMost(
    Real("e^ε", least=1),
    Real("δ", least=0, most=1),
    Real("p", least=0, most=lambda c, level, delta: level * 0 + delta),
    left=lambda c, level, delta, p: p,
    right=lambda c, level, delta, p: delta,
)
"""A record that is not there is not published: with it, it is published with probability δ at most."""


@claim(
    "haney2017/def-2.2-omega",
    where="Section 2, after Definition 2.2",
    says="An algorithm that releases more than a constant number of exact records satisfies the definition "
    "when δ = Ω(1/n).",
    states=MORE_AT_ONE_OVER_N,
    meant=(MORE_BEYOND, PUBLISHING_IS_PRIVATE),
    tight=(PUBLISHING_IS_PRIVATE, NO_MORE_THAN_DELTA),
)
def constant_number_of_records_at_one_over_n() -> Verdict:
    """On average, no: a private mechanism publishes a record, which it does not know without it, with
    probability at most e^ε·0 + δ, so at most δn records in all. At δ = c/n that is the constant c, which
    publishing each record with probability δ attains; more than every constant takes δ = ω(1/n). Not on
    average, yes: publishing the whole table with probability δ is (0, δ)-private at every δ, and then n
    records are out.
    """
    n, c = sympy.symbols("n c", positive=True)
    delta, p, q, level, shared = z3.Reals("delta p q level shared")
    return ill_posed(
        exact.refuted(MORE_AT_ONE_OVER_N, c=3, records=3, n=100),
        *map(solver.proves, (MORE_BEYOND, PUBLISHING_IS_PRIVATE, NO_MORE_THAN_DELTA)),
        solver.for_all(
            [level >= 1, delta >= 0, q == 0, p <= level * q + delta],
            p <= delta,
            "a record that cannot be known without it is published with probability at most δ",
        ),
        symbolic.identity(n * (c / n), c, "so at most n·δ on average: at δ = c/n"),
        solver.for_all(
            [delta >= 0, delta <= 1, p >= 0, p <= 1, shared >= 0, shared <= 1],
            (1 - delta) * shared + delta * p <= shared + delta,
            "publishing a record, or the whole table, with probability δ changes no event by more than δ",
        ),
        counterexample="δ = 3/n, which is Ω(1/n): at most three records on average, for every n",
        condition="δ = ω(1/n) for the number on average; any δ > 0 for a number that is n with probability δ",
        value="δ·n records on average",
    )


def _growth(c: World, k: Number) -> Number:
    """What the (k+1)-th record adds to the answer: 1/2, 2/3, 3/4, …."""
    return 1 - 1 / (k + c.number(2))


def _next(c: World, k: Number) -> Number:
    return k + 1


LARGEST_CHANGE = HasMaximum(Integer("k", least=0), of=_growth)
"""The maximum over neighboring tables, for the query q(D) = Σ_(k<|D|) (1 − 1/(k+2))."""

SUPREMUM = AtMost(Integer("k", least=0), left=_growth, right=1)
APPROACHED = Equal(
    Real("gap", above=0, below=1),
    left=lambda c, gap: 1 - gap,
    right=lambda c, gap: _growth(c, 1 / gap - 2),
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
        no_maximum(LARGEST_CHANGE, _next, *map(solver.proves, rising(LARGEST_CHANGE, _next))),
        solver.proves(SUPREMUM),
        symbolic.proves(APPROACHED),
        exact.compare(
            global_sensitivity(lambda d: d, UnitCount(6)), "==", 1, "the sensitivity of a count"
        ),
        condition="read a supremum, with values in [0, ∞]",
        counterexample="q(D) = Σ_(k<|D|) (1 − 1/(k+2)): changes 1/2, 2/3, 3/4, … have no maximum",
    )


def _adds_laplace(*more: Variable, scale: Formula) -> Additive:
    """Laplace noise of a scale for an answer of sensitivity Δ, with the parameters ε, Δ and ``more``."""
    return AddsNoise(
        Real("ε", above=0),
        Real("Δ", above=0),
        *more,
        law=lambda c, epsilon, delta, *rest: laplace.Laplace(
            rest[-1], scale(c, epsilon, delta, *rest[:-1]), c
        ),
        sensitivity=lambda c, epsilon, delta, *_: delta,
        level=lambda c, epsilon, *_: epsilon,
    )


def _own_scale(c: World, epsilon: Number, delta: Number, *_: Number) -> Number:
    return unguarded(LaplaceMechanism, epsilon=epsilon, sensitivity=delta).noise_scale


FREE = _adds_laplace(Real("λ", above=0), scale=lambda c, epsilon, delta, free: free)
"""Definition 2.4 as printed: the scale is any number."""

SCALED = _adds_laplace(scale=_own_scale)
"""Definition 2.4 with the scale Δ/ε."""

REACHED = Equal(
    Real("λ", above=0),
    Real("Δ", above=0),
    left=lambda c, scale, delta: (
        laplace.log_density(c.number(0), c.number(0), scale, c)
        - laplace.log_density(c.number(0), delta, scale, c)
    ),
    right=lambda c, scale, delta: privacy_loss(delta, scale),
)
"""A slide by Δ loses Δ/λ at the center, so that ε-privacy needs λ ≥ Δ/ε."""


def scaled_noise_evidence() -> Evidence:
    """|o − y| − |o − x| ≤ |x − y|."""
    loss, *signs = one_coordinate(SCALED)
    return coordinatewise(SCALED, solver.proves(loss), *map(solver.owed, signs))


@claim(
    "haney2017/def-2.4",
    where="Section 2, Definition 2.4",
    says="q(D) + Lap(λ) noise satisfies ε-differential privacy.",
    states=FREE,
    tight=REACHED,
    meant=SCALED,
    scope="neighbors whose answers differ by at most Δ in the L1 norm; every number of coordinates",
)
def laplace_mechanism_needs_its_scale() -> Verdict:
    """The definition leaves λ free and does not relate it to ε. The exact loss is Δ_q/λ, so ε-privacy holds
    exactly when λ ≥ Δ_q/ε.
    """
    return ill_posed(
        exact.refuted(FREE, ε=1, Δ=1, λ="1/2", x=0, y=1, o=0),
        scaled_noise_evidence(),
        symbolic.proves(REACHED),
        condition="λ ≥ Δ_q/ε",
        counterexample="a count (Δ = 1), λ = 1/2, ε = 1: the density ratio at the true count is e² > e",
        value="least scale λ = Δ_q/ε",
    )


@claim(
    "haney2017/def-2.4-scale",
    where="Section 2, Definition 2.4 with its scale",
    says="q(D) + Lap(Δ_q/ε) noise satisfies ε-differential privacy.",
    states=SCALED,
    tight=REACHED,
    origin="corrected",
    scope="neighbors whose answers differ by at most Δ in the L1 norm; every number of coordinates",
)
def laplace_mechanism_with_its_scale_is_private() -> Verdict:
    """A Laplace law slid by Δ has the loss |Δ|/λ, attained at its center; for d coordinates the losses add
    up to the L1 norm over λ. At λ = Δ_q/ε that is ε.
    """
    return holds(scaled_noise_evidence(), symbolic.proves(REACHED), value="λ = Δ_q/ε")


NORM_IS_NOT_NEGATIVE = AtMost(
    Real("p", least=1),
    Real("error", above=0),
    left=0,
    right=lambda c, p, error: c.power(error, p),
)
"""‖·‖_p is the root of a sum of such powers (and of zeros): its expectation exists in [0, ∞]."""

FINITE_ERROR = Moment(
    Real("λ", above=0),
    law=lambda c, scale: laplace.Laplace(c.number(0), scale, c),
    of=lambda c, x: c.absolute(x),
    closed=lambda c, scale: laplace.absolute_moment(1, scale),
    breaks=[lambda c, scale: c.number(0)],
)
"""The expected L1 error may be finite; that of Algorithm 1 is infinite for λ ≥ 1."""


@claim(
    "haney2017/def-2.5",
    where="Section 2, Definition 2.5",
    says="The expected L_p error is E‖q(D) − q̃(D)‖_p.",
    states=(NORM_IS_NOT_NEGATIVE, FINITE_ERROR, INFINITE_ERROR),
)
def expected_error_is_defined() -> Verdict:
    """The norm is a nonnegative random variable, so the expectation exists in [0, ∞] for every D and p ≥ 1.
    It is a function of D, and can be infinite: for the Laplace mechanism with d counts the L1 error is
    d·λ, whatever D is; for Algorithm 1 with λ ≥ 1 it is +∞.
    """
    z, scale = sympy.symbols("z lambda", positive=True)
    excess = sympy.Symbol("excess", nonnegative=True)
    density = sympy.exp(laplace.log_density(z, 0, scale, SYM))
    gamma, x = sympy.symbols("gamma x", positive=True)
    return holds(
        symbolic.identity(
            2 * sympy.integrate(z * density, (z, 0, sympy.oo)),
            laplace.absolute_moment(1, scale),
            "E|η| for one count",
        ),
        symbolic.identity(
            sympy.simplify(1 - 1 / (1 + excess)),
            excess / (1 + excess),
            "for λ = 1 + excess ≥ 1 the integrand of E e^η does not fall: the error is +∞",
        ),
        symbolic.identity(
            log_laplace.mean_absolute_error(x, gamma, sympy.Rational(1, 2)),
            (x + gamma) * sympy.Rational(2, 3),
            "for λ = 1/2 it depends on D through x",
        ),
        solver.proves(NORM_IS_NOT_NEGATIVE),
        symbolic.integrates(FINITE_ERROR),
        infinite_error_evidence(),
        condition="p ≥ 1; a function of D with values in [0, ∞]",
    )


def _independent(p: Distribution, q: Distribution) -> Distribution:
    return {(a, b): p[a] * q[b] for a in p for b in q}


@claim(
    "haney2017/thm-2.1",
    where="Section 2, Theorem 2.1",
    says="Releasing M1(D) and M2(D), ε1- and ε2-private, is (ε1+ε2)-private.",
)
def privacy_losses_add_up() -> Verdict:
    """Algorithms have coins of their own, so at outputs (a, b) the joint probabilities (or densities) are
    products: p1·p2 ≤ e^ε1·q1·e^ε2·q2. Summing (integrating) over an event gives the theorem. It is tight:
    two coins 1/3 and 2/3 with loss ln 2 each have a joint loss of ln 4.
    """
    p1, q1, p2, q2, c1, c2 = z3.Reals("p1 q1 p2 q2 c1 c2")
    low, high = _coin(Fraction(1, 3)), _coin(Fraction(2, 3))
    joint = likelihood_ratio_bound(_independent(low, low), _independent(high, high))
    return holds(
        solver.for_all(
            [p1 >= 0, q1 >= 0, p2 >= 0, q2 >= 0, c1 >= 1, c2 >= 1, p1 <= c1 * q1, p2 <= c2 * q2],
            p1 * p2 <= (c1 * c2) * (q1 * q2),
            "p1 ≤ c1·q1 and p2 ≤ c2·q2 give p1·p2 ≤ c1·c2·q1·q2",
        ),
        exact.compare(Fraction(joint), "==", 4, "two coins with c = 2 each: joint c"),
        value="ε1 + ε2",
        condition="an algorithm has coins of its own (if not: haney2017/thm-2.1-shared-coins)",
    )


Told = tuple[int, int, int, int]
"""What an answer tells for x = 0 and Z = 0, 1, and then for x = 1."""


def _with_shared_coin(answers: tuple[Told, ...], x: int) -> Distribution:
    law: dict[Hashable, Fraction] = {}
    for z in (0, 1):
        told = tuple(answer[2 * x + z] for answer in answers)
        law[told] = law.get(told, Fraction(0)) + Fraction(1, 2)
    return law


def _adds_up(case: tuple[Told, Told]) -> bool:
    """If each answer alone is 0-private between x = 0 and 1, so are both together."""

    def private(*answers: Told) -> bool:
        first, second = (_with_shared_coin(answers, x) for x in (0, 1))
        return is_indistinguishable(first, second, 1)

    return not (private(case[0]) and private(case[1])) or private(*case)


SHARED_COINS = Every(
    "pair of answers on a bit x and one fair coin Z",
    cases=lambda: product(product((0, 1), repeat=4), repeat=2),
    holds=_adds_up,
)
"""Theorem 2.1 with ε1 = ε2 = 0 for answers that share a coin."""


@claim(
    "haney2017/thm-2.1-shared-coins",
    states=SHARED_COINS,
    where="Section 2, Theorem 2.1",
    says="Theorem 2.1 also covers mechanisms that share their randomness.",
)
def shared_coins_break_composition() -> Verdict:
    """M1 outputs x + Z mod 2 with a fair coin Z, M2 outputs Z: each alone is uniform whatever x is, so
    both are 0-private. Together they tell x exactly.
    """
    half = Fraction(1, 2)

    def first(x: int) -> Distribution:
        return {(x + z) % 2: half for z in (0, 1)}

    def both(x: int) -> Distribution:
        return {((x + z) % 2, z): half for z in (0, 1)}

    joint = likelihood_ratio_bound(both(0), both(1))
    return fails(
        exact.refuted(SHARED_COINS, case=((0, 1, 1, 0), (0, 1, 0, 1))),
        exact.compare(
            Fraction(likelihood_ratio_bound(first(0), first(1))), "==", 1, "c of M1 alone"
        ),
        exact.compare(
            hockey_stick(both(0), both(1), 10**6), "==", 1, "divergence of both, c = 10⁶"
        ),
        exact.compare(int(math.isinf(joint)), "==", 1, "the joint loss is infinite"),
        counterexample="x = 0 or 1, Z a fair coin: (x + Z mod 2, Z) has disjoint supports",
        condition="independent coins",
    )


L1_ERROR = TotalError(
    Moment(
        Real("λ", above=0),
        law=lambda c, scale: laplace.Laplace(c.number(0), scale, c),
        of=lambda c, x: c.absolute(x),
        closed=lambda c, scale: laplace.absolute_moment(1, scale),
        breaks=[lambda c, scale: c.number(0)],
    )
)
"""E‖η‖₁ = d·λ."""


@claim(
    "haney2017/sec2-laplace-l1",
    where="Section 2, Definitions 2.4 and 2.5",
    says="The expected L1 error of the Laplace mechanism on d counts is d·λ.",
    states=L1_ERROR,
)
def laplace_error_is_the_scale() -> Verdict:
    """E|η| = λ for each of d coordinates, integrated from the density, and the L1 norm adds them up. At
    ε = 1 and Δ = 1 that is d.
    """
    return holds(added_up(L1_ERROR, symbolic.integrates(L1_ERROR.one)), value="d·λ")
