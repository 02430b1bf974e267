"""Appendix A.2, Algorithm 1: the three months of county × NAICS-4 cells, and the county's total."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import sympy
import z3

from establish.proofs_check.engine.methods import exact, exhaustive, solver, symbolic
from establish.proofs_check.engine.register import claim
from establish.proofs_check.engine.verdicts import (
    Evidence,
    Outcome,
    Verdict,
    aside,
    fails,
    ill_posed,
    misprint,
)
from establish.spec.synthetic import UnsetError
from establish.spec.synthetic.county_employment import (
    Industry,
    adjusted,
    adjusted_as_published,
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


COUNTIES = "3 industries, m1emp of the model in 0…3 and what the county total leaves in 0…5"
"""The universe of the statements about the adjustment."""


def _cases() -> Iterator[tuple[tuple[int, ...], int]]:
    return product(product(range(4), repeat=3), range(6))


def _sum(rule: str, model: tuple[int, ...], rest: int) -> Fraction:
    adjust = adjusted if rule == "corrected" else adjusted_as_published
    return sum(adjust([F(m) for m in model], F(rest)), F(0))


@claim(
    "webb2025/alg-1-county-total",
    where="Appendix A.2, Algorithm 1, lines 27–33, and the displayed formula before Algorithm 2",
    says="The m1emp of the model are adjusted with the county total: each becomes m1emp + (county total − "
    "known Emp)·m1emp/(sum of the model's m1emp).",
)
def proportional_adjustment_adds_instead_of_replacing() -> Verdict:
    """Line 33 adds the part of what the county total leaves, R, to an m1emp that is already there: the sum
    S of the model's values becomes S + R, and the county has S jobs more than its total. When S = 0,
    line 35 makes the sum R. With R − S in place of R both lines reach the county total. The display before
    Algorithm 2 has what line 33 has.
    """
    share, rest, total = sympy.symbols("m R S", positive=True)
    after = total / share * adjusted_as_published([share, total - share], rest)[0]
    meant = total / share * adjusted_as_published([share, total - share], rest - total)[0]
    return misprint(
        symbolic.identity(after, total + rest, "the sum over cells of line 33 as printed"),
        symbolic.identity(meant, rest, "the sum over cells with R − S in place of R"),
        exact.compare(_sum("published", (2, 1, 0), 3), "!=", 3, "2 + 1 + 0 adjusted to R = 3"),
        exact.compare(_sum("published", (0, 0, 0), 3), "==", 3, "0 + 0 + 0 adjusted by line 35"),
        exhaustive.for_all(
            _cases(),
            lambda case: _sum("corrected", *case) == case[1],
            "with R − S the cells of the model add up to what the county total leaves",
            COUNTIES,
        ),
        reading="the county total minus the known Emp minus the sum of the model's m1emp",
        reading_is=Outcome.HOLDS,
        counterexample="county total 3, one cell, m1emp = 3 from the model: 3 + 3·3/3 = 6",
    )


@claim(
    "webb2025/alg-1-equal-shares",
    where="Appendix A.2, Algorithm 1, line 35, against the text after Algorithm 1",
    says="When the model's m1emp add up to 0, each is adjusted by what the county total leaves over "
    "|I_model m1emp|.",
)
def divisor_is_the_number_of_cells() -> Verdict:
    """Every m1emp is at least 0 after lines 22–25, so where they add up to 0 each is 0, and any norm of the
    vector is 0: line 35 would divide by 0. The text says the number of cells that the model simulated.
    """
    a, b = z3.Reals("a b")
    return misprint(
        solver.for_all(
            [a >= 0, b >= 0, a + b == 0],
            abs(a) + abs(b) == 0,
            "m1emp ≥ 0 that add up to 0 have norm 0, the printed divisor (two cells)",
        ),
        exhaustive.for_all(
            product(range(1, 5), range(6)),
            lambda case: sum(adjusted_as_published([F(0)] * case[0], F(case[1]))) == case[1],
            "with the number of cells the adjusted values add up to what the county total leaves",
            "1…4 cells, 0…5 jobs left",
        ),
        reading="|I_model|, the number of cells",
        reading_is=Outcome.HOLDS,
        counterexample="two cells with m1emp = 0: |(0, 0)| = 0",
    )


@claim(
    "webb2025/alg-1-stable",
    where="Appendix A.2, Algorithm 1, lines 22–23, and the text after Algorithm 1",
    says="Where stable employment is known it is a lower bound on each monthly employment count.",
)
def adjustment_breaks_the_bound() -> Verdict:
    """The bound is set before the county adjustment, which lowers m1emp when the known Emp of the other
    industries exceed the county total (the sources protect each value on its own). An industry with
    EmpS = 1 and m1emp = 1 beside one with Emp = 1 in a county of 0 jobs: R = −1 and 1 − 1·1/1 = 0.
    """
    breaking = [
        (s, known, total)
        for s, known, total in product(range(3), range(2), range(3))
        if _month_1(s, known, total) < s
    ]
    return fails(
        exact.compare(_month_1(1, 1, 0), "<", 1, "m1emp in the result, and EmpS"),
        aside(
            exact.compare(
                min(sum(case) for case in breaking),
                "==",
                2,
                "the least EmpS + Emp + total that breaks it",
            )
        ),
        exhaustive.for_all(
            product(range(4), range(4), range(4)),
            lambda case: employment(*_county(*case))[0][0] >= case[0],
            "bounding again after the adjustment keeps the bound",
            "EmpS, the other industry's Emp and the county total in 0…3",
        ),
        counterexample="EmpS = m1emp = 1 beside Emp = 1, county total 0: m1emp becomes 0",
        value="bound again after the adjustment; the county total then cannot always be met",
    )


def _county(stable: int, known: int, total: int) -> tuple[list[Industry], Fraction]:
    """An industry of the model with m1emp = EmpS beside one with known Emp, and the county total."""
    first = Industry(None, F(stable), F(stable), model=F(stable), emp_s=F(stable))
    return [first, Industry(F(known), F(known), F(known))], F(total)


def _month_1(stable: int, known: int, total: int) -> Fraction:
    return employment_as_published(*_county(stable, known, total))[0][0]


@claim(
    "webb2025/alg-1-order",
    where="Appendix A.2, Algorithm 1, lines 22 and 27–36",
    says="Month 2 employment is zero where months 1 and 3 are, and else varies around their midpoint.",
)
def month_2_is_drawn_from_a_month_1_that_changes() -> Verdict:
    """Line 22 draws month 2 from the m1emp of the model, which lines 27–36 then change. m1emp = 4, m3emp = 0
    gives month 2 = 2; a county residual of −4 takes m1emp to 0, and the result is 0, 2, 0. The other way
    round 0, 0, 0 becomes 10, 0, 0. Drawing month 2 last repairs it.
    """
    down = [Industry(None, F(0), F(0), model=F(4)), Industry(F(4), F(4), F(4))]
    m1, m2, m3 = employment_as_published(down, F(0))[0]
    up = employment_as_published([Industry(None, F(0), F(0))], F(10))[0]
    repaired = [employment(cells, total)[0] for cells, total in ((down, F(0)), (down[:1], F(10)))]
    return fails(
        exact.compare(m1 + m3, "==", 0, "months 1 and 3 of the first case"),
        exact.compare(m2, ">", 0, "its month 2"),
        exact.compare(up[0] + up[2] - 2 * up[1], "==", 10, "months 1 + 3 − 2·month 2, no noise"),
        *(
            exact.compare(a + c, "==", 2 * b, "months 1 + 3 and twice month 2, drawn last")
            for a, b, c in repaired
        ),
        counterexample="m1emp 4 (model), m3emp 0, Z = 0, residual −4: months 0, 2, 0",
        value="line 22 after line 36",
    )


@claim(
    "webb2025/alg-1-county-scope",
    where="Appendix A.2, Algorithm 1, lines 3, 31 and 33",
    says="The cells of the model get what the known Emp leave of the county total.",
)
def industries_outside_the_index_set_are_counted() -> Verdict:
    """The county total counts every industry; the sum of line 31 runs over I, the industries that both
    sources list. The jobs of an industry outside I are handed to the cells of the model a second time.
    """
    inside = [Industry(None, F(2), F(2), model=F(2))]
    outside = Industry(F(7), F(7), F(7))
    alone, together = employment(inside, F(9)), employment([*inside, outside], F(9))

    def gets_the_rest(case: tuple[int, ...]) -> bool:
        model, known, rest = map(F, case)
        cells = [Industry(None, F(0), F(0), model=model), Industry(known, known, known)]
        return employment(cells, known + rest)[0][0] == rest

    return ill_posed(
        exact.compare(alone[0][0], "==", 9, "2 jobs in I and 7 outside it: the model's cell gets"),
        exact.compare(together[0][0], "==", 2, "with the other industry in I it gets"),
        exhaustive.for_all(
            product(range(4), repeat=3),
            gets_the_rest,
            "with every industry in I the model's cell gets what the known Emp leaves",
            "a cell of the model and a known one, m1emp, Emp and what it leaves in 0…3",
        ),
        condition="every industry of the county is in I",
        counterexample="county total 9, an industry with Emp = 7 outside I: the cell with 2 jobs gets 9",
    )
