"""Lemma 8.2, Theorem 8.3 and their proofs: bias and error of Log-Laplace."""

from __future__ import annotations

from fractions import Fraction
from math import factorial

import sympy

from establish.proofs_check.engine.methods import enclosure, exact, symbolic
from establish.proofs_check.engine.register import claim
from establish.proofs_check.engine.verdicts import (
    Evidence,
    Outcome,
    Verdict,
    holds,
    ill_posed,
    misprint,
)
from establish.spec.arithmetic import SYM, Number, World
from establish.spec.distributions import laplace, log_laplace

X, GAMMA = sympy.symbols("x gamma", positive=True)
ETA = sympy.Symbol("eta", positive=True)
ETA_REAL = sympy.Symbol("eta", real=True)
ROOM = sympy.Symbol("t", positive=True)

SMALL = 1 / (1 + ROOM)
"""Every λ in (0, 1), as t runs over the positive numbers."""

SMALLER = 1 / (2 + ROOM)
"""Every λ in (0, 1/2)."""


def _expectation_of_exponential(k: int, scale: sympy.Expr) -> sympy.Expr:
    """E e^(kη) for η ~ Laplace(scale), integrated from the density."""
    weight = sympy.exp(-ETA / scale) / (2 * scale)
    branches = (sympy.exp(k * ETA) + sympy.exp(-k * ETA)) * weight
    return sympy.simplify(sympy.integrate(sympy.expand(branches), (ETA, 0, sympy.oo)))


def _exponential_moment(k: int, scale: sympy.Expr, domain: str) -> Evidence:
    return symbolic.identity(
        _expectation_of_exponential(k, scale),
        laplace.exponential_moment(k, scale),
        f"E e^({k}η) integrated over the density, for {domain}",
    )


def _diverges(k: int) -> Evidence:
    """At kλ ≥ 1 the integrand (1/2λ)·e^((k−1/λ)η) is at least 1/(2λ) for all η > 0."""
    excess = sympy.Symbol("excess", nonnegative=True)
    scale = (1 + excess) / k
    exponent = sympy.simplify(k - 1 / scale)
    return symbolic.identity(
        exponent,
        k * excess / (1 + excess),
        f"the exponent {k} − 1/λ is nonnegative when {k}λ = 1 + excess ≥ 1, so the integral is infinite",
    )


@claim(
    "haney2017/lemma-8.2",
    where="Section 8.1, Lemma 8.2",
    says="For λ < 1, E[x̃] + γ = (x + γ)/(1 − λ²).",
)
def mean_of_log_laplace() -> Verdict:
    """x̃ + γ = (x+γ)·e^η, so E[x̃] + γ = (x+γ)·E e^η. Integrating e^η against the Laplace density gives
    ½/(1−λ) + ½/(1+λ) = 1/(1−λ²) for λ < 1. The bias is therefore (x+γ)·λ²/(1−λ²).
    """
    return holds(
        _exponential_moment(1, SMALL, "λ < 1"),
        symbolic.identity(
            log_laplace.bias(X, GAMMA, SMALL),
            (X + GAMMA) / (1 - SMALL**2) - GAMMA - X,
            "the bias, against the lemma",
        ),
        value="bias (x + γ)·λ²/(1 − λ²)",
        condition="x > −γ, which every count satisfies",
    )


@claim(
    "haney2017/lemma-8.2-infinite",
    where="Section 8.1, Lemma 8.2",
    says="For λ ≥ 1, E[x̃] is unbounded.",
)
def mean_is_infinite_for_large_noise() -> Verdict:
    """For λ ≥ 1 the upper half of the integral for E e^η has an integrand that never falls below
    1/(2λ), so E e^η = +∞; the lower half is finite. Hence E[x̃] = +∞ for every x > −γ.
    """
    return holds(_diverges(1), value="E[x̃] = +∞", condition="x > −γ")


@claim(
    "haney2017/lemma-8.2-domain",
    where="Section 8.1, Lemma 8.2",
    says="Lemma 8.2 is about an arbitrary real number x.",
)
def mean_needs_a_count_above_the_shift() -> Verdict:
    """Algorithm 1 takes ln(n+γ), which is undefined for x ≤ −γ. Every count x ≥ 0 is allowed."""
    alpha = Fraction(1, 10)
    return ill_posed(
        exact.compare(-11 + 1 / alpha, "<", 0, "at x = −11 and α = 1/10 the argument x + γ of ln"),
        exact.compare(0 + 1 / alpha, ">", 0, "at x = 0 it is positive"),
        condition="x > −γ",
        counterexample="x = −11, α = 1/10: ln(−11 + 10) = ln(−1) is not a real number",
    )


