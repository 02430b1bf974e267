"""Section 7, Case 3: least squares with estimated variances that depend on the answers."""

from fractions import Fraction

import sympy
import z3

from establish import Evidence, Integer, Outcome, Real, Verdict, claim, exact, holds, misprint
from establish.proofs_check.engine.methods import solver, symbolic
from establish.proofs_check.engine.rules import by_transform, term_by_term, transforms
from establish.proofs_check.engine.statements import AddUp, Below, Comparison, Equal, EverySum, Moment
from establish.proofs_check.engine.statements.moments import Expectation
from establish.proofs_check.papers.webb2025.gamma import (
    INVERSE_LAW,
    N,
    inverse_gamma_mean,
    inverse_gamma_variance,
)
from establish.proofs_check.papers.webb2025.least_squares import SOLVED, guess, solves
from establish.spec.arithmetic import Number, World
from establish.spec.distributions.gamma import Gamma, InverseGamma

X, C = sympy.symbols("X c", positive=True)

SHAPE, RATE = 2 + X / C, X + X**2 / C
"""The inverse Gamma law of Case 3."""


PARAMETERS = Real("n", least=1), Real("X", above=0), Real("c", above=0)


def _mean_of_guess(w: World, n: Number, x: Number, c: Number) -> Number:
    """n·β/(nα − 1) for Σ1/a_j ~ Gamma(nα, β), α = 2 + X/c, β = X + X²/c."""
    return n * (x + x * x / c) / (n * (2 + x / c) - 1)


def _fraction(w: World, n: Number, x: Number, c: Number) -> Number:
    """As printed."""
    return (n * (2 + x / c) - n) / (n * (2 + x / c) - 1)


MEAN_AS_PRINTED = Equal(*PARAMETERS, left=_mean_of_guess, right=_fraction)
MEAN_AS_MEANT = Equal(*PARAMETERS, left=_mean_of_guess, right=lambda w, n, x, c: x * _fraction(w, n, x, c))
DOWNWARD = Below(*PARAMETERS, left=_mean_of_guess, right=lambda w, n, x, c: x)
DOWNWARD_OF_SEVERAL = Below(
    Real("n", above=1), *PARAMETERS[1:], left=_mean_of_guess, right=lambda w, n, x, c: x
)
RELATIVE_BIAS = Equal(
    *PARAMETERS,
    left=lambda w, n, x, c: 1 - _mean_of_guess(w, n, x, c) / x,
    right=lambda w, n, x, c: (n - 1) / (n * (2 + x / c) - 1),
)
V_AS_PRINTED = Equal(*PARAMETERS[1:], left=lambda w, x, c: x / c, right=lambda w, x, c: c * x)
"""a/c has the mean X/c; the variance is cX."""


CASE_3 = tuple(
    Moment(
        *PARAMETERS[1:],
        law=lambda w, x, c: InverseGamma(2 + x / c, x + x * x / c, w),
        of=of,
        closed=closed,
        low=lambda w, *_: w.number(0),
        depends=True,
    )
    for of, closed in (
        (lambda w, x, c, a: a, lambda w, x, c: x),
        (lambda w, x, c, a: (a - x) * (a - x), lambda w, x, c: c * x),
    )
)
"""The mean, and the variance."""


@claim(
    "webb2025/case-3-mom",
    where="Section 7, Case 3",
    says="a ~ IG(2+X/c, X+X²/c) has mean X and variance cX.",
    states=CASE_3,
)
def answers_with_variance_in_proportion() -> Verdict:
    """β/(α−1) = X(1+X/c)/(1+X/c) = X, and X²/(α−2) = X²·c/X = cX."""
    return holds(
        *map(symbolic.integrates, CASE_3),
        symbolic.identity(inverse_gamma_mean(SHAPE, RATE), X, "E a"),
        symbolic.identity(inverse_gamma_variance(SHAPE, RATE), C * X, "Var a"),
    )


@claim(
    "webb2025/case-3-v",
    where="Section 7, Case 3",
    says="As Var(a_i) = cX, the variance estimate is v_i = a_i/c.",
    states=V_AS_PRINTED,
)
def variance_estimate_is_c_times_the_answer() -> Verdict:
    """E(a/c) = X/c, but the variance is cX: the estimate is c·a. At c = 2, X = 1 printed is ½ for 2. The
    guess n/Σ(1/a_j) is the same for both, since a common factor of the v_i cancels.
    """
    mean = inverse_gamma_mean(SHAPE, RATE)
    first, second, factor = sympy.symbols("a1 a2 k", positive=True)
    return misprint(
        symbolic.identity(C * mean, inverse_gamma_variance(SHAPE, RATE), "E(c·a) is the variance"),
        exact.refuted(V_AS_PRINTED, X=1, c=2),
        symbolic.identity(
            guess((factor * first, factor * second), (first, second)),
            2 / (1 / first + 1 / second),
            "the guess for v_i = k·a_i, any k",
        ),
        reading="v_i = c·a_i",
        reading_is=Outcome.HOLDS,
        counterexample="c = 2, X = 1: Var a = 2, E(a/c) = 1/2",
        value="c·a_i",
    )


_FACTOR_AND_ANSWER = Real("k", above=0), Real("a", above=0)

WEIGHTED = tuple(
    EverySum(Equal(*_FACTOR_AND_ANSWER, left=left, right=right), shared=("k",))
    for left, right in (
        (lambda w, k, a: a / (k * a), lambda w, k, a: 1 / k),
        (lambda w, k, a: 1 / (k * a), lambda w, k, a: 1 / k * (1 / a)),
    )
)
"""Σ a_j/v_j and Σ 1/v_j for v_j = k·a_j: n/k, and Σ(1/a_j)/k."""

