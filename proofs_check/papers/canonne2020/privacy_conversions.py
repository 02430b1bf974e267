"""Conversions between pure, concentrated, Rényi and approximate privacy."""

from functools import partial
from typing import Any

from establish import AtMost, Below, Equal, Real, Verdict, claim, given, holds, repeats, solver
from establish.proofs_check.engine.rules import slope_and_end, slope_obligations, substitute
from establish.proofs_check.engine.rules.substitution import obligations
from establish.spec.privacy_conversions import (
    concentrated_to_renyi,
    gaussian_to_concentrated,
    log_greatest_share,
    pure_to_concentrated,
)

entered = partial(claim, origin="unread", where="Concentrated privacy")
RHO, ORDER = Real("ρ", above=0), Real("a", above=1)

APPROXIMATE = AtMost(
    RHO,
    Real("u", above=0),
    left=lambda c, rho, u: (
        u * (concentrated_to_renyi(1 + u, rho, c) - rho - 2 * u * rho) + log_greatest_share(1 + u, c)
    ),
    right=lambda c, rho, u: -u * u * rho,
)
"""ln of the δ at level ρ + 2·√(ρ·ℓ), by the order 1 + u, is at most −ℓ = ln δ, with ℓ written as u²·ρ."""


@entered(
    "canonne2020/concentrated-is-approximate",
    says="ρ-zCDP implies (ρ + 2·√(ρ·ln(1/δ)), δ)-differential privacy for every δ > 0.",
    states=APPROXIMATE,
)
def concentrated_is_approximate() -> Verdict:
    """u·(a·ρ − level) = −u²·ρ at the order a = 1 + u, and the greatest share is at most 1."""
    return holds(solver.proves(APPROXIMATE, lambda c, *_: c.log(c.number(1))))


AT_LEVEL = AtMost(
    RHO,
    Real("ε", above=lambda c, rho: rho),
    left=lambda c, rho, e: (
        (e - rho) / (2 * rho) * (concentrated_to_renyi((e + rho) / (2 * rho), rho, c) - e)
        + log_greatest_share((e + rho) / (2 * rho), c)
    ),
    right=lambda c, rho, e: -(e - rho) * (e - rho) / (4 * rho),
)


@entered(
    "canonne2020/delta-at-level",
    says="ρ-zCDP implies (ε, δ)-differential privacy with δ = e^(−(ε − ρ)²/(4ρ)) at every ε > ρ, by the "
    "order (ε + ρ)/(2ρ).",
    states=AT_LEVEL,
)
def delta_at_level() -> Verdict:
    """(a − 1)·(a·ρ − ε) = −(ε − ρ)²/(4ρ) at that order, and the greatest share is at most 1."""
    return holds(solver.proves(AT_LEVEL, lambda c, *_: c.log(c.number(1))))


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
    return holds(solver.proves(IMPROVES, lambda c, *_: c.log(c.number(1))))


LEVELS = Equal(
    ORDER,
    Real("r", least=0),
    Real("δ", above=0, below=1),
    left=lambda c, a, r, d: r + (log_greatest_share(a, c) - c.log(d)) / (a - 1),
    right=lambda c, a, r, d: r + c.log(1 - 1 / a) + (c.log(1 / d) - c.log(a)) / (a - 1),
)


@entered(
    "canonne2020/level-from-renyi",
    says="A Rényi bound r at order a gives δ at the level r + ln(1 − 1/a) + (ln(1/δ) − ln a)/(a − 1).",
    states=LEVELS,
)
def level_from_renyi() -> Verdict:
    """The logarithm of the δ by that order, solved for ε."""
    return holds(solver.proves(LEVELS, lambda c, *_: c.log(c.number(1))))


CHORD = AtMost(
    Real("ε", least=0), left=lambda c, e: 2 * (c.exp(e) - 1), right=lambda c, e: e * (c.exp(e) + 1)
)
FRACTION = AtMost(
    Real("e", least=0),
    Real("x", least=1),
    left=lambda c, e, x: e * (x - 1) / (x + 1),
    right=lambda c, e, x: e * e / 2,
    given=[given(lambda c, e, x: 2 * (x - 1), "<=", lambda c, e, x: e * (x + 1))],
)
PURE = AtMost(Real("ε", least=0), left=lambda c, e: pure_to_concentrated(e, c), right=lambda c, e: e * e / 2)


@entered("canonne2020/pure-is-concentrated", says="ε-differential privacy implies ε²/2-zCDP.", states=PURE)
def pure_is_concentrated() -> Verdict:
    """The least ρ is ε·tanh(ε/2), and tanh(ε/2) ≤ ε/2: two slopes of ε·(e^ε + 1) − 2·(e^ε − 1)."""
    at_end, slope = slope_obligations(CHORD, "ε")
    inner = slope_and_end(slope, "ε", *map(solver.proves, slope_obligations(slope, "ε")))
    chord = slope_and_end(CHORD, "ε", solver.proves(at_end), inner)
    values: dict[str, Any] = {"e": lambda c, e: e, "x": lambda c, e: c.exp(e)}
    owed = obligations(PURE, FRACTION, values)
    pieces = [chord if one.identity == CHORD.identity else solver.proves(one) for one in owed]
    return holds(substitute(PURE, FRACTION, values, *pieces))


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
