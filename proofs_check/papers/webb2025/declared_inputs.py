"""Appendix A: inputs that are not declared, and the counts around Tables 4 to 6."""

from fractions import Fraction
from itertools import pairwise, product

from establish import Equal, Every, Outcome, Printed, Verdict, claim, exact, exhaustive, holds, misprint
from establish.proofs_check.papers.webb2025.suppression import CELLS

QWI_CELLS = {"Emp": (187_814, 43), "EmpEnd": (189_021, 43), "EmpS": (184_082, 42), "EarnBeg": (8_100, 2)}
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


QWI_ROWS = Every(
    "pair of QWI entries",
    lambda: product(QWI_CELLS, repeat=2),
    lambda pair: rows_range(*QWI_CELLS[pair[0]])[0] <= rows_range(*QWI_CELLS[pair[1]])[1],
)
CBP_ROWS = Every(
    "level and the next finer one",
    lambda: pairwise(CBP_PAYROLL),
    lambda pair: rows_range(*CBP_PAYROLL[pair[0]])[0] < rows_range(*CBP_PAYROLL[pair[1]])[1],
)
"""The ranges of numbers of rows of QWI meet, two and two and so all four; those of CBP may rise."""


@claim(
    "webb2025/tab-6",
    where="Appendix A.1, Table 6",
    says="The counts and percentages of suppressed rows are consistent with tables of one length per level.",
    states=(QWI_ROWS, CBP_ROWS),
    origin="ours",
)
def table_6_is_consistent() -> Verdict:
    """A count over a rounded percentage leaves a range of numbers of rows. The four ranges of QWI at county ×
    NAICS-4 share 434,532 to 441,915. Those of CBP rise from level to level, as finer levels have more rows.
    """
    ranges = [rows_range(*entry) for entry in QWI_CELLS.values()]
    low, high = max(r[0] for r in ranges), min(r[1] for r in ranges)
    return holds(
        exhaustive.each(QWI_ROWS, "QWI's four entries of Table 6"),
        exhaustive.each(CBP_ROWS, "CBP's five entries of Table 6"),
        value=f"{low.__ceil__()} to {high.__floor__()} county × NAICS-4 rows in QWI",
    )


HALF_IN_TABLE_10 = Every(
    "table with its number of cells", lambda: (("Table 10", len(CELLS)),), lambda table: table[1] >= 210_047
)
"""Table 10 has the 210,047 suppressed values that are half of the qp1."""

HALF_IN_TABLE_6 = Printed(lambda c: c.number(CBP_PAYROLL["cntyN4"][1]), "50")

TABLE_5 = {"CBP": {"estnum", "qp1"}, "imputeCBP": {"emp"}, "QWI": {"Emp", "EmpEnd", "EmpS", "EarnBeg"}}
"""The variables of the three sources."""

NO_WAGES = Equal(
    left=lambda c: c.number(sum(name in ("qp1", "EarnBeg") for name in TABLE_5["imputeCBP"])), right=0
)
"""How many variables of the imputed CBP are the payroll, or earnings."""


@claim(
    "webb2025/appA-half",
    where="Appendix A.1",
    says="Half of the qp1 are suppressed at the county by NAICS-4 level, and the imputed CBP has no wages "
    "(Table 10).",
    states=(HALF_IN_TABLE_6, NO_WAGES, HALF_IN_TABLE_10),
    meant=(HALF_IN_TABLE_6, NO_WAGES),
)
def the_share_is_in_table_6() -> Verdict:
    """Table 6 has 210,047 suppressed values, 50%; Table 5 lists the variables of the imputed CBP. Table 10 is
    the example of Appendix E: seven cells.
    """
    return misprint(
        exact.refuted(HALF_IN_TABLE_10, case=("Table 10", len(CELLS))),
        exact.decided(HALF_IN_TABLE_6),
        exact.decided(NO_WAGES),
        reading="Table 6 for the share, Table 5 for the wages",
        reading_is=Outcome.HOLDS,
        counterexample="Table 10 lists five establishments in three counties and three sectors",
    )
