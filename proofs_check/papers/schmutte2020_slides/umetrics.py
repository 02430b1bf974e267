"""UMETRICS employee reports: cells, sensitivities, accuracy."""

import sympy

from establish import Verdict, claim, exact, exhaustive, holds, ill_posed, not_checkable, solver, symbolic
from establish.proofs_check.engine.conventions import by_convention
from establish.proofs_check.engine.rules import term_by_term
from establish.proofs_check.engine.statements import AtMost, Equal, Every, EverySum, Integer, Moment, Real
from establish.spec.arithmetic import SYM
from establish.spec.distributions import laplace
from establish.spec.distributions.laplace import Laplace
from establish.spec.relations.history import PresenceOfHistory, Rows
from establish.spec.sensitivity import global_sensitivity
from establish.spec.umetrics import Report

YEARS = (1, 2, 3)
REPORT = Report(("s",), YEARS, ("student",), ("academia", "industry"))
"""Two title-by-sector cells and three years of one university."""


def histories(longest: int) -> PresenceOfHistory:
    """Two persons, each with a record in up to ``longest`` of the years; all earn the same."""
    return PresenceOfHistory(("Ada", "Bob"), REPORT.histories([1], longest))


def yearly_counts(d: Rows, year: int) -> tuple[int, ...]:
    """Employment by cell in one year."""
    return REPORT.employment(d, "s", year)


def _cells(titles: int, years: int = 1) -> int:
    """Cells of a report on so many titles in 3 sectors."""
    report = Report(("s",), tuple(range(years)), tuple(map(str, range(titles))), ("a", "b", "c"))
    return len(report.cells()) * years


NINE = Every("number of titles", lambda: range(1, 10), lambda titles: (_cells(titles) == 9) == (titles == 3))
CELLS_IN_ALL = (
    Equal(left=lambda c: c.number(_cells(3, 10)), right=90),
    Equal(left=lambda c: c.number(2 * _cells(3, 10)), right=180),
)
"""With 3 sectors there are 9 values exactly for 3 titles; of 10 years, and with two statistics."""


@claim(
    "schmutte2020_slides/umetrics-cells",
    where="Slides, UMETRICS, Desired outputs and Methods",
    says="Job title by sector has 9 values, with 3 categories of sector.",
    states=NINE,
    tight=(NINE, *CELLS_IN_ALL),
    origin="implied",
)
def nine_values_mean_three_titles() -> Verdict:
    """9 = titles × 3 leaves 3 titles, of which the slide names two (faculty, graduate student). With up to 10
    years that makes at most 90 cells for each university, and 180 numbers with employment and average wage.
    """
    return holds(
        exhaustive.each(NINE, "1 to 9 titles: each adds a cell of every sector"),
        *map(exact.decided, CELLS_IN_ALL),
        value="3 titles; at most 90 cells and 180 numbers for each university",
        condition="the 9 values are all pairs of title and sector",
    )


def _table(d: Rows) -> tuple[int, ...]:
    """The counts of all years."""
    return tuple(n for year in YEARS for n in yearly_counts(d, year))


EVERY_YEAR = histories(len(YEARS))

ONE_FOR_ALL_COUNTS = Every(
    "dataset",
    lambda: EVERY_YEAR.datasets(),
    lambda d: all(
        sum(abs(m - n) for m, n in zip(_table(d), _table(other), strict=True)) <= 1
        for other in EVERY_YEAR.neighbors(d)
    ),
)
"""One history more or less changes all employment counts of three years together by at most 1."""


def _most_changed(d: Rows) -> int:
    return max(
        sum(abs(m - n) for m, n in zip(_table(d), _table(other), strict=True))
        for other in EVERY_YEAR.neighbors(d)
    )


ONE_A_YEAR = Every(
    "dataset",
    lambda: EVERY_YEAR.datasets(),
    lambda d: all(
        sum(abs(m - n) for m, n in zip(yearly_counts(d, y), yearly_counts(other, y), strict=True)) <= 1
        for other in EVERY_YEAR.neighbors(d)
        for y in YEARS
    ),
    wrong=lambda d: all(_table(d) == _table(other) for other in EVERY_YEAR.neighbors(d)),
)
PER_CELL = EverySum(
    AtMost(
        Integer("count", least=0),
        Integer("records", least=0, most=1),
        left=lambda c, count, records: abs(count + records - count),
        right=lambda c, count, records: records,
    ),
    shared=[],
)
"""Over the cells: together the counts change by at most the records of one person, of whom a year has 1."""

AS_MANY_AS_YEARS = Every(
    "dataset",
    lambda: EVERY_YEAR.datasets(),
    lambda d: _most_changed(d) <= len(YEARS) if d else _most_changed(d) == len(YEARS),
    wrong=lambda d: _most_changed(d) < len(YEARS),
)
"""The counts of one year change by at most 1, those of T = 3 years by at most 3, which
one person more reaches where there is nobody.
"""


