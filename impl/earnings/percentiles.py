"""Percentiles read off protected counts, for many cells at once (Foote et al. 2019, (4.2) corrected)."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from establish.impl.arrays import Flags, Floats, Integers
from establish.impl.earnings.bins import Bins
from establish.impl.earnings.histogram import Counts
from establish.spec.parameters import ParameterError

RELEASED = "released"
NOT_POSITIVE = "no percentiles: the protected count is not positive"
"""The two values of a cell's status."""

Cumulative = Integers | Floats
"""Cumulative counts, one row per cell, one column per bin."""

Shares = tuple[tuple[int, int], ...]
"""Shares as numerator and denominator, as :func:`establish.impl.earnings.bins.percentages` gives."""


def require_increasing(shares: Shares) -> None:
    """Raises ParameterError unless the shares increase, as mechanisms need that draw percentiles in order."""
    if any(a * d >= c * b for (a, b), (c, d) in pairwise(shares)):
        raise ParameterError("percentiles must increase: write 25,50,75")


@dataclass(frozen=True)
class Percentiles:
    """values: one row per cell, one column per share, in dollars; nothing where ``defined`` is false.

    Only the rows of ``defined`` cells are stored, so that no placeholder can be taken for a value.
    """

    defined: Flags
    of_defined: Floats

    @property
    def status(self) -> list[str]:
        """RELEASED or NOT_POSITIVE, per cell."""
        return [RELEASED if defined else NOT_POSITIVE for defined in self.defined]

    def filled(self, value: float) -> Floats:
        """All cells, with ``value`` where there is no percentile."""
        rows = np.full((self.defined.size, self.of_defined.shape[1]), value)
        rows[self.defined] = self.of_defined
        return rows


def percentiles(counts: Counts, bins: Bins, shares: Shares) -> Percentiles:
    """Where each cell's piecewise linear distribution function first reaches each share.

    A cell whose counts do not add up to a positive number has none. For the others the values lie in
    (b_1, b_{M+1}] and increase with the share. The bin is found in integers; the value is rounded.
    """
    return of_cumulative(np.cumsum(counts, axis=1), bins, shares)


def of_cumulative(cumulative: Cumulative, bins: Bins, shares: Shares) -> Percentiles:
    """The same from cumulative counts, whole or fractional."""
    defined = cumulative[:, -1] > 0
    through = cumulative[defined]
    columns = [_one(through, bins, *share) for share in shares]
    return Percentiles(defined, np.stack(columns, axis=1))


def _one(through: Cumulative, bins: Bins, a: int, b: int) -> Floats:
    """The share a/b of every row of cumulative counts, whose last one is positive."""
    level = a * through[:, -1]
    at = np.argmax(b * through >= level[:, None], axis=1)
    rows = np.arange(at.size)
    before = np.where(at > 0, through[rows, at - 1], 0)
    inside = (level - b * before) / (b * (through[rows, at] - before))
    low, high = bins.rows[at], bins.rows[at + 1]
    value: Floats = low + (high - low) * inside
    return value
