"""Admissible noise: what a slide and a dilation cost (Haney et al. 2017, Definition 8.3).

A law h is (a, b)-admissible for (ε1, ε2, δ) when every slide |Δ| ≤ a keeps P(Z∈S) ≤ e^ε1·P(Z∈S+Δ) + δ/2
and every dilation |λ| ≤ b keeps P(Z∈S) ≤ e^ε2·P(Z∈e^λ·S) + δ/2.
Irrational sides are compared by balls, so a tie of two of them counts as not admissible.
"""

from fractions import Fraction

from establish.spec.arithmetic import ARB, EXACT, Number, enclosing
from establish.spec.distributions import heavy_tailed, laplace
from establish.spec.parameters import ParameterError, Rational, positive, probability


def _at_most(left: Number, right: Fraction) -> bool:
    return bool(left <= ARB.number(right))


def heavy_tailed_is_admissible(
    a: Rational, b: Rational, epsilon_1: Rational, epsilon_2: Rational, gamma: Rational = 4
) -> bool:
    """Whether the law ∝ 1/(1+|z|^γ) is (a, b)-admissible with δ = 0, by its exact constants.

    All arguments > 0 and γ > 1. Raises ParameterError otherwise.
    """
    exponent = positive("gamma", gamma)
    if exponent <= 1:
        raise ParameterError(f"gamma = {gamma} is not allowed: there is such a law only for γ > 1")
    slide, dilation = positive("a", a), positive("b", b)
    if dilation * heavy_tailed.dilation_constant(exponent, EXACT) > positive("epsilon_2", epsilon_2):
        return False
    with enclosing():
        cost = ARB.number(slide) * heavy_tailed.sliding_constant(exponent, ARB)
        return _at_most(cost, positive("epsilon_1", epsilon_1))


def laplace_is_admissible(
    a: Rational, b: Rational, epsilon_1: Rational, epsilon_2: Rational, delta: Rational
) -> bool:
    """Whether Laplace(1) is (a, b)-admissible, for a, b, ε1, ε2 > 0, b ≤ ε2 and 0 < δ < 1.

    A slide costs its length and no δ. A contraction by e^−λ loses at most λ ≤ b ≤ ε2. A dilation by
    e^λ, λ > 0, exceeds ε2 by :func:`laplace.dilation_excess`, which rises with λ, so λ = b decides.
    Raises ParameterError outside that domain.
    """
    slide, dilation = positive("a", a), positive("b", b)
    allowed = positive("epsilon_2", epsilon_2)
    if dilation > allowed:
        raise ParameterError(f"b = {b} is not allowed: b must be at most epsilon_2 = {epsilon_2}")
    half = probability("delta", delta) / 2
    with enclosing():
        excess = laplace.dilation_excess(ARB.number(dilation), ARB.number(allowed), ARB)
        return slide <= positive("epsilon_1", epsilon_1) and _at_most(excess, half)
