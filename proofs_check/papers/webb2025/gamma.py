"""Section 7, Case 2, facts (1) and (2): moments of inverse Gamma laws, and of shares of Gamma variables."""

from collections.abc import Callable

import sympy

from establish import Outcome, Verdict, claim, exact, holds, misprint, symbolic
from establish.proofs_check.engine.shared import shared
from establish.proofs_check.engine.statements import Comparison, Equal, Integer, Moment, Real
from establish.spec.arithmetic import Number, World
from establish.spec.distributions.gamma import Gamma, InverseGamma, InverseShare
from establish.spec.synthetic.divider import mean_share, variance_share

ALPHA, BETA, TAU = sympy.symbols("alpha beta tau", positive=True)
N, G = sympy.symbols("n g", positive=True)


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

VARIANCE_AS_PRINTED = Equal(
    *SHAPES,
    left=lambda c, n, alpha: variance_share(alpha, n * alpha),
    right=lambda c, n, alpha: (alpha / n) * (1 - alpha / n) / (1 + alpha / n),
)

VARIANCE_AS_MEANT = Equal(
    *SHAPES,
    left=lambda c, n, alpha: variance_share(alpha, n * alpha),
    right=lambda c, n, alpha: (1 / c.number(n)) * (1 - 1 / c.number(n)) / (1 + n * alpha),
)


SECOND_MOMENT = Equal(
    Real("n", least=1),
    Real("α", above=0),
    left=lambda c, n, alpha: variance_share(alpha, n * alpha) + c.power(mean_share(alpha, n * alpha), 2),
    right=lambda c, n, alpha: (1 / n) * (1 + alpha) / (1 + n * alpha),
)


_IG = Real("τ", above=0), Real("σ²", above=0)


def _inverse_gamma(c: World, tau: Number, variance: Number) -> InverseGamma:
    return InverseGamma(2 + tau, variance * (1 + tau), c)


def _at_zero(c: World, *_: Number) -> Number:
    return c.number(0)


IG_MEAN = Moment(
    *_IG, law=_inverse_gamma, of=lambda c, v: v, closed=lambda c, tau, variance: variance, low=_at_zero
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
    return holds(symbolic.integrates(IG_MEAN), symbolic.integrates(IG_VARIANCE))


_RATE = Real("β", above=0)

INVERSE_LAW = Equal(
    Real("α", above=0),
    _RATE,
    Real("v", above=0),
    left=lambda c, shape, rate, v: InverseGamma(shape, rate, c).log_density(v),
    right=lambda c, shape, rate, v: Gamma(shape, rate, c).log_density(1 / v) - 2 * c.log(v),
)
"""The density of v is that of 1/v, which is Gamma(α, β) with the rate β, times 1/v²."""

MOMENTS = (
    Moment(
        Real("α", above=1),
        _RATE,
        law=lambda c, shape, rate: InverseGamma(shape, rate, c),
        of=lambda c, v: v,
        closed=lambda c, shape, rate: rate / (shape - 1),
        low=_at_zero,
    ),
    Moment(
        Real("α", above=2),
        _RATE,
        law=lambda c, shape, rate: InverseGamma(shape, rate, c),
        of=lambda c, shape, rate, v: (v - rate / (shape - 1)) * (v - rate / (shape - 1)),
        closed=lambda c, shape, rate: rate * rate / ((shape - 1) * (shape - 1) * (shape - 2)),
        low=_at_zero,
        depends=True,
    ),
)


@claim(
    "webb2025/case-2-gamma",
    where="Section 7, Case 2, fact (1) and footnote 5",
    says="If v ~ IG(α, β), with mean β/(α−1) and variance β²/((α−1)²(α−2)), then 1/v ~ Gamma(α, β).",
    states=(INVERSE_LAW, *MOMENTS),
)
def inverse_of_inverse_gamma() -> Verdict:
    """With β as the rate of the Gamma law, integrated from its density at α = 2 + τ. Appendix A.4 writes the
    scale in its place: read so, IG(3, 2) would have mean 1/(2·2), not 2/(3 − 1).
    """
    return holds(
        symbolic.proves(INVERSE_LAW),
        *map(symbolic.integrates, MOMENTS),
        condition="β is the rate of the Gamma law; α > 1 for the mean and α > 2 for the variance",
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
    return misprint(
        exact.refuted(VARIANCE_AS_PRINTED, n=2, α=3),
        symbolic.proves(VARIANCE_AS_MEANT),
        reading="(1/n)(1 − 1/n)/(1 + nα)",
        reading_is=Outcome.HOLDS,
        counterexample="n = 2, α = 3: printed −3/10, the variance is 1/28",
        value="(n − 1)/(n²(1 + nα))",
    )


_GAMMAS = Real("α", above=0), Real("β", above=0), Real("Σg", above=0)

AT_A_SHARE = Equal(
    *_GAMMAS,
    Real("w", above=0),
    left=lambda c, shape, rate, total, w: Gamma(shape, rate, c).log_density(w * total),
    right=lambda c, shape, rate, total, w: (
        Gamma(shape, rate, c).log_density(total) + ((shape - 1) * c.log(w) + rate * total * (1 - w))
    ),
)
"""The density of each of n independent Gamma(α, β) variables g = w·Σg; Σ(1 − w) is n − 1."""

DIRICHLET = Equal(
    Integer("n", least=1),
    *_GAMMAS,
    Real("Σln(w)"),
    left=lambda c, n, shape, rate, total, logs: (
        n * Gamma(shape, rate, c).log_density(total)
        + ((shape - 1) * logs + rate * total * (n - 1))
        + (n - 1) * c.log(total)
    ),
    right=lambda c, n, shape, rate, total, logs: (
        (c.log_gamma(n * shape) - n * c.log_gamma(shape) + (shape - 1) * logs)
        + Gamma(n * shape, rate, c).log_density(total)
    ),
)
"""With the Jacobian Σg^(n − 1) it is the Dirichlet(α, …, α) density of the shares times that of their sum."""


@claim(
    "webb2025/case-2-second",
    where="Section 7, Case 2, fact (2)",
    says="The shares of n independent Gamma(α, β) variables have the Dirichlet(α, …, α) distribution; a "
    "component has second moment (1/n)(1+α)/(1+nα).",
    states=(AT_A_SHARE, DIRICHLET, SECOND_OF_COMPONENT, SECOND_MOMENT),
)
def shares_have_second_moment() -> Verdict:
    """The density of the shares and the sum is a product, so they are independent: E g² = α(α+1)/β² for one
    and nα(nα+1)/β² for the sum, whose ratio is (1+α)/(n(1+nα)). The printed mean and variance are judged by
    themselves (case-2-dirmean, case-2-dirvar).
    """
    return holds(
        symbolic.proves(AT_A_SHARE),
        symbolic.proves(DIRICHLET),
        symbolic.integrates(SECOND_OF_COMPONENT),
        symbolic.proves(SECOND_MOMENT),
    )
