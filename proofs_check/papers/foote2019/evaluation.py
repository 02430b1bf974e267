"""Sections 3 and 5: accuracy measure, noise by number of bins, budgets, and statements about them."""

from fractions import Fraction
from itertools import pairwise

import sympy

from establish import AtMost, Below, Equal, Integer, Real, claim, computed
from establish.proofs_check.engine.methods import enclosure, exact, exhaustive, solver, symbolic
from establish.proofs_check.engine.rules import PAIR, any_psi, settled
from establish.proofs_check.engine.statements import Comparison, ComparisonOfPsi, EveryPsi
from establish.proofs_check.engine.verdicts import Outcome, Verdict, aside, holds, ill_posed, misprint
from establish.proofs_check.papers.foote2019.expected_accuracy import AT_TWICE_THE_BUDGET
from establish.spec.arithmetic import ARB, SYM, Number, World, enclosing
from establish.spec.distributions import geometric, heavy_tailed, laplace
from establish.spec.earnings.expected_accuracy import by_histogram
from establish.spec.earnings.histogram import total_noise_mass
from establish.spec.earnings.percentiles import percentile
from establish.spec.neighbor_functions.functions import NeighborFunction, root

HALF = Fraction(1, 2)
QUARTILES = (Fraction(1, 4), HALF, Fraction(3, 4))
"""The released percentiles."""


def _next(c: World, x: Number, low: Number, high: Number) -> Number:
    """x, or the end that it lies beyond: an order statistic of a list that x joins."""
    return -c.maximum(-c.maximum(x, low), -high)


def _apart(c: World, *values: Number) -> Number:
    """By how much the three national percentiles differ together, of six in-state earnings and x or y."""
    *own, x, y = values
    pairs = zip(own[::2], own[1::2], strict=True)
    return sum((c.absolute(_next(c, x, *pair) - _next(c, y, *pair)) for pair in pairs), c.number(0))


def _after(c: World, *before: Number) -> Number:
    return before[-1]


DISCLOSED = Below(
    Real("e_1", least=0),
    *(Real(f"e_{i}", least=_after) for i in range(2, 7)),
    Real("x", least=0),
    Real("y", above=_after),
    left=0,
    right=_apart,
)
"""Different earnings of the missing individual have different national percentiles: the second, fourth and
sixth of seven are the 25th, 50th and 75th.
"""


DIFFERENCE = Equal(
    Real("in-state total"),
    Real("missing"),
    left=lambda c, total, missing: (total + missing) - total,
    right=lambda c, total, missing: missing,
)
"""Totals are disclosive: their difference is what is missing."""


@claim(
    "foote2019/fn5-differencing",
    where="Section 1, footnote 5",
    says="If all but one stay in a state, releasing national and in-state earnings discloses the missing "
    "individual's.",
    states=DISCLOSED,
    meant=DIFFERENCE,
)
def differencing_discloses_totals_not_percentiles() -> Verdict:
    """Totals (or means with counts) do: their difference is the missing earnings. The released percentiles
    need not: with in-state earnings 1 to 6 all three national ones are 2, 4, 6 whether the seventh earns 7
    or 8; they tell that it is 6 or more. (One percentile is silent earlier: with 1, 2, 3 the national median
    is 2 1/2 for 3 and for 4, but the 75th percentile tells them apart.)
    """
    return ill_posed(
        exact.refuted(DISCLOSED, **{f"e_{i}": i for i in range(1, 7)}, x=7, y=8),
        solver.proves(DIFFERENCE),
        condition="totals, or means with counts, are released",
        counterexample="in-state 1, 2, 3, 4, 5, 6, the missing one 7 or 8: the 25th, 50th and 75th national "
        "percentiles are 2, 4 and 6 both times",
    )


def _cares(less: bool) -> ComparisonOfPsi:
    """At the lower value x an error changes the utility ψ at most, or at least, as much as at x + more."""

    def lower(psi: NeighborFunction, c: World, x: Number, more: Number, error: Number) -> Number:
        return psi.value(x + error, c) - psi.value(x, c)

    def higher(psi: NeighborFunction, c: World, x: Number, more: Number, error: Number) -> Number:
        return psi.value(x + more + error, c) - psi.value(x + more, c)

    first, second = (lower, higher) if less else (higher, lower)
    return EveryPsi(
        *(Real(name, above=0) for name in ("x", "more", "error")), left=first, relation="<=", right=second
    )


CARE_LESS, CARE_MORE = map(_cares, (True, False))


