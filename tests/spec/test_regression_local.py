"""Local sensitivity of a prediction: closed forms against refitting, and a group that may lose its line."""

import math
from fractions import Fraction as F

import pytest
import sympy
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from establish.spec.parameters import ParameterError
from establish.spec.regression.local import (
    Grid,
    change_by_adding,
    change_by_removing,
    even_grid,
    local_sensitivity,
    neighbors,
    weight,
)
from establish.spec.regression.neighbors import AddOrRemovePerson
from establish.spec.regression.ols import Moments, line, predict
from establish.spec.sensitivity import local_sensitivity as by_definition

GRID = even_grid(2)
FLAT = ((F(0), F(0)), (F(1, 2), F(0)), (F(1), F(0)))
SYMBOLS = Moments(*sympy.symbols("n sx sy sxx sxy"))
RANK, X, Y = sympy.symbols("r x y")


@pytest.mark.parametrize(("times", "closed"), [(1, change_by_adding), (-1, change_by_removing)])
def test_a_point_changes_the_prediction_by_the_closed_form_for_all_moments(times, closed):
    change = line(SYMBOLS.plus(X, Y, times=times)).at(RANK) - line(SYMBOLS).at(RANK)
    assert sympy.simplify(change - closed(SYMBOLS, RANK, X, Y)) == 0


def test_a_wrong_sign_of_the_leverage_would_be_seen():
    change = line(SYMBOLS.plus(X, Y)).at(RANK) - line(SYMBOLS).at(RANK)
    wrong = weight(SYMBOLS, RANK, X) * (Y - line(SYMBOLS).at(X)) / (1 - weight(SYMBOLS, X, X))
    values = dict(zip((*SYMBOLS, RANK, X, Y), (5, 2, 3, 1, F(3, 2), F(1, 2), 1, 1), strict=True))
    assert (change - wrong).subs(values) != 0


def test_the_local_sensitivity_of_a_flat_line_by_hand():
    # n = 3, mean rank 1/2, Σ(x−1/2)² = 1/2. At rank 1/2 every weight h(1/2, x) is 1/3. A point added at
    # 1/2 has leverage 1/3: change (1/3)/(4/3) = 1/4; at 0 or 1 leverage 1/3 + 1/2: (1/3)/(11/6) = 2/11.
    assert local_sensitivity(FLAT, F(1, 2), GRID) == F(1, 4)
    # At rank 0, x = 0: weight = leverage = 5/6: (5/6)/(11/6) = 5/11; x = 1/2: 1/4.
    assert local_sensitivity(FLAT, F(0), GRID) == F(5, 11)


@st.composite
def groups(draw):
    steps, levels = draw(st.integers(1, 4)), draw(st.integers(1, 3))
    grid = even_grid(steps, levels)
    points = draw(st.lists(st.sampled_from(list(grid.points())), min_size=2, max_size=6))
    return grid, tuple(sorted(points))


def local_sensitivity_by_search(points, rank, grid):
    """The largest |q(D') − q(D)| over the neighbors D', fitting every one anew.

    math.inf when some neighbor has no prediction.
    """
    here, largest = predict(points, rank), F(0)
    for other in neighbors(points, grid):
        there = predict(other, rank)
        if there is None:
            return math.inf
        largest = max(largest, abs(there - here))
    return largest


@settings(max_examples=settings().max_examples // 2)
@given(groups(), st.fractions(0, 1, max_denominator=8))
def test_the_closed_form_is_the_search_over_all_neighbors(case, rank):
    grid, points = case
    assume(predict(points, rank) is not None)
    assert local_sensitivity(points, rank, grid) == local_sensitivity_by_search(points, rank, grid)


def test_it_is_the_local_sensitivity_of_the_neighbor_relation():
    relation = AddOrRemovePerson(GRID, 1, 4)
    checked = 0
    for (points,) in relation.datasets():
        finite = predict(points, F(1, 2)) is not None and not math.isinf(
            local_sensitivity(points, F(1, 2), GRID)
        )
        if finite and len(points) < 4:
            query = by_definition(lambda d: predict(d[0], F(1, 2)), relation, (points,))
            assert local_sensitivity(points, F(1, 2), GRID) == query
            checked += 1
    assert checked == 8  # three people, one at each rank, with outcomes 0 or 1


@pytest.mark.parametrize(
    "points",
    [((F(0), F(0)), (F(1), F(1))), ((F(0), F(0)), (F(0), F(1)), (F(1), F(1)))],
    ids=["two people", "one person away from all others"],
)
def test_who_can_take_the_line_away_has_an_infinite_effect(points):
    assert local_sensitivity(points, F(1, 2), GRID) == math.inf
    assert local_sensitivity_by_search(points, F(1, 2), GRID) == math.inf


def test_a_group_without_a_line_is_refused():
    with pytest.raises(ParameterError, match="two different ranks"):
        local_sensitivity(((F(1, 2), F(0)), (F(1, 2), F(1))), F(0), GRID)


def test_a_rank_between_the_ends_may_be_the_most_influential():
    # At rank 1/2, outcomes 0: adding at 1/2 changes by 1/4, at the ends by 2/11 only.
    inner = local_sensitivity(FLAT, F(1, 2), GRID)
    ends = local_sensitivity(FLAT, F(1, 2), Grid((F(0), F(1)), (F(0), F(1))))
    assert inner == F(1, 4)
    assert ends == F(2, 11)


def test_neighbors_are_every_addition_and_every_different_removal():
    points = ((F(0), F(0)), (F(0), F(0)), (F(1), F(1)))
    found = list(neighbors(points, GRID))
    assert len(found) == 6 + 2 == len(set(found))


@pytest.mark.parametrize(
    ("ranks", "outcomes", "name"),
    [
        ((), (F(0),), "ranks"),
        ((F(0),), (), "outcomes"),
        ((F(1, 2), F(1, 2)), (F(0),), "ranks"),
        ((F(1), F(0)), (F(0),), "ranks"),
        ((F(0),), (F(0), F(3, 2)), "outcomes"),
        ((F(-1, 2), F(0)), (F(0),), "ranks"),
    ],
)
def test_a_grid_outside_its_domain_is_refused(ranks, outcomes, name):
    with pytest.raises(ParameterError, match=name):
        Grid(ranks, outcomes)


def test_an_even_grid_has_its_ends_and_refuses_no_steps():
    assert even_grid(2, 1) == Grid((F(0), F(1, 2), F(1)), (F(0), F(1)))
    with pytest.raises(ParameterError, match="steps"):
        even_grid(0)


def test_a_relation_needs_a_group_and_a_size():
    for groups, most in ((0, 1), (1, -1)):
        with pytest.raises(ParameterError, match="groups"):
            AddOrRemovePerson(GRID, groups, most)


def test_the_relation_is_of_two_groups_of_up_to_two_people():
    relation = AddOrRemovePerson(Grid((F(0), F(1)), (F(0), F(1))), 2, 2)
    datasets = list(relation.datasets())
    assert len(set(datasets)) == len(datasets) == 15**2  # 1 + 4 + 10 groups of up to two
    assert not relation.related(datasets[0], datasets[0][:1])
