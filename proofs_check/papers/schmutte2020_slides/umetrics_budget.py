"""UMETRICS employee reports: budgets over years, statistics and universities, per person."""

from collections.abc import Mapping
from fractions import Fraction

import z3

from establish import Evidence, Verdict, aside, claim, exact, exhaustive, holds, ill_posed, solver
from establish.proofs_check.engine.rules import PAIR, exceeding, no_constant, settled
from establish.proofs_check.engine.statements import Below, Bounded, Equal, Every, Real
from establish.proofs_check.papers.foote2019.composition import BY_OWN_ATTRIBUTES, parts_compose
from establish.spec.arithmetic import EXACT, Number, World
from establish.spec.distributions.laplace import Laplace
from establish.spec.mechanisms.laplace import privacy_loss
from establish.spec.relations.history import History, PresenceOfHistory, Rows, history_of
from establish.spec.umetrics import (
    Budget,
    Range,
    Report,
    earnings_in,
    employment_law,
    mose_law,
    observed_chi,
    person_budget,
    report_budget,
    total_law,
)


def losses_add_up() -> Evidence:
    """One more release of the same person multiplies the bound by its e^ε."""
    p, q, total, r, s, c = z3.Reals("p q total r s c")
    return solver.for_all(
        [p >= 0, q >= 0, r >= 0, s >= 0, total >= 1, c >= 1, p <= total * q, r <= c * s],
        p * r <= (total * c) * (q * s),
        "one more release multiplies the bound by its own e^ε",
    )


LEGAL: Range = (0, 2)
YEARS = (1, 2)
BUDGET: Budget = {
    ("s", 1): (Fraction(1), Fraction(1, 2)),
    ("s", 2): (Fraction(1, 4), Fraction(2)),
    ("t", 1): (Fraction(3), Fraction(1, 8)),
    ("t", 2): (Fraction(1, 5), Fraction(1)),
}
"""(ε_emp, ε_earn) of two universities and two years."""


def loss(report: Report, d: Rows, e: Rows) -> Fraction:
    """The exact privacy loss between d and e of all counts and, in place of averages, totals.

    Independent Laplace noises: the loss of each is the change over the scale, and they add up.
    """
    found = Fraction(0)
    for (university, year), (for_count, for_earnings) in BUDGET.items():
        if university not in report.universities:
            continue
        for cell in report.cells():
            first, second = (earnings_in(table, university, year, *cell) for table in (d, e))
            for change, law in (
                (len(first) - len(second), employment_law(0, for_count, EXACT)),
                (sum(first) - sum(second), total_law((), LEGAL, for_earnings, EXACT)),
            ):
                found += privacy_loss(abs(change), Fraction(law.scale))
    return found


def losses(universities: tuple[str, ...]) -> dict[History, Fraction]:
    """The loss when one person with that history joins nobody, for every lawful history."""
    report = Report(universities, YEARS, ("student",), ("academia", "industry"))
    longest = len(universities) * len(YEARS)
    relation = PresenceOfHistory(("Ada",), report.histories(LEGAL, longest))
    return {history_of(d, "Ada"): loss(report, (), d) for d in relation.neighbors(())}


def _never_more(found: Mapping[History, Fraction]) -> Evidence:
    return exhaustive.for_all(
        found,
        lambda history: found[history] <= person_budget(BUDGET, history),
        "a history costs at most Σ of its years' ε_emp + ε_earn",
        "histories over 2 years, 2 cells, earnings 0 or 2",
    )


ONE_REPORT = Report(("s",), YEARS, ("student",), ("academia", "industry"))
ONE_AT_S = PresenceOfHistory(("Ada",), ONE_REPORT.histories(LEGAL, len(YEARS)))

WITHIN_THE_SUM = Every(
    "table with one person",
    lambda: (d for d in ONE_AT_S.datasets() if d),
    lambda d: loss(ONE_REPORT, (), d) <= report_budget(BUDGET, "s"),
    wrong=lambda d: loss(ONE_REPORT, (), d) < report_budget(BUDGET, "s"),
)
"""A history costs at most Σ_t (ε_emp,t + ε_earn,t), and not always less."""

SUM_IS_REACHED = Equal(
    left=lambda c: c.number(max(loss(ONE_REPORT, (), d) for d in ONE_AT_S.neighbors(()))),
    right=lambda c: c.number(report_budget(BUDGET, "s")),
)


@claim(
    "schmutte2020_slides/umetrics-budget",
    where="Slides, UMETRICS, Privacy Analysis",
    says="Each record is used for employment and for earnings, and the total privacy loss of the report of "
    "university s is ε^s = Σ_t (ε_emp,t + ε_earn,t).",
    states=(BY_OWN_ATTRIBUTES, PAIR, WITHIN_THE_SUM, SUM_IS_REACHED),
    tight=SUM_IS_REACHED,
)
def report_costs_the_sum_over_years() -> Verdict:
    """Neighbors differ in a whole history. In year t the person is in one cell, so all cells of the year cost
    ε_emp,t + ε_earn,t (parallel over cells, sequential over the two statistics), and the years add up, one
    after another: so it is for any number of persons, cells and years. It is
    attained by a person who works in every year. It is a loss only if both releases of every year are
    private; see umetrics-budget/mose.
    """
    found = losses(("s",))
    return holds(
        exhaustive.each(
            WITHIN_THE_SUM,
            "histories over 2 years, 2 cells, earnings 0 or 2; ε = 1 + 1/2 in year 1 and 1/4 + 2 in year 2",
        ),
        exact.decided(SUM_IS_REACHED),
        parts_compose(),
        settled(PAIR),
        exact.compare(
            max(found.values()),
            "==",
            report_budget(BUDGET, "s"),
            "ε = 1 + 1/2 in year 1 and 1/4 + 2 in year 2: the largest loss of a history",
        ),
        aside(_never_more(found)),
        value="Σ_t (ε_emp,t + ε_earn,t), attained",
        condition="each release private for one person's record of the year; one cell per person and year; "
        "independent noise",
    )


