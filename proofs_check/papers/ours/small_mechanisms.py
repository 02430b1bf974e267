"""Mechanisms for earnings on a universe small enough for exact laws, e^ε = 2 for each count and total."""

from collections.abc import Callable
from fractions import Fraction

from establish import Evidence, exhaustive
from establish.spec.arithmetic import EXACT
from establish.spec.earnings.bins import Bins
from establish.spec.earnings.chosen_by_size import cut_off, jointly, mapped
from establish.spec.earnings.histogram import Counts, histogram
from establish.spec.earnings.neighbors import Earnings, EarningsOfOne, PresenceOfOne
from establish.spec.earnings.percentiles import at_least_zero, percentile
from establish.spec.earnings.post_processing import monotone_cumulative, percentile_of
from establish.spec.earnings.quantile_tree import QuantileTree
from establish.spec.indistinguishability import Distribution, is_indistinguishable, likelihood_ratio_bound
from establish.spec.relations.relation import NeighborRelation

HALF = Fraction(1, 2)
QUARTILES = (Fraction(1, 4), HALF, Fraction(3, 4))
VALUES = (1, 3, 5)
BINS = Bins((0, 2, 4))
PRESENCE, CHANGE = PresenceOfOne(VALUES, 0, 3), EarningsOfOne(VALUES, 0, 3)
UNIVERSE = "up to 3 individuals who earn 1, 3 or 5"

Mechanism = Callable[[Earnings], Distribution]


def protected_counts(d: Earnings) -> Distribution:
    """Both counts of BINS, cut off at −2 and 4."""
    return jointly([cut_off(count, HALF, -2, 4) for count in histogram(d, BINS)])


def _clamped(counts: Counts) -> object:
    return percentile(BINS.edges, at_least_zero(counts), HALF)


def _fitted(counts: Counts) -> object:
    return percentile_of(BINS.edges, monotone_cumulative(counts), HALF)


def clamped_median(d: Earnings) -> Distribution:
    """The median of protected counts, negative ones set to 0."""
    return mapped(protected_counts(d), _clamped)  # type: ignore[arg-type]  # its outputs are counts


def fitted_median(d: Earnings) -> Distribution:
    """The median of the nearest monotone cumulative counts."""
    return mapped(protected_counts(d), _fitted)  # type: ignore[arg-type]  # its outputs are counts


def tree(shares: tuple[Fraction, ...], weights: tuple[int, ...], half: Fraction = HALF) -> Mechanism:
    """Quantiles drawn from candidates 3, 5, … with these weights; a level costs e^(ε_l) = 1/half²."""
    candidates = range(3, 2 * len(weights) + 3, 2)
    law = QuantileTree(candidates, [Fraction(w) for w in weights], shares, half, EXACT)

    def output(d: Earnings) -> Distribution:
        return {drawn: Fraction(p) for drawn, p in law.output(d).items()}

    return output


def largest_ratio(mechanism: Mechanism, relation: NeighborRelation[Earnings]) -> Fraction:
    """The least e^ε at which the mechanism is private in the universe."""
    laws = {d: mechanism(d) for d in relation.datasets()}
    return max(
        Fraction(likelihood_ratio_bound(laws[d], laws[e])) for d in laws for e in relation.neighbors(d)
    )


def private(
    mechanism: Mechanism, level: int, says: str, relation: NeighborRelation[Earnings] = PRESENCE
) -> Evidence:
    """Evidence that the mechanism is private at e^ε = level in the universe."""
    laws = {d: mechanism(d) for d in relation.datasets()}
    what = "changes" if relation is CHANGE else "more or less"
    return exhaustive.for_all(
        laws,
        lambda d: all(is_indistinguishable(laws[d], laws[e], level) for e in relation.neighbors(d)),
        f"{says}: private at e^ε = {level}",
        f"{UNIVERSE}, one {what}",
    )
