"""Gaussian indistinguishability: the trade-off function, composition, groups, and (ε, δ).

Two output laws P, Q are μ-Gaussian indistinguishable when Q(S) ≤ G_μ(P(S)) and P(S) ≤ G_μ(Q(S)) for
every event S, with G_μ(x) = Φ(Φ⁻¹(x) + μ): telling them apart is at least as hard as telling N(0, 1)
from N(μ, 1) (Dong, Roth, Su 2022; Webb et al. 2025, Definition 3.1, with G = 1 − trade-off function).
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce

from establish.spec.arithmetic import MP, Number, World
from establish.spec.distributions.gaussian import cdf, quantile
from establish.spec.parameters import ParameterError, Rational, exact, nonnegative, positive, probability

STEPS = 200
"""Halvings of an interval of length 2^k in the conversions back from (ε, δ): over 50 digits."""


def trade_off(x: Rational, mu: Rational, c: World = MP) -> Number:
    """G_μ(x) = Φ(Φ⁻¹(x) + μ), the greatest true positive rate at false positive rate x.

    x in [0, 1] (0 ↦ 0, 1 ↦ 1), μ ≥ 0. Raises ParameterError outside.
    """
    rate, level = exact("x", x), nonnegative("mu", mu)
    if rate in (0, 1):
        return c.number(rate)
    return cdf(quantile(probability("x", rate), c) + c.number(level), c)


def composed_square(mus: Sequence[Rational]) -> Fraction:
    """μ² of the adaptive composition of μ_1, μ_2, …: Σμ_i², exactly (Theorem 5.7).

    Raises ParameterError for a μ_i below 0.
    """
    return sum((nonnegative("mu", mu) ** 2 for mu in mus), Fraction(0))


def total(mus: Sequence[Number], c: World) -> Number:
    """√(Σμ_i²) for budgets μ_i ≥ 0 that are numbers of the world."""
    return c.sqrt(reduce(lambda spent, mu: added(spent, mu, c), mus, c.number(0)))


def added(spent: Number, mu: Number, c: World) -> Number:
    """Σμ_i² after one release more, of the budget μ, where it was ``spent`` before."""
    return spent + c.power(mu, 2)


def composed(mus: Sequence[Rational], c: World = MP) -> Number:
    """μ = √(Σμ_i²), for rationals. Raises ParameterError for a μ_i below 0."""
    return total([c.number(nonnegative("mu", mu)) for mu in mus], c)


def raised(z: Number, mu: Number, c: World) -> Number:
    """G_μ(Φ(z)) = Φ(z + μ): the trade-off function at x = Φ(z), for numbers of the world."""
    return cdf(z + mu, c)


def group(mu: Rational, changes: int) -> Fraction:
    """μ for datasets that are ``changes`` ≥ 0 neighbor steps apart: changes·μ (Remark 5.8)."""
    if changes < 0:
        raise ParameterError(f"changes = {changes} is not allowed: it must be at least 0")
    return nonnegative("mu", mu) * changes


def privacy_curve(epsilon: Number, mu: Number, c: World) -> Number:
    """δ(ε) = Φ(μ/2 − ε/μ) − e^ε·Φ(−μ/2 − ε/μ), the least δ at which N(0, 1) and N(μ, 1) are (ε, δ)-
    indistinguishable, for ε ≥ 0 and μ > 0 that are numbers of the world (Dong, Roth, Su 2022, Corollary
    2.13; Balle and Wang 2018, Theorem 8, with μ for Δ/σ).
    """
    return cdf(mu / 2 - epsilon / mu, c) - c.exp(epsilon) * cdf(-mu / 2 - epsilon / mu, c)


def delta(epsilon: Rational, mu: Number, c: World = MP) -> Number:
    """The privacy curve at a rational ε ≥ 0. μ: a rational above 0, or a number of the world ``c``.

    Raises ParameterError outside. The two terms cancel: the error is absolute, about e^ε·10^−60 in MP.
    """
    level = exact("epsilon", epsilon)
    if level < 0:
        raise ParameterError(f"epsilon = {epsilon} is not allowed: it must be at least 0")
    scale = c.number(positive("mu", mu)) if isinstance(mu, (int, str, float, Fraction)) else mu
    return privacy_curve(c.number(level), scale, c)


def least_mu(epsilon: Rational, target: Rational) -> Number:
    """The μ > 0 at which δ(ε) is the ``target`` in (0, 1); every smaller μ implies (ε, target).

    δ increases with μ from 0 to 1, so halving finds it. ε ≥ 0.
    """
    goal = MP.number(probability("delta", target))
    high = MP.number(1)
    while delta(epsilon, high) < goal:
        high = high * 2
    low = MP.number(0)
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if delta(epsilon, middle) < goal else (low, middle)
    return (low + high) / 2


def least_step_error(mu: Number, pairs: int, c: World) -> Number:
    """2·Σ Φ(−(k+1/2)μ) over k < ``pairs``, which as pairs grow tends to the mean absolute error, in steps, of
    normal noise of standard deviation 1/μ rounded to whole steps; ours.
    """
    half, total_share = c.number(mu) / 2, c.number(0)
    for k in range(pairs):
        total_share += cdf(-(2 * k + 1) * half, c)
    return 2 * total_share


def normal_error(mu: Number, c: World) -> Number:
    """√(2/π)/μ, the mean absolute value of normal noise of standard deviation 1/μ."""
    return c.sqrt(2 / c.pi) / c.number(mu)
