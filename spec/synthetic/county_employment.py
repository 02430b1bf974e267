"""Monthly employment of county × NAICS-4 cells (Webb et al. 2025, Algorithm 1), one county at a time."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from establish.spec.synthetic import UnsetError
from establish.spec.synthetic.month_2 import month_2_as_published

Months = tuple[Fraction, Fraction, Fraction]
"""Employment in months 1, 2 and 3."""


@dataclass(frozen=True)
class Industry:
    """One NAICS-4 industry of a county; None where the source has no value.

    emp, emp_end, emp_s: the Quarterly Workforce Indicators. imputed: the imputed County Business
    Patterns. model: the fitted value of equation (2) with its noise, ŷ + Z of line 19. noise: the draw
    Z of Algorithm 2.
    """

    emp: Fraction | None
    emp_end: Fraction | None
    imputed: Fraction
    model: Fraction = Fraction(0)
    emp_s: Fraction | None = None
    noise: Fraction = Fraction(0)


def start_as_published(cell: Industry) -> tuple[Fraction, Fraction]:
    """m1emp and m3emp after lines 14–20. Raises UnsetError when one of emp and emp_end is missing."""
    month_1 = month_3 = None
    if cell.emp is not None and cell.emp_end is not None:
        month_1, month_3 = cell.emp, cell.emp_end
    if cell.emp_end is None:
        month_3 = cell.imputed
    if cell.emp is None:
        if month_3 is None:
            raise UnsetError("line 19 reads m3emp")
        month_1 = cell.model
    if month_1 is None or month_3 is None:
        raise UnsetError("line 22 reads m1emp")
    return month_1, month_3


def start(cell: Industry) -> tuple[Fraction, Fraction]:
    """m1emp and m3emp as the text describes them: each source where it has a value."""
    month_3 = cell.imputed if cell.emp_end is None else cell.emp_end
    return (cell.model if cell.emp is None else cell.emp), month_3


def least(cell: Industry) -> Fraction:
    """The lower bound of lines 22–25: stable employment when it is known, else 0."""
    return Fraction(0) if cell.emp_s is None else cell.emp_s


def raised(value: Fraction, residual: Fraction, cells: int) -> Fraction:
    """Line 35: a value of the model where they add up to 0, with an equal share of what is left for them."""
    return value + residual / cells


def adjusted_as_published(model: Sequence[Fraction], residual: Fraction) -> list[Fraction]:
    """Lines 32–35: the m1emp that come from the model, given what the county total leaves for them."""
    total = sum(model, Fraction(0))
    if total != 0:
        return [m + residual * m / total for m in model]
    return [raised(m, residual, len(model)) for m in model]


def adjusted(model: Sequence[Fraction], residual: Fraction) -> list[Fraction]:
    """As corrected: the model's m1emp ≥ 0 scaled (or, all 0, raised) to add up to max(0, residual)."""
    rest = max(Fraction(0), residual)
    total = sum(model, Fraction(0))
    return [rest * m / total if total != 0 else rest / len(model) for m in model]


def _residual(cells: Sequence[Industry], county_total: Fraction) -> Fraction:
    return county_total - sum((c.emp for c in cells if c.emp is not None), Fraction(0))


def employment_as_published(cells: Sequence[Industry], county_total: Fraction | None) -> list[Months]:
    """Lines 21–40 after `start` (as lines 14–20 leave some variables unset), for one county.

    Raises ZeroDivisionError where Algorithm 2 divides by m1emp + m3emp = 0.
    """
    rows = []
    for cell in cells:
        m1, m3 = start(cell)
        if m1 != 0 and m1 + m3 == 0:
            raise ZeroDivisionError("line 22: the variance of Algorithm 2")
        m2 = month_2_as_published(m1, m3, cell.noise)
        rows.append([max(m, least(cell)) for m in (m1, m2, m3)])
    model = [row for row, cell in zip(rows, cells, strict=True) if cell.emp is None]
    if county_total is not None and model:
        values = adjusted_as_published([row[0] for row in model], _residual(cells, county_total))
        for row, value in zip(model, values, strict=True):
            row[0] = value
    return [(max(Fraction(0), a), max(Fraction(0), b), max(Fraction(0), c)) for a, b, c in rows]


def employment(cells: Sequence[Industry], county_total: Fraction | None) -> list[Months]:
    """Algorithm 1 as corrected: bound months 1 and 3, adjust month 1, bound again, then draw month 2.

    Where the bounds by stable employment need more than the county total leaves, the bounds win.
    """
    ends = [[max(m, least(cell)) for m in start(cell)] for cell in cells]
    model = [row for row, cell in zip(ends, cells, strict=True) if cell.emp is None]
    if county_total is not None and model:
        values = adjusted([row[0] for row in model], _residual(cells, county_total))
        for row, value in zip(model, values, strict=True):
            row[0] = value
    result = []
    for cell, (m1, m3) in zip(cells, ends, strict=True):
        bounded = max(m1, least(cell))
        m2 = max(month_2_as_published(bounded, m3, cell.noise), least(cell))
        result.append((bounded, m2, m3))
    return result
