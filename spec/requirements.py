"""What must be hidden from an attacker (Haney et al. 2017, Definitions 4.1, 4.2 and 4.3).

A requirement compares pairs of events. Its level for a prior and an output is the largest Bayes factor:
posterior odds of the two events over their prior odds. Definitions 4.2 and 4.3 bound the logarithm on
both sides and Definition 4.1 speaks of every a and b, so each pair is listed in both orders.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations
from math import ceil

from establish.spec.parameters import ParameterError, Rational, positive
from establish.spec.priors import JointPrior, ProductPrior, place_of, possible_places
from establish.spec.tables import Attributes, Tables
from establish.spec.universe import Place, Universe

Likelihood = Mapping[Tables, Fraction]
"""Pr[A(D) = ω] for one output ω, up to a common factor; a dataset that is not listed has 0."""

Factor = Fraction | float
"""A Bayes factor: an exact rational, or math.inf."""


def number_of(count: int, noun: str) -> str:
    """ "1 worker", "2 workers"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _where(place: Place) -> str:
    if place is None:
        return "does not work"
    workplace, values = place
    return f"works at {workplace}" + (f" with {' '.join(values)}" if values else "")


@dataclass(frozen=True)
class RecordIs:
    """The record of one worker has one value."""

    worker: str
    place: Place

    def __call__(self, d: Tables) -> bool:
        return place_of(d, self.worker) == self.place

    def __str__(self) -> str:
        return f"{self.worker} {_where(self.place)}"


@dataclass(frozen=True)
class Works:
    """One worker has a job, wherever and with whatever attribute values."""

    worker: str

    def __call__(self, d: Tables) -> bool:
        return place_of(d, self.worker) is not None

    def __str__(self) -> str:
        return f"{self.worker} works"


@dataclass(frozen=True)
class SizeIs:
    """|e| = workers."""

    workplace: str
    workers: int

    def __call__(self, d: Tables) -> bool:
        return len(d.workforce(self.workplace)) == self.workers

    def __str__(self) -> str:
        return f"{self.workplace} has {number_of(self.workers, 'worker')}"


@dataclass(frozen=True)
class ShapeIs:
    """|e| = workers, and ``having`` of them have attribute values in the property X."""

    workplace: str
    values: tuple[Attributes, ...]
    having: int
    workers: int

    def __call__(self, d: Tables) -> bool:
        workforce = d.workforce(self.workplace)
        having = sum(worker.attributes in self.values for worker in workforce)
        return len(workforce) == self.workers and having == self.having

    def __str__(self) -> str:
        values = " or ".join(" ".join(value) for value in self.values)
        workers = number_of(self.workers, "worker")
        return f"{self.having} of the {workers} of {self.workplace} have {values}"


Event = RecordIs | Works | SizeIs | ShapeIs
"""What an attacker may conclude."""


@dataclass(frozen=True)
class Comparison:
    """Two events that the attacker must not tell apart; the factor is in favor of ``first``."""

    first: Event
    second: Event

    def __str__(self) -> str:
        return f"{self.first} versus {self.second}"


def bayes_factor(prior: ProductPrior | JointPrior, likelihood: Likelihood, comparison: Comparison) -> Factor:
    """Pr[ω | first] / Pr[ω | second]: posterior odds over prior odds; math.inf when only first fits ω.

    Raises ParameterError when an event has prior probability 0, or ω is impossible under both.
    """
    given: list[Fraction] = []
    support = prior.support()
    for event in (comparison.first, comparison.second):
        inside = {d: weight for d, weight in support.items() if event(d)}
        if not inside:
            raise ParameterError(f"the event that {event} has prior probability 0")
        joint = sum((w * likelihood.get(d, Fraction(0)) for d, w in inside.items()), Fraction(0))
        given.append(joint / sum(inside.values()))
    first, second = given
    if second:
        return first / second
    if first:
        return math.inf
    raise ParameterError(f"the output is impossible in both events of: {comparison}")


class Requirement(ABC):
    """A family of compared events in a finite universe.

    least_workers: with fewer potential workers the requirement compares nothing.
    """

    name: str
    least_workers: int = 1

    def __init__(self, universe: Universe) -> None:
        self.universe = universe

    @abstractmethod
    def comparisons(self) -> Iterator[Comparison]:
        """Every compared pair of different events, in both orders."""

    @abstractmethod
    def representatives(self) -> Iterator[Comparison]:
        """The comparisons up to renaming workers, workplaces and attribute values."""

    def factors(self, prior: ProductPrior, likelihood: Likelihood) -> Iterator[tuple[Comparison, Factor]]:
        """The Bayes factor of every comparison that is defined for this prior and output."""
        for comparison in self.comparisons():
            try:
                yield comparison, bayes_factor(prior, likelihood, comparison)
            except ParameterError:
                continue

    def met(self, prior: ProductPrior, likelihood: Likelihood, c: Rational) -> bool:
        """Whether every Bayes factor is at most c = e^ε, for this prior and this output."""
        bound = positive("c", c)
        return all(factor <= bound for _, factor in self.factors(prior, likelihood))


