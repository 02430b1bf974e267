"""Lemma 8.2 and Theorem 8.3: bias and error of Log-Laplace."""

from fractions import Fraction

import sympy

from establish import Evidence, SumOnIntegers, Verdict, claim, holds, solver, symbolic
from establish.proofs_check.engine.conventions import by_convention
from establish.proofs_check.engine.rules import does_not_fall, floors, steps_of_sum, telescoped
from establish.proofs_check.engine.shared import shared
from establish.proofs_check.engine.statements import AtMost, Below, Divergence, Diverges, Equal, Moment, Real
from establish.proofs_check.engine.statements.moments import Expectation
from establish.proofs_check.engine.statements.statement import Formula
from establish.proofs_check.engine.statements.variables import Variable
from establish.spec.arithmetic import Number, World
from establish.spec.distributions import laplace, log_laplace
from establish.spec.distributions.geometric import Geometric
from establish.spec.distributions.laplace import Laplace

ETA_REAL = sympy.Symbol("eta", real=True)


def law_of_eta(c: World, scale: Number, *_: Number) -> Laplace:
    """The noise on the logarithm."""
    return Laplace(c.number(0), scale, c)


def _output(c: World, scale: Number, gamma: Number, x: Number, eta: Number) -> Number:
    """x̃ as a function of the noise."""
    return (x + gamma) * c.exp(eta) - gamma


def _error(c: World, scale: Number, gamma: Number, x: Number, eta: Number) -> Number:
    return _output(c, scale, gamma, x, eta) - x


def cells(**bounds: int | Fraction) -> tuple[Variable, ...]:
    """λ within bounds, γ > 0 and a count x > −γ."""
    low = Real("x", above=lambda c, scale, gamma: -gamma)
    return Real("λ", **bounds), Real("γ", above=0), low


def _moment(of: Formula, closed: Formula, below: int | Fraction = 1) -> Expectation:
    return Moment(
        *cells(above=0, below=below),
        law=law_of_eta,
        of=of,
        closed=closed,
        breaks=[lambda c, *_: c.number(0)],
        depends=True,
    )


LAW = Equal(
    *cells(above=0),
    Real("η"),
    left=lambda c, scale, gamma, x, eta: (
        log_laplace.log_density(_output(c, scale, gamma, x, eta), x, gamma, scale, c)
        + c.log((x + gamma) * c.exp(eta))
    ),
    right=lambda c, scale, gamma, x, eta: laplace.log_density(eta, c.number(0), scale, c),
)
"""The density of the output times the slope of x̃ = (x+γ)·e^η − γ, which is positive, is the density of η: so
the law of Algorithm 1 is that of x̃.
"""

MEAN = _moment(_output, lambda c, scale, gamma, x: (x + gamma) / (1 - scale * scale) - gamma)
BIAS = Equal(
    *cells(above=0, below=1),
    left=lambda c, scale, gamma, x: log_laplace.bias(x, gamma, scale),
    right=lambda c, scale, gamma, x: (x + gamma) / (1 - scale * scale) - gamma - x,
)
ABSOLUTE_ERROR = _moment(
    lambda c, *v: c.absolute(_error(c, *v)),
    lambda c, scale, gamma, x: log_laplace.mean_absolute_error(x, gamma, scale),
)
SQUARED_ERROR = _moment(
    lambda c, *v: c.power(_error(c, *v), 2),
    lambda c, scale, gamma, x: log_laplace.mean_squared_error(x, gamma, scale),
    Fraction(1, 2),
)
INFINITE_MEAN = Diverges(*cells(least=1), law=law_of_eta, of=_output)
INFINITE_ERROR = Diverges(*cells(least=1), law=law_of_eta, of=lambda c, *v: c.absolute(_error(c, *v)))
INFINITE_SQUARE = Diverges(
    *cells(least=Fraction(1, 2)), law=law_of_eta, of=lambda c, *v: c.power(_error(c, *v), 2)
)


