"""Sections 1, 3.1 and 5.5: what is released besides three percentiles of a cell, and what it costs."""

from collections.abc import Callable, Hashable
from fractions import Fraction

import sympy

from establish import Every, Evidence, Verdict, aside, claim, exact, exhaustive, holds, ill_posed, symbolic
from establish.proofs_check.engine.rules import settled
from establish.proofs_check.papers.foote2019.expected_accuracy import MORE_ACCURATE
from establish.proofs_check.papers.foote2019.histogram.counts import BINS, CELLS_ADD_UP, HALF, cells_add_up
from establish.proofs_check.papers.foote2019.histogram.privacy import POST_PROCESSING
from establish.spec.distributions import geometric
from establish.spec.earnings.chosen_by_size import cut_off, jointly, mapped
from establish.spec.earnings.histogram import histogram
from establish.spec.earnings.neighbors import Earnings, PresenceOfOne
from establish.spec.indistinguishability import Distribution, is_indistinguishable, likelihood_ratio_bound

SMALL = PresenceOfOne(range(3), 0, 2)
"""Up to two individuals who earn 0, 1 or 2."""


def _protected(d: Earnings) -> Distribution:
    """The protected counts of BINS, e^ε = 2, those outside −1 to 3 moved to these ends."""
    return jointly([cut_off(count, HALF, -1, 3) for count in histogram(d, BINS)])


def _total(counts: Hashable) -> Hashable:
    assert isinstance(counts, tuple)
    return sum(counts)


def _costs_no_more(function: Callable[[Hashable], Hashable], what: str) -> Evidence:
    """By the exact laws of a function of the protected counts."""
    laws = {d: mapped(_protected(d), function) for d in SMALL.datasets()}
    return exhaustive.for_all(
        laws,
        lambda d: all(is_indistinguishable(laws[d], laws[e], 2) for e in SMALL.neighbors(d)),
        f"{what}: private at e^ε = 2",
        "up to 2 individuals who earn 0 to 2, one more or less, counts cut at −1 and 3",
    )


@claim(
    "foote2019/sec5-more-percentiles",
    where="Section 5.5, end; Section 1",
    says="From the histogram any number of percentiles may be released: calculating additional ones adds no "
    "privacy loss.",
    states=(POST_PROCESSING, MORE_ACCURATE),
    tight=POST_PROCESSING,
    scope="percentiles are functions of the protected counts; the accuracy is that of one cell of ours",
)
def all_percentiles_are_read_off_one_release() -> Verdict:
    """However many, they are one function of the protected counts, which cost ε together. For most values of
    ε the histogram is more accurate: the cells of the paper are not public; on log-normal ones it is
    foote2019/sec5-grid-ln-better-ss, and for 15 individuals at equal distances an enclosure of the mean.
    """
    return holds(
        settled(POST_PROCESSING),
        aside(exhaustive.proves(MORE_ACCURATE)),
        value="ε for all of them",
        condition="neighbors differ in the presence of one row",
    )


@claim(
    "foote2019/intro-higher-level-cells",
    where="Section 1",
    says="The histogram approach allows for the release of additional, higher-level cells.",
    states=(*CELLS_ADD_UP, POST_PROCESSING),
    origin="implied",
)
def histograms_of_cells_add_up() -> Verdict:
    """The histogram of a union of cells is the sum of theirs, since the bins are the same. So the sum of
    the protected ones is a protected histogram of the higher-level cell, and a function of what is released:
    nothing is added to the privacy loss. What it costs is noise: the variances of k cells add up.
    """
    k, rho = sympy.symbols("k rho", positive=True)
    variance = geometric.variance(rho)
    return holds(
        *cells_add_up(),
        settled(POST_PROCESSING),
        symbolic.identity(sympy.diff(k * variance, k), variance, "one more cell adds its variance"),
        value="0 more; noise of variance k·2ρ/(1−ρ)² per bin for k cells",
        condition="the cells that are put together have all been released, with the same bins",
    )


COUNT_TELLS_LITTLE = Every(
    "cell",
    lambda: SMALL.datasets(),
    lambda d: all(
        likelihood_ratio_bound({len(d): Fraction(1)}, {len(e): Fraction(1)}) <= 10**6
        for e in SMALL.neighbors(d)
    ),
)
"""The exact count has a finite loss, that of e^ε = 10⁶ say."""


@claim(
    "foote2019/sec3.1-cell-count",
    where="Section 3.1, before the use cases",
    says="The count that is released for every cell is private.",
    states=COUNT_TELLS_LITTLE,
    meant=POST_PROCESSING,
    origin="implied",
)
def count_costs_nothing_when_it_is_the_protected_total() -> Verdict:
    """How the count is protected is not said, and Section 4.1 does not list it as an output. The exact
    count tells every neighbor apart: the loss is infinite. The total of the protected counts is a function
    of them and costs nothing more; its noise is that of all M bins. A count with noise of its own needs
    its share of ε.
    """
    one, two = (0,), (0, 1)
    return ill_posed(
        exact.refuted(COUNT_TELLS_LITTLE, case=(0,)),
        settled(POST_PROCESSING),
        exact.compare(int(SMALL.related(one, two)), "==", 1, "(0) and (0, 1) are neighbors"),
        exact.compare(
            int(likelihood_ratio_bound({len(one): Fraction(1)}, {len(two): Fraction(1)}) == float("inf")),
            "==",
            1,
            "their exact counts tell them apart",
        ),
        aside(_costs_no_more(_total, "the total of the protected counts")),
        condition="the count is the total of the protected counts, or has noise and a share of ε of its own",
        counterexample="cells (0) and (0, 1): the exact counts are 1 and 2",
    )
