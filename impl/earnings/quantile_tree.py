"""Several quantiles by a recursive exponential mechanism, for many cells at once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import flint
import numpy as np

from establish.impl.arrays import Floats, Integers
from establish.impl.earnings.bins import BOTTOM, RECOVERED_MEAN, RECOVERED_SD, TOP
from establish.impl.earnings.histogram import Counts
from establish.impl.earnings.percentiles import Shares
from establish.impl.sampling.bits import Bits
from establish.impl.sampling.choice import LARGEST_STEPS, Choice, choose
from establish.spec.arithmetic import ARB, Number
from establish.spec.earnings.quantile_tree import levels, mass
from establish.spec.parameters import ParameterError

GRID = 1024
"""How many candidates lie between BOTTOM and TOP, each 0.4% above the one before."""


class Candidates:
    """Public candidates, evenly spaced in logarithms, with the log-normal law's weight around each.

    values: increasing dollars. weights: one per candidate, up to a constant; a draw takes these very floats.
    """

    def __init__(self, values: Floats, weights: Floats) -> None:
        self.values, self.weights = values, weights

    @classmethod
    def log_normal(cls) -> Candidates:
        """GRID candidates with the weights of the recovered log-normal law between BOTTOM and TOP."""
        logs = np.linspace(math.log(BOTTOM), math.log(TOP), GRID)
        between = (logs[1:] + logs[:-1]) / 2
        ends = np.concatenate([logs[:1], between, logs[-1:]])
        from scipy.special import ndtr  # loaded where it is needed

        below = ndtr((ends - RECOVERED_MEAN) / RECOVERED_SD)
        return cls(np.exp(logs), np.diff(below))

    def below(self, cells: Integers, earnings: Floats, number: int) -> Counts:
        """How many of each cell's earnings are less than each candidate."""
        width = self.values.size + 1
        places = cells * width + np.searchsorted(self.values, earnings, side="right")
        counts = np.bincount(places, minlength=number * width).reshape(number, width)
        return np.cumsum(counts, axis=1)[:, :-1]


def quantile_tree(
    below: Counts, sizes: Integers, candidates: Candidates, shares: Shares, epsilon: Fraction, bits: Bits
) -> Floats:
    """One candidate per cell and share; the loss is ε, in equal parts for the levels.

    below: from :meth:`Candidates.below`. sizes: how many earnings each cell has. shares: increasing. Draws
    have exactly the law of spec/earnings/quantile_tree with the candidates' weights, which are floats. The
    values never decrease with the share. Raises ParameterError for so many records that integers overflow.
    """
    parts = [Fraction(a, b) for a, b in shares]
    places = np.empty((sizes.size, len(parts)), dtype=np.int64)
    tree = _Tree(below, candidates.weights, epsilon / levels(len(parts)), bits)
    zero = np.zeros(sizes.size, dtype=np.int64)
    tree.fill(places, parts, zero, zero + candidates.values.size - 1, zero, sizes)
    values: Floats = candidates.values[places]
    return values


@dataclass(frozen=True)
class Draw:
    """One draw per cell: ``share`` of the ``sizes`` earnings after the ``before`` lowest, in first..last.

    below: as for quantile_tree. epsilon: ε_l.
    """

    below: Counts
    weights: Floats
    epsilon: Fraction
    share: Fraction
    before: Integers
    sizes: Integers
    first: Integers
    last: Integers

    def choice(self) -> Choice:
        """Its law. ε_l·u/2 = κ·m, m = |b·#{e < y} − a·n| and κ = ε_l/(2·max(a, b−a)), for the share a/b."""
        a, b = self.share.numerator, self.share.denominator
        if b * int(self.sizes.max(initial=0)) >= LARGEST_STEPS:
            raise ParameterError(f"a cell has too many records for percentiles with 1/{b}")
        rate = self.epsilon / (2 * max(a, b - a))
        return Choice(self, self.weights, rate, self._steps, self.first, self.last)

    def _steps(self, cells: slice) -> Integers:
        a, b = self.share.numerator, self.share.denominator
        ranks = self.below[cells] - self.before[cells, None]
        steps: Integers = np.abs(b * ranks - a * self.sizes[cells, None])
        return steps

    def cumulative(self, i: int, k: int) -> tuple[flint.arb, flint.arb]:
        """P(place ≤ k) for cell i, by the formula of the specification."""
        first, last = int(self.first[i]), int(self.last[i])
        if not first <= k < last:
            certain = flint.arb(int(k >= last))
            return certain, certain
        half, before, size = self._half(), int(self.before[i]), int(self.sizes[i])
        masses = [
            mass(flint.arb(weight), below - before, size, self.share, half, ARB)
            for weight, below in zip(
                self.weights[first : last + 1].tolist(), self.below[i, first : last + 1].tolist(), strict=True
            )
        ]
        value = sum(masses[: k - first + 1]) / sum(masses)
        return value.lower(), value.upper()

    def _half(self) -> Number:
        return ARB.exp(ARB.number(-self.epsilon / 2))


class _Tree:
    """The draws of all cells; each level has the budget ``epsilon``."""

    def __init__(self, below: Counts, weights: Floats, epsilon: Fraction, bits: Bits) -> None:
        self.below, self.weights, self.epsilon, self.bits = below, weights, epsilon, bits

    def fill(
        self,
        places: Integers,
        shares: list[Fraction],
        first: Integers,
        last: Integers,
        before: Integers,
        sizes: Integers,
    ) -> None:
        """Draw ``shares`` of the ``sizes`` earnings after the ``before`` lowest, between two places."""
        if not shares:
            return
        middle = len(shares) // 2
        share = shares[middle]
        draw = Draw(self.below, self.weights, self.epsilon, share, before, sizes, first, last)
        at = choose(draw.choice(), self.bits).values.astype(np.int64)
        places[:, middle] = at
        through = self.below[np.arange(at.size), at]
        lower = [part / share for part in shares[:middle]]
        self.fill(places[:, :middle], lower, first, at, before, through - before)
        upper = [(part - share) / (1 - share) for part in shares[middle + 1 :]]
        rest = before + sizes - through
        self.fill(places[:, middle + 1 :], upper, at, last, through, rest)
