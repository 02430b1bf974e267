"""The inequalities behind conversions: from pure ε and from Laplace noise to ρ, and from Rényi to (ε, δ);
divergences between laws of Laplace and of normal noise.
"""

from establish import (
    AtMost,
    HockeyStick,
    MaxDivergence,
    Moment,
    OfFiniteLaws,
    Real,
    RenyiOfDensities,
    claim,
    guarantees,
    rules,
)
from establish.proofs_check.engine.methods import solver, symbolic
from establish.proofs_check.engine.rules.substitution import obligations
from establish.proofs_check.engine.shared import shared
from establish.proofs_check.engine.statements import Comparison
from establish.proofs_check.engine.statements.statement import Formula
from establish.proofs_check.engine.verdicts import Evidence, Verdict, holds
from establish.spec.arithmetic import Number, World
from establish.spec.distributions.gaussian import Gaussian, cdf
from establish.spec.distributions.laplace import Laplace
from establish.spec.privacy_conversions import (
    concentrated_to_renyi,
    gaussian_to_concentrated,
    laplace_log_moment,
    laplace_moment,
    laplace_to_concentrated,
    log_greatest_share,
    log_moment,
    pure_to_concentrated,
    pure_to_renyi,
    randomized_response_delta,
)

PLACE = "Conversions between definitions of privacy"


def _below_sinh(c: World, epsilon: Number) -> Number:
    """2e^ε·(ε − sinh ε)."""
    return 1 - c.exp(2 * epsilon) + 2 * epsilon * c.exp(epsilon)


def _weight(c: World, epsilon: Number) -> Number:
    """What the second slope has besides, at order 1."""
    return 2 * epsilon / c.power(1 + c.exp(epsilon), 2)


WITHIN_RHO = AtMost(
    Real("ε", above=0),
    Real("a", least=1),
    left=lambda c, epsilon, a: log_moment(a, epsilon, c),
    right=lambda c, epsilon, a: (a - 1) * concentrated_to_renyi(a, pure_to_concentrated(epsilon, c), c),
)
"""(a − 1)·D_a ≤ (a − 1)·a·ρ for randomized response at ε and ρ = ε·tanh(ε/2)."""

PRODUCT = AtMost(Real("x", most=0), Real("y", above=0), left=0, right=lambda c, x, y: -x * y)


@shared
def within_rho() -> Evidence:
    """Three slopes in a: the third is positive, and the second is a positive multiple of sinh ε − ε at 1."""
    end, slope = rules.slope_obligations(WITHIN_RHO, "a")
    slope_end, second = rules.slope_obligations(slope, "a")
    second_end, third = rules.slope_obligations(second, "a")
    from_third = rules.slope_and_end(second, "a", _second_slope_at_1(second_end), solver.proves(third))
    from_second = rules.slope_and_end(slope, "a", solver.proves(slope_end), from_third)
    return rules.slope_and_end(WITHIN_RHO, "a", solver.proves(end), from_second)


def _second_slope_at_1(statement: Comparison) -> Evidence:
    values: dict[str, Formula] = {"x": _below_sinh, "y": _weight}
    product, below, weight = obligations(statement, PRODUCT, values)
    sinh = rules.slope_and_end(below, "ε", *map(solver.proves, rules.slope_obligations(below, "ε")))
    return rules.substitute(statement, PRODUCT, values, solver.proves(product), sinh, solver.proves(weight))


@claim(
    "establish/pure-is-within-rho",
    where=PLACE,
    says="Randomized response at ε has a Rényi divergence of at most a·ε·tanh(ε/2) at every order a.",
    states=WITHIN_RHO,
    thorough=True,
)
def pure_is_within_rho() -> Verdict:
    """Randomized response is the worst of all mechanisms with pure ε at every order
    (establish.spec.privacy_conversions), so that pure ε implies ρ = ε·tanh(ε/2).
    """
    return holds(within_rho())


def _shares(c: World, epsilon: Number, *_: Number) -> tuple[Number, Number]:
    """The two outputs of randomized response at ε: the bit that is told, and the other."""
    return c.exp(epsilon) / (1 + c.exp(epsilon)), 1 / (1 + c.exp(epsilon))


