"""Appendix A.3, Algorithm 6: the Dirichlet Divider."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import sympy

from establish import Verdict, claim, exact, exhaustive, holds, ill_posed, solver, symbolic
from establish.proofs_check.engine.rules import term_by_term
from establish.proofs_check.engine.statements import AtMost, Equal, Every, EverySum, Moment, Real
from establish.proofs_check.engine.statements.moments import Expectation
from establish.proofs_check.engine.statements.variables import Variable
from establish.proofs_check.papers.webb2025.data_dependent_variances import GAMMA_SUMS, gammas_add_up
from establish.proofs_check.papers.webb2025.gamma import gamma_moment
from establish.spec.arithmetic import Number
from establish.spec.distributions.gamma import InverseShare
from establish.spec.synthetic.divider import (
    concentration,
    covariance_share,
    divided,
    divided_as_published,
    mean_share,
    variance_share,
)
from establish.spec.synthetic.month_2 import nearest

F = Fraction
B, REST, OTHER = sympy.symbols("b rest other", positive=True)
UNIVERSE = "up to 4 parts with weights 0…2, totals 0…5, offsets 0, 1/3, 1/2, 9/10"


def _cases() -> Iterator[tuple[tuple[int, ...], int, Fraction]]:
    for size in range(1, 5):
        for weights in product(range(3), repeat=size):
            for total, offset in product(range(6), (F(0), F(1, 3), F(1, 2), F(9, 10))):
                yield weights, total, offset


def _expected(weights: tuple[int, ...], total: int) -> list[Fraction]:
    b = concentration([F(w) for w in weights])
    return [total * w / sum(b) for w in b]


def _part(total: Number, draws: Number, own: Number) -> Number:
    """The part of a component with the draw ``own``, of ``draws`` in all."""
    return divided_as_published([own, draws - own], total)[0]


ADDS_UP = EverySum(
    Equal(
        Real("A", least=0),
        Real("draws", above=0),
        Real("own", least=0, most=lambda c, total, draws: draws),
        left=lambda c, total, draws, own: _part(total, draws, own) * draws,
        right=lambda c, total, draws, own: total * own,
    ),
    shared=("A", "draws"),
)
"""Where all draws add up to ``draws`` both sides are A times that: the parts add up to A."""

PART_AND_REST = Equal(
    Real("own", least=0),
    Real("others", above=0),
    Real("A", least=0),
    left=lambda c, own, others, total: sum(divided_as_published([own, others], total)),
    right=lambda c, own, others, total: total,
)
"""A part and that of all other draws together are A."""

NOT_NEGATIVE = AtMost(*ADDS_UP.term.domain.variables, left=0, right=lambda c, *x: _part(*x))


@claim(
    "webb2025/alg-6-sum",
    where="Appendix A.3, Algorithm 6 and its caption",
    says="The total A is split into a_i ≥ 0 with A = Σa_i.",
    states=(ADDS_UP, PART_AND_REST, NOT_NEGATIVE),
)
def shares_add_up() -> Verdict:
    """p_i = g_i/Σg_j with g_i ≥ 0 whose sum is positive: the p_i are ≥ 0 and add up to 1."""
    return holds(
        term_by_term(ADDS_UP, solver.proves(ADDS_UP.term)),
        solver.proves(PART_AND_REST),
        solver.proves(NOT_NEGATIVE),
    )


def _divides(case: tuple[tuple[int, ...], int]) -> bool:
    """Whether a total can be divided among parts with these draws."""
    try:
        return sum(divided_as_published([F(g) for g in case[0]], F(case[1]))) == case[1]
    except ZeroDivisionError:
        return False


ANY_PARTS = Every(
    "case (draws, total)",
    lambda: ((draws, total) for draws in ((), (1,), (1, 2)) for total in range(3)),
    _divides,
)
ZERO_FOR_ZERO = Equal(
    Real("draws of the others", above=0),
    Real("A", least=0),
    left=lambda c, others, total: divided_as_published([F(0), others], total)[0],
    right=0,
)
"""A part without weight, whose draw is 0, gets nothing of any total."""


@claim(
    "webb2025/alg-6-domain",
    where="Appendix A.3, Algorithm 6, input and line 3",
    says="p ~ Dirichlet(b) for every b ≥ 0 that is not all 0, d ≥ 0 parts.",
    states=ANY_PARTS,
    meant=ZERO_FOR_ZERO,
    origin="implied",
)
def zero_components_and_no_components() -> Verdict:
    """The Dirichlet law asks for b_i > 0: its density has Γ(b_i) in the denominator. The limit b_i → 0 gives
    p_i = 0, mean and variance both: a NAICS-6 cell without month 3 employment gets none in month 1. With
    no component there is nothing to draw, and the test of line 1 is empty. All zeros become ones, and
    p is then uniform on the simplex.
    """
    mean = sympy.limit(mean_share(B, B + REST), B, 0, "+")
    variance = sympy.limit(variance_share(B, B + REST), B, 0, "+")
    return ill_posed(
        symbolic.identity(sympy.limit(1 / sympy.gamma(B), B, 0, "+"), sympy.S(0), "1/Γ(b) at b → 0"),
        symbolic.identity(mean, sympy.S(0), "the mean of p_i as b_i → 0"),
        symbolic.identity(variance, sympy.S(0), "the variance of p_i as b_i → 0"),
        exact.refuted(ANY_PARTS, case=((), 1)),
        solver.proves(ZERO_FOR_ZERO),
        condition="d ≥ 1, and p_i = 0 where b_i = 0 and another is not",
        counterexample="b = (0, 1): Dirichlet(0, 1) has no density",
    )


def _exact(case: tuple[tuple[int, ...], int, Fraction]) -> tuple[list[Fraction], int, Fraction]:
    return [F(w) for w in case[0]], case[1], case[2]


def _dirichlet_moment(powers: tuple[int, int]) -> sympy.Expr:
    """E p_1^i p_2^j from independent Gamma variables of shapes b, other and the rest.

    The shares are independent of the sum of the Gammas, so E Πp = E Πg / E(Σg)^(i+j).
    """
    one = sympy.S(1)
    top = gamma_moment(powers[0], B, one) * gamma_moment(powers[1], OTHER, one)
    return sympy.gammasimp(top / gamma_moment(sum(powers), B + OTHER + REST, one))


_TWO = tuple(Real(name, above=0) for name in ("b_i", "b_0 − b_i", "g_i", "g_0 − g_i", "A"))
"""A component's concentration, that of all others together, and their draws."""

