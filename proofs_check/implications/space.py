"""The datasets of a finite universe and the distance that a neighbor relation induces on them."""

import math
from collections.abc import Iterator, Mapping
from fractions import Fraction

from establish import ParameterError, Universe
from establish.spec.priors import ProductPrior, place_of, possible_places
from establish.spec.relations.relation import NeighborRelation
from establish.spec.requirements import Event
from establish.spec.tables import Tables

LIMIT = 1024
"""The largest number of datasets that is enumerated."""

World = tuple[int, ...]
"""A dataset as the place of each worker, by position in :func:`possible_places`; 0 is absent."""


class Space:
    """All datasets, numbered, with distances (Haney et al. 2017, Equation 8) and shortest chains.

    The relation must treat workers alike: renaming workers maps neighbors to neighbors. Then distances
    from one dataset per class of renamings give all others.

    Raises ParameterError for a universe of more than LIMIT datasets.
    """

    def __init__(self, universe: Universe, relation: NeighborRelation[Tables]) -> None:
        if universe.size > LIMIT:
            raise ParameterError(
                f"universe = {universe.size} datasets is too large: at most {LIMIT} are enumerated; "
                "take fewer workers, establishments or attribute values"
            )
        self.universe, self.relation = universe, relation
        self.places = possible_places(universe)
        number = {place: at for at, place in enumerate(self.places)}
        self.datasets = tuple(universe.datasets())
        self.worlds: tuple[World, ...] = tuple(
            tuple(number[place_of(d, worker)] for worker in universe.worker_ids) for d in self.datasets
        )
        self.index = {world: at for at, world in enumerate(self.worlds)}
        self._tables = dict(zip(self.datasets, self.worlds, strict=True))
        self._near: dict[World, list[World]] = {}
        self._from: dict[World, dict[World, int]] = {}
        self._where: dict[Event, frozenset[int]] = {}

    def _neighbors(self, world: World) -> Iterator[World]:
        """Neighbors, through those of the world with the same places in sorted order."""
        order = sorted(range(len(world)), key=world.__getitem__)
        rank = {worker: at for at, worker in enumerate(order)}
        base = tuple(world[worker] for worker in order)
        if base not in self._near:
            near = self.relation.neighbors(self.datasets[self.index[base]])
            self._near[base] = sorted(self._tables[d] for d in near)
        for other in self._near[base]:
            yield tuple(other[rank[worker]] for worker in range(len(world)))

    def _reach(self, base: World) -> dict[World, int]:
        if base not in self._from:
            reached, sphere = {base: 0}, [base]
            while sphere:
                outside = []
                for world in sphere:
                    for other in self._neighbors(world):
                        if other not in reached:
                            reached[other] = reached[world] + 1
                            outside.append(other)
                sphere = outside
            self._from[base] = reached
        return self._from[base]

    def distance(self, i: int, j: int) -> int | float:
        """The length of the shortest chain of neighbors, math.inf if there is none."""
        world, other = self.worlds[i], self.worlds[j]
        order = sorted(range(len(world)), key=world.__getitem__)
        reached = self._reach(tuple(world[worker] for worker in order))
        return reached.get(tuple(other[worker] for worker in order), math.inf)

    def chain(self, i: int, j: int) -> tuple[int, ...]:
        """A shortest chain from i to j, both included. Raises ParameterError when there is none."""
        if self.distance(i, j) == math.inf:
            raise ParameterError(f"no chain of neighbors leads from dataset {i} to dataset {j}")
        links = [i]
        while links[-1] != j:
            left = self.distance(links[-1], j)
            near = (self.index[world] for world in self._neighbors(self.worlds[links[-1]]))
            links.append(next(k for k in near if self.distance(k, j) == left - 1))
        return tuple(links)

    def where(self, event: Event) -> frozenset[int]:
        """The datasets in which the event holds."""
        if event not in self._where:
            self._where[event] = frozenset(at for at, d in enumerate(self.datasets) if event(d))
        return self._where[event]

    def weights(self, prior: ProductPrior) -> dict[int, Fraction]:
        """The probability of every dataset that the prior does not exclude."""
        worlds: dict[World, Fraction] = {(): Fraction(1)}
        for worker in self.universe.worker_ids:
            belief = [(self.places.index(p), q) for p, q in prior.beliefs[worker].items()]
            worlds = {(*w, at): mass * q for w, mass in worlds.items() for at, q in belief}
        return {self.index[world]: mass for world, mass in worlds.items()}

    def given(self, weights: Mapping[int, Fraction], event: Event) -> dict[int, Fraction]:
        """The weights conditioned on the event; empty when it has probability 0."""
        inside = {at: mass for at, mass in weights.items() if at in self.where(event)}
        total = sum(inside.values(), Fraction(0))
        return {at: mass / total for at, mass in inside.items()}
