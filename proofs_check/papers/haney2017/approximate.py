"""Section 9: (α, ε, δ)-ER-EE privacy, its group privacy and its failure probability."""

from collections.abc import Hashable, Iterator
from fractions import Fraction
from itertools import combinations, pairwise, product

import z3

from establish import AtMost, Below, Every, Integer, Rational, Real, exact, exhaustive, solver, symbolic
from establish.proofs_check.engine.conventions import by_convention
from establish.proofs_check.engine.register import claim
from establish.proofs_check.engine.rules import along_chain, links_of_chain
from establish.proofs_check.engine.statements import ChainOfNeighbors, Chains, given
from establish.proofs_check.engine.statements.chains import steepest
from establish.proofs_check.engine.statements.statement import Formula
from establish.proofs_check.engine.verdicts import (
    Evidence,
    Verdict,
    aside,
    fails,
    holds,
    holds_loosely,
    ill_posed,
)
from establish.spec.arithmetic import Number, World
from establish.spec.indistinguishability import (
    Distribution,
    hockey_stick,
    holds_on_every_event,
    is_indistinguishable,
)

C = Fraction(2)
"""e^ε in the examples of this section."""

DELTA = Fraction(1, 16)
"""δ in the examples of this section."""


def _coin(heads: Fraction) -> Distribution:
    return {"yes": heads, "no": 1 - heads}


def _coins() -> list[tuple[Distribution, Distribution, Fraction]]:
    """Pairs of coins with probabilities in quarters, and δ in {0, 1/8}."""
    coins = [{"yes": Fraction(k, 4), "no": Fraction(4 - k, 4)} for k in range(5)]
    return [(p, q, delta) for p in coins for q in coins for delta in (Fraction(0), Fraction(1, 8))]


def _by_divergence(case: tuple[Distribution, Distribution, Fraction]) -> bool:
    """The printed inequality at e^ε = 2 on every event, for a pair and for the pair exchanged, says that both
    hockey-stick divergences are at most δ.
    """
    p, q, delta = case
    return holds_on_every_event(p, q, 2, delta) == is_indistinguishable(p, q, 2, delta)


BOTH_ORDERS = Every("pair of laws, with δ", cases=_coins, holds=_by_divergence)
"""Definition 9.1 is asked of a pair in both orders, and is the hockey-stick divergence at e^ε."""


@claim(
    "haney2017/def-9.1",
    where="Section 9, Definition 9.1",
    says="M is (α, ε, δ)-ER-EE private when P(M(D) ∈ S) ≤ e^ε·P(M(D') ∈ S) + δ for strong α-neighbors.",
    states=BOTH_ORDERS,
    origin="implied",
)
def approximate_privacy_is_asked_in_both_orders() -> Verdict:
    """Definition 7.1 prints neighbors with E ⊆ E', but a pair is a pair of neighbors in either order:
    with both, the definition is the hockey-stick divergence at e^ε, at most δ, both ways. In one order
    only, a mechanism that reports 'has workers' with probability 1/2, and only when there are workers,
    would meet it at e^ε = 2, δ = 0, although its answer proves that a worker exists.
    """
    none, some = _coin(Fraction(0)), _coin(Fraction(1, 2))
    return holds(
        exhaustive.each(BOTH_ORDERS, "pairs of coins with probabilities in quarters, e^ε = 2, δ in {0, 1/8}"),
        aside(exact.compare(hockey_stick(none, some, C), "==", 0, "0 against 1 worker, in one order")),
        aside(exact.compare(hockey_stick(some, none, C), ">", 0, "in the other")),
        condition=by_convention("both orders", "haney2017"),
    )


def _release(records: tuple[str, ...], delta: Fraction) -> Distribution:
    """Each record, a letter, is released exactly with probability δ, independently."""
    law: dict[Hashable, Fraction] = {}
    for size in range(len(records) + 1):
        for shown in combinations(records, size):
            law["".join(shown)] = delta**size * (1 - delta) ** (len(records) - size)
    return law


