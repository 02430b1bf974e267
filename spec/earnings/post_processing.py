"""What may be done to protected counts for nothing: clamping them, and a monotone distribution function.

Both are functions of the protected counts only. If P(q) ≤ e^ε·P'(q) for every list q of protected counts,
then summing over the lists with f(q) = y gives P(f = y) ≤ e^ε·P'(f = y): no function f adds to the loss.
Clamping is :func:`establish.spec.earnings.percentiles.at_least_zero`; it is the nearest list of counts, in
least squares, without negative ones. The fit below is nearest among cumulative counts instead.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate

from establish.spec.earnings.percentiles import Edges, NoPercentile
from establish.spec.parameters import ParameterError, Rational, probability

Exact = int | Fraction


def isotonic(values: Sequence[Exact]) -> tuple[Fraction, ...]:
    """The non-decreasing list nearest to ``values`` in least squares (pool adjacent violators).

    Blocks of values are replaced by their mean, and merged while a block lies above the next.
    """
    blocks: list[tuple[Fraction, int]] = []
    for value in values:
        total, size = Fraction(value), 1
        while blocks and blocks[-1][0] * size > total * blocks[-1][1]:
            before, width = blocks.pop()
            total, size = total + before, size + width
        blocks.append((total, size))
    return tuple(total / size for total, size in blocks for _ in range(size))


def monotone_cumulative(counts: Sequence[int]) -> tuple[Fraction, ...]:
    """The non-decreasing, non-negative cumulative counts nearest to those of signed counts.

    Isotonic regression with a lower bound is isotonic regression, cut off at the bound.
    """
    return tuple(max(value, Fraction(0)) for value in isotonic(tuple(accumulate(counts))))


def percentile_of(edges: Edges, cumulative: Sequence[Exact], share: Rational) -> Fraction | NoPercentile:
    """Where the linear interpolation of ``cumulative`` first reaches share times its last value.

    ZERO_TOTAL and NEGATIVE_TOTAL by that last value. Raises ParameterError for a share outside (0, 1), or
    a number of edges other than one more than the cumulative counts.
    """
    if len(edges) != len(cumulative) + 1:
        raise ParameterError(f"{len(edges)} edges do not bound {len(cumulative)} bins: one more is due")
    level = probability("share", share) * cumulative[-1]
    if level <= 0:
        return NoPercentile.NEGATIVE_TOTAL if level < 0 else NoPercentile.ZERO_TOTAL
    at = next(j for j, value in enumerate(cumulative) if value >= level)
    before = cumulative[at - 1] if at else 0
    low, high = Fraction(edges[at]), edges[at + 1]
    return low + (high - low) * (level - before) / (cumulative[at] - before)
