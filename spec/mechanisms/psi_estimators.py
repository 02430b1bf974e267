"""What can be said about a sum x from ω = ψ(x) + N(0, s²), s = γ/μ (Webb et al. 2025, Section 6.1).

The formulas take the answer ω, the standard deviation s > 0 of the noise and a world.
"""

from __future__ import annotations

from establish.spec.arithmetic import Number, World
from establish.spec.mechanisms.clipped_inverse import clipped_inverse
from establish.spec.neighbor_functions.functions import NeighborFunction


def unbiased_from_root(answer: Number, sd: Number, c: World) -> Number:
    """x̃ = ω² − s² for ψ = √ (Theorem 6.6). Below 0 when |ω| < s."""
    return c.power(answer, 2) - c.power(sd, 2)


def variance_from_root(x: Number, sd: Number, c: World) -> Number:
    """The variance 2s²(2x + s²) of x̃ for ψ = √ (Theorem 6.6).

    At x = x̃ it is an unbiased estimate of the variance, and below 0 when ω² < s²/2.
    """
    square = c.power(sd, 2)
    return 2 * square * (2 * c.number(x) + square)


def unbiased_from_logarithm(answer: Number, sd: Number, c: World) -> Number:
    """x̃ = exp(ω − s²/2) for ψ = ln (Theorem 6.6)."""
    return c.exp(c.number(answer) - c.power(sd, 2) / 2)


def variance_from_logarithm(x: Number, sd: Number, c: World) -> Number:
    """The variance x²(e^(s²) − 1) of x̃ for ψ = ln (Theorem 6.6).

    At x = x̃ its mean is e^(s²) times the variance.
    """
    return c.power(x, 2) * (c.exp(c.power(sd, 2)) - 1)


def unbiased_variance_from_logarithm(estimate: Number, sd: Number, c: World) -> Number:
    """x̃²(1 − e^(−s²)), an unbiased estimate of the variance of x̃ for ψ = ln (not in the paper)."""
    return c.power(estimate, 2) * (1 - c.exp(-c.power(sd, 2)))


def confidence_interval(
    psi: NeighborFunction, answer: Number, sd: Number, z: Number, c: World
) -> tuple[Number, Number]:
    """ψ⁻¹ of ω − z·s and of ω + z·s, each first raised to ψ(0) where it lies below (Section 6.1).

    z > 0. For x > 0 it contains x with the probability that |N(0, 1)| ≤ z, for ψ(x) = ψ(0) with the
    greater probability that N(0, 1) ≤ z.
    """
    half = c.number(z) * sd
    return clipped_inverse(psi, answer - half, c), clipped_inverse(psi, answer + half, c)


def maximum_likelihood(psi: NeighborFunction, answer: Number, c: World) -> Number:
    """The x ≥ 0 under which ω is likeliest: ψ⁻¹(max(ψ(0), ω)) (Section 6.1)."""
    return clipped_inverse(psi, answer, c)