def _floor(c: World, scale: Number, gamma: Number, x: Number) -> Number:
    return (x + gamma) / (4 * scale)


def _infinite(statement: Divergence, floor: Formula, least: Formula = lambda c, *_: c.number(0)) -> Evidence:
    """From e^η ≥ 2 + 2γ/(x+γ) on the error is at least (x+γ)·e^η/2, and e^(kη)·p(η) ≥ 1/(2λ) for kλ ≥ 1."""

    def start(c: World, scale: Number, gamma: Number, x: Number) -> Number:
        return c.log(2 + 2 * gamma / (x + gamma))

    def parts(c: World, scale: Number, gamma: Number, x: Number, t: Number) -> None:
        factor, density = c.exp(t), c.exp(laplace.log_density(t, c.number(0), scale, c))
        for part in (
            *(factor * density, factor * factor * density, factor, density),
            *(c.number(1) / (2 * scale), 2 * scale),
        ):
            c.log(part)

    owed = floors(statement, start, floor, least)
    return does_not_fall(statement, start, floor, least, *(solver.proves(one, parts) for one in owed))


def infinite_mean_evidence() -> Evidence:
    """E[x̃] = +∞ for λ ≥ 1; x̃ itself is above −γ."""
    return _infinite(INFINITE_MEAN, _floor, lambda c, scale, gamma, x: -gamma)


@shared
def infinite_error_evidence() -> Evidence:
    """E|x̃ − x| = +∞ for λ ≥ 1."""
    return _infinite(INFINITE_ERROR, _floor)


@claim(
    "haney2017/lemma-8.2",
    where="Section 8.1, Lemma 8.2",
    says="For λ < 1, E[x̃] + γ = (x + γ)/(1 − λ²).",
    states=(MEAN, LAW),
    tight=BIAS,
)
def mean_of_log_laplace() -> Verdict:
    """x̃ + γ = (x+γ)·e^η, so E[x̃] + γ = (x+γ)·E e^η. Integrating e^η against the Laplace density gives
    ½/(1−λ) + ½/(1+λ) = 1/(1−λ²) for λ < 1. The bias is therefore (x+γ)·λ²/(1−λ²).
    """
    return holds(
        symbolic.integrates(MEAN),
        symbolic.proves(LAW),
        symbolic.proves(BIAS),
        value="bias (x + γ)·λ²/(1 − λ²)",
        condition="x > −γ, which every count satisfies",
    )


@claim(
    "haney2017/lemma-8.2-infinite",
    where="Section 8.1, Lemma 8.2",
    says="For λ ≥ 1, E[x̃] is unbounded.",
    states=(INFINITE_MEAN, LAW),
)
def mean_is_infinite_for_large_noise() -> Verdict:
    """For λ ≥ 1 the upper half of the integral for E e^η has an integrand that never falls below
    1/(2λ), so E e^η = +∞; the lower half is finite. Hence E[x̃] = +∞ for every x > −γ.
    """
    return holds(infinite_mean_evidence(), symbolic.proves(LAW), value="E[x̃] = +∞", condition="x > −γ")


def _relative_error_constant(scale: Number) -> Number:
    """The printed closed form of E((y−ỹ)²/y²)."""
    return (2 * scale**2 + 4 * scale**4) / ((1 - 4 * scale**2) * (1 - scale**2))


BELOW_THE_BOUND = AtMost(
    Real("λ", above=0, below=Fraction(1, 2)),
    Real("γ", above=0),
    Real("x", least=1),
    left=lambda c, scale, gamma, x: log_laplace.mean_squared_error(x, gamma, scale) / (x * x),
    right=lambda c, scale, gamma, x: _relative_error_constant(scale) * (1 + gamma) ** 2,
)
AT_ONE = Equal(
    Real("λ", above=0, below=Fraction(1, 2)),
    Real("γ", above=0),
    left=lambda c, scale, gamma: log_laplace.mean_squared_error(c.number(1), gamma, scale),
    right=lambda c, scale, gamma: _relative_error_constant(scale) * (1 + gamma) ** 2,
)


