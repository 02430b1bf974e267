"""Table 7: its budgets and totals, and what its five queries cost one establishment or a firm exactly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import sympy

from establish.proofs_check.engine.methods import exact, symbolic
from establish.proofs_check.engine.register import claim
from establish.proofs_check.engine.verdicts import Verdict, aside, fails, holds, holds_loosely
from establish.proofs_check.papers.webb2025.firms import cauchy, root_of_a_group
from establish.proofs_check.papers.webb2025.psi_mechanism import (
    likelihood_of_shifts,
    sums_move_no_more_than_records,
)
from establish.proofs_check.papers.webb2025.rounding import half_unit, root_rounds, rounds
from establish.spec.arithmetic import ARB, SYM, Number, enclosing
from establish.spec.gaussian import composed, composed_square
from establish.spec.mechanisms.psi_mechanism import PsiMechanism
from establish.spec.neighbor_functions.functions import root

MONTHS = 3
"""Employment is an attribute for each month of the quarter, wages are one attribute (Section 8)."""


@dataclass(frozen=True)
class Row:
    """A row of Table 7 as printed: budget, share, budgets of employment and of wages, wage share."""

    name: str
    budget: str
    share: str
    employment: str
    wages: str
    wage_share: str

    @property
    def budgets(self) -> list[Fraction]:
        """The budgets of the row's answers: employment for each month, and wages."""
        return [Fraction(self.employment)] * MONTHS + [Fraction(self.wages)]

    @property
    def square(self) -> Fraction:
        """The square of the row's budget, exactly."""
        return composed_square(self.budgets)


ROWS = {
    "I": Row("Identity", "1.22", "0.281", "0.70", "0.15", "0.015"),
    "S": Row("State Total", "0.36", "0.024", "0.20", "0.10", "0.077"),
    "N5": Row("State NAICS-5", "1.05", "0.207", "0.60", "0.15", "0.020"),
    "C": Row("County Total", "1.05", "0.207", "0.60", "0.15", "0.020"),
    "CN5": Row("County by NAICS-5", "1.22", "0.281", "0.70", "0.15", "0.015"),
}
"""Table 7 as printed."""

SECTION_8_1 = ("0.7", "0.2", "0.6", "0.6", "0.7")
"""Section 8.1: the budgets of Q1 to Q5 for one month's employment."""

SECTION_8_2 = ("0.611", "0.179", "0.525", "0.525", "0.611")
"""Section 8.2: the budgets of Q1 to Q5 for each of the four attributes."""


TOTAL = sum((row.square for row in ROWS.values()), Fraction(0))
"""The square of the total budget of Table 7: 133/25."""


def digits(budgets: Sequence[Fraction | str]) -> str:
    """17 certain digits of the total of some budgets."""
    with enclosing():
        return str(composed([Fraction(mu) for mu in budgets], ARB).str(17, radius=False))


def entries_of_row(row: Row) -> Verdict:
    """μ_q² = 3·μ_(q,e)² + μ_(q,w)², over the square 5.32 of the total, and μ_(q,w)² over it."""
    return holds(
        root_rounds(row.square, row.budget, "μ_q"),
        rounds(row.square / TOTAL, row.share, "μ_q²/μ² ="),
        rounds(Fraction(row.wages) ** 2 / row.square, row.wage_share, "μ_(q,w)²/μ_q² ="),
        value=digits(row.budgets),
    )


for _label, _row in ROWS.items():
    claim(
        f"webb2025/tab-7-{_label}",
        where=f"Table 7, {_row.name}",
        says=f"With {_row.employment} for each month and {_row.wages} for wages the query's budget is "
        f"{_row.budget}, its share {_row.share} and the wages' share {_row.wage_share}.",
    )(partial(entries_of_row, _row))