@claim(
    "haney2017/lemma-8.2-proof-factorial",
    where="Appendix B, proof of Lemma 8.2",
    says="The even moments of Laplace(λ) are printed as E[η^(2n)] = 2n!·λ^(2n).",
)
def even_moments_of_laplace() -> Verdict:
    """∫ η^(2n)·e^(−|η|/λ)/(2λ) dη = (2n)!·λ^(2n). As printed, 2·(n!)·λ^(2n), it is right at n = 1 only."""
    scale = sympy.Symbol("lambda", positive=True)
    integrals = [
        symbolic.identity(
            sympy.integrate(ETA ** (2 * n) * sympy.exp(-ETA / scale) / scale, (ETA, 0, sympy.oo)),
            laplace.absolute_moment(2 * n, scale),
            f"E η^{2 * n}",
        )
        for n in (1, 2, 3)
    ]
    n = sympy.Symbol("n", integer=True, positive=True)
    every_order = symbolic.identity(
        sympy.integrate(ETA ** (2 * n) * sympy.exp(-ETA), (ETA, 0, sympy.oo)),
        sympy.gamma(2 * n + 1),
        "the moment of every order at λ = 1 is (2n)!",
    )
    return misprint(
        every_order,
        *integrals,
        exact.compare(
            2 * factorial(2), "!=", factorial(4), "at n = 2 the printed 2·n! is not (2n)!"
        ),
        reading="(2n)!·λ^(2n)",
        reading_is=Outcome.HOLDS,
        counterexample="n = 2, λ = 1: E η⁴ = 4! = 24, not 2·2! = 4",
        value="(2n)!·λ^(2n)",
    )


@claim(
    "haney2017/lemma-8.2-proof-sum",
    where="Appendix B, proof of Lemma 8.2",
    says="E[x̃] = −γ + (x+γ)·Σ λ^(2n), with the sum printed from n = 1.",
)
def series_starts_at_zero() -> Verdict:
    """M(1) = 1 + Σ_{n≥1} λ^(2n) = Σ_{n≥0} λ^(2n) = 1/(1−λ²). From n = 1 the sum is λ²/(1−λ²), which
    loses the term 1; the next printed line is right again.
    """
    from_one = sympy.simplify(SMALL**2 / (1 - SMALL**2))
    half = Fraction(1, 2)
    return misprint(
        symbolic.identity(1 + from_one, 1 / (1 - SMALL**2), "the sum from n = 0"),
        exact.compare(
            half**2 / (1 - half**2), "!=", 1 / (1 - half**2), "at λ = 1/2 the two sums differ"
        ),
        reading="the sum from n = 0",
        reading_is=Outcome.HOLDS,
        counterexample="λ = 1/2: Σ from 1 is 1/3, but 1/(1−λ²) = 4/3",
    )


@claim(
    "haney2017/thm-8.3",
    where="Section 8.1, Theorem 8.3, equation 9",
    says="For λ < 1/2, max over D of (x − x̃)²/x² is at most (2λ²+4λ⁴)(1+γ)²/((1−4λ²)(1−λ²)).",
)
def relative_error_of_log_laplace() -> Verdict:
    """The left side lacks the expectation over the noise (without it the quantity is random and
    unbounded), and a data set with x = 0 divides by zero. With E and x ≥ 1 it is an equality at x = 1:
    E(x−x̃)²/x² = ((x+γ)/x)²·(2λ²+4λ⁴)/((1−4λ²)(1−λ²)), and (x+γ)/x = 1 + γ/x decreases in x.
    """
    k = sympy.Symbol("k", nonnegative=True)
    error = log_laplace.mean_squared_error(X, GAMMA, SMALLER)
    bound = _relative_error_constant(SMALLER) * (1 + GAMMA) ** 2
    room = sympy.factor((1 + GAMMA) - (1 + GAMMA / (1 + k)))
    return ill_posed(
        _exponential_moment(1, SMALLER, "λ < 1/2"),
        _exponential_moment(2, SMALLER, "λ < 1/2"),
        symbolic.identity(error.subs(X, 1), bound, "at x = 1 the error equals the bound"),
        symbolic.identity(
            error / X**2, _relative_error_constant(SMALLER) * (1 + GAMMA / X) ** 2, "for every x"
        ),
        symbolic.identity(room, GAMMA * k / (1 + k), "(1+γ) − (1+γ/x) at x = 1 + k, nonnegative"),
        condition="an expectation over the noise on the left, and x ≥ 1 for every D "
        "(then the bound is attained at x = 1)",
        counterexample="x = 0: (0 − x̃)²/0² is undefined",
        value="(2λ²+4λ⁴)(1+γ)²/((1−4λ²)(1−λ²))",
    )


def _relative_error_constant(scale: Number) -> Number:
    """The printed closed form of E((y−ỹ)²/y²)."""
    return (2 * scale**2 + 4 * scale**4) / ((1 - 4 * scale**2) * (1 - scale**2))


