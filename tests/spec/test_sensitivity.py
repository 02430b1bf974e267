"""Sensitivities by definition on small universes, and of the counting query without bound."""

import math
from fractions import Fraction as F
from itertools import pairwise

import pytest

from establish import ParameterError, ShapeUniverse, SizeUniverse
from establish.spec.relations.edge import Edge
from establish.spec.relations.node import Node
from establish.spec.relations.record import AddOrRemove, Substitute
from establish.spec.relations.strong import Strong
from establish.spec.relations.weak import Weak
from establish.spec.sensitivity import (
    counting_smooth_sensitivity,
    global_sensitivity,
    local_sensitivity,
    printed_counting_smooth_sensitivity,
    smooth_sensitivity,
)

TENTH = F(1, 10)


def histogram(records):
    return tuple(records.count(value) for value in ("f", "m"))


def test_global_sensitivities_of_counts():
    assert global_sensitivity(len, AddOrRemove(("f", "m"), 3)) == 1
    assert global_sensitivity(histogram, AddOrRemove(("f", "m"), 3)) == 1
    assert global_sensitivity(histogram, Substitute(("f", "m"), 3)) == 2
    assert global_sensitivity(len, Substitute(("f", "m"), 3)) == 0
    assert global_sensitivity(sum, Edge(SizeUniverse(2, 5))) == 1
    assert global_sensitivity(sum, Node(SizeUniverse(2, 5))) == 5


def test_the_global_sensitivity_of_a_count_grows_with_the_universe_under_strong_neighbors():
    # The largest step below ``most`` at α = 1 is from ⌈most/2⌉: 4 → 8, 8 → 16.
    assert global_sensitivity(sum, Strong(SizeUniverse(1, 8), 1)) == 4
    assert global_sensitivity(sum, Strong(SizeUniverse(1, 16), 1)) == 8


def test_the_local_sensitivity_of_a_count_belongs_to_the_largest_establishment():
    relation = Strong(SizeUniverse(2, 60), TENTH)
    assert local_sensitivity(sum, relation, (39, 5)) == 3
    assert local_sensitivity(sum, relation, (5, 39)) == 3
    assert local_sensitivity(sum, relation, (5, 6)) == 1


def test_a_dataset_without_neighbors_has_local_sensitivity_zero():
    assert local_sensitivity(sum, Edge(SizeUniverse(2, 0)), (0, 0)) == 0


def test_the_weak_local_sensitivity_of_a_vector_of_counts_is_below_the_strong_one():
    universe = ShapeUniverse(1, 2, 9)
    # α = 1 at (3, 1). Strong: 4 more. Weak: at most 3 and 1 more, together 4 of 4. For the second
    # count alone, strong may add all 4, weak only 1.
    assert local_sensitivity(lambda d: d[0], Strong(universe, 1), ((3, 1),)) == 4
    assert local_sensitivity(lambda d: d[0], Weak(universe, 1), ((3, 1),)) == 4
    assert local_sensitivity(lambda d: d[0][1], Strong(universe, 1), ((3, 1),)) == 4
    assert local_sensitivity(lambda d: d[0][1], Weak(universe, 1), ((3, 1),)) == 1


def test_smooth_sensitivity_discounts_the_distance():
    # α = 1 from size 1: at distance 0 to 3 the sizes 1, 2, 4, 8, which are also the largest steps.
    relation = Strong(SizeUniverse(1, 16), 1)
    assert smooth_sensitivity(sum, relation, (1,), F(1, 2), 3) == 1
    assert smooth_sensitivity(sum, relation, (1,), F(3, 4), 0) == 1
    assert smooth_sensitivity(sum, relation, (1,), F(3, 4), 1) == F(3, 4) * 2
    assert smooth_sensitivity(sum, relation, (1,), F(3, 4), 3) == F(27, 64) * 8
    assert smooth_sensitivity(sum, relation, (1,), F(1, 4), 3) == 1
    # A radius beyond the diameter adds nothing.
    assert smooth_sensitivity(sum, relation, (1,), 1, 50) == 8


