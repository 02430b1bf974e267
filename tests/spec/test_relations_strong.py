"""Strong α-neighbors on sizes, on shapes and on tables."""

import math
from fractions import Fraction

import pytest

from establish import ParameterError, ShapeUniverse, SizeUniverse, Universe
from establish.spec.relations.strong import Strong
from establish.spec.tables import Tables, Worker, Workplace

TENTH = Fraction(1, 10)


@pytest.mark.parametrize(
    ("d", "d2", "related"),
    [
        ((20, 5), (22, 5), True),  # the full share
        ((22, 5), (20, 5), True),  # and back
        ((20, 5), (23, 5), False),
        ((20, 5), (20, 6), True),  # by one
        ((20, 5), (20, 7), False),
        ((20, 5), (21, 6), False),  # two establishments
        ((20, 5), (20, 5), False),
        ((0, 0), (1, 0), True),
    ],
)
def test_one_establishment_grows_or_shrinks_by_a_tenth_or_by_one(d, d2, related):
    assert Strong(SizeUniverse(2, 30), TENTH).related(d, d2) is related


def test_the_neighbors_of_twenty_two_at_one_tenth():
    # Up: to 24 = ⌊24.2⌋. Down: 21 by one, and 20, whose share is exactly 22; ⌊1.1 × 19⌋ = 20 < 22.
    relation = Strong(SizeUniverse(1, 30), TENTH)
    assert sorted(relation.neighbors((22,))) == [(20,), (21,), (23,), (24,)]


def test_the_share_of_the_total_may_go_to_one_attribute_value():
    relation = Strong(ShapeUniverse(1, 2, 30), TENTH)
    assert relation.related(((20, 0),), ((20, 2),))
    assert relation.related(((20, 0),), ((21, 1),))
    assert not relation.related(((20, 0),), ((20, 3),))
    assert not relation.related(((20, 1),), ((22, 0),))  # E is not part of E'


def test_an_attribute_change_within_an_establishment_is_no_growth():
    place = Workplace("a")
    universe = Universe((place,), ("1", "2"), (("f",), ("m",)))
    woman, man = Worker("1", ("f",)), Worker("1", ("m",))
    relation = Strong(universe, 1)
    one = Tables((place,), (woman,), (("1", "a"),))
    other = Tables((place,), (man,), (("1", "a"),))
    joined = Tables((place,), (man, Worker("2", ("f",))), (("1", "a"), ("2", "a")))
    assert not relation.related(one, other)
    assert not relation.related(one, joined)
    assert relation.related(other, joined)


@pytest.mark.parametrize("alpha", [Fraction(1, 2), Fraction(1), Fraction(3, 2)])
@pytest.mark.parametrize(("workplaces", "workers"), [(1, 6), (2, 4)])
def test_neighbors_of_tables_are_the_neighbors_of_their_sizes(workplaces, workers, alpha):
    # Sizes beyond the number of potential workers do not exist in the universe of tables.
    universe = Universe(
        tuple(Workplace(f"e{i}") for i in range(workplaces)), tuple(f"w{i}" for i in range(workers))
    )
    tables = Strong(universe, alpha)
    sizes = Strong(SizeUniverse(workplaces, workers), alpha)

    def project(d):
        return tuple(map(len, universe.workforces(d)))

    for d in universe.datasets():
        reachable = {d2 for d2 in sizes.neighbors(project(d)) if sum(d2) <= workers}
        assert {project(d2) for d2 in tables.neighbors(d)} == reachable


def test_neighbors_of_tables_with_attributes_are_the_neighbors_of_their_shapes():
    universe = Universe((Workplace("a"),), ("1", "2", "3", "4"), (("f",), ("m",)))
    tables, shapes = Strong(universe, 1), Strong(ShapeUniverse(1, 2, 4), 1)

    def project(d):
        return tuple(map(universe.shape, universe.workforces(d)))

    for d in universe.datasets():
        reachable = {d2 for d2 in shapes.neighbors(project(d)) if sum(d2[0]) <= 4}
        assert {project(d2) for d2 in tables.neighbors(d)} == reachable


def test_the_distance_follows_the_chain_of_maximal_growth():
    # At α = 1: 0 → 1 → 2 → 4 → 8 → 16, and not a step fewer.
    relation = Strong(SizeUniverse(1, 16), 1)
    assert [relation.distance((0,), (y,)) for y in (0, 1, 2, 3, 4, 5, 8, 9, 16)] == [
        0, 1, 2, 3, 3, 4, 4, 5, 5,
    ]  # fmt: skip


def test_a_dataset_outside_the_universe_is_infinitely_far():
    assert Strong(SizeUniverse(1, 4), 1).distance((0,), (5,)) == math.inf


@pytest.mark.parametrize("alpha", [0, -1, float("nan"), float("inf")])
def test_alpha_must_be_a_positive_rational(alpha):
    with pytest.raises(ParameterError, match="alpha = "):
        Strong(SizeUniverse(1, 4), alpha)
