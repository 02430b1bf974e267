"""Quantiles are those of the distribution functions."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from establish import Every, ParameterError, Verdict, claim, exhaustive, holds
from establish.spec.arithmetic import MP
from establish.spec.distributions.heavy_tailed import HeavyTailed
from establish.spec.distributions.laplace import Laplace
from establish.spec.distributions.log_laplace import LogLaplace
from establish.spec.distributions.lomax import Lomax
from establish.spec.distributions.quantile import quantile, quantile_ball, require_share
from establish.spec.distributions.spreading_staircase import SpreadingStaircase
from establish.spec.gaussian import delta, least_mu

PLACE = "Quantiles of continuous laws"
SHARES = tuple(map(Fraction, ("1/1000000", "1/10", "1/2", "3/5", "999/1000")))

Case = tuple[str, Fraction]


def _law(name: str, c: Any) -> Any:
    center, scale = (c.number(Fraction(part)) for part in ("13/5", "7/3"))
    if name == "heavy-tailed":
        return HeavyTailed(center, scale, 4, c)
    if name == "laplace":
        return Laplace(center, scale, c)
    if name == "lomax":
        return Lomax(center, scale, c.number(Fraction(7, 2)), c.number(Fraction(5, 4)), c)
    if name == "spreading staircase":
        ends = Fraction(1, 4), Fraction(2, 5)
        return SpreadingStaircase(center, scale, Fraction(1, 10), Fraction(3, 2), *ends, c)
    return LogLaplace(center, scale, c.number(Fraction(1, 3)), c)


def _cases() -> Iterator[Case]:
    yield from product(("heavy-tailed", "laplace", "log-laplace", "lomax", "spreading staircase"), SHARES)


def _leaves_its_share_below(case: Case) -> bool:
    """|F(x) − p| < 10⁻⁴⁰ for the 50 digits."""
    name, p = case
    law, target = _law(name, MP), MP.number(p)
    tiny = MP.number(10) ** -40
    if name != "log-laplace" and abs(law.cdf(quantile(law, p)) - target) > tiny:
        return False
    return not hasattr(law, "quantile") or abs(law.cdf(law.quantile(target)) - target) < tiny


INVERTED = Every("law and share", _cases, _leaves_its_share_below)


def _shares() -> Iterator[Fraction]:
    yield from map(Fraction, ("-1/2", "0", "1/1000", "1/2", "999/1000", "1", "3/2"))


def _only_shares_between(p: Fraction) -> bool:
    asked = (
        lambda: require_share(p),
        lambda: quantile(_law("laplace", MP), p),
        lambda: quantile_ball(lambda c: _law("laplace", c), p),
    )
    for ask in asked:
        try:
            ask()
        except ParameterError:
            if 0 < p < 1:
                return False
        else:
            if not 0 < p < 1:
                return False
    return True


DOMAIN = Every("share", _shares, _only_shares_between)


def _levels() -> Iterator[tuple[Fraction, Fraction]]:
    yield from product(map(Fraction, ("0", "1/2", "3")), map(Fraction, ("1/1000", "1/10", "9/10")))


def _is_the_least_mu(case: tuple[Fraction, Fraction]) -> bool:
    """δ(ε) of the μ is the target to 40 digits, and δ rises with μ."""
    epsilon, target = case
    mu, goal = least_mu(epsilon, target), MP.number(target)
    tiny = MP.number(10) ** -40
    near = [delta(epsilon, mu * MP.number(Fraction(share, 1000))) for share in (999, 1001)]
    return bool(abs(delta(epsilon, mu) - goal) < tiny) and bool(near[0] < goal < near[1])


LEAST_MU = Every("ε and δ", _levels, _is_the_least_mu)


@claim(
    "establish/least-mu-has-its-delta",
    where="Gaussian indistinguishability as (ε, δ)",
    says="The μ that is found for (ε, δ) has exactly this δ at ε, a smaller one less.",
    states=LEAST_MU,
)
def least_mu_has_its_delta() -> Verdict:
    """The curve of webb2025 and of Dong, Roth and Su rises with μ, so that halving finds the one place."""
    return holds(exhaustive.each(LEAST_MU, "ε = 0, 1/2, 3 and δ = 1/1000, 1/10, 9/10"))


@claim(
    "establish/quantiles-invert-the-distribution-function",
    where=PLACE,
    says="The quantile at p leaves the share p below it to 40 digits, and only 0 < p < 1 is accepted.",
    states=(INVERTED, DOMAIN),
)
def quantiles_invert_the_distribution_function() -> Verdict:
    """For laws with a center and scale that are not 0 and 1, on both sides of the center."""
    return holds(
        exhaustive.each(INVERTED, "five laws, five shares from 10⁻⁶ to 0.999"),
        exhaustive.each(DOMAIN, "shares within, at and beyond 0 and 1"),
    )
