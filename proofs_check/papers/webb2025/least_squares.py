"""Section 7, Equation 1 and Case 1: weighted least squares, variances known or given wrongly."""

from collections.abc import Sequence
from itertools import product

import sympy

from establish import Evidence, Verdict, claim, exact, holds, ill_posed, solver, symbolic
from establish.proofs_check.engine.rules import term_by_term
from establish.proofs_check.engine.statements import AtMost, Equal, Every, EverySum, Real
from establish.spec.arithmetic import SYM, Number, World
from establish.spec.least_squares import covariance, estimate, group_by, objective

SIGMA = sympy.Symbol("sigma", positive=True)


def guess(variances: Sequence[sympy.Expr], answers: Sequence[sympy.Expr]) -> sympy.Expr:
    """Equation 1 for one establishment that is asked for once with each variance."""
    return estimate([(1,)] * len(answers), answers, variances, SYM)[0]


SQUARES = EverySum(
    Equal(
        Real("m"),
        Real("v", above=0),
        Real("a"),
        left=lambda c, m, v, a: c.power(m - a, 2) / v,
        right=lambda c, m, v, a: m * m * (1 / v) - 2 * m * (a / v) + a * a / v,
    ),
    shared=["m"],
)
"""Σ(m − a_i)²/v_i = m²·Σ1/v_i − 2m·Σa_i/v_i + Σa_i²/v_i, whatever their number."""


def _objective(c: World, weights: Number, m: Number, weighted: Number, squares: Number) -> Number:
    return m * m * weights - 2 * m * weighted + squares


LEAST = AtMost(
    Real("Σ1/v", above=0),
    Real("m"),
    Real("Σa/v"),
    Real("Σa²/v"),
    left=lambda c, weights, m, weighted, squares: _objective(
        c, weights, weighted / weights, weighted, squares
    ),
    right=_objective,
)
SOLVED = SQUARES, LEAST
"""Equation 1 for one value: the objective is least at the weighted mean, for all answers and variances."""


def solves() -> tuple[Evidence, ...]:
    """Evidence for SOLVED."""
    return term_by_term(SQUARES, symbolic.proves(SQUARES.term)), solver.proves(LEAST)


MEAN_OF_EQUAL = Equal(
    Real("n", least=1),
    Real("σ²", above=0),
    Real("Σa"),
    left=lambda c, n, variance, total: (total / variance) / (n / variance),
    right=lambda c, n, variance, total: total / n,
)
VARIANCE_OF_MEAN = Equal(
    Real("n", least=1),
    Real("σ²", above=0),
    left=lambda c, n, variance: n * (variance / (n * n)),
    right=lambda c, n, variance: variance / n,
)
"""For equal variances that is the mean; of n independent answers of variance σ² it has the variance σ²/n."""

_THREE = tuple(Real(f"a{i}") for i in (1, 2, 3))
AS_SPECIFIED = (
    Equal(
        Real("σ²", above=0),
        *_THREE,
        left=lambda c, variance, *a: estimate([(1,)] * 3, a, [variance] * 3, c)[0],
        right=lambda c, variance, *a: (a[0] + a[1] + a[2]) / 3,
    ),
    Equal(
        Real("σ²", above=0),
        left=lambda c, variance: covariance([(1,)] * 3, [variance] * 3, [variance] * 3, c)[0][0],
        right=lambda c, variance: variance / 3,
    ),
)
"""Equation 1, as it is specified, for three answers."""


@claim(
    "webb2025/case-1",
    where="Section 7, Case 1",
    says="With known equal variances σ², Equation 1 gives the mean of the a_i, with variance σ²/n.",
    states=(*SOLVED, MEAN_OF_EQUAL, VARIANCE_OF_MEAN, *AS_SPECIFIED),
)
def known_variances_give_the_mean() -> Verdict:
    """Σ(m − a_i)²/v_i is Σ1/v_i times (m − Σ(a_i/v_i)/Σ(1/v_i))², plus what does not depend on m. The
    variance of a mean of n independent answers is nσ²/n². The specification is read for up to 4 answers.
    """
    answers, mean = sympy.symbols("a1:5", real=True), []
    for n in range(1, 5):
        given = [SIGMA**2] * n
        solved = guess(given, answers[:n])
        mean.append(symbolic.identity(solved, sum(answers[:n]) / n, f"Equation 1, n = {n}"))
        variance = covariance([(1,)] * n, given, given, SYM)[0][0]
        mean.append(symbolic.identity(variance, SIGMA**2 / n, f"its variance, n = {n}"))
    return holds(
        *solves(),
        symbolic.proves(MEAN_OF_EQUAL),
        solver.proves(VARIANCE_OF_MEAN),
        *map(symbolic.proves, AS_SPECIFIED),
    )


IDENTITY, TOTAL = group_by((0, 1)), group_by((0, 0))
"""The queries on two establishments of one group."""

HIERARCHY = (*IDENTITY, *TOTAL)
"""The smallest hierarchy."""

GIVEN = sympy.symbols("v1 v2 v3", positive=True)
"""The variances that Equation 1 is given."""

TWICE = ((1,), (1,))
"""One establishment that is asked for twice."""


ONE_MINIMUM = Every(
    "pair of cells",
    lambda: product(product(range(4), repeat=2), repeat=2),
    lambda pair: (
        pair[0] == pair[1]
        or objective(TOTAL, (3,), (1,), pair[0]) != objective(TOTAL, (3,), (1,), pair[1])
        or objective(TOTAL, (3,), (1,), pair[0]) > 0
    ),
)
"""No two microdata sets are both least, when only the total of two establishments is answered, by 3."""


@claim(
    "webb2025/eq-1-exists",
    where="Section 7, Equation 1",
    says="Equation 1 has one solution, whatever queries are answered and with whatever variances.",
    states=ONE_MINIMUM,
    origin="implied",
)
def equation_1_needs_rank_and_positive_variances() -> Verdict:
    """With N = QᵀV⁻¹Q and m the solution of the normal equations, the objective at x is that at m plus
    (x − m)ᵀN(x − m). For positive variances and queries of full rank N is positive definite, so m is the one
    minimum; the identity query alone has full rank. From the total of two establishments alone every split
    is a minimum. A negative variance estimate, which Theorem 6.6 allows for √, makes the objective unbounded
    below: answers 0 and 0 for one value with variances −1 and 2 give −x²/2.
    """
    answers = sympy.symbols("a1 a2 a3", real=True)
    cells = sympy.symbols("x1 x2", real=True)
    solved = estimate(HIERARCHY, answers, GIVEN, SYM)
    excess = objective(HIERARCHY, answers, GIVEN, cells, SYM) - objective(
        HIERARCHY, answers, GIVEN, solved, SYM
    )
    moved = tuple(x - m for x, m in zip(cells, solved, strict=True))
    squares = objective(HIERARCHY, (0, 0, 0), GIVEN, moved, SYM)
    below = objective(TWICE, (0, 0), (-1, 2), cells[:1], SYM)
    return ill_posed(
        symbolic.identity(excess, squares, "what the objective exceeds its value at m by"),
        exact.refuted(ONE_MINIMUM, case=((3, 0), (1, 2))),
        symbolic.identity(below, -(cells[0] ** 2) / 2, "variances −1 and 2, answers 0, at x1"),
        condition="variances positive, and queries that determine every establishment, such as the "
        "identity query",
        counterexample="only the total is answered, by 3: (3, 0) and (1, 2) both have objective 0",
    )