def _turned(c: World, *v: Number) -> tuple[Number, Number]:
    """The same of the other bit."""
    return _shares(c, *v)[::-1]


ATTAINED = (
    OfFiniteLaws(
        Real("ε", above=0),
        Real("a", above=1),
        first=_shares,
        second=_turned,
        has=guarantees.renyi(lambda c, e, a: a, lambda c, e, a: pure_to_renyi(a, e, c)),
    ),
    OfFiniteLaws(
        Real("ε", above=0),
        first=_shares,
        second=_turned,
        has=guarantees.mean_loss(lambda c, e: pure_to_concentrated(e, c)),
    ),
    OfFiniteLaws(
        Real("ε", above=0),
        Real("level", least=0),
        first=_shares,
        second=_turned,
        has=guarantees.approximate(
            lambda c, e, level: level, lambda c, e, level: randomized_response_delta(level, e, 0, c)
        ),
    ),
)


@claim(
    "establish/randomized-response-attains",
    where=PLACE,
    says="Randomized response at ε has the Rényi divergence, the mean loss and the δ at every level that "
    "pure ε implies.",
    states=ATTAINED,
)
def randomized_response_attains_what_pure_privacy_implies() -> Verdict:
    """Two outputs, one e^ε times as likely under the one bit and the other under the other."""
    shown = []
    for law, method in zip(ATTAINED, (symbolic.proves, solver.proves, solver.proves), strict=True):
        *laws, value = rules.of_outcomes(law)
        shown.append(rules.outcome_by_outcome(law, *map(solver.owed, laws), method(value)))
    return holds(*shown)


GREATEST_SHARE = AtMost(
    Real("a", above=1),
    Real("t", above=0, below=1),
    left=lambda c, a, t: c.log(1 - t) + (a - 1) * c.log(t),
    right=lambda c, a, t: log_greatest_share(a, c),
)
"""(1 − t)·t^{a − 1} is at most its value at t = 1 − 1/a."""


@claim(
    "establish/greatest-share",
    where=PLACE,
    says="For a > 1 and 0 < t < 1, (1 − t)·t^(a − 1) is at most (1 − 1/a)^(a − 1)/a.",
    states=GREATEST_SHARE,
)
def greatest_share() -> Verdict:
    """ln(x) ≤ x − 1 at x = a(1 − t) and at x = t/(1 − 1/a): the sum with weights 1 and a − 1 is 0. So much of
    a loss counts for δ (Canonne, Kamath and Steinke 2020, Proposition 12).
    """
    return holds(
        solver.proves(
            GREATEST_SHARE, lambda c, a, t: c.log(a * (1 - t)), lambda c, a, t: c.log(t / (1 - 1 / a))
        )
    )


LAPLACE = AtMost(
    Real("a", above=1),
    Real("ε", least=0),
    left=lambda c, a, e: laplace_log_moment(a, e, c),
    right=lambda c, a, e: (a - 1) * concentrated_to_renyi(a, laplace_to_concentrated(e, c), c),
)
"""(a − 1)·D_a ≤ (a − 1)·a·ρ for Laplace noise and ρ = ε + e^−ε − 1."""


def _bent(c: World, a: Number, epsilon: Number) -> Number:
    """Minus what the slope of `_raised` has as a factor: 0 at ε = 0, and with a slope of at most 0."""
    return 2 * a * c.exp((2 * a - 1) * epsilon) - (2 * a - 1) * c.exp(2 * a * epsilon) - 1


def _raised(c: World, a: Number, epsilon: Number) -> Number:
    """Minus what the slope of `LAPLACE` has as a factor."""
    kept = a * c.exp((2 * a - 2) * epsilon) + (a - 1) * c.exp(-epsilon)
    return kept - (a - 1) * c.exp((2 * a - 1) * epsilon) - a


def _as_product(statement: Comparison, factor: Formula, weight: Formula, inner: Evidence | None) -> Evidence:
    """0 ≤ −factor·weight, as the factor is 0 at ε = 0 and falls."""
    values: dict[str, Formula] = {"x": factor, "y": weight}
    product, below, positive = obligations(statement, PRODUCT, values)
    end, slope = rules.slope_obligations(below, "ε")
    falling = solver.proves(slope) if inner is None else inner
    shown = rules.slope_and_end(below, "ε", solver.proves(end), falling)
    return rules.substitute(
        statement, PRODUCT, values, solver.proves(product), shown, solver.proves(positive)
    )


