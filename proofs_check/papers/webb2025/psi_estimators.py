"""Theorem 6.6 for ψ = √ and ψ = ln: law, mean and variance of the estimate, and that of the variance."""

from fractions import Fraction
from functools import cache, partial

import sympy

from establish import AtMost, Below, Equal, Moment, Real, claim, enclosure, exact, solver, symbolic
from establish.proofs_check.engine.conventions import by_convention
from establish.proofs_check.engine.rules import by_chebyshev, mean_square
from establish.proofs_check.engine.statements import Comparison, Condition, ConvergesInProbability, given
from establish.proofs_check.engine.statements.statement import Formula
from establish.proofs_check.engine.verdicts import Verdict, aside, fails, holds
from establish.spec.arithmetic import SYM, Number, World
from establish.spec.distributions import gaussian, noncentral_chi_square
from establish.spec.distributions.gaussian import Gaussian
from establish.spec.mechanisms.psi_estimators import (
    unbiased_from_logarithm,
    unbiased_from_root,
    unbiased_variance_from_logarithm,
    variance_from_logarithm,
    variance_from_root,
)

X, SD = sympy.symbols("x s", positive=True)
NOISE, OMEGA = sympy.symbols("Z omega", real=True)


@cache
def mean(function: sympy.Expr) -> sympy.Expr:
    """The mean over Z ~ N(0, 1), integrated from the density."""
    density = sympy.exp(-(NOISE**2) / 2) / sympy.sqrt(2 * sympy.pi)
    integrand = sympy.powsimp(sympy.expand(function * density))
    return sympy.simplify(sympy.integrate(integrand, (NOISE, -sympy.oo, sympy.oo)))


_TRUE, _SD = Real("x", least=0), Real("s", above=0)
_ABOVE_0 = Real("x", above=0)


def _by_root(c: World, x: Number, sd: Number) -> Gaussian:
    """The law of ω for ψ = √ and s = γ/μ."""
    return Gaussian(c.sqrt(x), sd, c)


def _by_logarithm(c: World, x: Number, sd: Number) -> Gaussian:
    """The law of ω for ψ = ln."""
    return Gaussian(c.log(x), sd, c)


SQUARE_LAW = Equal(
    _TRUE,
    _SD,
    Real("y", least=0),
    left=lambda c, x, sd, y: _by_root(c, x, sd).cdf(c.sqrt(y)) - _by_root(c, x, sd).cdf(-c.sqrt(y)),
    right=lambda c, x, sd, y: noncentral_chi_square.cdf(y / (sd * sd), x / (sd * sd), c),
)
"""P(ω² ≤ y) is the probability that s² times a noncentral χ² variable is at most y."""

CHI_SQUARE_DENSITY = Equal(
    Real("λ", least=0),
    Real("y", above=0),
    left=lambda c, center, y: (
        sum(c.exp(gaussian.log_density(z, c.sqrt(center), c.number(1), c)) for z in (c.sqrt(y), -c.sqrt(y)))
        / (2 * c.sqrt(y))
    ),
    right=lambda c, center, y: noncentral_chi_square.density(y, center, c),
)
"""The slope of Φ(√y − √λ) − Φ(−√y − √λ) in y is the central density times e^(−λ/2)·cosh √(λy)."""


@claim(
    "webb2025/thm-6.6-sqrt-law",
    where="Section 6.1, Theorem 6.6",
    says="For ψ = √, ω² is γ²/μ² times a noncentral χ² variable with 1 degree of freedom and "
    "noncentrality xμ²/γ².",
    states=(SQUARE_LAW, CHI_SQUARE_DENSITY),
    scope="one group, s = γ/μ",
)
def squared_answer_is_noncentral_chi_square() -> Verdict:
    """With s = γ/μ, ω²/s² = (Z + √x/s)², and (Z + √λ)² has the noncentral χ² law with 1 degree of freedom
    and noncentrality λ; here λ = x/s². Both distribution functions are Φ at the two roots of y. The
    density (φ(√y − √λ) + φ(√y + √λ))/(2√y) is the central one, e^(−y/2)/√(2πy), times e^(−λ/2)·cosh √(λy),
    which is e^(−λ/2)·₀F₁(½; λy/4).
    """
    y, center = sympy.symbols("y lambda", positive=True)
    series = sympy.hyperexpand(sympy.hyper([], [sympy.Rational(1, 2)], center * y / 4))
    closed = sympy.cosh(sympy.sqrt(center) * sympy.sqrt(y))
    return holds(
        symbolic.proves(SQUARE_LAW),
        symbolic.proves(CHI_SQUARE_DENSITY),
        aside(symbolic.identity(series.rewrite(sympy.exp), closed.rewrite(sympy.exp), "₀F₁(½; λy/4)")),
    )


