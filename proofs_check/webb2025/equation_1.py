"""Section 7, Equation 1: when it has a solution, and what approximate variances do to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product

import sympy

from establish.proofs_check.methods import exact, symbolic
from establish.proofs_check.register import claim
from establish.proofs_check.verdicts import Evidence, Verdict, holds, ill_posed
from establish.spec.arithmetic import SYM
from establish.spec.least_squares import (
    covariance,
    estimate,
    estimator,
    group_by,
    objective,
    variance_of,
)

IDENTITY, TOTAL = group_by((0, 1)), group_by((0, 0))
"""The queries on two establishments of one group."""

HIERARCHY = (*IDENTITY, *TOTAL)
"""The smallest hierarchy."""

GIVEN = sympy.symbols("v1 v2 v3", positive=True)
"""The variances that Equation 1 is given."""

TRUE = sympy.symbols("t1 t2 t3", positive=True)
"""The variances of the answers."""

TWICE = ((1,), (1,))
"""One establishment that is asked for twice."""


@claim(
    "webb2025/eq-1-exists",
    where="Section 7, Equation 1",
    says="Equation 1 has the microdata that minimize it as its solution.",
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
    splits = [objective(TOTAL, (3,), (1,), cells) for cells in ((3, 0), (1, 2))]
    below = objective(TWICE, (0, 0), (-1, 2), cells[:1], SYM)
    return ill_posed(
        symbolic.identity(excess, squares, "what the objective exceeds its value at m by"),
        exact.compare(splits[0], "==", 0, "the objective at (3, 0), which is never below 0"),
        exact.compare(splits[1], "==", 0, "the objective at (1, 2)"),
        symbolic.identity(below, -(cells[0] ** 2) / 2, "variances −1 and 2, answers 0, at x1"),
        condition="variances positive, and queries that determine every establishment, such as the "
        "identity query",
        counterexample="only the total is answered, by 3: (3, 0) and (1, 2) both have objective 0",
    )


def _better_by_squares() -> Iterator[Evidence]:
    """Evidence that wrong weights add Σ t_k·(difference of weights)² to the variance of each cell."""
    wrong, right = estimator(HIERARCHY, GIVEN, SYM), estimator(HIERARCHY, TRUE, SYM)
    with_wrong, with_right = (covariance(HIERARCHY, used, TRUE, SYM) for used in (GIVEN, TRUE))
    for query, name in zip(HIERARCHY, ("first cell", "second cell", "total"), strict=True):
        difference = variance_of(query, with_wrong, SYM) - variance_of(query, with_right, SYM)
        weights = [
            sum(q * (wrong[cell][k] - right[cell][k]) for cell, q in enumerate(query))
            for k in range(len(HIERARCHY))
        ]
        squares = sum(t * w**2 for t, w in zip(TRUE, weights, strict=True))
        yield symbolic.identity(difference, squares, f"the variance that the {name} gains")


@claim(
    "webb2025/sec7-error-increases",
    where="Section 7, after Equation 1",
    says="If the v_i are approximations to the true variances, the error of queries computed from the "
    "microdata can increase.",
)
def wrong_variances_increase_the_error() -> Verdict:
    """With fixed v_i the estimate A·a has AQ = I, whatever they are. Let B belong to the true variances T:
    (A − B)TBᵀ = 0, since TBᵀ = Q(QᵀT⁻¹Q)⁻¹ and (A − B)Q = 0. So the covariance with A is that with B plus
    (A − B)T(A − B)ᵀ: never less (Gauss and Markov). One value answered twice with variance 1, but given
    1 and 3, has variance 5/8 for 1/2. With v_i that depend on the answers it can decrease: Table 11.
    """
    right, wrong = (covariance(TWICE, given, (1, 1))[0][0] for given in ((1, 1), (1, 3)))
    return holds(
        *_better_by_squares(),
        exact.compare(wrong, ">", right, "two answers of variance 1, given 1 and 3"),
        value="5/8 for 1/2",
    )


def _mean(outcomes: tuple[int, ...], guess: Callable[[int], Fraction]) -> Fraction:
    """The mean of Equation 1 for one value answered twice, each answer uniform on ``outcomes``."""
    draws = list(product(outcomes, repeat=2))
    guesses = [estimate(TWICE, pair, [guess(a) for a in pair])[0] for pair in draws]
    return Fraction(sum(guesses) / len(draws))


@claim(
    "webb2025/sec7-bias",
    where="Section 7, after Equation 1",
    says="If the approximations v_i depend on the data, this introduces bias.",
)
def data_dependent_variances_may_bias() -> Verdict:
    """Equation 1 has AQ = I for any v_i: fixed ones, or independent of the answers, add no bias. One value
    X = 2, answered twice by 1 or 3 with equal chance, has variance 1. With v = a/2, whose mean is 1, the
    guesses are 1, 3/2, 3/2, 3 with mean 7/4: biased. With v = 1 + (a − 2)², which depends on the answer
    through its distance from X alone, the mean stays 2, as it does at answers 0, 1, 3, 4.
    """
    wrong = estimator(HIERARCHY, GIVEN, SYM)
    reproduced = [
        symbolic.identity(
            sum(wrong[cell][k] * query[other] for k, query in enumerate(HIERARCHY)),
            sympy.Integer(cell == other),
            f"with any fixed variances, entry {cell + 1}, {other + 1} of AQ",
        )
        for cell in range(2)
        for other in range(2)
    ]
    in_proportion = _mean((1, 3), lambda a: Fraction(a, 2))
    even = _mean((0, 1, 3, 4), lambda a: Fraction(1 + (a - 2) ** 2))
    return ill_posed(
        *reproduced,
        exact.compare(in_proportion, "==", Fraction(7, 4), "the mean guess with v = a/2, X = 2"),
        exact.compare(even, "==", 2, "the mean guess with v = 1 + (a − 2)², X = 2"),
        condition="the weights are correlated with the errors of the answers, as for v in proportion to a",
        counterexample="answers 0, 1, 3, 4 with equal chance, X = 2, v = 1 + (a − 2)²: the mean guess is 2",
        value="7/4 for 2",
    )
