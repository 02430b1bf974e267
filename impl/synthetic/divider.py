"""Totals divided among the members of groups, all groups at once (Webb et al. 2025, Algorithm 6)."""

from dataclasses import dataclass

import numpy as np

from establish.impl.arrays import Floats, Integers


@dataclass(frozen=True)
class Groups:
    """Consecutive rows in groups: how many rows each group has (≥ 1), in order."""

    sizes: Integers

    @property
    def of_row(self) -> Integers:
        """The group of every row, from 0."""
        return np.repeat(np.arange(self.sizes.size), self.sizes)

    @property
    def starts(self) -> Integers:
        """The first row of every group."""
        return np.cumsum(self.sizes) - self.sizes

    def sums(self, values: Floats) -> Floats:
        """The sum of ``values``, one per row, over each group."""
        return np.add.reduceat(values, self.starts)


def divided(weights: Floats, groups: Groups, totals: Integers, offsets: Floats) -> Integers:
    """Whole parts ≥ 0 of each group's total, in proportion to the weights; they add up to it exactly.

    weights: one per row, ≥ 0; a group of zeros is divided evenly. totals: from 0 to 2^53 − 1, one per group.
    offsets: in [0, 1), one per group. Part i of a group is the increase of ⌊(p_1 + … + p_i)·total + offset⌋:
    as :func:`establish.spec.synthetic.divider.divided`, but for rounding errors in the p_i.
    """
    group, starts = groups.of_row, groups.starts
    if not group.size:
        return np.zeros(0, dtype=np.int64)
    sums = groups.sums(weights)
    empty = sums == 0
    steps = np.where(empty[group], 1.0, weights) / np.where(empty, groups.sizes, sums)[group]
    # The shares of a group add up to 1: taking it back keeps the running total, and its errors, small.
    steps[starts[1:]] -= 1.0
    reached = np.floor(np.cumsum(steps) * totals[group] + offsets[group]).astype(np.int64)
    np.clip(reached, 0, totals[group], out=reached)
    reached[starts + groups.sizes - 1] = totals
    parts = np.diff(reached, prepend=0)
    parts[starts] = reached[starts]
    return parts
