"""Protected counts, what is read off them, and the rule that picks, on small universes.

The levels are c = e^ε as rationals, the laws exact, and the definition is decided on every pair of neighbors.
"""

from fractions import Fraction as F

import pytest

from establish.spec.arithmetic import EXACT
from establish.spec.distributions import geometric
from establish.spec.earnings.bins import Bins
from establish.spec.earnings.chosen_by_size import SizeRule, chosen, cut_off, jointly, mapped
from establish.spec.earnings.histogram import histogram
from establish.spec.earnings.neighbors import EarningsOfOne, PresenceOfOne
from establish.spec.earnings.percentiles import at_least_zero, percentile
from establish.spec.earnings.post_processing import monotone_cumulative, percentile_of
from establish.spec.earnings.quantile_tree import QuantileTree
from establish.spec.indistinguishability import checked
from establish.spec.parameters import ParameterError
from establish.spec.privacy import PrivacyDefinition

VALUES = (1, 3, 5)
PRESENCE, CHANGE = PresenceOfOne(VALUES, 0, 3), EarningsOfOne(VALUES, 0, 3)
BINS = Bins((0, 2, 4))
HALF = F(1, 2)
QUARTILES = (F(1, 4), HALF, F(3, 4))


def protected_counts(earnings):
    """Both counts of BINS with noise for e^ε = 2, cut off at −2 and 4."""
    return jointly([cut_off(count, HALF, -2, 4) for count in histogram(earnings, BINS)])


def clamped_median(counts):
    return percentile(BINS.edges, at_least_zero(counts), HALF)


def fitted_median(counts):
    return percentile_of(BINS.edges, monotone_cumulative(counts), HALF)


def private(mechanism, c, relation=PRESENCE):
    return PrivacyDefinition(relation, c).satisfied_by(mechanism)


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
        return mapped(mapped(protected_counts(d), clamped_median), lambda y: (y, len(d) == 0))

    assert not private(leaking, 100)


RULE = SizeRule((F(2), F(4)), ("few", "some", "many"))


def test_the_rule_picks_by_the_noisy_total_and_epsilon_only():
    assert [RULE.pick(t, 1) for t in (-3, 1, 2, 3, 4, 9)] == [*("few", "few", "some", "some", "many", "many")]
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
        "many": QuantileTree((2, 4), (F(1), F(50)), QUARTILES, HALF, EXACT).output,
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
