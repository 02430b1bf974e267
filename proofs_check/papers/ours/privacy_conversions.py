"""The inequalities behind two conversions: from pure ε to ρ, and from a Rényi divergence to (ε, δ)."""

from establish import AtMost, Evidence, Real, Verdict, claim, holds, solver
from establish.proofs_check.engine.rules import slope_and_end, slope_obligations, substitute
from establish.proofs_check.engine.rules.substitution import obligations
from establish.proofs_check.engine.shared import shared
from establish.proofs_check.engine.statements import Comparison
from establish.proofs_check.engine.statements.statement import Formula
from establish.spec.arithmetic import Number, World
from establish.spec.privacy_conversions import (
    concentrated_to_renyi,
    log_greatest_share,
    log_moment,
    pure_to_concentrated,
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
    end, slope = slope_obligations(WITHIN_RHO, "a")
    slope_end, second = slope_obligations(slope, "a")
    second_end, third = slope_obligations(second, "a")
    from_third = slope_and_end(second, "a", _second_slope_at_1(second_end), solver.proves(third))
    from_second = slope_and_end(slope, "a", solver.proves(slope_end), from_third)
    return slope_and_end(WITHIN_RHO, "a", solver.proves(end), from_second)


def _second_slope_at_1(statement: Comparison) -> Evidence:
    values: dict[str, Formula] = {"x": _below_sinh, "y": _weight}
    product, below, weight = obligations(statement, PRODUCT, values)
    sinh = slope_and_end(below, "ε", *map(solver.proves, slope_obligations(below, "ε")))
    return substitute(statement, PRODUCT, values, solver.proves(product), sinh, solver.proves(weight))


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