class IndividualRequirement(Requirement):
    """Definition 4.1: the values a, b of the record of one worker."""

    name = "individual"

    def comparisons(self) -> Iterator[Comparison]:
        for worker in self.universe.worker_ids:
            yield from self._of(worker)

    def representatives(self) -> Iterator[Comparison]:
        yield from self._of(self.universe.worker_ids[0])

    def _of(self, worker: str) -> Iterator[Comparison]:
        for a, b in permutations(possible_places(self.universe), 2):
            yield Comparison(RecordIs(worker, a), RecordIs(worker, b))


class PresenceRequirement(Requirement):
    """A worker with a job, at all or at one place with one value, against the same worker without (the
    proof of Theorem 7.1, equation 15): a part of Definition 4.1, and mixtures of its events.
    """

    name = "presence"

    def comparisons(self) -> Iterator[Comparison]:
        for worker in self.universe.worker_ids:
            yield from self._of(worker)

    def representatives(self) -> Iterator[Comparison]:
        yield from self._of(self.universe.worker_ids[0])

    def _of(self, worker: str) -> Iterator[Comparison]:
        absent = RecordIs(worker, None)
        places = [place for place in possible_places(self.universe) if place is not None]
        presence: list[Event] = [Works(worker), *(RecordIs(worker, place) for place in places)]
        for present in presence:
            yield Comparison(present, absent)
            yield Comparison(absent, present)


class SizeRequirement(Requirement):
    """Definition 4.2: sizes x < y ≤ ⌈(1 + α)x⌉ of one establishment.

    The condition is printed as Pr[w = x] > 0 and means Pr[|e| = x] > 0. Equal sizes say nothing.
    Raises ParameterError for α ≤ 0.
    """

    name = "size"
    least_workers = 2

    def __init__(self, universe: Universe, alpha: Rational) -> None:
        super().__init__(universe)
        self.alpha = positive("alpha", alpha)

    def sizes(self) -> Iterator[tuple[int, int]]:
        """The pairs x < y that the universe allows."""
        most = len(self.universe.worker_ids)
        for x in range(most + 1):
            for y in range(x + 1, min(ceil((1 + self.alpha) * x), most) + 1):
                yield x, y

    def comparisons(self) -> Iterator[Comparison]:
        for workplace in self.universe.workplaces:
            yield from self._of(workplace.id)

    def representatives(self) -> Iterator[Comparison]:
        yield from self._of(self.universe.workplaces[0].id)

    def _of(self, workplace: str) -> Iterator[Comparison]:
        for pair in self.sizes():
            for x, y in permutations(pair):
                yield Comparison(SizeIs(workplace, x), SizeIs(workplace, y))


class ShapeRequirement(Requirement):
    """Definition 4.3: shares 0 < p < q ≤ min(1, (1 + α)p) of a property X among z workers.

    At least 1/α workers have X before one more may, so a small α compares nothing in a small universe.
    Raises ParameterError for α ≤ 0.
    """

    name = "shape"

    def __init__(self, universe: Universe, alpha: Rational) -> None:
        super().__init__(universe)
        self.alpha = positive("alpha", alpha)
        self.least_workers = ceil(1 / self.alpha) + 1

    def counts(self) -> Iterator[tuple[int, int, int]]:
        """Every (j, i, z) with shares p = j/z and q = i/z that the universe allows."""
        for z in range(1, len(self.universe.worker_ids) + 1):
            for j in range(1, z + 1):
                for i in range(j + 1, z + 1):
                    if i <= (1 + self.alpha) * j:
                        yield j, i, z

    def comparisons(self) -> Iterator[Comparison]:
        domain = self.universe.domain
        for workplace in self.universe.workplaces:
            for size in range(1, len(domain)):
                for values in combinations(domain, size):
                    yield from self._of(workplace.id, values)

    def representatives(self) -> Iterator[Comparison]:
        for size in range(1, len(self.universe.domain)):
            yield from self._of(self.universe.workplaces[0].id, self.universe.domain[:size])

    def _of(self, workplace: str, values: tuple[Attributes, ...]) -> Iterator[Comparison]:
        for *pair, z in self.counts():
            for j, i in permutations(pair):
                yield Comparison(ShapeIs(workplace, values, j, z), ShapeIs(workplace, values, i, z))