def chain(largest, alpha, steps):
    """Sizes under maximal integer growth, in integer arithmetic of its own."""
    sizes = [largest]
    for _ in range(steps):
        sizes.append(sizes[-1] + max(sizes[-1] * alpha.numerator // alpha.denominator, 1))
    return sizes


def discounted(sizes, growth):
    """The growth of each step of a chain, divided by e^b once per step before it."""
    return [(after - size) / growth**j for j, (size, after) in enumerate(pairwise(sizes))]


@pytest.mark.parametrize("alpha", [F(1, 3), F(1, 2), F(1), F(3, 2)])
@pytest.mark.parametrize("rest", [(), (2,)])
def test_the_chain_of_maximal_growth_is_the_brute_force_over_the_graph(alpha, rest):
    radius = 3
    for largest in range(7):
        room = chain(largest, alpha, radius + 1)[-1]
        if rest and (largest < 2 or room > 60):
            continue
        relation = Strong(SizeUniverse(1 + len(rest), room), alpha)
        growth = 1 + alpha
        brute = smooth_sensitivity(sum, relation, (largest, *rest), 1 / growth, radius)
        assert brute == max(discounted(chain(largest, alpha, radius + 1), growth))
        assert brute <= counting_smooth_sensitivity(largest, alpha, growth)


@pytest.mark.parametrize(
    ("largest", "alpha", "growth", "value"),
    [
        (0, TENTH, F(11, 10), 1),
        (10, TENTH, F(11, 10), 1),
        (20, TENTH, F(11, 10), 2),
        (19, TENTH, F(11, 10), F(20, 11)),  # 19 → 20, whose growth is 2: 2/1.1
        (19, TENTH, 2, 1),  # 2/2 = 1 does not exceed ⌊1.9⌋
        (3, F(1, 2), F(3, 2), F(4, 3)),  # 3 → 4, 2/(3/2)
        (3, F(1, 2), 2, 1),
        (5, 1, 2, 5),
        (5, 1, F(199, 100), math.inf),
    ],
)
def test_the_integer_smooth_sensitivity_by_hand(largest, alpha, growth, value):
    assert counting_smooth_sensitivity(largest, alpha, growth) == value


GRID = [(x, alpha) for alpha in (F(1, 20), TENTH, F(2, 7), F(1, 2), F(3, 2)) for x in range(60)]


def test_no_later_step_exceeds_the_integer_value_and_some_step_attains_it():
    for largest, alpha in GRID:
        for growth in (1 + alpha, 1 + alpha * F(11, 10)):
            steps = discounted(chain(largest, alpha, 61), growth)
            assert counting_smooth_sensitivity(largest, alpha, growth) == max(steps)


def test_on_real_sizes_the_printed_formula_is_the_smooth_sensitivity():
    for largest, alpha in GRID:
        x = largest + F(1, 3)
        for growth in (1 + alpha, 2 + alpha):
            value = counting_smooth_sensitivity(x, alpha, growth, integer=False)
            assert value == printed_counting_smooth_sensitivity(x, alpha, growth)
            size, steps = x, []
            for j in range(25):
                steps.append(max(alpha * size, 1) / growth**j)
                size += max(alpha * size, 1)
            assert value == max(steps)


def test_on_integer_sizes_the_printed_formula_is_an_upper_bound_and_not_always_attained():
    differs = 0
    for largest, alpha in GRID:
        printed = printed_counting_smooth_sensitivity(largest, alpha, 1 + alpha)
        exact = counting_smooth_sensitivity(largest, alpha, 1 + alpha)
        assert max(math.floor(alpha * largest), 1) <= exact <= printed
        differs += exact < printed
    assert 0 < differs < len(GRID)


@pytest.mark.parametrize("integer", [True, False])
def test_below_one_plus_alpha_the_discounted_growth_passes_every_bound(integer):
    alpha, growth = TENTH, F(109, 100)
    assert counting_smooth_sensitivity(50, alpha, growth, integer=integer) == math.inf
    assert printed_counting_smooth_sensitivity(50, alpha, growth) == math.inf
    # The discounted growth multiplies by about 1.1/1.09 a step: it grows 100-fold within 600 steps.
    sizes = chain(50, alpha, 601)
    assert (sizes[601] - sizes[600]) / growth**600 > 100 * 5


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((-1, TENTH, 2), "largest = -1"),
        ((F(1, 2), TENTH, 2), "integer sizes"),
        ((5, 0, 2), "alpha = 0"),
        ((5, TENTH, F(1, 2)), "growth = 1/2"),
    ],
)
def test_counting_parameters_outside_their_domain_are_refused(arguments, message):
    with pytest.raises(ParameterError, match=message):
        counting_smooth_sensitivity(*arguments)


@pytest.mark.parametrize(("discount", "radius"), [(0, 1), (2, 1), (F(1, 2), -1)])
def test_smoothing_parameters_outside_their_domain_are_refused(discount, radius):
    with pytest.raises(ParameterError):
        smooth_sensitivity(sum, Edge(SizeUniverse(1, 3)), (1,), discount, radius)
