"""Appendix A.2, Algorithm 3: quarterly wages of county × NAICS-4 cells."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import z3

from establish.proofs_check.engine.methods import exact, exhaustive, solver
from establish.proofs_check.engine.register import claim
from establish.proofs_check.engine.verdicts import Verdict, ill_posed
from establish.proofs_check.papers.webb2025.published_totals import TABLES
from establish.spec.synthetic.county_wages import wage_as_published

F = Fraction


@claim(
    "webb2025/alg-3-root",
    where="Appendix A.2, equation (3)",
    says="The model's response is the square root of CBP.cntyN4.qp1 − Σ^(6,4).",
)
def response_needs_payrolls_that_add_up() -> Verdict:
    """The difference is what the suppressed NAICS-6 cells have. It is ≥ 0 when the published values add up
    and are not negative. If each was protected by its own noise it need not be: 5 published for the
    NAICS-4 cell and 4 + 2 for its parts leave −1.
    """
    whole, shown, hidden = z3.Reals("whole shown hidden")
    return ill_posed(
        solver.for_all(
            [shown >= 0, hidden >= 0, whole == shown + hidden],
            whole - shown >= 0,
            "the radicand is ≥ 0",
        ),
        exact.compare(5 - (4 + 2), "<", 0, "the radicand at 5 for the cell, 4 and 2 for its parts"),
        condition="published payrolls are ≥ 0 and add up across the levels",
        counterexample="CBP.cntyN4.qp1 = 5, CBP.cntyN6.qp1 = 4 and 2: √−1",
    )


def _wage(known: int, root: int, earnings: int | None, upper: int) -> Fraction:
    return wage_as_published(
        published=None,
        earnings=None if earnings is None else F(earnings),
        job_months=F(1),
        root=F(root),
        known=F(known),
        upper=F(upper),
    )


@claim(
    "webb2025/alg-3-lower",
    where="Appendix A.2, Algorithm 3, lines 17–25, and the text after equation (3)",
    says="Every wage that is not published is at least Σ^(6,4), the published wages inside its cell.",
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
    universe = list(product(range(3), range(-2, 3), (None, 0, 1, 2, 3), range(3)))
    return ill_posed(
        solver.for_all(domain, least(upper, root**2 + known) >= known, "line 19 with u ≥ Σ"),
        solver.for_all(domain, least(upper, before) >= known, "line 22 with u ≥ Σ"),
        exhaustive.for_all(
            [case for case in universe if case[3] >= case[0]],
            lambda case: _wage(*case) >= case[0],
            "the published lines keep the bound when u ≥ Σ",
            "Σ and u in 0…2, ŷ + Z in −2…2, earnings missing or 0…3",
        ),
        exact.compare(_wage(1, 0, None, 0), "<", 1, "the wage at Σ = 1, u = 0, and Σ"),
        condition="u ≥ Σ^(6,4), as for payrolls that are ≥ 0 and add up",
        counterexample="Σ = 1, u = 0: the wage becomes 0",
    )


@claim(
    "webb2025/alg-3-unit",
    where="Appendix A.2, Algorithm 3, lines 21–25; Tables 8 and 9, totals of w",
    says="wage takes the values of CBP qp1 and of EarnBeg times employment.",
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
            exact.compare(
                value, "<", 44, f"Table {number}: wages per job and quarter, in the unit printed"
            )
            for number, value in pay.items()
        ),
        exact.compare(
            _wage_from_earnings(F(3000), F(3), upper=50),
            "==",
            50,
            "one job at $3,000 a month where u is 50 thousand dollars",
        ),
        exact.compare(
            _wage_from_earnings(F(3), F(3), upper=50), "==", 9, "the same in thousands throughout"
        ),
        condition="one unit: qp1 times 1,000, or EarnBeg over 1,000",
        counterexample="one job at $3,000 a month, u = 50 thousand: 50, where 9 is meant",
    )


def _wage_from_earnings(earnings: Fraction, job_months: Fraction, upper: int = 100) -> Fraction:
    """Line 21 without published payrolls, bounded by ``upper``."""
    return wage_as_published(
        published=None,
        earnings=earnings,
        job_months=job_months,
        root=F(0),
        known=F(0),
        upper=F(upper),
    )


def _pay_per_job(table: int) -> Fraction:
    """Total w over total employment, from the two domains, which are listed as least and most."""
    _, jobs, wages = TABLES[table][52].variables
    return Fraction(wages.least + wages.most, jobs.least + jobs.most)


@claim(
    "webb2025/alg-3-earnings",
    where="Appendix A.2, text on Algorithm 3 and its line 21; Table 5",
    says="Average earnings in month 1 times m1emp + m2emp + m3emp is the quarterly wage.",
)
def earnings_of_one_month_stand_for_three() -> Verdict:
    """If the jobs of month M pay e_M each, the quarter pays Σe_M·m_M. Line 21 has e_1 in every month, so it
    gives that sum when monthly earnings are equal, and another one when they are 1, 2, 2.
    """

    def line_21(earnings: tuple[int, ...], jobs: tuple[int, ...]) -> Fraction:
        return _wage_from_earnings(F(earnings[0]), F(sum(jobs)))

    def quarter(earnings: tuple[int, ...], jobs: tuple[int, ...]) -> int:
        return sum(e * m for e, m in zip(earnings, jobs, strict=True))

    return ill_posed(
        exhaustive.for_all(
            product(range(4), product(range(4), repeat=3)),
            lambda case: line_21((case[0],) * 3, case[1]) == quarter((case[0],) * 3, case[1]),
            "line 21 gives the quarter's pay at equal monthly earnings",
            "earnings and employment in 0…3",
        ),
        exact.compare(
            line_21((1, 2, 2), (1, 1, 1)),
            "!=",
            quarter((1, 2, 2), (1, 1, 1)),
            "at earnings 1, 2, 2",
        ),
        condition="earnings per job are the same in the three months",
        counterexample="one job paying 1, 2 and 2: line 21 gives 3, the quarter pays 5",
    )
