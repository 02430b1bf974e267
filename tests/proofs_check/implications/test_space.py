"""Distances, chains and shipments, on which every worst case rests."""

from fractions import Fraction as F

import pytest

from establish.proofs_check.implications.certificate import chain_length
from establish.proofs_check.implications.definitions import DEFINITIONS, small_universe
from establish.proofs_check.implications.space import LIMIT, Space
from establish.proofs_check.implications.transport import ship
from establish.spec.parameters import ParameterError

NAMES = list(DEFINITIONS)


def space_of(name, *numbers, alpha=F(1)):
    universe = small_universe(*numbers)
    return Space(universe, DEFINITIONS[name].relation(universe, alpha))


# Distances and chains


@pytest.mark.few(2)
@pytest.mark.parametrize("name", NAMES)
def test_distances_are_those_of_the_relation(name):
    space = space_of(name, 3, 2, 1)
    for i in range(0, len(space.datasets), 5):
        for j in range(len(space.datasets)):
            expected = space.relation.distance(space.datasets[i], space.datasets[j])
            assert space.distance(i, j) == expected


def test_chains_are_shortest_and_lead_over_neighbors():
    space = space_of("weak-er-ee", 3, 1, 2)
    for i in range(len(space.datasets)):
        chain = [space.datasets[at] for at in space.chain(0, i)]
        assert (chain[0], chain[-1]) == (space.datasets[0], space.datasets[i])
        assert chain_length(space.relation, chain) == space.distance(0, i)
    with pytest.raises(ParameterError, match="no chain"):
        space_of("edge-substitution", 1, 1, 1).chain(0, 1)


def test_a_universe_that_is_too_large_is_refused_with_its_size():
    with pytest.raises(ParameterError, match=f"2048 datasets is too large: at most {LIMIT}"):
        space_of("edge", 11, 1, 1)


# Shipments


def test_a_shipment_ships_all_or_names_sources_that_supply_too_much():
    assert ship([2, 3], [3, 2], [[0], [0, 1]]).stuck == frozenset()
    # Both sources may only use sink 0, which takes 3 of their 4.
    assert ship([2, 2], [3, 1], [[0], [0]]).stuck == {0, 1}


def test_a_shipment_reroutes_what_the_first_choice_blocks():
    # Source 0 takes sink 0 first; source 1 has only sink 0, so source 0 must move to sink 1.
    shipped = ship([1, 1], [1, 1], [[0, 1], [0]])
    assert (shipped.amounts, shipped.stuck) == ({(0, 1): 1, (1, 0): 1}, frozenset())