@claim(
    "webb2025/tab-7-mu",
    where="Table 7, caption",
    says="The overall budget of the five queries is 2.31.",
)
def total_of_table_7() -> Verdict:
    """√(2·1.4925 + 0.13 + 2·1.1025) = √5.32 = 2.3065… If the √-mechanism answers all queries, it is attained
    by an establishment that is alone in each of its groups; the others cost less (Theorem 6.5).
    """
    budgets = [mu for row in ROWS.values() for mu in row.budgets]
    return holds(root_rounds(composed_square(budgets), "2.31", "μ"), value=digits(budgets))


@claim(
    "webb2025/sec8.1-mu",
    where="Section 8.1",
    says="Budgets 0.7, 0.2, 0.6, 0.6, 0.7 for each of 3 months make 2.28 overall.",
)
def total_of_section_8_1() -> Verdict:
    """√(3·1.74) = √5.22 = 2.2847…"""
    budgets = SECTION_8_1 * MONTHS
    return holds(root_rounds(composed_square(budgets), "2.28", "μ"), value=digits(budgets))


@claim(
    "webb2025/sec8.2-mu",
    where="Section 8.2",
    says="Budgets 0.611, 0.179, 0.525, 0.525, 0.611 for each of 4 attributes make 2.31 overall.",
)
def total_of_section_8_2() -> Verdict:
    """√(4·1.329933) = √5.319732 = 2.3064…"""
    budgets = SECTION_8_2 * (MONTHS + 1)
    return holds(root_rounds(composed_square(budgets), "2.31", "μ"), value=digits(budgets))


@claim(
    "webb2025/sec8.2-rescaled",
    where="Section 8.2",
    says="The budgets of Section 8.2 are those of Section 8.1, rescaled by one factor.",
)
def budgets_are_not_rescaled_by_one_factor() -> Verdict:
    """A factor k that takes 0.2 to 0.179 and 0.7 to 0.611, both rounded, needs 0.2k ≥ 0.1785 and 0.7k ≤
    0.6115: k ≥ 0.8925 and k ≤ 0.8736. What comes out is half the query budgets of Table 7, √1.4925/2 =
    0.6108 and √1.1025/2 = 0.525, but for the state total, where √0.13/2 = 0.1803 would be printed 0.180.
    """
    least = (Fraction("0.179") - half_unit("0.179")) / Fraction("0.2")
    most = (Fraction("0.611") + half_unit("0.611")) / Fraction("0.7")
    return fails(
        exact.compare(least, ">", most, "the least factor for Q2 and the largest for Q1"),
        root_rounds(ROWS["I"].square / 4, "0.611", "half of Table 7's identity budget"),
        root_rounds(ROWS["C"].square / 4, "0.525", "half of Table 7's county budget"),
        root_rounds(ROWS["S"].square / 4, "0.180", "half of Table 7's state budget"),
        counterexample="0.179/0.2 = 0.895, 0.611/0.7 = 0.873, 0.525/0.6 = 0.875",
        value="half the query budgets of Table 7: 0.611, 0.180, 0.525, 0.525, 0.611",
    )


@claim(
    "webb2025/appC-baseline",
    where="Appendix C, against Section 8.2",
    says="The baseline of Table 7 matches the parameters used in Section 8.",
)
def baseline_differs_from_section_8_2() -> Verdict:
    """Section 8.2 gives every attribute of the identity query 0.611; Table 7 gives employment 0.70 and wages
    0.15, and calls them exact. The totals agree when rounded, the split does not: wages get a quarter of
    each query's squared budget in Section 8.2, and at most 7.7% of it in Table 7.
    """
    identity = ROWS["I"]
    largest = max(Fraction(row.wages) ** 2 / row.square for row in ROWS.values())
    return fails(
        exact.compare(Fraction(identity.wages), "!=", Fraction(SECTION_8_2[0]), "wages, Q1"),
        exact.compare(Fraction(identity.employment), "!=", Fraction(SECTION_8_2[0]), "a month, Q1"),
        exact.compare(largest, "<", Fraction(1, MONTHS + 1), "the wages' largest share in Table 7"),
        counterexample="identity query: 0.611 for each attribute in Section 8.2; 0.70 and 0.15 in Table 7",
    )


