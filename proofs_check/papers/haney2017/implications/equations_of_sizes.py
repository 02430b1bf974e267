"""Appendix B: the displayed equations (16) to (25), of the proof for an establishment's size."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from math import comb, prod

from establish import AtMost, Equal, Every, Integer, Rational, Real, claim, computed, exact, solver, symbolic
from establish.proofs_check.engine.rules import term_by_term
from establish.proofs_check.engine.statements import EverySum
from establish.proofs_check.engine.verdicts import Verdict, aside, fails, holds, ill_posed
from establish.proofs_check.papers.haney2017.attacker import C
from establish.proofs_check.papers.haney2017.implications.theorems import SIZES, size_with_a_second_employer
from establish.proofs_check.papers.haney2017.neighbors.definitions import across
from establish.spec.arithmetic import Number, World
from establish.spec.relations.strong import Strong

ODDS = (Fraction(1), Fraction(1), Fraction(2))
"""The odds of being at e of three workers, in the examples of this module."""


def workforces(size: int) -> list[frozenset[int]]:
    """All sets of ``size`` of the workers of ODDS."""
    return [frozenset(s) for s in combinations(range(len(ODDS)), size)]


def given_size(workforce: frozenset[int]) -> Fraction:
    """Pr[e = E | |e| = |E|] for independent workers with ODDS: ∏ r_w over E, normalized."""
    total = sum((prod(ODDS[w] for w in other) for other in workforces(len(workforce))), Fraction(0))
    return Fraction(prod(ODDS[w] for w in workforce)) / total


def likelihood(workforce: frozenset[int]) -> Fraction:
    """Pr[ω | e = E] of an arbitrary mechanism."""
    return Fraction(1 + sum(w + 1 for w in workforce), 10)


TOTAL_PROBABILITY = EverySum(
    Equal(
        Real("Pr[|e| = x]", above=0, most=1),
        Real("Pr[e = E]", above=0, most=lambda c, size: size),
        Real("Pr[ω, e = E]", least=0, most=lambda c, size, prior: prior),
        left=lambda c, size, prior, joint: joint / size,
        right=lambda c, size, prior, joint: joint / prior * (prior / size),
    ),
    shared=["Pr[|e| = x]"],
)
"""Over the workforces E of x workers: Pr[ω | e = E] is Pr[ω, e = E]/Pr[e = E], and Pr[ω | |e| = x] is the sum
of Pr[ω, e = E] divided by Pr[|e| = x]. For any number of workers, any prior and any mechanism.
"""


@claim(
    "haney2017/eq-17-19",
    states=TOTAL_PROBABILITY,
    where="Appendix B, proof of Theorem 7.1, equations 17 to 19",
    says="Pr[ω | |e| = x] = Σ_E Pr[ω | e = E]·Pr[e = E | |e| = x].",
)
def total_probability_over_workforces() -> Verdict:
    """The workforces of size x partition the event |e| = x, and given e = E the size says nothing more:
    the law of total probability.
    """
    return holds(term_by_term(TOTAL_PROBABILITY, symbolic.proves(TOTAL_PROBABILITY.term)))


COUNTED_ONCE = EverySum(
    Equal(
        Integer("y", least=0),
        Integer("x", least=0, most=lambda c, y: y),
        Rational("Pr[ω | e = E']·Pr[e = E' | |e| = y]", least=0, most=1),
        left=lambda c, y, x, term: c.number(term) + 0 * y,
        right=computed(lambda c, y, x, term: c.number(comb(y, x) * term)),
    ),
    shared=["y", "x"],
)
"""Equation 20 for any number of workers, any prior and any law of ω: on its right the term of an E' of y
workers stands once for each of its C(y, x) subsets E of size x.
"""


def _sizes_of_both() -> Iterator[tuple[int, int]]:
    """Sizes x ≤ y of workforces of three workers."""
    yield from ((x, y) for y in range(len(ODDS) + 1) for x in range(y + 1))


def _sums_agree(sizes: tuple[int, int]) -> bool:
    x, y = sizes
    left = sum((likelihood(s) * given_size(s) for s in workforces(y)), Fraction(0))
    right = sum(
        (likelihood(s) * given_size(s) for e in workforces(x) for s in workforces(y) if e <= s), Fraction(0)
    )
    return left == right


SUMS_AGREE = Every("pair (x, y) of sizes", cases=_sizes_of_both, holds=_sums_agree)
"""Equation 20 for independent workers with ODDS and the likelihood above."""


OF_ALIKE = Equal(
    Integer("n", least=1),
    Integer("y", least=0, most=lambda c, n: n),
    Integer("x", least=0, most=lambda c, n, y: y),
    Rational("min Pr[ω | e = E']", above=0, most=1),
    left=computed(lambda c, n, y, x, least: comb(n, x) * least * Fraction(comb(n - x, y - x), comb(n, y))),
    right=computed(lambda c, n, y, x, least: comb(n, x) * least * Fraction(1, comb(n, x))),
)
"""Equation 22 for any number n of workers who are alike, all E having one minimum: of the C(n, y) workforces
of y workers C(n−x, y−x) include E.
"""


def _least(c: World, first: Number, second: Number) -> Number:
    return -c.maximum(-first, -second)


_ODDS = tuple(Real(name, above=0) for name in ("r_1", "r_2", "r_3"))
_TOLD = tuple(Real(f"Pr[ω | {pair}]", least=0, most=1) for pair in ("w1, w2", "w1, w3", "w2, w3"))

OF_THREE = Equal(
    *_ODDS,
    *_TOLD,
    left=lambda c, r_1, r_2, r_3, p_12, p_13, p_23: (
        (
            _least(c, p_12, p_13) * (r_1 * r_2 + r_1 * r_3)
            + _least(c, p_12, p_23) * (r_1 * r_2 + r_2 * r_3)
            + _least(c, p_13, p_23) * (r_1 * r_3 + r_2 * r_3)
        )
        / (r_1 * r_2 + r_1 * r_3 + r_2 * r_3)
    ),
    right=lambda c, r_1, r_2, r_3, p_12, p_13, p_23: (
        (_least(c, p_12, p_13) * r_1 + _least(c, p_12, p_23) * r_2 + _least(c, p_13, p_23) * r_3)
        / (r_1 + r_2 + r_3)
    ),
)
"""Equation 22, from 21, for three workers with any odds and any mechanism, x = 1 and y = 2."""


@claim(
    "haney2017/eq-20",
    where="Appendix B, proof of Theorem 7.1, equation 20",
    says="Σ_{E'} Pr[ω|e=E']·Pr[e=E'||e|=y] = Σ_{|E|=x} Σ_{E'⊃E} Pr[ω|e=E']·Pr[e=E'||e|=y].",
    states=(COUNTED_ONCE, SUMS_AGREE),
)
def supersets_are_counted_several_times() -> Verdict:
    """Each E' of size y contains C(y, x) sets E of size x and is counted that often on the right. The two
    sides are equal only for x = y or x = 0.
    """
    left = sum((likelihood(s) * given_size(s) for s in workforces(2)), Fraction(0))
    right = sum(
        (likelihood(s) * given_size(s) for e in workforces(1) for s in workforces(2) if e < s), Fraction(0)
    )
    return fails(
        exact.refuted(COUNTED_ONCE, y=2, x=1, terms=[(Fraction(1, 2),)]),
        exact.refuted(SUMS_AGREE, case=(1, 2)),
        exact.compare(right, "==", comb(2, 1) * left, "x = 1, y = 2: the right side"),
        counterexample="x = 1, y = 2, E' = {w1, w2} is counted for E = {w1} and for E = {w2}: the right "
        "side is twice the left",
        value="the right side is C(y, x) times the left",
    )


ABOVE_THE_LEAST = EverySum(
    AtMost(
        Real("least", least=0, most=1),
        Real("Pr[ω | e = E']", least=lambda c, least: least, most=1),
        Real("Pr[e = E']", least=0, most=1),
        left=lambda c, least, told, weight: least * weight,
        right=lambda c, least, told, weight: told * weight,
    ),
    shared=["least"],
)
"""min Pr[ω | e = E']·Σ Pr[e = E'] ≤ Σ Pr[ω | e = E']·Pr[e = E']."""


@claim(
    "haney2017/eq-21",
    states=ABOVE_THE_LEAST,
    where="Appendix B, proof of Theorem 7.1, equation 21",
    says="Σ_E Σ_{E'⊃E} Pr[ω|e=E']·Pr[e=E'||e|=y] ≥ Σ_E min_{E'⊃E} Pr[ω|e=E']·Σ_{E'⊃E} Pr[e=E'||e|=y], over "
    "E ⊂ U with |E| = x.",
)
def mean_is_at_least_the_minimum() -> Verdict:
    """A weighted sum of numbers is at least their minimum times the sum of the nonnegative weights."""
    return holds(term_by_term(ABOVE_THE_LEAST, solver.proves(ABOVE_THE_LEAST.term)))


@claim(
    "haney2017/eq-22",
    where="Appendix B, proof of Theorem 7.1, equation 22",
    says="Σ_E min_{E'⊃E} Pr[ω|e=E']·Σ_{E'⊃E} Pr[e=E'||e|=y] = Σ_E min_{E'⊃E} Pr[ω|e=E']·Pr[e=E||e|=x].",
    states=(OF_ALIKE, OF_THREE),
)
def inclusion_probability_is_not_the_smaller_law() -> Verdict:
    """The left side is the probability that a workforce of size y includes E; over all E it adds up to
    C(y, x), not 1. Divided by C(y, x) it still is another law, unless all workers are alike: with odds
    1, 1, 2, P(w1 in a pair)/2 = 3/10, and P(w1 alone) = 1/4. The theorem needs a coupling of the two laws
    instead (see haney2017/thm-7.1-req2/one-employer).
    """
    first = frozenset({0})
    inclusion = sum((given_size(s) for s in workforces(2) if first < s), Fraction(0))
    told = {variable.name: Fraction(1) for variable in _TOLD}
    return fails(
        exact.refuted(OF_ALIKE, n=2, y=2, x=1, **{"min Pr[ω | e = E']": 1}),
        exact.refuted(OF_THREE, r_1=1, r_2=1, r_3=2, **told),
        aside(exact.compare(inclusion / 2, "==", Fraction(3, 10), "P(w1 in a pair), divided by C(2, 1)")),
        aside(exact.compare(given_size(first), "==", Fraction(1, 4), "P(w1 alone)")),
        counterexample="odds 1, 1, 2, x = 1, y = 2, E = {w1}: 3/5 on the left, 1/4 on the right",
        value="Σ over E of the left side is C(y, x)",
    )


BY_THE_LARGEST_RATIO = EverySum(
    AtMost(
        Real("m", least=0),
        Real("b", above=0),
        Real("ratio", least=0, most=lambda c, m, b: m),
        left=lambda c, m, b, ratio: ratio * b,
        right=lambda c, m, b, ratio: m * b,
    ),
    shared=["m"],
)
"""Where every ratio a/b is at most m, Σ a ≤ m·Σ b, with a = ratio·b."""

RATIO_OF_TERMS = AtMost(
    Real("c", least=1),
    Real("min Pr[ω | E']", above=0),
    Real("Pr[ω | E]", least=0, most=lambda c, level, least: level * least),
    left=lambda c, level, least, own: own / least,
    right=lambda c, level, least, own: level,
)
"""Each ratio is at most e^ε where the E' of the minimum is a neighbor."""


