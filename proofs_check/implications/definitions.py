"""The privacy definitions by name, and small universes by their three numbers."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from establish import ParameterError, Universe
from establish.spec.relations.edge import Edge
from establish.spec.relations.node import Node
from establish.spec.relations.relation import NeighborRelation
from establish.spec.relations.strong import Strong
from establish.spec.relations.substitution import JobSubstitution
from establish.spec.relations.weak import Weak
from establish.spec.requirements import (
    IndividualRequirement,
    Requirement,
    ShapeRequirement,
    SizeRequirement,
    number_of,
)
from establish.spec.tables import Tables, Workplace


@dataclass(frozen=True)
class Definition:
    """title: as a reader knows it. relation: its neighbors in a universe, at α where it has one."""

    name: str
    title: str
    relation: Callable[[Universe, Fraction], NeighborRelation[Tables]]


DEFINITIONS = {
    d.name: d
    for d in (
        Definition("edge", "differential privacy (individuals): one job", lambda u, _: Edge(u)),
        Definition(
            "edge-substitution",
            "differential privacy (individuals): one job replaced by another",
            lambda u, _: JobSubstitution(u),
        ),
        Definition("node", "differential privacy (establishments): one workforce", lambda u, _: Node(u)),
        Definition("strong-er-ee", "(α, ε)-ER-EE privacy", lambda u, alpha: Strong(u, alpha)),
        Definition("weak-er-ee", "weak (α, ε)-ER-EE privacy", lambda u, alpha: Weak(u, alpha)),
    )
}
"""Haney et al. 2017, Section 6, Definitions 7.2 and 7.4, and one variant of edge privacy."""

REQUIREMENTS: dict[str, Callable[[Universe, Fraction], Requirement]] = {
    "individual": lambda u, _: IndividualRequirement(u),
    "size": lambda u, alpha: SizeRequirement(u, alpha),
    "shape": lambda u, alpha: ShapeRequirement(u, alpha),
}
"""Haney et al. 2017, Definitions 4.1, 4.2 and 4.3."""


def small_universe(workers: int, employers: int, attributes: int) -> Universe:
    """Workers w1, w2, …, establishments e1, e2, …, and one attribute with values v1, v2, ….

    attributes: the number of values; 1 means that workers have no attribute.
    Raises ParameterError for a number below 1.
    """
    for name, number in (("workers", workers), ("employers", employers), ("attributes", attributes)):
        if number < 1:
            raise ParameterError(f"{name} = {number} is not allowed: {name} is at least 1")
    return Universe(
        tuple(Workplace(f"e{at}") for at in range(1, employers + 1)),
        tuple(f"w{at}" for at in range(1, workers + 1)),
        ((),) if attributes == 1 else tuple((f"v{at}",) for at in range(1, attributes + 1)),
    )


def universe_named(text: str) -> Universe:
    """The universe that ``workers=3,employers=1,attributes=2`` describes; each is 1 unless given.

    Raises ParameterError for other text.
    """
    numbers = {"workers": 1, "employers": 1, "attributes": 1}
    given: set[str] = set()
    for part in text.split(","):
        name, equals, number = (piece.strip() for piece in part.partition("="))
        if name in given:
            raise ParameterError(f"universe = {text!r} gives {name} twice: give it once")
        if name not in numbers or not equals or not re.fullmatch("[0-9]{1,18}", number):
            raise ParameterError(
                f"universe = {text!r} is not understood: write workers=3,employers=1,attributes=2"
            )
        given.add(name)
        numbers[name] = int(number)
    return small_universe(**numbers)


def in_words(universe: Universe) -> str:
    """The universe in one line."""
    workers = number_of(len(universe.worker_ids), "potential worker")
    workplaces, values = number_of(len(universe.workplaces), "establishment"), len(universe.domain)
    attribute = f"one attribute of {values} values" if values > 1 else "no attribute"
    return f"{workers}, {workplaces}, {attribute}: {universe.size} datasets"
