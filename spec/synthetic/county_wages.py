"""Quarterly wages of county × NAICS-4 cells and their upper bound (Webb et al. 2025, Algorithms 3 and 4).

A NAICS code is text; the NAICS-3 code of an industry is its first three characters and the sector its
first two, for the small hierarchies on which the algorithms are run.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from establish.spec.synthetic import UnsetError

Payroll = Mapping[str, Fraction]
"""Published payroll of one county by code; a suppressed code is absent."""


@dataclass(frozen=True)
class CountyPayroll:
    """What is published about one county: by NAICS-4, by NAICS-3, by sector, and in total."""

    four: Payroll
    three: Payroll
    sector: Payroll
    total: Fraction | None


def _within(payroll: Payroll, parent: str) -> Fraction:
    """The published payroll of the codes inside ``parent``; 0 when there is none."""
    return sum((w for code, w in payroll.items() if code.startswith(parent)), Fraction(0))


def bound_as_published(code: str, county: CountyPayroll) -> Fraction:
    """Algorithm 4. Raises UnsetError in lines 10–12, whose sum reads the index j′ of another branch."""
    found: Fraction | None = None
    if code[:2] in county.sector:
        found = county.sector[code[:2]] - _within(county.three, code[:2])
    if code[:3] in county.three:
        found = county.three[code[:3]] - _within(county.four, code[:3])
    if found is None:
        raise UnsetError("line 12 reads j′")
    return found


def bound(code: str, county: CountyPayroll) -> Fraction:
    """Algorithm 4 as the text describes it: from NAICS-3, else from the sector, else from the county.

    Raises UnsetError when all three are suppressed.
    """
    if code[:3] in county.three:
        return county.three[code[:3]] - _within(county.four, code[:3])
    if code[:2] in county.sector:
        return county.sector[code[:2]] - _within(county.three, code[:2])
    if county.total is None:
        raise UnsetError("the county's total payroll is suppressed")
    return county.total - _within(county.sector, "")


def wage_as_published(
    *,
    published: Fraction | None,
    earnings: Fraction | None,
    job_months: Fraction,
    root: Fraction,
    known: Fraction,
    upper: Fraction,
) -> Fraction:
    """Algorithm 3, lines 11–25, for one cell.

    published: CBP.cntyN4.qp1. earnings: QWI.cntyN4.EarnBeg. job_months: m1emp + m2emp + m3emp. root: the
    fitted value of equation (3) with its noise, ŷ + Z. known: Σ^(6,4). upper: the bound of Algorithm 4.
    """
    if published is not None:
        return published
    wage = root**2 + known if earnings is None else max(earnings * job_months, known)
    return min(upper, wage)
