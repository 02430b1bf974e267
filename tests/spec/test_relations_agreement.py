"""Predicate, enumerator and Hypothesis strategy of every relation agree on small universes."""

from fractions import Fraction

import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st

from establish import ShapeUniverse, SizeUniverse, Universe
from establish.spec.relations.edge import Edge
from establish.spec.relations.node import Node
from establish.spec.relations.record import AddOrRemove, Substitute, UnitCount
from establish.spec.relations.strong import Strong
from establish.spec.relations.weak import Weak
from establish.spec.tables import Workplace

ALPHAS = [Fraction(1, 10), Fraction(1, 3), Fraction(1, 2), Fraction(1), Fraction(3, 2)]


def tables(workplaces: int, workers: int, values: int) -> Universe:
    return Universe(
        tuple(Workplace(f"e{i}") for i in range(workplaces)),
        tuple(f"w{i}" for i in range(workers)),
        tuple((f"v{i}",) for i in range(values)),
    )


# Large enough for growth by 2 at every α, which needs x ≥ 20 at α = 1/10; two establishments and
# two values in others; tables where an establishment of 4 grows to 6 (α = 1/2), or of 2 to 5 (3/2).
UNIVERSES = {
    "one establishment": SizeUniverse(1, 45),
    "two establishments": SizeUniverse(2, 7),
    "two values": ShapeUniverse(1, 2, 12),
    "three values": ShapeUniverse(1, 3, 4),
    "two shapes": ShapeUniverse(2, 2, 2),
    "six workers": tables(1, 6, 1),
    "two workplaces": tables(2, 4, 1),
    "workers with attributes": tables(1, 4, 2),
    "all together": tables(2, 3, 2),
}

RELATIONS = {
    "AddOrRemove": AddOrRemove(("f", "m"), 4),
    "Substitute": Substitute(("f", "m", "x"), 4),
    "UnitCount": UnitCount(6),
}
for name, universe in UNIVERSES.items():
    RELATIONS[f"Edge, {name}"] = Edge(universe)
    RELATIONS[f"Node, {name}"] = Node(universe)
    for alpha in ALPHAS:
        RELATIONS[f"Strong {alpha}, {name}"] = Strong(universe, alpha)
        RELATIONS[f"Weak {alpha}, {name}"] = Weak(universe, alpha)


@pytest.mark.few(10)
@pytest.mark.parametrize("relation", RELATIONS.values(), ids=RELATIONS.keys())
def test_the_neighbors_are_exactly_the_related_datasets_in_both_orders_and_not_none(relation):
    universe = list(relation.datasets())
    related = {d: {d2 for d2 in universe if relation.related(d, d2)} for d in universe}
    for d in universe:
        listed = list(relation.neighbors(d))
        assert set(listed) == related[d]
        assert len(listed) == len(set(listed))
        assert d not in related[d]
        assert all(d in related[d2] for d2 in related[d])
    assert any(related.values())


@given(st.data())
def test_drawn_pairs_are_related_and_lie_in_the_universe(data):
    relation = data.draw(st.sampled_from(list(RELATIONS.values())))
    d, d2 = data.draw(relation.strategy())
    assert relation.related(d, d2)
    assert {d, d2} <= set(relation.datasets())


def test_the_strategy_reaches_growth_by_one_by_the_full_share_and_shrinkage():
    pairs = Strong(SizeUniverse(1, 100), Fraction(1, 10)).strategy()
    quick = settings(max_examples=5000, deadline=None, database=None)
    assert find(pairs, lambda pair: pair[1][0] == pair[0][0] + 1, settings=quick) == ((0,), (1,))
    # The least size whose full share is more than one worker is 20, which grows to 22.
    assert find(pairs, lambda pair: pair[1][0] - pair[0][0] == pair[0][0] // 10 > 1, settings=quick) == (
        (20,),
        (22,),
    )
    assert find(pairs, lambda pair: pair[1][0] < pair[0][0], settings=quick) == ((1,), (0,))


@pytest.mark.small_campaign
def test_the_strategy_of_weak_tables_reaches_growth_by_two_and_shrinkage_by_two():
    pairs = Weak(tables(1, 4, 2), 1).strategy()
    quick = settings(max_examples=5000, deadline=None, database=None)
    for sign in (1, -1):
        grown, d2 = find(pairs, lambda p, s=sign: s * (len(p[1].jobs) - len(p[0].jobs)) == 2, settings=quick)
        assert {len(grown.jobs), len(d2.jobs)} == {2, 4}