HARMONIC = Equal(
    Integer("n", least=1),
    Real("k", above=0),
    Real("Σ(1/a)", above=0),
    left=lambda w, n, k, total: (n / k) / (total / k),
    right=lambda w, n, k, total: n / total,
)
"""Their quotient, Equation 1, is the harmonic mean, whatever k is."""


@claim(
    "webb2025/case-3-guess",
    where="Section 7, Case 3",
    says="Equation 1 with v_i in proportion to a_i gives the guess n/Σ(1/a_j).",
    states=(*SOLVED, *WEIGHTED, HARMONIC),
)
def guess_is_the_harmonic_mean() -> Verdict:
    """Each answer counts as 1/k in the numerator, and as 1/(k·a_j) in the denominator."""
    return holds(
        *solves(),
        *(term_by_term(sums, symbolic.proves(sums.term)) for sums in WEIGHTED),
        symbolic.proves(HARMONIC),
    )


GAMMA_SUMS = AddUp(Real("α", above=0), Real("β", above=0), law=lambda w, shape, rate: Gamma(shape, rate, w))


def _transform(w: World, shape: Number, rate: Number, s: Number) -> Number:
    """E e^(−sg)."""
    return w.power(rate / (rate + s), shape)


def gammas_add_up() -> Evidence:
    """Evidence for GAMMA_SUMS."""
    of_one, of_n = transforms(GAMMA_SUMS, _transform)
    assert isinstance(of_one, Expectation)
    assert isinstance(of_n, Comparison)
    return by_transform(GAMMA_SUMS, _transform, symbolic.integrates(of_one), symbolic.proves(of_n))


@claim(
    "webb2025/case-3-sum",
    where="Section 7, Case 3, facts (1) and (2)",
    says="If v ~ IG(α, β), then 1/v ~ Gamma(α, β); the sum of n independent Gamma(α, β) variables is a "
    "Gamma(nα, β) variable.",
    states=(INVERSE_LAW, GAMMA_SUMS),
)
def gamma_variables_add_their_shapes() -> Verdict:
    """E e^(−tg) = (β/(β + t))^α, integrated from the density; the n-th power of it has nα for α. The Laplace
    transform determines the law.
    """
    return holds(symbolic.proves(INVERSE_LAW), gammas_add_up())


OF_THE_SUM = Moment(
    Real("nα", above=1),
    Real("β", above=0),
    law=lambda w, shape, rate: Gamma(shape, rate, w),
    of=lambda w, total: 1 / total,
    closed=lambda w, shape, rate: rate / (shape - 1),
    low=lambda w, shape, rate: w.number(0),
)
"""The mean of 1/Σ(1/a_j), whose sum is a Gamma(nα, β) variable: n times it is the mean of the guess."""


@claim(
    "webb2025/case-3-mean",
    where="Section 7, Case 3",
    says="The expected value of the guess is (n(2+X/c) − n)/(n(2+X/c) − 1), which is slightly less than X: "
    "the guess has a downward bias.",
    states=(OF_THE_SUM, MEAN_AS_PRINTED, DOWNWARD),
    meant=(OF_THE_SUM, MEAN_AS_MEANT, DOWNWARD_OF_SEVERAL),
    tight=(MEAN_AS_MEANT, RELATIVE_BIAS),
)
def expected_guess_has_the_factor_x_and_is_below_it() -> Verdict:
    """Σ1/a_j ~ Gamma(n(2+X/c), X+X²/c), and E 1/g = β/(α−1): E guess = n·X(1+X/c)/(n(2+X/c) − 1), which is X
    times the printed fraction. At n = 1 the guess is a_1, with mean X; printed is 1. The relative bias is
    (n−1)/(n(2+X/c) − 1): 0 for n = 1, positive for n ≥ 2, and below c/X. It is slight for X much greater than
    c only: it rises to (n−1)/(2n−1) as X/c → 0, one third for n = 2 and towards one half for many answers.
    """
    relative = (N - 1) / (N * SHAPE - 1)
    n, ratio = z3.Reals("n ratio")
    bias = (n - 1) / (n * (2 + ratio) - 1)
    return misprint(
        symbolic.integrates(OF_THE_SUM),
        exact.refuted(MEAN_AS_PRINTED, n=1, X=2, c=1),
        exact.refuted(DOWNWARD, n=1, X=1, c=1),
        symbolic.proves(MEAN_AS_MEANT),
        solver.proves(DOWNWARD_OF_SEVERAL),
        symbolic.proves(RELATIVE_BIAS),
        solver.for_all(
            [n >= 2, ratio > 0],
            z3.And(bias > 0, bias < Fraction(1, 2), bias * ratio < 1),
            "for n ≥ 2 the relative bias is positive, below 1/2 and below c/X",
        ),
        symbolic.identity(
            sympy.limit(relative.subs(N, 2), X, 0), sympy.Rational(1, 3), "for n = 2, X/c → 0, it is"
        ),
        reading="X times the printed fraction, for n ≥ 2; slight when X is much greater than c",
        reading_is=Outcome.HOLDS,
        counterexample="n = 1, X = 2: the guess is a_1 with mean 2, printed is 1",
        value="X·(n(2 + X/c) − n)/(n(2 + X/c) − 1)",
    )