ONE_RECORD = AtMost(
    *(Real(f"P({shown} ∈ S)", least=0, most=1) for shown in ("nothing", "records of D", "records of D'")),
    Real("δ", least=0, most=1),
    left=lambda c, same, here, there, delta: (1 - delta) * same + delta * here,
    right=lambda c, same, here, there, delta: (1 - delta) * same + delta * there + delta,
)
"""All records, or the one that differs, are shown with probability δ, and else what both datasets have: no
event differs by more than δ. It is symmetric in D and D'."""

RECORDS_OF_WORKERS = AtMost(
    Integer("n", least=2),
    Rational("δ", above=lambda c, n: 1 / n, below=1),
    Integer("k", least=1, most=lambda c, n, delta: n),
    left=lambda c, n, delta, k: 1 - c.power(c.number(1 - delta), k),
    right=lambda c, n, delta, k: c.number(delta),
)
"""At α = 1, where k ≤ n workers may join n: that one of them is shown, which is impossible without
them, has a probability of at most δ when each record is released with probability δ > 1/n.
"""


def _joined() -> Iterator[tuple[int, int, Fraction]]:
    """n workers of one establishment, k ≤ n more as α = 1 allows, and δ > 1/n."""
    for n in (2, 3):
        yield from product((n,), range(1, n + 1), (Fraction(2, 3), Fraction(3, 4)))


def _keeps_the_definition(case: tuple[int, int, Fraction]) -> bool:
    """Releasing each worker's record with probability δ is within e^ε = 2 and δ of the same with k more."""
    n, k, delta = case
    before, after = (_release(tuple("abcdef"[:size]), delta) for size in (n, n + k))
    return is_indistinguishable(before, after, C, delta)


RELEASED = Every("n, k and δ", cases=_joined, holds=_keeps_the_definition)


@claim(
    "haney2017/def-9.1-release",
    origin="implied",
    where="Section 9, after Definition 9.1",
    says="For δ > 1/n, a mechanism that releases a δ fraction of the records exactly satisfies the "
    "definition.",
    states=(RECORDS_OF_WORKERS, RELEASED),
    meant=ONE_RECORD,
)
def releasing_records_fails_for_groups_of_workers() -> Verdict:
    """The paper has two kinds of records. Definition 7.1's are the establishments', and neighbors differ in
    one: releasing each with probability δ changes the output with probability δ only, so it is true.
    Those of WorkerFull (Section 3) are the workers', and strong α-neighbors differ in up to αx of them:
    their outputs differ with probability 1 − (1−δ)^k > δ, so it is false. As 1/n < δ < 1, the least
    example has n = 2 workers.
    """
    delta = Fraction(2, 3)
    without, one = _release(("a", "b"), delta), _release(("a", "b", "c"), delta)
    two = _release(("a", "b", "c", "d"), delta)
    new = 1 - (1 - delta) ** 2
    return ill_posed(
        exact.refuted(RECORDS_OF_WORKERS, n=2, δ="2/3", k=2),
        exact.refuted(RELEASED, case=(2, 2, delta)),
        solver.proves(ONE_RECORD),
        exact.compare(hockey_stick(one, without, C), "<=", delta, "one record more: divergence"),
        exact.compare(hockey_stick(two, without, C), ">", delta, "two workers more: divergence"),
        aside(
            exact.compare(hockey_stick(two, without, Fraction(10**6)), "==", new, "it tends to 1 − (1−δ)²")
        ),
        counterexample="α = 1, δ = 2/3, workers {a, b} and {a, b, c, d}: P(c or d is shown) = 8/9 > "
        "e^ε·0 + 2/3",
        condition="a record is an establishment's (or α·x < 2)",
        value="1 − (1−δ)^k for k records",
    )


