"""Appendix A.2, Algorithm 1, lines 21–40: stable employment as a bound, and the county's total."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import sympy
import z3

from establish.proofs_check.methods import exact, exhaustive, solver, symbolic
from establish.proofs_check.register import claim
from establish.proofs_check.verdicts import Outcome, Verdict, aside, fails, ill_posed, misprint
from establish.spec.synthetic.county_employment import (
    Industry,
    adjusted,
    adjusted_as_published,
    employment,
    employment_as_published,
)

F = Fraction
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
