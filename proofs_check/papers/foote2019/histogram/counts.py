"""Section 4.1: bins, their counts, and the distribution function that they give."""

from collections.abc import Iterable
from fractions import Fraction
from itertools import product

from establish import Evidence, Verdict, aside, claim, exact, exhaustive, holds, ill_posed, solver, symbolic
from establish.proofs_check.engine.conventions import by_convention
from establish.proofs_check.engine.rules import term_by_term
from establish.proofs_check.engine.statements import Below, Equal, Every, EverySum, Integer, Rational, Real
from establish.proofs_check.papers.foote2019.geometric import COUNT_IS_PRIVATE
from establish.proofs_check.papers.foote2019.sensitivity import COUNT_SENSITIVITY, count_sensitivity
from establish.spec.arithmetic import EXACT
from establish.spec.distributions import geometric
from establish.spec.earnings.bins import Bins, even_edges
from establish.spec.earnings.histogram import distance, histogram, joint_mass, outside
from establish.spec.earnings.neighbors import Earnings, EarningsOfOne, PresenceOfOne
from establish.spec.earnings.percentiles import NoPercentile, distribution_function
from establish.spec.indistinguishability import likelihood_ratio_bound

HALF = Fraction(1, 2)
"""ρ = e^(−ε) in the examples of this module, so that e^ε = 2."""

BINS = Bins((0, 1, 2, 4))
"""Three bins for earnings from 0 to 3, the last one open at the top."""

DOLLARS = range(4)
PRESENCE = PresenceOfOne(DOLLARS, 0, 3)
CHANGE = EarningsOfOne(DOLLARS, 3, 3)
UNIVERSE = "up to 3 rows that earn 0 to 3, bins [0, 1), [1, 2), [2, ∞)"


def _together(d: Earnings, relation: PresenceOfOne | EarningsOfOne) -> set[int]:
    """By how much, in L1, the list of all counts may change."""
    return {distance(histogram(d, BINS), histogram(e, BINS)) for e in relation.neighbors(d)}


ALL_BY_PRESENCE = Every(
    "table",
    lambda: PRESENCE.datasets(),
    lambda d: _together(d, PRESENCE) == {1},
    larger=lambda: PresenceOfOne(range(6), 0, 4).datasets(),
)
ALL_BY_CHANGE = Every(
    "table",
    lambda: CHANGE.datasets(),
    lambda d: _together(d, CHANGE) in ({2}, {0, 2}),
    wrong=lambda d: _together(d, CHANGE) == {1},
)
"""The list of all counts changes by 1 for one row more or less, and by up to 2 for a row changed."""


@claim(
    "foote2019/sens-bins",
    where="Section 4.1, after (4.1)",
    says="The sensitivity of each of the bin counts is 1, so that geometric noise protects each with privacy "
    "loss ε.",
    states=(*COUNT_SENSITIVITY, COUNT_IS_PRIVATE),
    tight=(*COUNT_SENSITIVITY, ALL_BY_PRESENCE, ALL_BY_CHANGE),
)
def each_bin_count_has_sensitivity_one() -> Verdict:
    """Each is a count query. For the list of all counts it matters who neighbors are: a row more or less
    changes one of them by 1 (bins are disjoint), a row with other earnings changes two: the L1 sensitivity
    is 1 or 2. The masses of the noise at distances k and k + 1 have the ratio e^ε.
    """
    return holds(
        *count_sensitivity(),
        solver.proves(COUNT_IS_PRIVATE),
        aside(exhaustive.each(ALL_BY_PRESENCE, UNIVERSE)),
        aside(exhaustive.each(ALL_BY_CHANGE, "3 rows that earn 0 to 3, the same bins")),
        value="1 for each; for all together 1 (one row more or less) or 2 (one row changed)",
    )


def _adds_up(cells: tuple[Earnings, ...]) -> bool:
    first, second = (histogram(d, BINS) for d in cells)
    return histogram(sum(cells, ()), BINS) == tuple(a + b for a, b in zip(first, second, strict=True))


ADDS_UP = EverySum(
    Equal(
        *(Integer(name, least=0, most=1) for name in ("in the bin", "in the first cell")),
        left=lambda c, inside, first: inside,
        right=lambda c, inside, first: inside * first + inside * (1 - first),
    ),
    shared=[],
)
"""Over the individuals of two cells: together the cells have in a bin what both have in it."""

