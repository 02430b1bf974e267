"""Section 7, Equation 1 and Cases 1 and 2: weighted least squares, known and estimated variances."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product

import sympy
import z3

from establish.proofs_check.engine.methods import exact, exhaustive, solver, symbolic
from establish.proofs_check.engine.register import claim
from establish.proofs_check.engine.rules import term_by_term
from establish.proofs_check.engine.shared import shared
from establish.proofs_check.engine.statements import (
    AtMost,
    Compares,
    Comparison,
    Equal,
    Every,
    EverySum,
    Integer,
    Moment,
    Printed,
    Real,
)
from establish.proofs_check.engine.verdicts import (
    Evidence,
    Outcome,
    Verdict,
    aside,
    holds,
    ill_posed,
    misprint,
)
from establish.spec.arithmetic import SYM, Number, World
from establish.spec.distributions.gamma import Gamma, InverseGamma, InverseShare
from establish.spec.least_squares import (
    covariance,
    estimate,
    estimator,
    group_by,
    objective,
    variance_of,
)
from establish.spec.synthetic.divider import mean_share, variance_share

ALPHA, BETA, TAU, SIGMA = sympy.symbols("alpha beta tau sigma", positive=True)
N, G = sympy.symbols("n g", positive=True)


def guess(variances: Sequence[sympy.Expr], answers: Sequence[sympy.Expr]) -> sympy.Expr:
    """Equation 1 for one establishment that is asked for once with each variance."""
    return estimate([(1,)] * len(answers), answers, variances, SYM)[0]


@shared
def gamma_moment(power: int, shape: sympy.Expr, rate: sympy.Expr) -> sympy.Expr:
    """E g^power for g ~ Gamma(shape, rate), integrated from the density; shape + power > 0."""
    density = rate**shape * G ** (shape - 1) * sympy.exp(-rate * G) / sympy.gamma(shape)
    integral = sympy.integrate(sympy.powsimp(G**power * density), (G, 0, sympy.oo))
    return sympy.gammasimp(integral)


@shared
def inverse_gamma_mean(shape: sympy.Expr, rate: sympy.Expr) -> sympy.Expr:
    """E v for 1/v ~ Gamma(shape, rate)."""
    return sympy.simplify(gamma_moment(-1, shape, rate))


@shared
def inverse_gamma_variance(shape: sympy.Expr, rate: sympy.Expr) -> sympy.Expr:
    """Var v for 1/v ~ Gamma(shape, rate)."""
    square = inverse_gamma_mean(shape, rate) ** 2
    return sympy.simplify(gamma_moment(-2, shape, rate) - square)


def share_moment(power: int) -> sympy.Expr:
    """E w_1^power for w_1 = g_1/Σg_j, the g_j independent Gamma(α): from w·Σg = g and Σg ~ Gamma(nα).

    The share is independent of the sum, so E w^p = E g_1^p / E (Σg)^p.
    """
    return gamma_moment(power, ALPHA, BETA) / gamma_moment(power, N * ALPHA, BETA)


SHAPES = Integer("n", least=1), Real("α", above=0)


def _mean_adds_up(printed: Callable[..., Number]) -> Comparison:
    """The n components, which have one law, have means that add up to 1."""
    return Equal(*SHAPES, left=lambda c, n, alpha: n * printed(c, c.number(n), alpha), right=1)


MEAN_AS_PRINTED = _mean_adds_up(lambda c, n, alpha: alpha / n)
MEAN_AS_MEANT = _mean_adds_up(lambda c, n, alpha: mean_share(alpha, n * alpha))

VARIANCE_AS_PRINTED = AtMost(
    *SHAPES,
    left=0,
    right=lambda c, n, alpha: (alpha / n) * (1 - alpha / n) / (1 + alpha / n),
)
"""The printed variance is at least 0, as a variance is."""

VARIANCE_AS_MEANT = Equal(
    *SHAPES,
    left=lambda c, n, alpha: variance_share(alpha, n * alpha),
    right=lambda c, n, alpha: (1 / c.number(n)) * (1 - 1 / c.number(n)) / (1 + n * alpha),
)

ERROR_FACTOR = Equal(
    Real("n", least=1),
    Real("τ", above=0),
    left=lambda c, n, tau: (
        n
        * n
        * (variance_share(2 + tau, n * (2 + tau)) + c.power(mean_share(2 + tau, n * (2 + tau)), 2))
    ),
    right=lambda c, n, tau: n * (3 + tau) / (1 + n * (2 + tau)),
)
"""n²·E w² for the weights Dirichlet(2 + τ, …)."""

FOURTEEN = Printed(
    lambda c: (
        4
        * (
            variance_share(c.number(3), c.number(6))
            + c.power(mean_share(c.number(3), c.number(6)), 2)
        )
    ),
    "1.14",
)

SECOND_MOMENT = Equal(
    Real("n", least=1),
    Real("α", above=0),
    left=lambda c, n, alpha: (
        variance_share(alpha, n * alpha) + c.power(mean_share(alpha, n * alpha), 2)
    ),
    right=lambda c, n, alpha: (1 / n) * (1 + alpha) / (1 + n * alpha),
)


SQUARES = EverySum(
    Equal(
        Real("m"),
        Real("a"),
        left=lambda c, m, a: c.power(m - a, 2),
        right=lambda c, m, a: m * m - 2 * m * a + a * a,
    ),
    shared=["m"],
)
"""Σ(m − a_i)² = n·m² − 2m·Σa_i + Σa_i², whatever their number."""

LEAST_AT_THE_MEAN = AtMost(
    Real("n", least=1),
    Real("m"),
    Real("Σa"),
    Real("Σa²"),
    left=lambda c, n, m, total, squares: (
        n * (total / n) * (total / n) - 2 * (total / n) * total + squares
    ),
    right=lambda c, n, m, total, squares: n * m * m - 2 * m * total + squares,
)
VARIANCE_OF_MEAN = Equal(
    Real("n", least=1),
    Real("σ²", above=0),
    left=lambda c, n, variance: n * (variance / (n * n)),
    right=lambda c, n, variance: variance / n,
)
"""The objective is least at the mean, and n independent answers of variance σ² have a mean with σ²/n."""

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
    states=(SQUARES, LEAST_AT_THE_MEAN, VARIANCE_OF_MEAN, *AS_SPECIFIED),
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
        term_by_term(SQUARES, solver.proves(SQUARES.term)),
        solver.proves(LEAST_AT_THE_MEAN),
        solver.proves(VARIANCE_OF_MEAN),
        *map(symbolic.proves, AS_SPECIFIED),
        symbolic.identity(objective, completed, "the sum of squares, S1 = Σa_i and S2 = Σa_i²"),
        symbolic.identity(
            N * SIGMA**2 * sympy.diff(total / N, total) ** 2, SIGMA**2 / N, "the variance of S1/n"
        ),
        *mean,
    )


_IG = Real("τ", above=0), Real("σ²", above=0)


def _inverse_gamma(c: World, tau: Number, variance: Number) -> InverseGamma:
    return InverseGamma(2 + tau, variance * (1 + tau), c)


def _at_zero(c: World, *_: Number) -> Number:
    return c.number(0)


IG_MEAN = Moment(
    *_IG,
    law=_inverse_gamma,
    of=lambda c, v: v,
    closed=lambda c, tau, variance: variance,
    low=_at_zero,
)
IG_VARIANCE = Moment(
    *_IG,
    law=_inverse_gamma,
    of=lambda c, tau, variance, v: (v - variance) * (v - variance),
    closed=lambda c, tau, variance: variance * variance / tau,
    low=_at_zero,
    depends=True,
)


@claim(
    "webb2025/case-2-ig",
    where="Section 7, Case 2 and footnote 5",
    says="v ~ IG(2+τ, σ²(1+τ)) has mean σ² and variance σ⁴/τ.",
    states=(IG_MEAN, IG_VARIANCE),
)
def inverse_gamma_variance_estimates() -> Verdict:
    """IG(α, β) has mean β/(α−1) and variance β²/((α−1)²(α−2)), integrated from the Gamma density."""
    shape, rate = 2 + TAU, SIGMA**2 * (1 + TAU)
    return holds(
        symbolic.integrates(IG_MEAN),
        symbolic.integrates(IG_VARIANCE),
        symbolic.identity(inverse_gamma_mean(shape, rate), SIGMA**2, "E v"),
        symbolic.identity(inverse_gamma_variance(shape, rate), SIGMA**4 / TAU, "Var v"),
    )


_SHAPED = Real("α", above=2), Real("β", above=0)

INVERSE_LAW = Equal(
    *_SHAPED,
    Real("v", above=0),
    left=lambda c, shape, rate, v: InverseGamma(shape, rate, c).log_density(v),
    right=lambda c, shape, rate, v: Gamma(shape, rate, c).log_density(1 / v) - 2 * c.log(v),
)
"""The density of v is that of 1/v, which is Gamma(α, β) with the rate β, times 1/v²."""

MOMENTS = (
    Moment(
        *_SHAPED,
        law=lambda c, shape, rate: InverseGamma(shape, rate, c),
        of=lambda c, v: v,
        closed=lambda c, shape, rate: rate / (shape - 1),
        low=_at_zero,
    ),
    Moment(
        *_SHAPED,
        law=lambda c, shape, rate: InverseGamma(shape, rate, c),
        of=lambda c, shape, rate, v: (v - rate / (shape - 1)) * (v - rate / (shape - 1)),
        closed=lambda c, shape, rate: rate * rate / ((shape - 1) * (shape - 1) * (shape - 2)),
        low=_at_zero,
        depends=True,
    ),
)


@claim(
    "webb2025/case-2-gamma",
    where="Section 7, Case 2, fact (1) and footnote 5; Case 3, fact (1)",
    says="If v ~ IG(α, β), with mean β/(α−1) and variance β²/((α−1)²(α−2)), then 1/v ~ Gamma(α, β).",
    states=(INVERSE_LAW, *MOMENTS),
)
def inverse_of_inverse_gamma() -> Verdict:
    """With β as the rate of the Gamma law, integrated from its density at α = 2 + τ. Appendix A.4 writes the
    scale in its place: read so, IG(3, 2) would have mean 1/(2·2), not 2/(3 − 1).
    """
    shape = 2 + TAU
    by_scale = inverse_gamma_mean(sympy.Integer(3), sympy.Rational(1, 2))
    return holds(
        symbolic.proves(INVERSE_LAW),
        *map(symbolic.integrates, MOMENTS),
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


_COMPONENT = Real("n", above=1), Real("α", above=0)


def _others_over_own(c: World, n: Number, alpha: Number) -> InverseShare:
    """(g_2 + … + g_n)/g_1, of which the component g_1/Σg is 1/(1 + x)."""
    return InverseShare(alpha, (n - 1) * alpha, c)


MEAN_OF_COMPONENT, SECOND_OF_COMPONENT = (
    Moment(
        *_COMPONENT,
        law=_others_over_own,
        of=lambda c, x, power=power: c.power(1 + x, -power),
        closed=closed,
        low=_at_zero,
    )
    for power, closed in (
        (1, lambda c, n, alpha: 1 / n),
        (2, lambda c, n, alpha: (1 / n) * (1 + alpha) / (1 + n * alpha)),
    )
)


@claim(
    "webb2025/case-2-dirmean",
    where="Section 7, Case 2, fact (2)",
    says="A component of a Dirichlet(α, …, α) vector has mean α/n.",
    states=MEAN_AS_PRINTED,
    meant=(MEAN_OF_COMPONENT, MEAN_AS_MEANT),
    tight=MEAN_OF_COMPONENT,
)
def shares_have_mean_one_over_n() -> Verdict:
    """The n components sum to 1 and have one law: each has mean 1/n. α/n would add up to α."""
    return misprint(
        exact.refuted(MEAN_AS_PRINTED, n=2, α=3),
        symbolic.integrates(MEAN_OF_COMPONENT),
        symbolic.identity(share_moment(1), 1 / N, "the mean of a component"),
        symbolic.proves(MEAN_AS_MEANT),
        reading="1/n",
        reading_is=Outcome.HOLDS,
        counterexample="n = 2, α = 3: a component of a probability vector would have mean 3/2",
        value="1/n",
    )


@claim(
    "webb2025/case-2-dirvar",
    where="Section 7, Case 2, fact (2)",
    says="A component of a Dirichlet(α, …, α) vector has variance (α/n)(1 − α/n)/(1 + α/n).",
    states=VARIANCE_AS_PRINTED,
    meant=VARIANCE_AS_MEANT,
    tight=VARIANCE_AS_MEANT,
)
def shares_have_another_variance() -> Verdict:
    """From the first two moments it is (n−1)/(n²(1+nα)). The printed one is negative for α > n."""
    meant = (N - 1) / (N**2 * (1 + N * ALPHA))
    return misprint(
        symbolic.identity(share_moment(2) - share_moment(1) ** 2, meant, "the variance"),
        exact.refuted(VARIANCE_AS_PRINTED, n=2, α=3),
        symbolic.proves(VARIANCE_AS_MEANT),
        reading="(1/n)(1 − 1/n)/(1 + nα)",
        reading_is=Outcome.HOLDS,
        counterexample="n = 2, α = 3: −3/10",
        value="(n − 1)/(n²(1 + nα))",
    )


@claim(
    "webb2025/case-2-second",
    where="Section 7, Case 2, fact (2)",
    says="A component of a Dirichlet(α, …, α) vector has second moment (1/n)(1+α)/(1+nα).",
    states=(SECOND_OF_COMPONENT, SECOND_MOMENT),
)
def shares_have_second_moment() -> Verdict:
    """E g² = α(α+1)/β² for one and nα(nα+1)/β² for the sum; their ratio is (1+α)/(n(1+nα))."""
    return holds(
        symbolic.integrates(SECOND_OF_COMPONENT),
        symbolic.proves(SECOND_MOMENT),
        symbolic.identity(
            share_moment(2), (1 + ALPHA) / (N * (1 + N * ALPHA)), "the second moment of a component"
        ),
    )


def error_factor() -> sympy.Expr:
    """Squared error of the weighted mean over σ²/n: n·(n·E w²) at α = 2 + τ."""
    return sympy.simplify(N * N * share_moment(2).subs(ALPHA, 2 + TAU))


WEIGHTS_ADD_UP = Equal(
    *(Real(f"v{i}", above=0) for i in (1, 2, 3)),
    Real("X"),
    left=lambda c, *v: estimate([(1,)] * 3, [v[3]] * 3, v[:3], c)[0],
    right=lambda c, *v: v[3],
)
"""Equation 1 has weights that add up to 1, so that answers with the mean X have a guess with that mean."""

SQUARED_ERROR = Moment(
    Real("n", above=1),
    Real("τ", above=0),
    Real("σ²", above=0),
    law=lambda c, n, tau, variance: _others_over_own(c, n, 2 + tau),
    of=lambda c, n, tau, variance, x: n * variance * c.power(1 + x, -2),
    closed=lambda c, n, tau, variance: variance / n * (n * (3 + tau) / (1 + n * (2 + tau))),
    low=_at_zero,
    depends=True,
)
"""n·σ²·E w², the mean square of Σw_i(a_i − X) for independent errors, w ~ Dirichlet(2 + τ, …, 2 + τ)."""


@claim(
    "webb2025/case-2-factor",
    where="Section 7, Case 2",
    says="The guess is unbiased and its squared error is σ²/n · n(3+τ)/(1+n(2+τ)).",
    states=(WEIGHTS_ADD_UP, SQUARED_ERROR, ERROR_FACTOR),
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
        symbolic.proves(WEIGHTS_ADD_UP),
        symbolic.integrates(SQUARED_ERROR),
        symbolic.proves(ERROR_FACTOR),
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
    states=FOURTEEN,
    tight=FOURTEEN,
)
def factor_for_two_answers() -> Verdict:
    """2·4/(1 + 2·3) = 8/7 = 1.142857…"""
    factor = Fraction(str(error_factor().subs({N: 2, TAU: 1})))
    return holds(
        exact.decided(FOURTEEN),
        value=str(factor),
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
    says="Equation 1 has the microdata that minimize it as its solution.",
    states=ONE_MINIMUM,
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
    "microdata can increase.",
    states=INCREASES,
    tight=FIVE_EIGHTHS,
)
def wrong_variances_increase_the_error() -> Verdict:
    """With fixed v_i the estimate A·a has AQ = I, whatever they are. Let B belong to the true variances T:
    (A − B)TBᵀ = 0, since TBᵀ = Q(QᵀT⁻¹Q)⁻¹ and (A − B)Q = 0. So the covariance with A is that with B plus
    (A − B)T(A − B)ᵀ: never less (Gauss and Markov). One value answered twice with variance 1, but given
    1 and 3, has variance 5/8 for 1/2. With v_i that depend on the answers it can decrease: Table 11.
    """
    return holds(
        *_better_by_squares(),
        exact.decided(INCREASES),
        exact.decided(FIVE_EIGHTHS),
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
    meant=BIASED_IN_PROPORTION,
    tight=VALUE,
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
    return ill_posed(
        *reproduced,
        exact.refuted(BIASED, case=((0, 1, 3, 4), "1 + (a − 2)²")),
        exhaustive.each(BIASED_IN_PROPORTION, "answers 1 and 3"),
        exact.decided(VALUE),
        condition="the weights are correlated with the errors of the answers, as for v in proportion to a",
        counterexample="answers 0, 1, 3, 4 with equal chance, X = 2, v = 1 + (a − 2)²: the mean guess is 2",
        value="7/4 for 2",
    )
