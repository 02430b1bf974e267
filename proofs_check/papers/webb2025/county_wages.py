"""Appendix A.2, Algorithm 3: quarterly wages of county × NAICS-4 cells."""

from fractions import Fraction
from itertools import product

from establish import AtMost, Equal, Every, Real, Verdict, claim, exact, exhaustive, given, ill_posed, solver
from establish.proofs_check.papers.webb2025.published_totals import TABLES
from establish.spec.arithmetic import Number
from establish.spec.synthetic.county_wages import CountyPayroll, bound_as_published, wage_as_published

F = Fraction


WHOLE, SHOWN, HIDDEN = Real("whole", least=0), Real("shown", least=0), Real("hidden", least=0)

RADICAND = AtMost(WHOLE, SHOWN, left=0, right=lambda c, whole, shown: whole - shown)
RADICAND_ADDING_UP = AtMost(
    WHOLE,
    SHOWN,
    HIDDEN,
    left=0,
    right=lambda c, whole, shown, hidden: whole - shown,
    given=[
        given(lambda c, whole, shown, hidden: whole, "==", lambda c, whole, shown, hidden: shown + hidden)
    ],
)
"""What equation (3) takes the root of is at least 0: for all published payrolls, for those that add up."""


@claim(
    "webb2025/alg-3-root",
    origin="implied",
    where="Appendix A.2, equation (3)",
    says="The model's response is the square root of CBP.cntyN4.qp1 − Σ^(6,4).",
    states=RADICAND,
    meant=RADICAND_ADDING_UP,
)
def response_needs_payrolls_that_add_up() -> Verdict:
    """The difference is what the suppressed NAICS-6 cells have. It is ≥ 0 when the published values add up
    and are not negative. If each was protected by its own noise it need not be: 5 published for the
    NAICS-4 cell and 4 + 2 for its parts leave −1.
    """
    return ill_posed(
        exact.refuted(RADICAND, whole=5, shown=6),
        solver.proves(RADICAND_ADDING_UP),
        condition="published payrolls are ≥ 0 and add up across the levels",
        counterexample="CBP.cntyN4.qp1 = 5, CBP.cntyN6.qp1 = 4 and 2: √−1",
    )


KNOWN, REST, OTHERS, ALL = (Real(name, least=0) for name in ("known", "rest", "others", "whole"))
LINE_19, LINE_21 = Real("value"), Real("value", least=0)
"""ŷ + Z of line 19; what line 21 makes of earnings."""


def _wage(line: int, known: Number, whole: Number, others: Number, value: Number) -> Number:
    """Algorithm 3, by line 19 or 21, for a NAICS-4 code with Σ^(6,4) = ``known``, bounded by Algorithm 4.

    Its bound u is ``whole``, published for the NAICS-3 code, without what is published of the ``others`` in
    it, together. From the sector or the county it is the same difference.
    """
    return wage_as_published(
        published=None,
        earnings=None if line == 19 else value,
        job_months=F(1),
        root=value,
        known=known,
        upper=bound_as_published("1111", CountyPayroll({"1112": others}, {"111": whole}, {}, None)),
    )


KEEPS_SUM = tuple(
    AtMost(
        KNOWN,
        ALL,
        OTHERS,
        value,
        left=lambda c, known, whole, others, value: known,
        right=lambda c, known, whole, others, value, line=line: _wage(line, known, whole, others, value),
    )
    for line, value in ((19, LINE_19), (21, LINE_21))
)
KEEPS_SUM_OF_PARTS = tuple(
    AtMost(
        KNOWN,
        REST,
        OTHERS,
        value,
        left=lambda c, known, rest, others, value: known,
        right=lambda c, known, rest, others, value, line=line: _wage(
            line, known, known + rest + others, others, value
        ),
    )
    for line, value in ((19, LINE_19), (21, LINE_21))
)
"""For all published payrolls, and for those that are the sum of their parts, of which the rest is hidden."""


@claim(
    "webb2025/alg-3-lower",
    where="Appendix A.2, Algorithm 3, lines 17–25, and the text after equation (3)",
    says="Every wage that is not published is at least Σ^(6,4), the published wages inside its cell.",
    states=KEEPS_SUM,
    meant=KEEPS_SUM_OF_PARTS,
)
def upper_bound_can_undercut_the_lower() -> Verdict:
    """Lines 19 and 22 give at least Σ^(6,4): a square is added to it, or the maximum is taken. Line 25 then
    takes the minimum with u, which keeps the bound when Σ^(6,4) ≤ u. That is so when payrolls are ≥ 0
    and add up, as u is then at least the cell's true payroll (alg-4-bound); with noise it need not be.
    """
    return ill_posed(
        exact.refuted(KEEPS_SUM[0], known=1, whole=1, others=1, value=0),
        *map(solver.proves, KEEPS_SUM_OF_PARTS),
        condition="published payrolls are ≥ 0 and add up across the levels",
        counterexample="Σ = 1, the other NAICS-4 code 1, their NAICS-3 code 1: u = 0, and the wage becomes 0",
    )


