"""The least error of any mechanism for one establishment as its count grows, at five α and ε."""

from fractions import Fraction
from functools import partial

from establish import AtMost, UnsettledError, Verdict, claim, exact, holds
from establish.proofs_check.engine.rules import within_windows
from establish.proofs_check.engine.statements import Comparison, NoLimitBelow, NoSmallerLimit
from establish.proofs_check.limits.limit import enclosed
from establish.spec.mechanisms.growth_staircase import flat_part, large_error

POINTS = (
    ("1/10", "2", "0.40546427", "0.406114053"),
    ("1/10", "1", "0.918296126", "0.919031352"),
    ("1/20", "1", "0.936757637", "0.937507644"),
    ("1/100", "1/4", "3.97215450", "3.97294910"),
    ("1/5", "4", "0.12515557", "0.125961726"),
)
"""(α, ε) at which the limit is a claim, and both ends of it."""

Stated = tuple[NoLimitBelow, Comparison]


def stated(alpha: str, epsilon: str, lower: str, upper: str, delta: str | None = None) -> Stated:
    """That no mechanism has a limit below the lower end, and that Growth-Staircase has at most the upper."""
    α, ε = Fraction(alpha), Fraction(epsilon)
    return (
        NoSmallerLimit(α, ε, lower, delta),
        AtMost(left=lambda c: large_error(α, ε, *flat_part(α, ε), c), right=upper),
    )


def _at(about: Stated, value: str) -> Verdict:
    """No mechanism: a certificate, by the rule within_windows. This one: E|(1+α)^W − 1|/α is what E|out −
    n|/(αn) tends to, as from 1/α workers on the output is n·(1+α)^W, and the chance of less vanishes.
    """
    no_less, enough = about
    found = enclosed(no_less.alpha, no_less.epsilon)
    if found.certificate is None:
        raise UnsettledError(f"no certificate was found for: {no_less.text}")
    return holds(
        within_windows(no_less, found.certificate),
        exact.decided(enough),
        value=value,
        condition="one establishment, pure ε, n → ∞",
    )


for _alpha, _epsilon, _lower, _upper in POINTS:
    _about = stated(_alpha, _epsilon, _lower, _upper)
    claim(
        f"establish/limit/a{_alpha.replace('/', 'over')}-e{_epsilon.replace('/', 'over')}",
        where="The limit of the error",
        says=f"At α = {_alpha}, ε = {_epsilon} the least limit superior of E|out − n|/(αn) over all "
        "mechanisms that are (α, ε)-ER-EE private for one establishment of n workers lies between the bounds "
        "given, and Growth-Staircase has at most the upper one.",
        states=_about,
        tight=_about,
    )(partial(_at, _about, f"between {_lower} and {_upper}"))