def spent(
    groups: Mapping[str, Sequence[int]], before: Sequence[Number], after: Sequence[Number]
) -> Number:
    """The exact square of the cost of the √-mechanism's answers to some queries, of all 4 attributes.

    groups: the group of each establishment by query. Values are those of each attribute, as √ sees
    them: one unit of before − after is one distance γ.
    """
    costs = [
        PsiMechanism(root(), 1, mu).query_cost(of, before, after, SYM)
        for name, of in groups.items()
        for mu in ROWS[name].budgets
    ]
    return sum((cost**2 for cost in costs), sympy.Integer(0))


@claim(
    "webb2025/tab-7-cost",
    where="Table 7, caption, the exact cost",
    says="The five queries on four attributes, all answered by the √-mechanism, cost 2.3065…, and no "
    "less.",
)
def total_is_attained_by_an_establishment_alone_in_the_state() -> Verdict:
    """An establishment that is alone in each of its groups, the whole state too, and moves by γ in every
    attribute pays each answer's μ: the square is 133/25 exactly, and more is not possible (Theorem 6.5).
    Beside others the state and county answers cost less, towards nothing as their sums grow; one that is
    alone in its industry then pays √(2·1.4925 + 1.1025) = √4.0875 = 2.0218…
    """
    others = sympy.Symbol("S", positive=True)
    alone = spent({name: [0] for name in ROWS}, [4], [9])
    industry = spent({name: [0] for name in ("I", "N5", "CN5")}, [4], [9])
    beside = spent({name: [0, 0] for name in ("S", "C")}, [4, others], [9, others])
    return holds(
        *sums_move_no_more_than_records(),
        *likelihood_of_shifts(),
        symbolic.identity(alone, sympy.Rational(133, 25), "square of the cost, alone in the state"),
        root_rounds(TOTAL, "2.31", "μ"),
        aside(
            symbolic.identity(
                sympy.limit(beside, others, sympy.oo), sympy.Integer(0), "S and C beside S → ∞"
            )
        ),
        aside(
            symbolic.identity(industry, sympy.Rational(40875, 10000), "alone in the industry only")
        ),
        value=digits([mu for row in ROWS.values() for mu in row.budgets]),
    )


@claim(
    "webb2025/tab-7-firm",
    where="Table 7, caption, with Section 5.4.1",
    says="A firm of ℓ establishments pays ℓ·2.31 for the five queries under the √-mechanism.",
)
def a_firm_pays_the_root_of_its_size() -> Verdict:
    """√ℓ·√5.32 suffices: in each query Σℓ_g = ℓ (webb2025/thm-6.5-firm). Equal establishments that are the
    whole state attain it, wherever they are. If the queries but Q1 are answered by pnc, it is
    √(1.4925ℓ + 3.8275ℓ²) (webb2025/sec6.2-total-firm): for ℓ = 4, 8.20 in place of 4.61 and of 9.23.
    """
    spread = {
        "I": [0, 1, 2, 3],
        "S": [0] * 4,
        "N5": [0, 0, 1, 1],
        "C": [0] * 4,
        "CN5": [0, 0, 1, 1],
    }
    four = spent(spread, [4] * 4, [9] * 4)
    rest = TOTAL - ROWS["I"].square
    return holds_loosely(
        cauchy(),
        root_of_a_group(),
        *likelihood_of_shifts(),
        symbolic.identity(
            four, 4 * sympy.Rational(133, 25), "square of the cost of 4 in two industries"
        ),
        aside(root_rounds(4 * TOTAL, "4.61", "a firm of 4, √-mechanism")),
        aside(root_rounds(4 * ROWS["I"].square + 16 * rest, "8.20", "a firm of 4, pnc but for Q1")),
        aside(root_rounds(16 * TOTAL, "9.23", "a firm of 4 by group privacy")),
        value="√ℓ·2.3065… under the √-mechanism",
    )