@claim(
    "haney2017/thm-8.3",
    where="Section 8.1, Theorem 8.3, equation 9",
    says="For λ < 1/2 the expected squared relative error, max over D of (x − x̃)²/x², is at most "
    "(2λ²+4λ⁴)(1+γ)²/((1−4λ²)(1−λ²)).",
    states=(SQUARED_ERROR, BELOW_THE_BOUND),
    tight=AT_ONE,
)
def relative_error_of_log_laplace() -> Verdict:
    """It is an equality at x = 1: E(x−x̃)²/x² = ((x+γ)/x)²·(2λ²+4λ⁴)/((1−4λ²)(1−λ²)), and (x+γ)/x = 1 +
    γ/x decreases in x. The display leaves out the E that the sentence says, and a count of 0 has no
    relative error.
    """
    return holds(
        symbolic.integrates(SQUARED_ERROR),
        solver.proves(BELOW_THE_BOUND),
        symbolic.proves(AT_ONE),
        value="(2λ²+4λ⁴)(1+γ)²/((1−4λ²)(1−λ²))",
        condition=by_convention("where defined", "haney2017"),
    )


def _expanded(c: World, scale: Number) -> Number:
    """The first printed form."""
    return 1 / (1 - 4 * scale**2) - 2 / (1 - scale**2) + 1


RELATIVE_ERROR = Moment(
    Real("λ", above=0, below=Fraction(1, 2)),
    Real("y", above=0),
    law=law_of_eta,
    of=lambda c, scale, y, eta: c.power((y - y * c.exp(eta)) / y, 2),
    closed=lambda c, scale, y: _expanded(c, scale),
    breaks=[lambda c, *_: c.number(0)],
    depends=True,
)
SECOND_MOMENT = Moment(
    *RELATIVE_ERROR.domain.variables,
    law=law_of_eta,
    of=lambda c, scale, y, eta: c.power(y * c.exp(eta), 2) / (y * y),
    closed=lambda c, scale, y: 1 / (1 - 4 * scale**2),
    breaks=[lambda c, *_: c.number(0)],
    depends=True,
)
"""E(ỹ²)/y²."""

POWER_SERIES = SumOnIntegers(
    Real("λ", above=0, below=Fraction(1, 2)),
    law=lambda c, scale: Geometric(0, 4 * scale**2, c),
    of=lambda c, scale, n: 1 if n >= 1 else 0,
    closed=lambda c, scale: 1 / (1 - 4 * scale**2) - 1,
)
"""1 + Σ_{n ≥ 1} (2λ)^(2n) = 1/(1 − 4λ²)."""

TWO_FORMS = Equal(
    Real("λ", above=0, below=Fraction(1, 2)),
    left=_expanded,
    right=lambda c, scale: _relative_error_constant(scale),
)


@claim(
    "haney2017/thm-8.3-proof",
    where="Appendix B, proof of Theorem 8.3",
    says="E((y−ỹ)²/y²) = 1/(1−4λ²) − 2/(1−λ²) + 1 = (2λ²+4λ⁴)/((1−4λ²)(1−λ²)) for y = x+γ, as E(ỹ²)/y² = "
    "E e^(2η) = 1 + Σ (2λ)^(2n) = 1/(1−4λ²).",
    states=(SECOND_MOMENT, POWER_SERIES, RELATIVE_ERROR, TWO_FORMS),
)
def relative_error_in_shifted_counts() -> Verdict:
    """Expand the square: E e^(2η) − 2·E e^η + 1, with both moments integrated from the density. From n = 1 on
    the terms r^n of the series, r = 4λ², are r^n/(1−r) − r^(n+1)/(1−r), and the others 0.
    """

    def tail(c: World, scale: Number, *_: Number) -> Number:
        return 1 / (1 - 4 * scale**2)

    def next_term(c: World, scale: Number, n: Number) -> None:
        weight = POWER_SERIES.tilted
        c.log(c.exp(weight(c, scale, n + 1) - weight(c, scale, n)))

    terms = tail, lambda c, *_: c.number(0), 0, tail, 1
    step, *others = steps_of_sum(POWER_SERIES, *terms)
    return holds(
        *map(symbolic.integrates, (SECOND_MOMENT, RELATIVE_ERROR)),
        telescoped(POWER_SERIES, *terms, solver.proves(step, next_term), *map(solver.owed, others)),
        symbolic.proves(TWO_FORMS),
        symbolic.integrates(SQUARED_ERROR),
        value="(2λ²+4λ⁴)/((1−4λ²)(1−λ²))",
        condition="λ < 1/2",
    )


