"""Thirteen statements of Balle and Wang (2018), and two that are false.

Borja Balle and Yu-Xiang Wang, "Improving the Gaussian Mechanism for Differential Privacy: Analytical
Calibration and Optimal Denoising", ICML 2018. D is the distance of two neighboring answers, σ the standard
deviation of the noise, and μ = D/σ.
"""

from establish import (
    AtMost,
    Equal,
    Moment,
    Real,
    claim,
    enclosure,
    exact,
    fails,
    holds,
    holds_loosely,
    rules,
    solver,
    symbolic,
)
from establish.spec.distributions.gaussian import Gaussian, cdf
from establish.spec.gaussian import privacy_curve

D, SIGMA = Real("D", above=0), Real("σ", above=0)
MU, EPSILON = Real("μ", above=0), Real("ε", least=0)


def loss(c, d, sigma, y):
    """The privacy loss at the output y: ln of the density around D over that around 0."""
    at_d, at_0 = Gaussian(d, sigma, c), Gaussian(c.number(0), sigma, c)
    return at_d.log_density(y) - at_0.log_density(y)


AFFINE = Equal(
    D, SIGMA, Real("y"), left=loss, right=lambda c, d, sigma, y: (2 * d * y - d * d) / (2 * sigma * sigma)
)


@claim(
    "balle-wang/loss", where="Section 2.1, Lemma 3", says="The loss is affine in the output.", states=AFFINE
)
def loss_is_affine():
    """The squares of y cancel."""
    return holds(symbolic.proves(AFFINE))


MEAN = Moment(
    D,
    SIGMA,
    law=lambda c, d, sigma: Gaussian(d, sigma, c),
    of=loss,
    depends=True,
    closed=lambda c, d, sigma: d * d / (2 * sigma * sigma),
)


@claim("balle-wang/mean", where="Section 2.1, Lemma 3", says="The loss has mean η = D²/(2σ²).", states=MEAN)
def loss_has_mean_eta():
    """It is affine, and the output has mean D."""
    return holds(symbolic.integrates(MEAN))


VARIANCE = Moment(
    D,
    SIGMA,
    law=lambda c, d, sigma: Gaussian(d, sigma, c),
    of=lambda c, d, sigma, y: c.power(loss(c, d, sigma, y) - d * d / (2 * sigma * sigma), 2),
    depends=True,
    closed=lambda c, d, sigma: d * d / (sigma * sigma),
)


@claim("balle-wang/variance", where="Section 2.1, Lemma 3", says="Its variance is 2η.", states=VARIANCE)
def loss_has_variance_two_eta():
    """The slope of the loss is D/σ², and the variance of the output σ²."""
    return holds(symbolic.integrates(VARIANCE))


def threshold(c, d, sigma, epsilon):
    """The output at which the loss is ε."""
    return d / 2 + epsilon * sigma * sigma / d


AT_THRESHOLD = Equal(
    D,
    SIGMA,
    EPSILON,
    left=lambda c, d, sigma, e: loss(c, d, sigma, threshold(c, d, sigma, e)),
    right=lambda c, d, sigma, e: e,
)
ABOVE = Equal(
    D,
    SIGMA,
    EPSILON,
    left=lambda c, d, sigma, e: 1 - Gaussian(d, sigma, c).cdf(threshold(c, d, sigma, e)),
    right=lambda c, d, sigma, e: cdf(d / (2 * sigma) - e * sigma / d, c),
)


@claim(
    "balle-wang/tail",
    where="Section 3, Lemma 6",
    says="The loss is ε or more with probability Φ(D/2σ − εσ/D).",
    states=(AFFINE, AT_THRESHOLD, ABOVE),
)
def upper_tail():
    """The loss rises in the output, so it is ε or more from the threshold on."""
    return holds(*map(symbolic.proves, (AFFINE, AT_THRESHOLD, ABOVE)))


BELOW = Equal(
    D,
    SIGMA,
    EPSILON,
    left=lambda c, d, sigma, e: 1 - Gaussian(c.number(0), sigma, c).cdf(threshold(c, d, sigma, e)),
    right=lambda c, d, sigma, e: cdf(-d / (2 * sigma) - e * sigma / d, c),
)


