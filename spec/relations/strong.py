"""Strong α-neighbors (Haney et al. 2017, Definition 7.1, symmetrised)."""

from collections.abc import Iterator

from establish.spec.parameters import Rational, positive
from establish.spec.relations.growth import may_grow
from establish.spec.relations.relation import D, EstablishmentUniverse, OneEstablishmentRelation, W


class Strong(OneEstablishmentRelation[D, W]):
    """One establishment's workforce E is part of E', and |E'| ≤ max((1 + α)|E|, |E| + 1).

    Which workers join, and with which attributes, is free: only their number is bounded. The
    printed definition has a direction (E before E'); neighbors are the pairs in either order.

    alpha: the share of growth, a rational > 0. Raises ParameterError otherwise.
    """

    def __init__(self, universe: EstablishmentUniverse[D, W], alpha: Rational) -> None:
        super().__init__(universe)
        self.alpha = positive("alpha", alpha)

    def close(self, small: W, large: W) -> bool:
        size = self.universe.headcount
        return (
            small != large
            and self.universe.includes(large, small)
            and may_grow(size(small), size(large), self.alpha)
        )

    def replacements(self, d: D, e: int) -> Iterator[W]:
        size = self.universe.headcount(self.universe.workforces(d)[e])
        for more in range(1, self._largest_from(size) - size + 1):
            yield from self.universe.additions(d, e, more)
        for fewer in range(1, size + 1):
            if self._largest_from(size - fewer) >= size:
                yield from self.universe.removals(d, e, fewer)

    def _largest_from(self, size: int) -> int:
        """The largest size that ``size`` may grow to, in integers: α = p/q."""
        p, q = self.alpha.numerator, self.alpha.denominator
        return max(size * (p + q) // q, size + 1)