@claim(
    "schmutte2020_slides/umetrics-sens1",
    where="Slides, UMETRICS, Methods",
    says="The employment counts have sensitivity 1.",
    states=ONE_FOR_ALL_COUNTS,
    tight=AS_MANY_AS_YEARS,
    meant=(PER_CELL, ONE_A_YEAR),
)
def one_per_year_and_as_many_as_years() -> Verdict:
    """One person is in at most one cell a year, so the table of one year changes by at most 1. Neighbors
    differ in a whole history, which changes the counts of T years by up to T together. The later sum over t
    pays for that: each year's table has sensitivity 1 and a budget of its own.
    """
    return ill_posed(
        term_by_term(PER_CELL, solver.proves(PER_CELL.term)),
        *(
            exhaustive.each(one, "two persons with up to three years, two cells")
            for one in (ONE_A_YEAR, AS_MANY_AS_YEARS)
        ),
        exact.refuted(ONE_FOR_ALL_COUNTS, case=()),
        exact.compare(
            global_sensitivity(_table, histories(len(YEARS))),
            "==",
            len(YEARS),
            "L1 sensitivity of 3 years together",
        ),
        condition="for the table of one year",
        counterexample="a person employed in 3 years: three counts change by 1",
        value="1 for a year, T for T years",
    )


TWO_YEARS = histories(2)

ONE_PAIR = Every(
    "dataset",
    lambda: TWO_YEARS.datasets(),
    lambda d: all(
        len({record[2:4] for person, record in d if person == name}) <= 1 for name in ("Ada", "Bob")
    ),
)
"""The pairs of title and sector in the records of a person."""


@claim(
    "schmutte2020_slides/umetrics-one-pair",
    where="Slides, UMETRICS, Privacy Analysis",
    says="Each worker appears in only one pair of job title and sector.",
    states=ONE_PAIR,
)
def sectors_change_over_the_years() -> Verdict:
    """In one year, if a worker has one employer of record. Over years the sector of employment changes, so
    the person is in several pairs. The sum over years counts this rightly; a χ by title and sector that pools
    years ('9 values') changes in several pairs with one person.
    """
    relation = histories(2)
    pairs = zip(YEARS[:2], REPORT.cells(), strict=True)
    moved: Rows = tuple(("Ada", ("s", year, *cell, 1)) for year, cell in pairs)

    def changed(d: Rows, other: Rows, year: int) -> set[tuple[str, str]]:
        pairs = zip(REPORT.cells(), yearly_counts(d, year), yearly_counts(other, year), strict=True)
        return {cell for cell, m, n in pairs if m != n}

    pooled = {cell for year in YEARS for cell in changed((), moved, year)}
    return ill_posed(
        exact.compare(int(relation.related((), moved)), "==", 1, "nobody, and Ada in two years"),
        exact.refuted(ONE_PAIR, case=moved),
        exact.compare(len(pooled), "==", 2, "cells that change with her history"),
        exhaustive.for_all(
            relation.datasets(),
            lambda d: all(
                len(changed(d, other, year)) <= 1 for other in relation.neighbors(d) for year in YEARS
            ),
            "in one year at most one cell changes",
            "two persons, up to two of three years, two cells",
        ),
        condition="in one year, with one employer of record",
        counterexample="a graduate student in sector a in the first year and b in the second: two pairs",
    )


@claim(
    "schmutte2020_slides/umetrics-mose",
    where="Slides, UMETRICS, Methods",
    says="Average earnings use a modified MOSE, with an upper bound of the maximum observed sensitivity.",
)
def modification_is_not_printed() -> Verdict:
    """What is modified, and what bounds what, is not on the slides."""
    return not_checkable("the modification of MOSE and the upper bound; for each reading see umetrics-mose/…")


_NOISY_CELL = Real("true", above=0), Real("b", above=0)
MEAN_APD = Moment(
    *_NOISY_CELL,
    law=lambda c, true, scale: Laplace(true, scale, c),
    of=lambda c, true, scale, noisy: c.absolute(true - noisy) / true,
    depends=True,
    closed=lambda c, true, scale: scale / true,
    breaks=(lambda c, true, scale: true,),
)
WITHIN_TAU = Equal(
    *_NOISY_CELL,
    Real("τ", above=0),
    left=lambda c, true, scale, tau: 1 - 2 * Laplace(true, scale, c).above(true + tau * true),
    right=lambda c, true, scale, tau: 1 - c.exp(-tau * true / scale),
)
"""For true > 0: the mean of APD, and the probability that it is at most τ."""


@claim(
    "schmutte2020_slides/apd",
    origin="implied",
    where="Slides, UMETRICS, Accuracy Requirement",
    says="The accuracy of a cell is APD_c = |true_c − noisy_c|/true_c.",
    states=MEAN_APD,
    tight=(MEAN_APD, WITHIN_TAU),
)
def relative_error_of_a_positive_count() -> Verdict:
    """Undefined at a true count of 0 (0/0 when the noise is 0, and infinite otherwise), and negative for a
    negative one. For true > 0 and Laplace noise of scale b it is |noise|/true: mean b/true, and at most τ
    with probability 1 − e^(−τ·true/b). As true falls to 0 the mean has no bound.
    """
    b, true, level = sympy.symbols("b true tau", positive=True)
    inside = laplace.cdf(level * true, 0, b, SYM) - laplace.cdf(-level * true, 0, b, SYM)
    return holds(
        symbolic.integrates(MEAN_APD),
        symbolic.proves(WITHIN_TAU),
        symbolic.identity(inside, 1 - sympy.exp(-level * true / b), "P(APD ≤ τ)"),
        condition=by_convention("where defined", "schmutte2020_slides"),
        value="mean b/true; P(APD ≤ τ) = 1 − e^(−τ·true/b)",
    )
