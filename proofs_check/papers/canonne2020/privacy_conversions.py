"""Conversions between pure, concentrated, Rényi and approximate privacy."""

from functools import partial
from typing import Any

from establish import Below, Equal, EveryPair, Real, Verdict, claim, guarantees, holds, repeats, solver
from establish.proofs_check.engine.rules import follows
from establish.spec.privacy_conversions import gaussian_to_concentrated, log_greatest_share

entered = partial(claim, origin="unread", where="Concentrated privacy")
RHO, ORDER = Real("ρ", above=0), Real("a", above=1)


def _zero(c: Any, *_: Any) -> Any:
    """A logarithm of which the solver is told that it is 0."""
    return c.log(c.number(1))


APPROXIMATE = EveryPair(
    RHO,
    Real("δ", above=0, below=1),
    has=guarantees.concentrated(lambda c, rho, d: rho),
    then=guarantees.approximate(lambda c, rho, d: rho + 2 * c.sqrt(rho * c.log(1 / d)), lambda c, rho, d: d),
)


@entered(
    "canonne2020/concentrated-is-approximate",
    says="ρ-zCDP implies (ρ + 2·√(ρ·ln(1/δ)), δ)-differential privacy for every δ > 0.",
    states=APPROXIMATE,
)
def concentrated_is_approximate() -> Verdict:
    """By the order 1 + √(ln(1/δ)/ρ). From δ = 1 on there is nothing to show."""
    hints = (_zero, lambda c, rho, d: c.log(1 / d))
    return holds(follows(APPROXIMATE, *hints, order=lambda c, rho, d: 1 + c.sqrt(c.log(1 / d) / rho)))


AT_LEVEL = EveryPair(
    RHO,
    Real("ε", above=lambda c, rho: rho),
    has=guarantees.concentrated(lambda c, rho, e: rho),
    then=guarantees.approximate(
        lambda c, rho, e: e, lambda c, rho, e: c.exp(-(e - rho) * (e - rho) / (4 * rho))
    ),
)


@entered(
    "canonne2020/delta-at-level",
    says="ρ-zCDP implies (ε, δ)-differential privacy with δ = e^(−(ε − ρ)²/(4ρ)) at every ε > ρ, by the "
    "order (ε + ρ)/(2ρ).",
    states=AT_LEVEL,
)
def delta_at_level() -> Verdict:
    """(a − 1)·(a·ρ − ε) = −(ε − ρ)²/(4ρ) at that order, and the greatest share is at most 1."""
    return holds(follows(AT_LEVEL, _zero, order=lambda c, rho, e: (e + rho) / (2 * rho)))


repeats(
    "canonne2020/greatest-share",
    where="Concentrated privacy",
    says="For a > 1 the greatest (1 − t)·t^(a − 1) over 0 < t < 1 is (1 − 1/a)^(a − 1)/a, by which a Rényi "
    "bound is turned into δ.",
    same_as="establish/greatest-share",
    origin="unread",
)

FORMS = Equal(
    ORDER, left=lambda c, a: log_greatest_share(a, c), right=lambda c, a: a * c.log(1 - 1 / a) - c.log(a - 1)
)


@entered(
    "canonne2020/two-forms-of-share",
    says="(1 − 1/a)^(a − 1)/a, by which a Rényi bound is turned into δ, is (1 − 1/a)^a/(a − 1).",
    states=FORMS,
)
def two_forms_of_share() -> Verdict:
    """1 − 1/a = (a − 1)/a."""
    return holds(solver.proves(FORMS, lambda c, a: c.log((a - 1) / a)))


IMPROVES = Below(ORDER, left=lambda c, a: log_greatest_share(a, c), right=0)


@entered(
    "canonne2020/improves",
    says="So δ = e^((a − 1)(r − ε))·(1 − 1/a)^(a − 1)/a is less than e^((a − 1)(r − ε)) at every a > 1.",
    states=IMPROVES,
)
def improves() -> Verdict:
    """Both factors are less than 1."""
    return holds(solver.proves(IMPROVES, _zero))


LEVELS = EveryPair(
    ORDER,
    Real("r", least=0),
    Real("δ", above=0, below=1),
    has=guarantees.renyi(lambda c, a, r, d: a, lambda c, a, r, d: r),
    then=guarantees.approximate(
        lambda c, a, r, d: r + c.log(1 - 1 / a) + (c.log(1 / d) - c.log(a)) / (a - 1), lambda c, a, r, d: d
    ),
)


@entered(
    "canonne2020/level-from-renyi",
    says="A Rényi bound r at order a gives δ at the level r + ln(1 − 1/a) + (ln(1/δ) − ln a)/(a − 1).",
    states=LEVELS,
)
def level_from_renyi() -> Verdict:
    """The logarithm of the δ by that order, solved for ε."""
    return holds(follows(LEVELS, _zero))


PURE = EveryPair(
    Real("ε", least=0),
    has=guarantees.pure(lambda c, e: e),
    then=guarantees.concentrated(lambda c, e: e * e / 2),
)


@entered("canonne2020/pure-is-concentrated", says="ε-differential privacy implies ε²/2-zCDP.", states=PURE)
def pure_is_concentrated() -> Verdict:
    """The least ρ is ε·tanh(ε/2), and tanh(ε/2) ≤ ε/2."""
    return holds(follows(PURE))


NORMAL = Equal(
    Real("d", above=0),
    Real("σ", above=0),
    left=lambda c, d, sd: gaussian_to_concentrated(d / sd, c),
    right=lambda c, d, sd: d * d / (2 * sd * sd),
)


@entered(
    "canonne2020/normal",
    says="Continuous Gaussian noise of variance σ² on a query of sensitivity Δ is Δ²/(2σ²)-zCDP, as "
    "discrete noise is.",
    states=NORMAL,
)
def normal() -> Verdict:
    """The least ρ of N(0, σ²) and N(Δ, σ²) is (Δ/σ)²/2."""
    return holds(solver.proves(NORMAL))
