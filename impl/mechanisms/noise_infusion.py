"""Input noise infusion, the current protection of LODES counts, in numpy (Haney et al. 2017, 5.1)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from establish.impl.arrays import Flags, Floats
from establish.impl.counts import whole_counts
from establish.impl.floats import to_float
from establish.impl.mechanisms.establishment_sums import group_numbers, sums_by_group
from establish.spec.mechanisms.noise_infusion import SMALL_CELL_LIMIT, FactorRange
from establish.spec.parameters import ParameterError, Rational, exact


def whole_matrix(name: str, values: ArrayLike) -> Floats:
    """``values`` as a matrix of whole numbers >= 0, one row per establishment.

    Raises ParameterError that names the first bad entry by its number in reading order.
    """
    array = np.asarray(values)
    if array.ndim != 2:
        raise ParameterError(f"{name} must be a matrix: establishments by cells")
    return whole_counts(name, array.ravel()).reshape(array.shape)


@dataclass(frozen=True)
class Infused:
    """A published table, groups by cells, and the cells whose value is a small-cell draw.

    ``drawn`` is confidential: it says which true counts lie in (0, S).
    """

    published: Floats
    drawn: Flags


class NoiseInfusion:
    """Counts multiplied by their establishment's factor, summed, small cells replaced by draws.

    s, t: 0 < s < t < 1; factors lie in [1−t, 1−s] ∪ [1+s, 1+t]. limit: S ≥ 0; a cell with a true
    count in (0, S) becomes an independent draw from 1, …, ⌊S⌋ with the probabilities
    ``small_cells``, uniform unless given. rounding: to the nearest integer, halves up. The laws of
    the draw and of the factors (uniform on the union) are assumptions: the paper prints neither.

    This mechanism satisfies none of the privacy requirements of the paper (its Table 1): it is here
    for comparison and refuses nothing. Raises ParameterError outside the domain.
    """

    name = "noise-infusion"

    def __init__(
        self,
        s: Rational,
        t: Rational,
        limit: Rational = SMALL_CELL_LIMIT,
        small_cells: ArrayLike | None = None,
        rounding: bool = False,
    ) -> None:
        factors = FactorRange(s, t)
        self.s, self.t = to_float("s", factors.s), to_float("t", factors.t)
        whole = exact("limit", limit)
        if whole < 0:
            raise ParameterError(f"limit = {limit} is not allowed: S is at least 0")
        self.limit = float(whole)
        self.rounding = rounding
        self._draws = np.arange(1, int(whole) + 1)
        self._weights = self._probabilities(small_cells)

    def _probabilities(self, small_cells: ArrayLike | None) -> Floats:
        size = self._draws.size
        if small_cells is None:
            return np.full(size, 1 / max(size, 1))
        weights = np.asarray(small_cells, dtype=np.float64)
        good = weights.shape == (size,) and bool(np.all(weights >= 0))
        if not good or abs(weights.sum() - 1) > 1e-12:
            raise ParameterError("small_cells must hold a probability for each of 1, …, ⌊S⌋")
        return weights

    def draw_factors(self, size: int, rng: np.random.Generator) -> Floats:
        """``size`` independent distortion factors, uniform on [1−t, 1−s] ∪ [1+s, 1+t]."""
        distance = rng.uniform(self.s, self.t, size)
        return np.where(rng.random(size) < 0.5, 1 - distance, 1 + distance)

    def release(
        self,
        histograms: ArrayLike,
        groups: ArrayLike,
        rng: np.random.Generator,
        factors: ArrayLike | None = None,
    ) -> Infused:
        """The published table: one row per group 0, …, max(groups), one column per worker cell.

        histograms: counts, establishments by worker cells. groups: the row of the table (the
        workplace attributes) of each establishment. factors: one per establishment, drawn afresh
        unless given; in the real system they are fixed over time. Raises ParameterError.
        """
        counts = whole_matrix("histograms", histograms)
        rows = group_numbers("groups", groups, counts.shape[0])
        f = self._factors(factors, counts.shape[0], rng)
        size = int(rows.max(initial=-1)) + 1
        true = sums_by_group(counts, rows, size)
        infused = sums_by_group(f[:, np.newaxis] * counts, rows, size)
        if self.rounding:
            infused = np.floor(infused + 0.5)
        drawn = (true > 0) & (true < self.limit)
        if drawn.any():
            infused[drawn] = rng.choice(self._draws, int(drawn.sum()), p=self._weights)
        return Infused(infused, drawn)

    def _factors(self, factors: ArrayLike | None, size: int, rng: np.random.Generator) -> Floats:
        if factors is None:
            return self.draw_factors(size, rng)
        given = np.asarray(factors, dtype=np.float64)
        if given.shape != (size,):
            raise ParameterError("factors must hold one distortion factor per establishment")
        distance, rounding = np.abs(given - 1), 1e-12
        if not np.all((distance >= self.s - rounding) & (distance <= self.t + rounding)):
            raise ParameterError(
                f"factors must satisfy {self.s:g} <= |f − 1| <= {self.t:g} (values are not shown)"
            )
        return given
