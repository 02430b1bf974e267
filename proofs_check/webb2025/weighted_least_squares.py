"""Section 7, Cases 1 and 2: least squares with known and with estimated variances."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import sympy
import z3

from establish.proofs_check.methods import exact, solver, symbolic
from establish.proofs_check.register import claim
from establish.proofs_check.verdicts import (
    Outcome,
    Verdict,
    aside,
    holds,
    misprint,
)
from establish.spec.arithmetic import SYM
from establish.spec.least_squares import covariance, estimate

ALPHA, BETA, TAU, SIGMA = sympy.symbols("alpha beta tau sigma", positive=True)
N, G = sympy.symbols("n g", positive=True)


def guess(variances: Sequence[sympy.Expr], answers: Sequence[sympy.Expr]) -> sympy.Expr:
    """Equation 1 for one establishment that is asked for once with each variance."""
    return estimate([(1,)] * len(answers), answers, variances, SYM)[0]


def gamma_moment(power: int, shape: sympy.Expr, rate: sympy.Expr) -> sympy.Expr:
    """E g^power for g ~ Gamma(shape, rate), integrated from the density; shape + power > 0."""
    density = rate**shape * G ** (shape - 1) * sympy.exp(-rate * G) / sympy.gamma(shape)
    integral = sympy.integrate(sympy.powsimp(G**power * density), (G, 0, sympy.oo))
    return sympy.gammasimp(integral)


def inverse_gamma_mean(shape: sympy.Expr, rate: sympy.Expr) -> sympy.Expr:
    """E v for 1/v ~ Gamma(shape, rate)."""
    return sympy.simplify(gamma_moment(-1, shape, rate))


def inverse_gamma_variance(shape: sympy.Expr, rate: sympy.Expr) -> sympy.Expr:
    """Var v for 1/v ~ Gamma(shape, rate)."""
    square = inverse_gamma_mean(shape, rate) ** 2
    return sympy.simplify(gamma_moment(-2, shape, rate) - square)


def share_moment(power: int) -> sympy.Expr:
    """E w_1^power for w_1 = g_1/Σg_j, the g_j independent Gamma(α): from w·Σg = g and Σg ~ Gamma(nα).

    The share is independent of the sum, so E w^p = E g_1^p / E (Σg)^p.
    """
    return gamma_moment(power, ALPHA, BETA) / gamma_moment(power, N * ALPHA, BETA)


DIRICHLET_MEAN = ALPHA / N
"""As printed in Case 2."""

DIRICHLET_VARIANCE = (ALPHA / N) * (1 - ALPHA / N) / (1 + ALPHA / N)
"""As printed in Case 2."""


@claim(
    "webb2025/case-1",
    where="Section 7, Case 1",
    says="With known equal variances σ², Equation 1 gives the mean of the a_i, with variance σ²/n.",
)
def known_variances_give_the_mean() -> Verdict:
    """Σ(m − a_i)²/σ² is n/σ²·(m − Σa_i/n)² plus what does not depend on m: least at the mean. The variance
    of a mean of n independent answers is nσ²/n². The specification is read for up to 4 answers.
    """
    answers, mean = sympy.symbols("a1:5", real=True), []
    for n in range(1, 5):
        given = [SIGMA**2] * n
        solved = guess(given, answers[:n])
        mean.append(symbolic.identity(solved, sum(answers[:n]) / n, f"Equation 1, n = {n}"))
        variance = covariance([(1,)] * n, given, given, SYM)[0][0]
        mean.append(symbolic.identity(variance, SIGMA**2 / n, f"its variance, n = {n}"))
    m, total, squares = sympy.symbols("m S1 S2", real=True)
    objective = (N * m**2 - 2 * m * total + squares) / SIGMA**2
    completed = N / SIGMA**2 * (m - total / N) ** 2 + (squares - total**2 / N) / SIGMA**2
    return holds(
        symbolic.identity(objective, completed, "the sum of squares, S1 = Σa_i and S2 = Σa_i²"),
        symbolic.identity(
            N * SIGMA**2 * sympy.diff(total / N, total) ** 2, SIGMA**2 / N, "the variance of S1/n"
        ),
        *mean,
    )


@claim(
    "webb2025/case-2-ig",
    where="Section 7, Case 2 and footnote 5",
    says="v ~ IG(2+τ, σ²(1+τ)) has mean σ² and variance σ⁴/τ.",
)
def inverse_gamma_variance_estimates() -> Verdict:
    """IG(α, β) has mean β/(α−1) and variance β²/((α−1)²(α−2)), integrated from the Gamma density."""
    shape, rate = 2 + TAU, SIGMA**2 * (1 + TAU)
    return holds(
        symbolic.identity(inverse_gamma_mean(shape, rate), SIGMA**2, "E v"),
        symbolic.identity(inverse_gamma_variance(shape, rate), SIGMA**4 / TAU, "Var v"),
    )


@claim(
    "webb2025/case-2-gamma",
    where="Section 7, Case 2, fact (1) and footnote 5; Case 3, fact (1)",
    says="If v ~ IG(α, β), with mean β/(α−1) and variance β²/((α−1)²(α−2)), then 1/v ~ Gamma(α, β).",
)
def inverse_of_inverse_gamma() -> Verdict:
    """With β as the rate of the Gamma law, integrated from its density at α = 2 + τ. Appendix A.4 writes the
    scale in its place: read so, IG(3, 2) would have mean 1/(2·2), not 2/(3 − 1).
    """
    shape = 2 + TAU
    by_scale = inverse_gamma_mean(sympy.Integer(3), sympy.Rational(1, 2))
    return holds(
        symbolic.identity(inverse_gamma_mean(shape, BETA), BETA / (shape - 1), "E v"),
        symbolic.identity(
            inverse_gamma_variance(shape, BETA),
            BETA**2 / ((shape - 1) ** 2 * (shape - 2)),
            "Var v",
        ),
        aside(
            exact.compare(
                Fraction(str(by_scale)), "!=", Fraction(2, 3 - 1), "E v with scale 2, α = 3"
            )
        ),
        condition="β is the rate of the Gamma law, and α > 2",
    )


@claim(
    "webb2025/case-2-dirmean",
    where="Section 7, Case 2, fact (2)",
    says="A component of a Dirichlet(α, …, α) vector has mean α/n.",
)
def shares_have_mean_one_over_n() -> Verdict:
    """The n components sum to 1 and have one law: each has mean 1/n. α/n would add up to α."""
    at_two = {ALPHA: 3, N: 2}
    return misprint(
        symbolic.identity(share_moment(1), 1 / N, "the mean of a component"),
        exact.compare(
            Fraction(str(DIRICHLET_MEAN.subs(at_two))), ">", 1, "the printed mean for n = 2, α = 3"
        ),
        reading="1/n",
        reading_is=Outcome.HOLDS,
        counterexample="n = 2, α = 3: a component of a probability vector would have mean 3/2",
        value="1/n",
    )


@claim(
    "webb2025/case-2-dirvar",
    where="Section 7, Case 2, fact (2)",
    says="A component of a Dirichlet(α, …, α) vector has variance (α/n)(1 − α/n)/(1 + α/n).",
)
def shares_have_another_variance() -> Verdict:
    """From the first two moments it is (n−1)/(n²(1+nα)). The printed one is negative for α > n."""
    at_two = {ALPHA: 3, N: 2}
    meant = (N - 1) / (N**2 * (1 + N * ALPHA))
    return misprint(
        symbolic.identity(share_moment(2) - share_moment(1) ** 2, meant, "the variance"),
        exact.compare(
            Fraction(str(DIRICHLET_VARIANCE.subs(at_two))), "<", 0, "as printed, n = 2 and α = 3"
        ),
        reading="(1/n)(1 − 1/n)/(1 + nα)",
        reading_is=Outcome.HOLDS,
        counterexample="n = 2, α = 3: −3/10",
        value="(n − 1)/(n²(1 + nα))",
    )


@claim(
    "webb2025/case-2-second",
    where="Section 7, Case 2, fact (2)",
    says="A component of a Dirichlet(α, …, α) vector has second moment (1/n)(1+α)/(1+nα).",
)
def shares_have_second_moment() -> Verdict:
    """E g² = α(α+1)/β² for one and nα(nα+1)/β² for the sum; their ratio is (1+α)/(n(1+nα))."""
    return holds(
        symbolic.identity(
            share_moment(2), (1 + ALPHA) / (N * (1 + N * ALPHA)), "the second moment of a component"
        )
    )


def error_factor() -> sympy.Expr:
    """Squared error of the weighted mean over σ²/n: n·(n·E w²) at α = 2 + τ."""
    return sympy.simplify(N * N * share_moment(2).subs(ALPHA, 2 + TAU))


@claim(
    "webb2025/case-2-factor",
    where="Section 7, Case 2",
    says="The guess is unbiased and its squared error is σ²/n · n(3+τ)/(1+n(2+τ)).",
)
def estimated_variances_increase_the_error() -> Verdict:
    """With weights w_i ∝ 1/v_i that sum to 1 and are independent of the a_i, X − Σw_i a_i = Σw_i(X − a_i):
    the mean is 0, the cross terms vanish, and n·σ²·E w² is left. The factor is above 1 exactly for n > 1.
    """
    n, tau = z3.Reals("n tau")
    answers, given = sympy.symbols("a1:4", real=True), sympy.symbols("v1:4", positive=True)
    pairs = list(zip(answers, given, strict=True))
    return holds(
        symbolic.identity(
            guess(given, answers),
            sum(a / v for a, v in pairs) / sum(1 / v for v in given),
            "Equation 1 for n = 3 has the weights w_i",
        ),
        symbolic.identity(
            error_factor(), N * (3 + TAU) / (1 + N * (2 + TAU)), "the factor on σ²/n"
        ),
        symbolic.identity(N * share_moment(1), sympy.Integer(1), "the mean of the sum of weights"),
        aside(
            solver.for_all(
                [n > 0, tau > 0],
                (n * (3 + tau) > 1 + n * (2 + tau)) == (n > 1),
                "the factor exceeds 1 exactly for n > 1",
            )
        ),
        condition="v_1, …, v_n independent of a_1, …, a_n",
    )


@claim(
    "webb2025/case-2-14",
    where="Section 7, Case 2",
    says="With n = 2 and τ = 1 the factor is about 1.14, a 14% increased error.",
)
def factor_for_two_answers() -> Verdict:
    """2·4/(1 + 2·3) = 8/7 = 1.142857…"""
    factor = Fraction(str(error_factor().subs({N: 2, TAU: 1})))
    return holds(
        exact.compare(round(100 * factor), "==", 114, "the factor in percent, rounded"),
        value=str(factor),
    )
