"""Input noise infusion, the current protection of LODES counts (Haney et al. 2017, Section 5.1).

Everything is exact. The paper does not print two laws: that of the distortion factors, and the
posterior predictive law that replaces small counts. Both are parameters here, and the defaults,
uniform in both cases, are our assumptions. Rounding is not in the paper either.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import floor, prod

from establish.spec.parameters import ParameterError, Rational, exact

Histogram = tuple[int, ...]
"""h(w): the workers of one establishment by cell (combination of worker attributes)."""

Table = tuple[Fraction, ...]
"""The published value of each cell."""

FactorLaw = Mapping[Fraction, Fraction]
"""The probability of each distortion factor, finitely many."""

SMALL_CELL_LIMIT = Fraction(5, 2)
"""S, set to 2.5 for the paper's dataset (Section 5.1)."""

SmallCellLaw = Callable[[int, Fraction], Mapping[int, Fraction]]
"""(true count in (0, S), S) → law of the replacement, on the integers 1, …, ⌊S⌋."""


def uniform_small_cells(count: int, limit: Fraction) -> dict[int, Fraction]:
    """Every integer 1, …, ⌊S⌋ with the same probability, whatever the count: our assumption."""
    largest = floor(limit)
    return {k: Fraction(1, largest) for k in range(1, largest + 1)}


def rounded(value: Fraction) -> Fraction:
    """The nearest integer, halves up."""
    return Fraction(floor(value + Fraction(1, 2)))


@dataclass(frozen=True)
class FactorRange:
    """[1 − t, 1 − s] ∪ [1 + s, 1 + t], where the confidential distortion factors lie.

    0 < s < t as printed, and t < 1, without which a factor may be 0 or negative.
    Raises ParameterError outside that domain.
    """

    s: Fraction
    t: Fraction

    def __init__(self, s: Rational, t: Rational) -> None:
        object.__setattr__(self, "s", exact("s", s))
        object.__setattr__(self, "t", exact("t", t))
        if not 0 < self.s < self.t < 1:
            raise ParameterError(f"s = {s}, t = {t} are not allowed: 0 < s < t < 1")

    def __contains__(self, factor: Fraction) -> bool:
        return self.s <= abs(factor - 1) <= self.t

    def uniform_cdf(self, x: Rational) -> Fraction:
        """P(f ≤ x) when f is uniform on the union: our assumption, the paper prints no law."""
        width = self.t - self.s
        return (self._covered(exact("x", x), 1 - self.t) + self._covered(x, 1 + self.s)) / (2 * width)

    def _covered(self, x: Rational, start: Fraction) -> Fraction:
        """The length of [start, start + t − s] below x."""
        return min(max(exact("x", x) - start, Fraction(0)), self.t - self.s)


class NoiseInfusion:
    """The table of the establishments that meet one workplace criterion, by worker cell.

    factors: where distortion factors lie. limit: S ≥ 0. small_cells: the law of the replacement.
    rounding: whether an infused answer is rounded to the nearest integer.
    Raises ParameterError for a negative limit.
    """

    def __init__(
        self,
        factors: FactorRange,
        limit: Rational = SMALL_CELL_LIMIT,
        small_cells: SmallCellLaw = uniform_small_cells,
        rounding: bool = False,
    ) -> None:
        self.factors = factors
        self.limit = exact("limit", limit)
        if self.limit < 0:
            raise ParameterError(f"limit = {limit} is not allowed: S is at least 0")
        self.small_cells = small_cells
        self.rounding = rounding

    def distorted(self, factor: Fraction, histogram: Histogram) -> tuple[Fraction, ...]:
        """h*(w, c) = f_w · h(w, c) (equation 6). Raises ParameterError for f outside its range."""
        if factor not in self.factors:
            raise ParameterError(
                f"factor = {factor} is not allowed: |f − 1| lies between {self.factors.s} and "
                f"{self.factors.t}"
            )
        return tuple(factor * count for count in histogram)

    def is_small(self, count: int) -> bool:
        """Whether a true count lies in (0, S) and so is replaced."""
        return 0 < count < self.limit

    def infused(self, histograms: Sequence[Histogram], factors: Sequence[Fraction]) -> Table:
        """q*_V before small counts are replaced: the sums of h*(w, c) over the establishments.

        Raises ParameterError unless there is one factor per establishment, histograms have the
        same cells (at least one), and no count is negative.
        """
        if len(factors) != len(histograms):
            raise ParameterError("factors must hold one distortion factor per establishment")
        if len({len(h) for h in histograms}) != 1 or not histograms[0]:
            raise ParameterError("histograms must have the same cells, at least one")
        if any(count < 0 for histogram in histograms for count in histogram):
            raise ParameterError("histograms must hold counts of at least 0")
        noisy = [self.distorted(f, h) for f, h in zip(factors, histograms, strict=True)]
        sums = (sum(column, Fraction(0)) for column in zip(*noisy, strict=True))
        return tuple(rounded(x) if self.rounding else x for x in sums)

    def published(
        self, histograms: Sequence[Histogram], factors: Sequence[Fraction]
    ) -> dict[Table, Fraction]:
        """The law of the published cells when the factors are given.

        A cell whose true count lies in (0, S) is an independent draw of ``small_cells``; every
        other one is the infused answer. Raises ParameterError as :meth:`infused` does, and for a
        ``small_cells`` that is not a law on 1, …, ⌊S⌋.
        """
        infused = self.infused(histograms, factors)
        true = [sum(column) for column in zip(*histograms, strict=True)]
        cells = [
            self._replacement(n) if self.is_small(n) else {x: Fraction(1)}
            for n, x in zip(true, infused, strict=True)
        ]
        return {
            table: prod((law[x] for law, x in zip(cells, table, strict=True)), start=Fraction(1))
            for table in product(*cells)
        }

    def output(self, histograms: Sequence[Histogram], factor_law: FactorLaw) -> dict[Table, Fraction]:
        """The law of the published cells; factors are independent draws of a finite law."""
        law: dict[Table, Fraction] = {}
        for factors in product(factor_law, repeat=len(histograms)):
            weight = prod((factor_law[f] for f in factors), start=Fraction(1))
            for table, mass in self.published(histograms, factors).items():
                law[table] = law.get(table, Fraction(0)) + weight * mass
        return law

    def _replacement(self, count: int) -> dict[Fraction, Fraction]:
        law = self.small_cells(count, self.limit)
        if sum(law.values()) != 1 or not all(1 <= k <= self.limit and p >= 0 for k, p in law.items()):
            raise ParameterError("small_cells must be a law on the integers 1, …, ⌊S⌋")
        return {Fraction(k): p for k, p in law.items()}
