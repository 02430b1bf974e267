"""ψ-neighbors of establishment values (Webb et al. 2025, Definitions 5.1 and 5.5).

A neighbor function ψ on the nonnegative reals says how far apart two values of one attribute may be
and still count as close: |ψ(x) − ψ(y)| ≤ γ. Datasets are ψ-neighbors when they differ in the record
of one establishment, and its two records are close in every attribute, attribute number i with its
own distance parameter γ_i. A mechanism that keeps all ψ-neighbors μ-Gaussian indistinguishable is
μ-GEDP (Definition 5.6).
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from hypothesis import strategies as st

from establish.spec.arithmetic import ARB, enclosing
from establish.spec.parameters import ParameterError, Rational, exact
from establish.spec.relations.relation import NeighborRelation

Value = int | float | Fraction
"""A nonnegative value of an establishment; a float means the binary rational that it is."""

Record = Value | tuple[Value, ...]
"""One establishment: a value, or one value per confidential attribute."""

Records = tuple[Record, ...]
"""A dataset: the record of each establishment."""


class NeighborFunction(ABC):
    """ψ: strictly increasing, continuous and concave, with ψ∘exp convex (Definition 5.1)."""

    name: str

    @abstractmethod
    def close(self, x: Value, y: Value, gamma: Fraction) -> bool:
        """Whether |ψ(x) − ψ(y)| ≤ γ, for x, y in the domain."""

    @abstractmethod
    def moved(self, x: float, step: float) -> float:
        """ψ⁻¹(ψ(x) + step), clipped to the domain, in floating point."""

    def lowest(self) -> float:
        """The least value of the domain."""
        return 0.0

    def extremes(self, x: float, gamma: Fraction) -> tuple[float, float]:
        """The least and the largest float that lie close to x: rounding errors are taken back."""
        ends = []
        for step in (-float(gamma), float(gamma)):
            y, pull = self.moved(x, step), 1e-16
            while not self.close(x, y, gamma):
                y, pull = y + (x - y) * pull, 2 * pull
                y = math.nextafter(y, x)
            ends.append(y)
        return ends[0], ends[1]


class Identity(NeighborFunction):
    """ψ(x) = x: the same absolute distance at every size."""

    name = "identity"

    def close(self, x: Value, y: Value, gamma: Fraction) -> bool:
        return abs(Fraction(x) - Fraction(y)) <= gamma

    def moved(self, x: float, step: float) -> float:
        return max(x + step, 0.0)


class SquareRoot(NeighborFunction):
    """ψ(x) = √x: a distance that grows as the square root of the size."""

    name = "sqrt"

    def close(self, x: Value, y: Value, gamma: Fraction) -> bool:
        """Exact: for x ≥ y, √x ≤ √y + γ squares to x − y − γ² ≤ 2γ√y, and squares once more."""
        low, high = sorted((Fraction(x), Fraction(y)))
        beyond = high - low - gamma**2
        return beyond <= 0 or beyond**2 <= 4 * gamma**2 * low

    def moved(self, x: float, step: float) -> float:
        return max(math.sqrt(x) + step, 0.0) ** 2


class Logarithm(NeighborFunction):
    """ψ(x) = ln x on x > 0: the same relative distance at every size; 0 is close to 0 only."""

    name = "log"

    def lowest(self) -> float:
        return 1.0

    def close(self, x: Value, y: Value, gamma: Fraction) -> bool:
        """x/y ≤ e^γ for x ≥ y. For γ ≠ 0 the two sides are never equal, so balls decide it."""
        low, high = sorted((Fraction(x), Fraction(y)))
        if low == high or low == 0 or gamma == 0:
            return low == high
        bits = 128
        while True:
            with enclosing(bits):
                ratio, bound = ARB.number(high / low), ARB.exp(ARB.number(gamma))
                if ratio < bound:
                    return True
                if ratio > bound:
                    return False
            bits *= 2

    def moved(self, x: float, step: float) -> float:
        return x * math.exp(step)


class Given(NeighborFunction):
    """A user's ψ, evaluated in floating point; inverted by bisection up to ``most``."""

    def __init__(self, psi: Callable[[Any], Any], most: float = 1e12) -> None:
        self.psi, self.most = psi, most
        self.name = getattr(psi, "__name__", "ψ")

    def close(self, x: Value, y: Value, gamma: Fraction) -> bool:
        return abs(float(self.psi(float(x))) - float(self.psi(float(y)))) <= gamma

    def moved(self, x: float, step: float) -> float:
        goal = float(self.psi(x)) + step
        low, high = (x, self.most) if step > 0 else (0.0, x)
        if step < 0 and float(self.psi(0.0)) >= goal:
            return 0.0
        while (middle := (low + high) / 2) not in (low, high):
            if float(self.psi(middle)) <= goal:
                low = middle
            else:
                high = middle
        return low if step > 0 else high


