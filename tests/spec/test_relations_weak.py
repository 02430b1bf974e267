"""Weak α-neighbors: every property of the workforce grows by its own share at most."""

from fractions import Fraction
from itertools import combinations

import pytest

from establish import ParameterError, ShapeUniverse, Universe
from establish.spec.relations.edge import Edge
from establish.spec.relations.growth import may_grow
from establish.spec.relations.weak import Weak
from establish.spec.tables import Tables, Worker, Workplace

TENTH = Fraction(1, 10)
PLACE = Workplace("a")
UNIVERSE = Universe((PLACE,), ("1", "2", "3", "4"), (("f",), ("m",)))


@pytest.mark.parametrize(
    ("shape", "other", "related"),
    [
        ((20, 0), (22, 0), True),
        ((20, 0), (21, 0), True),
        ((20, 0), (20, 1), True),
        ((20, 0), (20, 2), False),  # within a tenth of the total, not of its own value
        ((20, 0), (21, 1), True),  # together 2 of 20
        ((5, 5), (6, 6), False),  # each by one, but their union by 2 of 10
        ((10, 10), (11, 11), True),  # each by one, and 2 is a tenth of 20
        ((22, 0), (20, 0), True),
        ((20, 1), (22, 0), False),
        ((7, 7), (7, 7), False),
    ],
)
def test_values_and_their_unions_are_bounded(shape, other, related):
    assert Weak(ShapeUniverse(1, 2, 30), TENTH).related((shape,), (other,)) is related


def test_only_one_establishment_may_change():
    relation = Weak(ShapeUniverse(2, 2, 3), 1)
    assert relation.related(((1, 1), (1, 1)), ((2, 2), (1, 1)))
    assert not relation.related(((1, 1), (1, 1)), ((2, 1), (1, 2)))


def test_a_union_of_two_values_decides_even_when_the_total_is_within_its_share():
    # α = 1/2: 1 of 1 and 1 of 1 grow by one each, 2 of 2 > ⌊2/2⌋, though the total is 2 of 12.
    relation = Weak(ShapeUniverse(1, 3, 12), Fraction(1, 2))
    assert not relation.related(((1, 1, 10),), ((2, 2, 10),))
    assert relation.related(((1, 1, 10),), ((2, 1, 10),))
    assert relation.related(((2, 2, 10),), ((3, 3, 10),))


def singled_out(small, large, alpha):
    """The bound of Definition 7.3 for every φ on worker records, identifiers included."""
    records = sorted(small | large)
    subsets = (set(x) for n in range(len(records) + 1) for x in combinations(records, n))
    return all(may_grow(len(small & x), len(large & x), alpha) for x in subsets)


@pytest.mark.few(2)
@pytest.mark.parametrize("alpha", [TENTH, Fraction(1), Fraction(1000)])
def test_if_properties_could_single_out_workers_only_edge_neighbors_would_remain(alpha):
    edge = Edge(UNIVERSE)
    datasets = list(UNIVERSE.datasets())
    related = 0
    for d in datasets:
        for d2 in datasets:
            (small,), (large,) = UNIVERSE.workforces(d), UNIVERSE.workforces(d2)
            either = singled_out(small, large, alpha) or singled_out(large, small, alpha)
            assert (either and d != d2) is edge.related(d, d2)
            related += edge.related(d, d2)
    assert related > 0


def test_with_attributes_only_two_workers_may_join_at_once():
    def employed(*workers):
        return Tables((PLACE,), workers, tuple((w.id, "a") for w in workers))

    women = [Worker(id, ("f",)) for id in "1234"]
    assert Weak(UNIVERSE, 1).related(employed(*women[:2]), employed(*women))
    assert not Edge(UNIVERSE).related(employed(*women[:2]), employed(*women))
    assert not Weak(UNIVERSE, 1).related(
        employed(*women[:2]), employed(*women[:2], Worker("3", ("m",)), Worker("4", ("m",)))
    )


def test_replacing_a_worker_by_a_like_one_is_not_weak_although_all_counts_agree():
    first, second = (Tables((PLACE,), (Worker(id, ("f",)),), ((id, "a"),)) for id in ("1", "2"))
    assert not Weak(UNIVERSE, 1).related(first, second)
    assert Weak(UNIVERSE, 1).distance(first, second) == 2


@pytest.mark.parametrize("alpha", [Fraction(1, 2), Fraction(1)])
def test_neighbors_of_tables_are_the_neighbors_of_their_shapes(alpha):
    tables, shapes = Weak(UNIVERSE, alpha), Weak(ShapeUniverse(1, 2, 4), alpha)

    def project(d):
        return tuple(map(UNIVERSE.shape, UNIVERSE.workforces(d)))

    for d in UNIVERSE.datasets():
        reachable = {d2 for d2 in shapes.neighbors(project(d)) if sum(d2[0]) <= 4}
        assert {project(d2) for d2 in tables.neighbors(d)} == reachable


def test_an_attribute_outside_the_domain_is_refused():
    stranger = Tables((PLACE,), (Worker("1", ("x",)),), (("1", "a"),))
    empty = Tables((PLACE,), (), ())
    with pytest.raises(ParameterError, match=r"\('x',\) are not in the domain"):
        Weak(UNIVERSE, 1).related(empty, stranger)


def test_alpha_must_be_positive():
    with pytest.raises(ParameterError, match="alpha = 0"):
        Weak(UNIVERSE, 0)