def _laplace() -> Evidence:
    end, slope = rules.slope_obligations(LAPLACE, "ε")

    def weight(c: World, a: Number, epsilon: Number) -> Number:
        return a * (a - 1) / (a - 1 + a * c.exp((2 * a - 1) * epsilon))

    _, below, _ = obligations(slope, PRODUCT, {"x": _raised, "y": weight})
    _, inner = rules.slope_obligations(below, "ε")
    bent = _as_product(inner, _bent, lambda c, a, e: (a - 1) * c.exp(-e), None)
    return rules.slope_and_end(LAPLACE, "ε", solver.proves(end), _as_product(slope, _raised, weight, bent))


@claim(
    "establish/laplace-is-within-rho",
    where=PLACE,
    says="Laplace noise with answers ε scales apart has a Rényi divergence of at most a·(ε + e^(−ε) − 1) at "
    "every order a > 1.",
    states=LAPLACE,
)
def laplace_is_within_rho() -> Verdict:
    """With y = e^{(2a − 1)ε} and x = e^{−ε}, the slope in ε is a positive multiple of (a − 1)·y + a − a·y·x −
    (a − 1)·x. That is 0 at ε = 0, and its slope there (a − 1)·x times what is 0 at ε = 0 and rises.
    """
    return holds(_laplace())


MEAN_LOSS = Moment(
    Real("ε", above=0),
    law=lambda c, e: Laplace(c.number(0), c.number(1), c),
    of=lambda c, e, x: c.absolute(x - e) - c.absolute(x),
    depends=True,
    closed=lambda c, e: laplace_to_concentrated(e, c),
    breaks=(lambda c, e: c.number(0), lambda c, e: e),
)


@claim(
    "establish/mean-loss-of-laplace",
    where=PLACE,
    says="The mean privacy loss of Laplace noise with answers ε scales apart, its divergence of order 1, is "
    "ε + e^(−ε) − 1.",
    states=MEAN_LOSS,
)
def mean_loss_of_laplace() -> Verdict:
    """As D_a does not fall in a and tends to this as a tends to 1, no smaller ρ holds for Laplace noise."""
    return holds(symbolic.integrates(MEAN_LOSS))


MOMENT = Moment(
    Real("a", above=1),
    Real("ε", above=0),
    law=lambda c, a, e: Laplace(c.number(0), c.number(1), c),
    of=lambda c, a, e, x: c.exp(a * (c.absolute(x) - c.absolute(x - e))),
    depends=True,
    closed=lambda c, a, e: c.exp(laplace_log_moment(a, e, c)),
    breaks=(lambda c, a, e: c.number(0), lambda c, a, e: e),
)


@claim(
    "establish/moment-of-laplace",
    where=PLACE,
    says="E_Q[(P/Q)^a] of Laplace noise with answers ε scales apart is (a·e^((a − 1)ε) + (a − 1)·e^(−aε))/"
    "(2a − 1).",
    states=MOMENT,
)
def moment_of_laplace() -> Verdict:
    """Three pieces of exponentials (Mironov 2017)."""
    return holds(symbolic.integrates(MOMENT))


LAPLACE_IS_CONCENTRATED = RenyiOfDensities(
    Real("a", above=1),
    Real("ε", least=0),
    first=lambda c, a, e: Laplace(e, c.number(1), c),
    second=lambda c, a, e: Laplace(c.number(0), c.number(1), c),
    order=lambda c, a, e: a,
    most=lambda c, a, e: concentrated_to_renyi(a, laplace_to_concentrated(e, c), c),
    breaks=(lambda c, a, e: c.number(0), lambda c, a, e: e),
)