GUARANTEE = AtMost(
    Real("e^ε", above=1),
    Real("δ", least=0, below=1),
    Real("q", least=0, most=1),
    Real("p", above=lambda c, level, delta, q: level * q, most=1),
    left=lambda c, level, delta, q, p: p,
    right=lambda c, level, delta, q, p: delta,
    given=[
        given(lambda c, level, delta, q, p: p, "<=", lambda c, level, delta, q, p: level * q + delta),
        given(
            lambda c, level, delta, q, p: 1 - q, "<=", lambda c, level, delta, q, p: level * (1 - p) + delta
        ),
    ],
)
"""Of two coins as the definition allows them, 'yes' breaks the bound e^ε with a probability of at most
δ.
"""


@claim(
    "haney2017/def-9.1-no-guarantee",
    where="Section 9, after Definition 9.1",
    says="δ is the probability that a mechanism gives no privacy guarantee.",
    states=GUARANTEE,
)
def delta_is_not_only_a_failure_probability() -> Verdict:
    """If an event of probability δ is all that is excepted, (ε, δ) follows. The converse fails: at
    e^ε = 2, δ = 1/4, the coins 1/4 and 3/4 satisfy the definition, but P('yes') exceeds 2·Q('yes') on an
    event of probability 3/4, so the outputs at which the guarantee e^ε is broken have probability 3/4,
    not 1/4.
    """
    delta = Fraction(1, 4)
    p, q = _coin(Fraction(3, 4)), _coin(Fraction(1, 4))
    return fails(
        exact.refuted(GUARANTEE, **{"e^ε": C, "δ": delta, "q": "1/4", "p": "3/4"}),
        exact.compare(hockey_stick(p, q, C), "<=", delta, "divergence of coin 3/4 from coin 1/4"),
        exact.compare(hockey_stick(q, p, C), "<=", delta, "divergence of coin 1/4 from coin 3/4"),
        counterexample="e^ε = 2, δ = 1/4, P('yes') = 3/4, Q('yes') = 1/4: 3/4 ≤ 2/4 + 1/4, yet 3/4 > 2/4 "
        "happens with probability 3/4",
        condition="true as a sufficient condition: a guarantee that fails with probability δ gives (ε, δ)",
    )


def _along(slack: Formula) -> ChainOfNeighbors:
    """What is left along a chain of d neighbors at the level e^(dε)."""
    return Chains(
        "datasets that are α-neighbors", level=lambda c, level, delta, d: c.power(level, d), slack=slack
    )


def _summed_slack(c: World, level: Number, delta: Number, d: Number) -> Number:
    return delta * (c.power(level, d) - 1) / (level - 1)


SLACK = _along(_summed_slack)
"""Equation 13 with the sum of a geometric series."""

AT_LEAST_OF_ORDER = AtMost(
    Real("c", above=1),
    Real("δ", least=0, below=1),
    Real("c^(d−1)", least=1),
    left=lambda c, level, delta, power: delta * power,
    right=lambda c, level, delta, power: delta * (level * power - 1) / (level - 1),
)
"""The sum is at least the printed term."""


GROWS = Below(
    Real("δ", above=0),
    Real("ε", above=0),
    Real("d", least=1),
    left=lambda c, delta, epsilon, d: delta * c.exp((d - 1) * epsilon),
    right=lambda c, delta, epsilon, d: delta * c.exp(d * epsilon),
)
"""The printed term at distance d against d + 1."""


STEP_ATTAINED = AtMost(
    Real("c", above=1),
    Real("δ", least=0, below=1),
    Real("p", least=0, most=lambda c, level, delta: (1 - delta) / (1 + level)),
    left=lambda c, level, delta, p: 1 - p,
    right=lambda c, level, delta, p: level * (1 - (level * p + delta)) + delta,
)
"""From an event of probability p ≤ (1−δ)/(1+c) a neighbor may have c·p + δ: the complement allows it.
So the sum is attained from p = 0 on while it is that small.
"""