PROPORTIONAL = Equal(
    *_TWO,
    left=lambda c, own, others, draw, rest, total: (
        divided_as_published([draw, rest], total)[0] * (own + others)
    ),
    right=lambda c, own, others, draw, rest, total: total * own,
)


def in_proportion(own: Variable, others: Variable) -> Expectation:
    """The mean share of a component with these concentrations, of its own and of all others together."""
    return Moment(
        own,
        others,
        law=lambda c, own, others: InverseShare(own, others, c),
        of=lambda c, x: 1 / (1 + x),
        closed=lambda c, own, others: mean_share(own, own + others),
        low=lambda c, own, others: c.number(0),
    )


PROPORTIONAL_ON_AVERAGE = in_proportion(*_TWO[:2])
"""The draws of a component and of the others, whose sum is a Gamma(b_0 − b_i) draw, are 1 to x: the component
has 1/(1 + x) of the total.
"""


@claim(
    "webb2025/alg-6-proportional",
    where="Appendix A.3, text on Algorithm 6",
    says="The d subtotals are proportional to the concentration parameter.",
    states=PROPORTIONAL,
    meant=(PROPORTIONAL_ON_AVERAGE, GAMMA_SUMS),
)
def proportional_on_average() -> Verdict:
    """On average: E a_i = A·b_i/b_0. Var p_i = b_i(b_0 − b_i)/(b_0²(b_0 + 1)) and Cov(p_i, p_j) =
    −b_i b_j/(b_0²(b_0 + 1)): the larger the concentration, the closer; with job counts as concentration a
    cell of 10,000 jobs is divided nearly in proportion, a cell of 10 is not. A draw is never exactly
    proportional but with probability 0.
    """
    total = B + OTHER + REST
    mean = _dirichlet_moment((1, 0))
    return ill_posed(
        symbolic.identity(mean, mean_share(B, total), "E p_i"),
        symbolic.identity(_dirichlet_moment((2, 0)) - mean**2, variance_share(B, total), "Var p_i"),
        symbolic.identity(
            _dirichlet_moment((1, 1)) - mean * _dirichlet_moment((0, 1)),
            covariance_share(B, OTHER, total),
            "Cov(p_i, p_j)",
        ),
        exact.refuted(PROPORTIONAL, **{"b_i": 1, "b_0 − b_i": 1, "g_i": 1, "g_0 − g_i": 2, "A": 3}),
        gammas_add_up(),
        symbolic.integrates(PROPORTIONAL_ON_AVERAGE),
        condition="proportional in expectation",
        counterexample="b = (1, 1), Gamma draws 1 and 2, A = 3: parts 1 and 2",
    )


def _whole(case: tuple[tuple[int, ...], int]) -> bool:
    """Whether the parts are whole."""
    weights = concentration([F(w) for w in case[0]])
    return all(a.denominator == 1 for a in divided_as_published(weights, F(case[1])))


