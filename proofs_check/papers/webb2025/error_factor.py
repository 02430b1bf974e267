"""Section 7, Case 2: by how much the error increases when variances are estimated."""

from fractions import Fraction

import sympy

from establish import Equal, Moment, Printed, Real, Verdict, claim, exact, holds, symbolic
from establish.proofs_check.engine.rules import term_by_term
from establish.proofs_check.engine.statements import EverySum
from establish.proofs_check.papers.webb2025.gamma import ALPHA, TAU, N, share_moment
from establish.proofs_check.papers.webb2025.least_squares import SOLVED, solves
from establish.spec.distributions.gamma import InverseShare
from establish.spec.least_squares import covariance
from establish.spec.synthetic.divider import mean_share, variance_share

ERROR_FACTOR = Equal(
    Real("n", least=1),
    Real("τ", above=0),
    left=lambda c, n, tau: (
        n * n * (variance_share(2 + tau, n * (2 + tau)) + c.power(mean_share(2 + tau, n * (2 + tau)), 2))
    ),
    right=lambda c, n, tau: n * (3 + tau) / (1 + n * (2 + tau)),
)
"""n²·E w² for the weights Dirichlet(2 + τ, …)."""

FOURTEEN = Printed(
    lambda c: (
        4 * (variance_share(c.number(3), c.number(6)) + c.power(mean_share(c.number(3), c.number(6)), 2))
    ),
    "1.14",
)


def error_factor() -> sympy.Expr:
    """Squared error of the weighted mean over σ²/n: n·(n·E w²) at α = 2 + τ."""
    return sympy.simplify(N * N * share_moment(2).subs(ALPHA, 2 + TAU))


WEIGHTED_MEANS = EverySum(
    Equal(Real("X"), Real("v", above=0), left=lambda c, x, v: x / v, right=lambda c, x, v: x * (1 / v)),
    shared=["X"],
)
UNBIASED = Equal(
    Real("X"),
    Real("Σ1/v", above=0),
    left=lambda c, x, weights: x * weights / weights,
    right=lambda c, x, weights: x,
)
"""Where every answer has the mean X, the guess Σ(a_i/v_i)/Σ(1/v_j) has that mean, for given v_i."""

CROSS_TERMS_VANISH = Equal(
    Real("σ²", above=0),
    *(Real(f"v{i}", above=0) for i in (1, 2, 3)),
    left=lambda c, variance, *v: covariance([(1,)] * 3, v, [variance] * 3, c)[0][0],
    right=lambda c, variance, *v: (
        variance * sum(c.power(1 / x, 2) for x in v) / c.power(sum(1 / x for x in v), 2)
    ),
)
"""Σσ²w_i² for w_i = (1/v_i)/Σ(1/v_j): Equation 1, as it is specified, for three independent answers."""

SQUARED_ERROR = Moment(
    Real("n", above=1),
    Real("τ", above=0),
    Real("σ²", above=0),
    law=lambda c, n, tau, variance: InverseShare(2 + tau, (n - 1) * (2 + tau), c),
    of=lambda c, n, tau, variance, x: n * variance * c.power(1 + x, -2),
    closed=lambda c, n, tau, variance: variance / n * (n * (3 + tau) / (1 + n * (2 + tau))),
    low=lambda c, *_: c.number(0),
    depends=True,
)
"""n·σ²·E w², the mean square of Σw_i(a_i − X) for independent errors, w ~ Dirichlet(2 + τ, …, 2 + τ)."""


@claim(
    "webb2025/case-2-factor",
    where="Section 7, Case 2",
    says="The guess Σ(a_i/v_i)/Σ(1/v_j) is unbiased and its squared error is σ²/n · n(3+τ)/(1+n(2+τ)).",
    states=(*SOLVED, WEIGHTED_MEANS, UNBIASED, CROSS_TERMS_VANISH, SQUARED_ERROR, ERROR_FACTOR),
)
def estimated_variances_increase_the_error() -> Verdict:
    """With weights w_i ∝ 1/v_i that sum to 1 and are independent of the a_i, X − Σw_i a_i = Σw_i(X − a_i):
    the mean is 0, the cross terms vanish, and n·σ²·E w² is left. The factor is above 1 exactly for n > 1.
    """
    return holds(
        *solves(),
        term_by_term(WEIGHTED_MEANS, symbolic.proves(WEIGHTED_MEANS.term)),
        symbolic.proves(UNBIASED),
        symbolic.proves(CROSS_TERMS_VANISH),
        symbolic.integrates(SQUARED_ERROR),
        symbolic.proves(ERROR_FACTOR),
        condition="v_1, …, v_n independent of a_1, …, a_n",
    )


@claim(
    "webb2025/case-2-14",
    where="Section 7, Case 2",
    says="With n = 2 and τ = 1 the factor is about 1.14, a 14% increased error.",
    states=FOURTEEN,
    tight=FOURTEEN,
)
def factor_for_two_answers() -> Verdict:
    """2·4/(1 + 2·3) = 8/7 = 1.142857…"""
    factor = Fraction(str(error_factor().subs({N: 2, TAU: 1})))
    return holds(exact.decided(FOURTEEN), value=str(factor))
