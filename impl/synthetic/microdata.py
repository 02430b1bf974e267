"""Establishments with given cell totals (Webb et al. 2025, Algorithm 7, as corrected in spec/)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from establish.impl.arrays import Floats, Integers
from establish.impl.synthetic.divider import Groups, divided
from establish.spec.synthetic.microdata import SCALE, SHAPE
from establish.spec.synthetic.month_2 import ETA_ESTABLISHMENTS


@dataclass(frozen=True)
class Totals:
    """What is known of each cell: whole numbers ≥ 0, one per cell, at least one establishment in each."""

    establishments: Integers
    month_1: Integers
    month_2: Integers
    month_3: Integers
    wages: Integers

    def repeated(self, times: int) -> Totals:
        """The same cells ``times`` times."""
        return Totals(**{name: np.tile(values, times) for name, values in vars(self).items()})


@dataclass(frozen=True)
class Establishments:
    """One value per establishment, in the order of the cells: jobs in three months, wages in dollars."""

    month_1: Integers
    month_2: Integers
    month_3: Integers
    wages: Integers


def with_dominant(concentrations: Floats, groups: Groups, chance: Floats, share: Fraction) -> Floats:
    """The concentrations with one establishment of each group at share/(1 − share) of the others' sum.

    chance: uniform on [0, 1), one per group; it chooses which. Groups of one stay as they are.
    """
    place = groups.starts + np.floor(chance * groups.sizes).astype(np.int64)
    others = groups.sums(concentrations) - concentrations[place]
    own = np.where(groups.sizes > 1, float(share / (1 - share)) * others, concentrations[place])
    result = concentrations.copy()
    result[place] = own
    return result


def month_2_scale(month_1: Integers, month_3: Integers, eta: float) -> Floats:
    """The standard deviation of Algorithm 2's noise; 0 where both months are 0."""
    total = (month_1 + month_3).astype(np.float64)
    change = np.abs(month_3 - month_1)
    return np.asarray(np.sqrt(2 * eta * change / np.maximum(total, 1)), dtype=np.float64)


def month_2(month_1: Integers, month_3: Integers, noise: Floats) -> Integers:
    """Algorithm 2 as corrected: the nearest whole number, ≥ 1 where both months are, else ≥ 0."""
    least = (month_1 > 0) & (month_3 > 0)
    drawn = np.floor((month_1 + month_3) / 2 + noise + 0.5).astype(np.int64)
    return np.where((month_1 == 0) & (month_3 == 0), 0, np.maximum(drawn, least))


def establishments(
    cells: Totals, rng: np.random.Generator, dominant: Fraction | None = None
) -> Establishments:
    """The establishments of all cells; in each cell every column adds up to its total exactly.

    dominant: the average share of every total that one establishment of each cell gets, 0 < dominant < 1.
    """
    groups = Groups(cells.establishments)
    rows, number = int(groups.sizes.sum()), groups.sizes.size
    concentrations = SCALE * rng.standard_gamma(SHAPE, size=rows)
    if dominant is not None:
        concentrations = with_dominant(concentrations, groups, rng.random(number), dominant)

    def parts(totals: Integers) -> Integers:
        return divided(rng.standard_gamma(concentrations), groups, totals, rng.random(number))

    first, third, wages = parts(cells.month_1), parts(cells.month_3), parts(cells.wages)
    noise = month_2_scale(first, third, float(ETA_ESTABLISHMENTS)) * rng.standard_normal(rows)
    weights = month_2(first, third, noise).astype(np.float64)
    second = divided(weights, groups, cells.month_2, rng.random(number))
    return Establishments(first, second, third, wages)
