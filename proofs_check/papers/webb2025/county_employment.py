"""Appendix A.2, Algorithm 1: the three months of county × NAICS-4 cells, and the county's total."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import sympy

from establish import Outcome, Verdict, claim, exact, exhaustive, fails, ill_posed, misprint, solver, symbolic
from establish.proofs_check.engine.statements import AtMost, Below, Equal, Every, Integer, Real, given
from establish.proofs_check.engine.verdicts import aside
from establish.spec.arithmetic import Number, World
from establish.spec.synthetic import UnsetError
from establish.spec.synthetic.county_employment import (
    Industry,
    adjusted,
    adjusted_as_published,
    employment,
    employment_as_published,
    raised,
    start,
    start_as_published,
)
from establish.spec.synthetic.month_2 import month_2_as_published

F = Fraction


def _patterns() -> Iterator[tuple[bool, ...]]:
    """Emp known or missing, EmpEnd known or missing."""
    return product((True, False), repeat=2)


def _as_in_the_text(known: tuple[bool, ...], *, printed: bool) -> bool:
    """m1emp is Emp where it is known and else that of the model, m3emp is EmpEnd or else the imputed one,
    whatever the values: names stand for them.
    """
    emp, end = ("Emp" if known[0] else None), ("EmpEnd" if known[1] else None)
    cell = Industry(emp, end, "imputed", "model")  # type: ignore[arg-type]
    expected: tuple[object, object] = emp or "model", end or "imputed"
    try:
        return (start_as_published if printed else start)(cell) == expected
    except UnsetError:
        return False


START = Every(
    "pattern (Emp known, EmpEnd known)", _patterns, lambda known: _as_in_the_text(known, printed=True)
)
START_BY_SOURCE = Every(
    "pattern (Emp known, EmpEnd known)", _patterns, lambda known: _as_in_the_text(known, printed=False)
)


def _squared_error(c: World, square: Number, p: Number, q: Number, r: Number, v: Number, w: Number) -> Number:
    """se² = s²(1 + v'Qv) at the row (v, w) of predictors, Q = (X'X)⁻¹ with the rows (p, q) and (q, r)."""
    return square * (1 + p * v * v + 2 * q * v * w + r * w * w)


FUNCTION_OF_FIT = Equal(
    *(Real(name, above=0) for name in ("s²", "p", "r")),
    Real("q"),
    *(Real(name) for name in ("β_1", "β_2", "v_1", "v_2", "w_1", "w_2")),
    left=lambda c, square, p, r, q, b_1, b_2, v_1, v_2, w_1, w_2: _squared_error(
        c, square, p, q, r, v_1, v_2
    ),
    right=lambda c, square, p, r, q, b_1, b_2, v_1, v_2, w_1, w_2: _squared_error(
        c, square, p, q, r, w_1, w_2
    ),
    given=[
        given(lambda c, square, p, r, q, *_: p * r - q * q, ">", 0),
        given(
            lambda c, square, p, r, q, b_1, b_2, v_1, v_2, w_1, w_2: b_1 * v_1 + b_2 * v_2,
            "==",
            lambda c, square, p, r, q, b_1, b_2, v_1, v_2, w_1, w_2: b_1 * w_1 + b_2 * w_2,
        ),
    ],
)
"""Rows with one fitted value v'β have one standard error of prediction: for all data of two predictors."""


def _of_the_model(model: Number, end: Number) -> Industry:
    """A cell with EmpEnd whose m1emp the model gives: ŷ + Z."""
    return Industry(None, end, imputed=F(0), model=model)


MODEL_VALUES = AtMost(
    Real("model"), Real("EmpEnd", least=0), left=0, right=lambda c, x, end: start(_of_the_model(x, end))[0]
)
BOUNDED_FIRST = AtMost(
    Real("model"),
    Real("EmpEnd", least=0),
    left=0,
    right=lambda c, x, end: employment([_of_the_model(x, end)], None)[0][0],
)
"""Month 1 is at least 0, as Algorithm 2 asks: as lines 14–20 give it, and bounded first."""


def _whole(cell: Industry) -> bool:
    ((m1, m2, m3),) = employment_as_published([cell], None)
    return all(m.denominator == 1 for m in (m1, m2, m3))


