"""Section 8: statements about the experiments that other printed numbers decide."""

from fractions import Fraction
from typing import Any

import sympy
import z3

from establish import Equal, Every, Printed, Real, claim, exact, exhaustive, solver, symbolic
from establish.proofs_check.engine.rules import any_psi, term_by_term
from establish.proofs_check.engine.statements import Comparison, EveryCase, EverySum, Sums
from establish.proofs_check.engine.verdicts import Outcome, Verdict, aside, fails, holds, misprint
from establish.proofs_check.papers.webb2025.probably_no_clipping import (
    BOUNDED,
    SYMMETRIC,
    TOGETHER,
    within_margin,
)
from establish.proofs_check.papers.webb2025.published_totals import ESTABLISHMENTS, HALF, TABLES, Summary
from establish.spec.arithmetic import Number, World
from establish.spec.mechanisms.probably_no_clipping import clipped_at_largest, clipped_at_own

NEW_JERSEY = 208_868
"""Establishments of synthetic New Jersey as printed in Section 8.2."""

RI_COUNTIES = Summary(1102, 3354, 14414, 5084, 5340)
"""Establishments per county of synthetic Rhode Island, Section 8.2."""


def _unchanged(own: bool) -> Sums:
    """Values at most their own bounds are summed as they are, clipped at these or at the largest of all."""

    def clipped(c: World, largest: Number, bound: Number, x: Number) -> Number:
        one, clip = (bound, clipped_at_own) if own else (largest, clipped_at_largest)
        return clip([x], [one], c)

    return EverySum(
        Equal(
            Real("u*", least=0),
            Real("u", least=0, most=lambda c, largest: largest),
            Real("x", least=0, most=lambda c, largest, bound: bound),
            left=clipped,
            right=lambda c, largest, bound, x: x,
        ),
        shared=("u*",),
    )


UNCHANGED = _unchanged(own=True), _unchanged(own=False)


@claim(
    "webb2025/sec8.1-099",
    where="Section 8.1",
    says="With ζ = 0.01, with probability 0.99 no group-by query was changed by clipping.",
    states=(TOGETHER, SYMMETRIC, *BOUNDED, *UNCHANGED),
    scope="every ζ and every number of bounds; both ways to clip",
)
def clipping_changes_nothing_with_probability_099() -> Verdict:
    """All bounds hold at once with probability 1 − ζ (Theorem 6.7), and then no sum is changed. Clipping at
    the own bounds that is exactly 0.99 for positive values: a bound that fails lowers the sum. Clipping at
    the group's largest bound (Definition 6.8) it is more: two equal values in each group are clipped only
    if both their bounds fail, and for n = 2 in one group it is 1 − (1 − √0.99)² = 0.99997….
    """
    x, u = z3.Reals("x u")
    share = sympy.Rational(99, 100)
    both = 1 - (1 - sympy.sqrt(share)) ** 2
    lowered = solver.for_all([x > u], z3.If(x < u, x, u) < x, "a value above its own bound is")
    return holds(
        within_margin(),
        symbolic.proves(SYMMETRIC),
        *(any_psi(piece, solver.proves(piece.arbitrary)) for piece in BOUNDED),
        *(term_by_term(sums, solver.proves(sums.term)) for sums in UNCHANGED),
        lowered,
        aside(
            symbolic.identity(
                both - share, 2 * sympy.sqrt(share) * (1 - sympy.sqrt(share)), "the excess at n = 2"
            )
        ),
        condition="at least 0.99; exactly 0.99 for positive values clipped at their own bounds",
    )


def _mean_rounds(establishments: int) -> Comparison:
    return Printed(lambda c: c.number(Fraction(establishments, 21)), "9894")


MEAN_AS_PRINTED, MEAN_AS_MEANT = _mean_rounds(NEW_JERSEY), _mean_rounds(ESTABLISHMENTS[8])


SUM_OF_DOMAINS = Equal(
    left=lambda c: c.number(TABLES[8][52].variables[0].least + TABLES[8][52].variables[0].most), right=207_768
)
"""The two domains of Table 8 add up to the establishments of its caption."""


@claim(
    "webb2025/sec8.2-njmean",
    where="Section 8.2",
    says="Synthetic New Jersey has 208,868 establishments in 21 counties, 9,894 on average.",
    states=MEAN_AS_PRINTED,
    tight=(MEAN_AS_MEANT, SUM_OF_DOMAINS),
    meant=MEAN_AS_MEANT,
)
def new_jersey_has_a_thousand_fewer() -> Verdict:
    """208,868/21 = 9,946.1. The caption of Table 8 says 207,768, which is the sum over its two domains, and
    207,768/21 = 9,893.7 rounds to 9,894.
    """
    return misprint(
        exact.decided(SUM_OF_DOMAINS),
        exact.refuted(MEAN_AS_PRINTED),
        exact.decided(MEAN_AS_MEANT),
        reading="207,768 establishments",
        reading_is=Outcome.HOLDS,
        counterexample="208868/21 = 9946.1, not 9894",
        value="207768",
    )


_COUNTS = (RI_COUNTIES.least, 2375, RI_COUNTIES.median, 4175, RI_COUNTIES.most)
"""Five counties in order, two of them ours."""

