"""Appendix A.2, Algorithm 3: quarterly wages of county × NAICS-4 cells."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import z3

from establish import AtMost, Every, Real, Verdict, claim, exact, exhaustive, ill_posed, solver
from establish.proofs_check.engine.statements import given
from establish.proofs_check.papers.webb2025.published_totals import TABLES
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


Payrolls = tuple[int, int, int, int, int | None]
"""Σ^(6,4), the published payrolls of the NAICS-3 code and of its other NAICS-4 code, ŷ + Z, and earnings."""

PAYROLLS = "case (Σ^(6,4), NAICS-3 total, the other NAICS-4 code, ŷ + Z, earnings or missing)"


def _payrolls() -> Iterator[Payrolls]:
    return product(range(3), range(4), range(2), range(-1, 2), (None, 0, 2))


def _at_least_the_sum(case: Payrolls) -> bool:
    """Whether Algorithm 3, with the bound u of Algorithm 4, gives at least Σ^(6,4)."""
    known, whole, other, root, earnings = case
    upper = bound_as_published("1111", CountyPayroll({"1112": F(other)}, {"111": F(whole)}, {}, None))
    wage = wage_as_published(
        published=None,
        earnings=None if earnings is None else F(earnings),
        job_months=F(1),
        root=F(root),
        known=F(known),
        upper=upper,
    )
    return wage >= known


KEEPS_SUM = Every(PAYROLLS, _payrolls, _at_least_the_sum)
KEEPS_SUM_OF_PARTS = Every(
    PAYROLLS,
    lambda: (case for case in _payrolls() if case[0] + case[2] <= case[1]),
    _at_least_the_sum,
    wrong=lambda case: case[1] - case[2] > case[0],
)
"""For all published payrolls, and for those that are at least the sum of their published parts."""


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
    known, root, upper, earned = z3.Reals("known root upper earned")
    domain = [known >= 0, upper >= known]

    def least(a: z3.ArithRef, b: z3.ArithRef) -> z3.ArithRef:
        return z3.If(a <= b, a, b)

    before = z3.If(earned >= known, earned, known)
    return ill_posed(
        solver.for_all(domain, least(upper, root**2 + known) >= known, "line 19 with u ≥ Σ"),
        solver.for_all(domain, least(upper, before) >= known, "line 22 with u ≥ Σ"),
        exhaustive.each(KEEPS_SUM_OF_PARTS, "two NAICS-4 codes of one NAICS-3 code, payrolls of 0 to 3"),
        exact.refuted(KEEPS_SUM, case=(1, 1, 1, 0, None)),
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


Months = tuple[tuple[int, int, int], tuple[int, int, int]]
"""Earnings per job in each month, and jobs."""


def _line_21(case: Months) -> bool:
    """Whether line 21 gives what the quarter pays."""
    earnings, jobs = case
    paid = sum(e * m for e, m in zip(earnings, jobs, strict=True))
    return _wage_from_earnings(F(earnings[0]), F(sum(jobs))) == paid


QUARTER = Every(
    "case (earnings, jobs)",
    lambda: product(product(range(3), repeat=3), product(range(3), repeat=3)),
    _line_21,
)
QUARTER_OF_EQUAL_MONTHS = Every(
    "case (earnings, jobs)",
    lambda: product(((e, e, e) for e in range(4)), product(range(4), repeat=3)),
    _line_21,
)


@claim(
    "webb2025/alg-3-earnings",
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
        exhaustive.each(QUARTER_OF_EQUAL_MONTHS, "earnings and employment in 0…3"),
        exact.refuted(QUARTER, case=((1, 2, 2), (1, 1, 1))),
        condition="earnings per job are the same in the three months",
        counterexample="one job paying 1, 2 and 2: line 21 gives 3, the quarter pays 5",
    )
