"""Pairs of neighbors for Hypothesis that shrink towards the smallest on which a test still fails."""

from dataclasses import replace
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from establish.proofs_check.audit.question.candidates import order
from establish.proofs_check.audit.question.definitions import AuditDefinition, Finite
from establish.proofs_check.audit.question.result import Pair
from establish.spec.parameters import ParameterError
from establish.spec.relations.relation import OneEstablishmentRelation
from establish.spec.relations.universes import ShapeUniverse, SizeUniverse


def neighbors(
    definition: AuditDefinition, universe: Finite | None = None, most: int = 1000
) -> st.SearchStrategy[Pair]:
    """Pairs of neighbors for Hypothesis, in either order; they shrink towards small ones.

    With a universe all of its pairs, otherwise those that an audit tries, of total size at most
    ``most``. Where establishments change, sizes shrink one by one and the last establishment is the one
    that changes. A pair that is left may be larger than the smallest where pairs between them pass the test.
    Raises ParameterError when there are none.
    """
    pairs = definition.pairs(most) if universe is None else definition.pairs_in(universe)
    if next(iter(pairs), None) is None:
        raise ParameterError(f"{definition}: there are no neighbors up to size {most}")
    if isinstance(universe, (SizeUniverse, ShapeUniverse)) and definition.within is not None:
        relation = definition.within(universe)
        if isinstance(relation, OneEstablishmentRelation):
            return _one_changes(relation)
    listed = definition.pairs(most) if universe is None else definition.pairs_in(universe)
    return st.sampled_from(sorted(listed, key=order))


@st.composite
def _one_changes(draw: st.DrawFn, relation: OneEstablishmentRelation[Any, Any]) -> Pair:
    """A dataset, whose last establishment changes, and then the place where that one stands.

    Whether other establishments have workers at all is drawn first, since few need them. The place is
    drawn last and counted from the end, so that no choice before it changes its meaning.
    """
    universe: Any = relation.universe
    last = universe.establishments - 1
    others: tuple[Any, ...] = ()
    if last and draw(st.booleans()):
        others = draw(replace(universe, establishments=last).strategy())
    alone = replace(universe, establishments=1)
    empty = next(iter(alone.datasets()))
    first = (others or empty * last) + draw(alone.strategy())
    options = list(relation.replacements(first, last))
    assume(options)
    second = relation.universe.with_workforce(first, last, draw(st.sampled_from(options)))
    place = last - draw(st.integers(0, last))
    return _swapped(first, place), _swapped(second, place)


def _swapped(d: tuple[Any, ...], place: int) -> tuple[Any, ...]:
    """The dataset with its last establishment at ``place`` and the one from there at the end."""
    moved = list(d)
    moved[place], moved[-1] = moved[-1], moved[place]
    return tuple(moved)
