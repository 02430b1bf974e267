"""Conversions between pure, concentrated and approximate privacy."""

from functools import partial

from establish import AtMost, Real, Verdict, claim, holds, repeats, solver
from establish.spec.privacy_conversions import concentrated_to_renyi, log_greatest_share

entered = partial(claim, origin="unread")

APPROXIMATE = AtMost(
    Real("ρ", above=0),
    Real("u", above=0),
    left=lambda c, rho, u: (
        u * (concentrated_to_renyi(1 + u, rho, c) - rho - 2 * u * rho) + log_greatest_share(1 + u, c)
    ),
    right=lambda c, rho, u: -u * u * rho,
)
"""ln of the δ at level ρ + 2·√(ρ·ℓ), by the order 1 + u, is at most −ℓ = ln δ, with ℓ written as u²·ρ."""


@entered(
    "canonne2020/concentrated-is-approximate",
    where="Concentrated privacy",
    says="ρ-zCDP implies (ρ + 2·√(ρ·ln(1/δ)), δ)-differential privacy for every δ > 0.",
    states=APPROXIMATE,
)
def concentrated_is_approximate() -> Verdict:
    """u·(a·ρ − level) = −u²·ρ at the order a = 1 + u, and the greatest share is at most 1."""
    return holds(solver.proves(APPROXIMATE, lambda c, *_: c.log(c.number(1))))


repeats(
    "canonne2020/greatest-share",
    where="Concentrated privacy",
    says="For a > 1 the greatest (1 − t)·t^(a − 1) over 0 < t < 1 is (1 − 1/a)^(a − 1)/a, by which a Rényi "
    "bound is turned into δ.",
    same_as="establish/greatest-share",
    origin="unread",
)
