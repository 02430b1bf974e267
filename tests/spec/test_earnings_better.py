"""Post-processing, the recursive exponential mechanism and the rule that picks, on small universes.

The levels are c = e^ε as rationals, the laws exact, and the definition is decided on every pair of neighbors.
"""

from fractions import Fraction as F
from itertools import product

import pytest

from establish.spec.arithmetic import EXACT, MP
from establish.spec.distributions import geometric
from establish.spec.earnings.bins import Bins
from establish.spec.earnings.chosen_by_size import SizeRule, chosen, cut_off, jointly, mapped
from establish.spec.earnings.histogram import histogram
from establish.spec.earnings.neighbors import EarningsOfOne, PresenceOfOne
from establish.spec.earnings.percentiles import NoPercentile, at_least_zero, percentile
from establish.spec.earnings.post_processing import (
    isotonic,
    monotone_cumulative,
    percentile_of,
)
from establish.spec.earnings.quantile_tree import QuantileTree, distance, levels
from establish.spec.indistinguishability import checked
from establish.spec.parameters import ParameterError
from establish.spec.privacy import PrivacyDefinition

VALUES = (1, 3, 5)
PRESENCE, CHANGE = PresenceOfOne(VALUES, 0, 3), EarningsOfOne(VALUES, 0, 3)
BINS = Bins((0, 2, 4))
HALF = F(1, 2)
QUARTILES = (F(1, 4), HALF, F(3, 4))
SIGNED = [c for n in range(1, 5) for c in product(range(-2, 3), repeat=n)]


def protected_counts(earnings):
    """Both counts of BINS with noise for e^ε = 2, cut off at −2 and 4."""
    return jointly([cut_off(count, HALF, -2, 4) for count in histogram(earnings, BINS)])


def clamped_median(counts):
    return percentile(BINS.edges, at_least_zero(counts), HALF)


def fitted_median(counts):
    return percentile_of(BINS.edges, monotone_cumulative(counts), HALF)


def private(mechanism, c, relation=PRESENCE):
    return PrivacyDefinition(relation, c).satisfied_by(mechanism)


# Protected counts, and what is done to them


def test_the_cut_off_law_adds_up_to_one_and_is_the_geometric_one_inside():
    law = checked(cut_off(1, F(1, 3), -2, 4))
    for k in range(-1, 4):
        assert law[k] == geometric.mass(k - 1, F(1, 3), EXACT)
    assert law[4] == 1 - geometric.cdf(2, F(1, 3), EXACT)
    assert law[-2] == geometric.cdf(-3, F(1, 3), EXACT)
    with pytest.raises(ParameterError, match="least = 2 must be below most = 2"):
        cut_off(0, HALF, 2, 2)


def test_protected_counts_are_private_at_their_level_and_not_below():
    assert private(protected_counts, 2)
    assert not private(protected_counts, F(199, 100))


def test_changed_earnings_need_the_square_of_the_level():
    assert not private(protected_counts, F(399, 100), CHANGE)
    assert private(protected_counts, 4, CHANGE)


@pytest.mark.parametrize("f", [clamped_median, fitted_median])
def test_post_processing_of_protected_counts_is_private_at_the_same_level(f):
    def mechanism(d):
        return mapped(protected_counts(d), f)

    assert len(mechanism((1, 3))) > 3, "a constant would be private for nothing"
    assert private(mechanism, 2)
    assert not private(mechanism, F(11, 10))


def test_a_function_that_looks_at_the_data_once_more_is_noticed():
    def leaking(d):
        law = mapped(protected_counts(d), clamped_median)
        return mapped(law, lambda y: (y, len(d) == 0))

    assert not private(leaking, 100)


def test_isotonic_regression_agrees_with_its_closed_form():
    # Robertson, Wright and Dykstra: the j-th value is max over i ≤ j of min over k ≥ j of a mean.
    for values in SIGNED:
        n = len(values)
        expected = tuple(
            max(
                min(F(sum(values[i : k + 1]), k + 1 - i) for k in range(j, n)) for i in range(j + 1)
            )
            for j in range(n)
        )
        assert isotonic(values) == expected


def test_isotonic_regression_is_nearer_than_other_monotone_lists():
    steps = [F(k, 2) for k in range(-4, 5)]
    monotone = [m for m in product(steps, repeat=3) if list(m) == sorted(m)]

    def far(first, second):
        return sum((a - b) ** 2 for a, b in zip(first, second, strict=True))

    for values in product(range(-2, 3), repeat=3):
        fit = isotonic(values)
        assert list(fit) == sorted(fit)
        assert all(far(fit, values) <= far(other, values) for other in monotone)


