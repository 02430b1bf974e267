"""Appendix A: inputs that are not declared, and the counts around Tables 4 to 6."""

from fractions import Fraction
from itertools import pairwise, product

from establish import (
    Equal,
    Every,
    Outcome,
    Printed,
    Real,
    Verdict,
    aside,
    claim,
    exact,
    exhaustive,
    holds,
    ill_posed,
    misprint,
    solver,
)
from establish.proofs_check.papers.webb2025.suppression import CELLS
from establish.spec.synthetic.six_digit import months_3, months_3_as_meant

F = Fraction


_CELL = tuple(Real(name, above=0) for name in ("own", "rest", "m3emp"))

DECLARED_5 = Equal(
    *_CELL,
    Real("imputed", above=0),
    left=lambda c, own, rest, m3, imputed: months_3_as_meant([own, rest], imputed, m3)[0],
    right=lambda c, own, rest, m3, imputed: months_3([own, rest], m3)[0],
)
SUMMED_5 = Equal(
    *_CELL,
    left=lambda c, own, rest, m3: months_3_as_meant([own, rest], own + rest, m3)[0],
    right=lambda c, own, rest, m3: months_3([own, rest], m3)[0],
)
"""m3emp of a NAICS-6 cell beside others is what the declared inputs determine: cntyN4.m3emp in proportion."""


def _covered(listed: tuple[bool, bool]) -> bool:
    """Whether a NAICS-4 cell with NAICS-6 rows is one that the loop sets, and one that it sets has rows."""
    has_rows, set_by_loop = listed
    return has_rows == set_by_loop


COVERED = Every(
    "NAICS-4 cell of a county (it has NAICS-6 rows, Algorithm 1 gives it)",
    lambda: product((True, False), repeat=2),
    _covered,
)
MATCHED = Every(
    "NAICS-4 cell of a county (it has NAICS-6 rows, Algorithm 1 gives it)",
    lambda: (pair for pair in product((True, False), repeat=2) if pair[0] == pair[1]),
    _covered,
)
"""The index sets are covered when every cell is, whatever their size."""


@claim(
    "webb2025/alg-5-inputs",
    where="Appendix A.3, Algorithm 5, input and lines 2–13 and 22–24",
    says="From imputed employment and the NAICS-4 cells of Algorithm 1 Algorithm 5 sets the employment and "
    "wages of every NAICS-6 cell.",
    states=(DECLARED_5, COVERED),
    meant=(SUMMED_5, MATCHED),
)
def the_scale_reads_imputed_employment_by_naics_4() -> Verdict:
    """Lines 11–12 read imputeCBP.cntyN4.emp, which is not an input; another value gives another m3emp. Where
    it is the sum of the imputed values of its NAICS-6 cells the declared inputs determine it. The loop runs
    over the NAICS-4 cells of Algorithm 1, those that QWI and imputeCBP share; lines 22–24 list the NAICS-6
    rows of imputeCBP. A row whose NAICS-4 cell is not in QWI stays unset, and a NAICS-4 cell without NAICS-6
    rows goes to line 16 with nobody to receive its jobs.
    """
    return ill_posed(
        exact.refuted(DECLARED_5, own=1, rest=1, m3emp=2, imputed=1),
        exact.refuted(COVERED, case=(True, False)),
        exact.refuted(COVERED, case=(False, True)),
        solver.proves(SUMMED_5),
        exhaustive.each(MATCHED, "in both index sets, or in neither"),
        condition="imputeCBP.cntyN4.emp is an input as well, or the sum of imputeCBP.cntyN6.emp; every "
        "NAICS-6 row lies in a NAICS-4 cell of Algorithm 1, and every such cell has a row",
        counterexample="imputed 1 and 1, cntyN4.m3emp = 2: m3emp of the first is 1 with "
        "imputeCBP.cntyN4.emp = 2, and 2 with 1; imputeCBP lists 111110 and 222220, cntyN4 lists 1111 and "
        "3333: 222220 is unset, the jobs of 3333 have no receiver",
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


COLUMNS = Every(
    "variable of Table 4 or of Algorithm 7",
    lambda: sorted(TABLE_4.union(*SET_BY_LINE.values())),
    lambda name: (
        name in TABLE_4
        and sum(name in names for names in SET_BY_LINE.values()) == 1
        and len(TABLE_4) == 18
        and len(SET_BY_LINE["18"]) == 5
    ),
)
"""Each is listed and set once; they are 18, five of them constant."""


@claim(
    "webb2025/alg-7-columns",
    where="Appendix A.4, Algorithm 7, result; Appendix A and Table 4",
    says="The result has the 18 variables of Table 4, five of them constant.",
    states=COLUMNS,
)
def all_columns_of_table_4_are_set() -> Verdict:
    """Table 4 lists 18 variables, as Appendix A says; Algorithm 7 sets each once, five in line 18."""
    return holds(exhaustive.each(COLUMNS, "the variables of Table 4 and of Algorithm 7"))


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

TABLE_5 = {"CBP": _names("estnum qp1"), "imputeCBP": _names("emp"), "QWI": _names("Emp EmpEnd EmpS EarnBeg")}
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
        aside(exact.compare(QWI_CELLS["EarnBeg"][1], "==", 2, "per cent of EarnBeg, as the text says")),
        reading="Table 6 for the share, Table 5 for the wages",
        reading_is=Outcome.HOLDS,
        counterexample="Table 10 lists five establishments in three counties and three sectors",
    )