_of_root = partial(Moment, _TRUE, _SD, law=_by_root, depends=True, breaks=(lambda c, x, sd: c.sqrt(x),))
ROOT_MEAN = _of_root(of=lambda c, x, sd, answer: unbiased_from_root(answer, sd, c), closed=lambda c, x, sd: x)
ROOT_VARIANCE = _of_root(
    of=lambda c, x, sd, answer: c.power(unbiased_from_root(answer, sd, c) - x, 2),
    closed=lambda c, x, sd: variance_from_root(x, sd, c),
)
"""The mean of x̃ and the mean square of x̃ − x, which is its variance."""


@claim(
    "webb2025/thm-6.6-sqrt-mean",
    where="Section 6.1, Theorem 6.6",
    says="For ψ = √, ω² − γ²/μ² is an unbiased estimate of x.",
    states=ROOT_MEAN,
    scope="one group, s = γ/μ",
)
def root_estimate_is_unbiased() -> Verdict:
    """E(√x + sZ)² = x + s², so subtracting s² leaves x."""
    return holds(symbolic.integrates(ROOT_MEAN))


@claim(
    "webb2025/thm-6.6-sqrt-var",
    where="Section 6.1, Theorem 6.6",
    says="For ψ = √, the variance of x̃ is 2(γ/μ)²(2x + (γ/μ)²).",
    states=ROOT_VARIANCE,
    scope="one group, s = γ/μ",
)
def variance_of_root_estimate() -> Verdict:
    """x̃ = x + 2s√x·Z + s²(Z² − 1): the variance is 4s²x + s⁴·Var Z² = 4s²x + 2s⁴. As E x̃ = x, it is the
    mean of (x̃ − x)².
    """
    return holds(symbolic.integrates(ROOT_VARIANCE))


RATIO_TO_ONE = ConvergesInProbability(
    _SD,
    Real("x", above=0),
    law=lambda c, sd, x: _by_root(c, x, sd),
    of=lambda c, sd, x, answer: (
        variance_from_root(unbiased_from_root(answer, sd, c), sd, c) / variance_from_root(x, sd, c)
    ),
    limit=lambda c, sd: c.number(1),
    breaks=(lambda c, sd, x: c.sqrt(x),),
)
"""ṽ/v → 1 in probability; ṽ is a function of the answer."""


def _spread(c: World, sd: Number, x: Number) -> Number:
    """Var ṽ/v."""
    return 8 * sd * sd / (2 * x + sd * sd)


def _spread_times_size(c: World, sd: Number) -> Number:
    return 4 * sd * sd


@claim(
    "webb2025/thm-6.6-sqrt-cons",
    where="Section 6.1, Theorem 6.6",
    says="For ψ = √, the variance formula at x̃ is a releasable estimate ṽ with ṽ/v → 1 in probability as "
    "x → ∞.",
    states=RATIO_TO_ONE,
    scope="one group, s = γ/μ",
)
def variance_estimate_for_root_is_consistent() -> Verdict:
    """ṽ/v = (2x̃ + s²)/(2x + s²) has mean 1 and variance 4v/(2x + s²)² = 8s²/(2x + s²) → 0; Chebyshev's
    inequality gives convergence in probability. ṽ is a function of ω, hence releasable, and unbiased.
    """
    estimate = unbiased_from_root(sympy.sqrt(X) + SD * NOISE, SD, SYM)
    found = sympy.expand(variance_from_root(estimate, SD, SYM))
    square, falls = mean_square(RATIO_TO_ONE, _spread, _spread_times_size)
    return holds(
        by_chebyshev(
            RATIO_TO_ONE, _spread, _spread_times_size, symbolic.integrates(square), solver.proves(falls)
        ),
        aside(symbolic.identity(mean(found), variance_from_root(X, SD, SYM), "E ṽ")),
    )


def _estimate_of_variance(c: World, answer: Number, sd: Number) -> Number:
    return variance_from_root(unbiased_from_root(answer, sd, c), sd, c)


POSITIVE = Below(Real("ω"), _SD, left=0, right=_estimate_of_variance)
"""ṽ is above 0 for every answer, as 1/ṽ is a weight."""


def _square_against_half(relation: str) -> Condition:
    return given(lambda c, answer, sd: 2 * answer * answer, relation, lambda c, answer, sd: sd * sd)