@claim(
    "haney2017/thm-8.3-proof",
    where="Appendix B, proof of Theorem 8.3",
    says="E((y−ỹ)²/y²) = 1/(1−4λ²) − 2/(1−λ²) + 1 = (2λ²+4λ⁴)/((1−4λ²)(1−λ²)) for y = x+γ.",
)
def relative_error_in_shifted_counts() -> Verdict:
    """Expand the square: E e^(2η) − 2·E e^η + 1, with both moments integrated from the density."""
    expanded = (
        _expectation_of_exponential(2, SMALLER) - 2 * _expectation_of_exponential(1, SMALLER) + 1
    )
    return holds(
        symbolic.identity(expanded, _relative_error_constant(SMALLER), "the closed form"),
        symbolic.identity(
            log_laplace.mean_squared_error(X, GAMMA, SMALLER),
            (X + GAMMA) ** 2 * _relative_error_constant(SMALLER),
            "the mean squared error of x̃",
        ),
        value="(2λ²+4λ⁴)/((1−4λ²)(1−λ²))",
        condition="λ < 1/2",
    )


@claim(
    "haney2017/thm-8.3-infinite",
    where="Section 8.1, Theorem 8.3",
    says="The squared relative error is bounded when λ < 1/2 (and the condition is needed).",
)
def squared_error_is_infinite_from_one_half() -> Verdict:
    """For 2λ ≥ 1, E e^(2η) = +∞ while E e^η enters with a finite or smaller infinite weight: for
    1/2 ≤ λ < 1 the mean is finite, so E(y−ỹ)² = +∞; a finite second moment at λ ≥ 1 would force a finite
    mean, which Lemma 8.2 excludes.
    """
    return holds(_diverges(2), _diverges(1), value="infinite exactly for λ ≥ 1/2")


@claim(
    "haney2017/alg-1-l1-error",
    where="Section 8.1, Definition 2.5 for Algorithm 1",
    says="The expected L1 error of Algorithm 1 is (x+γ)·λ/(1−λ²) for λ < 1 and infinite otherwise.",
)
def expected_absolute_error_of_log_laplace() -> Verdict:
    """E|x̃−x| = (x+γ)·E|e^η−1|; the two halves of the Laplace law give ½(1/(1−λ)−1) + ½(1−1/(1+λ)). The
    paper does not state it; it is the error measure that the paper uses.
    """
    weight = sympy.exp(-ETA / SMALL) / (2 * SMALL)
    above = sympy.integrate(sympy.expand((sympy.exp(ETA) - 1) * weight), (ETA, 0, sympy.oo))
    below = sympy.integrate(sympy.expand((1 - sympy.exp(-ETA)) * weight), (ETA, 0, sympy.oo))
    return holds(
        symbolic.identity(
            (X + GAMMA) * (above + below),
            log_laplace.mean_absolute_error(X, GAMMA, SMALL),
            "E|x̃ − x| integrated over the density",
        ),
        _diverges(1),
        value="(x + γ)·λ/(1 − λ²)",
    )


@claim(
    "haney2017/sec8.1-biased",
    where="Section 8.1",
    says="The Laplace mechanism is unbiased, the Log-Laplace mechanism is not.",
)
def log_laplace_is_biased() -> Verdict:
    """The Laplace law is symmetric about its center. Log-Laplace has bias (x+γ)·λ²/(1−λ²) > 0."""

    def bias(c: World) -> Number:
        return log_laplace.bias(c.number(0), c.number(10), c.log(c.number(Fraction(11, 10))))

    z = sympy.Symbol("z", real=True)
    density = sympy.exp(laplace.log_density(z, 0, 1, SYM))
    return holds(
        symbolic.identity(density.subs(z, -z), density, "the Laplace density is even"),
        enclosure.compare(bias, ">", enclosure.rational(0), "bias at x = 0, α = 1/10, ε = 2"),
        value="bias (x + γ)·λ²/(1 − λ²)",
    )


@claim(
    "haney2017/alg-1-support",
    where="Section 8.1, Algorithm 1",
    says="The output of Algorithm 1 is a noisy employment count.",
)
def log_laplace_can_be_negative() -> Verdict:
    """A noisy count is a real number here, as everywhere in the paper. It lies in (−γ, ∞) and can be
    negative: an empty cell gives a negative one with probability 1/2, down to −γ = −1/α.
    """
    alpha = Fraction(1, 10)
    count = sympy.Symbol("n", nonnegative=True)
    output = (count + 1 / alpha) * sympy.exp(ETA_REAL) - 1 / alpha
    half_below = symbolic.identity(
        log_laplace.cdf(sympy.Integer(0), 0, 1 / alpha, SMALL, SYM),
        sympy.Rational(1, 2),
        "P(output ≤ 0) for an empty cell",
    )
    return holds(
        half_below,
        symbolic.identity(
            sympy.limit(output, ETA_REAL, -sympy.oo), -1 / alpha, "the output as η falls, α = 1/10"
        ),
        symbolic.identity(
            sympy.diff(output, ETA_REAL),
            (count + 1 / alpha) * sympy.exp(ETA_REAL),
            "its slope in η, which is positive",
        ),
        value="support (−1/α, ∞)",
        condition="a real number, below 0 with probability 1/2 if the count is 0",
    )