@claim(
    "foote2019/fn11-marginal-utility",
    where="Section 3.1, footnote 11",
    says="By diminishing marginal utility individuals may care less about an equally large error if the true "
    "value is lower.",
    states=CARE_LESS,
    meant=CARE_MORE,
    scope="utilities that are neighbor functions, which are concave",
)
def concave_utility_weighs_errors_at_low_values_more() -> Verdict:
    """A concave utility changes more per dollar at lower values. For u = √x an error of 5 costs 2 − 3 = −1
    utility units at 4, and less at 100, where √105 < 10 1/4. So they care more if the value is lower, as
    the text around the footnote says ('errors less when the true value is larger').
    """
    return misprint(
        exact.refuted(CARE_LESS, ψ=root(), x=4, more=96, error=5),
        any_psi(CARE_MORE, solver.proves(CARE_MORE.arbitrary)),
        reading="less if the true value is higher",
        reading_is=Outcome.HOLDS,
        counterexample="u = √x, error 5: √9 − √4 = 1 at 4, √105 − √100 < 1/4 at 100",
    )


def _printed_accuracy(c: World, protected: Number, true: Number) -> Number:
    """(5.1) as printed."""
    return 1 - c.absolute(protected - true) / true


_TRUE = Real("True", least=10_000)

ACCURACY = (
    Below(_TRUE, left=0, right=lambda c, true: true / 2),
    Equal(_TRUE, left=lambda c, true: _printed_accuracy(c, c.number(0), true), right=0),
)
"""The divisor is positive, with room, so that (5.1) is defined; always 0 has the accuracy 0."""

ACCURACIES = (
    AtMost(
        _TRUE,
        Real("Protected"),
        left=lambda c, true, protected: _printed_accuracy(c, protected, true),
        right=1,
    ),
    Equal(
        _TRUE,
        Real("a", most=1),
        left=lambda c, true, a: _printed_accuracy(c, true * (2 - a), true),
        right=lambda c, true, a: a,
    ),
)
"""At most 1, and every value from there down is the accuracy of an output: 0 that of 2·True."""


@claim(
    "foote2019/rel-acc",
    where="Section 5.2, (5.1)",
    says="RelAccuracy = 1 − |Protected − True|/True is always defined, as earnings exceed $10,000; it is 0 "
    "for an algorithm that always outputs 0.",
    states=ACCURACY,
    tight=(*ACCURACY, *ACCURACIES),
)
def relative_accuracy_is_defined_for_positive_earnings() -> Verdict:
    """True ≥ 10,000 > 0, so the quotient exists; at Protected = 0 it is 1. The measure is at most 1 and has
    no lower bound: at Protected = 2·True it is 0 again, beyond that negative. It is a share of the true
    value only up to there. Protected must exist, which it does not when the protected counts add up to 0.
    """
    return holds(
        *(solver.proves(statement) for statement in (*ACCURACY, *ACCURACIES)),
        value="at most 1, unbounded below; 0 at 0 and at 2·True",
        condition="the protected percentile exists",
    )


_MORE_BINS = (Real("ρ", above=0, below=1), Real("M", above=0), Real("M'", above=lambda c, rho, m: m))

MORE_NOISE = (
    Below(
        *_MORE_BINS,
        left=lambda c, rho, m, more: m * geometric.variance(rho),
        right=lambda c, rho, m, more: more * geometric.variance(rho),
    ),
    Below(
        *_MORE_BINS,
        Real("N", above=0),
        left=lambda c, rho, m, more, n: geometric.mean_absolute(rho) / (n / m),
        right=lambda c, rho, m, more, n: geometric.mean_absolute(rho) / (n / more),
    ),
)
"""The variance of the sum of M independent noises, and the mean noise per count N/M, increase with M."""


@claim(
    "foote2019/sec5-noise-bins",
    where="Section 5.5",
    says="More bins increase the total noise, and the share of each bin's count that is noise.",
    states=MORE_NOISE,
)
def more_bins_mean_more_noise() -> Verdict:
    """The noises of M bins are independent: their sum has variance M·2ρ/(1−ρ)², and the sum of their
    absolute values the mean M·2ρ/(1−ρ²). With N individuals in equally likely bins a count is N/M, so the
    noise per count is M/N·2ρ/(1−ρ²). Both grow in proportion to M. The moments of one noise come from the
    geometric series: ρ·d/dρ turns Σ ρ^j into Σ j·ρ^j.
    """
    rho = sympy.Symbol("rho", positive=True)
    mean, variance = geometric.mean_absolute(rho), geometric.variance(rho)
    firsts = rho * sympy.diff(1 / (1 - rho), rho)
    squares = rho * sympy.diff(firsts, rho)
    both_sides = 2 * geometric.mass(0, rho, SYM)
    return holds(
        *(solver.proves(statement) for statement in MORE_NOISE),
        symbolic.identity(both_sides * firsts, mean, "E|K|, from Σ j·ρ^j"),
        symbolic.identity(both_sides * squares, variance, "E K², from Σ j²·ρ^j"),
        value="variance of the total M·2ρ/(1−ρ)²; mean noise per count M/N·2ρ/(1−ρ²)",
        condition="equally likely bins",
    )


