"""Privacy definitions: a neighbor relation and a level of indistinguishability."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic

from establish.spec.indistinguishability import Distribution, Event, failure, hockey_stick, level, worst_event
from establish.spec.parameters import Rational
from establish.spec.relations.edge import Edge
from establish.spec.relations.node import Node
from establish.spec.relations.record import AddOrRemove, Records
from establish.spec.relations.relation import D, EstablishmentUniverse, NeighborRelation, W
from establish.spec.relations.strong import Strong
from establish.spec.relations.weak import Weak

Mechanism = Callable[[D], Distribution]
"""A finite mechanism: the exact distribution of its output on a dataset."""


@dataclass(frozen=True)
class Violation(Generic[D]):
    """Neighbors and an event S with Pr[M(first) ∈ S] − c Pr[M(second) ∈ S] = excess > δ."""

    first: D
    second: D
    event: Event
    excess: Fraction


class PrivacyDefinition(Generic[D]):
    """Pr[M(D) ∈ S] ≤ c Pr[M(D') ∈ S] + δ for all neighbors D, D' and all events S.

    relation: who are neighbors. c: e^ε, a rational ≥ 1. delta: a rational in [0, 1).
    Raises ParameterError for a level outside its domain.
    """

    def __init__(self, relation: NeighborRelation[D], c: Rational, delta: Rational = 0) -> None:
        self.relation = relation
        self.c = level(c)
        self.delta = failure(delta)

    def violation(self, mechanism: Mechanism[D], datasets: Iterable[D] | None = None) -> Violation[D] | None:
        """The first pair of neighbors among ``datasets`` that the mechanism fails on, or None.

        datasets: in the order in which pairs are tried; all of the relation's universe by default.
        Raises ParameterError when an output of the mechanism is not a distribution.
        """
        among = list(self.relation.datasets() if datasets is None else datasets)
        outputs = {d: mechanism(d) for d in among}
        for d in among:
            for d2 in self.relation.neighbors(d):
                if d2 in outputs:
                    excess = hockey_stick(outputs[d], outputs[d2], self.c)
                    if excess > self.delta:
                        event = worst_event(outputs[d], outputs[d2], self.c)
                        return Violation(d, d2, event, excess)
        return None

    def satisfied_by(self, mechanism: Mechanism[D], datasets: Iterable[D] | None = None) -> bool:
        """Whether the mechanism meets the definition on all neighbors among ``datasets``.

        It speaks of those datasets only; :meth:`violation` tells why not.
        """
        return self.violation(mechanism, datasets) is None


def differential_privacy(
    domain: Sequence[str], most: int, c: Rational, delta: Rational = 0
) -> PrivacyDefinition[Records]:
    """(ε, δ)-differential privacy, tables that differ in one record's presence (Definition 2.2)."""
    return PrivacyDefinition(AddOrRemove(domain, most), c, delta)


def edge_differential_privacy(
    universe: EstablishmentUniverse[D, W], c: Rational, delta: Rational = 0
) -> PrivacyDefinition[D]:
    """Neighbors differ in the presence of one job (Haney et al. 2017, Section 6)."""
    return PrivacyDefinition(Edge(universe), c, delta)


def node_differential_privacy(
    universe: EstablishmentUniverse[D, W], c: Rational, delta: Rational = 0
) -> PrivacyDefinition[D]:
    """Neighbors differ in the workforce of one establishment (Haney et al. 2017, Section 6)."""
    return PrivacyDefinition(Node(universe), c, delta)


def strong_er_ee(
    universe: EstablishmentUniverse[D, W], alpha: Rational, c: Rational, delta: Rational = 0
) -> PrivacyDefinition[D]:
    """(α, ε)-ER-EE privacy, and with δ > 0 (α, ε, δ)-ER-EE privacy (Definitions 7.2 and 9.1)."""
    return PrivacyDefinition(Strong(universe, alpha), c, delta)


def weak_er_ee(
    universe: EstablishmentUniverse[D, W], alpha: Rational, c: Rational, delta: Rational = 0
) -> PrivacyDefinition[D]:
    """Weak (α, ε)-ER-EE privacy, and weak (α, ε, δ) (Definitions 7.4 and 9.1)."""
    return PrivacyDefinition(Weak(universe, alpha), c, delta)
