"""Appendix A: the names that each algorithm declares and uses, and the counts around Tables 4 to 6."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import pairwise

from establish.proofs_check.methods import exact
from establish.proofs_check.register import claim
from establish.proofs_check.verdicts import Evidence, Outcome, Verdict, aside, holds, misprint
from establish.proofs_check.webb2025.appendix_e import CELLS


@dataclass(frozen=True)
class Listing:
    """What an algorithm declares as input, what its lines use besides what they set, and what is meant.

    meant: for each name that is used but not declared, the declared name that is meant, or "" when the
    input must be extended by it.
    """

    number: int
    section: str
    declared: frozenset[str]
    used: frozenset[str]
    meant: dict[str, str]
    counterexample: str


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


LISTINGS = (
    Listing(
        1,
        "A.2",
        _names(
            "QWI.cntyN4.Emp QWI.cntyN4.EmpEnd QWI.cntyN4.EmpS QWI.cnty.Emp imputeCBP.cntyN4.emp "
            "CBP.cntyN4.estnum cntyN4.state cntyN4.sector η"
        ),
        _names(
            "QWI.cntyN4.Emp QWI.cntyN4.EmpEnd QWI.cntyN4.EmpS QWI.cnty.Emp imputeCBP.cntyN4.emp "
            "CBP.cntyN4.estnum QWI.cntyN4.state QWI.cntyN4.sector η"
        ),
        {"QWI.cntyN4.state": "cntyN4.state", "QWI.cntyN4.sector": "cntyN4.sector"},
        "line 19 predicts from QWI.cntyN4.state and QWI.cntyN4.sector, the input has cntyN4.state and "
        "cntyN4.sector",
    ),
    Listing(
        3,
        "A.2",
        _names(
            "QWI.cntyN4.EarnBeg cntyN4.m1emp cntyN4.m2emp cntyN4.m3emp CBP.cntyN6.qp1 CBP.cntyN4.qp1 "
            "CBP.cntyN3.qp1 CBP.cntySect.qp1 CBP.cnty.qp1 cntyN4.state cntyN4.sector model(3) Σ_{c,k}"
        ),
        _names(
            "QWI.cntyN4.EarnBeg cntyN4.m1emp cntyN4.m2emp cntyN4.m3emp CBP.cntyN6.qp1 CBP.cntyN4.qp1 "
            "CBP.cntyN3.qp1 CBP.cntySct.qp1 CBP.cnty.qp1 cntyN4.state cntyN4.sector model(A.2) Σ_{c,k} "
            "Σ_{k,c}"
        ),
        {
            "CBP.cntySct.qp1": "CBP.cntySect.qp1",
            "model(A.2)": "model(3)",
            "Σ_{k,c}": "Σ_{c,k}",
        },
        "line 24 passes CBP.cntySct.qp1, line 13 fits model (A.2), which is a section, line 22 reads Σ_{k,c}",
    ),
    Listing(
        4,
        "A.2",
        _names("c k CBP.cntyN3.qp1 CBP.cntySect.qp1 CBP.cnty.qp1 u_{c,k}"),
        _names("c k CBP.cntyN3.qp1 CBP.cntySect.qp1 CBP.cnty.qp1 u_{c,k} u_{k,c} CBP.cntyN4.qp1"),
        {"u_{k,c}": "u_{c,k}", "CBP.cntyN4.qp1": ""},
        "lines 8–9 read CBP.cntyN4.qp1, which is no input and is not passed by Algorithm 3; the result is "
        "u_{k,c}",
    ),
    Listing(
        5,
        "A.3",
        _names(
            "cntyN4.m1emp cntyN4.m2emp cntyN4.m3emp cntyN4.wage CBP.cntyN6.qp1 CBP.cntyN6.estnum "
            "imputeCBP.cntyN6.emp"
        ),
        _names(
            "cntyN4.m1emp cntyN4.m3emp cntyN4.wage CBP.cntyN6.qp1 CBP.cntyN6.estnum "
            "imputeCBP.cntyN6.emp imputeCBP.cntyN4.emp"
        ),
        {"imputeCBP.cntyN4.emp": ""},
        "lines 11–12 read imputeCBP.cntyN4.emp, which is no input; cntyN4.m2emp is one and is not read",
    ),
)
"""The algorithms whose lines use a name that is not declared."""


def every_name_is_declared(listing: Listing) -> Verdict:
    """The names that the lines use, without those that the lines set themselves, against the input. Each
    missing one is another spelling of a declared name, or an input that the algorithm needs as well.
    """
    missing = listing.used - listing.declared
    extended = listing.declared | {name for name, meant in listing.meant.items() if not meant}
    read = {listing.meant.get(name) or name for name in listing.used}
    reading = ", ".join(
        f"{m} for {n}" if m else f"{n} as an input" for n, m in listing.meant.items()
    )
    return misprint(
        exact.compare(len(missing), "==", len(listing.meant), "names used and not declared"),
        exact.compare(len(read - extended), "==", 0, "of them left with the reading"),
        reading=reading,
        reading_is=Outcome.HOLDS,
        counterexample=listing.counterexample,
    )


for _listing in LISTINGS:
    claim(
        f"webb2025/alg-{_listing.number}-names",
        where=f"Appendix {_listing.section}, Algorithm {_listing.number}, input and lines",
        says=f"Algorithm {_listing.number} reads its declared inputs.",
    )(partial(every_name_is_declared, _listing))


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
    says="Half of the qp1 are suppressed at the county by NAICS-4 level (Table 10).",
)
def the_share_is_in_table_6() -> Verdict:
    """Table 6 has 210,047 suppressed values, 50%. Table 10 is the example of Appendix E: seven cells."""
    count, percent = CBP_PAYROLL["cntyN4"]
    return misprint(
        exact.compare(percent, "==", 50, "per cent of qp1 in Table 6 at county × NAICS-4"),
        exact.compare(len(CELLS), "<", count, "cells of Table 10, and the suppressed values"),
        aside(
            exact.compare(QWI_CELLS["EarnBeg"][1], "==", 2, "per cent of EarnBeg, as the text says")
        ),
        reading="Table 6",
        reading_is=Outcome.HOLDS,
        counterexample="Table 10 lists five establishments in three counties and three sectors",
    )
