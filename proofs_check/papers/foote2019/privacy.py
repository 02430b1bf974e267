"""Section 2, Definitions 2.1 and 2.2: count queries and differential privacy."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from establish.proofs_check.engine.methods import exact, exhaustive
from establish.proofs_check.engine.register import claim
from establish.proofs_check.engine.statements import Every
from establish.proofs_check.engine.verdicts import Verdict, holds, ill_posed
from establish.spec.earnings.neighbors import Earnings, PresenceOfOne
from establish.spec.indistinguishability import Distribution, events, likelihood_ratio_bound

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
    "event", lambda: events(HALVES, THIRDS), lambda event: sum(THIRDS[output] for output in event) != 0
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
            Fraction(likelihood_ratio_bound(p, q)), "==", Fraction(3, 2), "e^ε of a mechanism, D to D'"
        ),
        exact.compare(
            Fraction(likelihood_ratio_bound(q, p)), "==", Fraction(3, 2), "e^ε of the same, D' to D"
        ),
        condition="Pr[M(D) ∈ S] ≤ e^ε·Pr[M(D') ∈ S], and rows counted with multiplicity",
        counterexample="S = ∅: 0/0; D = {r}, D' = {r, r}: both set differences are empty",
    )
