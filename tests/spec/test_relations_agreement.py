"""Predicate, enumerator and Hypothesis strategy of every relation agree on small universes."""

from fractions import Fraction as F

import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st

from establish import ShapeUniverse, SizeUniverse, Universe
from establish.spec.earnings.neighbors import EarningsOfOne, PresenceOfOne
from establish.spec.regression.local import Grid
from establish.spec.regression.neighbors import AddOrRemovePerson
from establish.spec.relations.edge import Edge
from establish.spec.relations.history import ChangeOfHistory, PresenceOfHistory, histories_up_to
from establish.spec.relations.node import Node
from establish.spec.relations.record import AddOrRemove, Substitute, UnitCount
from establish.spec.relations.strong import Strong
from establish.spec.relations.substitution import JobSubstitution
from establish.spec.relations.weak import Weak
from establish.spec.tables import Workplace

ALPHAS = [F(1, 10), F(1, 3), F(1, 2), F(1), F(3, 2)]


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

HISTORIES = histories_up_to((("a", 1), ("b", 2)), 2)
FEW = Universe((Workplace("e1"), Workplace("e2")), ("w1", "w2"), (("f",), ("m",)))
RELATIONS = {
    "AddOrRemove": AddOrRemove(("f", "m"), 4),
    "Substitute": Substitute(("f", "m", "x"), 4),
    "UnitCount": UnitCount(6),
    "PresenceOfOne": PresenceOfOne(range(3), 0, 3),
    "EarningsOfOne": EarningsOfOne(range(3), 0, 3),
    "PresenceOfHistory": PresenceOfHistory(("Ada", "Bob"), HISTORIES),
    "ChangeOfHistory": ChangeOfHistory(("Ada", "Bob"), HISTORIES),
    "JobSubstitution": JobSubstitution(FEW),
    "AddOrRemovePerson": AddOrRemovePerson(Grid((F(0), F(1)), (F(0), F(1))), 2, 2),
}
OF_OTHER_DATA = tuple(RELATIONS)
for name, universe in UNIVERSES.items():
    RELATIONS[f"Edge, {name}"] = Edge(universe)
    RELATIONS[f"Node, {name}"] = Node(universe)
    for alpha in ALPHAS:
        RELATIONS[f"Strong {alpha}, {name}"] = Strong(universe, alpha)
        RELATIONS[f"Weak {alpha}, {name}"] = Weak(universe, alpha)
OF_ESTABLISHMENTS = [name for name in RELATIONS if name not in OF_OTHER_DATA]


def require_agreement(relation):
    """The neighbors are exactly the related datasets, in both orders, and not none."""
    universe = list(relation.datasets())
    related = {d: {d2 for d2 in universe if relation.related(d, d2)} for d in universe}
    for d in universe:
        listed = list(relation.neighbors(d))
        assert set(listed) == related[d]
        assert len(listed) == len(set(listed))
        assert d not in related[d]
        assert all(d in related[d2] for d2 in related[d])
    assert any(related.values())


@pytest.mark.few(10)
@pytest.mark.parametrize("name", OF_ESTABLISHMENTS)
def test_predicate_and_enumerator_agree_on_establishments(name):
    require_agreement(RELATIONS[name])


@pytest.mark.parametrize("name", OF_OTHER_DATA)
def test_predicate_and_enumerator_agree_on_other_data(name):
    require_agreement(RELATIONS[name])


def require_drawn_as_related(relation, data):
    d, d2 = data.draw(relation.strategy())
    assert relation.related(d, d2)
    assert {d, d2} <= set(relation.datasets())


@given(st.data())
def test_drawn_pairs_of_establishments_are_related_and_lie_in_the_universe(data):
    require_drawn_as_related(RELATIONS[data.draw(st.sampled_from(OF_ESTABLISHMENTS))], data)


@pytest.mark.parametrize("name", OF_OTHER_DATA)
@given(data=st.data())
def test_drawn_pairs_of_other_data_are_related_and_lie_in_the_universe(name, data):
    require_drawn_as_related(RELATIONS[name], data)


def test_the_strategy_reaches_growth_by_one_by_the_full_share_and_shrinkage():
    pairs = Strong(SizeUniverse(1, 100), F(1, 10)).strategy()
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
