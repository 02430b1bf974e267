"""Section 2, Definitions 2.1 and 2.2: count queries and differential privacy."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from establish import Every, Verdict, claim, exhaustive, holds
from establish.proofs_check.engine.conventions import by_convention
from establish.spec.earnings.neighbors import Earnings, PresenceOfOne
from establish.spec.indistinguishability import Distribution, events, likelihood_ratio_bound

DOLLARS = range(4)
"""What an individual may earn in the finite universes of this module."""


@claim(
    "foote2019/def-2.1",
    where="Section 2, Definition 2.1",
    says="A count query is the number of observations that satisfy an arbitrary predicate on the attributes.",
    origin="implied",
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


def _coins() -> Iterator[tuple[Distribution, Distribution, Fraction]]:
    """Pairs of coins with probabilities in quarters, and e^ε of 1, 3/2, 2 and 3."""
    coins = [{"yes": Fraction(k, 4), "no": Fraction(4 - k, 4)} for k in range(5)]
    yield from product(coins, coins, (Fraction(1), Fraction(3, 2), Fraction(2), Fraction(3)))


def _ratios_of_events(case: tuple[Distribution, Distribution, Fraction]) -> bool:
    """Where an event is possible its ratio, in both orders of the tables, is bounded by e^ε: then no loss is
    above ε.
    """
    p, q, level = case
    masses = [
        [sum((law[o] for o in event), Fraction(0)) for law in pair]
        for event in events(p, q)
        for pair in ((p, q), (q, p))
    ]
    bounded = all(above == 0 or (below > 0 and above / below <= level) for above, below in masses)
    return bounded == (likelihood_ratio_bound(p, q) <= level)


RATIOS = Every("pair of laws, with e^ε", cases=_coins, holds=_ratios_of_events)


@claim(
    "foote2019/def-2.2",
    where="Section 2, Definition 2.2",
    says="M is ε-differentially private when Pr[M(D) ∈ S]/Pr[M(D') ∈ S] ≤ e^ε for all S ⊂ range(M) and all "
    "tables with |(D∖D')∪(D'∖D)| = 1.",
    states=RATIOS,
    origin="implied",
)
def differential_privacy_bounds_ratios_of_events() -> Verdict:
    """The ratio is 0/0 for an event that is impossible under both, the empty event for one, and bounds
    nothing there. As sets {r} and {r, r} would not differ; two graduates with equal earnings are two
    rows.
    """
    return holds(
        exhaustive.each(RATIOS, "coins with probabilities in quarters, e^ε in {1, 3/2, 2, 3}"),
        condition=f"{by_convention('possible outcomes', 'foote2019')}; {by_convention('rows', 'foote2019')}",
    )