def _total_is_not_positive(size: int, bins: int, epsilon: Fraction, c: World) -> Number:
    """P(total ≤ 0) of the protected counts for a cell of ``size`` individuals."""
    ratio = c.exp(-c.number(epsilon))
    masses = [total_noise_mass(k, bins, ratio, c) for k in range(size)]
    return (1 - masses[0] - 2 * sum(masses[1:], c.number(0))) / 2


DEFINED = Equal(
    Integer("size", least=1),
    Integer("bins", least=10, most=30),
    Integer("10·ε", least=1, most=30),
    left=computed(lambda c, size, bins, tenths: _total_is_not_positive(size, bins, Fraction(tenths, 10), c)),
    right=0,
)
"""The average accuracy of each combination is defined: no draw leaves a total that is not positive."""


@claim(
    "foote2019/sec5-params",
    where="Section 5.4",
    says="For 10 to 30 bins, ε from 0.1 to 3 by 0.1 and three percentiles, noise is drawn 20 times and the "
    "relative accuracies are averaged.",
    states=DEFINED,
    origin="implied",
)
def average_needs_a_rule_for_totals_that_are_not_positive() -> Verdict:
    """The grid has 21·30·3 = 1890 combinations. On part of it the average is not defined: the protected
    counts may add up to 0, when there is no percentile, or to less, when the curve that is inverted is that
    of the negated counts. With 20 bins and ε = 0.1 the total of a cell of 30 is at most 0 with probability
    0.32. For smooth sensitivity the average is defined (E|Z| is finite), and |Z| has a standard deviation
    equal to its mean, so that the mean of 20 draws has a standard error of 1/√20 = 22% of the error that it
    estimates.
    """
    with enclosing(256):
        shown = enclosure.digits(_total_is_not_positive(30, 20, Fraction(1, 10), ARB))
    first, second = (heavy_tailed.absolute_moment(k, 4, SYM) for k in (1, 2))
    return ill_posed(
        exact.refuted(DEFINED, **{"size": 30, "bins": 20, "10·ε": 1}),
        symbolic.identity(second - first**2, first**2, "Var|Z| is (E|Z|)²"),
        condition="a rule for protected counts whose total is not positive",
        counterexample=f"30 people, 20 bins, ε = 0.1: P(total ≤ 0) = {shown}",
        value=shown,
    )


def _accuracy(edges: tuple[int, ...], true: int, share: Fraction, ratio: Fraction) -> tuple[Number, Number]:
    """Bounds on the mean RelAccuracy of a percentile of one individual who earns ``true``."""
    counts = tuple(int(low <= true < high) for low, high in pairwise(edges))
    return by_histogram(edges, counts, share, true, ratio, 6)


def _above(share: Fraction, ratio: Fraction, bound: int) -> Comparison:
    """Whether the accuracy exceeds a = 11/20 for earnings 103 in bins [101, 102), [102, 103), [103, 203)."""
    return Below(
        left=Fraction(11, 20),
        right=lambda c: c.number(_accuracy((101, 102, 103, 203), 103, share, ratio)[bound]),
    )


AT_OWN_BUDGET = tuple(
    _above(share, Fraction(ratio), 0) for share, ratio in zip(QUARTILES, ("1/100", "1/2", "1/2"), strict=True)
)
AT_LARGEST_BUDGET = _above(HALF, Fraction(1, 100), 1)
"""The least that each can be at its own e^(−ε_H(y)); the most that of the median can be at the largest ε."""

_NEEDS = tuple(Real(f"ε{level}", above=0) for level in (25, 50, 75))
LARGEST_BUDGET_SERVES = (
    *(
        AtMost(
            *_NEEDS,
            left=lambda c, *needs, place=place: needs[place],
            right=lambda c, first, second, third: c.maximum(first, c.maximum(second, third)),
        )
        for place in range(3)
    ),
    Below(
        Real("a"),
        Real("accuracy at ε50", above=lambda c, a: a),
        Real("accuracy at the largest", least=lambda c, a, own: own),
        left=lambda c, a, own, at_top: a + (at_top - own),
        right=lambda c, a, own, at_top: at_top,
    ),
)
"""The largest budget is no less than any, and its accuracy exceeds a by what the own budget gave at least."""

SMALLER_IS_TOO_SMALL = Below(
    *_NEEDS,
    Real("ε", below=lambda c, first, second, third: c.maximum(first, c.maximum(second, third))),
    left=0,
    right=lambda c, first, second, third, spent: c.maximum(
        first - spent, c.maximum(second - spent, third - spent)
    ),
)
"""Some percentile needs more than a budget below the largest."""