def _wage_from_earnings(earnings: Fraction, job_months: Fraction, upper: int = 100) -> Fraction:
    """Line 21 without published payrolls, bounded by ``upper``."""
    return wage_as_published(
        published=None, earnings=earnings, job_months=job_months, root=F(0), known=F(0), upper=F(upper)
    )


def _in_thousands(case: tuple[int, int, int, int]) -> bool:
    """Whether line 21 gives what was earned, in thousands of dollars, for payrolls in thousands.

    case: monthly earnings in dollars, job months, the upper bound in thousands, and by how much the
    earnings are divided before they reach the line.
    """
    dollars, months, upper, divisor = case
    earned = min(F(dollars * months, 1000), F(upper))
    return _wage_from_earnings(F(dollars, divisor), F(months), upper) == earned


UNITS = Every(
    "case (earnings in dollars, job months, u in thousands, divisor)",
    lambda: product((1000, 2000, 3000), range(1, 4), (10, 50), (1,)),
    _in_thousands,
)
ONE_UNIT = Every(
    "case (earnings in dollars, job months, u in thousands, divisor)",
    lambda: product((1000, 2000, 3000), range(1, 4), (10, 50), (1000,)),
    _in_thousands,
)


@claim(
    "webb2025/alg-3-unit",
    where="Appendix A.2, Algorithm 3, lines 21–25; Tables 8 and 9, totals of w",
    says="wage takes the values of CBP qp1 and of EarnBeg times employment.",
    states=UNITS,
    meant=ONE_UNIT,
    origin="implied",
)
def payroll_and_earnings_need_one_unit() -> Verdict:
    """EarnBeg is dollars per job and month (QWI), qp1 is thousands of dollars (CBP). Lines 21–25 take the
    maximum and the minimum of both without a factor of 1,000. The tables do not name theirs: in dollars
    a job of synthetic New Jersey would pay $43.38 a quarter, one of Rhode Island $31.85. Neither
    unit gives a usual pay: in thousands it is above $43,000 and $31,000 a quarter.
    """
    pay = {number: _pay_per_job(number) for number in TABLES}
    return ill_posed(
        *(
            exact.compare(value, "<", 44, f"Table {number}: wages per job and quarter, in the unit printed")
            for number, value in pay.items()
        ),
        exact.refuted(UNITS, case=(3000, 3, 50, 1)),
        exhaustive.each(ONE_UNIT, "earnings 1…3 thousand dollars, 1…3 job months, u = 10 and 50"),
        condition="one unit: qp1 times 1,000, or EarnBeg over 1,000",
        counterexample="one job at $3,000 a month, u = 50 thousand: 50, where 9 is meant",
    )


def _pay_per_job(table: int) -> Fraction:
    """Total w over total employment, from the two domains, which are listed as least and most."""
    _, jobs, wages = TABLES[table][52].variables
    return Fraction(wages.least + wages.most, jobs.least + jobs.most)


EARNED = tuple(Real(f"e{month}", least=0) for month in (1, 2, 3))
JOBS = tuple(Real(f"m{month}", least=0) for month in (1, 2, 3))


def _line_21(earnings: Number, jobs: Number) -> Number:
    """What line 21 sets, where no payroll inside the cell is published and no bound binds."""
    return wage_as_published(
        published=None, earnings=earnings, job_months=jobs, root=F(0), known=F(0), upper=earnings * jobs
    )


QUARTER = Equal(
    *EARNED,
    *JOBS,
    left=lambda c, e1, e2, e3, m1, m2, m3: _line_21(e1, m1 + m2 + m3),
    right=lambda c, e1, e2, e3, m1, m2, m3: e1 * m1 + e2 * m2 + e3 * m3,
)
QUARTER_OF_EQUAL_MONTHS = Equal(
    Real("e", least=0),
    *JOBS,
    left=lambda c, e, m1, m2, m3: _line_21(e, m1 + m2 + m3),
    right=lambda c, e, m1, m2, m3: e * m1 + e * m2 + e * m3,
)
"""The quarter pays in each month the earnings of its jobs: of any earnings, and of equal ones."""


@claim(
    "webb2025/alg-3-earnings",
    origin="ours",
    where="Appendix A.2, text on Algorithm 3 and its line 21; Table 5",
    says="Average earnings in month 1 times m1emp + m2emp + m3emp is the quarterly wage.",
    states=QUARTER,
    meant=QUARTER_OF_EQUAL_MONTHS,
)
def earnings_of_one_month_stand_for_three() -> Verdict:
    """If the jobs of month M pay e_M each, the quarter pays Σe_M·m_M. Line 21 has e_1 in every month, so it
    gives that sum when monthly earnings are equal, and another one when they are 1, 2, 2.
    """
    return ill_posed(
        solver.proves(QUARTER_OF_EQUAL_MONTHS),
        exact.refuted(QUARTER, e1=1, e2=2, e3=2, m1=1, m2=1, m3=1),
        condition="earnings per job are the same in the three months",
        counterexample="one job paying 1, 2 and 2: line 21 gives 3, the quarter pays 5",
    )