@claim(
    "haney2017/eq-13",
    where="Section 9, equation 13",
    says="At distance d, P(M(D) ∈ S) ≤ e^(dε)·P(M(D') ∈ S) + a term of order at least δ·e^((d−1)ε), which "
    "increases rapidly with d.",
    states=(SLACK, AT_LEAST_OF_ORDER, GROWS),
    tight=(SLACK, STEP_ATTAINED),
)
def group_privacy_with_delta() -> Verdict:
    """Chaining d steps gives δ·(1 + e^ε + … + e^((d−1)ε)) = δ·(e^(dε)−1)/(e^ε−1), attained by a coin along
    a chain. Its last summand is the printed term, so that Ω is right: no term of a lower order will do.
    (That δ 'decays with distance', as the text announces, is a slip for 'grows'.)
    """
    return holds(
        along_chain(SLACK, *map(symbolic.proves, links_of_chain(SLACK))),
        solver.proves(AT_LEAST_OF_ORDER),
        solver.proves(GROWS),
        solver.proves(STEP_ATTAINED),
        value="δ·(e^(dε) − 1)/(e^ε − 1)",
    )


def _chain_is_private(chain: list[Fraction]) -> Evidence:
    pairs = list(pairwise(chain))
    bad = [(p, q) for p, q in pairs if not is_indistinguishable(_coin(p), _coin(q), C, DELTA)]
    return exact.compare(len(bad), "==", 0, f"steps of the chain {[str(p) for p in chain]} that break it")


ALLOWED = AtMost(
    Real("c", least=1),
    Real("δ", above=0, below=1),
    left=1,
    right=lambda c, level, delta: level * (1 - delta) + delta,
)
"""An output with probability δ at D, and 0 at all other datasets, is allowed: of the others' complement
too.
"""

GROUPS = Chains("datasets that are α-neighbors", level=lambda c, level, delta, d: c.power(level, d))
"""Without δ, at distance d."""

NEVER = Below(
    Real("c^d", least=1),
    Real("P", above=0, most=1),
    Real("P'", least=lambda c, level, p: p / level, most=1),
    left=0,
    right=lambda c, level, p, other: other,
)
"""With δ = 0, P ≤ e^(dε)·P' and an output that is possible at D is possible at D'."""


@claim(
    "haney2017/sec9-ruleout",
    origin="implied",
    where="Section 9",
    says="At a distance where δ·e^((d−1)ε) exceeds 1, an output may rule out D' without a doubt; this never "
    "happens with δ = 0.",
    states=(ALLOWED, GROUPS, NEVER),
    tight=ALLOWED,
)
def an_output_may_rule_out_a_neighbor_already() -> Verdict:
    """For every δ > 0 an output may rule out even a neighbor, with probability δ: no distance is needed.
    With δ = 0, P(M(D') ∈ S) ≥ e^(−dε)·P(M(D) ∈ S) > 0 at every finite distance d, so nothing is ruled
    out; at infinite distance (other public attributes) even a private mechanism may rule out D'.
    """
    never, rare = _coin(Fraction(0)), _coin(DELTA)
    return holds_loosely(
        solver.proves(ALLOWED),
        along_chain(GROUPS, *map(symbolic.proves, links_of_chain(GROUPS))),
        solver.proves(NEVER),
        exact.compare(hockey_stick(rare, never, C), "<=", DELTA, "coin δ against coin 0"),
        exact.compare(hockey_stick(never, rare, C), "<=", DELTA, "coin 0 against coin δ"),
        value="1",
        counterexample="distance 1, e^ε = 2, δ = 1/16: 'yes' has probability 1/16 under D and 0 under D'",
        condition="finite distance",
    )


