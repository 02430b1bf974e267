"""How far an average over trials may be from its expectation, with the probability of being wrong."""

from math import log, sqrt

import numpy as np

from establish.impl.arrays import Floats


def of_bounded_sums(widths: Floats, trials: int, error: float) -> float:
    """For the average over trials of Σ X_i, independent X_i in ranges of these widths (Hoeffding 1963).

    The average is farther than this from its expectation, on either side, with probability ``error`` at most.
    """
    return sqrt(log(2 / error) * float(np.square(widths).sum()) / (2 * trials))


def of_rank_correlations(items: int, trials: int, error: float) -> float:
    """For the average over trials of Spearman's correlation of two random orders of ``items`` items ≥ 2.

    Each order is by one number an item, all numbers are independent, and equals keep a fixed order. An item
    that moves past k others in one order changes Σ x·y by k times its rank in the other less the sum of
    theirs, items·(items − 1)/2 at most, and the correlation, which is 12·Σ x·y/(items³ − items) and a
    constant, by 6/(items + 1). The bounded differences of McDiarmid 1989 give the rest, with 2·items numbers
    a trial. It is at most 2, the width of the range of a correlation.
    """
    return min(2.0, 6 / (items + 1) * sqrt(log(2 / error) * items / trials))