def _repaired(case: tuple[tuple[int, ...], int, Fraction]) -> bool:
    """Whether cumulative rounding gives parts of at least 0, within 1 of the exact ones, with their sum."""
    found, meant = divided(*_exact(case)), _expected(*case[:2])
    close = all(a >= 0 and abs(a - x) < 1 for a, x in zip(found, meant, strict=True))
    return close and sum(found) == case[1]


WHOLE = Every("case (draws, total)", lambda: ((w, t) for w, t, _ in _cases()), _whole)
REPAIRED = Every("case (weights, total, offset)", _cases, _repaired)
UNBIASED = Every(
    "case (weights, total)",
    lambda: ((weights, total) for weights, total, offset in _cases() if not offset),
    lambda case: _unbiased(case),
)


@claim(
    "webb2025/alg-6-whole",
    where="Appendix A.3 and A.4, uses of Algorithm 6 for employment",
    says="The subtotals of an employment count are employment counts that add up to it.",
    states=WHOLE,
    meant=(REPAIRED, UNBIASED),
    origin="implied",
)
def parts_are_not_whole() -> Verdict:
    """a = pA is not whole: one job at p = (1/2, 1/2) is two halves. Rounded each on its own the parts no
    longer add up: halves down, 0 + 0; halves up, 1 + 1. Rounding the cumulative totals after adding one
    offset u in [0, 1) keeps the sum, stays within 1 of each pA and, with u uniform, hits it on average.
    """
    parts = divided_as_published([F(1), F(1)], F(1))
    return ill_posed(
        exact.refuted(WHOLE, case=((1, 1), 1)),
        exact.compare(sum(p.__floor__() for p in parts), "==", 0, "both parts rounded down"),
        exact.compare(sum(map(nearest, parts)), "==", 2, "both rounded to the nearest, halves up"),
        exhaustive.each(REPAIRED, UNIVERSE),
        exhaustive.each(UNBIASED, UNIVERSE),
        condition="a rounding that keeps the sum, such as that of the cumulative totals",
        counterexample="A = 1, p = (1/2, 1/2): 1/2 and 1/2; rounded each, 0 + 0 or 1 + 1",
    )


def _unbiased(case: tuple[tuple[int, ...], int]) -> bool:
    """The average over u, exactly: every cumulative total is a multiple of 1/n, so u acts by ⌊un⌋."""
    weights, total = case
    meant = _expected(weights, total)
    n = int(sum(concentration([F(w) for w in weights])))
    draws = [divided([F(w) for w in weights], total, F(k, n)) for k in range(n)]
    return [F(sum(column), n) for column in zip(*draws, strict=True)] == meant


Division = tuple[tuple[int, ...], int]
"""Weights and a total."""


def _lost(case: Division, *, rounded: bool = True) -> Fraction:
    """What is lost of the total, the parts being rounded down or not."""
    parts = divided_as_published(concentration([F(w) for w in case[0]]), F(case[1]))
    return case[1] - sum((F(a.__floor__()) if rounded else a for a in parts), F(0))


def _divisions() -> Iterator[Division]:
    return ((weights, total) for weights, total, offset in _cases() if not offset)


ROUNDED_DOWN = Every("case (weights, total)", _divisions, lambda case: _lost(case) == 0)
NOT_ROUNDED = Every("case (weights, total)", _divisions, lambda case: _lost(case, rounded=False) == 0)
UP_TO = Every("case (weights, total)", _divisions, lambda case: 0 <= _lost(case) <= len(case[0]) - 1)
REACHED = Every("number of parts", lambda: range(1, 5), lambda d: _lost(((1,) * d, d - 1)) == d - 1)


@claim(
    "webb2025/alg-6-rounded-down",
    where="Appendix A.3, text on Algorithm 6, with Appendix A.4, which speaks of rounding down",
    says="The subtotals, rounded down, sum to the total.",
    states=ROUNDED_DOWN,
    meant=NOT_ROUNDED,
    tight=(UP_TO, REACHED),
    origin="ours",
)
def rounding_down_loses_up_to_one_job_per_part() -> Verdict:
    """As real numbers they do. Rounded down, their fractional parts are lost, which add up to less than d and
    to a whole number: at most d − 1 jobs of a cell of d establishments, all of them when A = d − 1 and the
    draws are equal.
    """
    return ill_posed(
        exact.refuted(ROUNDED_DOWN, case=((1, 1), 1)),
        *(exhaustive.each(piece, UNIVERSE) for piece in (NOT_ROUNDED, UP_TO, REACHED)),
        condition="the subtotals are not rounded, or rounded together (alg-6-whole)",
        counterexample="A = 1, p = (1/2, 1/2): both parts become 0",
        value="up to d − 1 jobs of a cell of d establishments are lost",
    )
