"""Edge and node neighbors, and how all relations between establishments contain each other."""

import math
from fractions import Fraction
from itertools import islice, product

import pytest

from establish import ShapeUniverse, SizeUniverse, Universe
from establish.spec.relations.edge import Edge
from establish.spec.relations.node import Node
from establish.spec.relations.strong import Strong
from establish.spec.relations.weak import Weak
from establish.spec.tables import Tables, Worker, Workplace

A, B = Workplace("a"), Workplace("b")
UNIVERSE = Universe((A, B), ("1", "2", "3"), (("f",), ("m",)))
ANN, BOB = Worker("1", ("f",)), Worker("2", ("m",))


def employed(*placed: tuple[Worker, Workplace], workplaces=(A, B)) -> Tables:
    jobs = tuple((worker.id, workplace.id) for worker, workplace in placed)
    return Tables(workplaces, tuple(worker for worker, _ in placed), jobs)


BOTH_AT_A = employed((ANN, A), (BOB, A))


def test_edge_neighbors_differ_by_one_job():
    edge = Edge(UNIVERSE)
    assert edge.related(BOTH_AT_A, employed((ANN, A)))
    assert edge.related(employed((ANN, A)), BOTH_AT_A)
    assert not edge.related(BOTH_AT_A, employed())


def test_a_worker_who_moves_or_changes_is_two_edges_away():
    edge = Edge(UNIVERSE)
    moved = employed((ANN, A), (BOB, B))
    for other in (moved, employed((ANN, A), (Worker("2", ("f",)), A))):
        assert not edge.related(BOTH_AT_A, other)
        assert edge.distance(BOTH_AT_A, other) == 2


def test_node_neighbors_replace_or_remove_the_workforce_of_one_establishment():
    node = Node(UNIVERSE)
    assert node.related(BOTH_AT_A, employed())
    assert node.related(BOTH_AT_A, employed((Worker("3", ("m",)), A)))
    assert not node.related(BOTH_AT_A, employed((ANN, A), (BOB, B)))  # both a and b change
    assert not node.related(BOTH_AT_A, BOTH_AT_A)


@pytest.mark.parametrize(
    ("relation", "apart"),
    [(Node(SizeUniverse(3, 2)), lambda x, y: x != y), (Edge(SizeUniverse(2, 4)), lambda x, y: abs(x - y))],
    ids=["of nodes it is how many establishments differ", "of edges it is the l1 distance"],
)
def test_the_distance_on_sizes(relation, apart):
    for d, d2 in product(relation.datasets(), repeat=2):
        assert relation.distance(d, d2) == sum(map(apart, d, d2))


def test_spheres_hold_every_reachable_dataset_once_and_end():
    spheres = Edge(SizeUniverse(1, 3)).spheres((1,))
    assert list(islice(spheres, 10)) == [{(1,)}, {(0,), (2,)}, {(3,)}]


@pytest.mark.parametrize("relation", [Edge(UNIVERSE), Node(UNIVERSE), Strong(UNIVERSE, 1)])
def test_public_attributes_never_change_between_neighbors(relation):
    elsewhere = (Workplace("a", ("north",)), B)
    assert relation.related(employed(), employed((ANN, A)))
    assert not relation.related(employed(), employed((ANN, A), workplaces=elsewhere))
    assert relation.distance(employed(), employed(workplaces=elsewhere)) == math.inf


def test_sizes_of_different_numbers_of_establishments_are_not_neighbors():
    assert not Edge(SizeUniverse(2, 3)).related((1,), (1, 1))
    assert not Edge(ShapeUniverse(1, 2, 3)).related(((1, 0),), ((1, 0, 1),))


CONTAINMENTS = [
    (SizeUniverse(2, 8), True),
    (ShapeUniverse(1, 2, 6), False),
    (ShapeUniverse(2, 2, 2), False),
    (UNIVERSE, False),
]


def pairs(relation):
    return {(d, d2) for d in relation.datasets() for d2 in relation.neighbors(d)}


@pytest.mark.parametrize(("universe", "weak_is_strong"), CONTAINMENTS)
def test_edge_is_in_weak_is_in_strong_is_in_node(universe, weak_is_strong):
    # At α = 2 one worker may become three, so that every inclusion can be proper. On sizes there is
    # only one worker attribute value, and weak says what strong says.
    alpha = 2
    edge, node = pairs(Edge(universe)), pairs(Node(universe))
    weak, strong = pairs(Weak(universe, alpha)), pairs(Strong(universe, alpha))
    assert edge < weak <= strong < node
    assert (weak == strong) is weak_is_strong


def test_strong_is_edge_exactly_while_the_share_stays_below_two_workers():
    # An establishment of x workers may gain two once αx ≥ 2 and the universe has x + 2 ≤ 9.
    edge = pairs(Edge(SizeUniverse(2, 9)))
    assert pairs(Strong(SizeUniverse(2, 9), Fraction(1, 10**6))) == edge
    assert pairs(Strong(SizeUniverse(2, 9), Fraction(2, 7) - Fraction(1, 10**6))) == edge
    assert pairs(Strong(SizeUniverse(2, 9), Fraction(2, 7))) > edge
