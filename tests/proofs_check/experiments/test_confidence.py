"""Intervals of averages and of rank correlations are wide enough."""

from itertools import permutations, product

import numpy as np

from establish.proofs_check.experiments.confidence import of_bounded_sums, of_rank_correlations


def test_one_item_changes_a_rank_correlation_by_no_more_than_the_interval_allows():
    """All pairs of orders of 5 items, one of which is moved: 6/(items + 1), and it is nearly reached."""
    items, largest = 5, 0.0
    for ranks in list(permutations(range(items))):
        for item, place in product(range(items), repeat=2):
            rest = [i for i in np.argsort(ranks) if i != item]
            rest.insert(place, item)
            moved = np.argsort(rest)
            change = 12 * np.dot(np.arange(items), moved - np.array(ranks)) / (items**3 - items)
            largest = max(largest, abs(change))
    assert 0.8 * 6 / (items + 1) <= largest <= 6 / (items + 1)
    assert of_rank_correlations(5, 1, 1e-9) == 2.0
    assert of_rank_correlations(10_000, 20, 1e-9) < 0.07


def test_sums_of_bounded_errors_are_rarely_beyond_their_interval():
    """At error probability 1/20, 4,000 averages: a binomial of mean 200 passes 290 with less than 1e-9."""
    rng = np.random.default_rng(4)
    widths = np.array([1.0, 2.0, 5.0])
    sums = (rng.random((4_000, 10, 3)) * widths).sum(axis=2).mean(axis=1)
    assert (np.abs(sums - widths.sum() / 2) > of_bounded_sums(widths, 10, 0.05)).sum() < 290