OF_HISTOGRAMS = Every("cells", lambda: product(PRESENCE.datasets(), repeat=2), _adds_up)
"""So have the histograms of the specification."""

CELLS_ADD_UP = ADDS_UP, OF_HISTOGRAMS


def cells_add_up() -> tuple[Evidence, Evidence]:
    """Evidence for each of CELLS_ADD_UP."""
    return (
        term_by_term(ADDS_UP, solver.proves(ADDS_UP.term)),
        exhaustive.each(OF_HISTOGRAMS, f"pairs of cells with {UNIVERSE}"),
    )


def _is_the_share(d: Earnings) -> bool:
    function = distribution_function(histogram(d, BINS))
    uppers = (*BINS.edges[1:-1], 10)
    return function == tuple(Fraction(sum(v < u for v in d), len(d)) for u in uppers)


FUNCTION_IS_THE_SHARE = Every(
    "table",
    lambda: (d for d in PRESENCE.datasets() if d),
    _is_the_share,
    larger=lambda: (d for d in PresenceOfOne(DOLLARS, 4, 5).datasets() if d),
)
"""F(j) is the share of those who earn less than the upper end of bin j; everybody in the last bin."""


@claim(
    "foote2019/eq-4.1",
    where="Section 4.1, (4.1)",
    says="F(j) = Σ_{i≤j} q_i / Σ_{i≤M} q_i is the empirical distribution function of the histogram.",
    states=FUNCTION_IS_THE_SHARE,
    origin="implied",
)
def distribution_function_needs_a_total() -> Verdict:
    """An empty cell has Σ q_i = 0 and no F; so has a cell all of whose earnings lie outside the bins.
    Otherwise F(j) is the share of those inside the bins who earn less than b_{j+1} (in the last bin:
    everybody).
    """
    return holds(
        exhaustive.each(FUNCTION_IS_THE_SHARE, f"{UNIVERSE}, not empty"),
        condition=by_convention("where defined", "foote2019"),
    )


def _share(counts: tuple[int, ...], place: int) -> Fraction:
    """F at a bin."""
    function = distribution_function(counts)
    return Fraction(0) if isinstance(function, NoPercentile) else function[place]


NEGATIVE = (2, -1, 2)
IT_HAPPENS = Below(left=0, right=lambda c: joint_mass(NEGATIVE, (2, 0, 2), HALF, c))
IT_FALLS = Below(left=lambda c: c.number(_share(NEGATIVE, 1)), right=lambda c: c.number(_share(NEGATIVE, 0)))
"""Protected counts that the true ones (2, 0, 2) may have, and their F(2) against F(1)."""

CHANCE = Equal(
    Rational("ρ", above=0, below=1),
    Integer("q", least=0),
    left=lambda c, rho, count: geometric.cdf(-count - 1, rho, c),
    right=lambda c, rho, count: c.power(rho, count + 1) / (1 + rho),
)
"""The probability of a negative protected value for a count q."""


@claim(
    "foote2019/neg-counts",
    where="Section 4.1, after (4.1)",
    says="The protected distribution function need not be non-decreasing, since counts may be negative.",
    states=(IT_HAPPENS, IT_FALLS),
    tight=CHANCE,
)
def noise_can_make_the_distribution_function_fall() -> Verdict:
    """F(j) − F(j−1) is q_j over the total. While the total is positive F falls exactly at negative counts,
    and leaves [0, 1] with them; a count q has a negative protected value with probability ρ^(q+1)/(1+ρ).
    """
    function = distribution_function((2, -1, 2))
    assert not isinstance(function, NoPercentile)
    return holds(
        exact.decided(IT_HAPPENS),
        exact.decided(IT_FALLS),
        symbolic.proves(CHANCE),
        value="P(negative) = ρ^(q+1)/(1+ρ) for a count q",
    )


EVEN = Bins(tuple(even_edges(0, 3, 3, EXACT)), open_top=False)
CLOSED = Bins(EVEN.edges, open_top=True)
"""Even bins between the minimum and the maximum; the same with the last one open at the top."""

