"""Appendix A: inputs that are not declared, and the counts around Tables 4 to 6."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product

from establish.proofs_check.engine.methods import exact, exhaustive
from establish.proofs_check.engine.register import claim
from establish.proofs_check.engine.verdicts import (
    Evidence,
    Outcome,
    Verdict,
    aside,
    holds,
    ill_posed,
    misprint,
)
from establish.proofs_check.papers.webb2025.suppression import CELLS
from establish.spec.synthetic.county_wages import CountyPayroll, bound_as_published
from establish.spec.synthetic.six_digit import months_3, months_3_as_published

F = Fraction


@claim(
    "webb2025/alg-4-inputs",
    where="Appendix A.2, Algorithm 4, input and lines 8–9",
    says="Algorithm 4 finds u from a county's payrolls by NAICS-3, by sector and in total.",
)
def the_bound_reads_payrolls_by_naics_4() -> Verdict:
    """Lines 8–9 subtract CBP.cntyN4.qp1, which is no input and which line 24 of Algorithm 3 does not pass.
    Two counties that agree in every declared input and differ in it have different u.
    """
    three, sector, total = {"111": F(10)}, {"11": F(10)}, F(10)
    shown, hidden = (CountyPayroll(four, three, sector, total) for four in ({"111a": F(3)}, {}))
    return ill_posed(
        exact.compare(
            bound_as_published("111b", shown),
            "!=",
            bound_as_published("111b", hidden),
            "u of 111b where 3 is published for 111a, and where it is suppressed",
        ),
        condition="CBP.cntyN4.qp1 is an input as well",
        counterexample="NAICS-3 payroll 10, CBP.cntyN4.qp1 = 3 or missing for its other part: u = 7 or 10",
    )


@claim(
    "webb2025/alg-5-inputs",
    where="Appendix A.3, Algorithm 5, input and lines 11–13",
    says="Algorithm 5 finds m3emp of the NAICS-6 cells from their imputed employment and cntyN4.m3emp.",
)
def the_scale_reads_imputed_employment_by_naics_4() -> Verdict:
    """Lines 11–12 read imputeCBP.cntyN4.emp, which is no input: with another value m3emp is another. Where
    it is the sum of the imputed values of its NAICS-6 cells the declared inputs determine it.
    """
    values = [F(700), F(300)]
    one, other = (months_3_as_published(values, F(n), F(1250)) for n in (1000, 2000))
    return ill_posed(
        exact.compare(one[0], "!=", other[0], "m3emp at imputeCBP.cntyN4.emp = 1,000 and 2,000"),
        exhaustive.for_all(
            product(range(1, 5), repeat=3),
            lambda case: (
                months_3_as_published([F(case[0]), F(case[1])], F(case[0] + case[1]), F(case[2]))
                == months_3([F(case[0]), F(case[1])], F(case[2]))
            ),
            "with their sum m3emp is a function of the declared inputs: cntyN4.m3emp in proportion",
            "imputed employment of two NAICS-6 cells and cntyN4.m3emp in 1…4",
        ),
        condition="imputeCBP.cntyN4.emp is an input as well, or the sum of imputeCBP.cntyN6.emp",
        counterexample="imputed 700 and 300, cntyN4.m3emp = 1,250: m3emp of the first is 875 with "
        "imputeCBP.cntyN4.emp = 1,000, and 875/2 with 2,000",
    )


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


TABLE_4 = _names(
    "year qtr state cnty naics naics5 naics4 naics3 sector supersector own m1emp m2emp m3emp wage "
    "primary_key can_agg rectype"
)
"""The variables of Table 4."""

SET_BY_LINE = {
    "7–10": _names("m1emp m3emp wage cnty"),
    "11–13": _names("naics primary_key m2emp"),
    "16": _names("supersector sector naics3 naics4 naics5"),
    "17": _names("state"),
    "18": _names("year qtr own can_agg rectype"),
}
"""The variables that the lines of Algorithm 7 set; those of line 18 are constants."""


@claim(
    "webb2025/alg-7-columns",
    where="Appendix A.4, Algorithm 7, result; Appendix A and Table 4",
    says="The result has the 18 variables of Table 4, five of them constant.",
)
def all_columns_of_table_4_are_set() -> Verdict:
    """Table 4 lists 18 variables, as Appendix A says; Algorithm 7 sets each once, five in line 18."""
    all_set = [name for names in SET_BY_LINE.values() for name in names]
    return holds(
        exact.compare(len(TABLE_4), "==", 18, "variables of Table 4"),
        exact.compare(len(TABLE_4 ^ set(all_set)), "==", 0, "variables set or listed, not both"),
        exact.compare(len(all_set), "==", len(TABLE_4), "variables set, counted with repetition"),
        exact.compare(len(SET_BY_LINE["18"]), "==", 5, "constant variables"),
    )


QWI_CELLS = {
    "Emp": (187_814, 43),
    "EmpEnd": (189_021, 43),
    "EmpS": (184_082, 42),
    "EarnBeg": (8_100, 2),
}
"""Table 6, county × NAICS-4 cells of QWI: suppressed rows, and their percentage."""

CBP_PAYROLL = {
    "cntySect": (10_813, 18),
    "cntyN3": (67_190, 36),
    "cntyN4": (210_047, 50),
    "cntyN5": (393_634, 58),
    "cntyN6": (480_987, 61),
}
"""Table 6, CBP.qp1 by level: suppressed rows, and their percentage."""


def rows_range(count: int, percent: int) -> tuple[Fraction, Fraction]:
    """The numbers of rows of which ``count`` are ``percent`` %, rounded to a whole percentage."""
    return count / Fraction(2 * percent + 1, 200), count / Fraction(2 * percent - 1, 200)


@claim(
    "webb2025/tab-6",
    where="Appendix A.1, Table 6",
    says="The counts and percentages of suppressed rows belong to tables of one length per level.",
)
def table_6_is_consistent() -> Verdict:
    """A count over a rounded percentage leaves a range of numbers of rows. The four ranges of QWI at county ×
    NAICS-4 share 434,532 to 441,915. Those of CBP rise from level to level, as finer levels have more rows.
    """
    ranges = [rows_range(*entry) for entry in QWI_CELLS.values()]
    low, high = max(r[0] for r in ranges), min(r[1] for r in ranges)
    levels = [rows_range(*entry) for entry in CBP_PAYROLL.values()]
    rising: list[Evidence] = [
        exact.compare(coarse[0], "<", fine[1], "rows of a level, and of the next finer one")
        for coarse, fine in pairwise(levels)
    ]
    return holds(
        exact.compare(low, "<=", high, "the ends of the range that QWI's four percentages share"),
        *rising,
        value=f"{low.__ceil__()} to {high.__floor__()} county × NAICS-4 rows in QWI",
    )


@claim(
    "webb2025/appA-half",
    where="Appendix A.1",
    says="Half of the qp1 are suppressed at the county by NAICS-4 level, and the imputed CBP has no wages "
    "(Table 10).",
)
def the_share_is_in_table_6() -> Verdict:
    """Table 6 has 210,047 suppressed values, 50%; Table 5 lists the variables of the imputed CBP. Table 10 is
    the example of Appendix E: seven cells.
    """
    count, percent = CBP_PAYROLL["cntyN4"]
    return misprint(
        exact.compare(percent, "==", 50, "per cent of qp1 in Table 6 at county × NAICS-4"),
        exact.compare(len(CELLS), "<", count, "cells of Table 10, and the suppressed values"),
        aside(
            exact.compare(QWI_CELLS["EarnBeg"][1], "==", 2, "per cent of EarnBeg, as the text says")
        ),
        reading="Table 6 for the share, Table 5 for the wages",
        reading_is=Outcome.HOLDS,
        counterexample="Table 10 lists five establishments in three counties and three sectors",
    )