@claim(
    "balle-wang/other-tail",
    where="Section 3, Lemma 6",
    says="Under the other dataset that event has the probability Φ(−D/2σ − εσ/D).",
    states=(AT_THRESHOLD, BELOW),
)
def the_same_event_under_the_neighbor():
    """The same threshold, for noise around 0."""
    return holds(*map(symbolic.proves, (AT_THRESHOLD, BELOW)))


AT_ZERO = Equal(
    MU,
    left=lambda c, mu: privacy_curve(c.number(0), mu, c),
    right=lambda c, mu: c.erf(mu / c.sqrt(c.number(8))),
)


@claim("balle-wang/zero", where="Section 2.3", says="At ε = 0 the least δ is erf(μ/√8).", states=AT_ZERO)
def at_epsilon_zero():
    """Φ(μ/2) − Φ(−μ/2), and erf is odd."""
    return holds(symbolic.proves(AT_ZERO))


DELTA = Real("δ", least=0, most=1)


def at_half_delta(factor):
    """The mechanism with σ = D/(2δ), so μ = 2δ, is (0, factor·δ)-private."""
    return AtMost(
        DELTA,
        left=lambda c, delta: c.erf(2 * delta / c.sqrt(c.number(8))),
        right=lambda c, delta: factor(c) * delta,
    )


PRINTED, TIGHT = at_half_delta(lambda c: c.number(1)), at_half_delta(lambda c: c.sqrt(2 / c.pi))


def shrunk(c, delta):
    """What δ is at most by the slope of erf at 0."""
    return c.sqrt(2 / c.pi) * delta


def of_the_slope():
    """erf has its greatest slope at 0."""
    at_end, slope = rules.slope_obligations(TIGHT, "δ")
    return rules.slope_and_end(TIGHT, "δ", solver.proves(at_end), solver.proves(slope))


@claim(
    "balle-wang/zero-delta",
    where="Section 2, Theorem 2",
    says="With σ = D/(2δ) the mechanism is (0, δ)-private.",
    states=PRINTED,
    tight=TIGHT,
)
def noise_at_epsilon_zero():
    """The least δ at ε = 0 is erf(δ/√2), whose slope is at most √(2/π) = 0.797…"""
    last = rules.links(PRINTED, shrunk)[1]
    return holds_loosely(
        rules.chain(PRINTED, (shrunk,), of_the_slope(), solver.proves(last)), of_the_slope(), value="√(2/π)·δ"
    )


GROWS = AtMost(
    EPSILON,
    MU,
    Real("ν", least=lambda c, e, mu: mu),
    left=lambda c, e, mu, nu: privacy_curve(e, mu, c),
    right=lambda c, e, mu, nu: privacy_curve(e, nu, c),
)


def rising(statement, name):
    """The slope of a statement in one variable, and its case at the low end."""
    at_end, slope = rules.slope_obligations(statement, name)
    return rules.slope_and_end(statement, name, solver.proves(at_end), solver.proves(slope))


@claim("balle-wang/monotone", where="Section 3, Lemma 7", says="δ increases with D/σ.", states=GROWS)
def a_larger_distance_costs_more():
    """The slope in μ is the density of the noise at the threshold."""
    return holds(rising(GROWS, "ν"))


FALLS = AtMost(
    MU,
    EPSILON,
    Real("η", least=lambda c, mu, e: e),
    left=lambda c, mu, e, f: privacy_curve(f, mu, c),
    right=lambda c, mu, e, f: privacy_curve(e, mu, c),
)


@claim("balle-wang/falls", where="Section 3", says="δ falls as ε grows.", states=FALLS)
def a_larger_epsilon_costs_less():
    """The slope in ε is −e^ε·Φ(−μ/2 − ε/μ)."""
    return holds(rising(FALLS, "η"))


V, ABOVE_0 = Real("v", least=0), Real("ε", above=0)


def narrow(c, v):
    """α of Algorithm 1 where δ is at least δ(0)."""
    return c.sqrt(1 + v / 2) - c.sqrt(v / 2)


