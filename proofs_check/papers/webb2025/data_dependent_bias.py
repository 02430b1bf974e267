"""Section 7, after Equation 1: what approximate variances do to the error and the bias of the guess."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import product

import sympy

from establish import Evidence, Verdict, claim, exact, exhaustive, holds, ill_posed, solver, symbolic
from establish.proofs_check.engine.statements import Compares, Equal, Every
from establish.proofs_check.papers.webb2025.data_dependent_variances import DOWNWARD_OF_SEVERAL, OF_THE_SUM
from establish.proofs_check.papers.webb2025.least_squares import GIVEN, HIERARCHY, TWICE
from establish.spec.arithmetic import SYM
from establish.spec.least_squares import covariance, estimate, estimator, variance_of

TRUE = sympy.symbols("t1 t2 t3", positive=True)
"""The variances of the answers."""


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


INCREASES = Compares(
    left=lambda c: covariance(TWICE, (1, 3), (1, 1))[0][0],
    relation=">",
    right=lambda c: covariance(TWICE, (1, 1), (1, 1))[0][0],
)
"""One value answered twice with variance 1: given 1 and 3 it has more variance than given 1 and 1."""
FIVE_EIGHTHS = Equal(left=lambda c: covariance(TWICE, (1, 3), (1, 1))[0][0], right=Fraction(5, 8))


@claim(
    "webb2025/sec7-error-increases",
    where="Section 7, after Equation 1",
    says="If the v_i are approximations to the true variances, the error of queries computed from the "
    "microdata can increase, and a downward bias can arise.",
    states=(INCREASES, OF_THE_SUM, DOWNWARD_OF_SEVERAL),
    tight=FIVE_EIGHTHS,
)
def wrong_variances_increase_the_error() -> Verdict:
    """With fixed v_i the estimate A·a has AQ = I, whatever they are. Let B belong to the true variances T:
    (A − B)TBᵀ = 0, since TBᵀ = Q(QᵀT⁻¹Q)⁻¹ and (A − B)Q = 0. So the covariance with A is that with B plus
    (A − B)T(A − B)ᵀ: never less (Gauss and Markov). One value answered twice with variance 1, but given
    1 and 3, has variance 5/8 for 1/2. With v_i that depend on the answers it can decrease: Table 11. Two or
    more inverse Gamma answers have a guess n/Σ(1/a_j) whose mean is below X at every X and c (case-3-mean).
    """
    return holds(
        *_better_by_squares(),
        exact.decided(INCREASES),
        exact.decided(FIVE_EIGHTHS),
        symbolic.integrates(OF_THE_SUM),
        solver.proves(DOWNWARD_OF_SEVERAL),
        value="5/8 for 1/2",
    )


Outcomes = tuple[int, ...]


GUESSES: Mapping[str, Callable[[int], Fraction]] = {
    "a/2": lambda answer: Fraction(answer, 2),
    "1 + (a − 2)²": lambda answer: Fraction(1 + (answer - 2) ** 2),
}
"""Variances that are given to an answer a, by what they are called."""


def _mean_guess(case: tuple[Outcomes, str]) -> Fraction:
    """The mean of Equation 1 for one value answered twice, each answer uniform on the outcomes."""
    outcomes, guess = case[0], GUESSES[case[1]]
    draws = list(product(outcomes, repeat=2))
    guesses = [estimate(TWICE, pair, [guess(a) for a in pair])[0] for pair in draws]
    return Fraction(sum(guesses) / len(draws))


BIASED = Every(
    "case (equally likely answers with mean 2, variance given to an answer a)",
    lambda: (((1, 3), "a/2"), ((0, 1, 3, 4), "1 + (a − 2)²")),
    lambda case: _mean_guess(case) != 2,
)
BIASED_IN_PROPORTION = Every(
    "answers with mean 2", lambda: ((1, 3),), lambda case: _mean_guess((case, "a/2")) != 2
)
VALUE = Equal(left=lambda c: _mean_guess(((1, 3), "a/2")), right=Fraction(7, 4))


@claim(
    "webb2025/sec7-bias",
    where="Section 7, after Equation 1",
    says="If the approximations v_i depend on the data, this introduces bias.",
    states=BIASED,
    meant=(BIASED_IN_PROPORTION, DOWNWARD_OF_SEVERAL),
    tight=VALUE,
)
def data_dependent_variances_may_bias() -> Verdict:
    """Equation 1 has AQ = I for any v_i: fixed ones, or independent of the answers, add no bias. One value
    X = 2, answered twice by 1 or 3 with equal chance, has variance 1. With v = a/2, whose mean is 1, the
    guesses are 1, 3/2, 3/2, 3 with mean 7/4: biased, as several inverse Gamma answers are at every X and c
    (case-3-mean). With v = 1 + (a − 2)², which depends on the answer through its distance from X alone, the
    mean stays 2, as it does at answers 0, 1, 3, 4.
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
    return ill_posed(
        *reproduced,
        exact.refuted(BIASED, case=((0, 1, 3, 4), "1 + (a − 2)²")),
        exhaustive.each(BIASED_IN_PROPORTION, "answers 1 and 3"),
        solver.proves(DOWNWARD_OF_SEVERAL),
        exact.decided(VALUE),
        condition="the weights are correlated with the errors of the answers, as for v in proportion to a",
        counterexample="answers 0, 1, 3, 4 with equal chance, X = 2, v = 1 + (a − 2)²: the mean guess is 2",
        value="7/4 for 2",
    )
