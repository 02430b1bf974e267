"""Node neighbors: one establishment has any other workforce (Haney et al. 2017, Section 6)."""

from collections.abc import Iterator

from establish.spec.relations.relation import D, OneEstablishmentRelation, W


class Node(OneEstablishmentRelation[D, W]):
    """The datasets differ in the workforce of exactly one establishment, without any limit.

    Removing all workers of an establishment is the case that the name comes from. Replacement is
    included, so that edge ⊂ strong ⊂ node. It is a removal of the whole workforce followed by the
    hiring of another, so distances in the two readings differ by a factor of at most 2. The
    establishments themselves, with their public attributes, stay.
    """

    def close(self, small: W, large: W) -> bool:
        return small != large

    def replacements(self, d: D, e: int) -> Iterator[W]:
        own = self.universe.workforces(d)[e]
        return (other for other in self.universe.possible(d, e) if other != own)
