"""The recursive exponential mechanism on small universes: exact laws, every pair of neighbors."""

from fractions import Fraction as F
from itertools import product

import pytest

from establish.spec.arithmetic import EXACT, MP
from establish.spec.earnings.chosen_by_size import mapped
from establish.spec.earnings.neighbors import EarningsOfOne, PresenceOfOne
from establish.spec.earnings.quantile_tree import QuantileTree, distance, levels
from establish.spec.indistinguishability import checked
from establish.spec.parameters import ParameterError
from establish.spec.privacy import PrivacyDefinition

VALUES = (1, 3, 5)
PRESENCE, CHANGE = PresenceOfOne(VALUES, 0, 3), EarningsOfOne(VALUES, 0, 3)
HALF = F(1, 2)
QUARTILES = (F(1, 4), HALF, F(3, 4))


def private(mechanism, c, relation=PRESENCE):
    return PrivacyDefinition(relation, c).satisfied_by(mechanism)


def tree(shares=QUARTILES, candidates=(2, 4), weights=(1, 50), half=HALF):
    """e^(ε_l/2) = 2, so that a level costs e^(ε_l) = 4."""
    return QuantileTree(candidates, [F(w) for w in weights], shares, half, EXACT)


def test_the_distance_changes_by_at_most_one_with_one_individual_more():
    for share in (F(1, 3), *QUARTILES, F(9, 10)):
        for size, below in product(range(6), repeat=2):
            if below <= size:
                here = distance(below, size, share, EXACT)
                for more in (0, 1):
                    assert abs(distance(below + more, size + 1, share, EXACT) - here) <= 1
    assert distance(2, 2, HALF, EXACT) - distance(1, 1, HALF, EXACT) == 1


def test_one_draw_is_private_at_the_level_of_one():
    assert private(tree([HALF]).output, 4)
    assert not private(tree([HALF]).output, F(39, 10))
    assert private(tree([HALF], (0, 2, 4, 6), (1, 2, 1, 3)).output, 4)


def test_three_shares_take_two_levels_and_cost_both():
    assert [levels(m) for m in (1, 2, 3, 4, 7, 8)] == [1, 2, 2, 3, 3, 4]
    assert private(tree().output, 16)
    assert not private(tree().output, F(15, 1)), "one level would cost 4"
    assert private(tree(candidates=(0, 2, 4, 6), weights=(1, 2, 1, 3)).output, 16)


def test_changed_earnings_cost_twice_in_the_tree():
    assert not private(tree().output, 16, CHANGE)
    assert private(tree().output, 256, CHANGE)


def test_a_tree_with_twice_the_exponent_is_noticed():
    assert not private(tree(half=F(1, 4)).output, 16)


def test_the_law_of_one_draw_is_the_one_computed_by_hand():
    # Earnings (1, 3), median, candidates 2 and 4 with weights 1 and 50: one is below 2, so u = 0; two are
    # below 4, so u = |2 − 1|/(1/2) = 2. Weights 1·1 and 50·2^(−2): 1 and 25/2.
    assert tree([HALF]).output((1, 3)) == {(2,): F(2, 27), (4,): F(25, 27)}


@pytest.mark.parametrize("ends", [(0, 3), (1, 2), (0, 0), (2, 3)])
def test_only_earnings_strictly_below_a_candidate_count_also_where_it_is_earned_itself(ends):
    # the median of (1, 3, 3, 5): 0, 1, 3 and 4 earnings are below 1, 3, 4 and 6, and u = 2·|below − 2|
    earned, candidates, weights, below = (1, 3, 3, 5), (1, 3, 4, 6), (2, 1, 3, 1), (0, 1, 3, 4)
    law = tree([HALF], candidates, weights).draw(earned, HALF, ends)
    chances = {k: F(weights[k]) / 2 ** (2 * abs(below[k] - 2)) for k in range(ends[0], ends[1] + 1)}
    assert law == {k: chance / sum(chances.values()) for k, chance in chances.items()}


def test_who_earns_the_drawn_candidate_is_in_the_upper_part_alone():
    # (2, 3): the median is 1 or 3 with chances 1/4 : 1. Below 3 there is (2) alone, so u = 1 at 1 and at 3.
    law = tree(candidates=(1, 3), weights=(1, 1)).output((2, 3))
    assert law == {(1, 1, 1): F(1, 25), (1, 1, 3): F(4, 25), (1, 3, 3): F(2, 5), (3, 3, 3): F(2, 5)}


def test_drawn_quantiles_never_decrease_and_their_probabilities_add_up_to_one():
    for earnings in PRESENCE.datasets():
        law = tree(candidates=(0, 2, 4, 6), weights=(1, 2, 1, 3)).output(earnings)
        assert all(list(drawn) == sorted(drawn) for drawn in law)
        checked(law)


def test_the_middle_share_is_drawn_from_the_whole_list():
    alone, three = tree([HALF]).output((1, 3, 5)), tree().output((1, 3, 5))
    assert mapped(three, lambda drawn: (drawn[1],)) == alone


def test_other_shares_have_a_law_in_the_high_precision_world():
    law = QuantileTree((2, 4), (MP.number(1), MP.number(1)), [F(1, 3)], MP.number(HALF), MP)
    # n = 1 below both: u = (1 − 1/3)/(2/3) = 1 at each, so the weights decide.
    assert abs(law.output((1,))[(2,)] - MP.number(HALF)) < MP.number(F(1, 10**40))


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"candidates": (4, 2)}, "candidates = "),
        ({"shares": (HALF, HALF)}, "shares = "),
        ({"shares": ()}, "shares = "),
        ({"shares": (F(1),)}, "share = 1 is not allowed"),
        ({"weights": (1,)}, "weights = "),
        ({"weights": (0, 1)}, "weights = "),
        ({"half": F(0)}, "half = 0 is not allowed"),
        ({"half": F(1)}, "half = 1 is not allowed"),
    ],
)
def test_a_tree_outside_its_domain_is_refused(changed, message):
    with pytest.raises(ParameterError, match=message):
        tree(**changed)
