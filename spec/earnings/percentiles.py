"""Percentiles read off signed counts (Foote et al. 2019, (4.1), (4.2) and below).

The empirical distribution function is linear within each bin. Counts may be negative, and their total
may be zero or negative: then there is no percentile, and the functions say so.
"""

from collections.abc import Sequence
from enum import Enum
from fractions import Fraction
from itertools import accumulate

from establish.spec.parameters import ParameterError, Rational, probability

Edges = Sequence[int | Fraction]
"""The increasing end points b_1, …, b_{M+1} of M bins."""


class NoPercentile(Enum):
    """Why signed counts have no percentile."""

    ZERO_TOTAL = "the counts add up to zero"
    NEGATIVE_TOTAL = "the counts add up to less than zero"


def distribution_function(counts: Sequence[int]) -> tuple[Fraction, ...] | NoPercentile:
    """F(1), …, F(M) of equation (4.1): cumulative counts over their total.

    ZERO_TOTAL when the total is 0. With negative counts F may fall and leave [0, 1].
    """
    total = sum(counts)
    if total == 0:
        return NoPercentile.ZERO_TOTAL
    return tuple(Fraction(partial, total) for partial in accumulate(counts))


def bin_of_percentile(counts: Sequence[int], share: Rational) -> int | NoPercentile:
    """The first bin J, from 1, with F(J−1) < share ≤ F(J) (equation (4.2)); ZERO_TOTAL if none.

    share: Y/100, strictly between 0 and 1. F(0) = 0 and F(M) = 1, so the first J with F(J) ≥ share
    exists whenever the total is not 0. Raises ParameterError for a share outside its domain.
    """
    level = probability("share", share)
    function = distribution_function(counts)
    if isinstance(function, NoPercentile):
        return function
    return next(j for j, value in enumerate(function, start=1) if value >= level)


def printed_percentile(edges: Edges, counts: Sequence[int], share: Rational) -> Fraction | NoPercentile:
    """b_J + (b_{J+1} − b_J)·(share·Σ_{i≤J} q_i − Σ_{i<J} q_i)/q_J, as printed below (4.2).

    The first sum runs to J only. It may lie outside bin J, and it has a value for a negative total.
    ZERO_TOTAL when the total is 0. Raises ParameterError for a share outside (0, 1) or a number of
    edges other than one more than counts.
    """
    return _interpolated(edges, counts, share, whole=False)


def percentile(edges: Edges, counts: Sequence[int], share: Rational) -> Fraction | NoPercentile:
    """b_J + (b_{J+1} − b_J)·(share·Σ_{i≤M} q_i − Σ_{i<J} q_i)/q_J: the corrected formula.

    The earnings at which the piecewise linear distribution function first reaches share; it lies in
    (b_J, b_{J+1}] and increases strictly with share. NoPercentile when the total is not positive.
    Raises ParameterError as :func:`printed_percentile`.
    """
    if sum(counts) < 0:
        return NoPercentile.NEGATIVE_TOTAL
    return _interpolated(edges, counts, share, whole=True)


def _interpolated(
    edges: Edges, counts: Sequence[int], share: Rational, whole: bool
) -> Fraction | NoPercentile:
    if len(edges) != len(counts) + 1:
        raise ParameterError(f"{len(edges)} edges do not bound {len(counts)} counts: one more is due")
    number = bin_of_percentile(counts, share)
    if isinstance(number, NoPercentile):
        return number
    below, through = sum(counts[: number - 1]), sum(counts[:number])
    level = probability("share", share) * (sum(counts) if whole else through)
    low, high = Fraction(edges[number - 1]), Fraction(edges[number])
    return low + (high - low) * (level - below) / counts[number - 1]


def at_least_zero(counts: Sequence[int]) -> tuple[int, ...]:
    """Each negative count replaced by 0, a post-processing step that footnote 16 mentions."""
    return tuple(max(count, 0) for count in counts)


def relative_accuracy(protected: int | Fraction, true: int | Fraction) -> Fraction:
    """1 − |protected − true|/true (equation (5.1)): 1 when exact, 0 at protected = 0, unbounded below.

    Raises ParameterError for true ≤ 0.
    """
    if true <= 0:
        raise ParameterError(f"true = {true} is not allowed: true must be greater than 0")
    return 1 - abs(Fraction(protected) - true) / true
