"""Edge neighbors: one job, with its worker, added or removed (Haney et al. 2017, Section 6)."""

from collections.abc import Iterator

from establish.spec.relations.relation import D, OneEstablishmentRelation, W


class Edge(OneEstablishmentRelation[D, W]):
    """One establishment has exactly one worker more; all its other workers are the same."""

    def close(self, small: W, large: W) -> bool:
        universe = self.universe
        one_more = universe.headcount(large) - universe.headcount(small) == 1
        return one_more and universe.includes(large, small)

    def replacements(self, d: D, e: int) -> Iterator[W]:
        yield from self.universe.additions(d, e, 1)
        yield from self.universe.removals(d, e, 1)