def test_the_monotone_cumulative_counts_rise_from_zero_and_keep_those_of_true_counts():
    for counts in SIGNED:
        fit = monotone_cumulative(counts)
        assert fit[0] >= 0
        assert list(fit) == sorted(fit)
    assert monotone_cumulative((2, 0, 3)) == (2, 2, 5)
    assert monotone_cumulative((2, -1, 3)) == (F(3, 2), F(3, 2), 4)


def test_a_percentile_of_cumulative_counts_is_that_of_the_counts_they_sum():
    for counts in SIGNED:
        edges = range(len(counts) + 1)
        cumulative = [sum(counts[: j + 1]) for j in range(len(counts))]
        for share in QUARTILES:
            assert percentile_of(edges, cumulative, share) == percentile(edges, counts, share)


def test_no_percentile_is_said_and_a_wrong_number_of_edges_is_refused():
    assert percentile_of((0, 1, 2), (1, 0), HALF) is NoPercentile.ZERO_TOTAL
    assert percentile_of((0, 1, 2), (1, -1), HALF) is NoPercentile.NEGATIVE_TOTAL
    with pytest.raises(ParameterError, match="2 edges do not bound 2 bins"):
        percentile_of((0, 1), (1, 2), HALF)


# The recursive exponential mechanism


def tree(shares=QUARTILES, candidates=(2, 4), weights=(1, 50), half=HALF):
    """e^(ε_l/2) = 2, so that a level costs e^(ε_l) = 4."""
    return QuantileTree(candidates, [F(w) for w in weights], shares, half, EXACT)


def test_the_distance_changes_by_at_most_one_with_one_individual_more():
    for share in (F(1, 3), *QUARTILES, F(9, 10)):
        for size, below in product(range(6), repeat=2):
            if below <= size:
                here = distance(below, size, share)
                for more in (0, 1):
                    assert abs(distance(below + more, size + 1, share) - here) <= 1
    assert distance(2, 2, HALF) - distance(1, 1, HALF) == 1


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
        ({"half": F(1)}, "half = 1 is not allowed"),
    ],
)
def test_a_tree_outside_its_domain_is_refused(changed, message):
    with pytest.raises(ParameterError, match=message):
        tree(**changed)


# The rule that picks

RULE = SizeRule((F(2), F(4)), ("few", "some", "many"))


def test_the_rule_picks_by_the_noisy_total_and_epsilon_only():
    assert [RULE.pick(t, 1) for t in (-3, 1, 2, 3, 4, 9)] == [
        *("few", "few", "some", "some", "many", "many")
    ]
    assert RULE.pick(4, HALF) == "some"
    with pytest.raises(ParameterError, match="bounds"):
        SizeRule((F(2), F(2)), (1, 2, 3))
    with pytest.raises(ParameterError, match="2 choices for 2 bounds"):
        SizeRule((F(1), F(2)), (1, 2))
    with pytest.raises(ParameterError, match="epsilon = 0"):
        RULE.pick(1, 0)


def by_size(pick):
    """e^(ε_0) = 2 for the total, e^(ε_1) = 2 or 16 for what is picked."""
    mechanisms = {
        "few": lambda d: mapped(protected_counts(d), clamped_median),
        "some": lambda d: mapped(protected_counts(d), fitted_median),
        "many": tree().output,
        "counts": protected_counts,
    }

    def total(d):
        return cut_off(len(d), HALF, -1, 5)

    return chosen(total, pick, mechanisms)


def test_what_the_rule_picks_costs_the_sum_of_both_budgets():
    assert private(by_size(lambda t: RULE.pick(t, 1)), 2 * 16)
    assert private(by_size(lambda t: "few"), 4)
    assert private(by_size(lambda t: "counts"), 4)
    assert not private(by_size(lambda t: "counts"), F(399, 100)), "both budgets are used up"


def test_a_rule_that_looks_at_the_true_count_is_noticed():
    def leaking(d):
        kind = "clamped" if len(d) < 2 else "fitted"
        f = clamped_median if len(d) < 2 else fitted_median
        return mapped(protected_counts(d), lambda counts: (kind, f(counts)))

    assert not private(leaking, 10**6)