@claim(
    "establish/laplace-is-concentrated",
    where=PLACE,
    says="Laplace noise with answers ε ≥ 0 scales apart is (ε + e^(−ε) − 1)-zCDP: its Rényi divergence of "
    "every order a > 1 is at most a·(ε + e^(−ε) − 1).",
    states=LAPLACE_IS_CONCENTRATED,
    thorough=True,
)
def laplace_is_concentrated() -> Verdict:
    """The moment in three pieces of exponentials, and its logarithm below (a − 1)·a·ρ."""

    def moment(c: World, a: Number, epsilon: Number) -> Number:
        return laplace_moment(a, epsilon, c)

    mean, above, positive, _, *spread = rules.moment_of(LAPLACE_IS_CONCENTRATED, moment)
    shown = (symbolic.integrates(mean), solver.owed(above), solver.proves(positive), _laplace())
    return holds(rules.renyi_by_moment(LAPLACE_IS_CONCENTRATED, moment, *shown, *map(solver.proves, spread)))


LAPLACE_LOSS = MaxDivergence(
    Real("ε", least=0),
    first=lambda c, e: Laplace(e, c.number(1), c),
    second=lambda c, e: Laplace(c.number(0), c.number(1), c),
    most=lambda c, e: e,
    breaks=(lambda c, e: c.number(0), lambda c, e: e),
)


@claim(
    "establish/laplace-greatest-loss",
    where=PLACE,
    says="The max-divergence of Laplace noise with answers ε scales apart is at most ε.",
    states=LAPLACE_LOSS,
)
def laplace_greatest_loss() -> Verdict:
    """|x| − |x − ε| ≤ ε."""
    return holds(rules.greatest_loss(LAPLACE_LOSS, *map(solver.proves, rules.every_loss(LAPLACE_LOSS))))


NORMAL_DIVERGENCE = RenyiOfDensities(
    Real("μ", above=0),
    Real("s", above=0),
    Real("a", above=1),
    first=lambda c, mu, s, a: Gaussian(mu * s, s, c),
    second=lambda c, mu, s, a: Gaussian(c.number(0), s, c),
    order=lambda c, mu, s, a: a,
    relation="==",
    most=lambda c, mu, s, a: concentrated_to_renyi(a, gaussian_to_concentrated(mu, c), c),
    breaks=(lambda c, mu, s, a: c.number(0), lambda c, mu, s, a: mu * s, lambda c, mu, s, a: a * mu * s),
)


@claim(
    "establish/normal-divergence",
    where=PLACE,
    says="Normal noise with answers μ standard deviations apart has the Rényi divergence a·μ²/2 at every "
    "order a > 1: it is μ²/2-zCDP, and no less.",
    states=NORMAL_DIVERGENCE,
)
def normal_noise_divergence() -> Verdict:
    """p^a·q^(1−a) is a multiple of a normal density."""
    return holds(
        rules.renyi_of_normals(NORMAL_DIVERGENCE, *map(solver.owed, rules.of_normals(NORMAL_DIVERGENCE)))
    )


NORMAL_DELTA = HockeyStick(
    Real("μ", above=0),
    Real("ε", least=0),
    first=lambda c, mu, e: Gaussian(mu, c.number(1), c),
    second=lambda c, mu, e: Gaussian(c.number(0), c.number(1), c),
    level=lambda c, mu, e: e,
    relation="==",
    most=lambda c, mu, e: cdf(mu / 2 - e / mu, c) - c.exp(e) * cdf(-mu / 2 - e / mu, c),
    breaks=(lambda c, mu, e: c.number(0), lambda c, mu, e: mu, lambda c, mu, e: mu / 2 + e / mu),
)


@claim(
    "establish/normal-delta",
    where=PLACE,
    says="The least δ of normal noise with answers μ standard deviations apart is Φ(μ/2 − ε/μ) − "
    "e^ε·Φ(−μ/2 − ε/μ) at every level ε ≥ 0.",
    states=NORMAL_DELTA,
)
def normal_delta() -> Verdict:
    """The loss μ·x − μ²/2 passes ε at x = μ/2 + ε/μ (Balle and Wang 2018)."""

    def threshold(c: World, mu: Number, epsilon: Number) -> Number:
        return mu / 2 + epsilon / mu

    below, above, beyond, *spread = rules.beyond_threshold(NORMAL_DELTA, threshold)
    shown = (solver.proves(below), solver.proves(above), symbolic.proves(beyond))
    return holds(rules.one_threshold(NORMAL_DELTA, threshold, *shown, *map(solver.proves, spread)))
