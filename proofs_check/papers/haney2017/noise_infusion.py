"""Section 5.1: input noise infusion, and which disclosures it avoids."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import isinf

import z3

from establish import AtMost, Below, Equal, Every, Integer, Rational, Real, Universe, claim, computed, given
from establish.proofs_check.engine.methods import exact, exhaustive, solver
from establish.proofs_check.engine.rules import term_by_term
from establish.proofs_check.engine.statements import Condition, EverySum
from establish.proofs_check.engine.statements.statement import Formula
from establish.proofs_check.engine.verdicts import Verdict, aside, fails, holds, ill_posed, not_checkable
from establish.spec.arithmetic import Number, World
from establish.spec.attacks import primitive_attack
from establish.spec.mechanisms.noise_infusion import FactorRange, NoiseInfusion
from establish.spec.priors import ProductPrior
from establish.spec.requirements import Comparison, Factor, RecordIs, bayes_factor
from establish.spec.tables import Workplace

HALF, ZERO = Fraction(1, 2), Fraction(0)
AT_E = ("e", ())
RANGE = FactorRange(Fraction(1, 20), Fraction(1, 4))
"""s = 1/20 and t = 1/4 in the examples; the real values are confidential."""

FACTORS = tuple(Fraction(n, 20) for n in (15, 16, 18, 22, 24, 25))
"""Factors in that range, on both sides of 1."""

UP = Fraction(11, 10)
INFUSION = NoiseInfusion(RANGE)


def factor_range(f: z3.ArithRef, s: z3.ArithRef, t: z3.ArithRef, below_1: bool = True) -> list[z3.BoolRef]:
    """0 < s < t (and t < 1), and f in [1 − t, 1 − s] ∪ [1 + s, 1 + t], for the solver."""
    printed = [s > 0, s < t]
    union = z3.Or(z3.And(1 - t <= f, f <= 1 - s), z3.And(1 + s <= f, f <= 1 + t))
    return [*printed, *([t < 1] if below_1 else []), union]


def _change(c: World, s: Number, t: Number, f: Number, h: Number) -> Number:
    """|h* − h|."""
    return c.absolute(f * h - h)


_PRINTED = (
    Real("s", above=0),
    Real("t", above=lambda c, s: s),
    Real("f", least=lambda c, s, t: 1 - t, most=lambda c, s, t: 1 + t),
)
AWAY = given(lambda c, s, t, f, *_: s, "<=", lambda c, s, t, f, *_: c.absolute(f - 1))
"""f in [1 − t, 1 − s] ∪ [1 + s, 1 + t]."""

_COUNT = (*_PRINTED, Real("h", least=0))
ZERO_IS_KEPT = Equal(*_PRINTED, Real("h", least=0, most=0), left=lambda c, s, t, f, h: f * h, right=0)
DISTORTED = (
    AtMost(*_COUNT, left=lambda c, s, t, f, h: s * h, right=_change, given=[AWAY]),
    AtMost(*_COUNT, left=_change, right=lambda c, s, t, f, h: t * h, given=[AWAY]),
    Below(*_PRINTED, Real("h", above=0), left=0, right=_change, given=[AWAY]),
    ZERO_IS_KEPT,
)
"""s·h ≤ |h* − h| ≤ t·h; a positive count is changed; a zero count stays zero."""

POSITIVE = Below(*_PRINTED, Real("h", above=0), left=0, right=lambda c, s, t, f, h: f * h, given=[AWAY])
"""A positive count is published as a positive number."""

BELOW_ONE = given(lambda c, s, t, f, h: t, "<", 1)


@claim(
    "haney2017/eq-6",
    where="Section 5.1, equation (6)",
    says="h*(w, c) = f_w·h(w, c) with f_w bounded away from 1 changes every positive count by a share "
    "between s and t, and leaves zero counts unmodified.",
    states=DISTORTED,
)
def distortion_changes_every_positive_count() -> Verdict:
    """On the union |f − 1| lies between s and t, so |f·h − h| = |f − 1|·h lies between s·h and t·h. It is
    positive for h > 0, and f·0 = 0.
    """
    return holds(*map(solver.proves, DISTORTED), value="s ≤ |h*/h − 1| ≤ t")


@claim(
    "haney2017/sec5.1-factor-domain",
    where="Section 5.1",
    says="Distortion factors in [1−t, 1−s] ∪ [1+s, 1+t] with 0 < s < t keep positive counts positive, as "
    "Section 5.1 needs to tell them from zero counts.",
    states=POSITIVE,
    meant=POSITIVE.where(BELOW_ONE),
    origin="implied",
)
def spread_must_stay_below_one() -> Verdict:
    """With t ≥ 1 the range reaches 0 and below: a positive count is then published as 0 or as a negative
    number, and zero counts are no longer recognizable. t < 1 is needed and enough for positive factors.
    """
    return ill_posed(
        exact.refuted(POSITIVE, s="1/2", t="3/2", f="-1/2", h=10),
        solver.proves(POSITIVE.where(BELOW_ONE)),
        condition="t < 1",
        counterexample="s = 1/2, t = 3/2, f = −1/2: 10 workers are published as −5",
    )


DRAWS = (
    lambda count, limit: {1: Fraction(1)},
    lambda count, limit: {2: Fraction(1)},
    lambda count, limit: {1: HALF, 2: HALF},
    lambda count, limit: {count: Fraction(1)},
)
"""Laws of the draw that replaces a small count."""


def _small_counts_are_drawn(case: tuple[int, int, Fraction]) -> bool:
    """Counts 1 and 2 become 1 or 2, and others f·n, so that 0 stays 0."""
    law, count, factor = case
    published = NoiseInfusion(RANGE, small_cells=DRAWS[law]).published([(count,)], [factor])
    if count in (1, 2):
        return set(published) <= {(1,), (2,)}
    return published == {(factor * count,): 1}


def _drawn() -> Iterator[tuple[int, int, Fraction]]:
    yield from product(range(len(DRAWS)), range(7), FACTORS)


SMALL_COUNTS = Every("law of the draw, count and factor", _drawn, _small_counts_are_drawn)


@claim(
    "haney2017/sdl-small-cell-draw",
    origin="implied",
    where="Section 5.1",
    says="True answers in (0, S), S = 2.5, are replaced by draws that always are integers 1, …, ⌊S⌋; zero "
    "answers are unperturbed.",
    states=SMALL_COUNTS,
    tight=SMALL_COUNTS,
)
def small_counts_become_one_or_two() -> Verdict:
    """The integers in (0, 2.5) are 1 and 2, and so are 1, …, ⌊2.5⌋: a draw looks like a count that would
    have been replaced. A draw equals the true count with whatever probability its law gives; under the
    uniform law, which is our assumption, 1/2. For an integer S the draw may be S itself, which is not in
    (0, S). For S ≤ 1 nothing is replaced.
    """
    return holds(
        exhaustive.each(SMALL_COUNTS, "counts 0 to 6, six factors, four laws of the draw"),
        aside(exact.compare(INFUSION.published([(1,)], [UP])[(Fraction(1),)], "==", HALF, "uniform: 1 → 1")),
        aside(
            exact.compare(
                int(NoiseInfusion(RANGE, 3).is_small(3)), "==", 0, "S = 3: a count of 3 is not replaced"
            )
        ),
        value="{1, 2}",
        condition="S = 2.5; for an integer S the draw may also be S, which is never replaced",
    )


@claim(
    "haney2017/sdl-small-cell-law",
    where="Section 5.1",
    says="The replacement is drawn from a posterior predictive distribution.",
)
def law_of_the_draw_is_not_printed() -> Verdict:
    """Neither the prior nor the data that the posterior rests on are given; our mechanism takes any law
    on 1, …, ⌊S⌋ and is uniform unless told otherwise.
    """
    return not_checkable("the prior and the data behind the posterior predictive distribution")


ZERO_COUNTS = EverySum(
    Equal(Real("f", above=0), Real("h", least=0, most=0), left=lambda c, f, h: f * h, right=lambda c, f, h: h)
)
"""Of any number of establishments: where all counts are 0, so is their infused sum."""

POSITIVE_SUMS = EverySum(
    AtMost(
        Real("t", above=0, below=1),
        Real("f", least=lambda c, t: 1 - t),
        Real("h", least=0),
        left=lambda c, t, f, h: (1 - t) * h,
        right=lambda c, t, f, h: f * h,
    ),
    shared=["t"],
)
"""The infused sum is at least 1 − t times the true one, and so positive where that is."""


def _two_cells() -> Iterator[tuple[tuple[int, int], tuple[Fraction, Fraction]]]:
    for first, second in product(range(4), repeat=2):
        for f, g in product(FACTORS[::2], repeat=2):
            yield (first, second), (f, g)


SAME_ZEROS = Every(
    "counts of two establishments, and their factors",
    _two_cells,
    lambda case: all(
        (value == 0) == (sum(case[0]) == 0)
        for (value,) in INFUSION.published([(count,) for count in case[0]], case[1])
    ),
)
"""Small cells are replaced by draws of at least 1."""


@claim(
    "haney2017/sdl-zero-preserved",
    where="Section 5.2",
    says="If a count is 0, so is its published value.",
    states=(ZERO_COUNTS, SAME_ZEROS),
    tight=(POSITIVE_SUMS, SAME_ZEROS),
)
def zero_is_published_exactly_for_zero() -> Verdict:
    """Sums of f·0 are 0, and 0 is not in (0, S). The converse is what attacks use: a positive count is
    published as a positive value, f·n > 0 for t < 1, or a draw of at least 1. So a published 0 tells the
    true 0 with certainty. Rounding keeps this while (1 − t)·n ≥ 1/2 for all n > S.
    """
    return holds(
        term_by_term(ZERO_COUNTS, solver.proves(ZERO_COUNTS.term)),
        term_by_term(POSITIVE_SUMS, solver.proves(POSITIVE_SUMS.term)),
        exhaustive.each(
            SAME_ZEROS, "two establishments of up to 3 workers, three factors each, uniform draws"
        ),
        value="published 0 ⇔ true 0",
        condition="t < 1, no rounding of values below 1/2",
    )


_FACTOR = (
    Rational("s", above=0),
    Rational("t", above=lambda c, s: s, below=1),
    Rational("f", least=lambda c, s, t: 1 - t, most=lambda c, s, t: 1 + t),
)


def _away(factor: Formula) -> tuple[Condition, ...]:
    """That it lies in [1 − t, 1 − s] ∪ [1 + s, 1 + t]."""

    def distance(c: World, *v: Number) -> Number:
        return c.absolute(c.number(factor(c, *v)) - 1)

    return (
        given(lambda c, s, t, *_: c.number(s), "<=", distance),
        given(distance, "<=", lambda c, s, t, *_: c.number(t)),
    )


OWN_FACTOR = _away(lambda c, s, t, f, *_: f)


def _shown_as_infused(c: World, s: Fraction, t: Fraction, f: Fraction, n: int) -> Number:
    """The probability that n workers are published as f·n."""
    return c.number(NoiseInfusion(FactorRange(s, t)).published([(n,)], [f]).get((n * f,), 0))


UNUSED = Equal(
    *_FACTOR,
    Integer("n", least=1),
    Integer("m", least=1),
    left=computed(lambda c, s, t, f, n, m: _shown_as_infused(c, s, t, f, n) + 0 * m),
    right=computed(lambda c, s, t, f, n, m: _shown_as_infused(c, s, t, f * n / m, m)),
    given=[*OWN_FACTOR, *_away(lambda c, s, t, f, n, m: f * n / m)],
)
"""Two establishments with one infused answer, n workers at f and m workers at f·n/m, are published alike."""


def _fitting(c: World, s: Fraction, t: Fraction, f: Fraction, *cells: int) -> Number:
    """How many histograms fit the published cells of one establishment, and t."""
    published = NoiseInfusion(FactorRange(s, t)).infused([cells], [f])
    return c.number(len(primitive_attack(published, t)))


NOT_REVEALED = AtMost(
    *_FACTOR,
    Integer("h_1", least=3),
    Integer("h_2", least=3),
    left=2,
    right=computed(_fitting),
    given=OWN_FACTOR,
)
"""Whatever the counts above S of one establishment are, more than one histogram fits."""


@claim(
    "haney2017/sdl-true-count-unused",
    where="Section 5.1, No Exact Disclosures",
    says="An establishment's actual count is never used in any computation that produces the tables.",
    states=UNUSED,
)
def replacement_uses_the_true_count() -> Verdict:
    """The rule of Section 5.1 itself computes the true answer and compares it with S. Two establishments
    with the same infused answer are published differently, so tables are not computed from infused
    counts alone.
    """
    low = Fraction(6, 5)
    return fails(
        exact.refuted(UNUSED, s=RANGE.s, t=RANGE.t, f=low, n=2, m=3),
        counterexample="2 workers, f = 6/5 and 3 workers, f = 4/5: both infused answers are 12/5; the first "
        "is published as 1 or 2, the second as 12/5",
        value="the true count decides whether the answer is replaced",
    )


THREE_AND_FOUR = {"s": RANGE.s, "t": RANGE.t, "f": UP, "h_1": 3, "h_2": 4}


@claim(
    "haney2017/sdl-no-exact-disclosure",
    origin="ours",
    where="Section 5.1, No Exact Disclosures",
    says="Even if a cell contains only one establishment, its employment count is not exactly revealed.",
    states=NOT_REVEALED,
)
def coprime_counts_are_revealed_exactly() -> Verdict:
    """What is true: a published product differs from its true count, by a share of at least s. But a count
    is an integer, and that reveals it. (a) A published 0 is a true 0. (b) The cells of one establishment
    have the ratios of the true counts, so the true histogram is k times the primitive one, with factor
    f/k: if f and f/k with k ≥ 2 both lay within t of 1, then 2(1−t) ≤ k(1−t) ≤ f ≤ 1+t, that is
    t ≥ 1/3. For t < 1/3 counts without a common divisor are revealed exactly, with the factor, to anyone
    who knows that t < 1/3. Rounding would break (b), but then 1.1·3 = 3.3 is published as the true 3.
    """
    f, g, s, t, n, k = z3.Reals("f g s t n k")
    published = INFUSION.infused([(3, 4)], [UP])
    rounding = NoiseInfusion(RANGE, rounding=True)
    return fails(
        exact.refuted(NOT_REVEALED, **THREE_AND_FOUR),
        solver.for_all(
            [*factor_range(f, s, t), *factor_range(g, s, t), 3 * t < 1, k >= 2],
            f != k * g,
            "t < 1/3: no two factors have a ratio of 2 or more",
        ),
        exact.compare(published[0], "==", Fraction(33, 10), "3 men, f = 11/10: published"),
        exact.compare(published[1], "==", Fraction(44, 10), "4 women, f = 11/10: published"),
        exact.compare(INFUSION.published([(0,)], [UP])[(ZERO,)], "==", 1, "P(0 is published as 0)"),
        aside(
            solver.for_all(
                [*factor_range(f, s, t), n > 0], f * n != n, "no product is the true positive count"
            )
        ),
        aside(
            exact.compare(
                rounding.infused([(3,)], [UP])[0], "==", 3, "rounded, 3 workers at f = 11/10 are shown as"
            )
        ),
        counterexample="one establishment of 3 men and 4 women, f = 11/10, t = 1/4: published 33/10 and "
        "44/10 have ratio 3:4, so the counts are (3k, 4k) at factor 11/(10k); for k = 2 the factor is 11/20 "
        "< 3/4, so they are 3 and 4. Also: 0 workers are published as 0",
        value="published ≠ true for positive counts above S",
        condition="(b) needs unrounded values and an attacker who knows that t < 1/3",
    )


def _present(workers: int, seen: Fraction, f: Fraction) -> Factor:
    """Odds of the presence of w1 after ``seen``, for workers at e or not with probability 1/2 each."""
    ids = tuple(f"w{i + 1}" for i in range(workers))
    space = Universe((Workplace("e"),), ids)
    likelihoods = {
        d: INFUSION.published([(len(d.workers),)], [f]).get((seen,), ZERO) for d in space.datasets()
    }
    prior = ProductPrior(space, {worker: {AT_E: HALF, None: HALF} for worker in ids})
    return bayes_factor(prior, likelihoods, Comparison(RecordIs("w1", AT_E), RecordIs("w1", None)))


def _published_without(
    c: World, s: Fraction, t: Fraction, f: Fraction, potential: int, present: int, drawn: int
) -> Number:
    """How many workforces of fewer than all potential workers may be published like one of ``present``.

    drawn: what is published in place of a small count.
    """
    infusion = NoiseInfusion(FactorRange(s, t))
    seen = Fraction(drawn) if infusion.is_small(present) else f * present
    fitting = [
        n
        for n in range(potential)
        if (seen == drawn if infusion.is_small(n) else seen == 0 if n == 0 else seen / n in infusion.factors)
    ]
    return c.number(len(fitting))


NOT_IDENTIFIED = AtMost(
    *_FACTOR,
    Integer("potential", least=1),
    Integer("present", least=1, most=lambda c, s, t, f, potential: potential),
    Integer("drawn", least=1, most=2),
    left=1,
    right=computed(_published_without),
    given=OWN_FACTOR,
)
"""Of the workforces that may be published so, whatever the factor, some lacks a worker: w1, for any w1."""


@claim(
    "haney2017/sdl-no-reidentification",
    origin="implied",
    where="Section 5.1, No Re-identification of Employees",
    says="Without additional background knowledge nobody can re-identify the presence of a specific worker "
    "from a single marginal.",
    states=NOT_IDENTIFIED,
)
def full_employment_is_recognized() -> Verdict:
    """The attacker of Section 4.2 knows the universe of workers, and believes here that each of them works
    at e or not with probability 1/2, independently. A published value that is not an integer 1, …, ⌊S⌋ shows
    that the true count is at least 3; among three potential workers all are present. One potential worker
    is re-identified by any positive value. With two, the posterior of presence is at most 2/3.
    """
    return fails(
        exact.refuted(NOT_IDENTIFIED, s=RANGE.s, t=RANGE.t, f=UP, potential=3, present=3, drawn=1),
        exact.compare(int(isinf(_present(3, 3 * UP, UP))), "==", 1, "infinite odds of w1 after 33/10"),
        aside(exact.compare(int(isinf(_present(1, Fraction(1), UP))), "==", 1, "and for a universe of one")),
        aside(
            exact.compare(
                max(Fraction(_present(2, seen, UP)) for seen in (Fraction(1), Fraction(2))),
                "==",
                2,
                "odds of presence with two potential workers (posterior 2/3)",
            )
        ),
        counterexample="universe {w1, w2, w3}, each at e with probability 1/2, f = 11/10: 33/10 is published "
        "only when all three work at e, so w1 is present with certainty (prior 1/2)",
        condition="the attacker knows the universe of workers (Section 4.2) and nothing else about them",
        value="posterior odds ∞",
    )
