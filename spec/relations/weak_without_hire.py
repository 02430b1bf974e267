"""Weak α-neighbors as the slides of Haney et al. (2016) print them: without one worker more as a step."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

from establish.spec.parameters import Rational, positive
from establish.spec.relations.relation import D, EstablishmentUniverse, OneEstablishmentRelation, W


class WeakWithoutHire(OneEstablishmentRelation[D, W]):
    """One establishment grows from E to E' ⊇ E with φ(E) ≤ φ(E') ≤ max((1 + α)·φ(E), 1) for every property φ.

    Properties are sets of attribute values, as for `Weak`. alpha: a rational > 0. Raises ParameterError
    otherwise.
    """

    def __init__(self, universe: EstablishmentUniverse[D, W], alpha: Rational) -> None:
        super().__init__(universe)
        self.alpha = positive("alpha", alpha)

    def close(self, small: W, large: W) -> bool:
        if small == large or not self.universe.includes(large, small):
            return False
        counts = list(zip(self.universe.shape(small), self.universe.shape(large), strict=True))
        return all(
            sum(y for _, y in chosen) <= max((1 + self.alpha) * sum(x for x, _ in chosen), Fraction(1))
            for values in range(1, len(counts) + 1)
            for chosen in combinations(counts, values)
        )

    def replacements(self, d: D, e: int) -> Iterator[W]:
        own = self.universe.workforces(d)[e]
        for other in self.universe.possible(d, e):
            if self.close(own, other) or self.close(other, own):
                yield other