RI_MEAN = Equal(left=lambda c: c.number(Fraction(ESTABLISHMENTS[9], 5)), right=RI_COUNTIES.mean)
RI_SUM = Equal(left=lambda c: c.number(sum(_COUNTS)), right=ESTABLISHMENTS[9])
RI_DEVIATION = Printed(
    lambda c: c.sqrt(c.number(Fraction(sum((x - RI_COUNTIES.mean) ** 2 for x in _COUNTS), 4))), "5340"
)
RI_IN_ORDER = tuple(
    Equal(left=lambda c, place=place: c.number(sorted(_COUNTS)[place]), right=value)
    for place, value in ((0, RI_COUNTIES.least), (2, RI_COUNTIES.median), (4, RI_COUNTIES.most))
)
"""The mean is that of the sum, and some five counts have the printed statistics."""


@claim(
    "webb2025/sec8.2-ri",
    where="Section 8.2",
    says="Synthetic Rhode Island has 25,420 establishments in 5 counties, from 1,102 to 14,414 with mean "
    "5,084, median 3,354 and standard deviation 5,340.",
    states=(RI_MEAN, RI_SUM, *RI_IN_ORDER, RI_DEVIATION),
    tight=RI_MEAN,
    origin="implied",
)
def rhode_island_adds_up() -> Verdict:
    """25,420/5 = 5,084 exactly. Five counties with that sum, extremes and median leave two, a + b = 6,550
    with a between minimum and median: a = 2,375 and b = 4,175 give the deviation 5,340 (divisor 4).
    """
    known = (RI_COUNTIES.least, RI_COUNTIES.median, RI_COUNTIES.most)
    rest = ESTABLISHMENTS[9] - sum(known)
    counts = sorted((*known, 2375, rest - 2375))
    square = Fraction(sum((x - RI_COUNTIES.mean) ** 2 for x in counts), 4)
    return holds(
        *map(exact.decided, (RI_MEAN, RI_SUM, *RI_IN_ORDER, RI_DEVIATION)),
        exact.compare(square, ">=", (RI_COUNTIES.deviation - HALF) ** 2, "their variance"),
        exact.compare(square, "<=", (RI_COUNTIES.deviation + HALF) ** 2, "their variance"),
        value="5084",
        condition="one set of five counts with these statistics exists",
    )


def _told(code: int) -> tuple[Any, ...]:
    """What Table 8 says of the establishments by codes of a level."""
    counts = TABLES[8][code].variables[0]
    return counts.least, counts.most, counts.mean, counts.median


NJ_COUNTIES = Every(
    "level of Table 8 by county",
    lambda: (71,),
    lambda code: tuple(TABLES[8][code].variables[0]) == (999, 9385, 28689, 9894, 6968),
)
"""The printed statistics of counties are those of the table."""

NJ_NAICS = Every(
    "levels of NAICS codes of New Jersey, one of which is meant",
    lambda: ((57, 58),),
    lambda levels: any(_told(code) == (1, 8172, 364, 79) for code in levels),
)
"""The printed range, mean and median are those of a level."""


NJ_SIX_DIGIT = Every("level of Table 8", lambda: (58,), lambda code: _told(code) == (1, 8172, 244, 33))


@claim(
    "webb2025/sec8.2-nj-naics",
    where="Section 8.2",
    says="Over counties, the establishments of synthetic New Jersey range from 999 to 28,689 with mean "
    "9,894, median 9,385 and standard deviation 6,968; over NAICS codes, from 1 to 8,172 with mean 364 and "
    "median 79.",
    states=(NJ_COUNTIES, NJ_NAICS),
    tight=NJ_SIX_DIGIT,
)
def new_jersey_mixes_two_levels() -> Verdict:
    """The counties are those of Table 8. The maximum 8,172 is that of 6-digit codes there, where the mean is
    244 and the median 33. Mean 364 and median 79 are those of 5-digit codes, where the maximum is 16,950.
    """
    return fails(
        exhaustive.each(NJ_COUNTIES, "Table 8, counties"),
        exhaustive.each(NJ_SIX_DIGIT, "Table 8, 6-digit codes"),
        exact.refuted(NJ_NAICS, case=(57, 58)),
        aside(
            exact.compare(
                int(_told(57) == (1, 16950, 364, 79)), "==", 1, "mean 364, median 79: 5-digit codes"
            )
        ),
        counterexample="Table 8: 6-digit 1, 33, 8172, mean 244; 5-digit 1, 79, 16950, mean 364",
        value="6-digit codes: 1 to 8172, mean 244, median 33",
    )


def _ri_naics(code: int) -> EveryCase:
    return Every(
        "level of Table 9",
        lambda: (code,),
        lambda level: tuple(TABLES[9][level].variables[0]) == (1, 4, 610, 13, 34),
    )


RI_NAICS, RI_NAICS_BY_COUNTY = _ri_naics(58), _ri_naics(78)


@claim(
    "webb2025/sec8.2-ri-naics",
    where="Section 8.2",
    says="Over NAICS codes, the establishments of synthetic Rhode Island range from 1 to 610 with mean 13, "
    "median 4 and standard deviation 34.",
    states=RI_NAICS,
    meant=RI_NAICS_BY_COUNTY,
)
def rhode_island_numbers_are_by_county() -> Verdict:
    """Those are the statistics of 6-digit codes within counties in Table 9. Over 6-digit codes of the state
    they are 1, 10, 1,144, mean 38, deviation 94: 25,420 establishments at 13 each would be 1,955 codes.
    """
    return misprint(
        exact.refuted(RI_NAICS, case=58),
        exhaustive.each(RI_NAICS_BY_COUNTY, "Table 9, 6-digit codes within counties"),
        reading="NAICS codes within counties",
        reading_is=Outcome.HOLDS,
        counterexample="Table 9, State NAICS 6-digit: 1 to 1144, mean 38, median 10",
        value="1 to 1144, mean 38, median 10, standard deviation 94",
    )
