"""Draw an index j with probability proportional to w_j·e^(−κ·m_j) exactly, for many cells at once.

For cell i and first ≤ j ≤ last, with k_j = m_j − min m and E_j = w_j·e^(−κ·k_j), let C_j be the sum of E up
to j and C = C_last. The output is the j with C_{j−1} < p·C ≤ C_j, at the uniform p whose binary expansion is
a word and what extends it. Floats decide it where they can, and where they cannot, from the same p,
:func:`establish.impl.sampling.escalation.quantile`: the output does not depend on which.

**Error.** u = 2^−53; float operations as in :mod:`establish.impl.sampling.quantile_table`; the w_j are floats
within 2^±100, the m_j integers below 2^52, and there are N ≤ 2^14 of them.
- x_j = fl(fl(κ)·k_j) has relative error at most 2u + u². Where x_j ≤ CUT, e^(−x_j) is therefore e^(−κ·k_j)
  but for e^(±CUT·2.01u), and ``exponential`` is off by ERROR, the product with w_j by u, N sums of numbers
  ≥ 0 by (1+u)^N, all relative: together, and with what follows, by at most η = (700 + 1.1·N)·u.
  ``establish.proofs_check.certification.sampling`` verifies that.
- Where x_j > CUT, e^(−CUT) stands for less than 1.01·e^(−CUT). Such terms are off by at most
  N·2^100·1.01·e^(−CUT) < 2^−317 together, and C ≥ 2^−100, as k_j = 0 somewhere: by less than 2^−217·C. A κ
  below 2^−1000, whose float may be subnormal, changes x_j by less than 2^−900.
So |c_j − C_j| ≤ η·C for the computed c_j. With c = c_last that is at most 1.01·η·c, as is |c − C|. When
``seen`` bits of p are looked at, their float q is off by at most u + 2^−seen, and t = fl(q·c) is off from
p·C by at most (1.01·η + 2.01·u + 2^−seen)·c. Where t and c_j differ by more than
    (2.02·η + 2.01·u + 2^−seen)·c,
p·C and C_j compare as they do. That leaves at most 2·N times this factor of all draws open: below 1e-9 for
N = 1024.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from establish.impl.arrays import Floats, Integers
from establish.impl.sampling.bits import Bits
from establish.impl.sampling.escalation import IntegerLaw, quantile
from establish.impl.sampling.exponential import exponential
from establish.impl.sampling.reals import UNIT, UP
from establish.impl.sampling.rounding import WORD, Draws
from establish.impl.sampling.workspace import CHUNK, Workspace
from establish.spec.parameters import ParameterError

CUT = 300.0
"""Where e^(−x) is cut off: below it nothing matters."""

LARGEST_WEIGHT = 2.0**100
"""Weights lie between its inverse and this."""

LARGEST_STEPS = 2**52
"""The m_j lie below this."""


def relative_error(width: int) -> float:
    """η for N = ``width``."""
    return (700 + 1.1 * width) * UNIT


def doubt(width: int, seen: int) -> float:
    """2.02·η + 2.01·u + 2^−seen: what t and c_j must differ by, over c."""
    return (2.02 * relative_error(width) + 2.01 * UNIT + 2.0**-seen) * UP


@dataclass(frozen=True)
class Choice:
    """P(j) proportional to weights[j]·e^(−rate·m_ij) for first[i] ≤ j ≤ last[i], and 0 elsewhere.

    law: the same, exactly. weights: one per j. rate: κ > 0. steps: the m_ij of a slice of the cells, one row
    per cell, 0 ≤ m_ij < 2^52; within first..last only these count. Raises ParameterError for more than 2^14
    weights, or one that is not within 2^±100.
    """

    law: IntegerLaw
    weights: Floats
    rate: Fraction
    steps: Callable[[slice], Integers]
    first: Integers
    last: Integers

    def __post_init__(self) -> None:
        if not 1 <= self.weights.size <= CHUNK:
            raise ParameterError(f"there must be from 1 to {CHUNK} candidates")
        if not ((self.weights >= 1 / LARGEST_WEIGHT) & (self.weights <= LARGEST_WEIGHT)).all():
            raise ParameterError("weights must lie between 2^-100 and 2^100")

    def cumulative(self, cells: slice, work: Workspace) -> Floats:
        """The c_j of these cells, one row per cell."""
        first, last = self.first[cells, None], self.last[cells, None]
        places, steps = np.arange(self.weights.size), self.steps(cells)
        outside = (places < first) | (places > last)
        least = np.where(outside, LARGEST_STEPS, steps).min(axis=1, keepdims=True)
        rate = float(min(self.rate, Fraction(CUT)))  # beyond CUT every k_j > 0 is cut off anyway
        exponents = np.clip((least - steps) * rate, -CUT, 0.0)
        work.size = exponents.size
        masses = exponential(exponents.ravel(), work).reshape(exponents.shape) * self.weights
        masses[outside] = 0.0
        return np.cumsum(masses, axis=1)


def choose(choice: Choice, bits: Bits, seen: int = WORD, slack: float = 0.0) -> Draws:
    """One j per cell.

    The fast way sees only the first ``seen`` bits of a word and adds ``slack``·c to its bound: tests change
    them to exercise the exact way, whose output must be the same.
    """
    size = choice.first.size
    values, escalated = np.empty(size), 0
    rows, work = CHUNK // choice.weights.size, Workspace()
    for start in range(0, size, rows):
        part = slice(start, min(start + rows, size))
        escalated += _choose_part(choice, bits, part, values[part], seen, slack, work)
    return Draws(values, escalated)


def _choose_part(
    choice: Choice, bits: Bits, cells: slice, values: Floats, seen: int, slack: float, work: Workspace
) -> int:
    sums, words = choice.cumulative(cells, work), np.empty(values.size, np.uint64)
    position = bits.fill(words)
    hidden = np.uint64(WORD - seen)
    q = ((words >> hidden) << hidden).astype(np.float64) * 2.0**-WORD
    t = q * sums[:, -1]
    places = (sums < t[:, None]).sum(axis=1)
    bound = (doubt(choice.weights.size, seen) + slack) * sums[:, -1]
    rows, before = np.arange(values.size), np.maximum(places - 1, 0)
    certain = (places == choice.first[cells]) | (t - sums[rows, before] > bound)
    certain &= (places == choice.last[cells]) | (sums[rows, places] - t > bound)
    values[...] = places
    open_ones = np.flatnonzero(~certain)
    for j in open_ones.tolist():
        further = bits.further(position + j)
        values[j] = quantile(choice.law, cells.start + j, int(words[j]), further, int(places[j]))
    return len(open_ones)
