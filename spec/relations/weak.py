"""Weak α-neighbors (Haney et al. 2017, Definition 7.3, symmetrised)."""

from collections.abc import Iterator
from itertools import combinations

from establish.spec.parameters import Rational, positive
from establish.spec.relations.growth import may_grow
from establish.spec.relations.relation import D, EstablishmentUniverse, OneEstablishmentRelation, W


class Weak(OneEstablishmentRelation[D, W]):
    """One establishment grows from E to E' ⊇ E, and so little in every property of its workers.

    For every set X of worker attribute values, with φ_X counting the workers whose value is in X:
    φ_X(E) ≤ φ_X(E') ≤ max((1 + α) φ_X(E), φ_X(E) + 1).

    Unions matter: one new worker of each of two rare values passes value by value, but not for the
    union of the two, which grows by 2.

    Reading. The printed φ is any property of a worker record. If φ could also single out individual
    workers, the set of the new workers would itself be a property, growing from 0, so that at most
    one worker could be new: the relation would be the edge relation, for every α. So φ speaks of
    attribute values. That E ⊆ E' would follow from the φ that single out one worker; here it is a
    condition of its own, as in Definition 7.1, and makes weak neighbors strong.

    alpha: the share of growth, a rational > 0. Raises ParameterError otherwise.
    """

    def __init__(self, universe: EstablishmentUniverse[D, W], alpha: Rational) -> None:
        super().__init__(universe)
        self.alpha = positive("alpha", alpha)

    def close(self, small: W, large: W) -> bool:
        if small == large or not self.universe.includes(large, small):
            return False
        counts = list(zip(self.universe.shape(small), self.universe.shape(large), strict=True))
        return all(
            may_grow(sum(x for x, _ in chosen), sum(y for _, y in chosen), self.alpha)
            for values in range(1, len(counts) + 1)
            for chosen in combinations(counts, values)
        )

    def replacements(self, d: D, e: int) -> Iterator[W]:
        own = self.universe.workforces(d)[e]
        size, shape = self.universe.headcount(own), self.universe.shape(own)
        p, q = self.alpha.numerator, self.alpha.denominator
        for more in range(1, max(size * p // q, 1) + 1):
            for grown in self.universe.additions(d, e, more):
                if self._small_step(shape, self.universe.shape(grown)):
                    yield grown
        for fewer in range(1, size + 1):
            for shrunk in self.universe.removals(d, e, fewer):
                if self._small_step(self.universe.shape(shrunk), shape):
                    yield shrunk

    def _small_step(self, small: tuple[int, ...], large: tuple[int, ...]) -> bool:
        """The bound for single values and for pairs of values, which imply it for every union.

        Let d_v be the growth of value v and s_v = d_v − αx_v. A union with total growth ≥ 2 breaks
        the bound exactly if its s sum to more than 0. By the single values, s_v > 0 only where d_v
        = 1. Two such values break the bound as a pair. With one, u, the union also holds some v
        with d_v ≥ 1; its other values have s ≤ 0, so that s_u + s_v > 0 already and the pair {u, v}
        breaks the bound.
        """
        p, q = self.alpha.numerator, self.alpha.denominator
        growth = [(x, y - x) for x, y in zip(small, large, strict=True)]
        singles = all(more <= max(x * p // q, 1) for x, more in growth)
        return singles and all(
            a + b <= max((x + y) * p // q, 1) for (x, a), (y, b) in combinations(growth, 2)
        )