SUM_IS_REACHED = Equal(
    *_NEEDS,
    left=lambda c, *needs: sum(
        laplace.log_density(0, 0, 1 / need, c) - laplace.log_density(0, 1, 1 / need, c) for need in needs
    ),
    right=lambda c, *needs: sum(needs),
)
"""Three queries lose it together: Laplace noise of scale 1/ε_y on a count that changes by 1, outputs 0."""


@claim(
    "foote2019/sec5-budget-max-vs-sum",
    where="end of Section 5.5",
    says="For accuracy above a at all percentiles the histogram needs the budget max ε_H(y), smooth "
    "sensitivity Σ ε_SS(y).",
    states=(
        *AT_OWN_BUDGET,
        AT_LARGEST_BUDGET,
        SMALLER_IS_TOO_SMALL,
        PAIR,
        SUM_IS_REACHED,
        *AT_TWICE_THE_BUDGET,
    ),
    meant=(*LARGEST_BUDGET_SERVES, SMALLER_IS_TOO_SMALL, PAIR, SUM_IS_REACHED),
)
def maximum_of_budgets_needs_monotone_accuracy() -> Verdict:
    """Percentiles of one histogram share its noise, so one budget serves all; smooth sensitivity draws anew
    for each, and sequential composition adds. But spending max ε_H(y) gives percentile y more than its
    ε_H(y), and that helps only if accuracy does not fall with ε. It may: earnings at the lower end of a wide
    bin are placed inside it when there is no noise, and noise moves the estimate into the narrow bins
    below. One individual who earns 103, bins [101, 102), [102, 103), [103, 203): at ε = ln 100
    for the 25th percentile and ln 2 for the others the expected accuracies, over draws with a positive total,
    exceed 11/20, and at ln 100 that of the median does not. How much higher Σ ε_SS(y) is depends on the data:
    15 individuals at equal distances need more than 2ε for each of three percentiles with smooth sensitivity,
    where the histogram needs ε for all.
    """
    median = float(_accuracy((101, 102, 103, 203), 103, HALF, Fraction(1, 100))[1])
    return ill_posed(
        *map(exact.decided, AT_OWN_BUDGET),
        exact.refuted(AT_LARGEST_BUDGET),
        settled(PAIR),
        *map(solver.proves, (*LARGEST_BUDGET_SERVES, SMALLER_IS_TOO_SMALL)),
        symbolic.proves(SUM_IS_REACHED),
        *map(exhaustive.proves, AT_TWICE_THE_BUDGET),
        condition="the accuracy of each percentile does not fall as ε grows",
        counterexample="one individual who earns 103, bins [101, 102), [102, 103), [103, 203), a = 11/20: "
        "percentiles are above a at ε = ln 100, ln 2 and ln 2, and at ln 100 the median has "
        f"{median:.2f}",
    )


def _against_one_bin(true: int, *, better: bool) -> Comparison:
    """Three bins up to 12 against one, at ε = ln 10, for one individual who earns ``true``."""
    one, three = (
        lambda c, bins=bins, bound=bound: c.number(
            _accuracy(tuple(range(0, 13, 12 // bins)), true, HALF, Fraction(1, 10))[bound]
        )
        for bins, bound in ((1, better), (3, not better))
    )
    return Below(left=one, right=three) if better else Below(left=three, right=one)


AMBIGUOUS = _against_one_bin(2, better=True), _against_one_bin(6, better=False)
"""With more bins the mean accuracy of the median rises for earnings 2, and falls for 6, in the middle."""


@claim(
    "foote2019/sec5-bins-ambiguous",
    where="Section 5.5",
    says="Theoretically the effect of more bins is ambiguous: they are narrower, but carry more noise.",
    states=(*AMBIGUOUS, *MORE_NOISE),
)
def both_effects_of_more_bins_exist() -> Verdict:
    """Without noise an estimate is off by at most the width of a bin, and one bin always puts the median in
    its middle: three bring that of one individual who earns 2 closer. One who earns 6, the middle, loses by
    the noise alone. The counts of more bins err more (foote2019/sec5-noise-bins).
    """
    return holds(
        *map(exact.decided, AMBIGUOUS),
        *(solver.proves(statement) for statement in MORE_NOISE),
        aside(
            exhaustive.for_all(
                [(n, j) for n in range(1, 5) for j in range(1, 5)],
                lambda case: _within_a_bin(*case),
                "without noise the percentile lies in the bin of the true one",
                "n individuals in bin j of 4, n ≤ 4",
            )
        ),
    )


def _within_a_bin(n: int, j: int) -> bool:
    counts = tuple(n if i == j else 0 for i in range(1, 5))
    value = percentile(range(5), counts, HALF)
    return isinstance(value, Fraction) and j - 1 < value <= j