def _known_or_from_the_model() -> Iterator[Industry]:
    """Cells with Emp, and cells of the model, whose values are quarters."""
    for m1, m3 in product(range(4), repeat=2):
        yield Industry(F(m1), F(m3), F(m3))
        yield from (Industry(None, F(m3), F(m3), model=m1 + F(k, 4)) for k in range(4))


WHOLE = Every("cell", _known_or_from_the_model, _whole)


COUNTIES = "3 industries, m1emp of the model in 0…3 and what the county total leaves in 0…5"
"""The universe of the statements about the adjustment."""


def _cases() -> Iterator[tuple[tuple[int, ...], int]]:
    return product(product(range(4), repeat=3), range(6))


def _sum(rule: str, model: tuple[int, ...], rest: int) -> Fraction:
    adjust = adjusted if rule == "corrected" else adjusted_as_published
    return sum(adjust([F(m) for m in model], F(rest)), F(0))


TO_COUNTY_TOTAL = Every(
    "case (the model's m1emp, what the county total leaves)",
    _cases,
    lambda case: _sum("published", *case) == case[1],
)
TO_COUNTY_TOTAL_AS_MEANT = Every(
    "case (the model's m1emp, what the county total leaves)",
    _cases,
    lambda case: _sum("corrected", *case) == case[1],
)


@claim(
    "webb2025/alg-1-county-total",
    where="Appendix A.2, Algorithm 1, lines 27–33, and the displayed formula before Algorithm 2",
    says="With the county total line 33 adjusts the m1emp of the model so that the county's jobs are "
    "those of its total.",
    states=TO_COUNTY_TOTAL,
    meant=TO_COUNTY_TOTAL_AS_MEANT,
    origin="implied",
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
        exact.refuted(TO_COUNTY_TOTAL, case=((2, 1, 0), 3)),
        aside(exact.compare(_sum("published", (0, 0, 0), 3), "==", 3, "0 + 0 + 0, by line 35")),
        exhaustive.each(TO_COUNTY_TOTAL_AS_MEANT, COUNTIES),
        reading="the county total minus the known Emp minus the sum of the model's m1emp",
        reading_is=Outcome.HOLDS,
        counterexample="county total 3, one cell, m1emp = 3 from the model: 3 + 3·3/3 = 6",
    )


BY_NORM = Below(
    *(Real(name, least=0) for name in ("m1emp", "others")),
    left=0,
    right=lambda c, own, others: abs(own) + abs(others),
    given=[given(lambda c, own, others: own + others, "==", 0)],
)
"""The norm of the model's m1emp, by which line 35 divides, is positive where they add up to 0."""

BY_NUMBER = Equal(
    Integer("cells", least=1),
    Real("left over"),
    left=lambda c, cells, left: cells * raised(F(0), left, cells),
    right=lambda c, cells, left: left,
)
"""Each raised by an equal share, they reach what the county total leaves."""


@claim(
    "webb2025/alg-1-domain",
    where="Appendix A.2, Algorithm 1, lines 20–22, 35 and result, with the text after it; Appendix A.4",
    says="Line 22 calls Algorithm 2 with the months that lines 14–20 give; it needs them to be ≥ 0. When the "
    "model's m1emp add up to 0, each is adjusted by what the county total leaves over |I_model m1emp|. The "
    "result, monthly employment counts, is whole numbers.",
    states=(MODEL_VALUES, BY_NORM, WHOLE),
    meant=(BOUNDED_FIRST, BY_NUMBER),
    origin="implied",
)
def months_may_be_negative_all_zero_or_no_whole_numbers() -> Verdict:
    """A value of the model, ŷ + Z with normal Z, is negative with positive probability, and lines 22–25
    bound it only after line 22. At m1 = −1, m3 = 1 the variance divides by 0; at m1 = −3, m3 = 1 it is
    negative. Bounding the months by 0 first repairs both: then m1 + m3 > 0 unless both are 0.

    Every m1emp is at least 0 after lines 22–25, so where they add up to 0 each is 0, and any norm of the
    vector is 0: line 35 would divide by 0. The text says the number of cells that the model simulated.

    ŷ + Z and the result of Algorithm 2 are real numbers, and no line rounds them; Appendix A.4 only
    mentions that values may be rounded down. Employment counts need a rounding that is said.
    """
    return ill_posed(
        exact.refuted(MODEL_VALUES, model=-1, EmpEnd=1),
        exact.refuted(BY_NORM, m1emp=0, others=0),
        exact.refuted(WHOLE, case=Industry(F(1), F(2), imputed=F(2))),
        exact.refuted(WHOLE, case=Industry(None, F(2), imputed=F(2), model=F(5, 4))),
        *map(solver.proves, (BOUNDED_FIRST, BY_NUMBER)),
        condition="the months are bounded by 0 before line 22, not after it; line 35 divides by |I_model|, "
        "the number of cells; a rounding rule",
        counterexample="ŷ + Z = −1 and EmpEnd = 1: the variance of line 22 is 2η·2/0; two cells with "
        "m1emp = 0: |(0, 0)| = 0; m1emp = 1, m3emp = 2, Z = 0: m2emp = 3/2",
    )


