"""Section 2 and Appendix A: count queries, differential privacy, sensitivity, composition, noise."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import sympy
import z3

from establish.proofs_check.engine.methods import exact, exhaustive, solver, symbolic
from establish.proofs_check.engine.register import claim, repeats
from establish.proofs_check.engine.rules import PAIR, beside_the_others, in_one_part, settled
from establish.proofs_check.engine.statements import (
    AtMost,
    Equal,
    Every,
    Integer,
    OfParts,
    Rational,
    Real,
)
from establish.proofs_check.engine.statements.comparison import Comparison
from establish.proofs_check.engine.statements.statement import Formula
from establish.proofs_check.engine.verdicts import (
    Evidence,
    Verdict,
    aside,
    fails,
    holds,
    ill_posed,
)
from establish.proofs_check.papers.haney2017 import preliminaries as haney2017
from establish.spec.arithmetic import SYM
from establish.spec.distributions import geometric, laplace
from establish.spec.earnings.neighbors import Earnings, EarningsOfOne, PresenceOfOne
from establish.spec.indistinguishability import (
    Distribution,
    events,
    likelihood_ratio_bound,
)
from establish.spec.sensitivity import global_sensitivity, local_sensitivity

SETTLED_IN = haney2017
"""The module that registers what is repeated here; its import enters those claims first."""

DOLLARS = range(4)
"""What an individual may earn in the finite universes of this module."""


@claim(
    "foote2019/def-2.1",
    where="Section 2, Definition 2.1",
    says="A count query is the number of observations that satisfy an arbitrary predicate on the attributes.",
)
def count_query_is_defined_for_every_predicate() -> Verdict:
    """It is a sum over rows of 0 or 1, with multiplicity, so it is defined for every predicate and table, is
    0 on the empty table, and adds over predicates that exclude each other. The universe lists all 16
    predicates on four values.
    """
    tables = list(PresenceOfOne(DOLLARS, 0, 3).datasets())
    predicates = [frozenset(v for v in DOLLARS if k >> v & 1) for k in range(16)]

    def count(d: Earnings, predicate: frozenset[int]) -> int:
        return sum(value in predicate for value in d)

    def is_a_count(case: tuple[Earnings, frozenset[int]]) -> bool:
        d, phi = case
        rest = frozenset(DOLLARS) - phi
        by_value = sum(d.count(value) for value in phi)
        return count(d, phi) == by_value and count(d, phi) + count(d, rest) == len(d)

    return holds(
        exhaustive.for_all(
            product(tables, predicates),
            is_a_count,
            "the query counts rows with multiplicity, and it and its complement add up to the table",
            "up to 3 rows with one of 4 values, all 16 predicates",
        )
    )


HALVES: Distribution = {"yes": Fraction(1, 2), "no": Fraction(1, 2)}
THIRDS: Distribution = {"yes": Fraction(1, 3), "no": Fraction(2, 3)}
"""Two laws of an answer."""

RATIO_IS_DEFINED = Every(
    "event",
    lambda: events(HALVES, THIRDS),
    lambda event: sum(THIRDS[output] for output in event) != 0,
)
"""The denominator of the printed ratio, for two laws of which each gives both answers a chance."""


@claim(
    "foote2019/def-2.2",
    where="Section 2, Definition 2.2",
    says="M is ε-differentially private when Pr[M(D) ∈ S]/Pr[M(D') ∈ S] ≤ e^ε for all S ⊂ range(M) and all "
    "tables with |(D∖D')∪(D'∖D)| = 1.",
    states=RATIO_IS_DEFINED,
)
def differential_privacy_is_printed_as_a_ratio_on_sets() -> Verdict:
    """Two gaps. The ratio is 0/0 for an event of probability 0 under both, the empty event for one: read
    Pr[M(D) ∈ S] ≤ e^ε·Pr[M(D') ∈ S]. And set differences ignore multiplicity: two graduates with equal
    attributes and earnings are one element, so removing one of them changes nothing. Read so, the
    definition is symmetric and separates mechanisms.
    """
    p, q = HALVES, THIRDS
    as_sets = len({"r"} ^ {*["r", "r"]})
    return ill_posed(
        exact.refuted(RATIO_IS_DEFINED, case=frozenset()),
        exact.compare(as_sets, "==", 0, "|(D∖D')∪(D'∖D)| for D = {r}, D' = {r, r} as sets"),
        exact.compare(
            Fraction(likelihood_ratio_bound(p, q)),
            "==",
            Fraction(3, 2),
            "e^ε of a mechanism, D to D'",
        ),
        exact.compare(
            Fraction(likelihood_ratio_bound(q, p)), "==", Fraction(3, 2), "e^ε of the same, D' to D"
        ),
        condition="Pr[M(D) ∈ S] ≤ e^ε·Pr[M(D') ∈ S], and rows counted with multiplicity",
        counterexample="S = ∅: 0/0; D = {r}, D' = {r, r}: both set differences are empty",
    )


repeats(
    "foote2019/def-2.3",
    where="Section 2, Definition 2.3",
    says="The sensitivity is the maximum of ‖q(D) − q(D')‖₁ over neighboring tables; 1 for a count.",
    same_as="haney2017/def-2.3",
)


repeats(
    "foote2019/thm-2.1-shared-coins",
    where="Section 2, Theorem 2.1, which does not say that the coins are independent",
    says="The same for two algorithms that share their coins.",
    same_as="haney2017/thm-2.1-shared-coins",
)


def earning_less_than(limit: int) -> Callable[[Earnings], int]:
    """The count query of the rows that earn less than ``limit``."""
    return lambda d: sum(value < limit for value in d)


_REST, _OLD = Integer("rest", least=0), Integer("old", least=0, most=1)
_NEW = Integer("new", least=0, most=1)
"""What the other rows add to a count, and what one row adds to it before and after: 1 or 0."""

ROW_MORE = Equal(
    _REST,
    _NEW,
    left=lambda c, rest, new: c.absolute(rest + new - rest),
    right=lambda c, _, new: new,
)
"""A row more moves a count by 1 when it has the attributes, and by 0 when not."""

MORE_AT_MOST = AtMost(_REST, _NEW, left=lambda c, rest, new: c.absolute(rest + new - rest), right=1)
CHANGED_AT_MOST = AtMost(
    _REST,
    _OLD,
    _NEW,
    left=lambda c, rest, old, new: c.absolute(rest + new - (rest + old)),
    right=1,
)
MORE_REACHES = Equal(_REST, left=lambda c, rest: c.absolute(rest + 1 - rest), right=1)
"""A row that counts, more or instead of one that does not."""

COUNT_SENSITIVITY = (MORE_AT_MOST, CHANGED_AT_MOST, MORE_REACHES)
"""The sensitivity of a count is 1: at most that, for a row more and for a row changed, and reached."""


def count_sensitivity() -> tuple[Evidence, ...]:
    """Evidence for each of COUNT_SENSITIVITY."""
    return tuple(solver.proves(statement) for statement in COUNT_SENSITIVITY)


def _far(u: z3.ArithRef, v: z3.ArithRef) -> z3.ArithRef:
    return z3.If(u >= v, u - v, v - u)


@claim(
    "foote2019/sec2-count-sensitivity",
    where="Section 2, after Definition 2.3",
    says="For count queries the sensitivity is 1.",
    states=COUNT_SENSITIVITY,
    tight=COUNT_SENSITIVITY,
)
def counts_have_sensitivity_one() -> Verdict:
    """A row contributes 0 or 1. Under both neighbor relations the maximum is 1 as soon as the predicate can
    tell: for presence some possible row must satisfy it, for a changed row some must and some must not.
    Otherwise (a predicate that is never true) the sensitivity is 0.
    """
    presence, change = PresenceOfOne(DOLLARS, 0, 3), EarningsOfOne(DOLLARS, 3, 3)
    found = {
        (relation, limit): global_sensitivity(earning_less_than(limit), relation)
        for relation in (presence, change)
        for limit in (0, 2, 4)
    }
    return holds(
        *count_sensitivity(),
        exact.compare(found[presence, 2], "==", 1, "'earns less than 2', one row more or less"),
        exact.compare(found[change, 2], "==", 1, "'earns less than 2', one row changed"),
        aside(exact.compare(found[presence, 0], "==", 0, "a predicate that is never true")),
        aside(exact.compare(found[presence, 4], "==", 1, "one that is always true, presence")),
        aside(exact.compare(found[change, 4], "==", 0, "one that is always true, change")),
        value="1",
        condition="a predicate that some possible row satisfies (and, for a changed row, some does not)",
    )


ONE_CHANGE = Every(
    "table",
    lambda: PresenceOfOne(DOLLARS, 0, 3).datasets(),
    lambda d: (
        len({abs(_under_two(e) - _under_two(d)) for e in PresenceOfOne(DOLLARS, 0, 3).neighbors(d)})
        == 1
    ),
)
"""The right side of Definition 2.4 has one value at every table, for the count of those below 2."""


def _under_two(d: Earnings) -> int:
    return sum(value < 2 for value in d)


@claim(
    "foote2019/def-2.4",
    where="Section 2, Definition 2.4",
    says="The local sensitivity at D is LS_q = ‖q(D) − q(D')‖₁ for D' that differs from D by one element.",
    states=ONE_CHANGE,
)
def local_sensitivity_lacks_its_maximum() -> Verdict:
    """D' is not bound: the right side takes several values, and no number LS_q(D) is defined. For
    D = (2) and the query 'earns less than 2', one more row with 1 changes the count by 1, one with 2 does
    not. Read max over D'; then the global sensitivity is its maximum over D.
    """
    relation, query = PresenceOfOne(DOLLARS, 0, 3), earning_less_than(2)
    return ill_posed(
        exact.refuted(ONE_CHANGE, case=(2,)),
        exact.compare(
            local_sensitivity(query, relation, (2,)), "==", 1, "with the maximum over D'"
        ),
        exact.compare(
            max(local_sensitivity(query, relation, d) for d in relation.datasets()),
            "==",
            global_sensitivity(query, relation),
            "its maximum over D, and the global sensitivity",
        ),
        condition="the maximum over all neighbors D' of D",
        counterexample="D = (2), q = #(earnings < 2): D' = (1, 2) changes q by 1, D' = (2, 2) by 0",
    )


repeats(
    "foote2019/thm-2.1",
    where="Section 2, Theorem 2.1",
    says="Releasing M(D) and B(D), ε1- and ε2-private, is (ε1+ε2)-private.",
    same_as="haney2017/thm-2.1",
)


def presence_of(record: int, part: Earnings) -> Distribution:
    """Tells with loss exactly ln 2 whether ``record`` is in ``part``: ln 2-private for every relation."""
    truth, lie = Fraction(2, 3), Fraction(1, 3)
    return {"yes": truth, "no": lie} if record in part else {"yes": lie, "no": truth}


def together(first: Distribution, second: Distribution) -> Distribution:
    """Independent releases."""
    return {(a, b): first[a] * second[b] for a in first for b in second}


def equal_laws_cost_nothing() -> Evidence:
    """Releases on parts that do not change multiply both probabilities by the same number."""
    p, q, rest, c = z3.Reals("p q rest c")
    return solver.for_all(
        [rest >= 0, p >= 0, q >= 0, c >= 1, p <= c * q],
        p * rest <= c * (q * rest),
        "releases with equal laws multiply both sides",
    )


def _by_halves(d: Earnings) -> Distribution:
    """Whether 2 is among the lower half of the earnings, and among the others."""
    middle = len(d) // 2
    return together(presence_of(2, d[:middle]), presence_of(2, d[middle:]))


PARALLEL_BY_RANK = Every(
    "table",
    lambda: PresenceOfOne(DOLLARS, 0, 3).datasets(),
    lambda d: all(
        likelihood_ratio_bound(_by_halves(d), _by_halves(e)) <= 2
        for e in PresenceOfOne(DOLLARS, 0, 3).neighbors(d)
    ),
)
"""Theorem 2.2 for the lower half of the earnings and the others, each part released at e^ε = 2."""


BY_OWN_ATTRIBUTES = OfParts("edge", "workers", level=lambda c, level, delta: level)
"""Parts of the rows by their own attributes, one row more or less."""


def parts_compose() -> Evidence:
    """Evidence for BY_OWN_ATTRIBUTES."""
    return in_one_part(BY_OWN_ATTRIBUTES, settled(beside_the_others(BY_OWN_ATTRIBUTES)))


@claim(
    "foote2019/thm-2.2",
    where="Section 2, Theorem 2.2",
    says="If D is partitioned into disjoint subsets D_i and each B_i(D_i) is ε-private, so is B(D).",
    states=PARALLEL_BY_RANK,
    tight=BY_OWN_ATTRIBUTES,
    meant=BY_OWN_ATTRIBUTES,
)
def parallel_composition_needs_a_fixed_partition() -> Verdict:
    """When the part of a row depends on the row alone, one row more changes one D_i, and all other releases
    keep their laws: ε. A partition that depends on other rows may change everywhere. Put the lower half of
    the sorted earnings (rounded down) into D_1: with the row 1 more, 2 moves from D_1 to D_2, and two
    releases about 2 lose 2ε. As everywhere, algorithms have coins of their own (see the claim
    foote2019/thm-2.1-shared-coins).
    """
    relation = PresenceOfOne(DOLLARS, 0, 3)
    by_value = exhaustive.for_all(
        relation.datasets(),
        lambda d: all(
            sum(d.count(v) != e.count(v) for v in DOLLARS) == 1 for e in relation.neighbors(d)
        ),
        "partitioned by a row's own value, one row more or less changes one part",
        "up to 3 rows with one of 4 values",
    )
    return ill_posed(
        parts_compose(),
        exact.refuted(PARALLEL_BY_RANK, case=(2, 3)),
        exact.compare(
            Fraction(likelihood_ratio_bound(_by_halves((2, 3)), _by_halves((1, 2, 3)))),
            "==",
            4,
            "e^loss of both releases, each with e^ε = 2",
        ),
        equal_laws_cost_nothing(),
        aside(by_value),
        condition="the part of a row is a function of that row alone, and neighbors differ by one row's "
        "presence",
        counterexample="D = (2 | 3), D' = (1 | 2, 3), e^ε = 2: P(yes, no) is 4/9 against 1/9",
        value="ε",
    )


PARALLEL_WHEN_CHANGED = Every(
    "parts of a row before and after",
    lambda: product((0, 1), repeat=2),
    lambda case: likelihood_ratio_bound(_by_part(case[0]), _by_part(case[1])) <= 2,
)
"""Two parts, each released at e^ε = 2, when an attribute of their only row changes."""


def _by_part(part_of_row: int) -> Distribution:
    """Whether the only row, which earns 2, is in part 0, and in part 1."""
    parts: list[Earnings] = [(), ()]
    parts[part_of_row] = (2,)
    return together(presence_of(2, parts[0]), presence_of(2, parts[1]))


TWO_PARTS_ATTAINED = Equal(
    left=lambda c: c.number(Fraction(likelihood_ratio_bound(_by_part(0), _by_part(1)))), right=4
)
"""At e^ε = 2 the two parts together lose 2ε."""


@claim(
    "foote2019/thm-2.2-substitution",
    where="Section 2, Theorem 2.2 with the change of Section 3.2",
    says="Parallel composition also costs ε when an attribute of one individual changes.",
    states=PARALLEL_WHEN_CHANGED,
    tight=(PAIR, TWO_PARTS_ATTAINED),
)
def a_changed_row_changes_two_parts() -> Verdict:
    """The row leaves one part and enters another. Both releases change, and the losses add to 2ε; no more
    than two parts change.
    """
    relation = EarningsOfOne(DOLLARS, 2, 2)
    return fails(
        settled(PAIR),
        exact.decided(TWO_PARTS_ATTAINED),
        exact.refuted(PARALLEL_WHEN_CHANGED, case=(0, 1)),
        exact.compare(
            Fraction(likelihood_ratio_bound(_by_part(0), _by_part(1))),
            "==",
            4,
            "e^loss of both releases, each with e^ε = 2",
        ),
        aside(
            exhaustive.for_all(
                relation.datasets(),
                lambda d: all(
                    sum(d.count(v) != e.count(v) for v in DOLLARS) == 2
                    for e in relation.neighbors(d)
                ),
                "a changed row changes two of the parts",
                "2 rows with one of 4 values",
            )
        ),
        counterexample="the row moves from part 1 to part 2, e^ε = 2: P(yes, no) goes from 4/9 to 1/9",
        value="2ε",
    )


_RHO = Rational("ρ", above=0, below=1)

ANY_QUERY_IS_PRIVATE = AtMost(
    _RHO,
    Integer("output"),
    Integer("q"),
    Integer("q'"),
    left=lambda c, rho, x, q, _: geometric.mass(x - q, rho, c),
    right=lambda c, rho, x, _, other: geometric.mass(x - other, rho, c) / c.number(rho),
)
"""Definition 2.5 at ρ = 1 − p = e^(−ε): no sensitivity bounds how far the values of neighbors are apart."""


@claim(
    "foote2019/def-2.5-p",
    where="Section 2, Definition 2.5",
    says="q(D) + η with η the difference of two geometric variables with p = 1 − e^(−ε) is ε-private.",
    states=ANY_QUERY_IS_PRIVATE,
)
def geometric_mechanism_needs_sensitivity_one() -> Verdict:
    """The ratio of the masses at distances k and k + Δ is ρ^Δ with ρ = 1 − p, so the loss is Δ·ln(1/ρ): with
    p = 1 − e^(−ε) it is ε exactly when the integer-valued query has L1 sensitivity 1. The definition does
    not mention the sensitivity; twice a count loses 2ε, half a count has outputs that a neighbor cannot
    produce. In general p = 1 − e^(−ε/Δ).
    """
    epsilon, spread = sympy.symbols("epsilon Delta", positive=True)
    k = sympy.Symbol("k", integer=True, nonnegative=True)
    delta = sympy.Symbol("Delta", integer=True, positive=True)
    rho = sympy.Symbol("rho", positive=True)
    loss = sympy.log(geometric.mass(k, rho, SYM) / geometric.mass(k + delta, rho, SYM))
    x, a, b = z3.Reals("x a b")

    return ill_posed(
        solver.for_all([], _far(x, b) - _far(x, a) <= _far(a, b), "no output has a larger ratio"),
        symbolic.identity(
            sympy.expand_log(loss, force=True), -delta * sympy.log(rho), "the loss at distance Δ"
        ),
        symbolic.identity(
            -sympy.log(1 - (1 - sympy.exp(-epsilon))), epsilon, "at Δ = 1 and p = 1 − e^(−ε)"
        ),
        symbolic.identity(
            -spread * sympy.log(1 - (1 - sympy.exp(-epsilon / spread))),
            epsilon,
            "at p = 1 − e^(−ε/Δ)",
        ),
        exact.refuted(ANY_QUERY_IS_PRIVATE, **{"ρ": "1/2", "output": 0, "q": 0, "q'": 2}),
        condition="q takes integers and has L1 sensitivity 1",
        counterexample="q = 2·count, e^ε = 2: at output 0 the masses for counts 0 and 1 have the ratio 4",
        value="p = 1 − e^(−ε/Δ)",
    )


@claim(
    "foote2019/def-2.5-law",
    where="Section 2, Definition 2.5",
    says="Geo(X, p) − Geo(Y, p) is the two-sided geometric law.",
)
def difference_of_geometrics_is_two_sided() -> Verdict:
    """P(X − Y = k) = Σ_j p²·ρ^(j+k)·ρ^j = p²·ρ^k/(1 − ρ²) with ρ = 1 − p, which is (1−ρ)/(1+ρ)·ρ^k. Whether
    the variables start at 0 or at 1 cancels. The sum over j is geometric: its partial sums are
    (1 − ρ^(2n))/(1 − ρ²).
    """
    rho = sympy.Symbol("rho", positive=True)
    n, k = sympy.symbols("n k", integer=True, nonnegative=True)
    partial = (1 - rho ** (2 * n)) / (1 - rho**2)
    return holds(
        symbolic.identity(
            partial.subs(n, n + 1) - partial, rho ** (2 * n), "partial sums of Σ ρ^(2j), their step"
        ),
        symbolic.identity(partial.subs(n, 0), 0, "and their start"),
        symbolic.identity(
            (1 - rho) ** 2 * rho**k / (1 - rho**2),
            geometric.mass(k, rho, SYM),
            "p²·ρ^k·Σ ρ^(2j), the mass",
        ),
        value="(1−ρ)/(1+ρ)·ρ^|k| with ρ = 1 − p",
        condition="X and Y are independent",
    )


LAPLACE_IS_PRIVATE = AtMost(
    Real("ε", above=0),
    Real("q"),
    Real("q'", least=lambda c, _, q: q - 1, most=lambda c, _, q: q + 1),
    Real("output"),
    left=lambda c, epsilon, q, other, x: (
        laplace.log_density(x, q, 1 / epsilon, c) - laplace.log_density(x, other, 1 / epsilon, c)
    ),
    right=lambda c, epsilon, *_: epsilon,
)
"""Lap(1/ε) around two counts that are at most 1 apart: the log-ratio of the densities at every output."""


@claim(
    "foote2019/app-a",
    where="Appendix A, (A.1)",
    says="A count changes by 1 if the differing observation has the attributes and by 0 otherwise; adding "
    "Lap(1/ε) is ε-private.",
    states=(ROW_MORE, MORE_AT_MOST, LAPLACE_IS_PRIVATE),
    tight=MORE_REACHES,
)
def appendix_proves_the_sensitivity_of_a_count() -> Verdict:
    """For neighbors by presence the differing row is one row, which counts or does not. The Laplace law
    slid by 1 has loss 1/scale, which is ε at scale 1/ε.
    """
    relation = PresenceOfOne(DOLLARS, 0, 3)
    stated = (ROW_MORE, MORE_AT_MOST, LAPLACE_IS_PRIVATE, MORE_REACHES)
    return holds(
        *(solver.proves(statement) for statement in stated),
        aside(
            exhaustive.for_all(
                relation.datasets(),
                lambda d: all(
                    abs(sum(v < 2 for v in d) - sum(v < 2 for v in e)) == (_differing(d, e) < 2)
                    for e in relation.neighbors(d)
                ),
                "(A.1) for the predicate 'earns less than 2'",
                "up to 3 rows with one of 4 values",
            )
        ),
        value="1",
        condition="neighbors differ in the presence of one row",
    )


def _differing(d: Earnings, e: Earnings) -> int:
    """The row that only one of two neighbors by presence has, or has once more."""
    return next(v for v in DOLLARS if d.count(v) != e.count(v))


def _when_changed(counts: Formula) -> Comparison:
    return Equal(_OLD, _NEW, left=lambda c, old, new: c.absolute(new - old), right=counts)


CHANGE_READINGS = (
    _when_changed(lambda c, old, new: c.maximum(c.number(old), c.number(new))),
    _when_changed(lambda c, old, _: old),
    _when_changed(lambda c, _, new: new),
)
"""(A.1) for a changed row: it has the attributes before or after, before, or after."""

CHANGE_MEANT = _when_changed(lambda c, old, new: old * (1 - new) + new * (1 - old))
"""Exactly one of the two values has them."""


@claim(
    "foote2019/app-a-change",
    where="Appendix A, (A.1) with the change of Section 3.2",
    says="(A.1) also gives the change of a count when the earnings of one observation change.",
    states=CHANGE_READINGS,
    tight=CHANGE_MEANT,
)
def a_change_of_value_needs_both_values() -> Verdict:
    """A changed observation has attributes before and after. If both count, the count does not change,
    although 'the differing observation has the attributes', whether its old value is meant, its new one, or
    both. What is true: 1 when exactly one of them counts. (Nothing is misprinted: (A.1) is stated, and true,
    for a row that is there or not.)
    """
    relation = EarningsOfOne(DOLLARS, 1, 1)
    before, after = (0,), (1,)
    return fails(
        exact.compare(int(relation.related(before, after)), "==", 1, "earnings change from 0 to 1"),
        *(exact.refuted(reading, old=1, new=1) for reading in CHANGE_READINGS),
        exhaustive.proves(CHANGE_MEANT),
        counterexample="q = #(earnings < 2): from (0) to (1) it stays 1, though both have the attribute",
        value="1 if exactly one of the two values has the attributes",
    )