BOTH = Report(("s", "t"), YEARS, ("student",), ("academia", "industry"))
ONE_PERSON = PresenceOfHistory(("Ada",), BOTH.histories(LEGAL, 2 * len(YEARS)))

ONE_REPORT_COUNTS = Every(
    "table with one person",
    lambda: (d for d in ONE_PERSON.datasets() if d),
    lambda d: loss(BOTH, (), d) <= max(report_budget(BUDGET, "s"), report_budget(BUDGET, "t")),
)
"""Nobody loses more from both reports than the larger ε^s."""


@claim(
    "schmutte2020_slides/umetrics-budget/universities",
    where="Slides, UMETRICS, Desired outputs (one table per University) and Privacy Analysis",
    says="Each person's loss from all reports is that of one university's report (implied).",
    states=ONE_REPORT_COUNTS,
    origin="implied",
)
def people_may_be_at_several_universities() -> Verdict:
    """If nobody is in the files of two universities the reports compose in parallel, with max_s ε^s. A
    graduate student of one university who becomes a postdoc at another is in both, and loses the sum of both:
    per person it is the sum over that person's universities.
    """
    found = losses(("s", "t"))
    each = [report_budget(BUDGET, university) for university in ("s", "t")]
    both: History = tuple(
        (university, year, "student", "academia", LEGAL[1]) for university in ("s", "t") for year in YEARS
    )
    return ill_posed(
        losses_add_up(),
        exact.refuted(ONE_REPORT_COUNTS, case=tuple(("Ada", record) for record in both)),
        exact.compare(found[both], "==", sum(each), "which is the sum"),
        aside(_never_more(found)),
        condition="nobody is in the files of two universities",
        counterexample=f"ε^s = {each[0]} and {each[1]}: a person in both in every year loses {sum(each)}",
        value="Σ of ε^s over the universities of the person",
    )


_CELL = ("s", 1, "student", "academia")
THREE: Rows = tuple((person, (*_CELL, 0)) for person in ("Ada", "Bo", "Cy"))
TWO = THREE[:2]
"""Former employees of one cell who all have the least of the legal earnings 0 to 1."""


def _as_published(d: Rows) -> Laplace:
    """The average earnings of the cell by MOSE at ε = 1, χ and N of the data."""
    earnings = earnings_in(d, *_CELL)
    return mose_law(earnings, Fraction(observed_chi([earnings], (0, 1))), 1, c=EXACT)


ONE_LEAVES = Equal(
    left=lambda c: c.number(
        int(PresenceOfHistory(("Ada", "Bo", "Cy"), ONE_REPORT.histories((0, 1), 1)).related(THREE, TWO))
    ),
    right=1,
)
AS_RELEASED = tuple(
    Equal(left=left, right=right)
    for d, scale in ((TWO, Fraction(1, 3)), (THREE, Fraction(1, 4)))
    for left, right in (
        (lambda c, d=d: c.number(_as_published(d).center), 0),
        (lambda c, d=d: c.number(_as_published(d).scale), scale),
    )
)
"""The reports differ in one person; their average earnings have one center and two scales."""


def _tail(c: World, d: Rows, t: Number) -> Number:
    """k with P(Y > t) = ½·e^(−k) for the average earnings of the cell."""
    law = _as_published(d)
    return (t - c.number(law.center)) / c.number(law.scale)


LOSS_OF_EARNINGS = Bounded(
    Real("t", least=0), left=lambda c, t: _tail(c, THREE, t) - _tail(c, TWO, t), by=lambda c, t: c.number(1)
)
"""One level is enough at all outputs, for three people with the least outcome and for two."""

_FAR = {"t": lambda c, level: 2 * level + 1}


NO_LEVEL = Below(
    Real("C", least=1),
    left=lambda c, level: level,
    right=lambda c, level: _tail(c, THREE, 2 * level) - _tail(c, TWO, 2 * level),
)
"""Whatever C is, the event {Y > 2C} has a larger loss."""


@claim(
    "schmutte2020_slides/umetrics-budget/mose",
    where="Slides, UMETRICS, Methods and Privacy Analysis",
    says="ε^s is a privacy loss although average earnings are released by modified MOSE.",
    states=(ONE_LEAVES, *AS_RELEASED, LOSS_OF_EARNINGS),
    tight=NO_LEVEL,
)
def earnings_by_mose_have_no_loss_bound() -> Verdict:
    """The sum is over losses, and MOSE has none if χ and the cell's size come from the data. For a mean: two
    people with the least outcome have local sensitivity 1/3, three 1/4: scales 1/(3ε) and 1/(4ε), and the
    tails tell them apart at every level. The modification and its 'upper bound' are not printed; what other
    readings cost is in umetrics-mose/….
    """
    return ill_posed(
        *map(exact.decided, (ONE_LEAVES, *AS_RELEASED)),
        solver.proves(NO_LEVEL),
        no_constant(
            LOSS_OF_EARNINGS, _FAR, *(solver.proves(one) for one in exceeding(LOSS_OF_EARNINGS, _FAR))
        ),
        condition="the modified MOSE is ε_earn,t-private, for example with public scales that bound "
        "every dataset",
        counterexample="outcomes 0, 0 and 0, 0, 0, ε = 1: P(Y > t) = ½·e^(−3t) against ½·e^(−4t), ratio e^t",
        value="∞ with MOSE as published",
    )