def _county(stable: int, known: int, total: int) -> tuple[list[Industry], Fraction]:
    """An industry of the model with m1emp = EmpS beside one with known Emp, and the county total."""
    first = Industry(None, F(stable), F(stable), model=F(stable), emp_s=F(stable))
    return [first, Industry(F(known), F(known), F(known))], F(total)


def _adjusted(own: Number, others: Number, left: Number) -> Number:
    """m1emp of a cell of the model after lines 27–36, beside the others of the model together.

    left: what the county total leaves when the known Emp are subtracted, of any sign.
    """
    return max(F(0), adjusted_as_published([own, others], left)[0])


STABLE = AtMost(
    *(Real(name, least=0) for name in ("stable", "others")),
    Real("left"),
    left=lambda c, stable, others, left: stable,
    right=lambda c, stable, others, left: _adjusted(stable, others, left),
)
"""Of a cell whose m1emp is EmpS after line 23."""

STABLE_AGAIN = Every(
    "case (EmpS, the other industry's Emp, county total)",
    lambda: product(range(4), repeat=3),
    lambda case: employment(*_county(*case))[0][0] >= case[0],
)


@claim(
    "webb2025/alg-1-stable",
    where="Appendix A.2, Algorithm 1, lines 22–23, and the text after Algorithm 1",
    says="Where stable employment is known it is a lower bound on each monthly employment count.",
    origin="implied",
    states=STABLE,
    tight=STABLE_AGAIN,
)
def adjustment_breaks_the_bound() -> Verdict:
    """The bound is set before the county adjustment, which lowers m1emp when the known Emp of the other
    industries exceed the county total (the sources protect each value on its own). An industry with
    EmpS = 1 and m1emp = 1 beside one with Emp = 1 in a county of 0 jobs: R = −1 and 1 − 1·1/1 = 0.
    """
    return fails(
        exact.refuted(STABLE, stable=1, others=0, left=-1),
        exhaustive.each(STABLE_AGAIN, "EmpS, the other industry's Emp and the county total in 0…3"),
        counterexample="EmpS = m1emp = 1 beside Emp = 1, county total 0: m1emp becomes 0",
        value="bound again after the adjustment; the county total then cannot always be met",
    )


_CELL = (*(Real(name, least=0) for name in ("model", "others")), Real("left"), Real("m3emp", least=0))

ORDER = Equal(
    *_CELL,
    left=lambda c, model, others, left, m3: month_2_as_published(model, m3, F(0)) * 2,
    right=lambda c, model, others, left, m3: _adjusted(model, others, left) + m3,
)
DRAWN_LAST = Equal(
    *_CELL,
    left=lambda c, model, others, left, m3: (
        month_2_as_published(_adjusted(model, others, left), m3, F(0)) * 2
    ),
    right=ORDER.right,
)
"""Without noise month 2 is the midpoint of months 1 and 3: drawn in line 22, and after line 36."""

ZERO_WHERE_BOTH_ARE = Equal(
    *_CELL[:3],
    left=lambda c, model, others, left: month_2_as_published(model, F(0), F(0)),
    right=0,
    given=[given(lambda c, model, others, left: _adjusted(model, others, left), "==", 0)],
)
"""Month 2 of line 22, where months 1 and 3 are zero after line 36."""


