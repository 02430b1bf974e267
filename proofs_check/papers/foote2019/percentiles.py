"""Equation (4.2), the percentile formula below it, and the order of percentiles."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise, product

import z3

from establish import Evidence, Outcome, Verdict, aside, exact, exhaustive, holds, ill_posed, misprint, solver
from establish.proofs_check.engine.register import claim
from establish.proofs_check.engine.rules import settled
from establish.proofs_check.engine.statements import AtMost, Below, Comparison, Equal, Every, Real
from establish.proofs_check.papers.foote2019.histogram.counts import CELLS_ADD_UP, cells_add_up
from establish.proofs_check.papers.foote2019.histogram.privacy import POST_PROCESSING
from establish.spec.arithmetic import EXACT, Number, World
from establish.spec.distributions import heavy_tailed
from establish.spec.earnings.histogram import total_noise_mass
from establish.spec.earnings.percentiles import (
    NoPercentile,
    at_least_zero,
    bin_of_percentile,
    percentile,
    printed_percentile,
    relative_accuracy,
)

SHARES = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))
"""The 25th, 50th and 75th percentiles."""

Signed = tuple[int, ...]
"""Protected counts, some of them perhaps negative."""


def signed(largest: int, most_bins: int) -> Iterator[Signed]:
    """All lists of up to ``most_bins`` counts between −largest and largest, short and small first."""
    for bins in range(1, most_bins + 1):
        cases = product(range(-largest, largest + 1), repeat=bins)
        yield from sorted(cases, key=lambda counts: sum(map(abs, counts)))


def _unit(counts: Signed) -> range:
    """Bins of width 1 from 0."""
    return range(len(counts) + 1)


def corrected(counts: Signed) -> list[Fraction]:
    """The three percentiles with bins of width 1; needs a positive total."""
    values = [percentile(_unit(counts), counts, share) for share in SHARES]
    return [value for value in values if not isinstance(value, NoPercentile)]


def as_printed(counts: Signed) -> list[Fraction]:
    values = [printed_percentile(_unit(counts), counts, share) for share in SHARES]
    return [value for value in values if not isinstance(value, NoPercentile)]


def _meets(counts: Signed, j: int, share: Fraction) -> bool:
    """Whether bin j satisfies (4.2), written out anew."""
    total = sum(counts)
    before, through = Fraction(sum(counts[: j - 1]), total), Fraction(sum(counts[:j]), total)
    return before < share <= through


def _first_is_found(counts: Signed) -> bool:
    if not sum(counts):
        return False
    for share in SHARES:
        all_such = [j for j in range(1, len(counts) + 1) if _meets(counts, j, share)]
        if not all_such or bin_of_percentile(counts, share) != all_such[0]:
            return False
    return True


FIRST_BIN = Every("list of up to 4 protected counts from −2 to 2", lambda: signed(2, 4), _first_is_found)
FIRST_BIN_OF_TOTAL = Every(
    "list of up to 4 protected counts from −2 to 2",
    lambda: (counts for counts in signed(2, 4) if sum(counts)),
    _first_is_found,
    larger=lambda: (counts for counts in signed(5, 3) if sum(counts)),
)
"""The first J with (4.2) exists for Y = 25, 50, 75: always, and where the total is not 0."""


@claim(
    "foote2019/eq-4.2-exists",
    where="Section 4.1, (4.2)",
    says="There is a first bin J with F(J−1) < Y/100 ≤ F(J) for the protected counts.",
    states=FIRST_BIN,
    meant=FIRST_BIN_OF_TOTAL,
)
def first_bin_exists_unless_the_total_is_zero() -> Verdict:
    """F(0) = 0 and F(M) = 1 whatever the signs are, so the first J with F(J) ≥ Y/100 exists, and
    F(J−1) < Y/100, if only the total is not 0. At total 0, which has positive probability for every cell,
    F does not exist. J need not be unique: for (2, −2, 2) and Y = 50 bins 1 and 3 qualify. At a negative
    total J exists as well, but F then runs through the negated counts and tells nothing about earnings.
    """
    chance = total_noise_mass(1, 2, Fraction(1, 2), EXACT)
    return ill_posed(
        exact.refuted(FIRST_BIN, case=(1, -1)),
        exact.compare(chance, ">", 0, "one individual, 2 bins, e^ε = 2: probability of total 0"),
        exhaustive.each(FIRST_BIN_OF_TOTAL, "up to 4 counts between −2 and 2 with a total that is not 0"),
        aside(
            exact.compare(
                sum(_meets((2, -2, 2), j, Fraction(1, 2)) for j in (1, 2, 3)),
                "==",
                2,
                "(2, −2, 2), Y = 50: how many bins satisfy (4.2)",
            )
        ),
        condition="the total of the protected counts is not zero (and is positive to be meaningful)",
        counterexample=f"(1, −1): the total is 0; for one individual, 2 bins and e^ε = 2 a total of 0 has "
        f"probability {chance}",
    )


_IN_BIN = (
    Real("y", above=0, below=1),
    Real("T", above=0),
    Real("S", below=lambda c, y, t: y * t),
    Real("q", least=lambda c, y, t, s: y * t - s),
    Real("b_J"),
    Real("b_(J+1)", above=lambda c, y, t, s, q, b: b),
)


def _value(c: World, y: Number, t: Number, s: Number, q: Number, b: Number, e: Number) -> Number:
    return b + (e - b) * (y * t - s) / q


def _printed_value(c: World, y: Number, t: Number, s: Number, q: Number, b: Number, e: Number) -> Number:
    """With the counts up to bin J, S + q, where the total T is meant."""
    return _value(c, y, s + q, s, q, b, e)


def _is_the_percentile(value: Callable[..., Number]) -> Comparison:
    """The distribution function, linear in bin J, is y at the value."""
    return Equal(
        *_IN_BIN,
        left=lambda c, y, t, s, q, b, e: (s + q * (value(c, y, t, s, q, b, e) - b) / (e - b)) / t,
        right=lambda c, y, *_: y,
    )


PRINTED_FORMULA = _is_the_percentile(_printed_value)

FORMULA_WITH_TOTAL = (
    _is_the_percentile(_value),
    Below(*_IN_BIN, left=lambda c, y, t, s, q, b, e: b, right=_value),
    AtMost(*_IN_BIN, left=_value, right=lambda c, y, t, s, q, b, e: e),
)
"""With total T and S before bin J, F, linear from S/T to (S + q)/T there, is y at the value, in the bin."""


@claim(
    "foote2019/percentile-formula",
    where="Section 4.1, below (4.2); proof of Proposition 4.1",
    says="The Yth percentile is b_J + (b_{J+1} − b_J)·(Y/100·Σ_{i≤J} q̃_i − Σ_{i<J} q̃_i)/q̃_J.",
    states=PRINTED_FORMULA,
    tight=FORMULA_WITH_TOTAL,
    meant=FORMULA_WITH_TOTAL,
)
def first_sum_runs_to_the_last_bin() -> Verdict:
    """J is defined by Y/100 times the total, so Σ_{i≤M} must stand where Σ_{i≤J} is printed. With (1, 1) half
    of the people are below b_2, the median; the printed formula gives the middle of bin 1. It may also leave
    bin J: with (3, 1, 3) the median is in bin 2, the printed value is b_1. With M the value lies in bin J,
    q̃_J > 0, and the linear distribution function is Y/100 there. The two agree for J = M.
    """
    half = Fraction(1, 2)
    outside = as_printed((3, 1, 3))[1]
    return misprint(
        exact.refuted(PRINTED_FORMULA, **{"y": half, "T": 2, "S": 0, "q": 1, "b_J": 0, "b_(J+1)": 1}),
        exact.compare(outside, "<", 1, "(3, 1, 3): printed median in bin [1, 2)"),
        *(solver.proves(statement) for statement in FORMULA_WITH_TOTAL),
        aside(
            exhaustive.for_all(
                [c for c in signed(2, 4) if sum(c) > 0 and bin_of_percentile(c, half) == len(c)],
                lambda c: as_printed(c)[1] == corrected(c)[1],
                "both agree when the median lies in the last bin",
                "up to 4 counts between −2 and 2 with a positive total",
            )
        ),
        reading="Y/100·Σ_{i≤M} q̃_i for the first sum, total positive",
        reading_is=Outcome.HOLDS,
        counterexample="counts (1, 1) on bins [0, 1), [1, 2): the median is 1, printed 0 + 1·(1/2·1 − 0)/1 = "
        "1/2",
        value="b_J + (b_{J+1} − b_J)·(Y/100·Σ_{i≤M} q̃_i − Σ_{i<J} q̃_i)/q̃_J",
    )


def _ordered() -> tuple[Evidence, ...]:
    """The corrected percentile is strictly increasing in Y, for every positive total."""
    low, high, through = z3.Reals("l1 l2 through")
    return (
        solver.for_all(
            [low < high, through >= high],
            through >= low,
            "the first bin at a higher level is not an earlier one",
        ),
        *map(solver.proves, CORRECTED_ORDER),
    )


def _increasing(counts: Signed) -> bool:
    printed = as_printed(counts)
    return printed[0] <= printed[1] <= printed[2]


_TWO_LEVELS = (
    Real("y", above=0, below=1),
    Real("z", above=lambda c, y: y, below=1),
    Real("T", above=0),
    Real("S", below=lambda c, y, z, t: y * t),
    Real("q", least=lambda c, y, z, t, s: z * t - s),
    Real("b_J"),
    Real("b_(J+1)", above=lambda c, y, z, t, s, q, b: b),
)
_TWO_BINS = (
    *_IN_BIN,
    Real("z", above=lambda c, y, *_: y, below=1),
    Real("R", below=lambda c, y, t, s, q, b, e, z: z * t),
    Real("p", least=lambda c, y, t, s, q, b, e, z, r: z * t - r),
    Real("b_K", least=lambda c, y, t, s, q, b, e, *_: e),
    Real("b_(K+1)", above=lambda c, y, t, s, q, b, e, z, r, p, low: low),
)


def _ordered_by(value: Callable[..., Number]) -> tuple[Comparison, Comparison]:
    """Levels y < z of one bin J, and of bins J < K, R being before bin K and p in it."""
    return (
        Below(
            *_TWO_LEVELS,
            left=lambda c, y, z, t, s, q, b, e: value(c, y, t, s, q, b, e),
            right=lambda c, y, z, t, s, q, b, e: value(c, z, t, s, q, b, e),
        ),
        Below(
            *_TWO_BINS,
            left=lambda c, y, t, s, q, b, e, z, r, p, low, high: value(c, y, t, s, q, b, e),
            right=lambda c, y, t, s, q, b, e, z, r, p, low, high: value(c, z, t, r, p, low, high),
        ),
    )


PRINTED_ORDER, CORRECTED_ORDER = _ordered_by(_printed_value), _ordered_by(_value)
"""Percentiles of any list of counts with a positive total increase with the level, by the formula as printed
and with the total of all counts, as the first bin for a higher level is never an earlier one (NOT_EARLIER).
"""


def _first_bin(counts: Signed, share: Fraction) -> int:
    """J, and 0 where there is none."""
    found = bin_of_percentile(counts, share)
    return 0 if isinstance(found, NoPercentile) else found


NOT_EARLIER = Every(
    "list of protected counts",
    lambda: (counts for counts in signed(2, 4) if sum(counts) > 0),
    lambda counts: all(
        0 < _first_bin(counts, low) <= _first_bin(counts, high) for low, high in pairwise(SHARES)
    ),
    wrong=lambda counts: _first_bin(counts, SHARES[0]) < _first_bin(counts, SHARES[1]),
    larger=lambda: (counts for counts in signed(5, 3) if sum(counts) > 0),
)
"""J ≤ K for the first bins, negative counts or not: what reaches the higher level has reached the lower."""


FEW_COUNTS = "up to 4 counts between −2 and 2 with a positive total"


def _smallest_inversion() -> tuple[Evidence, ...]:
    return (
        exact.refuted(
            PRINTED_ORDER[1],
            **{"y": "1/4", "T": 7, "S": 0, "q": 3, "b_J": 0, "b_(J+1)": 1},
            **{"z": "1/2", "R": 3, "p": 1, "b_K": 1, "b_(K+1)": 2},
        ),
        aside(
            exhaustive.for_all(
                [c for c in signed(6, 3) if sum(map(abs, c)) < 7 and sum(c) > 0],
                _increasing,
                "no inversion with fewer than 7 in absolute counts",
                "up to 3 counts on bins of equal width with a positive total, Σ|q| ≤ 6",
            )
        ),
    )


INVERSION = (
    "counts (3, 1, 3) on bins [0, 1), [1, 2), [2, 3): printed p25 = 1/4·3/3 = 1/4, "
    "printed p50 = 1 + (1/2·4 − 3)/1 = 0"
)


@claim(
    "foote2019/fn17-percentiles-ordered",
    where="Section 4.1, footnote 17",
    says="Choosing the first bin J that satisfies (4.2) ensures that the percentiles are properly ordered.",
    states=(NOT_EARLIER, *PRINTED_ORDER),
    meant=(NOT_EARLIER, *CORRECTED_ORDER),
)
def first_bin_orders_percentiles_of_the_corrected_formula() -> Verdict:
    """With the printed formula it does not: (3, 1, 3), all counts positive, has p25 = 1/4 > p50 = 0; no
    smaller list does on bins of equal width. With the total in the formula the value is where the
    continuous, piecewise linear F first reaches the level, so a higher level comes strictly later, negative
    counts or not. The first J is needed: for (2, −2, 2) bin 3 also satisfies (4.2) at Y = 25, with value
    9/4, and p50 is 1/2 in bin 1.
    """
    later = 2 + (Fraction(1, 4) * 2 - 0) / 2
    return misprint(
        exhaustive.each(NOT_EARLIER, FEW_COUNTS),
        *_smallest_inversion(),
        *_ordered(),
        aside(
            exact.compare(
                later, ">", corrected((2, -2, 2))[1], "(2, −2, 2): p25 from bin 3 against p50 from bin 1"
            )
        ),
        reading="the formula with Σ_{i≤M}, at a positive total",
        reading_is=Outcome.HOLDS,
        counterexample=INVERSION,
    )


REVERSED = Below(
    left=lambda c: c.number(Fraction(1, 20)), right=lambda c: (1 - heavy_tailed.cdf(c.number(1), 4, c)) / 2
)
"""Percentiles one noise scale apart: the lower one moves up by that or more, the upper one not at all."""


@claim(
    "foote2019/intro-hist-percentiles-ordered",
    where="Section 1",
    says="The histogram algorithm's percentiles satisfy common-sense constraints such as p50 < p75; those of "
    "repeated invocation of the smooth sensitivity approach may not; and higher-level cells may be released.",
    states=(NOT_EARLIER, *PRINTED_ORDER, REVERSED, *CELLS_ADD_UP, POST_PROCESSING),
    meant=(NOT_EARLIER, *CORRECTED_ORDER, REVERSED, *CELLS_ADD_UP, POST_PROCESSING),
)
def histogram_percentiles_are_ordered_when_corrected() -> Verdict:
    """As footnote 17: with the printed formula they may be out of order, with the corrected one they
    increase strictly whenever there are any (positive total). The noises of smooth sensitivity are
    independent and take every real value. If the percentiles lie g noise scales apart (equal scales), they
    are reversed at least when the lower one moves up by g or more and the upper one does not move up:
    probability ½·P(Z ≥ g) > 0. At g = 1 that is 0.0549. Higher-level cells are functions of the protected
    counts (foote2019/intro-higher-level-cells).
    """
    return misprint(
        *cells_add_up(),
        settled(POST_PROCESSING),
        exact.decided(REVERSED),
        exhaustive.each(NOT_EARLIER, FEW_COUNTS),
        *_smallest_inversion(),
        *_ordered(),
        reading="the formula with Σ_{i≤M}, at a positive total",
        reading_is=Outcome.HOLDS,
        counterexample=INVERSION,
    )


def _median_accuracy(counts: Signed) -> Fraction:
    """Of the median read off counts in bins of width 1, where the true one is 1."""
    value = percentile(_unit(counts), counts, Fraction(1, 2))
    return Fraction(-1) if isinstance(value, NoPercentile) else relative_accuracy(value, 1)


SOMETIMES_BETTER = Below(
    left=lambda c: c.number(_median_accuracy((-1, 3))),
    right=lambda c: c.number(_median_accuracy(at_least_zero((-1, 3)))),
)
"""The true counts (2, 2) protected as (−1, 3)."""


@claim(
    "foote2019/fn16-postproc",
    where="Section 4.1, footnote 16",
    says="Protected counts can be post-processed to be nonnegative; in some instances accuracy improves.",
    states=(POST_PROCESSING, SOMETIMES_BETTER),
    tight=POST_PROCESSING,
    origin="implied",
)
def clamping_is_private_and_sometimes_better() -> Verdict:
    """Replacing negative counts by 0 is a function of the protected counts: no privacy is lost. True counts
    (2, 2) with the median at 1: protected as (−1, 3) the percentile is 1 2/3, clamped 1 1/2, which is
    closer. In other instances it is worse: earnings with counts (0, 5, 0) and the median 1 3/5, protected
    as (−1, 5, 0), give 1 3/5 without and 1 1/2 with clamping. How large the gains are on average depends on
    the data (foote2019/fn16-gains).
    """
    noisy, true = (-1, 5, 0), Fraction(8, 5)
    clamped, as_drawn = (
        relative_accuracy(corrected(counts)[1], true) for counts in (at_least_zero(noisy), noisy)
    )
    return holds(
        settled(POST_PROCESSING),
        exact.decided(SOMETIMES_BETTER),
        aside(
            exact.compare(clamped, "<", as_drawn, "(−1, 5, 0), true median 8/5: accuracy clamped against not")
        ),
        value="loss ε with or without",
    )
