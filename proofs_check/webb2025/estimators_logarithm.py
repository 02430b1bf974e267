"""Theorem 6.6 for ψ = ln: law, mean and variance of the estimate, and that of the variance."""

from __future__ import annotations

from fractions import Fraction

import sympy

from establish.proofs_check.methods import enclosure, exact, symbolic
from establish.proofs_check.register import claim
from establish.proofs_check.verdicts import Outcome, Verdict, aside, holds, misprint
from establish.proofs_check.webb2025.estimators import CHI, NOISE, SD, X, mean, variance
from establish.spec.arithmetic import SYM
from establish.spec.distributions import gaussian
from establish.spec.earnings import normal
from establish.spec.mechanisms.psi_estimators import (
    unbiased_from_logarithm,
    unbiased_variance_from_logarithm,
    variance_from_logarithm,
)

BY_LOGARITHM = sympy.log(X) + SD * NOISE
"""ω for ψ = ln."""


def logarithm_estimate() -> sympy.Expr:
    """x̃ for ψ = ln as a function of x, s and Z: x·exp(sZ − s²/2)."""
    return sympy.simplify(sympy.expand(unbiased_from_logarithm(BY_LOGARITHM, SD, SYM), exp=True))


@claim(
    "webb2025/thm-6.6-log-law",
    where="Section 6.1, Theorem 6.6",
    says="For ψ = ln, e^ω is log-normal with location ln x and scale γ²/μ².",
)
def exponential_of_answer_is_lognormal() -> Verdict:
    """e^ω has the density φ((ln y − ln x)/s)/(s·y), log-normal with location ln x and scale s = γ/μ: the
    scale is the standard deviation of the logarithm. Printed is its square, which is the squared scale;
    with γ/μ = 2 a scale of 4 would give the logarithm the variance 16 and not 4.
    """
    density = sympy.exp(gaussian.log_density(sympy.log(CHI), sympy.log(X), SD, SYM)) / CHI
    scale = SD
    lognormal = sympy.exp(-((sympy.log(CHI) - sympy.log(X)) ** 2) / (2 * scale**2))
    lognormal /= CHI * scale * sympy.sqrt(2 * sympy.pi)
    log_variance = variance(BY_LOGARITHM).subs(SD, 2)
    return misprint(
        symbolic.identity(
            density, lognormal, "the density of e^ω is log-normal with scale s = γ/μ"
        ),
        symbolic.identity(variance(BY_LOGARITHM), SD**2, "the variance of ω = ln e^ω"),
        exact.compare(
            int(log_variance), "!=", 4**2, "the variance of ω and the printed scale squared"
        ),
        reading="scale γ/μ",
        reading_is=Outcome.HOLDS,
        counterexample="γ/μ = 2: the printed scale 4 means Var ω = 16; it is 4",
        value="γ/μ",
    )


@claim(
    "webb2025/thm-6.6-log-mean",
    where="Section 6.1, Theorem 6.6",
    says="For ψ = ln, exp(ω − γ²/(2μ²)) is an unbiased estimate of x.",
)
def logarithm_estimate_is_unbiased() -> Verdict:
    """E e^(sZ) = e^(s²/2), so E exp(ln x + sZ − s²/2) = x."""
    return holds(symbolic.identity(mean(logarithm_estimate()), X, "E x̃ integrated over the noise"))


@claim(
    "webb2025/thm-6.6-log-var",
    where="Section 6.1, Theorem 6.6",
    says="For ψ = ln, the variance of x̃ is x²(−1 + exp(γ²/μ²)), and at x̃ it is a releasable estimate.",
)
def variance_of_logarithm_estimate() -> Verdict:
    """x̃² = x²·exp(2sZ − s²) has mean x²·exp(2s² − s²), so Var x̃ = x²(e^(s²) − 1). The estimate at x̃ is
    releasable, as a function of ω, but has mean e^(s²) times the variance; x̃²(1 − e^(−s²)) is unbiased.
    """
    estimate = logarithm_estimate()
    true = variance_from_logarithm(X, SD, SYM)
    return holds(
        symbolic.identity(variance(estimate), true, "Var x̃"),
        aside(
            symbolic.identity(
                mean(variance_from_logarithm(estimate, SD, SYM)),
                sympy.exp(SD**2) * true,
                "the mean of the estimate of the variance",
            )
        ),
        aside(
            symbolic.identity(
                mean(unbiased_variance_from_logarithm(estimate, SD, SYM)),
                true,
                "the mean of x̃²(1 − e^(−s²))",
            )
        ),
        condition="the estimate of the variance is biased upward by the factor e^(γ²/μ²)",
    )


@claim(
    "webb2025/thm-6.6-log-noncons",
    where="Section 6.1, Theorem 6.6",
    says="For ψ = ln, ṽ/v does not converge in probability as x → ∞.",
)
def variance_estimate_for_logarithm_is_not_consistent() -> Verdict:
    """ṽ/v = (x̃/x)² = exp(2sZ − s²) has the same law for every x. It is at most e^(−s²) with probability
    ½, and at least e^(2s − s²) with probability 1 − Φ(1), whatever x is: no constant, 1 among them, is
    its limit. (To a random variable it could converge, if the answers for all x shared one noise.)
    """
    ratio = variance_from_logarithm(logarithm_estimate(), SD, SYM) / variance_from_logarithm(
        X, SD, SYM
    )
    law = sympy.exp(2 * SD * NOISE - SD**2)
    return holds(
        symbolic.identity(ratio, law, "ṽ/v, in which x does not occur"),
        symbolic.identity(
            sympy.diff(sympy.log(law), NOISE).simplify(),
            2 * SD,
            "its logarithm increases with Z at rate",
        ),
        enclosure.compare(
            lambda c: 1 - normal.cdf(c.number(1), c),
            ">",
            enclosure.rational(Fraction(3, 20)),
            "the probability of Z ≥ 1, as that of Z ≤ 0 is one half",
        ),
        condition="no constant is the limit",
    )
