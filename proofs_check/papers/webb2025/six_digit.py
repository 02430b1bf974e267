"""Appendix A.3, Algorithm 5: county × NAICS-6 cells from county × NAICS-4 cells."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from establish.proofs_check.engine.methods import exact, exhaustive
from establish.proofs_check.engine.register import claim
from establish.proofs_check.engine.verdicts import Outcome, Verdict, holds, ill_posed, misprint
from establish.spec.synthetic import UnsetError
from establish.spec.synthetic.divider import divided_as_published
from establish.spec.synthetic.six_digit import (
    left_over,
    months_3,
    months_3_as_meant,
    months_3_as_published,
    receivers,
    receivers_as_published,
    scale_in_text,
)

F = Fraction
IMPUTED = "imputed employment of two NAICS-6 cells in 0…4, month 3 employment of their NAICS-4 cell in 0…4"


def _cases() -> Iterator[tuple[list[Fraction], Fraction]]:
    for *imputed, month_3 in product(range(5), repeat=3):
        yield [F(v) for v in imputed], F(month_3)


@claim(
    "webb2025/alg-5-example",
    where="Appendix A.3, example on NAICS 2361",
    says="Imputed 1,000 against 1,250: EmpScale is 0.8, and 700 and 300 become 875 and 375.",
)
def example_of_the_scale() -> Verdict:
    """1000/1250 = 4/5, 700/(4/5) = 875 and 300/(4/5) = 375, together 1,250."""
    first, second = months_3_as_published([F(700), F(300)], F(1000), F(1250))
    return holds(
        exact.compare(scale_in_text(F(1000), F(1250)), "==", F(4, 5), "EmpScale"),
        exact.compare(first, "==", 875, "236115"),
        exact.compare(second, "==", 375, "236116"),
    )


@claim(
    "webb2025/alg-5-scale",
    where="Appendix A.3, display of EmpScale, against Algorithm 5, line 11",
    says="EmpScale is imputeCBP.cntyN4.emp/cntyN4.m3emp where cntyN4.m3emp > 0, and NAICS-6 employment is "
    "divided by it.",
)
def scale_of_zero_divides() -> Verdict:
    """Where only the imputed employment is 0 the displayed scale is 0, and the text divides 0 by it. Line 11
    of the algorithm asks for both to be positive.
    """
    return ill_posed(
        exact.compare(scale_in_text(F(0), F(5)), "==", 0, "EmpScale at imputed 0, m3emp = 5"),
        exhaustive.for_all(
            product(range(1, 6), range(6)),
            lambda case: scale_in_text(F(case[0]), F(case[1])) > 0,
            "with positive imputed employment the scale is positive",
            "imputed 1…5, m3emp 0…5",
        ),
        condition="imputeCBP.cntyN4.emp > 0, as in line 11",
        counterexample="imputed employment 0, cntyN4.m3emp = 5: 0/0",
    )


@claim(
    "webb2025/alg-5-line-15",
    where="Appendix A.3, Algorithm 5, line 15",
    says="Without a scale m3emp_{c,k} is set to imputeCBP.cntyN6.emp_{c,ℓ} for all ℓ.",
)
def line_15_sets_another_variable() -> Verdict:
    """Line 16 reads m3emp_{c,ℓ}, which line 15 leaves unset; the value depends on ℓ, and (c, k) has one."""

    def reads_unset(case: tuple[list[Fraction], Fraction]) -> bool:
        try:
            months_3_as_published(case[0], sum(case[0], F(0)), case[1])
        except UnsetError:
            return True
        return False

    unscaled = [case for case in _cases() if not (sum(case[0]) and case[1])]
    return misprint(
        exhaustive.for_all(unscaled, reads_unset, "line 16 reads what is unset", IMPUTED),
        exhaustive.for_all(
            unscaled,
            lambda case: months_3_as_meant(case[0], sum(case[0], F(0)), case[1]) == case[0],
            "with ℓ in line 15 each cell has its imputed value",
            IMPUTED,
        ),
        reading="m3emp_{c,ℓ}",
        reading_is=Outcome.HOLDS,
        counterexample="cntyN4.m3emp = 0: line 16 reads m3emp_{c,ℓ}, which is unset",
    )


@claim(
    "webb2025/alg-5-month-3",
    where="Appendix A.3, Algorithm 5, lines 11–15",
    says="The adjusted m3emp of the NAICS-6 cells match the scale of the NAICS-4 cell's m3emp.",
)
def month_3_is_lost_or_invented_without_a_scale() -> Verdict:
    """With a scale they add up to m3emp, if the imputed values add up. Without one they add up to the imputed
    total: 0 where the NAICS-4 cell has 5 jobs and nothing was imputed, or 7 where it has none. The second
    case is a cell whose jobs are all in the first two months. Dividing m3emp in proportion to the
    imputed values, or evenly when these are 0, keeps it in every case.
    """

    def kept(values: list[Fraction], case: tuple[list[Fraction], Fraction]) -> bool:
        return sum(values) == case[1]

    scaled = [case for case in _cases() if sum(case[0]) and case[1]]
    lost = sum(months_3_as_meant([F(0), F(0)], F(0), F(5)))
    invented = sum(months_3_as_meant([F(3), F(4)], F(7), F(0)))
    return ill_posed(
        exhaustive.for_all(
            scaled,
            lambda case: kept(months_3_as_published(case[0], sum(case[0], F(0)), case[1]), case),
            "with a scale the NAICS-6 cells add up to the NAICS-4 cell",
            IMPUTED,
        ),
        exhaustive.for_all(
            _cases(),
            lambda case: kept(months_3(*case), case),
            "in proportion, or evenly, they always do",
            IMPUTED,
        ),
        exact.compare(lost, "!=", 5, "the sum at m3emp = 5 and imputed 0, 0"),
        exact.compare(invented, "!=", 0, "the sum at m3emp = 0 and imputed 3, 4"),
        condition="cntyN4.m3emp > 0 and imputed values that are not all 0 and add up to the NAICS-4 value",
        counterexample="cntyN4.m3emp = 5, imputed 0 and 0: 5 jobs are lost",
    )


WAGES = "three NAICS-6 cells, each with published wages 0…2 or suppressed"


def _wage_cells() -> Iterator[dict[str, Fraction | None]]:
    for values in product((None, 0, 1, 2), repeat=3):
        yield {code: None if v is None else F(v) for code, v in zip("abc", values, strict=True)}


@claim(
    "webb2025/alg-5-receivers",
    where="Appendix A.3, Algorithm 5, line 20",
    says="The wages that are left go to the cells with ℓ ∈ I_{c,k} and ℓ ∉ I_{c,k}.",
)
def nobody_is_in_and_out() -> Verdict:
    """The printed set is empty. The text divides what is left among the cells without CBP.cntyN6.qp1, those
    not in I^(6,4)_{c,k}, the set of line 17.
    """

    def meant(cells: dict[str, Fraction | None]) -> bool:
        shown = {code for code, value in cells.items() if value is not None}
        return set(receivers(cells)) | shown == set(cells) and not set(receivers(cells)) & shown

    return misprint(
        exhaustive.for_all(
            _wage_cells(),
            lambda cells: not receivers_as_published(cells),
            "the set is empty",
            WAGES,
        ),
        exhaustive.for_all(
            _wage_cells(), meant, "as meant each cell has published wages or receives some", WAGES
        ),
        reading="ℓ ∈ I_{c,k} with ℓ ∉ I^(6,4)_{c,k}",
        reading_is=Outcome.HOLDS,
        counterexample="one published and one suppressed cell: nobody receives the wages that are left",
    )


@claim(
    "webb2025/alg-5-left-over",
    where="Appendix A.3, Algorithm 5, lines 19–20, and the last paragraph of Appendix A.3",
    says="What is left of the NAICS-4 wage is divided among its suppressed NAICS-6 cells.",
)
def something_must_be_left_and_somebody_must_take_it() -> Verdict:
    """A = wage − Σ^(6,4) must be ≥ 0 for Algorithm 6: so it is when wage ≥ Σ^(6,4) (alg-3-lower). And when no
    NAICS-6 cell is suppressed A must be 0, as the Dirichlet law of no components is not defined; a
    wage that Algorithm 3 simulates or takes from EarnBeg need not equal Σ^(6,4). The paragraph in the
    text ends with CBP.cntyN4.qp1 − Σ^(6,4), which does not exist where qp1 is suppressed.
    """
    try:
        divided_as_published([], left_over({"a": F(1), "b": F(2)}, F(5)))
        undefined = 0
    except ZeroDivisionError:
        undefined = 1

    def admitted(case: tuple[dict[str, Fraction | None], int]) -> bool:
        rest = left_over(case[0], F(case[1]))
        return rest >= 0 and (rest == 0 or bool(receivers(case[0])))

    def kept(case: tuple[dict[str, Fraction | None], int]) -> bool:
        cells, wage = case
        shown = sum((v for v in cells.values() if v is not None), F(0))
        takers = [F(1)] * len(receivers(cells))
        parts = divided_as_published(takers, left_over(cells, F(wage))) if takers else ()
        return shown + sum(parts) == wage

    return ill_posed(
        exact.compare(
            left_over({"a": F(2), "b": None}, F(1)), "<", 0, "A at wage 1 and published 2"
        ),
        exact.compare(undefined, "==", 1, "A = 2 with no suppressed cell is undefined (1 is yes)"),
        exhaustive.for_all(
            filter(admitted, product(_wage_cells(), range(8))),
            kept,
            "otherwise the NAICS-6 wages add up to the NAICS-4 wage",
            f"{WAGES}; NAICS-4 wage 0…7",
        ),
        condition="wage ≥ Σ^(6,4), with equality where no NAICS-6 cell is suppressed",
        counterexample="wage 5, both NAICS-6 cells published with 1 and 2: A = 2, and nobody to take it",
    )


@claim(
    "webb2025/alg-5-coverage",
    where="Appendix A.3, Algorithm 5, lines 2–5 and 22–24",
    says="Every (c, ℓ) of I_cntyN6 gets employment and wages, and every NAICS-4 cell is divided.",
)
def both_index_sets_must_match() -> Verdict:
    """The loop runs over the NAICS-4 cells of Algorithm 1, those that QWI and imputeCBP share; lines 22–24
    list the NAICS-6 rows of imputeCBP. A row whose NAICS-4 cell is not in QWI stays unset, and a NAICS-4 cell
    without NAICS-6 rows goes to line 16 with nobody to receive its jobs.
    """
    n6 = {("c", "1111", "111110"), ("c", "2222", "222220")}
    n4 = {("c", "1111"), ("c", "3333")}
    unset = {row for row in n6 if row[:2] not in n4}
    empty = {cell for cell in n4 if not any(row[:2] == cell for row in n6)}
    matched = {row for row in n6 if row[:2] in n4}
    return ill_posed(
        exact.compare(len(unset), "==", 1, "NAICS-6 rows without a NAICS-4 cell in the example"),
        exact.compare(len(empty), "==", 1, "NAICS-4 cells without a NAICS-6 row in it"),
        exact.compare(len(matched), "==", len(n6) - 1, "rows that get values"),
        counterexample="imputeCBP lists 111110 and 222220, cntyN4 lists 1111 and 3333: 222220 is unset, the "
        "jobs of 3333 have no receiver",
        condition="every NAICS-6 row lies in a NAICS-4 cell of Algorithm 1, and every such cell has a row",
    )