EVEN_BINS_COUNT_ALL = Every(
    "table", lambda: PRESENCE.datasets(), lambda d: outside(d, EVEN) == 0 == len(d) - sum(histogram(d, EVEN))
)
EVERY_VALUE = Below(
    Real("minimum", least=0),
    Real("maximum", above=lambda c, minimum: minimum),
    Real("e", least=lambda c, minimum, maximum: minimum, most=lambda c, minimum, maximum: maximum),
    left=lambda c, minimum, maximum, e: e,
    right=lambda c, minimum, maximum, e: maximum,
)
"""Earnings between minimum and maximum lie below the end of the last of the bins between these."""

OPEN_BINS_COUNT_ALL = Every(
    "table",
    lambda: PRESENCE.datasets(),
    lambda d: outside(d, CLOSED) == 0 == len(d) - sum(histogram(d, CLOSED)),
    larger=lambda: PresenceOfOne(range(6), 0, 4).datasets(),
    wrong=lambda d: outside(d, EVEN) == 0,
)


@claim(
    "foote2019/sec4.1-every-value-has-a-bin",
    where="Section 4.1, 'Constructing the Histogram'",
    says="With e in bin j when b_j ≤ e < b_{j+1}, the counts summarize all earnings of the cell.",
    states=(EVERY_VALUE, EVEN_BINS_COUNT_ALL),
    meant=OPEN_BINS_COUNT_ALL,
    origin="implied",
)
def half_open_bins_lose_the_ends() -> Verdict:
    """Earnings below b_1, and from b_{M+1} on, are in no bin. Even bins 'between the minimum and maximum
    values' lose the maximum itself. For the log-normal bins footnote 18 puts everything from b_M on into
    the last bin; then those below the bottom cutoff remain outside.
    """
    return ill_posed(
        exact.refuted(EVERY_VALUE, minimum=0, maximum=3, e=3),
        exact.refuted(EVEN_BINS_COUNT_ALL, case=(1, 3)),
        exact.compare(outside((-1,), CLOSED), "==", 1, "of (−1), even with an open top bin, lost"),
        exhaustive.each(OPEN_BINS_COUNT_ALL, "up to 3 rows that earn 0 to 3, even bins from 0 to 3"),
        condition="no earnings below b_1, and the last bin takes all from b_M on",
        counterexample="earnings 1 and 3, even bins [0, 1), [1, 2), [2, 3): the maximum 3 is in no bin",
    )


def _even_from_data(earnings: Iterable[int]) -> Bins:
    return Bins(tuple(even_edges(0, max(earnings), 2, EXACT)))


RANGE_IS_FREE = Equal(
    Real("minimum", least=0),
    Real("maximum", above=lambda c, minimum: minimum),
    Real("another", least=lambda c, minimum, maximum: minimum),
    Rational("j/M", least=0, most=1),
    left=lambda c, minimum, maximum, another, share: minimum + (maximum - minimum) * share,
    right=lambda c, minimum, maximum, another, share: (
        minimum + (c.maximum(maximum, another) - minimum) * share
    ),
)
"""Even bins between minimum and maximum of the earnings are the same with one row more, so that they cost
nothing: each bound of M bins, whatever the maximum and the earnings of that row are.
"""


@claim(
    "foote2019/sec4.1.1-even-range",
    where="Section 4.1.1; Proposition 4.1, step 1",
    says="The even bins lie between the minimum and maximum values, and choosing the bins costs no privacy.",
    states=RANGE_IS_FREE,
)
def maximum_of_the_data_is_not_public() -> Verdict:
    """If the maximum is that of the cell's earnings, the bin bounds are released without noise: one row more
    changes them, with certainty, so the loss is infinite. The maximum must be public; Section 4.1 says so
    of the b_j.
    """
    bins, others = _even_from_data((1, 2)), _even_from_data((1, 2, 4))
    same = likelihood_ratio_bound({bins.edges: Fraction(1)}, {bins.edges: Fraction(1)})
    apart = likelihood_ratio_bound({bins.edges: Fraction(1)}, {others.edges: Fraction(1)})
    return ill_posed(
        exact.refuted(RANGE_IS_FREE, **{"minimum": 0, "maximum": 2, "another": 4, "j/M": "1/2"}),
        exact.compare(int(apart == float("inf")), "==", 1, "their bin bounds tell them apart"),
        exact.compare(int(same), "==", 1, "e^loss when the bounds are public"),
        condition="minimum and maximum are public constants",
        counterexample="earnings (1, 2) and (1, 2, 4): two even bins from 0 end at 2 or at 4",
    )