@claim(
    "haney2017/thm-8.3-infinite",
    where="Section 8.1, Theorem 8.3",
    says="The squared relative error is bounded when λ < 1/2 (and the condition is needed).",
    states=(SQUARED_ERROR, INFINITE_SQUARE, LAW),
    origin="ours",
)
def squared_error_is_infinite_from_one_half() -> Verdict:
    """For λ < 1/2 it has the closed form of the proof. For 2λ ≥ 1 the integrand (x+γ)²·(e^η−1)²·p(η) does
    not fall below (x+γ)²/(8λ) from some η on.
    """
    return holds(
        symbolic.integrates(SQUARED_ERROR),
        _infinite(INFINITE_SQUARE, lambda c, scale, gamma, x: (x + gamma) * (x + gamma) / (8 * scale)),
        symbolic.proves(LAW),
        value="infinite exactly for λ ≥ 1/2",
    )


@claim(
    "haney2017/alg-1-l1-error",
    where="Section 8.1, Definition 2.5 for Algorithm 1",
    says="The expected L1 error of Algorithm 1 is (x+γ)·λ/(1−λ²) for λ < 1 and infinite otherwise.",
    states=(ABSOLUTE_ERROR, INFINITE_ERROR, LAW),
    tight=ABSOLUTE_ERROR,
    origin="ours",
)
def expected_absolute_error_of_log_laplace() -> Verdict:
    """E|x̃−x| = (x+γ)·E|e^η−1|; the two halves of the Laplace law give ½(1/(1−λ)−1) + ½(1−1/(1+λ)). The
    paper does not state it; it is the error measure that the paper uses.
    """
    return holds(
        symbolic.integrates(ABSOLUTE_ERROR),
        infinite_error_evidence(),
        symbolic.proves(LAW),
        value="(x + γ)·λ/(1 − λ²)",
    )


UNBIASED = Moment(
    Real("λ", above=0),
    Real("x"),
    law=lambda c, scale, x: Laplace(x, scale, c),
    of=lambda c, output: output,
    closed=lambda c, scale, x: x,
    breaks=[lambda c, scale, x: x],
)
"""The mean of the Laplace mechanism is the true count x."""

BIASED = Below(
    *cells(above=0, below=1), left=0, right=lambda c, scale, gamma, x: log_laplace.bias(x, gamma, scale)
)
"""That of Log-Laplace is larger, for all parameters and counts, where it is not infinite."""


@claim(
    "haney2017/sec8.1-biased",
    where="Section 8.1",
    says="The Laplace mechanism is unbiased, the Log-Laplace mechanism is not.",
    states=(UNBIASED, MEAN, LAW, BIAS, BIASED),
    tight=BIAS,
)
def log_laplace_is_biased() -> Verdict:
    """The Laplace law is symmetric about its center. Log-Laplace has bias (x+γ)·λ²/(1−λ²) > 0."""
    return holds(
        *map(symbolic.integrates, (UNBIASED, MEAN)),
        *map(symbolic.proves, (LAW, BIAS)),
        solver.proves(BIASED),
        value="bias (x + γ)·λ²/(1 − λ²)",
    )