NEGATIVE_WHERE_SMALL = Below(
    Real("ω"), _SD, left=_estimate_of_variance, right=0, given=[_square_against_half("<")]
)
ELSEWHERE_NOT = AtMost(
    Real("ω"), _SD, left=0, right=_estimate_of_variance, given=[_square_against_half(">=")]
)
"""ṽ is below 0 exactly when ω² < s²/2."""


@claim(
    "webb2025/thm-6.6-sqrt-var-estimate-positive",
    where="Section 6.1, Theorem 6.6, used in Section 7, Equation 1",
    says="For ψ = √, ṽ estimates a variance, so that 1/ṽ is a weight.",
    states=POSITIVE,
    tight=(NEGATIVE_WHERE_SMALL, ELSEWHERE_NOT),
    origin="implied",
)
def variance_estimate_for_root_can_be_negative() -> Verdict:
    """ṽ = 2s²(2ω² − s²) is below 0 when ω² < s²/2, which happens with probability
    Φ(1/√2 − √x/s) − Φ(−1/√2 − √x/s) > 0, more than one half at x = 0. For s = 1 and ω = 0 it is −2. Then
    1/ṽ is not a weight: the sum of squares of Equation 1 has no minimum.
    """
    estimate = variance_from_root(unbiased_from_root(OMEGA, SD, SYM), SD, SYM)
    return fails(
        symbolic.identity(estimate, 2 * SD**2 * (2 * OMEGA**2 - SD**2), "ṽ as a function of ω"),
        exact.refuted(POSITIVE, ω=0, s=1),
        solver.proves(NEGATIVE_WHERE_SMALL),
        solver.proves(ELSEWHERE_NOT),
        aside(
            enclosure.compare(
                lambda c: 2 * gaussian.cdf(1 / c.sqrt(c.number(2)), c) - 1,
                ">",
                enclosure.rational(Fraction(1, 2)),
                "the probability of ṽ < 0 at x = 0",
            )
        ),
        counterexample="γ = μ, ω = 0: x̃ = −1 and ṽ = 2·(2·(−1) + 1) = −2",
        value="below 0 exactly when ω² < γ²/(2μ²)",
    )


BY_LOGARITHM = sympy.log(X) + SD * NOISE
"""ω for ψ = ln."""


def logarithm_estimate() -> sympy.Expr:
    """x̃ for ψ = ln as a function of x, s and Z: x·exp(sZ − s²/2)."""
    return sympy.simplify(sympy.expand(unbiased_from_logarithm(BY_LOGARITHM, SD, SYM), exp=True))


def _log_normal(scale: Formula) -> Comparison:
    """P(e^ω ≤ y) is that of the log-normal law whose logarithm has the mean ln x and a standard deviation."""
    return Equal(
        _ABOVE_0,
        Real("γ", above=0),
        Real("μ", above=0),
        Real("y", above=0),
        left=lambda c, x, gamma, mu, y: _by_logarithm(c, x, gamma / mu).cdf(c.log(y)),
        right=lambda c, x, gamma, mu, y: gaussian.cdf(c.log(y / x) / scale(c, gamma, mu), c),
    )


LOG_NORMAL = _log_normal(lambda c, gamma, mu: c.sqrt(gamma * gamma / (mu * mu)))
"""The printed scale is the variance of the logarithm, as N(0, γ²/μ²) is written."""


_of_logarithm = partial(
    Moment, _ABOVE_0, _SD, law=_by_logarithm, depends=True, breaks=(lambda c, x, sd: c.log(x),)
)
LOGARITHM_MEAN = _of_logarithm(
    of=lambda c, x, sd, answer: unbiased_from_logarithm(answer, sd, c), closed=lambda c, x, sd: x
)
LOGARITHM_VARIANCE = _of_logarithm(
    of=lambda c, x, sd, answer: c.power(unbiased_from_logarithm(answer, sd, c) - x, 2),
    closed=lambda c, x, sd: variance_from_logarithm(x, sd, c),
)


@claim(
    "webb2025/thm-6.6-log-mean",
    where="Section 6.1, Theorem 6.6",
    says="For ψ = ln, exp(ω − γ²/(2μ²)) is an unbiased estimate of x.",
    states=LOGARITHM_MEAN,
    scope="one group with x > 0, s = γ/μ",
)
def logarithm_estimate_is_unbiased() -> Verdict:
    """E e^(sZ) = e^(s²/2), so E exp(ln x + sZ − s²/2) = x."""
    return holds(symbolic.integrates(LOGARITHM_MEAN))