RATIO_OF_ANY = across("E, the new worker at f", "E, the new worker absent", "E'")
"""The same for any E' ⊃ E: a new worker may be at another employer given E, and is two steps away then."""


@claim(
    "haney2017/eq-23-25",
    states=(BY_THE_LARGEST_RATIO, RATIO_OF_ANY),
    meant=(BY_THE_LARGEST_RATIO, RATIO_OF_TERMS),
    where="Appendix B, proof of Theorem 7.1, equations 23 to 25",
    says="A ratio of sums is at most the largest ratio of terms, max_E Pr[ω|E]/min_{E'⊃E} Pr[ω|E'] ≤ e^ε.",
)
def ratio_of_sums_is_bounded_by_the_terms() -> Verdict:
    """Σa_i ≤ Σ(max_j a_j/b_j)·b_i. The last step is the definition of privacy when every E' ⊃ E that is
    meant is a neighbor of E: |E'| = y ≤ (1+α)x and the new workers come from outside the data. A worker
    who is at e in E' may be at another employer given e = E, and then is two steps away.
    """
    return ill_posed(
        exact.refuted(
            RATIO_OF_ANY,
            **{
                "e^ε": C,
                "P(E, the new worker at f)": "1/2",
                "P(E, the new worker absent)": "1/4",
                "P(E')": "1/8",
            },
        ),
        term_by_term(BY_THE_LARGEST_RATIO, solver.proves(BY_THE_LARGEST_RATIO.term)),
        solver.proves(RATIO_OF_TERMS),
        condition="E' ⊃ E of size y, with new workers who were not employed elsewhere",
        counterexample="α = 1, w1 at e, w2 at e or f: E = {w1}, E' = {w1, w2}; P('yes') = 1/2 with w2 at f, "
        "1/4 with w2 absent, 1/8 with w2 at e: a ratio of 4 > e^ε = 2",
    )


@claim(
    "haney2017/eq-16",
    origin="implied",
    where="Appendix B, proof of Theorem 7.1, equation 16",
    says="Pr[ω | |e| = x]/Pr[ω | |e| = y] ≤ e^ε for x ≤ y ≤ (1+α)x, which is to be shown.",
    states=SIZES,
)
def sizes_of_workers_who_may_move_are_two_steps_apart() -> Verdict:
    """It is the size requirement, and fails with haney2017/thm-7.1-req2/general: w2 at e or f is two
    steps from the other place. (The proof bounds the ratio with the smaller size on top; the other order
    is alike.)
    """
    return fails(
        *size_with_a_second_employer(Strong, SIZES),
        counterexample="α = 1, w1 at e, w2 at e or f, 1/2 each: |e| = 2 and |e| = 1 have the factor e^(2ε)",
        condition="true with one employer",
    )