def wide(c, v):
    """α of Algorithm 1 where δ is less."""
    return c.sqrt(1 + v / 2) + c.sqrt(v / 2)


NARROW = Equal(
    ABOVE_0,
    V,
    left=lambda c, e, v: privacy_curve(e, c.sqrt(2 * e) / narrow(c, v), c),
    right=lambda c, e, v: cdf(c.sqrt(e * v), c) - c.exp(e) * cdf(-c.sqrt(e * (v + 2)), c),
)
WIDE = Equal(
    ABOVE_0,
    V,
    left=lambda c, e, v: privacy_curve(e, c.sqrt(2 * e) / wide(c, v), c),
    right=lambda c, e, v: cdf(-c.sqrt(e * v), c) - c.exp(e) * cdf(-c.sqrt(e * (v + 2)), c),
)
START = Equal(
    ABOVE_0,
    left=lambda c, e: privacy_curve(e, c.sqrt(2 * e), c),
    right=lambda c, e: cdf(c.number(0), c) - c.exp(e) * cdf(-c.sqrt(2 * e), c),
)


@claim(
    "balle-wang/b-plus",
    where="Section 3, Algorithm 1",
    says="With σ = αD/√(2ε) and α = √(1+v/2) − √(v/2) the least δ is B+(v).",
    states=NARROW,
)
def the_line_for_more_noise_than_needed_at_the_start():
    """1/α is √(1+v/2) + √(v/2), so that μ/2 − ε/μ = √(εv) and μ/2 + ε/μ = √(ε(v+2))."""
    return holds(solver.proves(NARROW))


@claim(
    "balle-wang/b-minus",
    where="Section 3, Algorithm 1",
    says="With α = √(1+v/2) + √(v/2) the least δ is B−(v).",
    states=WIDE,
)
def the_line_for_less_noise():
    """The same with the roots exchanged."""
    return holds(solver.proves(WIDE))


@claim(
    "balle-wang/start",
    where="Section 3, Algorithm 1",
    says="Both lines meet at v = 0, where δ = Φ(0) − e^ε·Φ(−√(2ε)).",
    states=START,
)
def where_the_search_starts():
    """α = 1."""
    return holds(symbolic.proves(START))


def classical(epsilon, delta):
    """The classical calibration, σ = D·√(2·ln(1.25/δ))/ε, for ε and δ in two ranges."""
    return AtMost(
        epsilon,
        delta,
        left=lambda c, e, d: privacy_curve(e, e / c.sqrt(2 * c.log(5 / (4 * d))), c),
        right=lambda c, e, d: d,
    )


ON_A_BOX = classical(Real("ε", least="1/4", most=1), Real("δ", least="1/1000", most="1/4"))
FOR_ALL = classical(Real("ε", above=0), Real("δ", above=0, below=1))


@claim(
    "balle-wang/classical",
    where="Section 2, Theorem 1, on a part of its domain",
    says="The classical calibration is (ε, δ)-private for 1/4 ≤ ε ≤ 1 and 1/1000 ≤ δ ≤ 1/4.",
    states=ON_A_BOX,
    origin="ours",
)
def the_classical_calibration_on_a_box():
    """The theorem is about all ε and δ between 0 and 1; balls decide a closed box, and this says no
    more.
    """
    return holds(enclosure.proves(ON_A_BOX))


@claim(
    "false/classical-everywhere",
    where="Section 2.2, in reverse",
    says="The classical calibration is (ε, δ)-private for every ε.",
    states=FOR_ALL,
)
def the_classical_calibration_for_large_epsilon():
    """At ε = 200 its noise is far too small."""
    return fails(exact.refuted(FOR_ALL, ε=200, δ="2/3"), counterexample="ε = 200, δ = 2/3")


NOTHING = AtMost(MU, left=lambda c, mu: privacy_curve(c.number(0), mu, c), right=0)


@claim("false/zero-zero", where="nowhere", says="The Gaussian mechanism is (0, 0)-private.", states=NOTHING)
def nothing_is_lost():
    """It was once shown by 1 < 2."""
    return fails(exact.refuted(NOTHING, μ=1), counterexample="μ = 1: δ = erf(1/√8) = 0.38…")