@claim(
    "webb2025/thm-6.6-log-var",
    where="Section 6.1, Theorem 6.6",
    says="For ψ = ln, e^ω is log-normal with location ln x and scale γ²/μ², and the variance of x̃ is "
    "x²(−1 + exp(γ²/μ²)).",
    states=(LOG_NORMAL, LOGARITHM_VARIANCE),
    scope="one group with x > 0, s = γ/μ",
)
def variance_of_logarithm_estimate() -> Verdict:
    """P(e^ω ≤ y) = Φ((ln y − ln x)/s) with s = γ/μ; as a standard deviation of the logarithm the printed
    scale would give it the variance γ⁴/μ⁴. x̃² = x²·exp(2sZ − s²) has mean x²·exp(2s² − s²), so Var x̃ =
    x²(e^(s²) − 1). The estimate at x̃ is releasable, as a function of ω, but has mean e^(s²) times the
    variance; x̃²(1 − e^(−s²)) is unbiased.
    """
    estimate = logarithm_estimate()
    true = variance_from_logarithm(X, SD, SYM)
    return holds(
        symbolic.proves(LOG_NORMAL),
        symbolic.integrates(LOGARITHM_VARIANCE),
        aside(
            symbolic.identity(
                mean(variance_from_logarithm(estimate, SD, SYM)),
                sympy.exp(SD**2) * true,
                "the mean of the estimate of the variance",
            )
        ),
        aside(
            symbolic.identity(
                mean(unbiased_variance_from_logarithm(estimate, SD, SYM)), true, "the mean of x̃²(1 − e^(−s²))"
            )
        ),
        condition=by_convention("variance", "webb2025")
        + "; the estimate of the variance is biased upward by the factor e^(γ²/μ²)",
    )


def _ratio(c: World, x: Number, sd: Number, z: Number) -> Number:
    """ṽ/v at the answer ln x + s·z."""
    estimate = unbiased_from_logarithm(c.log(x) + sd * z, sd, c)
    return variance_from_logarithm(estimate, sd, c) / variance_from_logarithm(x, sd, c)


WITHOUT_X = Equal(
    _ABOVE_0, _SD, Real("Z"), left=_ratio, right=lambda c, x, sd, z: c.exp(2 * sd * z - sd * sd)
)
"""ṽ/v is one function of the noise, whatever x is."""

APART = AtMost(
    _SD,
    Real("Z below", most=0),
    Real("Z above", least=1),
    left=lambda c, sd, low, high: 2 * sd * low - sd * sd + 2 * sd,
    right=lambda c, sd, low, high: 2 * sd * high - sd * sd,
)
"""Its logarithms for Z ≤ 0 and for Z ≥ 1 are 2s apart."""

FAR_FROM_ONE = AtMost(
    Real("low"),
    Real("high", least=lambda c, low: low),
    Real("below", most=lambda c, low, high: low),
    Real("above", least=lambda c, low, high, below: high),
    Real("L"),
    left=lambda c, low, high, below, above, limit: (high - low) / 2,
    right=lambda c, low, high, below, above, limit: c.maximum(
        c.absolute(below - limit), c.absolute(above - limit)
    ),
)
"""Any number L is at least half the gap away from all that is at most ``low`` or from all that is at least
``high``: it is no limit when either has a probability that does not fall.
"""

BELOW_0 = Equal(left=lambda c: gaussian.cdf(c.number(0), c), right=Fraction(1, 2))
ABOVE_1 = Below(left=Fraction(3, 20), right=lambda c: 1 - gaussian.cdf(c.number(1), c))
"""Neither has a probability that falls."""


@claim(
    "webb2025/thm-6.6-log-noncons",
    where="Section 6.1, Theorem 6.6",
    says="For ψ = ln, the variance formula at x̃ is a releasable estimate ṽ, but ṽ/v does not converge in "
    "probability as x → ∞.",
    states=(WITHOUT_X, APART, FAR_FROM_ONE, BELOW_0, ABOVE_1),
)
def variance_estimate_for_logarithm_is_not_consistent() -> Verdict:
    """ṽ/v = (x̃/x)² = exp(2sZ − s²) has the same law for every x. It is at most e^(−s²) with probability
    ½, and at least e^(2s − s²) with probability 1 − Φ(1), whatever x is: no constant, 1 among them, is
    its limit. (To a random variable it could converge, if the answers for all x shared one noise.)
    """
    return holds(
        symbolic.proves(WITHOUT_X),
        solver.proves(APART),
        solver.proves(FAR_FROM_ONE),
        symbolic.proves(BELOW_0),
        exact.decided(ABOVE_1),
        condition="no constant is the limit",
    )
