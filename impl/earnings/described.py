"""What every mechanism for percentiles of earnings offers, and what it promises."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from establish.impl.arrays import Flags, Floats, Integers
from establish.impl.earnings.bins import percentages
from establish.impl.earnings.histogram import budget
from establish.impl.earnings.percentiles import Percentiles, Shares
from establish.impl.identity import Described
from establish.impl.sampling.bits import Bits
from establish.spec.parameters import Rational

_SCOPE = (
    "One person has one record over all cells (with k records the losses add up to kε); over several "
    "releases they add up too. {public} are taken as public: {cells}"
)


@dataclass(frozen=True)
class Released:
    """Per cell: the protected count, the percentiles or why there are none, and, where there are classes, the
    one that was picked from protected numbers.
    """

    count: Integers
    percentiles: Percentiles
    picked: Integers | None = None


@dataclass(frozen=True)
class Records:
    """The records of so many cells: the cell of each, and the amounts."""

    cells: Integers
    earnings: Floats
    number: int

    def of(self, chosen: Flags) -> Records:
        """The records of the chosen cells, which are numbered anew."""
        kept = chosen[self.cells]
        anew = np.cumsum(chosen) - 1
        return Records(anew[self.cells[kept]], self.earnings[kept], int(chosen.sum()))


def mean_absolute_noise(epsilon: float) -> float:
    """2ρ/(1−ρ²), ρ = e^(−ε): the mean size of two-sided geometric noise."""
    return 2 * math.exp(-epsilon) / -math.expm1(-2 * epsilon)


def deviation_of_total(epsilon: float, bins: int) -> float:
    """√(M·2ρ)/(1−ρ): one standard deviation of the noise of M counts together."""
    return math.sqrt(2 * math.exp(-epsilon) * bins) / -math.expm1(-epsilon)


class EarningsMechanism(Described, ABC):
    """Protected counts and percentiles of many cells, ε in all when one record is added or removed.

    epsilon: ε, exact, as :func:`establish.impl.earnings.histogram.budget` allows. shares: from
    :func:`establish.impl.earnings.bins.percentages`. cells_given: whether the list of cells was given,
    or is taken from the data. Raises ParameterError outside the domain.
    """

    name: str
    calibration: str
    noise: str
    public: str
    """What is taken as public, as the subject of a sentence."""
    classes: tuple[str, ...] = ()
    """What the classes of cells are called, if a column tells them."""

    def __init__(self, epsilon: Rational, shares: Shares, *, cells_given: bool = False) -> None:
        self.epsilon = budget("ε", epsilon)
        self._ε = float(self.epsilon)
        self.shares, self.cells_given = shares, cells_given

    @classmethod
    def again(cls, given: Mapping[str, Any], calibration: str, *, cells_given: bool) -> Self:
        return cls(given["epsilon"], percentages(given["percentiles"]), cells_given=cells_given)

    @property
    def labels(self) -> tuple[str, ...]:
        """What the columns of percentiles are called: p25 for 25, p97.5 for 97.5."""
        return tuple(f"p{100 * a / b:g}" for a, b in self.shares)

    @property
    def scope(self) -> str:
        """What is taken as public, in the words of the record."""
        cells = (
            "they were given in a list, and a cell of it without records is released like any other."
            if self.cells_given
            else "they were taken from the data, so the absence of a cell reveals that nobody is in it; "
            "give the full list with --cells to protect that too."
        )
        return _SCOPE.format(public=self.public, cells=cells)

    @property
    @abstractmethod
    def rests_on(self) -> tuple[str, ...]:
        """The claims that the guarantees follow from."""

    @property
    @abstractmethod
    def parameters(self) -> dict[str, object]: ...

    @property
    @abstractmethod
    def constants(self) -> dict[str, float]: ...

    @property
    @abstractmethod
    def domain(self) -> str: ...

    @property
    @abstractmethod
    def expected_error(self) -> Mapping[str, str]: ...

    @abstractmethod
    def count_deviation(self, total: int) -> float:
        """About the standard deviation of the released count of a cell with so many records, which picks the
        class where there are several.
        """

    def rank_deviations(self, total: int) -> tuple[float, ...] | None:
        """About the standard deviation of each percentile's rank there; None where it depends on the data."""
        return None

    @abstractmethod
    def release(self, cells: Integers, earnings: Floats, number: int, bits: Bits) -> Released:
        """cells: the cell of each record, from 0 to number − 1; earnings: dollars >= 0, checked before.

        Raises CertificateError without a current certificate.
        """
