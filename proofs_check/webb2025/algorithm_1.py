"""Appendix A.2, Algorithm 1: the three months of county × NAICS-4 cells before the county adjustment."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy

from establish.proofs_check.methods import exact, exhaustive
from establish.proofs_check.register import claim
from establish.proofs_check.verdicts import Evidence, Outcome, Verdict, ill_posed, misprint
from establish.spec.synthetic import UnsetError
from establish.spec.synthetic.county_employment import (
    Industry,
    employment,
    employment_as_published,
    start,
    start_as_published,
)
from establish.spec.synthetic.month_2 import variance

F = Fraction
PATTERNS = tuple(product((None, F(4)), (None, F(6))))
"""Monthly employment at the start and at the end of the quarter: each missing, or known."""


def _unset(cell: Industry) -> str:
    """What the published lines read unset for this cell; empty when nothing."""
    try:
        start_as_published(cell)
    except UnsetError as error:
        return str(error)
    return ""


@claim(
    "webb2025/alg-1-start",
    where="Appendix A.2, Algorithm 1, lines 14–20",
    says="The lines set m1emp and m3emp of every cell from Emp and EmpEnd, from the imputed employment and "
    "from the model.",
)
def cells_with_one_known_end_are_left_out() -> Verdict:
    """Line 14 runs over the cells with both values and sets both; line 16 sets m3emp where EmpEnd is
    missing; line 18 sets m1emp where Emp is missing and reads m3emp. So m3emp is unset where only Emp is
    missing, and m1emp where only EmpEnd is. The text is clear: each value is used where it is known.
    """
    cells = [Industry(emp, end, imputed=F(5), model=F(3)) for emp, end in PATTERNS]
    unset = [cell for cell in cells if _unset(cell)]

    def as_in_the_text(cell: Industry) -> bool:
        expected = (F(3 if cell.emp is None else 4), F(5 if cell.emp_end is None else 6))
        return start(cell) == expected and (
            bool(_unset(cell)) or start_as_published(cell) == expected
        )

    return misprint(
        exact.compare(len(unset), "==", 2, "patterns of missing values with an unset variable"),
        exact.compare(
            sum((c.emp is None) != (c.emp_end is None) for c in unset),
            "==",
            2,
            "of them with exactly one of the two values missing",
        ),
        exhaustive.for_all(
            cells,
            as_in_the_text,
            "with each value used where it is known, both months are set as the text says",
            "the four patterns of missing values",
        ),
        reading="m3emp from EmpEnd for every cell that has it, m1emp from Emp for every cell that has it",
        reading_is=Outcome.HOLDS,
        counterexample="Emp missing, EmpEnd = 6: line 19 reads m3emp, which no line has set",
    )


def _fit(x: int) -> tuple[Fraction, Fraction]:
    """Fitted value and squared standard error of prediction at x, least squares on (−1, 1), (0, −2), (1, 1).

    With the design matrix X of a constant and x: ŷ = v'β and se² = s²(1 + v'(X'X)⁻¹v).
    """
    design = sympy.Matrix([[1, -1], [1, 0], [1, 1]])
    answers = sympy.Matrix([1, -2, 1])
    inverse = (design.T * design).inv()
    slopes = inverse * design.T * answers
    residual = answers - design * slopes
    square = (residual.T * residual)[0]  # one degree of freedom is left: 3 rows, 2 coefficients
    row = sympy.Matrix([[1, x]])
    se2 = square * (1 + (row * inverse * row.T)[0])
    fitted = (row * slopes)[0]
    return Fraction(int(fitted.p), int(fitted.q)), Fraction(int(se2.p), int(se2.q))


@claim(
    "webb2025/alg-1-se",
    where="Appendix A.2, Algorithm 1, line 13, and Algorithm 3, line 16",
    says="se_pred takes in a fitted value of the model and returns the standard error of the prediction.",
)
def prediction_error_depends_on_the_row() -> Verdict:
    """se_pred² = s²(1 + v'(X'X)⁻¹v) depends on the row v of predictors, not on the fitted value: rows with
    the same ŷ can lie near the middle of the data or far out. Regress (1, −2, 1) on (−1, 0, 1): the slope is
    0, so ŷ = 0 at every x, with se² = 8 at x = 0 and 11 at x = 1.
    """
    (fit_0, error_0), (fit_1, error_1) = _fit(0), _fit(1)
    return ill_posed(
        exact.compare(fit_0, "==", fit_1, "the fitted values at x = 0 and x = 1"),
        exact.compare(error_0, "!=", error_1, "their squared standard errors of prediction"),
        condition="se_pred is a function of the row of predictors",
        counterexample="data (−1, 1), (0, −2), (1, 1): ŷ = 0 at x = 0 and at x = 1; se² = 8 and 11",
    )


def _variances(months: tuple[int, int]) -> Fraction:
    return Fraction(variance(F(169, 100), *map(Fraction, months)))


@claim(
    "webb2025/alg-1-domain",
    where="Appendix A.2, Algorithm 1, lines 20–22, against Algorithm 2, input",
    says="Line 22 calls Algorithm 2 with the months that lines 14–20 give; it needs them to be ≥ 0.",
)
def model_values_may_be_negative() -> Verdict:
    """A value of the model, ŷ + Z with normal Z, is negative with positive probability, and lines 22–25
    bound it only after line 22. At m1 = −1, m3 = 1 the variance divides by 0; at m1 = −3, m3 = 1 it is
    negative. Bounding the months by 0 first repairs both: then m1 + m3 > 0 unless both are 0.
    """
    cell = Industry(None, F(1), imputed=F(1), model=F(-1))
    try:
        employment_as_published([cell], None)
        divides = 0
    except ZeroDivisionError:
        divides = 1
    return ill_posed(
        exact.compare(divides, "==", 1, "at m1 = −1, m3 = 1 line 22 divides by zero (1 is yes)"),
        exact.compare(_variances((-3, 1)), "<", 0, "the variance at m1 = −3, m3 = 1"),
        _bounded_first_is_defined(),
        condition="the months are bounded by 0 before line 22, not after it",
        counterexample="ŷ + Z = −1 and EmpEnd = 1: the variance of line 22 is 2η·2/0",
    )


def _bounded_first_is_defined() -> Evidence:
    def defined(case: tuple[int, int]) -> bool:
        cell = Industry(None, F(case[1]), imputed=F(0), model=F(case[0]))
        ((m1, m2, m3),) = employment([cell], None)
        return min(m1, m2, m3) >= 0 and (m1 + m3 == 0 or variance(F(1), m1, m3) >= 0)

    return exhaustive.for_all(
        product(range(-4, 5), range(5)),
        defined,
        "with the bound first every month is ≥ 0 and every variance is defined and ≥ 0",
        "ŷ + Z in −4…4, EmpEnd in 0…4",
    )


@claim(
    "webb2025/alg-1-whole",
    where="Appendix A.2, Algorithm 1, lines 20–22 and result; Appendix A.4",
    says="The result is monthly employment counts.",
)
def no_line_rounds() -> Verdict:
    """ŷ + Z and the result of Algorithm 2 are real numbers, and no line rounds them; Appendix A.4 only
    mentions that values may be rounded down. Employment counts need a rounding that is said.
    """
    ((_, m2, _),) = employment_as_published([Industry(F(1), F(2), imputed=F(2))], None)
    ((m1, _, _),) = employment_as_published(
        [Industry(None, F(2), imputed=F(2), model=F(5, 4))], None
    )
    return ill_posed(
        exact.compare(m2.denominator, "!=", 1, "the denominator of m2emp at m1 = 1, m3 = 2, Z = 0"),
        exact.compare(m1.denominator, "!=", 1, "the denominator of m1emp at ŷ + Z = 5/4"),
        condition="a rounding rule",
        counterexample="m1emp = 1, m3emp = 2, Z = 0: m2emp = 3/2",
    )
