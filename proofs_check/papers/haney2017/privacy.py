"""Section 2, Definition 2.2: differential privacy, and what its δ must not be."""

from collections import Counter
from fractions import Fraction
from itertools import product

from establish import AtMost, Below, Integer, Real, claim, exact, exhaustive, solver
from establish.proofs_check.engine.conventions import by_convention
from establish.proofs_check.engine.verdicts import Verdict, holds, ill_posed
from establish.proofs_check.papers.haney2017.approximate import ONE_RECORD
from establish.spec.indistinguishability import Distribution, is_indistinguishable


def coin(heads: Fraction) -> Distribution:
    return {"yes": heads, "no": 1 - heads}


@claim(
    "haney2017/def-2.2",
    where="Section 2, Definition 2.2",
    says="M is (ε, δ)-differentially private when P(M(D)∈S) ≤ e^ε·P(M(D')∈S) + δ for tables with "
    "|(D∖D')∪(D'∖D)| = 1.",
    origin="implied",
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

    half, quarter, most = coin(Fraction(1, 2)), coin(Fraction(1, 4)), coin(Fraction(3, 4))
    return holds(
        exhaustive.for_all(
            pairs,
            as_worded,
            "|(D∖D')∪(D'∖D)| = 1 exactly if one table has one record more, in either order",
            "tables with up to three copies of each of two records",
        ),
        exact.compare(int(is_indistinguishable(half, quarter, 2)), "==", 1, "1/2 against 1/4"),
        exact.compare(int(is_indistinguishable(most, quarter, 2)), "==", 0, "3/4 against 1/4"),
        condition=by_convention("rows", "haney2017"),
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
    origin="implied",
    where="Section 2, after Definition 2.2",
    says="An algorithm that releases more than a constant number of exact records satisfies the definition "
    "when δ = Ω(1/n).",
    states=MORE_AT_ONE_OVER_N,
    meant=(MORE_BEYOND, ONE_RECORD),
    tight=(ONE_RECORD, NO_MORE_THAN_DELTA),
)
def constant_number_of_records_at_one_over_n() -> Verdict:
    """On average, no: a private mechanism publishes a record, which it does not know without it, with
    probability at most e^ε·0 + δ, so at most δn records in all. At δ = c/n that is the constant c, which
    publishing each record with probability δ attains; more than every constant takes δ = ω(1/n). Not on
    average, yes: publishing the whole table with probability δ is (0, δ)-private at every δ, and then n
    records are out.
    """
    return ill_posed(
        exact.refuted(MORE_AT_ONE_OVER_N, c=3, records=3, n=100),
        *map(solver.proves, (MORE_BEYOND, ONE_RECORD, NO_MORE_THAN_DELTA)),
        counterexample="δ = 3/n, which is Ω(1/n): at most three records on average, for every n",
        condition="δ = ω(1/n) for the number on average; any δ > 0 for a number that is n with probability δ",
        value="δ·n records on average",
    )