@claim(
    "webb2025/alg-1-order",
    where="Appendix A.2, Algorithm 1, lines 22 and 27–36",
    says="Month 2 employment is zero where months 1 and 3 are, and else varies around their midpoint.",
    origin="implied",
    states=(ZERO_WHERE_BOTH_ARE, ORDER),
    tight=DRAWN_LAST,
)
def month_2_is_drawn_from_a_month_1_that_changes() -> Verdict:
    """Line 22 draws month 2 from the m1emp of the model, which lines 27–36 then change. m1emp = 4, m3emp = 0
    gives month 2 = 2; a county residual of −4 takes m1emp to 0, and the result is 0, 2, 0. The other way
    round 0, 0, 0 becomes 4, 0, 0. Drawing month 2 last repairs it.
    """
    return fails(
        exact.refuted(ZERO_WHERE_BOTH_ARE, model=4, others=0, left=-4),
        exact.refuted(ORDER, model=4, others=0, left=-4, m3emp=0),
        exact.refuted(ORDER, model=0, others=0, left=4, m3emp=0),
        solver.proves(DRAWN_LAST),
        counterexample="m1emp 4 (model), m3emp 0, Z = 0, residual −4: months 0, 2, 0",
        value="month 2 is drawn after the adjustment to the county total",
    )


_COUNTY = tuple(Real(name, least=0) for name in ("model", "known", "rest"))

SCOPE = Equal(
    *_COUNTY,
    left=lambda c, model, known, rest: employment_as_published(
        [Industry(None, F(0), F(0), model=model)], known + rest
    )[0][0],
    right=lambda c, model, known, rest: model + rest,
)
"""One cell of the model in a county of known + rest jobs, whose known industry is not in I."""

EVERY_INDUSTRY_IN = Equal(
    Real("model", least=0),
    Real("others", above=0),
    *(Real(name, least=0) for name in ("known", "total")),
    left=lambda c, model, others, known, total: adjusted_as_published([model, others], total - known)[0],
    right=lambda c, model, others, known, total: model + (total - known) * model / (model + others),
)
"""Line 33, for a cell of the model beside others, with every known Emp subtracted from the county total."""


@claim(
    "webb2025/alg-1-lines",
    where="Appendix A.2, Algorithm 1, lines 3, 13–20, 31 and 33; Algorithm 3, line 16",
    says="The lines set m1emp and m3emp of every cell from Emp and EmpEnd, from the imputed employment and "
    "from the model; se_pred takes in a fitted value of the model; line 33 adds to the m1emp of the model, "
    "in proportion, what the Emp known in the county leave of the county total.",
    states=(START, FUNCTION_OF_FIT, SCOPE),
    meant=(START_BY_SOURCE, EVERY_INDUSTRY_IN),
)
def lines_leave_cells_a_row_and_industries_out() -> Verdict:
    """Line 14 runs over the cells with both values and sets both; line 16 sets m3emp where EmpEnd is
    missing; line 18 sets m1emp where Emp is missing and reads m3emp. So m3emp is unset where only Emp is
    missing, and m1emp where only EmpEnd is. The text is clear: each value is used where it is known.

    se_pred² = s²(1 + v'(X'X)⁻¹v) depends on the row v of predictors, not on the fitted value: rows with
    the same ŷ can lie near the middle of the data or far out. Regress (1, −2, 1) on a constant and
    (−1, 0, 1): β = (0, 0), s² = 6, (X'X)⁻¹ has 1/3 and 1/2, and se² = 8 at x = 0 and 11 at x = 1.

    The county total counts every industry; the sum of line 31 runs over I, the industries that both
    sources list. The jobs of an industry outside I are handed to the cells of the model a second time.
    """
    data = {"s²": 6, "p": "1/3", "q": 0, "r": "1/2", "β_1": 0, "β_2": 0}
    return ill_posed(
        exact.refuted(START, case=(False, True)),
        exact.refuted(START, case=(True, False)),
        exact.refuted(FUNCTION_OF_FIT, **data, v_1=1, v_2=0, w_1=1, w_2=1),
        exact.refuted(SCOPE, model=2, known=3, rest=2),
        exhaustive.each(START_BY_SOURCE, "the four patterns of missing values"),
        solver.proves(EVERY_INDUSTRY_IN),
        condition="m3emp from EmpEnd for every cell that has it, m1emp from Emp for every cell that has it; "
        "se_pred is a function of the row of predictors; every industry of the county is in I",
        counterexample="Emp missing, EmpEnd = 6: line 19 reads m3emp, which no line has set; data (−1, 1), "
        "(0, −2), (1, 1): ŷ = 0 at x = 0 and at x = 1, se² = 8 and 11; county total 5, an industry with "
        "Emp = 3 outside I: the cell with 2 jobs gets 5 more",
    )