FUNCTIONS: dict[str, NeighborFunction] = {
    psi.name: psi for psi in (SquareRoot(), Logarithm(), Identity())
}
"""The neighbor functions that have a name (Webb et al. 2025, Section 5.3, and 5.4.3 for identity)."""


def neighbor_function(psi: str | Callable[[Any], Any] | NeighborFunction) -> NeighborFunction:
    """ψ by its name in FUNCTIONS, or a user's callable. Raises ParameterError for another name."""
    if isinstance(psi, NeighborFunction):
        return psi
    if callable(psi):
        return Given(psi)
    if psi not in FUNCTIONS:
        raise ParameterError(f"psi = {psi} is not known: use one of {', '.join(FUNCTIONS)}")
    return FUNCTIONS[psi]


def distances(gamma: Rational | Sequence[Rational]) -> tuple[Fraction, ...]:
    """γ_1, …, γ_k as exact rationals. Raises ParameterError for none, or for one below 0."""
    given = (gamma,) if isinstance(gamma, (int, str, float, Fraction)) else tuple(gamma)
    numbers = tuple(exact("gamma", value) for value in given)
    if not numbers or min(numbers) < 0:
        raise ParameterError(f"gamma = {gamma} is not allowed: one or more numbers of at least 0")
    return numbers


class Psi(NeighborRelation[Records]):
    """The record of one establishment is replaced by another one that is ψ-close to it.

    psi: a name in FUNCTIONS, a callable, or a NeighborFunction. gamma: one distance parameter, or a
    sequence with one per attribute (records are then tuples). values, establishments: the finite
    universe, all datasets of that many records over these values. Raises ParameterError for a
    parameter outside its domain.
    """

    def __init__(
        self,
        psi: str | Callable[[Any], Any] | NeighborFunction,
        gamma: Rational | Sequence[Rational],
        values: Sequence[Value] = (),
        establishments: int = 1,
    ) -> None:
        self.psi = neighbor_function(psi)
        self.gammas = distances(gamma)
        self.several = not isinstance(gamma, (int, str, float, Fraction))
        self.values, self.establishments = tuple(values), establishments
        if establishments < 1 or any(value < 0 for value in values):
            raise ParameterError(
                f"establishments = {establishments}, values = {values!r} are not allowed: "
                "establishments is at least 1, values at least 0"
            )

    def close(self, record: Record, other: Record) -> bool:
        """Whether two records are ψ-close in every attribute. ValueError for a wrong number."""
        pairs = zip(self._attributes(record), self._attributes(other), self.gammas, strict=True)
        return all(self.psi.close(x, y, gamma) for x, y, gamma in pairs)

    def related(self, d: Records, d2: Records) -> bool:
        if len(d) != len(d2):
            return False
        changed = [(r, r2) for r, r2 in zip(d, d2, strict=True) if r != r2]
        return len(changed) == 1 and self.close(*changed[0])

    def neighbors(self, d: Records) -> Iterator[Records]:
        for e, own in enumerate(d):
            for record in self._records():
                if record != own and self.close(own, record):
                    yield (*d[:e], record, *d[e + 1 :])

    def datasets(self) -> Iterator[Records]:
        yield from product(self._records(), repeat=self.establishments)

    def dataset_strategy(self) -> st.SearchStrategy[Records]:
        records = st.sampled_from(list(self._records()))
        return st.tuples(*[records for _ in range(self.establishments)])

    def _records(self) -> Iterator[Record]:
        if self.several:
            yield from product(self.values, repeat=len(self.gammas))
        else:
            yield from self.values

    def _attributes(self, record: Record) -> tuple[Value, ...]:
        return record if isinstance(record, tuple) else (record,)
