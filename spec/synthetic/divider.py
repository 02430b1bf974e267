"""The Dirichlet Divider: a total split at random (Webb et al. 2025, Algorithm 6)."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, pairwise

from establish.spec.arithmetic import Number
from establish.spec.parameters import ParameterError


def concentration(b: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """Lines 1–2: b, or ones when every b_i is 0. b_i ≥ 0."""
    return tuple(b) if any(b) else (Fraction(1),) * len(b)


def shares(gammas: Sequence[Number]) -> tuple[Number, ...]:
    """p of line 3 from independent g_i ~ Gamma(b_i): p_i = g_i/Σg_j. Σg_j must not be 0.

    A component with b_i = 0 has g_i = 0, the limit of Gamma(b) as b → 0.
    """
    total = sum(gammas)
    return tuple(g / total for g in gammas)


def divided_as_published(gammas: Sequence[Number], total: Number) -> tuple[Number, ...]:
    """a = pA, line 4: real numbers, whatever the total. Raises ZeroDivisionError for no parts."""
    if not gammas:
        raise ZeroDivisionError("the Dirichlet law of no components")
    return tuple(p * total for p in shares(gammas))


def divided(gammas: Sequence[Fraction], total: int, offset: Fraction) -> tuple[int, ...]:
    """Algorithm 6 as corrected: whole numbers that add up to ``total``, each within 1 of its p_i·total.

    a_i = ⌊(p_1 + … + p_i)·A + u⌋ − ⌊(p_1 + … + p_{i−1})·A + u⌋ with one ``offset`` u, uniform on [0, 1):
    then E[a_i | p] = p_i·A. Raises ParameterError for a negative total, a total above 0 without parts, or
    an offset outside [0, 1).
    """
    if total < 0 or (total and not gammas):
        raise ParameterError(f"total = {total} is not allowed: it must be >= 0, and 0 without parts")
    if not 0 <= offset < 1:
        raise ParameterError(f"offset = {offset} is not allowed: 0 <= offset < 1")
    if not gammas:
        return ()
    sums = (Fraction(0), *accumulate(shares(concentration(gammas))))
    return tuple(b - a for a, b in pairwise((s * total + offset).__floor__() for s in sums))


def mean_share(b: Number, total: Number) -> Number:
    """E p_i = b_i/b_0, b_0 the sum of the concentration."""
    return b / total


def variance_share(b: Number, total: Number) -> Number:
    """Var p_i = b_i(b_0 − b_i)/(b_0²(b_0 + 1))."""
    return b * (total - b) / (total**2 * (total + 1))


def covariance_share(b: Number, other: Number, total: Number) -> Number:
    """Cov(p_i, p_j) = −b_i b_j/(b_0²(b_0 + 1)) for i ≠ j."""
    return -b * other / (total**2 * (total + 1))