def _highest(case: tuple[Fraction, Fraction, int]) -> Fraction:
    """The largest P(event) that d steps from 0 allow, by the event and by its complement."""
    c, delta, d = case
    p = Fraction(0)
    for _ in range(d):
        p = min(c * p + delta, 1 - (1 - p - delta) / c, Fraction(1))
    return p


CERTAIN = Every(
    "(e^ε, δ, d)",
    cases=lambda: product((Fraction(2), Fraction(3)), (Fraction(1, 16), Fraction(1, 4)), range(1, 9)),
    holds=lambda case: case[1] * case[0] ** (case[2] - 1) <= 1 or _highest(case) == 1,
)
"""Where the printed term exceeds 1, an event that is impossible at D' may be certain at D."""


@claim(
    "haney2017/sec9-ruleout-certain",
    where="Section 9",
    says="Once δ·e^((d−1)ε) exceeds 1, the mechanism may rule out D' with every output.",
    states=CERTAIN,
    origin="ours",
)
def the_bound_exceeds_one_too_early() -> Verdict:
    """The sentence needs one output that rules out D' (haney2017/sec9-ruleout). The bound treats the
    event alone; its complement is bounded too. Along the steepest chain at e^ε = 2, δ = 1/16, P(event)
    goes 0, 1/16, 3/16, 7/16, 3/4, 29/32, 63/64, 1: at d = 6 the printed term is 2, but P = 63/64;
    certainty needs d = 7.
    """
    coins = steepest(C, DELTA, Fraction(0), 7)
    p, q, c, rest = z3.Reals("p q c delta")
    most = solver.for_all(
        [c > 1, rest >= 0, q <= c * p + rest, 1 - p <= c * (1 - q) + rest],
        q <= 1 - (1 - p - rest) / c,
        "the complement bounds the next probability",
    )
    return fails(
        exact.refuted(CERTAIN, case=(C, DELTA, 6)),
        most,
        _chain_is_private(coins),
        exact.compare(DELTA * C**5, ">", 1, "the printed term at d = 6"),
        exact.compare(coins[6], "<", 1, "the largest possible P(event) at d = 6"),
        aside(exact.compare(coins[7], "==", 1, "at d = 7")),
        counterexample="e^ε = 2, δ = 1/16, d = 6: δ·e^(5ε) = 2 > 1, but P(event) ≤ 63/64",
        value="7",
    )


ON_AVERAGE = AtMost(
    Real("n", least=1),
    Real("δ", least=lambda c, n: 1 / n, most=1),
    left=1,
    right=lambda c, n, delta: n * delta,
)
"""Of n records, each released with probability δ ≥ 1/n, at least one is on average."""


@claim(
    "haney2017/sec9-exact-records",
    where="Section 9",
    says="Exact records may be released when δ = Ω(1/n).",
    states=(ONE_RECORD, ON_AVERAGE),
)
def exact_records_with_delta_one_over_n() -> Verdict:
    """Release each establishment's record with probability δ. Neighbors differ in one record, so the
    divergence at e^ε = 1 is δ; at δ = 1/n one exact record is released on average. Or release all records,
    of whatever kind, with probability δ and none otherwise: any two datasets have a divergence of at most
    δ, and n·δ exact records are released on average.
    """

    def within(n: int) -> bool:
        records = tuple("abcdefg"[:n])
        delta = Fraction(1, n)
        more, less = _release(records, delta), _release(records[1:], delta)
        return is_indistinguishable(more, less, Fraction(1), delta)

    law = _release(("a", "b", "c", "d", "e"), Fraction(1, 5))
    mean = sum((len(str(shown)) * p for shown, p in law.items()), Fraction(0))
    return holds(
        solver.proves(ONE_RECORD),
        solver.proves(ON_AVERAGE),
        aside(exhaustive.for_all(range(2, 6), within, "(0, 1/n)-private", "n from 2 to 5 records")),
        exact.compare(mean, "==", 1, "expected number of exact records at n = 5, δ = 1/5"),
    )
