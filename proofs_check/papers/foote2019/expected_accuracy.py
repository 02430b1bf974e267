"""Section 5: the histogram beside smooth sensitivity on one cell, by enclosures of their mean accuracies."""

from fractions import Fraction
from itertools import pairwise

from establish.proofs_check.engine.statements import Below, Comparison, Integer, computed
from establish.proofs_check.papers.foote2019.percentiles import SHARES
from establish.spec.arithmetic import Number, World
from establish.spec.distributions import heavy_tailed
from establish.spec.earnings.expected_accuracy import by_histogram
from establish.spec.earnings.order_sensitivity import sample_percentile
from establish.spec.earnings.smooth_percentile import SmoothPercentileMechanism

CELL = tuple(range(20_000, 80_000, 4_000))
"""15 individuals with earnings from $20,000 to $76,000, equally far apart."""

ENDS = (10_000, 90_000)
"""The public range of their earnings."""

EDGES = (10_000, 50_000, 90_000)
"""Two even bins."""

_COUNTS = tuple(sum(low <= e < high for e in CELL) for low, high in pairwise(EDGES))


def mean_accuracy_by_smooth_sensitivity(c: World, share: Fraction, epsilon: Fraction) -> Number:
    """Of a percentile of CELL, with all of ε for it alone."""
    law = SmoothPercentileMechanism(share, epsilon, ENDS).output(CELL, c)
    return 1 - law.scale * heavy_tailed.absolute_moment(1, heavy_tailed.GAMMA, c) / law.center


def least_mean_accuracy_by_histogram(c: World, share: Fraction, epsilon: Fraction) -> Number:
    """Of a percentile of CELL: what it is at least."""
    ratio = c.exp(-c.number(epsilon))
    return by_histogram(EDGES, _COUNTS, share, sample_percentile(CELL, share, ENDS), ratio, 3, c)[0]


def _ahead(share: Fraction, factor: int, least: int, most: int) -> Comparison:
    """The histogram at ε = tenths/10 is more accurate than smooth sensitivity at ``factor`` times ε."""
    return Below(
        Integer("10·ε", least=least, most=most),
        left=computed(
            lambda c, tenths: mean_accuracy_by_smooth_sensitivity(c, share, Fraction(factor * tenths, 10))
        ),
        right=computed(lambda c, tenths: least_mean_accuracy_by_histogram(c, share, Fraction(tenths, 10))),
    )


MORE_ACCURATE = _ahead(Fraction(1, 2), 1, 15, 30)
"""The median, at 16 of the 30 values of ε."""

AT_TWICE_THE_BUDGET = tuple(_ahead(share, 2, 10, 15) for share in SHARES)
"""Each percentile, with ε for all of them against 2ε for that percentile alone."""
