"""Appendix A.2, Algorithm 2: month 2 employment from months 1 and 3."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import sympy

from establish import AtMost, Below, Compares, Equal, Every, Real, claim, exact, exhaustive, solver, symbolic
from establish.proofs_check.engine.methods.enclosure import digits
from establish.proofs_check.engine.rules import whole_number
from establish.proofs_check.engine.rules.whole import at_whole_numbers
from establish.proofs_check.engine.statements import Integer, given
from establish.proofs_check.engine.verdicts import Outcome, Verdict, aside, fails, holds, ill_posed, misprint
from establish.spec.arithmetic import ARB, SYM, Number, World, enclosing
from establish.spec.distributions.gaussian import cdf
from establish.spec.synthetic.month_2 import (
    ETA_CELLS,
    middle,
    month_2_as_published,
    variance,
    variance_in_text,
)

F = Fraction
ETA_, M1, M3 = Real("η", above=0), Real("m1", least=0), Real("m3", least=0)
SOME = given(lambda c, eta, m1, m3: m1 + m3, ">", 0)
"""Line 1 of Algorithm 2 sets the pair (0, 0) aside."""


def _variance(c: World, eta: Number, m1: Number, m3: Number) -> Number:
    return variance(eta, m1, m3, c)


WORDS = Equal(
    ETA_,
    M1,
    M3,
    left=_variance,
    right=lambda c, eta, m1, m3: eta * (c.absolute(m3 - m1) / ((m1 + m3) / 2)),
    given=[SOME],
)
"""Line 4 is η times the ratio of the difference to the average."""

DISPLAYED = Equal(
    ETA_,
    M1,
    M3,
    left=lambda c, eta, m1, m3: variance_in_text(eta, m1, m3, c),
    right=WORDS.right,
    given=[SOME],
)
"""The displayed formula is so."""

GRID = "months 0…5, Z a multiple of 1/4 in −8…8"


def _cases() -> Iterator[tuple[int, int, Fraction]]:
    for m1, m3, quarter in product(range(6), range(6), range(-32, 33)):
        yield m1, m3, F(quarter, 4)


@claim(
    "webb2025/alg-2-variance",
    where="Appendix A.2, text on Algorithm 2, against its line 4",
    says="σ² = η|m3 − m1|/(m1 + m3): η times the ratio of the difference to the average of the months.",
    states=DISPLAYED,
    meant=WORDS,
    origin="implied",
)
def text_and_line_4_differ_by_two() -> Verdict:
    """The average is (m1 + m3)/2, so η times the ratio in words is 2η|m3 − m1|/(m1 + m3), which line 4 has.
    The displayed formula is half of it.
    """
    return misprint(
        exact.refuted(DISPLAYED, η=1, m1=0, m3=1),
        solver.proves(WORDS),
        reading="σ² = 2η|m3 − m1|/(m1 + m3), as in line 4",
        reading_is=Outcome.HOLDS,
        counterexample="η = 1, months 0 and 1: the text has σ² = 1, line 4 has σ² = 2",
    )


DEFINED = (
    AtMost(ETA_, M1, M3, left=0, right=_variance, given=[SOME]),
    Compares(
        ETA_,
        M1,
        M3,
        left=_variance,
        relation=">",
        right=0,
        given=[given(lambda c, eta, m1, m3: m1, "!=", lambda c, eta, m1, m3: m3)],
    ),
    Equal(ETA_, Real("m", above=0), left=lambda c, eta, m: variance(eta, m, m, c), right=0),
)
"""σ² is defined and at least 0, and 0 exactly for equal months."""


@claim(
    "webb2025/alg-2-defined",
    where="Appendix A.2, Algorithm 2, lines 1–5",
    says="For η > 0 and months ≥ 0 the variance of line 4 is defined and not negative.",
    states=DEFINED,
    origin="implied",
)
def variance_is_defined() -> Verdict:
    """Line 1 sets the pair (0, 0) aside, so m1 + m3 > 0. σ² = 0 exactly when the months are equal;
    Normal(0, 0) is then read as the constant 0, and month 2 equals its neighbors.
    """
    return holds(*map(solver.proves, DEFINED), condition="Normal(0, 0) is the constant 0")


CHANGE, LOW = Real("change", above=0), Real("low", least=0)

FALLS = Below(
    ETA_,
    CHANGE,
    LOW,
    Real("high", above=lambda c, eta, change, low: low),
    left=lambda c, eta, change, low, high: variance(eta, high, high + change, c),
    right=lambda c, eta, change, low, high: variance(eta, low, low + change, c),
)
"""The same change at higher employment has less variance."""

RISES = Below(
    ETA_,
    Real("total", above=0),
    Real("small", least=0),
    Real("large", above=lambda c, eta, total, small: small, most=lambda c, eta, total, small: total),
    left=lambda c, eta, total, small, large: variance(eta, (total - small) / 2, (total + small) / 2, c),
    right=lambda c, eta, total, small, large: variance(eta, (total - large) / 2, (total + large) / 2, c),
)
"""At the same sum of both months a larger change has more variance."""

BOUNDED = (
    AtMost(ETA_, M1, M3, left=_variance, right=lambda c, eta, m1, m3: 2 * c.number(eta), given=[SOME]),
    Equal(
        ETA_,
        Real("m3", above=0),
        left=lambda c, eta, m3: variance(eta, c.number(0), m3, c),
        right=lambda c, eta, m3: 2 * eta,
    ),
    Equal(left=lambda c: c.number(2 * ETA_CELLS), right=F(169, 50)),
)
"""σ² ≤ 2η, reached where month 1 is 0."""


@claim(
    "webb2025/alg-2-relative",
    where="Appendix A.2, text on Algorithm 2",
    says="The variation from the midpoint is larger when the same change is large relative to the "
    "employment, and when the months are vastly different.",
    states=(FALLS, RISES),
    tight=BOUNDED,
)
def variance_grows_with_the_relative_change_up_to_a_bound() -> Verdict:
    """At a fixed change σ² falls as employment rises, and at a fixed sum it rises with the change. But it is
    a ratio without unit used as squared jobs: never above 2η, reached when one month is 0. At η = 1.69
    the standard deviation is at most √3.38 < 2 jobs, for a change of 10 jobs and for one of 100,000.
    """
    return holds(
        solver.proves(FALLS),
        solver.proves(RISES),
        *map(solver.proves, BOUNDED),
        value="σ² ≤ 2η = 169/50 squared jobs, whatever the employment",
        condition="vastly different in proportion to their sum",
    )


def _exact(case: tuple[int, int, Fraction]) -> tuple[Fraction, Fraction, Fraction]:
    return F(case[0]), F(case[1]), case[2]


NEVER_NEGATIVE = Every(
    "case (month 1, month 3, Z)",
    _cases,
    lambda case: month_2_as_published(*_exact(case)) >= 0,
    wrong=lambda case: month_2_as_published(*_exact(case)) > 0,
)


@claim(
    "webb2025/alg-2-range",
    where="Appendix A.2, Algorithm 2, lines 7–11",
    says="Month 2 employment is never negative.",
    states=NEVER_NEGATIVE,
    origin="implied",
)
def month_2_is_not_negative() -> Verdict:
    """Lines 7–11 replace every value ≤ 0 by 0 or 1. There is no upper bound: Z may be any number."""
    return holds(exhaustive.each(NEVER_NEGATIVE, GRID))


def _whole(c: World, m1: Number, m3: Number, whole: Number) -> Number:
    """What line 6 has when it rounds."""
    return whole


AT_LEAST_ONE = AtMost(
    *(Real(name, above=0) for name in ("m1", "m3")),
    Real("Z"),
    left=1,
    right=lambda c, m1, m3, z: month_2_as_published(m1, m3, z),
)
ROUNDED_FIRST = AtMost(
    *(Integer(name, least=1) for name in ("m1", "m3")),
    Integer("whole"),
    left=1,
    right=lambda c, m1, m3, whole: month_2_as_published(m1, m3, whole - middle(m1, m3)),
)
"""Of any draw; of any draw that takes line 6 to a whole number."""


@claim(
    "webb2025/alg-2-at-least-one",
    origin="ours",
    where="Appendix A.2, Algorithm 2, lines 7–11",
    says="When both other months have employment, so has month 2: at least 1.",
    states=AT_LEAST_ONE,
    meant=ROUNDED_FIRST,
)
def values_between_0_and_1_pass() -> Verdict:
    """Line 11 sets 1 where line 6 gives 0 or less, but leaves what lies between 0 and 1: months 1 and 2 with
    Z = −5/4 give 1/4, while the smaller draw Z = −3/2 gives 1. Rounded to whole numbers in line 6 first,
    month 2 is at least 1.
    """
    low = month_2_as_published(F(1), F(2), F(-3, 2))
    return ill_posed(
        exact.refuted(AT_LEAST_ONE, m1=1, m3=2, Z="-5/4"),
        aside(exact.compare(low, "==", 1, "month 2 at the smaller draw Z = −3/2")),
        whole_number(ROUNDED_FIRST, _whole, *map(solver.proves, at_whole_numbers(ROUNDED_FIRST, _whole))),
        condition="line 6 rounds to a whole number",
        counterexample="months 1 and 2: Z = −5/4 gives 1/4, Z = −3/2 gives 1",
    )


def mean_above_middle(c: World) -> Number:
    """E[max(0, ½ + Z)] − ½ for Z ~ N(0, 1): φ(½) − ½Φ(−½)."""
    half = c.number(F(1, 2))
    density = c.exp(-half * half / 2) / c.sqrt(2 * c.pi)
    return density - half * cdf(-half, c)


NO_EXCESS = Equal(left=mean_above_middle, right=0)
"""At η = ½ and months 0 and 1, σ² = 1 and month 2 is on average the midpoint."""


@claim(
    "webb2025/alg-2-mean",
    where="Appendix A.2, text on Algorithm 2",
    says="After the bounds of lines 7 to 11, too, the change of month 2 from the midpoint has mean 0.",
    states=NO_EXCESS,
    origin="ours",
)
def bounding_raises_the_mean() -> Verdict:
    """So is Z; but lines 7–11 raise every value ≤ 0, and never lower one, so the mean lies above the midpoint
    whenever σ² > 0. For months 0 and 1 with η = ½, σ² = 1 and month 2 is max(0, ½ + Z), the draw plus
    max(0, −½ − Z), whose expectation φ(½) − ½Φ(−½) is what the mean has in excess.
    """
    z, half = sympy.Symbol("z", real=True), sympy.Rational(1, 2)
    density = sympy.exp(-(z**2) / 2) / sympy.sqrt(2 * sympy.pi)
    primitive = half * cdf(z, SYM) - density
    with enclosing():
        excess = digits(mean_above_middle(ARB))
    return fails(
        exact.compare(variance(F(1, 2), F(0), F(1)), "==", 1, "σ² at η = ½, months 0 and 1"),
        exhaustive.for_all(_cases(), _above_the_line, "month 2 is at least the midpoint plus Z", GRID),
        symbolic.identity(
            sympy.diff(primitive, z), (half + z) * density, "½Φ − φ is a primitive of (½ + z)φ(z)"
        ),
        symbolic.identity(
            half - primitive.subs(z, -half) - half,
            mean_above_middle(SYM),
            "E max(0, ½ + Z) − ½, the primitive being ½ at infinity",
        ),
        exact.refuted(NO_EXCESS),
        counterexample="η = ½, months 0 and 1: the mean change is φ(½) − ½Φ(−½) = 0.1977…",
        value=excess,
    )


def _above_the_line(case: tuple[int, int, Fraction]) -> bool:
    m1, m3, z = _exact(case)
    return (m1 == m3 == 0) or month_2_as_published(m1, m3, z) >= middle(m1, m3) + z
