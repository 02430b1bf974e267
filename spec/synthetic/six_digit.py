"""From county × NAICS-4 to county × NAICS-6 cells (Webb et al. 2025, Algorithm 5), one NAICS-4 cell."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from establish.spec.synthetic import UnsetError


def scale_in_text(imputed_4: Fraction, month_3: Fraction) -> Fraction:
    """EmpScale as displayed in Appendix A.3: it is 0 when only the imputed employment is 0."""
    return imputed_4 / month_3 if month_3 > 0 else Fraction(1)


def months_3_as_published(
    imputed: Sequence[Fraction], imputed_4: Fraction, month_3: Fraction
) -> list[Fraction]:
    """m3emp of the NAICS-6 cells, lines 11–15. Raises UnsetError where line 15 sets another variable."""
    if month_3 > 0 and imputed_4 > 0:
        scale = imputed_4 / month_3
        return [value / scale for value in imputed]
    raise UnsetError("line 15 sets m3emp of the NAICS-4 cell; line 16 reads that of the NAICS-6 cells")


def months_3_as_meant(imputed: Sequence[Fraction], imputed_4: Fraction, month_3: Fraction) -> list[Fraction]:
    """Lines 11–15 with the index ℓ in line 15: the imputed values where there is no scale."""
    if month_3 > 0 and imputed_4 > 0:
        return months_3_as_published(imputed, imputed_4, month_3)
    return list(imputed)


def months_3(imputed: Sequence[Fraction], month_3: Fraction) -> list[Fraction]:
    """As corrected: month_3 in proportion to the imputed values, or evenly when these are all 0."""
    total = sum(imputed, Fraction(0))
    return [month_3 * v / total if total != 0 else month_3 / len(imputed) for v in imputed]


def receivers_as_published(cells: Mapping[str, Fraction | None]) -> list[str]:
    """The cells to which line 20 gives wages: ℓ ∈ I_{c,k} with ℓ ∉ I_{c,k}."""
    return [code for code in cells if code in cells and code not in cells]


def receivers(cells: Mapping[str, Fraction | None]) -> list[str]:
    """As meant: the cells without published wages, ℓ ∈ I_{c,k} with ℓ ∉ I^(6,4)_{c,k}."""
    return [code for code, published in cells.items() if published is None]


def left_over(cells: Mapping[str, Fraction | None], wage: Fraction) -> Fraction:
    """A_{c,k} of line 19: the wage of the NAICS-4 cell without the published NAICS-6 wages."""
    return wage - sum((w for w in cells.values() if w is not None), Fraction(0))


def total_in_text(cells: Mapping[str, Fraction | None], payroll: Fraction | None) -> Fraction:
    """The total in the text of Appendix A.3: CBP.cntyN4.qp1, None where suppressed, without these wages.

    Raises UnsetError for a suppressed payroll.
    """
    if payroll is None:
        raise UnsetError("the text reads CBP.cntyN4.qp1, which is suppressed")
    return left_over(cells, payroll)
