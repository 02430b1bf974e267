"""Sections 2 to 4: the publishers, nonnegative attributes, and what related work is compared with."""

from fractions import Fraction

import sympy

from establish import Real, Verdict, aside, claim, enclosure, exact, fails, holds, solver, symbolic
from establish.proofs_check.engine.methods.enclosure import digits, rational
from establish.proofs_check.engine.rules import exceeding, no_constant
from establish.proofs_check.engine.statements import AtMost, Bounded, Equal, Moment
from establish.spec.arithmetic import ARB, SYM, Number, World, enclosing
from establish.spec.distributions.gaussian import Gaussian, cdf, log_density, quantile

C = Real("C")


def _gain(c: World, value: Number) -> Number:
    """C' = max(0, C)."""
    return c.maximum(c.number(0), value)


def _loss(c: World, value: Number) -> Number:
    """C'' = |min(0, C)|."""
    return c.absolute(-c.maximum(c.number(0), -value))


SPLIT = (
    AtMost(C, left=0, right=_gain),
    AtMost(C, left=0, right=_loss),
    Equal(C, left=lambda c, value: _gain(c, value) - _loss(c, value), right=lambda c, value: value),
)


SOME_LEVEL = Bounded(
    Real("o", least=0),
    left=lambda c, o: (
        log_density(-o, c.number(0), c.number(1), c) - log_density(-o, c.number(1), c.number(1), c)
    ),
    by=lambda c, o: c.number(1),
)
"""Normal noise of variance 1 for a count: its log-ratio between neighbors has a bound ε at all outputs −o. It
is 1/2-concentrated, so a definition that is based on concentrated privacy admits it at some level.
"""

_FAR_OUT = {"o": lambda c, level: level}


@claim(
    "webb2025/sec1-concentrated",
    where="Section 1: prior work based on concentrated DP (Bun and Steinke, 2016)",
    says="Haney et al. (2017) is based on concentrated differential privacy.",
    states=SOME_LEVEL,
    origin="implied",
)
def haney_et_al_build_on_pure_and_approximate_privacy() -> Verdict:
    """Definition 7.2 of Haney et al. bounds the likelihood ratio of every event by e^ε, Definition 9.1 up to
    δ: pure and approximate privacy, as Section 4 of the same paper says of them. Concentrated privacy bounds
    the growth of Rényi divergences and admits normal noise, whose ratio has no bound: at o the log-ratio of
    N(0, 1) and N(1, 1) is 1/2 − o. Haney et al. do not name it.
    """
    return fails(
        no_constant(SOME_LEVEL, _FAR_OUT, *map(solver.proves, exceeding(SOME_LEVEL, _FAR_OUT))),
        counterexample="N(0, 1) against N(1, 1): at the output −ε the log-ratio is ε + 1/2, for every ε; "
        "Section 4: 'They modified pure and approximate DP'",
        value="pure and approximate differential privacy",
    )


@claim(
    "webb2025/sec3-split",
    where="Section 3",
    says="A confidential attribute C that may be negative is the difference of C' = max(0, C) and "
    "C'' = |min(0, C)|, both nonnegative.",
    states=SPLIT,
)
def signed_attribute_splits_into_two() -> Verdict:
    """If C ≥ 0 then C' = C and C'' = 0; otherwise C' = 0 and C'' = −C. One of the two is always 0, so
    whether C is positive is only as hidden as 0 is in its interval: under √, [0, γ²].
    """
    return holds(*map(solver.proves, SPLIT))


SIGMA = Fraction(1, 2)
"""γ/μ in the example: γ = 1/2, μ = 1."""

ZETA = Fraction(1, 100)
"""The probability with which a bound may be too small."""


def _primitive(z: Number, t: Number, c: World) -> Number:
    """∫ (1 − (1+σ(z+τ))²)·φ(z) dz with σ = 1/2: (A + Bz + Cz²)φ has A·Φ − B·φ + C(Φ − zφ)."""
    z, half, quarter = c.number(z), c.number(SIGMA), c.number(SIGMA**2)
    density = c.exp(-z * z / 2) / c.sqrt(2 * c.pi)
    a, b, second = -t - t * t * quarter, -1 - t * half, -quarter
    return (a + second) * cdf(z, c) - (b + second * z) * density


def _shortfall(c: World) -> Number:
    """E[(1 − u)+] over −2 < Z+τ < 0, for one establishment of size 1."""
    t = quantile(1 - ZETA, c)
    return _primitive(-t, t, c) - _primitive(-2 - t, t, c)


def _clipped(c: World, size: Number, sd: Number, tau: Number, answer: Number) -> Number:
    """min(r, u), u being the square of the identity answer on the root and τ of its deviations."""
    bound = c.power(c.maximum(answer + sd * tau, c.number(0)), 2)
    return size + bound - c.maximum(size, bound)


CLIPPED_MEAN = Moment(
    Real("r", above=0),
    Real("γ/μ", above=0),
    Real("τ", least=0),
    law=lambda c, size, sd, tau: Gaussian(c.sqrt(size), sd, c),
    of=_clipped,
    closed=lambda c, size, sd, tau: size,
    breaks=[lambda c, size, sd, tau: -sd * tau, lambda c, size, sd, tau: c.sqrt(size) - sd * tau],
    depends=True,
)
"""What is summed of one establishment, ψ = √, has the mean r; the noise that is added has the mean 0."""


@claim(
    "webb2025/sec4-unbiased",
    where="Section 4",
    says="The pnc-mechanism provides unbiased query answers.",
    states=CLIPPED_MEAN,
)
def clipping_biases_downwards() -> Verdict:
    """It adds up min(r, u) ≤ r, and u < r with positive probability, ζ for one establishment and one
    attribute: the expected answer is below the truth. For ψ = √, γ = 1/2, μ = 1, ζ = 1/100 and one
    establishment of size r = 1: u = (1 + (Z+τ)/2)², so the shortfall is at least
    ∫ (1 − (1+(z+τ)/2)²)φ(z) dz over −2 < z+τ < 0. The bias is small where ζ is, but it is not 0.
    """
    z = sympy.Symbol("z", real=True)
    t = sympy.Symbol("t", positive=True)
    missing = (1 - (1 + (z + t) / 2) ** 2) * sympy.exp(-(z**2) / 2) / sympy.sqrt(2 * sympy.pi)
    with enclosing():
        value = digits(-_shortfall(ARB))
    return fails(
        exact.refuted(CLIPPED_MEAN, **{"r": 1, "γ/μ": SIGMA, "τ": Fraction(233, 100)}),
        symbolic.identity(sympy.diff(_primitive(z, t, SYM), z), missing, "the primitive"),
        enclosure.compare(_shortfall, ">", rational(0), "the expected shortfall"),
        aside(enclosure.compare(_shortfall, "<", rational(ZETA), "it is below ζ·r, the most that is lost")),
        counterexample="one establishment of size 1, ψ = √, γ = 1/2, μ = 1, ζ = 1/100: the mean of the "
        f"answer is below 1 by at least {value.lstrip('-')}",
        value=f"bias ≤ {value}",
        condition="unbiased given that no value was clipped, which has probability at least 1 − ζ",
    )
